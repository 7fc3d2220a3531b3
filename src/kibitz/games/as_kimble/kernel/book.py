"""The book (11), and who has won (13): rules/book.py again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.jit import i64, jit
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


@jit
def owe(p: Packed, team: int, penalties: int) -> None:
    p.owed[team] = min(MAX_COUNT, p.owed[team] + penalties)


@jit
def complete(p: Packed, team: int, penalties: int) -> None:
    p.owed[team] -= penalties
    p.done[team] = min(MAX_COUNT, p.done[team] + penalties)


@jit
def report_completion(p: Packed, team: int, penalties: int) -> None:
    complete(p, team, penalties)
    end_if_won(p, team)


@jit
def tick(options: OptionCodes, p: Packed, team: int) -> None:
    """One penalty is completed when a turn passes to a team, where that is agreed."""
    if options.by_turns and p.owed[team]:
        complete(p, team, i64(1))
        end_if_won(p, team)


# 13  End


@jit
def has_won(p: Packed, team: int) -> bool:
    """All four placed and nothing owed. Whoever must still give a piece back has one fewer."""
    if p.owed[team] or not is_placed(p, team):
        return False
    return p.phase != RETURNING or not (p.teams >> team) & 1


@jit
def end_if_won(p: Packed, team: int) -> None:
    if has_won(p, team):
        end_game(p, team)


@jit
def end_game(p: Packed, winner: int) -> None:
    """A pending reset is over with the game; in a break only a referee could end it."""
    enter_game_over(p, winner)
    p.wanted_face = 0


@jit
def outcome(options: OptionCodes, p: Packed, payoffs: NDArray[np.int64]) -> bool:
    if p.phase != ENDED:
        return False
    for team in range(SEATS):
        payoffs[team] = 0 if p.team == NOBODY else 3 if p.team == team else -1
    return True
