"""The book (11), and who has won (13): rules/book.py again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.jit import compiled, i64
from kibitz.games.as_kimble.kernel.encoding import (
    ENDED,
    NOBODY,
    RETURNING,
    SEATS,
    OptionCodes,
    Packed,
)
from kibitz.games.as_kimble.kernel.sides import enter_game_over, is_placed
from kibitz.games.as_kimble.rules.book import MAX_COUNT

# 11.1  Owed and completed


@compiled
def owe(p: Packed, team: int, penalties: int) -> None:
    p.owed[team] = min(MAX_COUNT, p.owed[team] + penalties)


@compiled
def complete(p: Packed, team: int, penalties: int) -> None:
    p.owed[team] -= penalties
    p.done[team] = min(MAX_COUNT, p.done[team] + penalties)


@compiled
def report_completion(p: Packed, team: int, penalties: int) -> None:
    complete(p, team, penalties)
    end_if_won(p, team)


@compiled
def tick(house: OptionCodes, p: Packed, team: int) -> None:
    """One penalty is completed when a turn passes to a team, where that is agreed."""
    if house.by_turns and p.owed[team]:
        complete(p, team, i64(1))
        end_if_won(p, team)


# 13  End


@compiled
def has_won(p: Packed, team: int) -> bool:
    """All four placed and nothing owed. Whoever must still give a piece back has one fewer."""
    if p.owed[team] or not is_placed(p, team):
        return False
    return p.phase != RETURNING or not (p.teams >> team) & 1


@compiled
def end_if_won(p: Packed, team: int) -> None:
    if has_won(p, team):
        end_game(p, team)


@compiled
def end_game(p: Packed, winner: int) -> None:
    """A pending reset is over with the game; in a break only a referee could end it."""
    enter_game_over(p, winner)
    p.wanted_face = 0


@compiled
def outcome(house: OptionCodes, p: Packed, payoffs: NDArray[np.int64]) -> bool:
    if p.phase != ENDED:
        return False
    for team in range(SEATS):
        payoffs[team] = 0 if p.team == NOBODY else 3 if p.team == team else -1
    return True
