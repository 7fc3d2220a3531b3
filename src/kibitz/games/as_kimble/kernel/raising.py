"""Raising (9): rules/raising.py again."""

from __future__ import annotations

from kibitz.core.bits import lowest_bit
from kibitz.core.jit import i64, jit
from kibitz.games.as_kimble.board import SIX
from kibitz.games.as_kimble.kernel.encoding import (
    FIRST_GOAL,
    LAST_PROGRESS,
    NO,
    NOBODY,
    SEATS,
    START,
    YES,
    OptionCodes,
    Packed,
)
from kibitz.games.as_kimble.kernel.hembo import mark_hembo_due
from kibitz.games.as_kimble.kernel.moves import eat_piece
from kibitz.games.as_kimble.kernel.sides import (
    add_one,
    enter_choosing,
    enter_returning,
    enter_voting,
    progress_of,
    take_one,
    way_occupant,
)
from kibitz.games.as_kimble.kernel.turn import choices, goals_to_give, pop_again, voters
from kibitz.games.as_kimble.rules.book import MAX_COUNT

# 9.2  The raise


@jit
def raise_piece(options: OptionCodes, p: Packed, team: int, goal: int) -> None:
    take_one(p, team, LAST_PROGRESS + goal)
    met = way_occupant(p, team, START)
    if met != NOBODY:
        eat_piece(options, p, met, progress_of((met - team) & 3, START), i64(1))
    add_one(p, team, START)
    p.raised |= 1 << team
    _collect_pieces(options, p, team)


@jit
def _collect_pieces(options: OptionCodes, p: Packed, team: int) -> None:
    """Every other team gives a goal piece back; who has no choice is not asked."""
    pending = i64(0)
    for each in range(SEATS):
        if each != team:
            given = goals_to_give(options, p, each)
            if given & (given - 1):
                pending |= 1 << each
            else:
                _give_back(options, p, each, FIRST_GOAL + lowest_bit(given))
    if pending:
        enter_returning(p, team, pending)
    else:
        pop_again(options, p, team, i64(0))


@jit
def _give_back(options: OptionCodes, p: Packed, team: int, place: int) -> None:
    take_one(p, team, place)
    p.home[team] += 1
    mark_hembo_due(options, p, team)


@jit
def give_back(options: OptionCodes, p: Packed, team: int, goal: int) -> None:
    left = p.teams & ~(1 << team)
    _give_back(options, p, team, LAST_PROGRESS + goal)
    if left:
        enter_returning(p, p.team, left)
    else:
        pop_again(options, p, p.team, i64(0))


# 9.3  Rounds


@jit
def propose(p: Packed, team: int) -> None:
    enter_voting(p, team, i64(0))


@jit
def vote(options: OptionCodes, p: Packed, team: int, agrees: int) -> None:
    if not agrees:
        _refuse_round(options, p, p.team)
        return
    p.teams |= 1 << team
    if not voters(p):
        p.raise_round = min(MAX_COUNT, p.raise_round + 1)
        p.raised = 0
        enter_choosing(p, p.team, i64(SIX), NO)


@jit
def _refuse_round(options: OptionCodes, p: Packed, team: int) -> None:
    """The team is back with its six, and pops again where that is of no use."""
    if options.final:
        p.is_closed = 1
    enter_choosing(p, team, i64(SIX), YES)
    if not choices(options, p, team, i64(SIX), YES):
        pop_again(options, p, team, i64(0))
