"""An evening of AS-Kimble in figures: the book of each team, who won and how, breaks and rulings.

Times are seconds since the table opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kibitz.core.game import Seat
from kibitz.core.message import Message
from kibitz.core.summary import DieStatistics, Pause, SummaryEvent


@dataclass(frozen=True, slots=True)
class RememberedEvent:
    """Worth remembering: `as-kimble.night-<kind>` says what of."""

    kind: str
    event: SummaryEvent


@dataclass(frozen=True, slots=True)
class DebtPoint:
    """The penalties that each seat owed and had done at a time, in the order of seats."""

    at: float
    owed: tuple[int, ...]
    done: tuple[int, ...]


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
    """The number of times that it did what `as-kimble.tally-<name>` names."""

    @property
    def total_penalties(self) -> int:
        return self.owed + self.done


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
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
    highlights: tuple[RememberedEvent, ...]
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
