"""Squares and sets of squares. No rules."""

from __future__ import annotations

from kibitz.core.bits import bit, count, lowest, without_lowest
from kibitz.core.jit import compiled, small, wide
from kibitz.games.kahmate.board import FILES, HIGH, RANKS
from kibitz.games.kahmate.kernel.encoding import (
    NEXT_TO,
    NONE,
    NOT_FIRST_RANK,
    NOT_LAST_RANK,
    Squares,
)

LAST_FILE, LAST_RANK = len(FILES) - 1, len(RANKS) - 1
WORD = 64


@compiled
def file_of(square: int) -> int:
    return small(square >> 3)


@compiled
def rank_of(square: int) -> int:
    return small(square & 7)


@compiled
def forward(side: int) -> int:
    """How the number of a square changes with a step forward."""
    return small(HIGH - 2 * HIGH * side)


@compiled
def own_in_goal(side: int) -> int:
    """The file of each side's own in-goal."""
    return small(LAST_FILE * side)


@compiled
def is_in_goal(square: int) -> bool:
    file = file_of(square)
    return file == 0 or file == LAST_FILE


@compiled
def beyond(square: int, through: int) -> int:
    """The square on the far side of a neighbour; NONE beyond the board."""
    way = small(through - square)
    file, rank = file_of(through), rank_of(through)
    if (way == 1 and rank == LAST_RANK) or (way == -1 and rank == 0):
        return small(NONE)
    if (way == HIGH and file == LAST_FILE) or (way == -HIGH and file == 0):
        return small(NONE)
    return small(through + way)


# Sets of squares


@compiled
def neighbours(square: int) -> Squares:
    """The squares that share an edge."""
    return NEXT_TO[square, 0], NEXT_TO[square, 1]


@compiled
def one(square: int) -> Squares:
    """The set of one square."""
    here = bit(wide(square & 63))
    return (here, wide(0)) if square < WORD else (wide(0), here)


@compiled
def has(squares: Squares, square: int) -> bool:
    return any_in(both(squares, one(square)))


@compiled
def any_in(squares: Squares) -> bool:
    low, high = squares
    return wide(low | high) != wide(0)


@compiled
def both(some: Squares, others: Squares) -> Squares:
    """Those that are in both."""
    return wide(some[0] & others[0]), wide(some[1] & others[1])


@compiled
def either(some: Squares, others: Squares) -> Squares:
    return wide(some[0] | others[0]), wide(some[1] | others[1])


@compiled
def without(some: Squares, others: Squares) -> Squares:
    return wide(some[0] & wide(~others[0])), wide(some[1] & wide(~others[1]))


@compiled
def how_many(squares: Squares) -> int:
    low, high = squares
    return small(count(low) + count(high))


@compiled
def first_of(squares: Squares) -> int:
    low, high = squares
    return lowest(low) if low else small(WORD + lowest(high))


@compiled
def without_first(squares: Squares) -> Squares:
    low, high = squares
    return (without_lowest(low), high) if low else (low, without_lowest(high))


@compiled
def nth(squares: Squares, n: int) -> int:
    """One of the squares by its place among them, from 0."""
    word, high = squares
    base, below = small(0), count(word)
    if n >= below:
        word, base, n = high, small(WORD), small(n - below)
    for _ in range(n):
        word = without_lowest(word)
    return small(base + lowest(word))


@compiled
def on_file(squares: Squares, file: int) -> int:
    """Those on one file, a bit a rank; none beyond the board."""
    if file < 0 or file > LAST_FILE:
        return wide(0)
    word = squares[0] if file < HIGH else squares[1]
    return wide(wide(word >> wide((file & 7) * HIGH)) & wide(0xFF))


# All men of a set at once, one square on; where a file is one too many, that is in no set of ours


@compiled
def one_file_up(squares: Squares) -> Squares:
    low, high = squares
    return wide(low << wide(8)), wide(wide(high << wide(8)) | wide(low >> wide(56)))


@compiled
def one_file_down(squares: Squares) -> Squares:
    low, high = squares
    return wide(wide(low >> wide(8)) | wide(high << wide(56))), wide(high >> wide(8))


@compiled
def one_rank_up(squares: Squares) -> Squares:
    low, high = squares
    ranks = wide(NOT_FIRST_RANK)
    return wide(wide(low << wide(1)) & ranks), wide(wide(high << wide(1)) & ranks)


@compiled
def one_rank_down(squares: Squares) -> Squares:
    low, high = squares
    ranks = wide(NOT_LAST_RANK)
    return wide(wide(low >> wide(1)) & ranks), wide(wide(high >> wide(1)) & ranks)
