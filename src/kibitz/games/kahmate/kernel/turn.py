"""The turn (4): who may be moved, steps, and how a turn ends."""

from __future__ import annotations

from kibitz.core.jit import compiled, small
from kibitz.games.kahmate.kernel.board import (
    any_in,
    both,
    either,
    file_of,
    first_of,
    is_in_goal,
    one,
    own_in_goal,
    without,
    without_first,
)
from kibitz.games.kahmate.kernel.encoding import NONE, House, Packed, Squares
from kibitz.games.kahmate.kernel.match import possession, score_try, turn_limit
from kibitz.games.kahmate.kernel.state import (
    active,
    down,
    forget_hold,
    man_at,
    mark,
    mark_of,
    men_of,
    no_movers,
    other,
    points_of,
    put,
    take,
)

# 4  The turn


@compiled
def moved(p: Packed, origin: int, target: int, points: int) -> None:
    """The man of `origin` stands on `target` with so many points left."""
    rest = small(1) if p.movers[0] == origin else small(0)
    square, left = small(p.movers[rest]), small(p.points[rest])
    at = small(0) if target < square else small(1)
    p.movers[at], p.points[at] = target, points
    p.movers[1 - at], p.points[1 - at] = square, left


@compiled
def can_move(p: Packed) -> Squares:
    """Where the men stand who have points: at most two are moved in a turn (4)."""
    men = active(p, small(p.turn))
    first, second = small(p.movers[0]), small(p.movers[1])
    if second != NONE:
        men = both(men, either(one(first), one(second)))
        if p.points[1] == 0:
            men = without(men, one(second))
    if first != NONE and p.points[0] == 0:
        men = without(men, one(first))
    return men


# 4.1  Step


@compiled
def may_enter(p: Packed, origin: int, target: int) -> bool:
    """An empty square: in-goal only the far one, with the ball."""
    if file_of(target) == own_in_goal(small(p.turn)):
        return False
    return not is_in_goal(target) or p.ball == origin


@compiled
def take_step(house: House, p: Packed, origin: int, target: int) -> None:
    go(house, p, origin, target, small(points_of(p, origin) - 1))


@compiled
def go(house: House, p: Packed, origin: int, target: int, points: int) -> None:
    """A man goes somewhere with the ball, if he has it, and picks it up if it lies there."""
    put(p, target, take(p, origin))
    moved(p, origin, target, points)
    if p.ball == origin:
        p.ball = target
    if is_in_goal(target):
        score_try(house, p)


# 4.2  End


@compiled
def end_turn(house: House, p: Packed) -> None:
    side = small(p.turn)
    knocked_out = both(men_of(p, side), down(p))
    while any_in(knocked_out):
        at = first_of(knocked_out)
        mark(p, at, small(mark_of(man_at(p, at)) - 1))
        knocked_out = without_first(knocked_out)
    no_movers(p)
    p.turns = p.turns + 1
    p.turn = other(side)
    if turn_limit(house, p):
        forget_hold(p)
    else:
        possession(house, p, side)
