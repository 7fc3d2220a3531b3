"""A Kalamala match as numbers: tables of the board, codes of actions, and the packed state.

Squares, directions and seats are counted in the order board.py and state.py list them; a set of
squares is one `wide` number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.jit import Numbers, i64
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


class OptionCodes(NamedTuple):
    repetition: int
    first: int
    turn_limit: int


ANY_REPETITION, KO, SUPERKO, SITUATIONAL = map(
    REPETITION.index, ("none", "ko", "superko", "superko-situational")
)
MAX_TURN = 2**62
"""More turns than anybody will play."""


def option_codes(options: Mapping[str, Any]) -> OptionCodes:
    return OptionCodes(
        i64(REPETITION.index(options["repetition"])),
        i64(SEATS.index(options["first"])),
        i64(min(options["turn_limit"], MAX_TURN)),
    )


# The state

PAST_CAPACITY = 512
"""The earlier boards that a packed state has room for: all of a match under the bots' limit."""
HINT_WORDS = 64
"""Words of the bit table that says at once of most boards that they never stood before."""
MAX_KINDS = 72
"""Kinds of moves there can be at once: nine in each direction."""
A, B, TURN = 0, 1, 2
"""The columns of the past: the squares of both sides, and the turn on which they stood."""
_STONES, _RESERVE, _SIDE, _TURN, _LENGTH, _HINTS = 0, 2, 4, 5, 6, 8
PAST_OFFSET = _HINTS + HINT_WORDS
"""Where the past begins in the memory: what is before it, and the used part of it, is the state."""


class Packed(NamedTuple):
    """A State field for field, all in one memory that the caller owns, and room to work in.

    There is no `end`: no event by a role happens here.
    """

    memory: Numbers
    stones: Numbers
    reserve: Numbers
    side: Numbers
    """One number, like `turn` and `length`."""
    turn: Numbers
    length: Numbers
    """The number of earlier boards in `past`."""
    hints: Numbers
    """A bit for each of them, and for no more than a few others."""
    past: Numbers
    """Each with its turn, in the order in which they stood."""
    kinds: Numbers
    """Scratch: kinds of moves, and for each of them the rear squares of those that can be made."""
    rears: Numbers


def blank(room: int = PAST_CAPACITY) -> Packed:
    """Memory for a state. A match that goes on beyond its room forgets its oldest boards."""
    scratch = PAST_OFFSET + 3 * room
    memory = np.zeros(scratch + 2 * MAX_KINDS, np.uint64)
    signed = memory.view(np.int64)
    return Packed(
        memory,
        memory[_STONES:_RESERVE],
        signed[_RESERVE:_SIDE],
        signed[_SIDE:_TURN],
        signed[_TURN:_LENGTH],
        signed[_LENGTH : _LENGTH + 1],
        memory[_HINTS:PAST_OFFSET],
        memory[PAST_OFFSET:scratch].reshape(room, 3),
        signed[scratch : scratch + MAX_KINDS],
        memory[scratch + MAX_KINDS :],
    )
