"""Kahmaté over several tries: the race and the running try, and no jump at a try or a set-up."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from kibitz.analysis.evaluation import AnyGame, Budget, Evaluator
from kibitz.analysis.kahmate import calibrated_chance
from kibitz.analysis.match import match_from_record
from kibitz.bots.api import SearchContext
from kibitz.bots.kahmate.value import MATCH_CHANCES
from kibitz.bots.registry import BOTS
from kibitz.core.record import UNFINISHED, Record
from kibitz.games import GAMES

FEW = Budget(nodes=2_000)
SURE = "1o11/13/13/13/10O2/13/13/13 R play - k5 123456/123456 {score} 9 -"
"""Red runs two squares and has a try; nobody can stop him."""
LINE_UPS = (
    *("S@c4", "T@c5", "F@c3", "C@c6", "O@c2", "O@c7"),
    *("S@k4", "T@k5", "F@k3", "C@k6", "O@k2", "O@k7"),
)


def game_to(tries: int) -> AnyGame:
    return GAMES["kahmate"].game({"tries": tries})


@pytest.mark.parametrize(
    ("tries", "score", "chance"),
    [
        (1, "0-0", 1.0),
        (2, "0-0", 1 - MATCH_CHANCES[2, 1]),
        (2, "1-0", 1.0),
        (2, "0-1", 1 - MATCH_CHANCES[1, 1]),
        (3, "0-0", 1 - MATCH_CHANCES[3, 2]),
    ],
)
def test_a_sure_try_is_worth_what_the_score_is_after_it(
    tries: int, score: str, chance: float
) -> None:
    game = game_to(tries)
    state = game.notation.read_state(SURE.format(score=score))
    assert Evaluator(game, FEW).chances(state)[0] == pytest.approx(chance, abs=0.01)


@pytest.mark.parametrize("score", ["0-0", "0-1"])
def test_a_bot_makes_a_try_that_does_not_win_yet(score: str) -> None:
    game = game_to(2)
    state = game.notation.read_state(SURE.format(score=score))
    while state.score == game.notation.read_state(SURE.format(score=score)).score:
        assert state.turn == "R", "the turn was given away"
        think = SearchContext(game, "R", Random(0), nodes=2_000)
        actions = game.rules.turn_actions(state, "R")
        action = BOTS["level-5"](game.rules.view(state, "R", ()), actions, think)
        state = game.rules.resolve(state, "R", action).state


def test_the_chances_do_not_jump_from_a_try_to_the_next_set_up() -> None:
    """About three to one for who leads by one of two, from the try to the ball that is drawn."""
    game = game_to(2)
    actions = ("k5-l5", "l5-m5", *LINE_UPS, "ball=3")
    start = SURE.format(score="0-0")
    record = Record(
        game="kahmate",
        rules="1",
        options=dict(game.options),
        start=start,
        actions=actions,
        result=UNFINISHED,
    )
    match = match_from_record(game, record, FEW)
    entries = [match.entry(n) for n in range(1, len(actions) + 1)]
    red = [each.after[0] for each in entries]
    assert len(set(red[:13])) == 1, "nothing was chosen or shown"
    assert all(0.65 < each < 0.85 for each in red)
    assert [each.loss for each in entries[:2]] == [0, 0]
    assert entries[-1].kind == "chance"
    assert len(entries[-1].mix) == 6


def test_what_the_engine_says_of_a_try_is_taken_with_a_grain_of_salt() -> None:
    game = game_to(1)
    state = game.notation.read_state(SURE.format(score="0-0"))
    found = [calibrated_chance(game, state, "R", each) for each in (0.0, 0.1, 0.5, 0.9, 1.0)]
    assert found == [0.0, pytest.approx(0.27, abs=0.01), 0.5, pytest.approx(0.73, abs=0.01), 1.0]
    level = replace(state, score=(1, 1))
    assert calibrated_chance(game_to(2), level, "R", 0.9) == found[3]
    ahead = replace(state, score=(1, 0))
    lowest = MATCH_CHANCES[1, 1]
    assert calibrated_chance(game_to(2), ahead, "R", lowest) == pytest.approx(lowest)
    assert lowest < calibrated_chance(game_to(2), ahead, "R", 0.7) < 1
