"""The state of a game of AS-Kimble. The game is open: what everybody sees is all there is."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from kibitz.core.values import FrozenValue
from kibitz.games.as_kimble.board import PIECES, TEAM_INDEX, TEAMS, grid_at, progress_at

T = TypeVar("T")


NO_MARKS = ("-",) * len(TEAMS)
"""Nobody owes the sentence (10)."""


class Piece(FrozenValue, frozen=True):
    """On the ring: how far it has come, and how many pieces it contains."""

    progress: int
    size: int = 1


class Side(FrozenValue, frozen=True):
    """A team's four pieces and their places."""

    home: int = PIECES
    ring: tuple[Piece, ...] = ()
    """By progress."""
    goal: tuple[int, int, int, int] = (0, 0, 0, 0)
    """The number of pieces on each goal grid; only the first may have several (8.3)."""

    @property
    def is_placed(self) -> bool:
        return self.goal == (1, 1, 1, 1)


class Book(FrozenValue, frozen=True):
    owed: int = 0
    done: int = 0


class Die(FrozenValue, frozen=True):
    face: int | None = None
    wanted_face: int | None = None
    """The face it must show again before play goes on (12.2)."""


class Raises(FrozenValue, frozen=True):
    round: int = 1
    teams: tuple[str, ...] = ()
    """The teams that have raised in this round."""
    is_closed: bool = False
    """True if a new round may be proposed no more (9.3)."""


# The phases of 5


class Lots(FrozenValue, frozen=True):
    """The starting pops of each chair (4)."""

    pops: tuple[tuple[int, ...], ...]


class Colours(FrozenValue, frozen=True):
    """The chair with the lowest pop chooses a colour, the one with the highest begins."""

    lowest: str
    highest: str


class Popping(FrozenValue, frozen=True):
    team: str
    pops: int
    is_new: bool = True
    """The first pop of a turn is the deadline for hembo."""


class Choosing(FrozenValue, frozen=True):
    team: str
    number: int
    is_refused: bool = False
    """The others have said no to a new round on this six."""


class Voting(FrozenValue, frozen=True):
    team: str
    agreed_teams: tuple[str, ...] = ()


class Returning(FrozenValue, frozen=True):
    team: str
    pending: tuple[str, ...]


class GameOver(FrozenValue, frozen=True):
    winner: str | None
    reason: str = ""


Phase: TypeAlias = Lots | Colours | Popping | Choosing | Voting | Returning | GameOver
FOUR_SIDES: tuple[Side, Side, Side, Side] = (Side(), Side(), Side(), Side())
EMPTY_BOOKS: tuple[Book, Book, Book, Book] = (Book(), Book(), Book(), Book())


class State(FrozenValue, frozen=True):
    """Tuples of four are in the order of TEAMS."""

    sides: tuple[Side, ...] = FOUR_SIDES
    phase: Phase = Popping("R", 3)
    die: Die = Die()
    books: tuple[Book, ...] = EMPTY_BOOKS
    raises: Raises = Raises()
    hembo: tuple[str, ...] = NO_MARKS
    """- nothing is due, ! the sentence is owed, + it was said in time (10)."""
    is_break: bool = False


# Questions, and changes of one team's part


def side_of(state: State, team: str) -> Side:
    return state.sides[TEAM_INDEX[team]]


def book_of(state: State, team: str) -> Book:
    return state.books[TEAM_INDEX[team]]


def mark_of(state: State, team: str) -> str:
    return state.hembo[TEAM_INDEX[team]]


def with_team_value(four: tuple[T, ...], team: str, value: T) -> tuple[T, ...]:
    index = TEAMS.index(team)
    return (*four[:index], value, *four[index + 1 :])


def with_side(state: State, team: str, side: Side) -> State:
    return replace(state, sides=with_team_value(state.sides, team, side))


def with_book(state: State, team: str, book: Book) -> State:
    return replace(state, books=with_team_value(state.books, team, book))


def with_mark(state: State, team: str, mark: str) -> State:
    return replace(state, hembo=with_team_value(state.hembo, team, mark))


def piece_at(side: Side, progress: int) -> Piece | None:
    for piece in side.ring:
        if piece.progress == progress:
            return piece
    return None


def grid_occupant(state: State, grid: int) -> tuple[str, Piece] | None:
    """The team and piece on a grid of the ring."""
    for team, side in zip(TEAMS, state.sides, strict=True):
        if side.ring and (piece := piece_at(side, progress_at(team, grid))):
            return team, piece
    return None


def way_occupant(state: State, team: str, progress: int) -> tuple[str, Piece] | None:
    """The team and piece on the grid that this progress of this team leads to."""
    return grid_occupant(state, grid_at(team, progress))


def without_piece(side: Side, piece: Piece) -> Side:
    return replace(side, ring=tuple(each for each in side.ring if each != piece))


def with_piece(side: Side, piece: Piece) -> Side:
    ring = sorted((*side.ring, piece), key=lambda each: each.progress)
    return replace(side, ring=tuple(ring))


def with_goal(side: Side, goal: int, change: int) -> Side:
    counts = list(side.goal)
    counts[goal - 1] += change
    return replace(side, goal=(counts[0], counts[1], counts[2], counts[3]))


def in_team_order(teams: frozenset[str] | set[str] | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(team for team in TEAMS if team in teams)
