"""The time at a position: since when it is thought about, and when the server has to look."""

from __future__ import annotations

import time

from msgspec import field

from kibitz.core.caching import cache_latest
from kibitz.core.game import Actor, Seat
from kibitz.core.values import FrozenValue
from kibitz.table.autoplay import is_automatic
from kibitz.table.table import AGREE, AnyTable

MAX_CACHED_TURNS = 256
"""It is asked before a row is written and several times afterwards, with others in between."""


class AnswerLimits(FrozenValue, frozen=True):
    answer_s: float
    """An answer that a game has a default for may take so long; 0: as long as it takes."""
    consent_s: float
    """After so long whoever has not answered agrees to a request that needs everybody."""
    are_all_reminded: bool = True
    """True if everybody is shown who has to be quicker than the die."""


class PositionTimer(FrozenValue, frozen=True):
    table: AnyTable
    limits: AnswerLimits
    carried_s: float = 0.0
    """The time it had been thought about before."""
    answering_since: float | None = None
    """When an answer was first asked for, by the monotonic clock."""
    started_at: float = field(default_factory=time.monotonic)
    die_delay_since: float | None = None
    """Since when the die is left alone; None where it is not."""

    def after(self, table: AnyTable, carried_s: float = 0.0) -> PositionTimer:
        """The timer of the next position; an answer has its time from when it is first asked, and
        what is said meanwhile does not keep the die for longer."""
        return start_timer(
            table, self.limits, carried_s, self.answering_since, self.die_delay_since
        )

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
        return _is_servers_turn(self.table)

    def seconds_until_due(self) -> float | None:
        """In how many seconds the server has to look at the table; None: when somebody acts."""
        if _is_servers_turn(self.table):
            return 0.0
        clock = self.table.clock
        waits = [self.clock_left(seat) for seat in self.table.seats_on_clock] if clock else []
        answers = self.seconds_to_answer(), self.seconds_to_consent()
        waits += [seconds for seconds in answers if seconds is not None]
        return max(0.0, min(waits)) if waits else None

    def die_delay_left(self) -> float:
        """For how long the die should be left alone: somebody may want to be quicker."""
        if self.die_delay_since is None:
            return 0.0
        delay_s = self.table.die_delay_s(self.limits.are_all_reminded)
        return max(0.0, round(self.die_delay_since + delay_s - time.monotonic(), 3))

    def seconds_to_answer(self) -> float | None:
        since = self.answering_since
        return None if since is None else max(0.0, since + self.limits.answer_s - time.monotonic())

    def seconds_to_consent(self) -> float | None:
        """For how long somebody may still decline what all are asked for; None where they are not.

        By the rows: so it goes on where it was, whoever looks at the table.
        """
        asked = self.table.pending_request
        if asked is None or not self.table.needs_everybody(asked.text):
            return None
        if self.table.is_over or self.table.is_adjourned:
            return None
        return max(0.0, self.limits.consent_s - asked.open_seconds - self.elapsed_s)

    def clock_left(self, seat: Seat) -> float:
        assert self.table.clock
        left = self.table.clock.seconds_left[seat]
        return left - self.elapsed_s if seat in self.table.seats_on_clock else left

    def flagged_seats(self) -> list[Seat]:
        if not self.table.clock:
            return []
        return [seat for seat in self.table.seats_on_clock if self.clock_left(seat) <= 0]

    def overdue_answers(self) -> list[tuple[Actor, str]]:
        """The answers that count for those who have not given one in time."""
        return [*self._overdue_consents(), *self._default_answers()]

    def _overdue_consents(self) -> list[tuple[Actor, str]]:
        asked = self.table.pending_request
        if asked is None or self.seconds_to_consent() != 0.0:
            return []
        return [(actor, AGREE) for actor in sorted(self.table.deciders - asked.agreed_actors)]

    def _default_answers(self) -> list[tuple[Actor, str]]:
        if self.answering_since is None or self.seconds_to_answer():
            return []
        game = self.table.game
        missing = game.policy.default_answers(self.table.state)
        return [(seat, game.notation.write_action(action)) for seat, action in missing.items()]


def start_timer(
    table: AnyTable,
    limits: AnswerLimits,
    carried_s: float = 0.0,
    answering_since: float | None = None,
    die_delay_since: float | None = None,
) -> PositionTimer:
    since = _answering_since(table, limits, answering_since)
    if not table.die_delay_s(limits.are_all_reminded):
        die_delay_since = None
    elif die_delay_since is None:
        die_delay_since = time.monotonic() - carried_s
    return PositionTimer(table, limits, carried_s, since, die_delay_since=die_delay_since)


def unstarted_timer(table: AnyTable, limits: AnswerLimits) -> PositionTimer:
    """The timer of a table that nobody has thought about yet."""
    return PositionTimer(table, limits, answering_since=_answering_since(table, limits, None))


def _answering_since(table: AnyTable, limits: AnswerLimits, before: float | None) -> float | None:
    if not limits.answer_s or not _has_pending_answers(table):
        return None
    return time.monotonic() if before is None else before


@cache_latest(MAX_CACHED_TURNS)
def _is_servers_turn(table: AnyTable) -> bool:
    assert table.people
    return table.rematch == "" if table.is_over else is_automatic(table, table.people.bots)


def _has_pending_answers(table: AnyTable) -> bool:
    if not table.game.policy.default_answers(table.state):
        return False
    return not (table.is_over or table.is_adjourned or not table.people or table.book)
