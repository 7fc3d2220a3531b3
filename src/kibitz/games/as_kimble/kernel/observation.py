"""A position as a team sees it: planes of 4 seats x 32 places, the team itself first, and numbers.

A place is a team's own progress, so all four look alike. The game is open.
"""

from __future__ import annotations

from kibitz.core.bits import BITS_OF_BYTE
from kibitz.core.jit import Numbers, i64, jit, jit_inline
from kibitz.games.as_kimble.board import PIECES
from kibitz.games.as_kimble.kernel.encoding import (
    CHOOSING,
    PLACES,
    POPPING,
    SEATS,
    OptionCodes,
    Packed,
)

TAKEN_PLANE, ONES_PLANE, TWOS_PLANE = 0, 1, 2
"""Something stands there, and the binary digits of how many more pieces it contains."""
PLANES = (3, SEATS, PLACES)
HOME, OWED, DONE, PHASE, FACE, NUMBER, POPS = 0, 4, 8, 12, 19, 26, 32
RAISE_ROUND, RAISED, IS_CLOSED, OWING, SAID = 35, 36, 40, 41, 45
NUMBERS = 49
PENALTY_SCALE = 8.0


@jit_inline
def _fill_places(planes: Numbers, plane: int, ahead: int, places: int) -> None:
    for part in range(PLACES // 8):
        eight = i64((places >> (8 * part)) & 255)
        for n in range(8):
            planes[plane, ahead, 8 * part + n] = BITS_OF_BYTE[eight, n]


@jit
def observe(options: OptionCodes, p: Packed, seat: int, planes: Numbers, numbers: Numbers) -> None:
    for number in range(NUMBERS):
        numbers[number] = 0.0
    for ahead in range(SEATS):
        team = i64((seat + ahead) & 3)
        _fill_places(planes, i64(TAKEN_PLANE), i64(ahead), i64(p.taken[team]))
        _fill_places(planes, i64(ONES_PLANE), i64(ahead), i64(p.ones[team]))
        _fill_places(planes, i64(TWOS_PLANE), i64(ahead), i64(p.twos[team]))
        numbers[HOME + ahead] = p.home[team] / float(PIECES)
        numbers[OWED + ahead] = p.owed[team] / PENALTY_SCALE
        numbers[DONE + ahead] = p.done[team] / PENALTY_SCALE
        numbers[RAISED + ahead] = float((p.raised >> team) & 1)
        numbers[OWING + ahead] = float((p.owing >> team) & 1)
        numbers[SAID + ahead] = float((p.said >> team) & 1)
    numbers[PHASE + p.phase] = 1.0
    numbers[FACE + p.face] = 1.0
    if p.phase == CHOOSING:
        numbers[NUMBER + p.number - 1] = 1.0
    if p.phase == POPPING:
        numbers[POPS + p.number - 1] = 1.0
    numbers[RAISE_ROUND] = p.raise_round / PENALTY_SCALE
    numbers[IS_CLOSED] = float(p.is_closed)
