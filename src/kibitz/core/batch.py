"""Many matches in one call, over the face of any kernel and on every target.

What is written here is a template: `start`, `act` and the others are those of the kernel that it is
bound to, so that each game has a compiled function of its own.
"""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import Any, cast

import numpy as np

from kibitz.core.jit import Numbers, i64, u64
from kibitz.core.kernel import CHANCE, OVER, Kernel
from kibitz.core.targets import KernelFunction

SEATS = 0
copy = playout = start = actor = legal = act = cast(Any, None)
chance = pick = payoffs_of = observe = cast(Any, None)
"""Of the kernel that a template is bound to."""


def _play_matches(
    options: Any, first: Any, p: Any, dice: Numbers, most: int, lengths: Numbers, payoffs: Numbers
) -> None:
    """A random match from `first` for each of the dice, which are left as they are after it."""
    for n in range(dice.shape[0]):
        copy(first, p)
        lengths[n], dice[n] = playout(options, p, dice[n], most, payoffs[n])


def _play_steps(
    options: Any,
    p: Any,
    die: int,
    steps: int,
    words: Numbers,
    planes: Numbers,
    numbers: Numbers,
    payoffs: Numbers,
) -> tuple[int, int]:
    """Go on at random by the face alone, so many steps, and start again where a match is over.

    Everything is asked on the way. Returns the die, and a number made of all the answers.
    """
    answers = i64(0)
    for _ in range(steps):
        seat = i64(actor(options, p))
        if seat == OVER:
            is_over = payoffs_of(options, p, payoffs)
            answers = i64(answers * 31 + is_over + payoffs[0])
            start(options, p)
        elif seat == CHANCE:
            die = chance(options, p, die)
        else:
            count = legal(options, p, seat, words)
            number, die = pick(options, p, die)
            is_legal = i64(u64(words[number >> 6] >> u64(number & 63)) & u64(1))
            answers = i64(answers * 31 + 64 * count + 2 * number + is_legal)
            act(options, p, seat, number)
    for seat in range(SEATS):
        observe(options, p, i64(seat), planes, numbers)
        for plane in range(planes.shape[0]):
            for row in range(planes.shape[1]):
                for column in range(planes.shape[2]):
                    answers = i64(answers * 31 + planes[plane, row, column])
        for place in range(numbers.shape[0]):
            answers = i64(answers * 31 + i64(numbers[place] * np.float32(1024.0)))
    return u64(die), answers


def _bind(template: Any, name: str, kernel: Kernel) -> KernelFunction:
    """The template as a function of this kernel's module."""
    scope = {
        **globals(),
        **{name: getattr(kernel, name) for name in Kernel.__slots__ if name != "payoffs"},
        "payoffs_of": kernel.payoffs,
        "SEATS": kernel.seats,
    }
    made = FunctionType(template.__code__, scope, name)
    made.__qualname__ = f"{name}_{kernel.name.replace('-', '_')}"
    made.__module__ = __name__
    made.__doc__ = template.__doc__
    return KernelFunction(made, is_inline=False)


@cache
def play_matches(kernel: Kernel) -> KernelFunction:
    return _bind(_play_matches, "play_matches", kernel)


@cache
def play_steps(kernel: Kernel) -> KernelFunction:
    return _bind(_play_steps, "play_steps", kernel)


def call_face(kernel: Kernel, options: Any) -> None:
    """Call all compiled functions of a face once."""
    p, words, (planes, numbers) = kernel.blank(), kernel.new_words(), kernel.new_observation()
    payoffs, die = np.zeros((1, kernel.seats), np.int64), u64(1)
    kernel.start(options, p)
    kernel.observe(options, p, i64(0), planes, numbers)
    kernel.payoffs(options, p, payoffs[0])
    die = u64(kernel.chance(options, p, die))
    while kernel.actor(options, p) == CHANCE:
        die = u64(kernel.chance(options, p, die))
    seat = i64(kernel.actor(options, p))
    kernel.legal(options, p, seat, words)
    number, die = kernel.pick(options, p, die)
    kernel.act(options, p, seat, i64(number))
    first, dice, lengths = kernel.blank(), np.zeros(1, np.uint64), np.zeros(1, np.int64)
    kernel.start(options, first)
    kernel.copy(first, p)
    kernel.playout(options, p, u64(1), i64(10), payoffs[0])
    play_matches(kernel)(options, first, p, dice, i64(10), lengths, payoffs)
    play_steps(kernel)(options, first, u64(1), i64(10), words, planes, numbers, payoffs[0])
