"""Raising (9): rules/raising.py again."""

from __future__ import annotations

from kibitz.core.bits import lowest
from kibitz.core.jit import compiled, small
from kibitz.games.as_kimble.board import SIX
from kibitz.games.as_kimble.kernel.encoding import (
    FIRST_GOAL,
    LAST,
    NO,
    NOBODY,
    SEATS,
    START,
    YES,
    House,
    Packed,
)
from kibitz.games.as_kimble.kernel.hembo import sent_home
from kibitz.games.as_kimble.kernel.moves import eaten
from kibitz.games.as_kimble.kernel.sides import (
    add_one,
    choosing,
    on_way,
    progress_of,
    returning,
    take_one,
    voting,
)
from kibitz.games.as_kimble.kernel.turn import again, choices, goals_to_give, voters
from kibitz.games.as_kimble.rules.book import MOST

# 9.2  The raise


@compiled
def raise_piece(house: House, p: Packed, team: int, goal: int) -> None:
    take_one(p, team, LAST + goal)
    met = on_way(p, team, START)
    if met != NOBODY:
        eaten(house, p, met, progress_of((met - team) & 3, START), small(1))
    add_one(p, team, START)
    p.raised |= 1 << team
    _collect(house, p, team)


@compiled
def _collect(house: House, p: Packed, team: int) -> None:
    """Every other team gives a goal piece back; who has no choice is not asked."""
    pending = small(0)
    for each in range(SEATS):
        if each != team:
            given = goals_to_give(house, p, each)
            if given & (given - 1):
                pending |= 1 << each
            else:
                _give_back(house, p, each, FIRST_GOAL + lowest(given))
    if pending:
        returning(p, team, pending)
    else:
        again(house, p, team, small(0))


@compiled
def _give_back(house: House, p: Packed, team: int, place: int) -> None:
    take_one(p, team, place)
    p.home[team] += 1
    sent_home(house, p, team)


@compiled
def give_back(house: House, p: Packed, team: int, goal: int) -> None:
    left = p.teams & ~(1 << team)
    _give_back(house, p, team, LAST + goal)
    if left:
        returning(p, p.team, left)
    else:
        again(house, p, p.team, small(0))


# 9.3  Rounds


@compiled
def propose(p: Packed, team: int) -> None:
    voting(p, team, small(0))


@compiled
def vote(house: House, p: Packed, team: int, agrees: int) -> None:
    if not agrees:
        _refused(house, p, p.team)
        return
    p.teams |= 1 << team
    if not voters(p):
        p.raise_round = min(MOST, p.raise_round + 1)
        p.raised = 0
        choosing(p, p.team, small(SIX), NO)


@compiled
def _refused(house: House, p: Packed, team: int) -> None:
    """The team is back with its six, and pops again where that is of no use."""
    if house.final:
        p.closed = 1
    choosing(p, team, small(SIX), YES)
    if not choices(house, p, team, small(SIX), YES):
        again(house, p, team, small(0))
