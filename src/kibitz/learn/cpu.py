"""Matches side by side on the processor, divided among threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from kibitz.core.batch import ALL_LEGAL, batch_arrays, batch_functions, step_values, turn_arrays
from kibitz.core.jit import Numbers, i64
from kibitz.core.kernel import CHANCE, OVER
from kibitz.learn.setup import Setup

LEAST_PART = 256
"""Matches below which a thread is not worth its while, if nobody says how many there are."""


class CpuMatches:
    """The arrays of a batch, and calls over all of them."""

    def __init__(self, setup: Setup, size: int, threads: int) -> None:
        kernel, options = setup.kernel, setup.options
        self.kernel, self.options, self.size = kernel, options, size
        self.arrays = a = batch_arrays(kernel, size)
        usual = max(1, min(os.cpu_count() or 1, size // LEAST_PART))
        count = min(threads or usual, size)
        edges = [size * n // count for n in range(count + 1)]
        self._parts = [(i64(b), i64(e)) for b, e in pairwise(edges)]
        self._pool = ThreadPoolExecutor(count) if count > 1 else None
        run = batch_functions(kernel)
        begin = a.dice, a.actors, a.counts, a.words
        self._reset = [run.reset.bind(options, a.pool, *part, *begin) for part in self._parts]
        self._step = [run.step.bind(*step_values(options, *part, a)) for part in self._parts]
        draws = a.sample_dice, a.counts, a.words, a.actions
        self._sample = [run.sample.bind(*part, *draws) for part in self._parts]
        self._illegal = run.first_illegal.bind(i64(0), i64(size), a.words, a.actions)
        self._observe: list[Callable[[], Any]] = []
        self._seats = np.zeros(size, np.int8)

    def __len__(self) -> int:
        return self.size

    def reset(self) -> None:
        self._run_all(self._reset)

    def reset_one(self, n: int) -> None:
        """Chance, the actor and its actions of a match whose state was set by hand."""
        a, kernel = self.arrays, self.kernel
        p, die = a.pool[n], a.dice[n]
        seat, count = kernel.legal_turn(self.options, p, a.words[n])
        while seat == CHANCE:
            die = np.uint64(kernel.chance(self.options, p, die))
            seat, count = kernel.legal_turn(self.options, p, a.words[n])
        if seat == OVER:
            raise ValueError("the match is over in this position")
        a.actors[n], a.counts[n], a.dice[n] = seat, count, die

    def step(self) -> int:
        """Play `actions`; the number of the first match where that is not legal, in which case
        nothing was played anywhere, or ALL_LEGAL."""
        if self._pool is None:
            return int(self._step[0]())
        illegal = int(self._illegal())
        if illegal == ALL_LEGAL:
            self._run_all(self._step)
        return illegal

    def sample(self) -> None:
        self._run_all(self._sample)

    def take(self, other: CpuMatches, rows: Numbers) -> None:
        call, given = batch_functions(self.kernel).take, (*turn_arrays(other.arrays),)
        self._run_all(
            [call.bind(*part, rows, *given, *turn_arrays(self.arrays)) for part in self._parts]
        )

    def observe(self, seat: int | None) -> tuple[Numbers, Numbers]:
        if not self._observe:
            kernel, a, size = self.kernel, self.arrays, self.size
            self._planes = np.zeros((size, *kernel.planes), np.uint8)
            self._numbers = np.zeros((size, kernel.numbers), np.float32)
            given = self._seats, self._planes, self._numbers
            call = batch_functions(kernel).observe
            self._observe = [call.bind(self.options, a.pool, *part, *given) for part in self._parts]
        self._seats[:] = self.arrays.actors if seat is None else seat
        self._run_all(self._observe)
        return self._planes, self._numbers

    def _run_all(self, calls: list[Callable[[], Any]]) -> None:
        if self._pool is None:
            calls[0]()
        else:
            list(self._pool.map(_call, calls))


def _call(run: Callable[[], Any]) -> None:
    run()
