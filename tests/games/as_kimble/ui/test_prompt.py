"""What there is to do, and what is always shown."""

from __future__ import annotations

from typing import Any

import pytest

from games.as_kimble.touching import (
    AGAIN,
    BREAK,
    COLOURS,
    COMPANION,
    GIVE,
    LOTS,
    MEAL,
    MINE,
    OVER,
    OWING,
    PLACED,
    RAISE,
    RAISES,
    RESET,
    SAY,
    SIX,
    VOTE,
    after,
    at,
    position,
)
from kibitz.core.game import SPECTATOR
from kibitz.games.as_kimble import AS_KIMBLE, Options

LATER = position("h2,t9x2/h4/h4/h4", "R:M3", ledger="0+0/6+0/0+0/0+0", hembo="-!--")
ONE = position("h3,t5/h4/h4/h4", "R:N1")
IDLE = position("g1,g2,g3,g4/h3,g4/h2,t20,g4/h3,g1", "R:M6", ledger="2+5/0+3/0+0/1+0")


@pytest.mark.parametrize(
    ("text", "viewer", "says"),
    [
        ("start", "R", "Only a six helps you now. Press the dome: you have 3 pops."),
        (ONE, "R", "Press the dome."),
        ("start", "B", "Waiting for Red to pop."),
        ("start", SPECTATOR, "Waiting for Red to pop."),
        (PLACED, "R", "All your pieces are in the goal, and 2 penalties are still owed: pop, or"),
        (MEAL, "R", "You popped 5. You can move a piece."),
        (SIX, "R", "You popped 6. You can move a piece or make a double."),
        (MINE, "R", "You popped 6. You can run into a mine."),
        (RAISE, "R", "You popped 6. You can move a piece or raise."),
        (AGAIN, "R", "You popped 6. You can move a piece or propose a new raise round."),
        (IDLE, "R", "You popped 6. You can raise or skip the six."),
        (MEAL, "B", "Waiting for Red to play the 5."),
        (MEAL, SPECTATOR, "Waiting for Red to play the 5."),
        (VOTE, "Y", "Red proposed raise round 2. Vote yes or no: a single no ends it."),
        (VOTE, "R", "Red proposed raise round 2. Waiting for Yellow and Green."),
        (VOTE, "B", "Red proposed raise round 2. Waiting for Yellow and Green."),
        (VOTE, SPECTATOR, "Red proposed raise round 2. Waiting for Yellow and Green."),
        (GIVE, "Y", "Red raised. Choose a goal piece to send home, then your home."),
        (GIVE, "R", "Red raised. Waiting for Blue, Yellow and Green to send a goal piece home."),
        (BREAK, "R", "Break. No pops, moves or penalties until it ends."),
        (BREAK, "B", "Break. No pops, moves or penalties until it ends."),
        (OVER, "R", "The match is over."),
        (LOTS, "Y", "Press the dome for your starting pop"),
        (COLOURS, "G", "You popped the lowest: choose the home of the colour you want."),
        (COLOURS, "R", "Chair d chooses a colour; the others follow clockwise."),
    ],
)
def test_a_hint_says_what_there_is_to_do(text: str, viewer: str, says: str) -> None:
    table = at(text)
    hint = table.game.ui.hint(table.view(viewer), viewer)
    assert says in SAY(hint)
    assert hint.paragraph


def test_the_sentence_comes_before_everything_else() -> None:
    for text, viewer, says in (
        (
            OWING,
            "B",
            "four of your pieces are home: say “Jag bor i hembo” before you pop. Only a six",
        ),
        (OWING, "R", "Waiting for Blue to pop."),
        (OWING, SPECTATOR, "Waiting for Blue to pop."),
        (LATER, "B", "say “Jag bor i hembo” before the next turn's first pop. Waiting for Red to"),
    ):
        table = at(text)
        assert says in SAY(table.game.ui.hint(table.view(viewer), viewer))
    many = at(OWING, Options(team_size=(1, 3, 1, 1)))
    assert "say “Vi bor i hembo”" in SAY(many.game.ui.hint(many.view("B"), "B"))
    said = after(at(OWING), "B: B hembo jag")
    assert SAY(said.game.ui.hint(said.view("B"), "B")).startswith("Only a six helps you now")


@pytest.mark.parametrize(
    ("text", "viewer", "says"),
    [
        ("start", "R", "you have 3 pops. Pop, then press the dome here and enter what it shows."),
        (ONE, "R", "Pop, then press the dome here and enter what it shows."),
        (LOTS, "Y", "Pop once for the start, then press the dome here"),
        (LOTS, "R", "Still to pop: chairs c and d."),
        (RESET, "B", "Pop until the die shows 4 again,"),
    ],
)
def test_around_a_real_board_the_hint_tells_what_to_enter(
    text: str, viewer: str, says: str
) -> None:
    table = at(text, COMPANION)
    assert says in SAY(table.game.ui.hint(table.view(viewer), viewer))


@pytest.mark.parametrize(
    ("text", "chips"),
    [
        ("start", ["Red to pop, 3 pops left", "raise round 1"]),
        (ONE, ["Red to pop, 1 pop left", "raise round 1"]),
        (MEAL, ["Red to play 5", "raise round 1"]),
        (
            position(RAISES, "R:M6", raises="2:RY"),
            ["Red to play 6", "raise round 2, raised: Red and Yellow"],
        ),
        (VOTE, ["Red proposed round 2", "raise round 1, raised: Red, Blue, Yellow and Green"]),
        (GIVE, ["Red raised", "raise round 1, raised: Red"]),
        (BREAK, ["Red to play 6", "raise round 1", "break"]),
        (OVER, ["Red won", "raise round 1"]),
        (OVER.replace("R:E", "-:E"), ["ended", "raise round 1"]),
        (LOTS, ["starting pops"]),
        (COLOURS, ["chair d chooses a colour"]),
    ],
)
def test_the_status_begins_with_the_turn(text: str, chips: list[str]) -> None:
    table = at(text)
    for viewer in table.viewers:
        shown = table.game.ui.status(table.view(viewer))
        assert [SAY(each) for each in shown] == chips
        assert all(each.paragraph for each in shown)


def test_the_status_tells_what_the_table_agreed_on() -> None:
    plain = at("start", Options(raising=False))
    assert [SAY(each) for each in plain.game.ui.status(plain.view("R"))] == [
        "Red to pop, 3 pops left"
    ]
    reset = at(RESET, COMPANION)
    assert SAY(reset.game.ui.status(reset.view("R"))[-1]) == "die back to 4"


def test_units_are_told_where_they_are_not_the_neutral_ones() -> None:
    position = "h4/h4/h4/h4 R:N3 d- 0+2/0+0/0+0/0+0 1:- ---- -"
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({}, []),
        ({"unit": "soft"}, ["1 share = half a can or bottle of something soft × 1"]),  # noqa: RUF001
        (
            {"unit": "cans", "team_size": [3, 1, 1, 1]},
            [
                "adults only (18+); anything else is fine, too",
                "1 share = half a can of something mild × 1",  # noqa: RUF001
                "Red: 0.33 l each so far",
            ],
        ),
        ({"unit": "custom", "unit_name": "a lap", "unit_factor": 2}, ["1 share = a lap × 2"]),  # noqa: RUF001
    ]
    for options, said in cases:
        game = AS_KIMBLE.game({"raising": False, **options})
        view = game.rules.view(game.notation.read_state(position), "R", ())
        shown = [SAY(each) for each in game.ui.status(view)][1:]
        assert shown[: len(said)] == said
        assert bool(shown) == bool(said)
