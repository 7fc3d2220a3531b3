"""Forcing through (7)."""

from __future__ import annotations

from kibitz.core.jit import i64, jit
from kibitz.games.kahmate.kernel.board import (
    difference,
    first_square,
    has_any,
    intersection,
    neighbours,
    single_square,
    square_beyond,
    without_first_square,
)
from kibitz.games.kahmate.kernel.encoding import (
    ANY_BEYOND,
    DUEL,
    EXIT,
    EXIT_BEYOND,
    FORCE_CONTEST,
    NONE,
    OPEN_SQUARES,
    OptionCodes,
    Packed,
    Squares,
)
from kibitz.games.kahmate.kernel.state import (
    enter_phase,
    forget_hold,
    man_at,
    mark_of,
    men_of,
    other_side,
    play_on,
    points_of,
    side_of,
)
from kibitz.games.kahmate.kernel.tackle import drop_ball, knock_out
from kibitz.games.kahmate.kernel.turn import move_man, record_mover

# 7  Forcing through


@jit
def exits(p: Packed, through: int) -> Squares:
    """The squares on which a charger can come out."""
    turn = i64(p.turn)
    open_to = intersection(neighbours(through), (OPEN_SQUARES[turn, 0], OPEN_SQUARES[turn, 1]))
    return difference(difference(open_to, men_of(p, i64(0))), men_of(p, i64(1)))


@jit
def forceable_men(options: OptionCodes, p: Packed, charger: int) -> Squares:
    """The opponents whom the holder can charge."""
    may = intersection(neighbours(charger), men_of(p, other_side(i64(p.turn))))
    near = may
    while has_any(near):
        at = first_square(near)
        if points_of(p, charger) < 2 or not may_charge(options, p, charger, at):
            may = difference(may, single_square(at))
        near = without_first_square(near)
    return may


@jit
def may_charge(options: OptionCodes, p: Packed, charger: int, through: int) -> bool:
    """True if this opponent can be charged."""
    if mark_of(man_at(p, through)) and not options.force_down:
        return False
    behind = square_beyond(charger, through)
    if behind != NONE and is_blocked(options, p, man_at(p, behind)):
        return False
    return has_any(exits(p, through))


@jit
def is_blocked(options: OptionCodes, p: Packed, blocker: int) -> bool:
    """True if the man beyond forbids it; 0 is nobody."""
    if blocker == 0 or options.force_beyond == EXIT_BEYOND:
        return False
    return side_of(blocker) != p.turn or options.force_beyond == ANY_BEYOND


@jit
def force(p: Packed, origin: int, target: int) -> None:
    record_mover(p, origin, origin, points_of(p, origin))
    enter_phase(p, i64(DUEL), origin, target, i64(NONE))
    p.contest, p.in_round = FORCE_CONTEST, 1
    forget_hold(p)


@jit
def settle_force(p: Packed, margin: int) -> None:
    charger, through = i64(p.attacker), i64(p.defender)
    if margin > 0:
        knock_out(p, through)
        enter_phase(p, i64(EXIT), charger, through, i64(NONE))
        return
    knock_out(p, charger)
    record_mover(p, charger, charger, i64(0))
    drop_ball(p, charger, through)


@jit
def stay(p: Packed) -> None:
    """The charger keeps his square, for one point."""
    charger = i64(p.attacker)
    record_mover(p, charger, charger, i64(points_of(p, charger) - 1))
    play_on(p)


@jit
def come_out(options: OptionCodes, p: Packed, square: int) -> None:
    charger = i64(p.attacker)
    play_on(p)
    move_man(options, p, charger, square, i64(points_of(p, charger) - 2))
