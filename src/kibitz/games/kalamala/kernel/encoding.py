"""A Kalamala match as numbers: tables of the board, codes of actions, and the packed state.

Squares, directions and seats are counted in the order board.py and state.py list them; a set of
squares is one `wide` number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Protocol, cast

import numpy as np

from kibitz.core.jit import I64, Numbers, record_dtype
from kibitz.games.kalamala.actions import Action, Move, Placement
from kibitz.games.kalamala.board import AHEAD_SETS, DIRECTIONS, OPPOSITE, RAYS, SIZE
from kibitz.games.kalamala.options import REPETITION
from kibitz.games.kalamala.state import SEATS

# The board

DIRECTION_NAMES = tuple(DIRECTIONS)
DIRECTION_NUMBERS = {name: number for number, name in enumerate(DIRECTION_NAMES)}
OPPOSITE_NUMBERS = tuple(DIRECTION_NUMBERS[OPPOSITE[name]] for name in DIRECTION_NAMES)
"""The opposite of each direction."""
STEP = tuple(x + SIZE * y for x, y in DIRECTIONS.values())
"""The difference between the numbers of neighbouring squares."""
AXES = N, E, NE, NW = tuple(number for number, step in enumerate(STEP) if step > 0)
"""One direction of each of the four pairs."""
LANDING = tuple(sum(1 << way[0] for way in RAYS[name] if way) for name in DIRECTION_NAMES)
"""The squares that a step in each direction can arrive on."""

STEPS = np.array(STEP, np.int64)
OPPOSITES = np.array(OPPOSITE_NUMBERS, np.int64)
ROTATIONS = np.array([step % 64 for step in STEP], np.uint64)
"""By how many places a set of squares is turned round to take it one step; see `stepped`."""
LANDINGS = np.array(LANDING, np.uint64)
SQUARES_AHEAD = np.array([AHEAD_SETS[name] for name in DIRECTION_NAMES], np.uint64)
"""The squares ahead, by direction and square."""
AHEAD_COUNTS = np.array([[len(way) for way in RAYS[name]] for name in DIRECTION_NAMES], np.int64)
"""The number of squares ahead, by direction and square."""

# The codes of actions

LENGTH_UNIT, DISTANCE_UNIT = 512, 4096
"""rear + 64 * direction + LENGTH * length + DISTANCE * distance. A placement has no length."""
FALL = LENGTH_UNIT
"""FALL + square: that piece leaves the board and nothing else changes, whichever spelling does it.

Only inside the kernel and for a search: what is listed has the canonical spelling (7.2).
"""
NO_ACTION = -1
MAX_ACTIONS = 64 + 16 * 8 * 8
"""Placements, and for each of sixteen rear pieces and eight directions the eight sizes of a move
that fit on a line: one piece by 1 to 4, two by 1 or 2, three or four by 1."""


def pack_action(action: Action) -> int:
    """Of a placement or a move; events by a role are not in the kernel."""
    match action:
        case Placement(square):
            return square
        case Move(rear, front, direction, distance):
            number = DIRECTION_NUMBERS[direction]
            length = 1 + (front - rear) // STEP[number]
            return rear + 64 * number + LENGTH_UNIT * length + DISTANCE_UNIT * distance
    raise ValueError(f"{action} is by a role: the kernel has no code for it")


def unpack_action(code: int) -> Action:
    rear, number, length, distance = code & 63, code >> 6 & 7, code >> 9 & 7, code >> 12
    if not length:
        return Placement(rear)
    return Move(rear, rear + (length - 1) * STEP[number], DIRECTION_NAMES[number], distance)


# The options


class OptionCodes(Protocol):
    """The options as numbers: a numpy record, of OPTION_CODES."""

    repetition: I64
    first: I64
    turn_limit: I64


OPTION_CODES = record_dtype(OptionCodes)
ANY_REPETITION, KO, SUPERKO, SITUATIONAL = map(
    REPETITION.index, ("none", "ko", "superko", "superko-situational")
)
MAX_TURN = 2**62
"""More turns than anybody will play."""


def option_codes(options: Mapping[str, Any]) -> OptionCodes:
    made = cast(OptionCodes, np.zeros(1, OPTION_CODES).view(np.recarray)[0])
    made.repetition = REPETITION.index(options["repetition"])
    made.first = SEATS.index(options["first"])
    made.turn_limit = min(options["turn_limit"], MAX_TURN)
    return made


# The state

PAST_CAPACITY = 512
"""The earlier boards that a packed state has room for: all of a match under the bots' limit."""
HINT_WORDS = 64
"""Words of the bit table that says at once of most boards that they never stood before."""
MAX_KINDS = 72
"""Kinds of moves there can be at once: nine in each direction."""
A, B, TURN = 0, 1, 2
"""The columns of the past: the squares of both sides, and the turn on which they stood."""
One = Annotated[Numbers, np.int64, (1,)]


class Packed(Protocol):
    """A State field for field, and room to work in: a numpy record of STATE, changed in place.

    There is no `end`: no event by a role happens here. A match that goes on beyond the room for its
    past forgets its oldest boards.
    """

    stones: Annotated[Numbers, np.uint64, (2,)]
    reserve: Annotated[Numbers, np.int64, (2,)]
    side: One
    turn: One
    length: One
    """The number of earlier boards in `past`."""
    hints: Annotated[Numbers, np.uint64, (HINT_WORDS,)]
    """A bit for each of them, and for no more than a few others."""
    past: Annotated[Numbers, np.uint64, (PAST_CAPACITY, 3)]
    """Each with its turn, in the order in which they stood."""
    kinds: Annotated[Numbers, np.int64, (MAX_KINDS,)]
    """Scratch: kinds of moves, and for each of them the rear squares of those that can be made."""
    rears: Annotated[Numbers, np.uint64, (MAX_KINDS,)]


STATE = record_dtype(Packed)


def pool(size: int) -> Any:
    """Room for so many states, side by side; `pool[n]` is one, also in compiled code."""
    return np.zeros(size, STATE).view(np.recarray)


def blank() -> Packed:
    """Room for one state."""
    return cast(Packed, pool(1)[0])
