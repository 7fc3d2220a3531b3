"""Whole matches at random, to see what is told of them."""

from __future__ import annotations

from random import Random
from typing import Any

from kibitz.core.game import CHANCE, Game
from kibitz.core.record import ReplayStep
from kibitz.games import GAMES

LONGEST = 20_000


def random_match(name: str, seed: int) -> tuple[Game[Any, Any, Any], list[ReplayStep[Any, Any]]]:
    rulebook, rng = GAMES[name], Random(seed)
    game = rulebook.game(rulebook.bots_preset)
    state = game.rules.start()
    played: list[ReplayStep[Any, Any]] = []
    while len(played) < LONGEST and not game.rules.outcome(state):
        able = [
            actor
            for actor in sorted(game.rules.to_act(state))
            if game.rules.turn_actions(state, actor)
        ]
        actor = rng.choice(able)
        if actor == CHANCE:
            odds = game.rules.odds(state)
            action = rng.choices(list(odds), [float(each) for each in odds.values()])[0]
        else:
            action = rng.choice(game.rules.turn_actions(state, actor))
        step = game.rules.resolve(state, actor, action)
        played.append(ReplayStep(state, actor, step))
        state = step.state
    assert game.rules.outcome(state)
    return game, played
