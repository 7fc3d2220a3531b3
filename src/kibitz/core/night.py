"""What is told of an evening for which a game has kept the book: figures, and messages about them.

Times are seconds since the table opened; numbers of actions count from one on, as in the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kibitz.core.game import Seat
from kibitz.core.message import Message


@dataclass(frozen=True, slots=True)
class Said:
    """Something that happened, when, and by which action."""

    at: float
    n: int
    message: Message


@dataclass(frozen=True, slots=True)
class Highlight:
    """Worth remembering: `<game>.night-<kind>` says what of."""

    kind: str
    told: Said


@dataclass(frozen=True, slots=True)
class Standing:
    """What each seat owed and had done at a time, in their order."""

    at: float
    owed: tuple[int, ...]
    done: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pause:
    begun: float
    ended: float | None
    """None while it lasts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The book of one seat. A share is what one of its players does for one penalty."""

    seat: Seat
    owed: int
    done: int
    players: int
    shares: float
    """Done by all of its players together, where some of them may stand for more than one."""
    litres: float
    tallies: Mapping[str, int]
    """How often it did what `<game>.tally-<name>` names."""

    @property
    def received(self) -> int:
        return self.owed + self.done


@dataclass(frozen=True, slots=True)
class Strip:
    """How often the die has shown each face, from one on, and whether that is unusual."""

    counts: tuple[int, ...]
    told: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    winner: Seat | None
    true_victory: bool
    moral: tuple[Seat, ...]
    """Who has done most, so far."""
    is_over: bool
    verdict: Message
    accounts: tuple[Account, ...]
    """In the order of the seats."""
    unit: Message
    """What a share is."""
    has_litres: bool
    course: tuple[Standing, ...]
    """At the start, wherever it changed, and at the end."""
    highlights: tuple[Highlight, ...]
    rulings: tuple[Said, ...]
    notes: tuple[Said, ...]
    pauses: tuple[Pause, ...]
    strip: Strip
    is_replayable: bool
    """Whether the board was kept, at least for a part of it."""

    @property
    def length(self) -> float:
        return self.course[-1].at - self.course[0].at
