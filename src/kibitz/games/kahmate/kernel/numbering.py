"""Dense numbers of actions: 18 blocks of the 104 squares, then 8 that have no square.

Squares and ways are those of who acts, who plays towards the last file: for Blue the field is
turned. A step, a tackle and a charge have a block for each way, by the square where it begins;
other actions are known by the square where they end. Chance's draw of the ball has no number.
"""

from __future__ import annotations

import numpy as np

from kibitz.core.jit import i64, jit
from kibitz.games.kahmate.board import RANK_COUNT, SQUARES
from kibitz.games.kahmate.kernel.actions import action_of
from kibitz.games.kahmate.kernel.encoding import (
    CARDS_DOWN,
    DECLINES,
    DROPS,
    ENDS,
    EXITS,
    FORCES,
    INTERCEPTS,
    KICKS,
    KIND_SHIFT,
    ORIGIN_SHIFT,
    PASSES,
    PLACES,
    STEPS,
    TACKLES,
    Packed,
    pack_action,
    unpack_action,
)
from kibitz.games.kahmate.kernel.setup import next_kind
from kibitz.games.kahmate.notation import read_action, write_action

SQUARE_COUNT = len(SQUARES)
LAST_SQUARE = SQUARE_COUNT - 1
WAYS = np.array([RANK_COUNT, -RANK_COUNT, 1, -1], np.int64)
"""Forward, back, and to either side."""
PLACE_BLOCK, STEP_BLOCK, TACKLE_BLOCK, CHARGE_BLOCK = 0, 1, 5, 9
PASS_BLOCK, KICK_BLOCK, INTERCEPT_BLOCK, EXIT_BLOCK, DROP_BLOCK, BLOCKS = 13, 14, 15, 16, 17, 18
END_NUMBER = BLOCKS * SQUARE_COUNT
DECLINE_NUMBER, CARD_NUMBER = END_NUMBER + 1, END_NUMBER + 2
"""The first card is CARD_NUMBER itself."""
ACTIONS = CARD_NUMBER + 6
BLOCK_OF = np.zeros(16, np.int64)
"""The first block of each kind of action that has a square."""
for _kind, _block in (
    (PLACES, PLACE_BLOCK),
    (STEPS, STEP_BLOCK),
    (TACKLES, TACKLE_BLOCK),
    (FORCES, CHARGE_BLOCK),
    (PASSES, PASS_BLOCK),
    (KICKS, KICK_BLOCK),
    (INTERCEPTS, INTERCEPT_BLOCK),
    (EXITS, EXIT_BLOCK),
    (DROPS, DROP_BLOCK),
):
    BLOCK_OF[_kind] = _block
RUNS = (*4 * (STEPS,), *4 * (TACKLES,), *4 * (FORCES,))
KIND_OF = np.array([PLACES, *RUNS, PASSES, KICKS, INTERCEPTS, EXITS, DROPS], np.int64)
"""The kind of action of each block."""


@jit
def seen_square(seat: int, square: int) -> int:
    """A square as this seat sees it, and back."""
    return i64(square) if seat == 0 else i64(LAST_SQUARE - square)


@jit
def way_number(way: int) -> int:
    """The place of a step among WAYS."""
    if way == RANK_COUNT:
        return i64(0)
    if way == -RANK_COUNT:
        return i64(1)
    return i64(2) if way == 1 else i64(3)


@jit
def dense_number(seat: int, code: int) -> int:
    kind = i64(code >> KIND_SHIFT)
    origin, target = i64(code >> ORIGIN_SHIFT & 127), i64(code & 127)
    if kind == ENDS:
        return i64(END_NUMBER)
    if kind == DECLINES:
        return i64(DECLINE_NUMBER)
    if kind == CARDS_DOWN:
        return i64(CARD_NUMBER + target - 1)
    block, there = i64(BLOCK_OF[kind]), seen_square(seat, target)
    if kind in (STEPS, TACKLES, FORCES):
        here = seen_square(seat, origin)
        return i64((block + way_number(i64(there - here))) * SQUARE_COUNT + here)
    return i64(block * SQUARE_COUNT + there)


@jit
def code_of(p: Packed, seat: int, number: int) -> int:
    if number >= CARD_NUMBER:
        return action_of(i64(CARDS_DOWN), i64(0), i64(number - CARD_NUMBER + 1))
    if number == DECLINE_NUMBER:
        return action_of(i64(DECLINES), i64(0), i64(0))
    if number == END_NUMBER:
        return action_of(i64(ENDS), i64(0), i64(0))
    block = i64(number // SQUARE_COUNT)
    kind, seen = i64(KIND_OF[block]), i64(number - block * SQUARE_COUNT)
    square = seen_square(seat, seen)
    if kind in (STEPS, TACKLES, FORCES):
        way = i64(WAYS[block - BLOCK_OF[kind]])
        return action_of(kind, square, seen_square(seat, i64(seen + way)))
    if kind == PLACES:
        return action_of(kind, next_kind(p, seat), square)
    return action_of(kind, i64(p.ball) if kind in (PASSES, KICKS) else i64(0), square)


def number_of(p: Packed, seat: int, text: str) -> int:
    return int(dense_number(i64(seat), i64(pack_action(read_action(text)))))


def text_of(p: Packed, seat: int, number: int) -> str:
    return write_action(unpack_action(int(code_of(p, i64(seat), i64(number)))))
