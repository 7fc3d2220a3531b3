"""The turn (4): who may be moved, steps, and how a turn ends."""

from __future__ import annotations

from kibitz.core.jit import i64, jit
from kibitz.games.kahmate.kernel.board import (
    difference,
    file_of,
    first_square,
    has_any,
    intersection,
    is_in_goal,
    own_in_goal,
    single_square,
    union,
    without_first_square,
)
from kibitz.games.kahmate.kernel.encoding import NONE, OptionCodes, Packed, Squares
from kibitz.games.kahmate.kernel.match import check_possession, end_at_turn_limit, score_try
from kibitz.games.kahmate.kernel.state import (
    active_men,
    clear_movers,
    down_men,
    forget_hold,
    man_at,
    mark_of,
    men_of,
    other_side,
    points_of,
    put_man,
    set_mark,
    take_man,
)

# 4  The turn


@jit
def record_mover(p: Packed, origin: int, target: int, points: int) -> None:
    """The man of `origin` stands on `target` with so many points left."""
    rest = i64(1) if p.movers[0] == origin else i64(0)
    square, left = i64(p.movers[rest]), i64(p.points[rest])
    at = i64(0) if target < square else i64(1)
    p.movers[at], p.points[at] = target, points
    p.movers[1 - at], p.points[1 - at] = square, left


@jit
def movable_men(p: Packed) -> Squares:
    """The squares of the men who have points: at most two are moved in a turn (4)."""
    men = active_men(p, i64(p.turn))
    first, second = i64(p.movers[0]), i64(p.movers[1])
    if second != NONE:
        men = intersection(men, union(single_square(first), single_square(second)))
        if p.points[1] == 0:
            men = difference(men, single_square(second))
    if first != NONE and p.points[0] == 0:
        men = difference(men, single_square(first))
    return men


# 4.1  Step


@jit
def may_enter(p: Packed, origin: int, target: int) -> bool:
    """An empty square: in-goal only the far one, with the ball, or where the ball lies (5.4)."""
    if p.ball == target:
        return True
    if file_of(target) == own_in_goal(i64(p.turn)):
        return False
    return not is_in_goal(target) or p.ball == origin


@jit
def take_step(options: OptionCodes, p: Packed, origin: int, target: int) -> None:
    points = i64(points_of(p, origin) - 1)
    if file_of(target) == own_in_goal(i64(p.turn)):
        fetch_ball(p, origin, points)
    else:
        move_man(options, p, origin, target, points)


@jit
def fetch_ball(p: Packed, square: int, points: int) -> None:
    """The man there takes the ball out of his own in-goal and stays where he is (5.4)."""
    record_mover(p, square, square, points)
    p.ball = square
    forget_hold(p)


@jit
def move_man(options: OptionCodes, p: Packed, origin: int, target: int, points: int) -> None:
    """A man goes somewhere with the ball, if he has it, and picks it up if it lies there."""
    put_man(p, target, take_man(p, origin))
    record_mover(p, origin, target, points)
    if p.ball == origin:
        p.ball = target
    if is_in_goal(target):
        score_try(options, p)


# 4.2  End


@jit
def end_turn(options: OptionCodes, p: Packed) -> None:
    side = i64(p.turn)
    knocked_out = intersection(men_of(p, side), down_men(p))
    while has_any(knocked_out):
        at = first_square(knocked_out)
        set_mark(p, at, i64(mark_of(man_at(p, at)) - 1))
        knocked_out = without_first_square(knocked_out)
    clear_movers(p)
    p.turns = p.turns + 1
    p.turn = other_side(side)
    if end_at_turn_limit(options, p):
        forget_hold(p)
    else:
        check_possession(options, p, side)
