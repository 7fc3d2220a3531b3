"""A position as a team sees it: planes of 4 seats x 32 places, the team itself first, and numbers.

A place is a team's own progress, so all four look alike. The game is open.
"""

from __future__ import annotations

from kibitz.core.jit import Numbers, i64, jit
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


@jit
def observe(options: OptionCodes, p: Packed, seat: int, planes: Numbers, numbers: Numbers) -> None:
    for number in range(NUMBERS):
        numbers[number] = 0.0
    for ahead in range(SEATS):
        team = i64((seat + ahead) & 3)
        for place in range(PLACES):
            planes[TAKEN_PLANE, ahead, place] = (p.taken[team] >> place) & 1
            planes[ONES_PLANE, ahead, place] = (p.ones[team] >> place) & 1
            planes[TWOS_PLANE, ahead, place] = (p.twos[team] >> place) & 1
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
