"""Measures how soon the levels of bots answer at a table, while the machine has other work.

    .venv/bin/python bench/levels.py [GAME]...

As many processes as there are cores do nothing but count. Positions come from matches of greedy,
and are asked about as a server asks: in the processes of its thinker, one question at a time.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import platform
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from random import Random

from kibitz.bots import registry
from kibitz.bots.api import SearchContext
from kibitz.bots.question import Question
from kibitz.core.game import CHANCE
from kibitz.games import GAMES
from kibitz.server.tables.bot_pool import BotPool

ANSWERS_PER_LEVEL = 12
"""Of each level at each game."""
CHOICES_APART = 7
"""Every so many choices of a match one is asked about."""


def main(names: list[str]) -> None:
    cores = os.cpu_count() or 1
    print(f"{cores} cores, as many busy; Python {platform.python_version()}, {platform.machine()}")
    for _ in range(cores):
        multiprocessing.Process(target=count_forever, daemon=True).start()
    for name in names or list(GAMES):
        asyncio.run(measure_levels(name))


def count_forever() -> None:
    for _ in count():
        pass


async def measure_levels(name: str) -> None:
    bot = BotPool(most=2)
    asked = questions(name)
    for level in registry.LEVELS:
        some = [next(asked) for _ in range(ANSWERS_PER_LEVEL + 1)]
        took = [await answer_seconds(bot, replace(each, bot=level)) for each in some][1:]
        mean, longest = sum(took) / len(took), max(took)
        print(f"{name:<10} {level}  mean {mean:5.2f} s  longest {longest:5.2f} s", flush=True)
    bot.close()


async def answer_seconds(bot: BotPool, question: Question) -> float:
    begin = time.perf_counter()
    await bot.choose_action(question)
    return time.perf_counter() - begin


def questions(name: str) -> Iterator[Question]:
    """What is asked where there is a choice, in one match after the other."""
    game, rng, passed = GAMES[name].game(GAMES[name].bots_preset), Random(1), count(1)
    while True:
        state = game.rules.start()
        while actors := game.rules.to_act(state):
            actor = CHANCE if CHANCE in actors else min(actors)
            view, actions = game.rules.view(state, actor, ()), game.rules.turn_actions(state, actor)
            if actor == CHANCE:
                action = rng.choices(*zip(*game.rules.odds(state).items(), strict=True))[0]
            else:
                if len(actions) > 1 and next(passed) % CHOICES_APART == 0:
                    yield Question(
                        bot="greedy",
                        game=name,
                        options=dict(game.options),
                        view=view,
                        seat=actor,
                        texts=tuple(map(game.notation.write_action, actions)),
                        seed=rng.getrandbits(63),
                    )
                action = registry.BOTS["greedy"](view, actions, SearchContext(game, actor, rng))
            state = game.rules.resolve(state, actor, action).state


if __name__ == "__main__":
    main(sys.argv[1:])
