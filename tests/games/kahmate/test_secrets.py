"""What is committed in secret: whatever it is, nobody else can tell; and either order will do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest

from games.kahmate.play import game_with
from kibitz.core.game import SPECTATOR
from kibitz.games.kahmate.line_ups import LINE_UPS
from kibitz.games.kahmate.notation import write_action
from kibitz.table import open_table
from laws.laws import AnyTable, all_seen

TACKLE = "13/8o4/13/13/5Soc5/3O9/13/13 R play - g5 123456/123456 0-0 9 -"
FORCE = "13/13/13/13/5Fo6/3O9/13/13 R play - f5 12/56 0-0 9 -"
JUMP = "13/13/5Oo6/6tC5/13/5T7/13/13 R play - h4 1346/2356 0-0 6 -"
DUELS = {"f5xg5": TACKLE, "f5>g5": FORCE, "h4~f3 int=g4": JUMP}


def at_duel(texts: str) -> AnyTable:
    table: AnyTable = open_table(game_with(), DUELS[texts])
    for text in texts.split():
        table, _ = table.act("B" if text.startswith("int") else "R", text)
    return table


def told_alike(table: AnyTable, seat: str, texts: list[str]) -> Iterator[AnyTable]:
    """The tables after each of these; everybody else is told and sees the same in all."""
    others = {SPECTATOR, "R", "B"} - {seat}
    witnessed = set()
    for text in texts:
        after, told = table.act(seat, text)
        seen = {viewer: repr((told[viewer], all_seen(after, viewer))) for viewer in sorted(others)}
        witnessed.add(tuple(seen.items()))
        yield after
    assert len(witnessed) == 1


@pytest.mark.parametrize("duel", DUELS)
def test_no_card_can_be_told_from_another(duel: str) -> None:
    """Red's in turn, Blue's ahead of it, and Blue's after a card of Red's."""
    table = at_duel(duel)
    hands = table.view(SPECTATOR).hands
    red, blue = ([f"card={card}" for card in hand] for hand in hands)
    committed = list(told_alike(table, "R", red))
    early = list(told_alike(table, "B", blue))
    assert len(committed) == len(red)
    assert len(early) == len(blue)


@pytest.mark.parametrize("duel", DUELS)
def test_cards_come_in_either_order(duel: str) -> None:
    table = at_duel(duel)
    red, blue = table.view(SPECTATOR).hands
    for mine in red:
        for theirs in blue:
            one = table.act("R", f"card={mine}")[0].act("B", f"card={theirs}")[0]
            two = table.act("B", f"card={theirs}")[0].act("R", f"card={mine}")[0]
            assert one.record == two.record
            assert one.state == two.state


def test_a_line_up_cannot_be_told_from_another() -> None:
    """Six ready ones and some odd ones, man by man, by either captain first."""
    for seat in ("R", "B"):
        ready = [[write_action(each) for each in one.placements(seat)] for one in LINE_UPS]
        file = "b" if seat == "R" else "l"
        odd = [
            [f"{kind}@{file}{rank}" for kind, rank in zip("STFCOO", ranks, strict=True)]
            for ranks in list(permutations("12345678", 6))[::4999]
        ]
        seen: list[set[str]] = [set() for _ in range(6)]
        for line_up in ready + odd:
            table: AnyTable = open_table(game_with())
            for man, text in enumerate(line_up):
                table, told = table.act(seat, text)
                for viewer in {"R", "B", SPECTATOR} - {seat}:
                    assert all(event.message.id != "kahmate.placed" for event in told[viewer])
                viewers = sorted({"R", "B", SPECTATOR} - {seat})
                seen[man].add(repr([(told[v], all_seen(table, v)) for v in viewers]))
        assert [len(each) for each in seen] == [1] * 6


def test_a_record_leaves_out_what_is_not_shown() -> None:
    table = at_duel("f5xg5").act("R", "card=3")[0]
    assert table.record_for("R").actions == ("f5xg5", "card=3")
    assert table.record_for("B").actions == table.record_for(SPECTATOR).actions == ("f5xg5",)
    shown = table.act("B", "card=1")[0]
    assert shown.record_for("B").actions == ("f5xg5", "card=3", "card=1")


def test_an_event_discards_what_is_held() -> None:
    table = at_duel("f5xg5").act("B", "card=1")[0].act("R", "resign R")[0]
    assert table.commitments == ()
    assert table.record.actions == ("f5xg5", "resign R")
