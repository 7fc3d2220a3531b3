"""The summary of a match on a real board: figures and messages, with labels that its game makes.

Times are seconds since the table opened; numbers of actions count from one on, as in the record.
"""

from __future__ import annotations

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
    """An event worth remembering, and the title that says what for."""

    title: Message
    event: SummaryEvent


@dataclass(frozen=True, slots=True)
class Pause:
    start_s: float
    end_s: float | None
    """None while it lasts."""


@dataclass(frozen=True, slots=True)
class Honour:
    """A remark on the result: how it was won, or who deserves praise beside the winner."""

    message: Message
    seats: tuple[Seat, ...] = ()
    """Those whom its value `names` names together, by the names of their teams."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table that has a line for each seat."""

    heading: Message
    unit: str = ""
    """The message that writes a figure with its unit, as its value `amount`; none: a number."""
    is_shared: bool = False
    """True if the people of a seat have it in equal parts, shown beside their names."""
    abstainers: Message | None = None
    """Shown in the place of a share, for those who have none."""


@dataclass(frozen=True, slots=True)
class SeatFigures:
    """The line of a seat."""

    seat: Seat
    people: int
    """The number of those who share its figures, where nobody said their names."""
    figures: tuple[float, ...]
    """In the order of the columns."""


@dataclass(frozen=True, slots=True)
class Course:
    """The same figures of every seat over time, as one chart for each title."""

    titles: tuple[Message, ...]
    points: tuple[CoursePoint, ...]
    """At the start, wherever any of them changed, and at the end."""

    @property
    def start(self) -> float:
        return self.points[0].at

    @property
    def end(self) -> float:
        return self.points[-1].at


@dataclass(frozen=True, slots=True)
class CoursePoint:
    at: float
    figures: tuple[tuple[int, ...], ...]
    """For each chart those of the seats, in their order."""


@dataclass(frozen=True, slots=True)
class Tally:
    """A count of each seat, in their order."""

    label: Message
    counts: tuple[int, ...]
    is_always_shown: bool = False
    """True if it is shown although nobody has any."""


@dataclass(frozen=True, slots=True)
class DieStatistics:
    """The number of times that the die has shown each face, from one on, and remarks on them."""

    counts: tuple[int, ...]
    remarks: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    winner: Seat | None
    is_over: bool
    verdict: Message
    honours: tuple[Honour, ...] = ()
    unit: Message | None = None
    """The meaning of one of what the columns count."""
    columns: tuple[Column, ...]
    seats: tuple[SeatFigures, ...]
    course: Course
    highlights: tuple[Highlight, ...] = ()
    tallies: tuple[Tally, ...] = ()
    log: tuple[SummaryEvent, ...] = ()
    """Rulings, notes and the like, each as it was said."""
    pauses: tuple[Pause, ...] = ()
    die_statistics: DieStatistics | None = None
    """None for a game without a die."""
    is_replayable: bool = False
    """True if the board was kept, at least for a part of it."""
