"""Setting up (3): the men, then the ball."""

from __future__ import annotations

from typing import Any

from kibitz.core.jit import i64, jit, u64
from kibitz.games.kahmate.kernel.actions import append_actions
from kibitz.games.kahmate.kernel.board import intersection, square_count
from kibitz.games.kahmate.kernel.encoding import (
    BALL_SQUARES,
    BALLS,
    DRAW,
    FULL_HAND,
    LINE_UP_SQUARES,
    NEXT_MAN,
    NONE,
    PLACE,
    SIDE,
    OptionCodes,
    Packed,
    Squares,
)
from kibitz.games.kahmate.kernel.state import empty_squares, enter_phase, men_of, put_man
from kibitz.games.kahmate.kernel.tackle import drop_ball_on
from kibitz.games.kahmate.state import TEAM

# 3  Set-up


@jit
def placed_count(p: Packed, side: int) -> int:
    return square_count(men_of(p, side))


@jit
def next_kind(p: Packed, side: int) -> int:
    """The kind of man to be placed next."""
    return i64(NEXT_MAN[placed_count(p, side)])


@jit
def placements(p: Packed, side: int) -> Squares:
    """The squares on which the next man can be set up."""
    return intersection(empty_squares(p), (LINE_UP_SQUARES[side, 0], LINE_UP_SQUARES[side, 1]))


@jit
def set_up(p: Packed, side: int, kind: int, square: int) -> None:
    put_man(p, square, i64(kind + SIDE * side))
    if placed_count(p, side) == len(TEAM):
        phase = i64(PLACE + 1) if side == 0 else i64(DRAW)
        enter_phase(p, phase, i64(NONE), i64(NONE), i64(NONE))


@jit
def odds(options: OptionCodes, p: Packed, out: Any, weights: Any) -> int:
    if p.phase != DRAW:
        return i64(0)
    n = draws(out)
    for each in range(n):
        weights[each] = 1
    return n


@jit
def draws(out: Any) -> int:
    return append_actions(out, i64(0), i64(BALLS), i64(0), (u64(FULL_HAND), u64(0)))


@jit
def draw_ball(p: Packed, card: int) -> None:
    drop_ball_on(p, i64(BALL_SQUARES[card]))
