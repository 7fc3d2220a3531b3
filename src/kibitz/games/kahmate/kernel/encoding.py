"""Kahmaté as numbers: states, actions and options packed, and the tables beside them.

Nothing here is a rule. A set of squares is two words: `low` has the files a to h, `high` i to m,
eight bits a file in both, so that no file is cut in two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from kibitz.core.jit import I64, U8, Numbers, record_dtype, u64
from kibitz.games.kahmate.actions import (
    Action,
    Ball,
    Card,
    Decline,
    Drop,
    End,
    Exit,
    Force,
    Intercept,
    Kick,
    Pass,
    Placement,
    Step,
    Tackle,
)
from kibitz.games.kahmate.board import (
    CARD_SQUARES,
    FIELD_SQUARES,
    FILE_COUNT,
    FORWARD,
    IN_GOAL,
    LINES,
    NEIGHBOURS,
    SQUARES,
    file_of,
    offset,
)
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.state import ATTACK, CARDS, DEFENCE, POINTS, SEATS, TEAM

Squares: TypeAlias = tuple[int, int]
"""A set of them."""
NONE = 255
"""No square, no side."""
CHANCE = len(SEATS)
"""Seats are 0 and 1, in the order of SEATS."""

# Men: kind + SIDE * side + MARK * down, and 0 where nobody stands

KINDS = ("", *dict.fromkeys(TEAM))
KIND_MASK, SIDE, MARK = 7, 8, 16

# Phases; a set-up adds the side that places to PLACE, the end of a match its result to OVER

PLACE, DRAW, PLAY, INTERCEPTION, DUEL, EXIT, DROP, OVER = 0, 2, 3, 4, 5, 6, 7, 8
CONTESTS = ("", "T", "F", "I")
TACKLE_CONTEST, FORCE_CONTEST, INTERCEPTION_CONTEST = 1, 2, 3
RESULTS = (*SEATS, "draw", "void")
DRAW_RESULT = 2

# Options

SHAPES = ("area", "line")
BOTH, DIAGONAL = 0, 1
BETWEEN = ("both", "diag")
OPPONENT_BEYOND, ANY_BEYOND, EXIT_BEYOND = 0, 1, 2
BEYOND = ("opponent", "any", "exit")
PERFECT = ("atleast", "exact")
AT_LEAST = 0
EXIT_DUTIES = ("must", "may")


class OptionCodes(Protocol):
    """The options, each value by its place in the lists above: a numpy record, of OPTION_CODES."""

    tries: I64
    start: I64
    pass_shape: I64
    kick_shape: I64
    between: I64
    force_beyond: I64
    force_down: I64
    """True if a man who is down can be charged."""
    perfect: I64
    turn_limit: I64
    hold_limit: I64
    may_stay: I64
    """True if the winner of a charge may stay."""
    kick_in_goal: I64
    is_set_up_hidden: I64
    """True if nobody sees whom the other captain has placed until all are."""


OPTION_CODES = record_dtype(OptionCodes)


def option_codes(options: Any) -> OptionCodes:
    """The options of a game (a mapping), or Options."""
    chosen = options if isinstance(options, Options) else Options(**options)
    numbers = (
        chosen.tries,
        SEATS.index(chosen.start),
        SHAPES.index(chosen.pass_shape),
        SHAPES.index(chosen.kick_shape),
        BETWEEN.index(chosen.between),
        BEYOND.index(chosen.force_beyond),
        chosen.force_down == "yes",
        PERFECT.index(chosen.perfect),
        min(chosen.turn_limit, 2 * MAX_COUNT),
        min(chosen.hold_limit, 2 * MAX_COUNT),
        EXIT_DUTIES.index(chosen.force_exit),
        chosen.kick_in_goal,
        chosen.placement == "hidden",
    )
    made = np.zeros(1, OPTION_CODES).view(np.recarray)
    made[0] = numbers
    return cast(OptionCodes, made[0])


# States

MAX_COUNT = 2**61
"""No match counts so far: what says more is not packed, and a limit of more is none."""


class Packed(Protocol):
    """A State, field for field: one record of STATE, changed in place.

    Where the rules have a phase with parts, `attacker` is also who passes, who charges and who has
    fallen, and `defender` who is beaten and against whom the other fell. What a phase has not got
    is NONE, a card or a round 0, so that equal states are equal byte for byte.
    """

    field: Annotated[Numbers, np.uint8, (len(SQUARES),)]
    """The man on each square."""
    men: Annotated[Numbers, np.uint64, (2, 2)]
    """Where each side has men: [side, word]. Like `down` it says again what `field` says."""
    down: Annotated[Numbers, np.uint64, (2,)]
    """Where men of either side are knocked out."""
    turns: I64
    hold_count: I64
    turn: U8
    phase: U8
    contest: U8
    attacker: U8
    defender: U8
    receiver: U8
    in_round: U8
    """`round` is taken: every record of numpy has a method of that name."""
    card: U8
    movers: Annotated[Numbers, np.uint8, (2,)]
    """Their squares in order, then NONE."""
    points: Annotated[Numbers, np.uint8, (2,)]
    """The points that each mover has left to run."""
    ball: U8
    hands: Annotated[Numbers, np.uint8, (2,)]
    """One bit a card: bit 4 is card 4."""
    score: Annotated[Numbers, np.uint8, (2,)]
    raised_tries: U8
    """0 where the option says how many win."""
    hold_side: U8
    hold_best: U8


STATE = record_dtype(Packed)


def pool(size: int) -> Any:
    """Room for so many states, side by side; `pool[n]` is one, also in compiled code.

    `pool.view(np.uint64).reshape(size, -1)` are the same as words, the fastest to copy.
    """
    return np.zeros(size, STATE).view(np.recarray)


def blank() -> Packed:
    """Room for one state."""
    return cast(Packed, pool(1)[0])


# Actions: kind, then an origin (or a man's kind), then a target (a square or a card)

ACTIONS: tuple[type[Action], ...] = (
    Placement,
    Ball,
    Step,
    Tackle,
    Force,
    Pass,
    Kick,
    End,
    Intercept,
    Decline,
    Card,
    Exit,
    Drop,
)
(
    PLACES,
    BALLS,
    STEPS,
    TACKLES,
    FORCES,
    PASSES,
    KICKS,
    ENDS,
    INTERCEPTS,
    DECLINES,
    CARDS_DOWN,
    EXITS,
    DROPS,
) = range(len(ACTIONS))
ORIGIN_SHIFT, KIND_SHIFT = 7, 14
MAX_ACTIONS = 6 * 4 + 5 + 3 * 7 + 1
"""Each of six men goes four ways, the holder passes to five and kicks to a block, and ends."""


def pack_action(action: Action) -> int:
    """Events by a role have no number: they are none of the kernel's business."""
    if type(action) not in ACTIONS:
        raise ValueError(f"{action} cannot be packed")
    kind = ACTIONS.index(type(action))
    match action:
        case Placement(man, square):
            return kind << KIND_SHIFT | KINDS.index(man) << ORIGIN_SHIFT | square
        case (
            Step(origin, target)
            | Tackle(origin, target)
            | Force(origin, target)
            | Pass(origin, target)
            | Kick(origin, target)
        ):
            return kind << KIND_SHIFT | origin << ORIGIN_SHIFT | target
        case Intercept(target) | Exit(target) | Drop(target) | Ball(target) | Card(target):
            return kind << KIND_SHIFT | target
    return kind << KIND_SHIFT


