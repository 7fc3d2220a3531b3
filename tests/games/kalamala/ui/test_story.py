"""What is told of a match of Kalamala."""

from __future__ import annotations

import pytest

from kibitz.core.record import ReplayStep
from kibitz.games import GAMES
from kibitz.games.kalamala.state import PIECES
from kibitz.table.highlights import match_highlights, score_course, seat_tallies
from support.random_matches import random_match


@pytest.mark.parametrize("seed", range(3))
def test_the_figures_agree_with_the_position_at_the_end(seed: int) -> None:
    game, played = random_match("kalamala", seed)
    end, counted = played[-1].step.state, seat_tallies(game, played)
    assert [counted["lost"][seat] for seat in "AB"] == list(end.dead)
    assert score_course(game, played)[-1].score == tuple(PIECES - lost for lost in end.dead)
    deeds = sum(counted[each][seat] for each in ("placed", "pushes", "pulls") for seat in "AB")
    assert deeds == len(played)


ROW = "8/8/8/8/8/8/8/AAAA2BB A 4,4 0,2 9 -"
"""Rings can push one or two of the blocks over the edge."""


@pytest.mark.parametrize(("text", "lost"), [("g1-h1:E1", 1), ("g1-h1:E2", 2)])
def test_a_stone_lost_is_a_moment_and_two_are_a_bigger_one(text: str, lost: int) -> None:
    game = GAMES["kalamala"].game({})
    state, action = game.notation.read_state(ROW), game.notation.read_action(text)
    played = [ReplayStep(state, "A", game.rules.resolve(state, "A", action))]
    (scene,) = match_highlights(game, played)
    assert [each.id for each in scene.messages] == ["kalamala.pushed-off", "kalamala.lost"]
    assert scene.size == 1 + 3 * lost
    assert seat_tallies(game, played)["lost"] == {"B": lost}
    assert score_course(game, played)[-1].score == (8, 6 - lost)
