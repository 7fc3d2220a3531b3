"""The field: squares, their names, and what lies around them. No rules.

A square is a number from 0 (a1) over 7 (a8) to 103 (m8): file by file, as squares are ordered
in positions. Files a and m are the in-goals of Red and of Blue.
"""

from __future__ import annotations

FILES, RANKS = "abcdefghijklm", "12345678"
FILE_COUNT, RANK_COUNT = len(FILES), len(RANKS)
NAMES = tuple(file + rank for file in FILES for rank in RANKS)
SQUARES = range(len(NAMES))
FIELD_SQUARES = range(RANK_COUNT, len(NAMES) - RANK_COUNT)
"""Files b to l."""
CARD_SQUARES = {card: FILES.index("g") * RANK_COUNT + card for card in range(1, 7)}
"""Card n means rank n + 1 of the middle file (1)."""
FORWARD = {"R": 1, "B": -1}
"""The change of the file with a step forward."""
IN_GOAL = {"R": 0, "B": FILE_COUNT - 1}
"""The file of each side's own in-goal."""
GOAL_LINE = {"R": 1, "B": FILE_COUNT - 2}
"""The playing file before it."""
LINES = {"R": (1, 2), "B": (FILE_COUNT - 2, FILE_COUNT - 3)}
"""The first and second line of each side, where it places its men (1)."""


def square(name: str) -> int:
    return FILES.index(name[0]) * RANK_COUNT + int(name[1]) - 1


def name_of(square: int) -> str:
    return NAMES[square]


def file_of(square: int) -> int:
    return square // RANK_COUNT


def rank_of(square: int) -> int:
    return square % RANK_COUNT


def square_at(file: int, rank: int) -> int | None:
    """The square there, in-goal or not; None beyond the board."""
    return file * RANK_COUNT + rank if 0 <= file < FILE_COUNT and 0 <= rank < RANK_COUNT else None


def offset(square: int, files: int, ranks: int) -> int | None:
    return square_at(file_of(square) + files, rank_of(square) + ranks)


def is_in_goal(square: int) -> bool:
    return square not in FIELD_SQUARES


NEIGHBOURS = tuple(
    tuple(
        at
        for files, ranks in ((-1, 0), (0, -1), (0, 1), (1, 0))
        if (at := offset(each, files, ranks)) is not None
    )
    for each in SQUARES
)
"""The squares that share an edge, in the order of squares."""


def square_beyond(square: int, through: int) -> int | None:
    """The square on the far side of a neighbour; None beyond the board."""
    files, ranks = file_of(through) - file_of(square), rank_of(through) - rank_of(square)
    return offset(through, files, ranks)


PLACES = tuple(f"sq-{name}" for name in NAMES)


def square_place(square: int) -> str:
    """The name of a square's element in the drawing."""
    return PLACES[square]


SQUARE_AT = {square_place(each): each for each in SQUARES}
