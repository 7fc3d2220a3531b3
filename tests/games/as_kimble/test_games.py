"""Whole games at random: what must hold after every action, and that they end."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from kibitz.core.game import CHANCE, REFEREE
from kibitz.games.as_kimble import AS_KIMBLE
from kibitz.games.as_kimble.board import PIECES, TEAMS, grid_at
from kibitz.games.as_kimble.state import State, side_of
from laws.laws import some_options


def check(state: State) -> None:
    """Four pieces a team, nobody on a grid with anybody, a book that is never negative."""
    grids = Counter[int]()
    for team in TEAMS:
        side = side_of(state, team)
        assert side.home + sum(piece.size for piece in side.ring) + sum(side.goal) == PIECES
        assert min(side.home, *side.goal) >= 0
        assert max(side.goal[1:]) <= 1
        grids.update(grid_at(team, piece.progress) for piece in side.ring)
        assert [p.progress for p in side.ring] == sorted({p.progress for p in side.ring})
    assert max(grids.values(), default=0) <= 1
    assert all(book.owed >= 0 and book.done >= 0 for book in state.books)


def play(rng: Random, options: dict[str, Any]) -> State:
    game = AS_KIMBLE.game(options)
    state: State = game.rules.start()
    for _ in range(20_000):
        if game.rules.outcome(state):
            return state
        actors = (*TEAMS, CHANCE, REFEREE)
        listed = [(who, a) for who in actors for a in game.rules.turn_actions(state, who)]
        if not listed or rng.random() < 0.05:
            listed = [
                (who, a) for who in actors for a in game.rules.anytime_actions(state, who)
            ] or listed
        before, (actor, action) = state, rng.choice(listed)
        step = game.rules.resolve(state, actor, action)
        state = step.state
        check(state)
        done = [book.done for book in state.books]
        assert all(now >= book.done for now, book in zip(done, before.books, strict=True))
    raise AssertionError("the game does not end")


def a_game(seed: int) -> State:
    rng = Random(seed)
    options = some_options(AS_KIMBLE, rng)
    return play(rng, options)


@pytest.mark.parametrize("start", range(0, 60, 15))
def test_games_at_random(start: int) -> None:
    for seed in range(start, start + 15):
        a_game(seed)


@pytest.mark.long
@pytest.mark.parametrize("start", range(100, 2100, 100))
def test_two_thousand_games_at_random(start: int) -> None:
    for seed in range(start, start + 100):
        a_game(seed)
