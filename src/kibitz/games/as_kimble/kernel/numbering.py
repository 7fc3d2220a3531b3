"""Dense numbers of actions: the choices after a pop are the bits of `turn_set`, others follow.

Only digital play has numbers: the die is chance's, and what is said out of turn is said by whoever
runs the match. A team that has placed all and may pass on either passes or lets the die fall.
"""

from __future__ import annotations

from kibitz.core.game import PRESS_DIE
from kibitz.core.jit import i64, jit
from kibitz.games.as_kimble.board import GOALS
from kibitz.games.as_kimble.kernel.dispatch import action_at
from kibitz.games.as_kimble.kernel.encoding import (
    CHOOSING,
    COLOUR,
    DOUBLE,
    DOUBLE_BIT,
    ENTER,
    ENTER_BIT,
    KIND_MASK,
    MOVE,
    PASS_BIT,
    PASS_ON,
    PASS_POP_BIT,
    POPPING,
    PROPOSE,
    PROPOSE_BIT,
    RAISE,
    RAISE_BIT,
    RETURN,
    RETURNING,
    SEATS,
    TARGET_SHIFT,
    VALUE_SHIFT,
    VOTE,
    VOTING,
    Packed,
)
from kibitz.games.as_kimble.kernel.packing import pack_action, unpack_action
from kibitz.games.as_kimble.notation import read_action, write_action
from kibitz.games.as_kimble.options import Options

PASS_POP_NUMBER = PASS_BIT + 1
VOTE_NUMBER = PASS_POP_NUMBER + 1
"""Yes, then no."""
RETURN_NUMBER = VOTE_NUMBER + 2
COLOUR_NUMBER = RETURN_NUMBER + len(GOALS)
PRESS_NUMBER = COLOUR_NUMBER + SEATS
ACTIONS = PRESS_NUMBER + 1


@jit
def first_number(p: Packed) -> int:
    """The number of the first bit of `turn_set`, in this phase."""
    if p.phase == CHOOSING:
        return i64(0)
    if p.phase == POPPING:
        return i64(PASS_POP_NUMBER - PASS_POP_BIT)
    if p.phase == VOTING:
        return i64(VOTE_NUMBER)
    return i64(RETURN_NUMBER) if p.phase == RETURNING else i64(COLOUR_NUMBER)


@jit
def code_of(p: Packed, seat: int, number: int) -> int:
    return action_at(p, seat, i64(number - first_number(p)))


def number_of(p: Packed, seat: int, text: str) -> int:
    if text == PRESS_DIE:
        return PRESS_NUMBER
    code = pack_action(read_action(Options(), text))
    kind, value = code & KIND_MASK, code >> VALUE_SHIFT
    passing = PASS_POP_NUMBER if p.phase == POPPING else PASS_BIT
    numbers = {
        ENTER: ENTER_BIT,
        MOVE: value >> TARGET_SHIFT,
        DOUBLE: DOUBLE_BIT,
        RAISE: RAISE_BIT + value - 1,
        PROPOSE: PROPOSE_BIT,
        PASS_ON: passing,
        VOTE: VOTE_NUMBER + 1 - value,
        RETURN: RETURN_NUMBER + value - 1,
        COLOUR: COLOUR_NUMBER + value,
    }
    if kind not in numbers:
        raise ValueError(f"{text} has no number")
    return int(numbers[kind])


def text_of(p: Packed, seat: int, number: int) -> str:
    if number == PRESS_NUMBER:
        return PRESS_DIE
    return write_action(unpack_action(int(code_of(p, i64(seat), i64(number)))))
