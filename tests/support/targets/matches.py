"""The same matches and the same choices on several targets."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from kibitz.bots.api import SearchContext
from kibitz.core.batch import play_matches, play_steps
from kibitz.core.game import CHANCE, Game
from kibitz.core.jit import i64, u64
from kibitz.core.kernel import Kernel
from kibitz.core.targets import target_in_use
from kibitz.games import GAMES, extra_of

NAMES = [name for name in GAMES if "kernel" in GAMES[name].extras]
MOST = 20_000
"""Actions of a match that does not end before."""


def kernel_of(name: str) -> Kernel:
    kernel: Kernel = extra_of(name, "kernel").KERNEL
    return kernel


def bots_game(name: str) -> Game[Any, Any, Any]:
    rulebook = GAMES[name]
    return rulebook.game({**rulebook.preset, **rulebook.bots_preset})


def random_matches(name: str, target: str, matches: int, seed: int = 0) -> tuple[bytes, ...]:
    """The lengths, payoffs and dice of so many matches."""
    kernel = kernel_of(name)
    options, first, work = (
        kernel.option_codes(bots_game(name).options),
        kernel.blank(),
        kernel.blank(),
    )
    dice = np.arange(seed + 1, seed + matches + 1, dtype=np.uint64)
    lengths, payoffs = np.zeros(matches, np.int64), np.zeros((matches, kernel.seats), np.int64)
    with target_in_use(target):
        kernel.start(options, first)
        play_matches(kernel)(options, first, work, dice, i64(MOST), lengths, payoffs)
    assert lengths.all()
    return lengths.tobytes(), payoffs.tobytes(), dice.tobytes()


def random_steps(name: str, target: str, steps: int, seed: int = 0) -> tuple[int, int, bytes]:
    """All answers of the face in so many steps, as one number, and the state after them."""
    kernel = kernel_of(name)
    options, p = kernel.option_codes(bots_game(name).options), kernel.blank()
    words, (planes, numbers) = kernel.new_words(), kernel.new_observation()
    payoffs = np.zeros(kernel.seats, np.int64)
    with target_in_use(target):
        kernel.start(options, p)
        found = play_steps(kernel)(
            options, p, u64(seed), i64(steps), words, planes, numbers, payoffs
        )
    return (*map(int, found), p.tobytes())


def positions(
    name: str, count: int, seed: int = 0
) -> Iterator[tuple[Game[Any, Any, Any], Any, str]]:
    """Positions of random matches in which a seat has several actions."""
    game, rng = bots_game(name), Random(seed)
    rules = game.rules
    while count:
        state, left = rules.start(), rng.randrange(5, 90)
        while actors := rules.to_act(state):
            actor = CHANCE if CHANCE in actors else min(actors)
            listed = rules.turn_actions(state, actor)
            left -= 1
            if left < 0 and actor != CHANCE and len(listed) > 1:
                yield game, state, actor
                count -= 1
                break
            state = rules.resolve(state, actor, rng.choice(listed)).state


def choices(name: str, target: str, count: int, nodes: int, seed: int = 0) -> list[Any]:
    """The choices of every level in so many positions, with their evaluations."""
    found, engine = [], extra_of(name, "bots")
    with target_in_use(target):
        for game, state, seat in positions(name, count, seed):
            view, listed = game.rules.view(state, seat, ()), game.rules.turn_actions(state, seat)
            for level, bot in enumerate((*engine.LEVELS, engine.mcts)):
                context = SearchContext(game, seat, Random(seed), nodes=nodes)
                said = bot(view, listed, context), context.evaluation
                found.append((game.notation.write_state(state), level, *said))
    return found
