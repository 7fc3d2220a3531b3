"""What there is to do, and what is always shown."""

from __future__ import annotations

import pytest

from games.kahmate.touching import (
    CENTRE,
    DRAW,
    DUEL,
    FALL,
    FAST,
    LOOSE,
    OUT,
    PASS,
    RED_DONE,
    SAY,
    THREE,
    after,
    at,
    position,
)
from kibitz.core.game import SPECTATOR
from kibitz.games.kahmate import Options


@pytest.mark.parametrize(
    ("text", "viewer", "says"),
    [
        (
            "start",
            "R",
            "Place your Strong man on your first two lines, or use a ready-made line-up.",
        ),
        (
            "start",
            "B",
            "Place your Strong man on your first two lines, or use a ready-made line-up.",
        ),
        ("start", SPECTATOR, "Both captains place their men, hidden from each other."),
        (DRAW, "R", "A card is drawn: it decides which numbered square the ball starts on."),
        (
            CENTRE,
            "R",
            "Your Fast man on g4 has the ball. Choose one of your men, or end your turn.",
        ),
        (LOOSE, "R", "The ball lies loose on f4. Choose one of your men"),
        (THREE, "R", "Marc's Ordinary man on h4 has the ball. Choose one of your men"),
        (CENTRE, "B", "Aino is thinking."),
        (CENTRE, SPECTATOR, "Aino is thinking."),
        (PASS, "B", "A pass by Aino from g4 to e5. Choose a man to intercept, or let it through."),
        (
            PASS,
            "R",
            (
                "The pass from g4 to e5 is in the air. Waiting for Marc to intercept or let it "
                "through."
            ),
        ),
        (PASS, SPECTATOR, "The pass from g4 to e5 is in the air. Waiting for Marc"),
        (DUEL, "R", "Choose a card. Your Fast man's modifier is −1."),  # noqa: RUF001
        (DUEL, "B", "Choose a card. Your Ordinary man's modifier is 0."),
        (DUEL, SPECTATOR, "Both captains choose a card, hidden from each other."),
        (DUEL.replace(":1:-", ":2:-"), "B", "A tie. Choose a second card. Your Ordinary man's"),
        (
            OUT,
            "R",
            ("through. Choose where your Fast man comes out: h3, h5 or i4. He will have 1 point"),
        ),
        (OUT, "B", "Aino broke through and chooses where to come out."),
        (FALL, "R", "Your Strong man has fallen. Choose where the ball goes: b3 or b5."),
        (FALL, "B", "Waiting for Aino to choose where the ball goes."),
        (position("Fe4 Sb3 oh4", "e4", movers="b3:0,e4:0"), "R", "You can still pass or kick,"),
        (position("Fe4 Sb3 oh4", "h4", movers="b3:0,e4:0"), "R", "End your turn."),
    ],
)
def test_a_hint_says_what_there_is_to_do(text: str, viewer: str, says: str) -> None:
    table = at(text)
    hint = table.game.ui.hint(table.view(viewer), viewer)
    assert says in SAY(hint)
    assert hint.paragraph


@pytest.mark.parametrize(
    ("text", "acts", "viewer", "says"),
    [
        ("start", ("R S@b3",), "R", "Place your Tough man on your first two lines."),
        ("start", ("B S@l3",), "B", "Place your Tough man on your first two lines."),
        ("start", RED_DONE, "R", "Your line-up is complete. Waiting for Marc's line-up."),
        ("start", RED_DONE, SPECTATOR, "Waiting for Marc's line-up."),
        (DUEL, ("R card=4",), "R", "You have chosen the 4. Waiting for Marc's card."),
        (DUEL, ("R card=4",), "B", "Choose a card. Your Ordinary man's modifier is 0."),
        (DUEL, ("R card=4",), SPECTATOR, "Waiting for Marc's card."),
        (DUEL, ("B card=5",), "B", "You have chosen the 5. Waiting for Aino's card."),
        (DUEL, ("B card=5",), "R", "Choose a card. Your Fast man's modifier is −1."),  # noqa: RUF001
        (CENTRE, ("R resign R",), "R", "The match is over."),
    ],
)
def test_who_has_chosen_is_told_whom_he_waits_for(
    text: str, acts: tuple[str, ...], viewer: str, says: str
) -> None:
    table = after(at(text), *acts)
    assert SAY(table.game.ui.hint(table.view(viewer), viewer)) == says


@pytest.mark.parametrize(
    ("options", "rest", "chips"),
    [
        (Options(), "0-0 0 -", ["turn 1", "0\N{EN DASH}0"]),
        (
            Options(turn_limit=200, tries=2),
            "1-0 22 -",
            ["turn 23 of 200", "1\N{EN DASH}0, first to 2"],
        ),
        (Options(hold_limit=8), "0-0 3 R:0:g", ["turn 4", "0\N{EN DASH}0"]),
        (
            Options(hold_limit=8),
            "0-0 9 R:3:g",
            ["turn 10", "0\N{EN DASH}0", "no ground gained, 3 of 8"],
        ),
    ],
)
def test_the_status_is_the_turn_the_score_and_the_ground(
    options: Options, rest: str, chips: list[str]
) -> None:
    table = at(position(FAST, "g4", rest=rest), options)
    for viewer in table.viewers:
        shown = table.game.ui.status(table.view(viewer))
        assert [SAY(each) for each in shown] == chips
        assert all(each.paragraph for each in shown)


def test_the_last_turn_is_the_one_that_was_played() -> None:
    over = at(position(FAST, "g4", phase="over:draw", rest="0-0 200 -"), Options(turn_limit=200))
    assert SAY(over.game.ui.status(over.view("R"))[0]) == "turn 200 of 200"
    resigned = after(at(CENTRE), "B resign B")
    assert SAY(resigned.game.ui.status(resigned.view("R"))[0]) == "turn 23"
