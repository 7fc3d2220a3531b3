"""Records of the matches of a batch: what was played is replayed when somebody asks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np

from kibitz.core.batch import BatchArrays
from kibitz.core.bits import next_die
from kibitz.core.game import CHANCE, PRESS_DIE, Game
from kibitz.core.jit import Numbers, i64, u64
from kibitz.core.kernel import CHANCE as CHANCE_ACTS
from kibitz.core.kernel import OVER
from kibitz.core.record import START, UNFINISHED, Record, first_state
from kibitz.learn.setup import Setup

KEPT_STEPS = 256
"""Steps between two looks at how many are still needed."""


@dataclass(slots=True)
class Episode:
    """A match from its first state on: by the die it began with, all that chance did follows."""

    start: str
    die: Any
    first: int
    """The number of the step with its first action."""
    last: int | None = None


class MatchLog:
    def __init__(self, setup: Setup, size: int) -> None:
        self._setup, self._size = setup, size
        self._steps: list[Numbers] = []
        self._dropped = 0
        self._now: list[Episode] = []
        self._finished: list[Episode | None] = []

    def reset(self, dice: Numbers) -> None:
        self._steps, self._dropped = [], 0
        self._now = [Episode(START, die, 0) for die in dice.copy()]
        self._finished = [None] * self._size

    def begin(self, n: int, position: str, die: Any) -> None:
        self._now[n] = Episode(position, die, self._count)

    @property
    def _count(self) -> int:
        return self._dropped + len(self._steps)

    def add(self, arrays: BatchArrays) -> None:
        """The actions of a step that was played."""
        self._steps.append(arrays.actions.copy())
        for n in np.flatnonzero(arrays.done):
            over = self._now[n]
            over.last = self._count
            self._finished[n] = over
            die = self._first_die(arrays.pool[n], arrays.dice[n])
            self._now[n] = Episode(START, die, self._count)
        if self._count % KEPT_STEPS == 0:
            kept = [each for each in self._finished if each]
            needed = min(each.first for each in (*self._now, *kept))
            del self._steps[: needed - self._dropped]
            self._dropped = needed

    def _first_die(self, p: Any, die: Any) -> Any:
        """The die with which a match began that stands where somebody chooses first: it was thrown
        so often since."""
        kernel, options, fresh = self._setup.kernel, self._setup.options, self._setup.kernel.blank()
        here, one_throw = kernel.unpack(p), next_die(u64(0))
        for throws in count():
            first = u64((int(die) - throws * int(one_throw)) % 2**64)
            kernel.start(options, fresh)
            now = first
            for _ in range(throws):
                now = u64(kernel.chance(options, fresh, now))
            if now == die and kernel.unpack(fresh) == here:
                break
        return first

    def load(self, arrays: Any) -> None:
        """Matches that were saved go on: their records begin where they are."""
        self._steps, self._dropped = [], 0
        notation, kernel = self._setup.game.notation, self._setup.kernel
        texts = [notation.write_state(kernel.unpack(p)) for p in arrays.pool]
        dice = arrays.dice.copy()
        self._now = [Episode(text, die, 0) for text, die in zip(texts, dice, strict=True)]
        self._finished = [None] * self._size

    def record(self, n: int, finished: bool) -> Record:
        episode = self._finished[n] if finished else self._now[n]
        if episode is None:
            raise ValueError(f"no match was finished in place {n} yet")
        game = self._setup.game
        record = Record(
            game=game.name, rules=game.version, options=dict(game.options), start=episode.start
        )
        lines = list(self._replay(episode, n))
        outcome = game.rules.outcome(lines[-1][1] if lines else first_state(game, record))
        result = outcome.result if outcome else UNFINISHED
        return replace(record, actions=tuple(text for text, _ in lines), result=result)

    def _replay(self, episode: Episode, n: int) -> Iterator[tuple[str, Any]]:
        """Every line of the record, and the state after it."""
        setup, last = self._setup, episode.last if episode.last is not None else self._count
        kernel, options, die, at = setup.kernel, setup.options, episode.die, episode.first
        p = kernel.blank()
        if episode.start == START:
            kernel.start(options, p)
        else:
            kernel.pack(setup.game.notation.read_state(episode.start), p)
        while (seat := kernel.actor(options, p)) != OVER:
            if seat == CHANCE_ACTS:
                before = kernel.unpack(p)
                die = u64(kernel.chance(options, p, die))
                after = kernel.unpack(p)
                yield _chance_text(setup.game, before, after), after
                continue
            if at == last:
                return
            number = int(self._steps[at - self._dropped][n])
            text = kernel.text_of(p, seat, number)
            kernel.act(options, p, i64(seat), i64(number))
            at += 1
            if text != PRESS_DIE:
                yield text, kernel.unpack(p)


def _chance_text(game: Game[Any, Any, Any], before: Any, after: Any) -> str:
    """The event of chance that leads from one state to another."""
    for action in game.rules.odds(before):
        if game.rules.resolve(before, CHANCE, action).state == after:
            return game.notation.write_action(action)
    raise AssertionError("chance did something else")
