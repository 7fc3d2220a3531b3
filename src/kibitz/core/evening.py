"""The summary of an evening around a real board: figures, and messages about them.

Times are seconds since the table opened; numbers of actions count from one on, as in the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kibitz.core.game import Seat
from kibitz.core.message import Message


@dataclass(frozen=True, slots=True)
class SummaryEvent:
    """Something that happened, when, and by which action."""

    at: float
    n: int
    message: Message


@dataclass(frozen=True, slots=True)
class Highlight:
    """Worth remembering: `<game>.night-<kind>` says what of."""

    kind: str
    event: SummaryEvent


@dataclass(frozen=True, slots=True)
class DebtPoint:
    """The penalties that each seat owed and had done at a time, in the order of seats."""

    at: float
    owed: tuple[int, ...]
    done: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pause:
    start_s: float
    end_s: float | None
    """None while it lasts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyAccount:
    """The book of one seat. A share is what one of its players does for one penalty."""

    seat: Seat
    owed: int
    done: int
    players: int
    shares: float
    """Done by all of its players together, where some of them may stand for more than one."""
    litres: float
    tallies: Mapping[str, int]
    """The number of times that it did what `<game>.tally-<name>` names."""

    @property
    def total_penalties(self) -> int:
        return self.owed + self.done


@dataclass(frozen=True, slots=True)
class DieStatistics:
    """The counts of the faces that the die has shown, and remarks where they are unusual."""

    counts: tuple[int, ...]
    remarks: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NightSummary:
    winner: Seat | None
    raises: int
    """The number of raises of the winner: a true victory takes one (13)."""
    moral: tuple[Seat, ...]
    """The seats that have done most, so far."""
    is_over: bool
    verdict: Message
    accounts: tuple[PenaltyAccount, ...]
    """In the order of the seats."""
    unit: Message
    """The unit of a share."""
    has_litres: bool
    course: tuple[DebtPoint, ...]
    """At the start, wherever it changed, and at the end."""
    highlights: tuple[Highlight, ...]
    rulings: tuple[SummaryEvent, ...]
    notes: tuple[SummaryEvent, ...]
    pauses: tuple[Pause, ...]
    ignored_pauses: tuple[SummaryEvent, ...]
    """Those who went on during a pause, once for each time."""
    die_statistics: DieStatistics
    is_replayable: bool
    """True if the board was kept, at least for a part of it."""

    @property
    def length_s(self) -> float:
        return self.course[-1].at - self.course[0].at
