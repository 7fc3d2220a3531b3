"""A position as a side sees it: planes of 8 x 8 squares, and numbers.

The game is open, so nothing is left out but what the state itself has forgotten: earlier boards are
those since the last death or placement, as far as the repetition rule needs them.
"""

from __future__ import annotations

from kibitz.core.bits import BITS_OF_BYTE
from kibitz.core.jit import Numbers, i64, jit, jit_inline, u64
from kibitz.games.kalamala.kernel.encoding import A, B, OptionCodes, Packed
from kibitz.games.kalamala.state import RESERVE

EARLIER_BOARDS = 4
FROM_PLANE = 2 + 2 * EARLIER_BOARDS
"""Where something stood before the last move; the plane after it, where it stands now."""
PLANES = (FROM_PLANE + 2, 8, 8)
COUNTS = RESERVE + 1
NUMBERS = 2 * COUNTS + 2
PAST_SCALE = 64.0
"""Turns since the last death or placement are counted in so many."""


@jit_inline
def fill_plane(planes: Numbers, plane: int, squares: int) -> None:
    for row in range(8):
        eight = i64(u64(squares >> u64(8 * row)) & u64(255))
        for column in range(8):
            planes[plane, row, column] = BITS_OF_BYTE[eight, column]


@jit
def observe(options: OptionCodes, p: Packed, seat: int, planes: Numbers, numbers: Numbers) -> None:
    own, others, length = i64(seat), i64(1 - seat), p.length[0]
    fill_plane(planes, i64(0), p.stones[own])
    fill_plane(planes, i64(1), p.stones[others])
    for ago in range(EARLIER_BOARDS):
        before, plane = i64(length - 1 - ago), i64(2 + 2 * ago)
        fill_plane(planes, plane, p.past[before, own] if before >= 0 else u64(0))
        fill_plane(planes, i64(plane + 1), p.past[before, others] if before >= 0 else u64(0))
    left, entered = u64(0), u64(0)
    if length > 0:
        now = u64(p.stones[A] | p.stones[B])
        before_it = u64(p.past[length - 1, A] | p.past[length - 1, B])
        left, entered = u64(before_it & u64(~now)), u64(now & u64(~before_it))
    fill_plane(planes, i64(FROM_PLANE), left)
    fill_plane(planes, i64(FROM_PLANE + 1), entered)
    for count in range(COUNTS):
        numbers[count] = 1.0 if p.reserve[own] == count else 0.0
        numbers[COUNTS + count] = 1.0 if p.reserve[others] == count else 0.0
    numbers[2 * COUNTS] = length / PAST_SCALE
    limit = options.turn_limit
    numbers[2 * COUNTS + 1] = p.turn[0] / limit if limit > 0 else 0.0
