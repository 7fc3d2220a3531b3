"""Dense numbers of actions: 8 directions x 8 sizes x the rear square, then 64 placements.

So the moves of one direction and size are one word of a set of actions, and placements the last.
"""

from __future__ import annotations

import numpy as np

from kibitz.core.jit import i64, jit
from kibitz.games.kalamala.kernel.encoding import (
    DISTANCE_UNIT,
    LENGTH_UNIT,
    Packed,
    pack_action,
    unpack_action,
)
from kibitz.games.kalamala.notation import read_action, write_action

SIZES = ((1, 1), (1, 2), (1, 3), (1, 4), (2, 1), (2, 2), (3, 1), (4, 1))
"""Length and distance of all moves that fit on a line (slides.py)."""
PLACEMENT_WORD = 8 * len(SIZES)
ACTIONS = 64 * (PLACEMENT_WORD + 1)
SIZE_NUMBERS = np.zeros((5, 5), np.int64)
for _number, _size in enumerate(SIZES):
    SIZE_NUMBERS[_size] = _number
SIZE_CODES = np.array(
    [LENGTH_UNIT * length + DISTANCE_UNIT * distance for length, distance in SIZES], np.int64
)


@jit
def word_of(code: int) -> int:
    """The word of a set of actions that an action is in."""
    if code < LENGTH_UNIT:
        return i64(PLACEMENT_WORD)
    return i64((code >> 6 & 7) * 8 + SIZE_NUMBERS[code >> 9 & 7, code >> 12])


@jit
def dense_number(code: int) -> int:
    return i64(64 * word_of(code) + (code & 63))


@jit
def code_of(number: int) -> int:
    word = i64(number >> 6)
    if word == PLACEMENT_WORD:
        return i64(number & 63)
    return i64((number & 63) + 64 * (word >> 3) + SIZE_CODES[word & 7])


def number_of(p: Packed, seat: int, text: str) -> int:
    return int(dense_number(i64(pack_action(read_action(text)))))


def text_of(p: Packed, seat: int, number: int) -> str:
    return write_action(unpack_action(int(code_of(i64(number)))))
