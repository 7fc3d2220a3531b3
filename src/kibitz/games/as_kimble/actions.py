"""The actions of a team, chance, the referee and the bookkeeper (17)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from kibitz.games.as_kimble.state import State


@dataclass(frozen=True, slots=True)
class WarmPop:
    """A loosening pop (4)."""

    face: int


@dataclass(frozen=True, slots=True)
class Lot:
    """A chair's starting pop (4)."""

    seat_letter: str
    face: int


@dataclass(frozen=True, slots=True)
class Colour:
    seat_letter: str
    team: str


@dataclass(frozen=True, slots=True)
class Pop:
    team: str
    face: int


@dataclass(frozen=True, slots=True)
class Enter:
    """A piece leaves home (6)."""

    team: str


@dataclass(frozen=True, slots=True)
class Move:
    """By progress; beyond 27 lies the goal (6)."""

    team: str
    origin: int
    target: int


@dataclass(frozen=True, slots=True)
class Double:
    """A piece from home joins the one on the start grid (8.1)."""

    team: str


@dataclass(frozen=True, slots=True)
class Raise:
    team: str
    goal: int


@dataclass(frozen=True, slots=True)
class Propose:
    """Ask for a new raise round (9.3)."""

    team: str


@dataclass(frozen=True, slots=True)
class Vote:
    team: str
    is_yes: bool


@dataclass(frozen=True, slots=True)
class Return:
    """Give a goal piece back in a raise (9.2)."""

    team: str
    goal: int


@dataclass(frozen=True, slots=True)
class PassOn:
    team: str


@dataclass(frozen=True, slots=True)
class Hembo:
    """The sentence, for one or for many: jag or vi (10)."""

    team: str
    form: str


@dataclass(frozen=True, slots=True)
class Completion:
    """So many penalties are completed (11.1)."""

    team: str
    count: int


@dataclass(frozen=True, slots=True)
class Break:
    pass


@dataclass(frozen=True, slots=True)
class Resume:
    pass


# On a real board (12.2)


@dataclass(frozen=True, slots=True)
class Church:
    pass


@dataclass(frozen=True, slots=True)
class SilentPop:
    team: str
    face: int


@dataclass(frozen=True, slots=True)
class StickyPop:
    team: str


@dataclass(frozen=True, slots=True)
class SilentLot:
    """A silent pop of a chair that draws its lot (R31)."""

    seat_letter: str
    face: int


@dataclass(frozen=True, slots=True)
class StickyLot:
    seat_letter: str


@dataclass(frozen=True, slots=True)
class StrayPop:
    team: str
    face: int


@dataclass(frozen=True, slots=True)
class IgnoredBreak:
    """A break ignored without a pop (12.3)."""

    team: str


@dataclass(frozen=True, slots=True)
class ResetPop:
    face: int


# In a book without a board (12.6)


@dataclass(frozen=True, slots=True)
class BookPiece:
    """A piece as a book names it: its team and how many it contains."""

    team: str
    """Or UNKNOWN."""
    size: int


UNKNOWN = "-"
"""In place of a team that nobody remembers."""


@dataclass(frozen=True, slots=True)
class BookedMeal:
    eater: BookPiece
    eaten: BookPiece


@dataclass(frozen=True, slots=True)
class BookedMine:
    mover: BookPiece
    mine: BookPiece


@dataclass(frozen=True, slots=True)
class BookedRaise:
    team: str
    eaten: BookPiece | None = None


@dataclass(frozen=True, slots=True)
class BookedHembo:
    team: str
    how: str
    """said, missed, wrong or uncalled."""


@dataclass(frozen=True, slots=True)
class BookedWin:
    team: str
    why: str | None = None
    """With a reason it is a ruling."""


# By the referee (12.1)


@dataclass(frozen=True, slots=True)
class RefPen:
    team: str
    change: int
    why: str


@dataclass(frozen=True, slots=True)
class RefDone:
    team: str
    change: int
    why: str


@dataclass(frozen=True, slots=True)
class RefRule:
    text: str


@dataclass(frozen=True, slots=True)
class RefSet:
    state: State
    why: str


@dataclass(frozen=True, slots=True)
class RefEnd:
    why: str


@dataclass(frozen=True, slots=True)
class Note:
    text: str


Choice: TypeAlias = Enter | Move | Double | Raise | Propose | PassOn
"""The uses of a number (5.1)."""
LotEvent: TypeAlias = SilentLot | StickyLot
PhysicalEvent: TypeAlias = (
    Church | SilentPop | StickyPop | LotEvent | StrayPop | IgnoredBreak | ResetPop
)
BookEntry: TypeAlias = BookedMeal | BookedMine | BookedRaise | BookedHembo | BookedWin
Statement: TypeAlias = Hembo | Completion | Break | Resume | Note
"""Actions that need no board: a team says so."""
Ruling: TypeAlias = RefPen | RefDone | RefRule | RefSet | RefEnd
Action: TypeAlias = (
    WarmPop | Lot | Colour | Pop | Choice | Vote | Return | Hembo | Completion | Break | Resume
    | PhysicalEvent | BookEntry | Ruling | Note
)  # fmt: skip


def is_statement(action: Action) -> bool:
    """True for what a team says of itself, with a board or without."""
    was_said = isinstance(action, BookedHembo) and action.how == "said"
    return was_said or isinstance(action, Statement)
