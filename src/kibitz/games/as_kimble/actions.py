"""The actions of a team, chance, the referee and the bookkeeper (17)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from kibitz.core.values import FrozenValue

if TYPE_CHECKING:
    from kibitz.games.as_kimble.state import State


class WarmPop(FrozenValue, frozen=True):
    """A loosening pop (4)."""

    face: int


class Lot(FrozenValue, frozen=True):
    """A chair's starting pop (4)."""

    seat_letter: str
    face: int


class Colour(FrozenValue, frozen=True):
    seat_letter: str
    team: str


class Pop(FrozenValue, frozen=True):
    team: str
    face: int


class Enter(FrozenValue, frozen=True):
    """A piece leaves home (6)."""

    team: str


class Move(FrozenValue, frozen=True):
    """By progress; beyond 27 lies the goal (6)."""

    team: str
    origin: int
    target: int


class Double(FrozenValue, frozen=True):
    """A piece from home joins the one on the start grid (8.1)."""

    team: str


class Raise(FrozenValue, frozen=True):
    team: str
    goal: int


class Propose(FrozenValue, frozen=True):
    """Ask for a new raise round (9.3)."""

    team: str


class Vote(FrozenValue, frozen=True):
    team: str
    is_yes: bool


class Return(FrozenValue, frozen=True):
    """Give a goal piece back in a raise (9.2)."""

    team: str
    goal: int


class PassOn(FrozenValue, frozen=True):
    team: str


class Hembo(FrozenValue, frozen=True):
    """The sentence, for one or for many: jag or vi (10)."""

    team: str
    form: str


class Completion(FrozenValue, frozen=True):
    """So many penalties are completed (11.1)."""

    team: str
    count: int


class Break(FrozenValue, frozen=True):
    pass


class Resume(FrozenValue, frozen=True):
    pass


# On a real board (12.2)


class Church(FrozenValue, frozen=True):
    pass


class SilentPop(FrozenValue, frozen=True):
    team: str
    face: int


class StickyPop(FrozenValue, frozen=True):
    team: str


class SilentLot(FrozenValue, frozen=True):
    """A silent pop of a chair that draws its lot (R31)."""

    seat_letter: str
    face: int


class StickyLot(FrozenValue, frozen=True):
    seat_letter: str


class StrayPop(FrozenValue, frozen=True):
    team: str
    face: int


class IgnoredBreak(FrozenValue, frozen=True):
    """A break ignored without a pop (12.3)."""

    team: str


class ResetPop(FrozenValue, frozen=True):
    face: int


# In a book without a board (12.6)


class BookPiece(FrozenValue, frozen=True):
    """A piece as a book names it: its team and how many it contains."""

    team: str
    """Or UNKNOWN."""
    size: int


UNKNOWN = "-"
"""In place of a team that nobody remembers."""


class BookedMeal(FrozenValue, frozen=True):
    eater: BookPiece
    eaten: BookPiece


class BookedMine(FrozenValue, frozen=True):
    mover: BookPiece
    mine: BookPiece


class BookedRaise(FrozenValue, frozen=True):
    team: str
    eaten: BookPiece | None = None


class BookedHembo(FrozenValue, frozen=True):
    team: str
    how: str
    """said, missed, wrong or uncalled."""


class BookedWin(FrozenValue, frozen=True):
    team: str
    why: str | None = None
    """With a reason it is a ruling."""


# By the referee (12.1)


class RefPen(FrozenValue, frozen=True):
    team: str
    change: int
    why: str


class RefDone(FrozenValue, frozen=True):
    team: str
    change: int
    why: str


class RefRule(FrozenValue, frozen=True):
    text: str


class RefSet(FrozenValue, frozen=True):
    state: State
    why: str


class RefEnd(FrozenValue, frozen=True):
    why: str


class Note(FrozenValue, frozen=True):
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
