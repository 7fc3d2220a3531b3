"""Bit tricks and dice for compiled code: the only place that knows how they are done.

The bodies here and in the kernels run as plain Python, compiled for a processor and, one day, for
a graphics card: scalars of two types alone, `small` and `wide`, and the die's state handed in.
"""

from __future__ import annotations

import numpy as np

from kibitz.core.jit import i64, jit, u64

BITS_OF_BYTE = np.array(
    [[byte >> place & 1 for place in range(8)] for byte in range(256)], np.uint8
)
"""The eight bits of every byte, the lowest first."""


@jit
def popcount(bits: int) -> int:
    """The number of bits that are set."""
    bits = u64(bits)
    bits = u64(bits - u64((bits >> u64(1)) & u64(0x5555555555555555)))
    bits = u64(
        u64(bits & u64(0x3333333333333333)) + u64((bits >> u64(2)) & u64(0x3333333333333333))
    )
    bits = u64(u64(bits + u64(bits >> u64(4))) & u64(0x0F0F0F0F0F0F0F0F))
    return i64(u64(bits * u64(0x0101010101010101)) >> u64(56))


@jit
def lowest_bit(bits: int) -> int:
    """The number of the lowest bit set; NONE where none is."""
    bits = u64(bits)
    return popcount(u64(u64(bits & u64(~bits + u64(1))) - u64(1)))


@jit
def without_lowest_bit(bits: int) -> int:
    return u64(u64(bits) & u64(u64(bits) - u64(1)))


@jit
def nth_bit(bits: int, number: int) -> int:
    """The place of the bit that has `number` lower ones beside it."""
    for _ in range(number):
        bits = without_lowest_bit(bits)
    return lowest_bit(bits)


@jit
def bit(place: int) -> int:
    return u64(u64(1) << u64(place))


@jit
def mix_bits(number: int) -> int:
    """A number that tells nothing of the one it comes from, and is another for every other one."""
    z = u64(number)
    z = u64(u64(z ^ u64(z >> u64(30))) * u64(0xBF58476D1CE4E5B9))
    z = u64(u64(z ^ u64(z >> u64(27))) * u64(0x94D049BB133111EB))
    return u64(z ^ u64(z >> u64(31)))


@jit
def next_die(die: int) -> int:
    """The next state of a die that is a counter; what it shows is `mixed` of that."""
    return u64(u64(die) + u64(0x9E3779B97F4A7C15))


@jit
def number_below(shown: int, limit: int) -> int:
    """A die's face as one of `limit` numbers from zero; limits stay far below 2**31."""
    return i64(u64(u64(u64(shown) >> u64(32)) * u64(limit)) >> u64(32))
