"""Tackles, and where the ball drops (6)."""

from __future__ import annotations

from kibitz.core.jit import compiled, small
from kibitz.games.kahmate.kernel.ball import give
from kibitz.games.kahmate.kernel.board import (
    beyond,
    both,
    first_of,
    forward,
    how_many,
    is_in_goal,
    neighbours,
    one,
    without,
)
from kibitz.games.kahmate.kernel.encoding import (
    AT_LEAST,
    DROP,
    DUEL,
    NONE,
    PLAYING_SQUARES,
    TACKLED,
    House,
    Packed,
    Squares,
)
from kibitz.games.kahmate.kernel.state import (
    enter,
    forget_hold,
    man_at,
    mark,
    play_on,
    side_of,
)
from kibitz.games.kahmate.kernel.turn import moved

# 6  Tackle


@compiled
def tackle(p: Packed, origin: int, target: int) -> None:
    moved(p, origin, origin, small(0))
    enter(p, small(DUEL), origin, target, small(NONE))
    p.contest, p.in_round = TACKLED, 1
    forget_hold(p)


@compiled
def tackle_decided(house: House, p: Packed, margin: int) -> None:
    tackler, tackled = small(p.attacker), small(p.defender)
    if margin <= 0:
        knock_out(p, tackler)
        play_on(p)
        return
    knock_out(p, tackled)
    if margin == 2 or (margin > 2 and house.perfect == AT_LEAST):
        give(p, tackler)
    else:
        drop(p, tackled, tackler)


@compiled
def knock_out(p: Packed, square: int) -> None:
    mark(p, square, small(2) if side_of(man_at(p, square)) == p.turn else small(1))


# 6.1  Where the ball drops


@compiled
def landings(side: int, fallen: int, against: int) -> Squares:
    """Where the ball may go when a man of this side falls; his captain chooses between two."""
    behind, far = small(fallen - forward(side)), beyond(against, fallen)
    if not is_in_goal(behind):
        return one(behind)
    if far != NONE and not is_in_goal(far):
        return one(far)
    return without(both(neighbours(fallen), PLAYING_SQUARES), one(against))


@compiled
def drop(p: Packed, fallen: int, against: int) -> None:
    squares = landings(side_of(man_at(p, fallen)), fallen, against)
    if how_many(squares) > 1:
        enter(p, small(DROP), fallen, against, small(NONE))
    else:
        drop_on(p, first_of(squares))


@compiled
def drop_on(p: Packed, square: int) -> None:
    """Whoever stands there has the ball."""
    give(p, square)
