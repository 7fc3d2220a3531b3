"""Finds what a Kalamala position is worth: the search plays itself, and its weights are fitted.

    .venv/bin/python tools/tune/kalamala.py [GAMES] [NODES]

Every quiet position of a game is an example: who won. The weights are those of the logistic model
that says best who will; printed as they stand in bots/kalamala/weights.py.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import numpy as np
from scipy.optimize import minimize

from kibitz.bots.api import SearchContext
from kibitz.bots.kalamala import levels
from kibitz.bots.kalamala.buffers import SURE_WIN
from kibitz.bots.kalamala.evaluation import evaluate_position
from kibitz.bots.kalamala.weights import PIECES, WEIGHTS
from kibitz.core.jit import i64, u64
from kibitz.games.kalamala import Options, kalamala
from kibitz.games.kalamala.state import State

NOISE = 40
"""So that games differ."""
RANDOM_PLIES = 6
QUIET_MARGIN = 100
"""Positions where the search sees much more than the judgement are left out."""
UNIT_PIECES = 4
"""How many pieces there are when the next is worth 100."""


def main(games: int, nodes: int) -> None:
    game, rng = kalamala(Options(turn_limit=300)), Random(1)
    examples: list[np.ndarray[Any, Any]] = []
    winners: list[float] = []
    for number in range(games):
        states, over = play_game(game, rng, nodes)
        for state in states:
            own = 0 if state.side == "A" else 1
            examples.append(features(state))
            winners.append((over[own] + 1) / 2)
        if number % 50 == 49:
            print(f"{number + 1} games, {len(examples)} positions", flush=True)
    fit_weights(np.array(examples, float), np.array(winners))


def play_game(game: Any, rng: Random, nodes: int) -> tuple[list[State], tuple[int, ...]]:
    bot, state, kept = levels.make_bot(levels.Strength(1.0, noise=NOISE)), game.rules.start(), []
    for ply in range(10_000):
        if not game.rules.to_act(state):
            break
        actions = game.rules.turn_actions(state, state.side)
        if ply < RANDOM_PLIES:
            action = rng.choice(actions)
        else:
            think = SearchContext(game, state.side, rng, nodes=nodes)
            action = bot(state, actions, think)
            if (
                abs(levels.value_from_chance(think.evaluation.value) - static_value(state))
                < QUIET_MARGIN
            ):
                kept.append(state)
        state = game.rules.resolve(state, state.side, action).state
    return kept, game.rules.outcome(state).payoffs


def static_value(state: State) -> int:
    return weighted_value(state, PIECES, WEIGHTS)


def weighted_value(state: State, pieces: Any, weights: Any) -> int:
    own = 0 if state.side == "A" else 1
    buffers = levels.shared_buffers()
    buffers.pieces[:], buffers.weights[:] = pieces, weights
    stones, reserve = [u64(each) for each in state.stones], [i64(each) for each in state.reserve]
    value, _ = evaluate_position(
        buffers, stones[own], stones[1 - own], reserve[own], reserve[1 - own], i64(0)
    )
    buffers.pieces[:], buffers.weights[:] = PIECES, WEIGHTS
    return int(value)


def features(state: State) -> np.ndarray[Any, Any]:
    """The judgement is linear: each weight alone gives what it is multiplied with."""
    found = []
    for index in range(len(PIECES)):
        unit = np.zeros_like(PIECES)
        unit[index] = 1
        found.append(weighted_value(state, unit, np.zeros_like(WEIGHTS)))
    for index in range(len(WEIGHTS)):
        unit = np.zeros_like(WEIGHTS)
        unit[index] = 1
        found.append(weighted_value(state, np.zeros_like(PIECES), unit))
    return np.array([0 if abs(each) >= SURE_WIN else each for each in found])


def fit_weights(examples: np.ndarray[Any, Any], winners: np.ndarray[Any, Any]) -> None:
    def loss(weights: Any) -> tuple[float, Any]:
        said = 1 / (1 + np.exp(-np.clip(examples @ weights, -30, 30)))
        error = said - winners
        cost = -np.mean(winners * np.log(said + 1e-12) + (1 - winners) * np.log(1 - said + 1e-12))
        return cost + 1e-5 * weights @ weights, examples.T @ error / len(winners) + 2e-5 * weights

    found = minimize(loss, np.zeros(examples.shape[1]), jac=True, method="L-BFGS-B").x
    pieces, weights = found[: len(PIECES)], found[len(PIECES) :]
    unit = pieces[UNIT_PIECES + 1] - pieces[UNIT_PIECES]
    print(f"{len(winners)} positions, loss {loss(found)[0]:.4f}, even {np.log(2):.4f}")
    print("SCALE =", round(100 / unit, 1))
    print("PIECES =", [round(100 * (each - pieces[0]) / unit) for each in pieces])
    print("WEIGHTS =", [round(100 * each / unit) for each in weights])


if __name__ == "__main__":
    main(*(int(each) for each in (*sys.argv[1:], "400", "1000")[:2]))