def unpack_action(code: int) -> Action:
    kind = ACTIONS[code >> KIND_SHIFT]
    origin, target = code >> ORIGIN_SHIFT & 127, code & 127
    match len(kind.__struct_fields__):
        case 0:
            values: tuple[int | str, ...] = ()
        case 1:
            values = (target,)
        case _:
            values = (KINDS[origin] if kind is Placement else origin, target)
    return cast(Callable[..., Action], kind)(*values)


# Tables


def pack_squares(squares: Iterable[int | None]) -> list[int]:
    """A set of squares, as two words."""
    bits = sum(1 << at for at in set(squares) if at is not None)
    return [bits & 2**64 - 1, bits >> 64]


def _words(sets: Any) -> NDArray[np.uint64]:
    return np.array(sets, np.uint64)


def _block(
    ahead: int, files: range, width: int, shape: str, square: int, squares: range = FIELD_SQUARES
) -> list[int]:
    """A block of squares, so many files ahead and at most so many ranks aside."""
    return pack_squares(
        at
        for file in files
        for rank in range(-width, width + 1)
        if (shape == "area" or rank == 0 or abs(rank) == abs(file))
        if (at := offset(square, file * ahead, rank)) in squares
    )


NEIGHBOUR_SETS = _words([pack_squares(NEIGHBOURS[at]) for at in SQUARES])
"""[square, word]"""
PASS_TARGETS = _words(
    [
        [[_block(FORWARD[side], range(-2, 0), 2, shape, at) for at in SQUARES] for shape in SHAPES]
        for side in SEATS
    ]
)
"""Where a partner can get a pass: [side, shape, square, word]"""
KICK_TARGETS = _words(
    [
        [
            [
                [_block(FORWARD[side], range(1, 4), 3, shape, at, squares) for at in SQUARES]
                for shape in SHAPES
            ]
            for side in SEATS
        ]
        for squares in (FIELD_SQUARES, SQUARES)
    ]
)
"""Where a kick can go if nobody stands there: [into in-goal, side, shape, square, word]"""
SQUARES_AHEAD = _words(
    [
        [
            pack_squares(at for at in SQUARES if (file_of(at) - file) * FORWARD[side] > 0)
            for file in range(FILE_COUNT)
        ]
        for side in SEATS
    ]
)
"""All squares further forward: [side, file, word]"""
LINE_UP_SQUARES = _words(
    [pack_squares(at for at in SQUARES if file_of(at) in LINES[side]) for side in SEATS]
)
"""The first two lines: [side, word]"""
OPEN_SQUARES = _words(
    [pack_squares(at for at in SQUARES if file_of(at) != IN_GOAL[side]) for side in SEATS]
)
"""Where a side's holder may go: [side, word]"""
PLAYING_SQUARES = cast(Squares, tuple(map(u64, pack_squares(FIELD_SQUARES))))
NOT_FIRST_RANK, NOT_LAST_RANK = (0x0101010101010101 * rank for rank in (0xFE, 0x7F))
BALL_SQUARES = np.array([0, *(CARD_SQUARES[card] for card in CARDS)], np.int64)
"""By the card that is drawn."""
FULL_HAND = sum(1 << card for card in CARDS)
NEXT_MAN = np.array([KINDS.index(kind) for kind in TEAM], np.int64)
"""The kind to be placed, by how many there are."""
POINTS_OF, ATTACK_OF, DEFENCE_OF = (
    np.array([0, *(numbers[kind] for kind in KINDS[1:])], np.int64)
    for numbers in (POINTS, ATTACK, DEFENCE)
)
"""By kind."""
