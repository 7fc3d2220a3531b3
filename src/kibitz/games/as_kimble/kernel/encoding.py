"""The layout of a packed state, the codes of actions, and the options as numbers.

A place of a team is its progress: 0 to 27 on the ring, 28 to 31 in the goal. So a side fits into
three sets of bits by place: where something of it stands, and the two binary digits of how many
further pieces each of those contains (on the first goal grid: how many wait beside it).

What is handed on as an argument is `small` from the start: for each plain number that a function
is called with, a compiled one would be made.
"""

from __future__ import annotations

from typing import Annotated, Protocol

import numpy as np
from numpy.typing import NDArray

from kibitz.core.jit import I64, i64, record_dtype
from kibitz.games.as_kimble.board import GOALS, RING

SEATS = 4
CHANCE = i64(SEATS)
"""The actor after the four teams, or the four chairs before colours are known."""
NO, YES = i64(0), i64(1)
NOBODY = i64(SEATS)
"""In place of the winner of a match that was ended."""
EVERYBODY = i64((1 << SEATS) - 1)

START = i64(0)
LAST_PROGRESS = RING - 1
FIRST_GOAL = i64(RING)
PLACES = RING + len(GOALS)
ALL_PLACES = (1 << PLACES) - 1
ON_RING = (1 << RING) - 1

LOTS, COLOURS, POPPING, CHOOSING, VOTING, RETURNING, ENDED = map(i64, range(7))

MAX_LOTS = 21
"""So many starting pops of a chair are kept, three bits each, the first one lowest."""

Four = Annotated[NDArray[np.int64], np.int64, (SEATS,)]


class Packed(Protocol):
    """A State in place: a numpy record, of whole numbers alone."""

    taken: Four
    ones: Four
    twos: Four
    home: Four
    owed: Four
    done: Four
    lots: Four
    """The starting pops of each chair; nothing in any other phase."""
    phase: I64
    team: I64
    """The seat on turn; the lowest chair in COLOURS, the winner in ENDED."""
    number: I64
    """The pops left in POPPING, the number in CHOOSING, the highest chair in COLOURS."""
    flag: I64
    """True if the turn is new in POPPING, or a round was refused in CHOOSING."""
    teams: I64
    """The teams that have agreed in VOTING, or are pending in RETURNING: a set, team n is bit n."""
    face: I64
    """The face of the die, or 0."""
    wanted_face: I64
    raise_round: I64
    raised: I64
    """The teams that have raised in this round: a set."""
    is_closed: I64
    owing: I64
    """The teams that owe the sentence: a set."""
    said: I64
    """The teams that have said it in time: a set."""
    is_break: I64
    is_pressed: I64
    """True if a team that might have passed has let the die fall, which has not fallen yet."""


STATE = record_dtype(Packed)


class OptionCodes(Protocol):
    """The options that matter to the rules: a numpy record too; a flag is 0 or 1."""

    dome: I64
    """The program pops the die: digital mode."""
    naksu: I64
    raising: I64
    rearmost: I64
    final: I64
    skip: I64
    """Teams that have placed all are passed over."""
    hembo: I64
    by_turns: I64
    """Penalties are completed as turns pass."""
    many: I64
    """The teams of several players: a set."""


OPTION_CODES = record_dtype(OptionCodes)

# Actions: a kind, whose it is, and a value

(
    LOT, COLOUR, POP, ENTER, MOVE, DOUBLE, RAISE, PROPOSE, VOTE, RETURN, PASS_ON,
    HEMBO, DONE, BREAK, RESUME, FIX,
) = map(i64, range(16))  # fmt: skip
TEAM_SHIFT, VALUE_SHIFT = 4, 7
KIND_MASK, TEAM_MASK = (1 << TEAM_SHIFT) - 1, (1 << VALUE_SHIFT - TEAM_SHIFT) - 1
TARGET_SHIFT = 5
"""The value of a move has where it begins, and from this bit on where it ends."""
ORIGIN_MASK = (1 << TARGET_SHIFT) - 1

MAX_LISTED = 99
MAX_ACTIONS = 2 + MAX_LISTED + 1
"""Both forms of the sentence, completions and a break; no list of turn actions is longer."""

# Turn actions of an actor as one set of bits, in the order of the rules

FACES = i64(6)
ENTER_BIT = 0
"""A piece enters on the first place, where no move ends; moves have the bit of their target."""
DOUBLE_BIT = PLACES
RAISE_BIT = DOUBLE_BIT + 1
"""And the three after it, by goal."""
PROPOSE_BIT = RAISE_BIT + len(GOALS)
PASS_BIT = PROPOSE_BIT + 1
PASS_POP_BIT = FACES
"""After the faces of a pop."""

# The shares of the faces for a dome that likes to turn the die over (R28)

SAME_SHARE, OPPOSITE_SHARE, OTHER_SHARE = 10, 22, 17
ALL_SHARES = i64(100)
