"""Moves (6), eating (7) and multiplying (8): rules/moves.py again.

A number moves everything at once: what a team has taken, shifted by the number, is where its
pieces would come to. So a set of moves is the set of their targets.
"""

from __future__ import annotations

from kibitz.core.jit import i64, jit
from kibitz.games.as_kimble.board import SIX
from kibitz.games.as_kimble.kernel.book import owe
from kibitz.games.as_kimble.kernel.encoding import (
    ALL_PLACES,
    ENTER_BIT,
    FIRST_GOAL,
    LAST_PROGRESS,
    NOBODY,
    SEATS,
    START,
    OptionCodes,
    Packed,
)
from kibitz.games.as_kimble.kernel.hembo import mark_hembo_due
from kibitz.games.as_kimble.kernel.sides import (
    QUARTER,
    add_one,
    progress_of,
    size_at,
    take_one,
    way_occupant,
    with_piece,
    without_piece,
)

# 6  Moves


@jit
def table_moves(p: Packed, team: int, number: int) -> int:
    """Every move of the table in 6, mines included."""
    taken = p.taken[team]
    found = (taken << number) & ~taken & ALL_PLACES
    return i64(found | (i64(may_enter(p, team, number)) << ENTER_BIT))


@jit
def ordinary_moves(p: Packed, team: int, number: int) -> int:
    """A mine move is legal only where every move of the table is one."""
    moves = table_moves(p, team, number)
    others = moves & ~mines(p, team)
    return i64(others if others else moves)


@jit
def may_enter(p: Packed, team: int, number: int) -> bool:
    return number == SIX and p.home[team] > 0 and p.taken[team] & 1 == 0


@jit
def mines(p: Packed, team: int) -> int:
    """The start grids with their own team's piece on them, by this team's progress."""
    found = i64(0)
    for ahead in range(1, SEATS):
        found |= (p.taken[(team + ahead) & 3] & 1) << (QUARTER * ahead)
    return found


@jit
def enter(options: OptionCodes, p: Packed, team: int) -> None:
    p.home[team] -= 1
    _land(options, p, team, START, i64(1))


@jit
def make_move(options: OptionCodes, p: Packed, team: int, origin: int, target: int) -> bool:
    """The move with all that follows from the position, but for the turn; whether into a mine."""
    if origin > LAST_PROGRESS:
        take_one(p, team, origin)
        with_piece(p, team, target, i64(1))
        return False
    size = size_at(p, team, origin)
    without_piece(p, team, origin)
    if target > LAST_PROGRESS:
        _reach_goal(p, team, target, size)
        return False
    if (mines(p, team) >> target) & 1:
        _drive_into_mine(options, p, team, target, size)
        return True
    _land(options, p, team, target, size)
    return False


# 7  Eating and penalties


@jit
def _land(options: OptionCodes, p: Packed, team: int, progress: int, size: int) -> None:
    """A piece comes to a grid of the ring and eats the opponent who stands there."""
    met = way_occupant(p, team, progress)
    if met != NOBODY:
        eat_piece(options, p, met, progress_of((met - team) & 3, progress), size)
    with_piece(p, team, progress, size)


@jit
def eat_piece(options: OptionCodes, p: Packed, team: int, progress: int, eater: int) -> None:
    """A team's piece goes home, and it costs the one multiplier times the other (7.2)."""
    size = size_at(p, team, progress)
    without_piece(p, team, progress)
    p.home[team] += size
    owe(p, team, size * eater)
    mark_hembo_due(options, p, team)


@jit
def _drive_into_mine(options: OptionCodes, p: Packed, team: int, progress: int, size: int) -> None:
    """The mover is eaten, and the mine stays (7.3)."""
    p.home[team] += size
    owe(p, team, size * size_at(p, way_occupant(p, team, progress), START))
    mark_hembo_due(options, p, team)


# 8  Multiplying


@jit
def may_double(p: Packed, team: int, number: int) -> bool:
    return number == SIX and p.home[team] > 0 and p.taken[team] & 1 != 0


@jit
def double_piece(p: Packed, team: int) -> None:
    p.home[team] -= 1
    add_one(p, team, START)


@jit
def _reach_goal(p: Packed, team: int, target: int, size: int) -> None:
    """One goes to the grid it reached, the rest of a multiplied piece to the first (8.3)."""
    with_piece(p, team, target, i64(1))
    for _ in range(1, size):
        add_one(p, team, FIRST_GOAL)
