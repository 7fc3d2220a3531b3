"""What is told of a match of Kahmaté."""

from __future__ import annotations

from typing import Any

import pytest

from kibitz.core.record import ReplayStep
from kibitz.games import GAMES
from kibitz.games.kahmate.state import Placing
from kibitz.table.highlights import match_highlights, score_course, seat_tallies
from support.random_matches import random_match

NEAR = "13/13/13/11T1/13/9o3/13/13 R play - l4 123456/123456 0-0 9 -"
TACKLE = "13/13/13/5Fo6/13/13/13/13 B play - f4 123456/123456 0-0 9 -"


def told_of(position: str, *texts: str, **options: Any) -> tuple[Any, list[ReplayStep[Any, Any]]]:
    game = GAMES["kahmate"].game(options)
    state, played = game.notation.read_state(position), []
    for text in texts:
        action = game.notation.read_action(text)
        step = game.rules.resolve(state, actor := game.rules.actor_of(state, action), action)
        played.append(ReplayStep(state, actor, step))
        state = step.state
    return game, played


@pytest.mark.parametrize("seed", range(3))
def test_the_score_agrees_with_the_position_at_the_end(seed: int) -> None:
    game, played = random_match("kahmate", seed)
    end = played[-1].step.state
    assert score_course(game, played)[-1].score == end.score
    cards = seat_tallies(game, played)["cards"]
    assert cards["R"] == cards["B"], "every duel costs both a card"


def test_a_try_is_seen_before_the_field_is_cleared() -> None:
    game, played = told_of(NEAR, "l4-m4", tries=2)
    (scene,) = match_highlights(game, played)
    assert [each.id for each in scene.messages] == ["kahmate.try"]
    assert scene.new_leader == "R"
    assert isinstance(played[-1].step.state.phase, Placing)
    assert scene.state == played[-1].before


def test_who_tackles_gets_the_tackle_and_the_other_the_man_down() -> None:
    game, played = told_of(TACKLE, "g4xf4", "card=6", "card=1")
    counted = seat_tallies(game, played)
    assert (counted["tackles"]["B"], counted["tackles"]["R"]) == (1, 0)
    assert (counted["down"]["R"], counted["down"]["B"]) == (1, 0)
    assert (counted["cards"]["R"], counted["cards"]["B"]) == (1, 1)
    (scene,) = match_highlights(game, played)
    assert [each.id for each in scene.messages][:1] == ["kahmate.shown"], "with what it decides"
    assert scene.n == 3
