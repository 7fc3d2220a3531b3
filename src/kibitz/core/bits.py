"""Bit tricks and dice for compiled code: the only place that knows how they are done.

The bodies here and in the kernels run as plain Python, compiled for a processor and, one day, for
a graphics card: scalars of two types alone, `small` and `wide`, and the die's state handed in.
"""

from __future__ import annotations

from kibitz.core.jit import compiled, small, wide

NONE = 64
"""Where the lowest bit is, of no bits."""


@compiled
def count(bits: int) -> int:
    """How many bits are set."""
    bits = wide(bits)
    bits = wide(bits - wide((bits >> wide(1)) & wide(0x5555555555555555)))
    bits = wide(
        wide(bits & wide(0x3333333333333333)) + wide((bits >> wide(2)) & wide(0x3333333333333333))
    )
    bits = wide(wide(bits + wide(bits >> wide(4))) & wide(0x0F0F0F0F0F0F0F0F))
    return small(wide(bits * wide(0x0101010101010101)) >> wide(56))


@compiled
def lowest(bits: int) -> int:
    """The number of the lowest bit set; NONE where none is."""
    bits = wide(bits)
    return count(wide(wide(bits & wide(~bits + wide(1))) - wide(1)))


@compiled
def without_lowest(bits: int) -> int:
    return wide(wide(bits) & wide(wide(bits) - wide(1)))


@compiled
def nth(bits: int, number: int) -> int:
    """The place of the bit that has `number` lower ones beside it."""
    for _ in range(number):
        bits = without_lowest(bits)
    return lowest(bits)


@compiled
def bit(place: int) -> int:
    return wide(wide(1) << wide(place))


@compiled
def mixed(number: int) -> int:
    """A number that tells nothing of the one it comes from, and is another for every other one."""
    z = wide(number)
    z = wide(wide(z ^ wide(z >> wide(30))) * wide(0xBF58476D1CE4E5B9))
    z = wide(wide(z ^ wide(z >> wide(27))) * wide(0x94D049BB133111EB))
    return wide(z ^ wide(z >> wide(31)))


@compiled
def rolled(die: int) -> int:
    """The next state of a die that is a counter; what it shows is `mixed` of that."""
    return wide(wide(die) + wide(0x9E3779B97F4A7C15))


@compiled
def below(shown: int, limit: int) -> int:
    """What a die shows as one of `limit` numbers from zero; limits stay far below 2**31."""
    return small(wide(wide(wide(shown) >> wide(32)) * wide(limit)) >> wide(32))
