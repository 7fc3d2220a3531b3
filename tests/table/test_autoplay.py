"""What a table does by itself next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from duel import duel
from duel.options import Options
from kibitz.core.game import CHANCE, PRESS_DIE, write_choice
from kibitz.games import GAMES
from kibitz.games.kalamala import kalamala
from kibitz.table import Table, open_table
from kibitz.table.autoplay import (
    BotConsent,
    BotStatement,
    BotTurn,
    ChanceDraw,
    is_automatic,
    next_action,
    next_steps,
    next_turn,
)
from kibitz.table.seating import people_at_opening

AnyTable = Table[Any, Any, Any]
PRESSED = duel(Options(die="pressed"))
PLACED = "g1,g2,g3,g4/h1,g2,g3,g4/h2,t20,g4/h3,g1 R:N3 d2 2+5/0+3/0+0/1+0 1:B ---- -"
CHOOSING = "h3,t4/h3,t9/h4/h4 R:M3 d3 0+0/0+0/0+0/0+0 1:- ---- -"


def table_after(game: Any, *acts: tuple[str, str], start: str = "start") -> AnyTable:
    table: AnyTable = open_table(game, start)
    for act in acts:
        table, _ = table.act(*act)
    return table


def kimble(position: str) -> AnyTable:
    return open_table(GAMES["as-kimble"].game({"pace": "turn"}), position)


def steps_of(table: AnyTable, bots: str, can_speak: bool = False) -> list[tuple[str, ...]]:
    """The steps: who, then the texts; early ones in brackets."""
    found: list[tuple[str, ...]] = []
    for step in next_steps(table, bots, can_speak):
        match step:
            case ChanceDraw():
                found.append((CHANCE,))
            case BotTurn(seat, actions, is_early):
                who = f"({seat})" if is_early else seat
                found.append((who, *(write_choice(table.game, each) for each in actions)))
            case BotStatement(seat, actions):
                found.append((f"{seat}?", *map(table.game.notation.write_action, actions)))
    return found


def test_a_person_to_act_is_waited_for() -> None:
    table = open_table(kalamala())
    assert steps_of(table, "B") == steps_of(table, "") == []
    assert not is_automatic(table, "B")


def test_a_bot_chooses_among_its_actions() -> None:
    table = open_table(kalamala())
    assert next_turn(table, "A") == BotTurn("A", table.actions("A"))
    assert is_automatic(table, "A")


def test_of_several_who_may_act_the_first_bot_in_the_order_of_seats_does() -> None:
    returning = "h2,t4,g1/h2,g2,g3/h2,g2,g3/h2,g3,g4 R:CBYG d6 0+0/0+0/0+0/0+0 1:- ---- -"
    table = kimble(returning)
    assert table.game.rules.to_act(table.state) == {*"BYG"}
    assert [who for who, *_ in steps_of(table, "GY")] == ["Y"]


def test_chance_draws_where_nobody_else_is_to_act() -> None:
    table = table_after(duel(), ("A", "c3"), ("B", "c1"))
    assert steps_of(table, "") == steps_of(table, "AB") == [(CHANCE,)]
    assert is_automatic(table, "")


def test_a_bot_that_can_only_press_the_die_presses_it() -> None:
    table = table_after(PRESSED, ("A", "c3"), ("B", "c1"))
    assert table.game.rules.to_act(table.state) == {CHANCE, "A"}
    assert steps_of(table, "A") == [("A", PRESS_DIE)]


def test_a_person_presses_the_die() -> None:
    table = table_after(PRESSED, ("A", "c3"), ("B", "c1"))
    assert steps_of(table, "B") == []
    assert not is_automatic(table, "B")


def test_a_bot_may_act_or_press_the_die() -> None:
    assert steps_of(kimble(PLACED), "R") == [("R", "R pass", PRESS_DIE)]


def test_a_bot_commits_ahead_of_its_place_and_nobody_waits_for_it() -> None:
    table = open_table(duel())
    ((who, *texts),) = steps_of(table, "B")
    assert who == "(B)"
    assert "c1" in texts
    assert not is_automatic(table, "B")
    assert steps_of(table_after(duel(), ("B", "c1")), "B") == []
    assert [who for who, *_ in steps_of(table, "AB")] == ["A"], "whoever is waited for comes first"


def test_bots_speak_before_anybody_acts() -> None:
    table = kimble(CHOOSING)
    spoken = ("G?", "G hembo jag", "G hembo vi")
    assert steps_of(table, "G", can_speak=True) == [spoken]
    assert [who for who, *_ in steps_of(table, "RG", can_speak=True)] == ["R?", "G?", "R"]
    assert steps_of(table, "G") == []


def test_nothing_is_said_twice_between_two_turn_actions() -> None:
    table = kimble(CHOOSING)
    table, _ = table.act("G", "G hembo jag")
    table, _ = table.act("B", "B hembo vi")
    assert steps_of(table, "G", can_speak=True) == [("G?", "G hembo vi")]
    table, _ = table.act("R", "R t4-t7")
    assert steps_of(table, "G", can_speak=True) == [("G?", "G hembo jag", "G hembo vi")]


def test_a_game_that_is_over_rests() -> None:
    table = table_after(kalamala(), ("A", "resign A"))
    assert steps_of(table, "AB") == []
    assert not is_automatic(table, "AB")


@pytest.mark.parametrize(
    ("seats", "acts", "steps"),
    [
        ({"A": {"bot": "greedy"}}, (), 0),
        ({"A": {"bot": "greedy"}, "B": {"members": ["ann"]}}, (), 1),
        ({"A": {"bot": "greedy"}, "B": {"members": ["ann"]}}, ("ask adjourn",), 0),
    ],
)
def test_a_table_rests_until_it_is_full_and_while_it_is_adjourned(
    seats: dict[str, dict[str, Any]], acts: tuple[str, ...], steps: int
) -> None:
    people = people_at_opening("ann", ("A", "B"), seats)
    table: AnyTable = open_table(kalamala(), people=people)
    for text in acts:
        table, _ = table.act("B", text, "ann")
        table, _ = table.act("A", "agree")
        assert table.is_adjourned
    assert len(steps_of(table, "A")) == steps
    assert is_automatic(table, "A") == bool(steps)


def test_nobody_speaks_or_acts_at_a_table_that_was_called_off_or_adjourned() -> None:
    table = kimble(CHOOSING)
    assert steps_of(table, "RG", can_speak=True)
    for rest in (replace(table, is_aborted=True), replace(table, is_adjourned=True)):
        assert steps_of(rest, "RG", can_speak=True) == []
        assert not is_automatic(rest, "RG")


# Where bots answer at once


def draw(state: Any) -> str:
    return "r2"


def chooses(text: str) -> Callable[[BotTurn], Any]:
    return lambda turn: next(a for a in turn.actions if write_choice(duel(), a) == text)


def test_the_next_action_is_what_a_bot_chose() -> None:
    assert next_action(open_table(duel()), "AB", draw, chooses("c3")) == ("A", "c3")


def test_a_bot_that_is_still_to_think_does_nothing() -> None:
    assert next_action(open_table(duel()), "AB", draw, lambda turn: None) is None


def test_the_die_falls_by_itself_or_for_a_bot_that_presses_it() -> None:
    for game in (duel(), PRESSED):
        table = table_after(game, ("A", "c3"), ("B", "c1"))
        assert next_action(table, "AB", draw, chooses(PRESS_DIE)) == (CHANCE, "r2")


def test_a_bot_that_speaks_keeps_everybody_else_waiting() -> None:
    table, asked = kimble(CHOOSING), []

    def say(may: BotStatement) -> Any:
        asked.append(may.seat)
        return may.actions[0] if may.seat == "Y" else None

    assert next_action(table, "RBYG", draw, chooses("?"), say) == ("Y", "Y hembo jag")
    assert asked == ["R", "B", "Y"]
    first = next_action(table, "RBYG", draw, lambda turn: turn.actions[0], lambda may: None)
    assert first == ("R", table.game.notation.write_action(table.actions("R")[0]))


# Rulings that only bots can agree to

MATES: dict[str, dict[str, Any]] = {
    "R": {"members": ["ann", "bob"]},
    **{seat: {"bot": "greedy"} for seat in "BYG"},
}
FINE = 'ref pen B +1 "spilt"'


def asked_at(seats: dict[str, dict[str, Any]], text: str = FINE) -> AnyTable:
    game = GAMES["as-kimble"].game({})
    table: AnyTable = open_table(game, people=people_at_opening("ann", game.seats, seats))
    table, _ = table.act("R", f"ask {text}", "ann")
    return table


def consent_of(table: AnyTable, bots: str) -> list[BotConsent]:
    return [each for each in next_steps(table, bots) if isinstance(each, BotConsent)]


def test_bots_are_asked_for_a_ruling_where_nobody_else_can_agree() -> None:
    table = asked_at(MATES)
    (asked,) = consent_of(table, "BYG")
    assert asked.seats == ("B", "Y", "G")
    assert table.game.notation.write_action(asked.ruling) == FINE
    table, _ = table.act("Y", "agree", "bot:greedy")
    assert [each.step.action for each in table.history] == [asked.ruling]
    assert consent_of(table, "BYG") == []
    declined, _ = asked_at(MATES).act("B", "decline", "bot:greedy")
    assert declined.pending_request is None
    assert list(declined.history) == []


def test_bots_are_asked_for_rulings_alone_and_not_beside_people() -> None:
    assert consent_of(asked_at(MATES, "adjourn"), "BYG") == []
    assert consent_of(asked_at({**MATES, "G": {"members": ["eve"]}}), "BY") == []
    eve = {"members": ["eve"], "bot": "greedy"}
    assert consent_of(asked_at({**MATES, "G": eve}), "BYG") == [], "a bot fills in for her"
    assert next_action(asked_at(MATES), "", draw, chooses("?")) is None
