"""Whole matches at random: what must hold after every action, whatever is played."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from kibitz.games import GAMES
from kibitz.games.kahmate.actions import Action, Force, Intercept, Pass, Step, Tackle
from kibitz.games.kahmate.board import FIELD_SQUARES, FORWARD, file_of
from kibitz.games.kahmate.state import (
    POINTS,
    TEAM,
    BallDrawing,
    Duelling,
    MatchOver,
    Placing,
    State,
    man_at,
    men_of,
)
from laws.laws import some_options

RULEBOOK = GAMES["kahmate"]
LONGEST_TURN = 90
"""Seven points, and between any two of them five passes, each with a duel of two rounds; rather
more than ever happens. A set-up of twelve men and the draw come on top."""


def check(before: State, after: State, options: dict[str, Any]) -> None:
    """One ball, six men a side, hands of one size, nobody on a square with anybody."""
    is_set_up = isinstance(after.phase, Placing)
    for side in ("R", "B"):
        men = [man for _, man in men_of(after.field, side)]
        if not is_set_up:
            assert Counter(man.kind for man in men) == Counter(TEAM)
        in_goal = [at for at, _ in men_of(after.field, side) if at not in FIELD_SQUARES]
        assert not in_goal or (isinstance(after.phase, MatchOver) and in_goal == [after.ball])
        assert all(man.down < 2 or side == after.turn for man in men)
    assert len(after.field) == 104
    assert (after.ball is None) == (is_set_up or isinstance(after.phase, BallDrawing))
    red, blue = after.hands
    assert len(red) == len(blue) > 0
    assert set(red) | set(blue) <= set(range(1, 7))
    assert list(red) == sorted(set(red))
    assert list(blue) == sorted(set(blue))
    assert len(after.movers) <= 2
    for mover in after.movers:
        man = man_at(after, mover.square)
        assert man.side == after.turn
        assert 0 <= mover.points <= POINTS[man.kind]
    assert after.turns - before.turns in (0, 1)
    assert sum(after.score) - sum(before.score) in (0, 1)
    if isinstance(before.phase, Duelling) and before.phase.card is None:
        assert after.hands == before.hands
    if after.ball is not None and file_of(after.ball) in (0, 12):
        assert isinstance(after.phase, MatchOver) or options.get("kick_in_goal")


def play(rng: Random, options: dict[str, Any]) -> State:
    game = RULEBOOK.game(options)
    state: State = game.rules.start()
    in_turn = 0
    while not game.rules.outcome(state):
        (actor,) = game.rules.to_act(state)
        actions = game.rules.turn_actions(state, actor)
        assert actions
        action = rng.choice([a for a in actions if _is_eager(state, a)] or actions)
        if rng.random() < 0.3:
            action = rng.choice(actions)
        before, state = state, game.rules.resolve(state, actor, action).state
        check(before, state, options)
        in_turn = in_turn + 1 if state.turns == before.turns else 0
        assert in_turn < LONGEST_TURN
    return state


def _is_eager(state: State, action: Action) -> bool:
    """Forward, at somebody, or to the ball: without such captains nothing ever happens."""
    match action:
        case Step(origin, target):
            ahead = (file_of(target) - file_of(origin)) * FORWARD[state.turn]
            return ahead > 0 or target == state.ball
        case Tackle() | Force() | Pass() | Intercept():
            return True
    return False


def match(seed: int) -> State:
    rng = Random(seed)
    options = some_options(RULEBOOK, rng)
    (limit,) = rng.choices((12, 40, 200), (80, 18, 2))
    return play(rng, {**options, "turn_limit": limit})


@pytest.mark.parametrize(
    "start",
    [
        *range(0, 400, 200),
        *(pytest.param(n, marks=pytest.mark.long) for n in range(400, 2000, 200)),
    ],
)
def test_two_thousand_matches_at_random(start: int) -> None:
    ends = Counter(_how(match(seed)) for seed in range(start, start + 200))
    assert {"draw", "R", "B"} <= set(ends)


def _how(state: State) -> str:
    assert isinstance(state.phase, MatchOver)
    return state.phase.result


@pytest.mark.long
@pytest.mark.parametrize("start", range(2000, 12000, 500))
def test_ten_thousand_matches_at_random(start: int) -> None:
    for seed in range(start, start + 500):
        match(seed)
