"""Setting up (3): the men, then the ball."""

from __future__ import annotations

from typing import Any

from kibitz.core.jit import compiled, small, wide
from kibitz.games.kahmate.kernel.actions import listed
from kibitz.games.kahmate.kernel.board import both, how_many
from kibitz.games.kahmate.kernel.encoding import (
    BALL_ON,
    BALLS,
    DRAW,
    FULL_HAND,
    LINE_UP,
    NEXT_MAN,
    NONE,
    PLACE,
    SIDE,
    House,
    Packed,
    Squares,
)
from kibitz.games.kahmate.kernel.state import empty, enter, men_of, put
from kibitz.games.kahmate.kernel.tackle import drop_on
from kibitz.games.kahmate.state import TEAM

# 3  Set-up


@compiled
def placed(p: Packed, side: int) -> int:
    return how_many(men_of(p, side))


@compiled
def next_kind(p: Packed, side: int) -> int:
    """Who is to be placed next."""
    return small(NEXT_MAN[placed(p, side)])


@compiled
def placements(p: Packed, side: int) -> Squares:
    """Where the next man can be set up."""
    return both(empty(p), (LINE_UP[side, 0], LINE_UP[side, 1]))


@compiled
def set_up(p: Packed, side: int, kind: int, square: int) -> None:
    put(p, square, small(kind + SIDE * side))
    if placed(p, side) == len(TEAM):
        phase = small(PLACE + 1) if side == 0 else small(DRAW)
        enter(p, phase, small(NONE), small(NONE), small(NONE))


@compiled
def odds(house: House, p: Packed, out: Any, weights: Any) -> int:
    if p.phase != DRAW:
        return small(0)
    n = draws(out)
    for each in range(n):
        weights[each] = 1
    return n


@compiled
def draws(out: Any) -> int:
    return listed(out, small(0), small(BALLS), small(0), (wide(FULL_HAND), wide(0)))


@compiled
def draw_ball(p: Packed, card: int) -> None:
    drop_on(p, small(BALL_ON[card]))
