"""Matches side by side on a graphics card, a thread for each: the same kernels, and the same
answers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from kibitz.core.batch import ALL_LEGAL, BatchArrays, batch_arrays, turn_arrays
from kibitz.core.kernel import Kernel
from kibitz.core.targets.cuda import Ptx, batch_ptx_of
from kibitz.core.targets.sources import build_folder, write_whole
from kibitz.learn.cuda_driver import Card, CudaArray
from kibitz.learn.setup import Setup


def kept_ptx(kernel: Kernel, capability: tuple[int, int]) -> dict[str, Ptx]:
    """The kernels of a batch, written once for each state of the sources."""
    path = build_folder() / f"{kernel.name}-sm{capability[0]}{capability[1]}.ptx.json"
    if not path.exists():
        made = batch_ptx_of(kernel, capability)
        write_whole(path, json.dumps(made).encode())
    return {name: Ptx(*each) for name, each in json.loads(path.read_bytes()).items()}


class CudaMatches:
    """The arrays of a batch on a card, and launches over all of them."""

    def __init__(self, setup: Setup, size: int, card: Card | None = None) -> None:
        kernel = setup.kernel
        self.kernel, self.size, self.card = kernel, size, card or Card()
        like = batch_arrays(kernel, 1)
        made: dict[str, Any] = {
            name: CudaArray(self.card, (size, *each.shape[1:]), _plain(each.dtype), name == "words")
            for name, each in like._asdict().items()
        }
        self.arrays = a = BatchArrays(**made)
        self._options = CudaArray(self.card, (1,), _plain(kernel.options))
        self._options[:] = np.frombuffer(setup.options.tobytes(), _plain(kernel.options))
        self._functions = {
            name: self.card.function(each.text, each.entry)
            for name, each in kept_ptx(kernel, self.card.capability).items()
        }
        begin = self._options, a.pool, a.dice, a.actors, a.counts, a.words
        self.reset = self._bind("reset", begin)
        given = a.actions, a.payoffs, a.rewards, a.done, a.faults
        self._step = self._bind("step", (*begin, *given))
        self.sample = self._bind("sample", (a.sample_dice, a.counts, a.words, a.actions))
        self._observe: Any = None
        self._legal: Any = None
        self._rows: Any = None

    def _bind(self, name: str, values: tuple[Any, ...]) -> Any:
        return self.card.bind(self._functions[name], self.size, values)

    def take_actions(self, actions: Any) -> None:
        self.arrays.actions[:] = actions

    def step(self) -> int:
        """Matches with an illegal action stay as they are, and their faults are counted."""
        self._step()
        return ALL_LEGAL

    def take(self, other: CudaMatches, rows: Any) -> None:
        if self._rows is None:
            self._rows = CudaArray(self.card, (self.size,), np.int32)
        self._rows[:] = rows
        self._bind("take", (self._rows, *turn_arrays(other.arrays), *turn_arrays(self.arrays)))()

    def observe(self, seat: int | None) -> tuple[CudaArray, CudaArray]:
        if self._observe is None:
            kernel = self.kernel
            self._seats = CudaArray(self.card, (self.size,), np.int8)
            self._planes = CudaArray(self.card, (self.size, *kernel.planes), np.uint8, True)
            self._numbers = CudaArray(self.card, (self.size, kernel.numbers), np.float32, True)
            given = self._options, self.arrays.pool, self._seats, self._planes, self._numbers
            self._observe = self._bind("observe", given)
        self._seats[:] = self.arrays.actors if seat is None else seat
        self._observe()
        return self._planes, self._numbers

    def legal(self) -> CudaArray:
        if self._legal is None:
            self._bytes = CudaArray(self.card, (self.size, self.kernel.actions), np.uint8, True)
            self._legal = self._bind("legal", (self.arrays.words, self._bytes))
        self._legal()
        return self._bytes.view(np.bool_)

    def state(self, n: int) -> Any:
        """A copy of one of the states."""
        found, item = self.kernel.pool(1), self.kernel.state.itemsize
        self.card.make_current()
        self.card.download(found, self.arrays.pool.at + n * item)
        return found[0]


def _plain(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """A record as bytes: cards and their libraries know numbers alone."""
    return dtype if dtype.names is None else np.dtype(f"V{dtype.itemsize}")
