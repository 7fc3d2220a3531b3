"""Forcing through (7)."""

from __future__ import annotations

from kibitz.core.jit import compiled, small
from kibitz.games.kahmate.kernel.board import (
    any_in,
    beyond,
    both,
    first_of,
    neighbours,
    one,
    without,
    without_first,
)
from kibitz.games.kahmate.kernel.encoding import (
    ANY_BEYOND,
    DUEL,
    EXIT,
    EXIT_BEYOND,
    FORCED,
    NONE,
    OPEN_TO,
    House,
    Packed,
    Squares,
)
from kibitz.games.kahmate.kernel.state import (
    enter,
    forget_hold,
    man_at,
    mark_of,
    men_of,
    other,
    play_on,
    points_of,
    side_of,
)
from kibitz.games.kahmate.kernel.tackle import drop, knock_out
from kibitz.games.kahmate.kernel.turn import go, moved

# 7  Forcing through


@compiled
def exits(p: Packed, through: int) -> Squares:
    """The squares on which a charger can come out."""
    turn = small(p.turn)
    open_to = both(neighbours(through), (OPEN_TO[turn, 0], OPEN_TO[turn, 1]))
    return without(without(open_to, men_of(p, small(0))), men_of(p, small(1)))


@compiled
def forces(house: House, p: Packed, charger: int) -> Squares:
    """The opponents whom the holder can charge."""
    may = both(neighbours(charger), men_of(p, other(small(p.turn))))
    near = may
    while any_in(near):
        at = first_of(near)
        if points_of(p, charger) < 2 or not may_charge(house, p, charger, at):
            may = without(may, one(at))
        near = without_first(near)
    return may


@compiled
def may_charge(house: House, p: Packed, charger: int, through: int) -> bool:
    """Whether this opponent can be charged."""
    if mark_of(man_at(p, through)) and not house.force_down:
        return False
    behind = beyond(charger, through)
    if behind != NONE and is_blocked(house, p, man_at(p, behind)):
        return False
    return any_in(exits(p, through))


@compiled
def is_blocked(house: House, p: Packed, blocker: int) -> bool:
    """Whether the man beyond forbids it; 0 is nobody."""
    if blocker == 0 or house.force_beyond == EXIT_BEYOND:
        return False
    return side_of(blocker) != p.turn or house.force_beyond == ANY_BEYOND


@compiled
def force(p: Packed, origin: int, target: int) -> None:
    moved(p, origin, origin, points_of(p, origin))
    enter(p, small(DUEL), origin, target, small(NONE))
    p.contest, p.in_round = FORCED, 1
    forget_hold(p)


@compiled
def force_decided(p: Packed, margin: int) -> None:
    charger, through = small(p.attacker), small(p.defender)
    if margin > 0:
        knock_out(p, through)
        enter(p, small(EXIT), charger, through, small(NONE))
        return
    knock_out(p, charger)
    moved(p, charger, charger, small(0))
    drop(p, charger, through)


@compiled
def come_out(house: House, p: Packed, square: int) -> None:
    charger = small(p.attacker)
    play_on(p)
    go(house, p, charger, square, small(points_of(p, charger) - 2))
