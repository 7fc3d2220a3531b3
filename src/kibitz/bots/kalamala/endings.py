"""Endings of Kalamala, solved: who wins with a few pieces left, and in how many actions at most.

An ending is a board with at most four pieces, nobody having any in reserve. It is solved if one
side wins by force whatever the repetition rule is. The winner's way there has two properties
(ending_solver.py). The number of actions left sinks with each of them, and no board of it stands
again. So the rule about repetition bars none of the winner's moves; what it bars of the loser's
only helps.

That holds while the way meets no board that stood before it began. The winner only ever moves to
boards that the loser loses in fewer actions, so it is enough that no earlier board is one of them.
After a death there are none.

A board and its mirror images share a place in the table: the pieces of whoever is to act are taken
to the first of their images, and the others' go with them.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Protocol

import numpy as np

from kibitz.core.bits import lowest_bit, popcount, without_lowest_bit
from kibitz.core.jit import Numbers, i64, jit, jit_inline, u64

MAX_PIECES = 4
"""Of both sides together."""
MOST_PIECES = 5
"""The largest endings that there are tables for; they are too many to be kept."""
NOT_SOLVED = -1
SYMMETRIES = 8
ORBIT_COUNTS = (1, 10, 278, 5278, 79_920)
"""By size, the sets of squares that no symmetry of the board takes to each other."""
SET_COUNTS = np.array([comb(64, size) for size in range(MOST_PIECES + 1)], np.int64)
BINOMIALS = np.array(
    [[comb(square, size) for size in range(MOST_PIECES + 1)] for square in range(64)], np.int64
)


def _image(square: int, symmetry: int) -> int:
    x, y = square % 8, square // 8
    x, y = (7 - x if symmetry & 1 else x), (7 - y if symmetry & 2 else y)
    return y + 8 * x if symmetry & 4 else x + 8 * y


IMAGES = np.array(
    [[_image(square, symmetry) for square in range(64)] for symmetry in range(SYMMETRIES)],
    np.int64,
)
"""By symmetry and square, the square that it is taken to."""


class Layout(Protocol):
    """The places of endings."""

    orbits: Numbers
    """By set of squares, eight times the number of its first image, and which symmetry it is."""
    orbit_starts: Numbers
    """By the size of a set, where the sets of that size begin."""
    starts: Numbers
    """By the numbers of pieces of whoever is to act and of the others, where endings begin."""


class Endings(Layout, Protocol):
    """The table, as one record of a dtype of `endings_dtype`."""

    plies: Numbers
    """By place, one more than the number of actions in which the ending is over; zero if it is not
    solved. Whoever is to act wins in an odd number of actions and loses in an even one."""


def ending_count(pieces: int) -> int:
    """The number of places of a table for so many pieces."""
    return sum(ORBIT_COUNTS[here] * comb(64, there) for here, there in ending_classes(pieces))


def ending_classes(pieces: int) -> list[tuple[int, int]]:
    """The numbers of pieces of whoever is to act and of the others, few pieces first."""
    totals = range(2, pieces + 1)
    return [(here, total - here) for total in totals for here in range(1, total)]


def endings_dtype(pieces: int) -> np.dtype[np.void]:
    sides = MOST_PIECES + 1
    sets = sum(comb(64, size) for size in range(1, pieces))
    fields = [
        ("orbits", np.uint32, (sets,)),
        ("orbit_starts", np.int64, (sides,)),
        ("starts", np.int64, (sides, sides)),
        ("plies", np.uint8, (ending_count(pieces),)),
    ]
    return np.dtype(fields, align=True)


ENDINGS_DTYPE = endings_dtype(MAX_PIECES)
ENDINGS_FILE = Path(__file__).with_name("endings.npz")


# The table


@jit_inline
def set_number(squares: int) -> int:
    """The number of a set among those of its size, in the order of the numbers that they are."""
    found, size = i64(0), i64(0)
    while squares != u64(0):
        size = i64(size + 1)
        found = i64(found + BINOMIALS[lowest_bit(squares), size])
        squares = without_lowest_bit(squares)
    return found


@jit_inline
def turned_squares(squares: int, symmetry: int) -> int:
    found = u64(0)
    while squares != u64(0):
        found = u64(found | u64(u64(1) << u64(IMAGES[symmetry, lowest_bit(squares)])))
        squares = without_lowest_bit(squares)
    return found


@jit
def ending_place(e: Layout, own: int, others: int) -> int:
    """The place of an ending; both sides have pieces."""
    here, there = popcount(own), popcount(others)
    orbit = i64(e.orbits[e.orbit_starts[here] + set_number(own)])
    turned = set_number(turned_squares(others, i64(orbit & 7)))
    return i64(e.starts[here, there] + (orbit >> 3) * SET_COUNTS[there] + turned)


@jit
def solved_plies(e: Endings, own: int, others: int) -> int:
    """In how many actions an ending without a past is over, for the side to act; NOT_SOLVED if
    that is not known. Neither side has pieces in reserve."""
    if own == u64(0):
        return i64(0)
    if others == u64(0):
        return i64(NOT_SOLVED)
    return i64(i64(e.plies[ending_place(e, own, others)]) - 1)


# The file


@cache
def orbits(size: int) -> Numbers:
    """By set of so many squares, eight times the number of its first image, and its symmetry."""
    sets = np.array(list(combinations(range(64), size)), np.int64)
    sets = sets[np.argsort(_set_numbers(sets))]
    images = np.stack([_set_numbers(np.sort(each[sets], 1)) for each in IMAGES])
    first, symmetry = images.min(0), images.argmin(0)
    numbers = np.cumsum(symmetry == 0) - 1
    found: Numbers = (8 * numbers[first] + symmetry).astype(np.uint32)
    return found


def _set_numbers(sets: Numbers) -> Numbers:
    sizes = np.arange(1, sets.shape[1] + 1)
    numbers: Numbers = BINOMIALS[sets, sizes].sum(1)
    return numbers


def fill_layout(e: Layout, pieces: int) -> None:
    """Say where each ending has its place."""
    end = 0
    for size in range(1, pieces):
        found = orbits(size)
        e.orbit_starts[size] = end
        e.orbits[end : end + len(found)] = found
        end += len(found)
    end = 0
    for here, there in ending_classes(pieces):
        e.starts[here, there] = end
        end += ORBIT_COUNTS[here] * comb(64, there)


def fill_endings(e: Endings, plies: Numbers) -> None:
    fill_layout(e, MAX_PIECES)
    e.plies[:] = plies


@cache
def read_endings(path: Path = ENDINGS_FILE) -> Numbers:
    with np.load(path, allow_pickle=False) as file:
        plies: Numbers = file["plies"]
    return plies
