"""Sentences of the two rule books that were not plainly there, each in our own words as a test.

The numbers are those of a list of all sentences: E of the English book, F of the French one.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.game import SPECTATOR, TABLE
from kibitz.core.message import Refused
from kibitz.games.kahmate.actions import PlayOn
from kibitz.games.kahmate.game import KAHMATE
from kibitz.table.table import open_table

RULES = Path(__file__).parents[3] / "docs" / "rules"
PAGES = ("kahmate.md", "fr/kahmate.md", "fi/kahmate.md", "sv/kahmate.md")
BREAK = "13/13/6O2To2/13/8c4/13/13/13 R play - j3 123456/123456 0-0 30 -"


def after(position: str, *actions: str, **options: Any) -> Any:
    """The table after these actions, each by whoever's it is."""
    game = KAHMATE.game(options)
    table = open_table(game, position)
    for text in actions:
        actor = game.rules.actor_of(table.state, game.notation.read_action(text))
        table, _ = table.act(actor, text)
    return table


def text_of(table: Any) -> str:
    text: str = table.game.notation.write_state(table.state)
    return text


def legal(table: Any, seat: str) -> set[str]:
    actions = table.game.rules.turn_actions(table.state, seat)
    return {table.game.notation.write_action(action) for action in actions}


def offer_labels(table: Any, seat: str) -> dict[tuple[str, ...], str]:
    """The labels of what a page offers, by what it sends."""
    return {offer.actions: offer.label.id for offer in table.offers(seat)}


@pytest.mark.parametrize(
    ("page", "parts"),
    [
        ("kahmate.md", ("board", "two sets of six", "one ball", "two packs of six", "13 by 8")),
        ("fr/kahmate.md", ("plateau", "deux équipes de six", "un ballon", "deux paquets de six")),
        ("fi/kahmate.md", ("lauta", "kaksi kuuden pelaajan", "yksi pallo", "kaksi kuuden kuntok")),
        ("sv/kahmate.md", ("bräde", "två lag om sex", "en boll", "två packar med sex")),
    ],
)
def test_the_box_has_a_board_two_teams_one_ball_and_two_packs_of_cards(
    page: str, parts: tuple[str, ...]
) -> None:
    """E7 to E11, F7 to F10."""
    (listed,) = re.findall(r"^### 0\.4 .*?(?=^## 1 )", (RULES / page).read_text(), re.M | re.S)
    text = " ".join(listed.split())
    assert [part for part in parts if part not in text] == []


@pytest.mark.parametrize("page", PAGES)
def test_each_place_where_the_two_rule_books_differ_has_its_ruling(page: str) -> None:
    table = re.findall(r"^### 12\.1 .*?(?=^## 13 )", (RULES / page).read_text(), re.M | re.S)[0]
    _, _, *rows = [line for line in table.splitlines() if line.startswith("|")]
    assert len(rows) == 13
    assert [row for row in rows if not re.search(r"\bR\d+\b", row.split("|")[4])] == []


def test_the_collectors_who_keep_the_french_rules_are_named() -> None:
    """G1 to G11."""
    for page in (*[RULES / name for name in PAGES], RULES.parents[1] / "NOTICE"):
        assert "escaleajeux.fr" in page.read_text()


def test_captains_set_out_their_men_unseen_unless_they_agreed_to_do_it_openly() -> None:
    """E30, F24."""
    hidden, seen = after("start", "S@c3"), after("start", "S@c3", placement="open")
    for viewer in ("B", SPECTATOR):
        views = [t.game.notation.write_view(t.view(viewer)) for t in (hidden, seen)]
        assert [view.startswith("13/13/2S10/") for view in views] == [False, True]
    assert hidden.act("B", "S@k3")[0].ready_seats == frozenset()
    with pytest.raises(Refused):
        seen.act("B", "S@k3")


def test_only_the_man_with_the_ball_may_force_his_way_through() -> None:
    """E63, F67: R31."""
    position = "13/13/13/4OOc6/13/13/13/13 R play - e4 123456/123456 0-0 9 -"
    with pytest.raises(Refused) as refused:
        after(position, "f4>g4")
    assert refused.value.refusal.id == "kahmate.force-without-ball"


def test_the_ball_of_a_charger_who_fails_on_his_own_line_goes_beside_him() -> None:
    """E65: R32."""
    position = "13/1F11/1s11/13/13/13/13/13 R play - b2 123456/123456 0-0 9 -"
    table = after(position, "b2>b3", "card=1", "card=6")
    assert text_of(table).split()[4] == "b1"


def test_who_breaks_through_may_go_on_and_may_stay_where_that_is_agreed() -> None:
    """E67, F72: R20."""
    must, may = (after(BREAK, "j3>k3", "card=6", "card=4", force_exit=v) for v in ("must", "may"))
    assert legal(must, "R") == {"exit=k2", "exit=k4", "exit=l3"}
    assert legal(may, "R") == {"exit=k2", "exit=k4", "exit=l3", "no"}
    assert offer_labels(may, "R")[("no",)] == "kahmate.offer-stay"
    stayed, _ = may.act("R", "no")
    assert text_of(stayed).split()[3:5] == ["j3:2", "j3"]
    assert "j3>k3" in legal(stayed, "R")


def test_a_kick_goes_ahead_to_an_empty_square_in_goal_only_where_that_is_agreed() -> None:
    """E116: R12, R13."""
    position = "13/11F1/10o2/13/7O1t3/13/13/13 R play l2:0 l2 123456/123456 0-0 14 -"
    assert not {text for text in legal(after(position), "R") if "^" in text}
    kicks = {text for text in legal(after(position, kick_in_goal=True), "R") if "^" in text}
    assert kicks == {f"l2^m{rank}" for rank in range(1, 6)}


def test_a_ball_in_goal_is_touched_down_by_one_side_and_fetched_by_the_other() -> None:
    """E116: R34."""
    near = "13/13/13/13/9tO2/13/13/13 {} play - m5 123456/123456 0-0 14 -"
    attack = after(near.format("R"), kick_in_goal=True)
    assert offer_labels(attack, "R")[("k5-l5", "l5-m5")] == "kahmate.offer-try"
    scored, _ = attack.act("R", "k5-l5")[0].act("R", "l5-m5")
    assert scored.outcome.result == "R"
    line = "13/13/13/13/9O1t1/13/13/13 B play - m5 123456/123456 0-0 14 -"
    defence = after(line, kick_in_goal=True)
    assert offer_labels(defence, "B")[("l5-m5",)] == "kahmate.offer-fetch"
    fetched, _ = defence.act("B", "l5-m5")
    assert text_of(fetched).split()[3:5] == ["l5:2", "l5"]


def test_should_the_captains_decide_to_go_on_the_side_scored_against_begins() -> None:
    """E138, E144, F125: R27, R33."""
    table = after(BREAK, "j3>k3", "card=6", "card=4", "exit=l3", "l3-m3")
    assert table.game.rules.role_actions(table.state, TABLE) == (PlayOn(2), PlayOn(3))
    with pytest.raises(Refused):
        table.act("R", "continue 2")
    asked, _ = table.act("R", "ask continue 2")
    assert asked.outcome is not None
    agreed, _ = asked.act("B", "agree")
    assert agreed.outcome is None
    assert text_of(agreed) == ("13/13/13/13/13/13/13/13 B place:R - - 12345/12356 1-0/2 31 -")
