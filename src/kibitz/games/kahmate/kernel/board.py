"""Squares and sets of squares. No rules."""

from __future__ import annotations

from kibitz.core.bits import bit, lowest_bit, popcount, without_lowest_bit
from kibitz.core.jit import i64, jit, u64
from kibitz.games.kahmate.board import FILES, RANK_COUNT, RANKS
from kibitz.games.kahmate.kernel.encoding import (
    NEIGHBOUR_SETS,
    NONE,
    NOT_FIRST_RANK,
    NOT_LAST_RANK,
    Squares,
)

LAST_FILE, LAST_RANK = len(FILES) - 1, len(RANKS) - 1
WORD_BITS = 64


@jit
def file_of(square: int) -> int:
    return i64(square >> 3)


@jit
def rank_of(square: int) -> int:
    return i64(square & 7)


@jit
def forward(side: int) -> int:
    """The change of a square's number with a step forward."""
    return i64(RANK_COUNT - 2 * RANK_COUNT * side)


@jit
def own_in_goal(side: int) -> int:
    """The file of each side's own in-goal."""
    return i64(LAST_FILE * side)


@jit
def is_in_goal(square: int) -> bool:
    file = file_of(square)
    return file == 0 or file == LAST_FILE


@jit
def square_beyond(square: int, through: int) -> int:
    """The square on the far side of a neighbour; NONE beyond the board."""
    way = i64(through - square)
    file, rank = file_of(through), rank_of(through)
    if (way == 1 and rank == LAST_RANK) or (way == -1 and rank == 0):
        return i64(NONE)
    if (way == RANK_COUNT and file == LAST_FILE) or (way == -RANK_COUNT and file == 0):
        return i64(NONE)
    return i64(through + way)


# Sets of squares


@jit
def neighbours(square: int) -> Squares:
    """The squares that share an edge."""
    return NEIGHBOUR_SETS[square, 0], NEIGHBOUR_SETS[square, 1]


@jit
def single_square(square: int) -> Squares:
    """The set of one square."""
    here = bit(u64(square & 63))
    return (here, u64(0)) if square < WORD_BITS else (u64(0), here)


@jit
def has_square(squares: Squares, square: int) -> bool:
    return has_any(intersection(squares, single_square(square)))


@jit
def has_any(squares: Squares) -> bool:
    low, high = squares
    return u64(low | high) != u64(0)


@jit
def intersection(some: Squares, others: Squares) -> Squares:
    """Those that are in both."""
    return u64(some[0] & others[0]), u64(some[1] & others[1])


@jit
def union(some: Squares, others: Squares) -> Squares:
    return u64(some[0] | others[0]), u64(some[1] | others[1])


@jit
def difference(some: Squares, others: Squares) -> Squares:
    return u64(some[0] & u64(~others[0])), u64(some[1] & u64(~others[1]))


@jit
def square_count(squares: Squares) -> int:
    low, high = squares
    return i64(popcount(low) + popcount(high))


@jit
def first_square(squares: Squares) -> int:
    low, high = squares
    return lowest_bit(low) if low else i64(WORD_BITS + lowest_bit(high))


@jit
def without_first_square(squares: Squares) -> Squares:
    low, high = squares
    return (without_lowest_bit(low), high) if low else (low, without_lowest_bit(high))


@jit
def nth_square(squares: Squares, n: int) -> int:
    """One of the squares by its place among them, from 0."""
    word, high = squares
    base, below = i64(0), popcount(word)
    if n >= below:
        word, base, n = high, i64(WORD_BITS), i64(n - below)
    for _ in range(n):
        word = without_lowest_bit(word)
    return i64(base + lowest_bit(word))


@jit
def on_file(squares: Squares, file: int) -> int:
    """Those on one file, a bit a rank; none beyond the board."""
    if file < 0 or file > LAST_FILE:
        return u64(0)
    word = squares[0] if file < RANK_COUNT else squares[1]
    return u64(u64(word >> u64((file & 7) * RANK_COUNT)) & u64(0xFF))


# All men of a set at once, one square on; where a file is one too many, that is in no set of ours


@jit
def one_file_up(squares: Squares) -> Squares:
    low, high = squares
    return u64(low << u64(8)), u64(u64(high << u64(8)) | u64(low >> u64(56)))


@jit
def one_file_down(squares: Squares) -> Squares:
    low, high = squares
    return u64(u64(low >> u64(8)) | u64(high << u64(56))), u64(high >> u64(8))


@jit
def one_rank_up(squares: Squares) -> Squares:
    low, high = squares
    ranks = u64(NOT_FIRST_RANK)
    return u64(u64(low << u64(1)) & ranks), u64(u64(high << u64(1)) & ranks)


@jit
def one_rank_down(squares: Squares) -> Squares:
    low, high = squares
    ranks = u64(NOT_LAST_RANK)
    return u64(u64(low >> u64(1)) & ranks), u64(u64(high >> u64(1)) & ranks)
