"""Kernels for graphics cards, as PTX: a thread for each match. Made without a card.

PTX is NVIDIA's language between this and a card's own code; any program can load it, and
tools/cuda_matches.py does so through CuPy. It takes Numba-CUDA to write it: `kibitz[gpu]`.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from kibitz.core.batch import play_steps
from kibitz.core.kernel import Kernel
from kibitz.core.targets import CUDA, KernelFunction

PTX_VERSION = "8.0"
"""Of the language. Compilers name their own, which drivers older than they are refuse to load."""


class Ptx(NamedTuple):
    text: str
    entry: str
    """The name of the kernel in it."""


class _AnyCard:
    """The card that code is written for, on a machine that has none."""

    def __init__(self, capability: tuple[int, int]) -> None:
        self.compute_capability = capability


def ptx_of(kernel: Kernel, capability: tuple[int, int] = (9, 0)) -> dict[str, Ptx]:
    """`matches` plays whole matches by `playout`, `steps` goes on by the face alone."""
    import numba.cuda.dispatcher as dispatcher
    import numpy as np
    from numba import cuda, from_dtype, types

    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # Numba-CUDA 0.30 names it, NumPy 2.5 has dropped it.
    dispatcher.get_current_device = lambda: _AnyCard(capability)
    state, options = from_dtype(kernel.state), from_dtype(kernel.options)

    def array(of: Any, axes: int) -> Any:
        return types.Array(of, axes, "C")

    dice, whole = array(types.uint64, 1), types.int64
    row = array(types.int64, 2)
    first = [array(options, 1), array(state, 1), array(state, 1), dice, whole]
    taken = {
        "matches": (*first, array(types.int64, 1), row),
        "steps": (
            array(options, 1),
            array(state, 1),
            dice,
            whole,
            array(types.uint64, 2),
            array(types.uint8, 4),
            array(types.float32, 2),
            row,
            array(types.int64, 1),
        ),
    }
    made = {}
    for name, body in threads_of(kernel, cuda.grid).items():
        text, _ = cuda.compile_ptx(body, taken[name], cc=capability)
        text = re.sub(r"^\.version \S+", f".version {PTX_VERSION}", text, flags=re.M)
        (entry,) = re.findall(r"\.visible \.entry (\S+)\(", text)
        made[name] = Ptx(text, entry)
    return made


def threads_of(kernel: Kernel, grid: Any) -> dict[str, Any]:
    """The work of one thread, for both kernels."""
    copy, playout, steps_of = (
        each.version(CUDA)
        for each in (kernel.copy, kernel.playout, play_steps(kernel))
        if isinstance(each, KernelFunction)
    )

    def matches(
        options: Any, first: Any, pool: Any, dice: Any, most: int, lengths: Any, payoffs: Any
    ) -> None:
        n = grid(1)
        if n < dice.shape[0]:
            copy(first[0], pool[n])
            lengths[n], dice[n] = playout(options[0], pool[n], dice[n], most, payoffs[n])

    def steps(
        options: Any,
        pool: Any,
        dice: Any,
        count: int,
        words: Any,
        planes: Any,
        numbers: Any,
        payoffs: Any,
        answers: Any,
    ) -> None:
        n = grid(1)
        if n < dice.shape[0]:
            dice[n], answers[n] = steps_of(
                options[0], pool[n], dice[n], count, words[n], planes[n], numbers[n], payoffs[n]
            )

    return {"matches": matches, "steps": steps}
