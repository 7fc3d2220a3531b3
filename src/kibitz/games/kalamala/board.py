"""The play area: squares, their names, and what lies ahead of them. No rules.

A square is a number from 0 (a1) over 7 (h1) to 63 (h8); a set of squares is a whole
number with one bit a square.
"""

from __future__ import annotations

from collections.abc import Iterator

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


def name_of(square: int) -> str:
    return "abcdefgh"[square % SIZE] + str(square // SIZE + 1)


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
