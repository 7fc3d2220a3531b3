"""Moves (6), eating (7) and multiplying (8): rules/moves.py again.

A number moves everything at once: what a team has taken, shifted by the number, is where its
pieces would come to. So a set of moves is the set of their targets.
"""

from __future__ import annotations

from kibitz.core.jit import compiled, i64
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


@compiled
def table_moves(p: Packed, team: int, number: int) -> int:
    """Every move of the table in 6, mines included."""
    taken = p.taken[team]
    found = (taken << number) & ~taken & ALL_PLACES
    return i64(found | (i64(may_enter(p, team, number)) << ENTER_BIT))


@compiled
def ordinary_moves(p: Packed, team: int, number: int) -> int:
    """A mine move is legal only where every move of the table is one."""
    moves = table_moves(p, team, number)
    others = moves & ~mines(p, team)
    return i64(others if others else moves)


@compiled
def may_enter(p: Packed, team: int, number: int) -> bool:
    return number == SIX and p.home[team] > 0 and p.taken[team] & 1 == 0


@compiled
def mines(p: Packed, team: int) -> int:
    """Where opponents stand on their own start grids, by this team's progress."""
    found = i64(0)
    for ahead in range(1, SEATS):
        found |= (p.taken[(team + ahead) & 3] & 1) << (QUARTER * ahead)
    return found


@compiled
def enter(house: OptionCodes, p: Packed, team: int) -> None:
    p.home[team] -= 1
    _land(house, p, team, START, i64(1))


@compiled
def make_move(house: OptionCodes, p: Packed, team: int, origin: int, target: int) -> bool:
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
        _drive_into_mine(house, p, team, target, size)
        return True
    _land(house, p, team, target, size)
    return False


# 7  Eating and penalties


@compiled
def _land(house: OptionCodes, p: Packed, team: int, progress: int, size: int) -> None:
    """A piece comes to a grid of the ring and eats the opponent who stands there."""
    met = way_occupant(p, team, progress)
    if met != NOBODY:
        eat_piece(house, p, met, progress_of((met - team) & 3, progress), size)
    with_piece(p, team, progress, size)


@compiled
def eat_piece(house: OptionCodes, p: Packed, team: int, progress: int, eater: int) -> None:
    """A team's piece goes home, and it costs the one multiplier times the other (7.2)."""
    size = size_at(p, team, progress)
    without_piece(p, team, progress)
    p.home[team] += size
    owe(p, team, size * eater)
    mark_hembo_due(house, p, team)


@compiled
def _drive_into_mine(house: OptionCodes, p: Packed, team: int, progress: int, size: int) -> None:
    """The mover is eaten, and the mine stays (7.3)."""
    p.home[team] += size
    owe(p, team, size * size_at(p, way_occupant(p, team, progress), START))
    mark_hembo_due(house, p, team)


# 8  Multiplying


@compiled
def may_double(p: Packed, team: int, number: int) -> bool:
    return number == SIX and p.home[team] > 0 and p.taken[team] & 1 != 0


@compiled
def double_piece(p: Packed, team: int) -> None:
    p.home[team] -= 1
    add_one(p, team, START)


@compiled
def _reach_goal(p: Packed, team: int, target: int, size: int) -> None:
    """One goes to the grid it reached, the rest of a multiplied piece to the first (8.3)."""
    with_piece(p, team, target, i64(1))
    for _ in range(1, size):
        add_one(p, team, FIRST_GOAL)
