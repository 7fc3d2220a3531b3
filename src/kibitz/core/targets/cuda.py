"""Kernels for graphics cards, as PTX: a thread for each match. Made without a card.

PTX is NVIDIA's language between this and a card's own code; any program can load it, and
tools/cuda_matches.py does so through CuPy. It takes Numba-CUDA to write it: `kibitz[gpu]`.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from kibitz.core.batch import match_functions, play_steps
from kibitz.core.kernel import Kernel
from kibitz.core.targets import CUDA, KernelFunction

PTX_VERSION = "8.0"
"""Of the language. Compilers name their own, which drivers older than they are refuse to load."""
MAX_REGISTERS = 96
"""Of a thread: with as many as they would like, few threads run at once on a card."""


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
    from numba import cuda, from_dtype, types

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
    bodies = threads_of(kernel, cuda.grid)
    return {name: _compile_thread(body, taken[name], capability) for name, body in bodies.items()}


def _compile_thread(body: Any, taken: Any, capability: tuple[int, int]) -> Ptx:
    import numba.cuda.dispatcher as dispatcher
    import numpy as np
    from numba import cuda

    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # Numba-CUDA 0.30 names it, NumPy 2.5 has dropped it.
    dispatcher.get_current_device = lambda: _AnyCard(capability)
    text, _ = cuda.compile_ptx(body, taken, cc=capability)
    text = re.sub(r"^\.version \S+", f".version {PTX_VERSION}", text, flags=re.M)
    text = re.sub(r"^\)\n\{", f")\n.maxnreg {MAX_REGISTERS}\n{{", text, count=1, flags=re.M)
    (entry,) = re.findall(r"\.visible \.entry (\S+)\(", text)
    return Ptx(text, entry)


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


# Batches: one step a launch


def batch_ptx_of(kernel: Kernel, capability: tuple[int, int] = (9, 0)) -> dict[str, Ptx]:
    """`reset`, `step`, `sample`, `observe` and `take` of a batch (core/batch.py), and its mask as
    bytes."""
    from numba import cuda, from_dtype, types

    def array(of: Any, axes: int) -> Any:
        return types.Array(of, axes, "C")

    def interleaved_array(of: Any, axes: int) -> Any:
        return types.Array(of, axes, "A")

    dice, words, actions = (
        array(types.uint64, 1),
        interleaved_array(types.uint64, 2),
        array(types.int32, 1),
    )
    begin = (
        array(from_dtype(kernel.options), 1),
        array(from_dtype(kernel.state), 1),
        dice,
        array(types.int8, 1),
        array(types.int32, 1),
        words,
    )
    paid = array(types.int64, 2), array(types.float32, 2), array(types.uint8, 1), actions
    shown = (
        array(types.int8, 1),
        interleaved_array(types.uint8, 4),
        interleaved_array(types.float32, 2),
    )
    taken = {
        "reset": begin,
        "step": (*begin, actions, *paid),
        "sample": (dice, array(types.int32, 1), words, actions),
        "observe": (*begin[:2], *shown),
        "take": (actions, *begin[1:], *begin[1:]),
        "legal": (words, interleaved_array(types.uint8, 2)),
    }
    bodies = batch_threads_of(kernel, cuda.grid)
    return {name: _compile_thread(body, taken[name], capability) for name, body in bodies.items()}


def batch_threads_of(kernel: Kernel, grid: Any, target: str = CUDA) -> dict[str, Any]:
    """The work of one thread, by the functions that a processor runs in a loop."""
    reset_match, step_match, sample_match, observe_match, take_match = (
        each.version(target) for each in match_functions(kernel)
    )

    def reset(options: Any, pool: Any, dice: Any, actors: Any, counts: Any, words: Any) -> None:
        n = grid(1)
        if n < dice.shape[0]:
            reset_match(options[0], pool, n, dice, actors, counts, words)

    def step(
        options: Any,
        pool: Any,
        dice: Any,
        actors: Any,
        counts: Any,
        words: Any,
        actions: Any,
        payoffs: Any,
        rewards: Any,
        done: Any,
        faults: Any,
    ) -> None:
        n = grid(1)
        if n < dice.shape[0]:
            step_match(
                options[0],
                pool,
                n,
                dice,
                actors,
                counts,
                words,
                actions,
                payoffs,
                rewards,
                done,
                faults,
            )

    def sample(dice: Any, counts: Any, words: Any, actions: Any) -> None:
        n = grid(1)
        if n < dice.shape[0]:
            sample_match(n, dice, counts, words, actions)

    def observe(options: Any, pool: Any, seats: Any, planes: Any, numbers: Any) -> None:
        n = grid(1)
        if n < seats.shape[0]:
            observe_match(options[0], pool, n, seats, planes, numbers)

    return {
        "reset": reset,
        "step": step,
        "sample": sample,
        "observe": observe,
        **_copy_threads_of(take_match, grid),
    }


def _copy_threads_of(take_match: Any, grid: Any) -> dict[str, Any]:
    """The work of one thread where nothing is played: matches of another batch, masks as bytes."""

    def take(
        rows: Any,
        theirs: Any,
        their_dice: Any,
        their_actors: Any,
        their_counts: Any,
        their_words: Any,
        pool: Any,
        dice: Any,
        actors: Any,
        counts: Any,
        words: Any,
    ) -> None:
        n = grid(1)
        if n < rows.shape[0]:
            take_match(
                rows,
                n,
                theirs,
                their_dice,
                their_actors,
                their_counts,
                their_words,
                pool,
                dice,
                actors,
                counts,
                words,
            )

    def legal(words: Any, found: Any) -> None:
        n = grid(1)
        if n < words.shape[0]:
            for number in range(found.shape[1]):
                word = words[n, number >> 6]
                found[n, number] = (word >> (number & 63)) & 1

    return {"take": take, "legal": legal}
