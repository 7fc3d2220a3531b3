"""The play area: squares, their names, and what lies ahead of them. No rules.

A square is a number from 0 (a1) over 7 (h1) to 63 (h8); a set of squares is a whole
number with one bit a square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

SIZE = 8
SQUARES = range(SIZE * SIZE)
DIRECTIONS = {
    "N": (0, 1),
    "E": (1, 0),
    "S": (0, -1),
    "W": (-1, 0),
    "NE": (1, 1),
    "SE": (1, -1),
    "SW": (-1, -1),
    "NW": (-1, 1),
}
"""By name, in the order in which spellings are preferred (7.2)."""
OPPOSITE = {
    name: next(other for other, step in DIRECTIONS.items() if step == (-x, -y))
    for name, (x, y) in DIRECTIONS.items()
}


def square(name: str) -> int:
    return "abcdefgh".index(name[0]) + SIZE * (int(name[1]) - 1)


NAMES = tuple(file + rank for rank in "12345678" for file in "abcdefgh")


def name_of(square: int) -> str:
    return NAMES[square]


def squares_of(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _ray(square: int, direction: str) -> tuple[int, ...]:
    (x, y), (file, rank) = DIRECTIONS[direction], (square % SIZE, square // SIZE)
    way = []
    while 0 <= (file := file + x) < SIZE and 0 <= (rank := rank + y) < SIZE:
        way.append(file + SIZE * rank)
    return tuple(way)


RAYS = {name: tuple(_ray(square, name) for square in SQUARES) for name in DIRECTIONS}
"""RAYS["NE"][square]: the squares ahead in that direction, nearest first, up to the edge."""

AHEAD_SETS = {name: tuple(sum(1 << each for each in way) for way in RAYS[name]) for name in RAYS}
"""AHEAD["NE"][square]: the same squares as a set."""
LINE_SETS = {
    name: tuple(
        AHEAD_SETS[name][each] | AHEAD_SETS[OPPOSITE[name]][each] | 1 << each for each in SQUARES
    )
    for name in DIRECTIONS
}
"""LINES["NE"][square]: the whole line through a square, from edge to edge, as a set."""
WAYS = tuple(
    tuple(
        (name, AHEAD_SETS[name][each], LINE_SETS[name][each]) for name in RAYS if RAYS[name][each]
    )
    for each in SQUARES
)
"""WAYS[square]: the directions that lead on from it, with the squares ahead and the whole line."""
NEIGHBOUR_SETS = tuple(
    sum(1 << RAYS[n][each][0] for n in RAYS if RAYS[n][each]) for each in SQUARES
)
"""The squares next to each, as a set."""
UPWARDS = frozenset(name for name, (x, y) in DIRECTIONS.items() if x + SIZE * y > 0)
"""The directions in which the numbers of squares grow."""


def nearest_square(square: int, direction: str, among: int) -> int | None:
    """The first of these squares ahead in that direction, if there is one."""
    met = AHEAD_SETS[direction][square] & among
    if not met:
        return None
    return ((met & -met) if direction in UPWARDS else met).bit_length() - 1


_PLACES = tuple(f"sq-{name}" for name in NAMES)


def square_place(square: int) -> str:
    """The name of a square's element in the drawing."""
    return _PLACES[square]


def place_at(file: int, rank: int) -> str:
    """The name of a place by its file and rank, which may be one step off the board.

    Where pieces leave the board there are places too: off-E4, off-Nc, off-SW.
    """
    upright = "N" if rank == SIZE else "S" if rank < 0 else ""
    sideways = "E" if file == SIZE else "W" if file < 0 else ""
    if upright and sideways:
        return f"off-{upright}{sideways}"
    if upright:
        return f"off-{upright}{'abcdefgh'[file]}"
    return f"off-{sideways}{rank + 1}" if sideways else square_place(file + SIZE * rank)


def span(squares: Iterable[int]) -> str:
    """A chain by its ends, whichever way it goes: c3-d3."""
    ends = sorted(squares, key=lambda each: (each % SIZE, each // SIZE))
    names = name_of(ends[0]), name_of(ends[-1])
    return names[0] if len(ends) == 1 else "-".join(names)


SQUARE_AT = {square_place(each): each for each in SQUARES}
PLACE_ROWS = tuple(
    tuple((place_at(file, rank), file, rank) for file in range(-1, SIZE + 1))
    for rank in range(SIZE, -2, -1)
)
"""The board and the places where pieces leave it, row by row from the north-west corner."""
EXITS = frozenset(name for places in PLACE_ROWS for name, _, _ in places) - SQUARE_AT.keys()
