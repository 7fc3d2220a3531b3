"""The time at a position: since when it is thought about, and when the server has to look."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from kibitz.core.game import Seat
from kibitz.table.autoplay import is_automatic
from kibitz.table.table import AnyTable


@dataclass(frozen=True, slots=True)
class PositionTimer:
    table: AnyTable
    answer_limit_s: float
    """An answer that a game has a default for may take so long; 0: as long as it takes."""
    carried_s: float = 0.0
    """The time it had been thought about before."""
    answering_since: float | None = None
    """When an answer was first asked for, by the monotonic clock."""
    started_at: float = field(default_factory=time.monotonic)

    def after(self, table: AnyTable, carried_s: float = 0.0) -> PositionTimer:
        """The timer of the next position; an answer has its time from when it is first asked."""
        return start_timer(table, self.answer_limit_s, carried_s, self.answering_since)

    @property
    def elapsed_s(self) -> float:
        return self.carried_s + time.monotonic() - self.started_at

    @property
    def last_write_at(self) -> float:
        """The time of the last write to the table, or of its opening, by the monotonic clock."""
        return self.started_at - self.carried_s

    @property
    def is_servers_turn(self) -> bool:
        """True if chance, a bot or the table itself has something to do."""
        table, people = self.table, self.table.people
        assert people
        if table.is_over:
            return table.rematch == ""
        return is_automatic(table, people.bots)

    def seconds_until_due(self) -> float | None:
        """In how many seconds the server has to look at the table; None: when somebody acts."""
        if self.is_servers_turn:
            return 0.0
        clock = self.table.clock
        waits = [self.clock_left(seat) for seat in self.table.seats_on_clock] if clock else []
        answer = self.seconds_to_answer()
        waits += [] if answer is None else [answer]
        return max(0.0, min(waits)) if waits else None

    def die_delay_left(self) -> float:
        """For how long the die should be left alone: somebody may want to be quicker."""
        delay = self.table.game.policy.die_delay(self.table.state)
        return max(0.0, round(delay - self.elapsed_s, 3)) if delay else 0.0

    def seconds_to_answer(self) -> float | None:
        since = self.answering_since
        return None if since is None else max(0.0, since + self.answer_limit_s - time.monotonic())

    def clock_left(self, seat: Seat) -> float:
        assert self.table.clock
        left = self.table.clock.seconds_left[seat]
        return left - self.elapsed_s if seat in self.table.seats_on_clock else left

    def flagged_seats(self) -> list[Seat]:
        if not self.table.clock:
            return []
        return [seat for seat in self.table.seats_on_clock if self.clock_left(seat) <= 0]

    def overdue_answers(self) -> list[tuple[Seat, str]]:
        """The answers that count for those who have not given one in time."""
        if self.answering_since is None or self.seconds_to_answer():
            return []
        game = self.table.game
        missing = game.policy.default_answers(self.table.state)
        return [(seat, game.notation.write_action(action)) for seat, action in missing.items()]


def start_timer(
    table: AnyTable,
    answer_limit_s: float,
    carried_s: float = 0.0,
    answering_since: float | None = None,
) -> PositionTimer:
    since = None
    if answer_limit_s and _has_pending_answers(table):
        since = time.monotonic() if answering_since is None else answering_since
    return PositionTimer(table, answer_limit_s, carried_s, since)


def _has_pending_answers(table: AnyTable) -> bool:
    rests = table.is_over or table.is_adjourned or not table.people or table.book
    return not rests and bool(table.game.policy.default_answers(table.state))
