"""A table in memory: a cache of its rows, who is there, and who is told when it grows."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec.structs import replace

from kibitz.core.game import REFEREE, Actor, Game, Seat
from kibitz.core.record import Record, ReplayStep
from kibitz.games import game_of
from kibitz.server import wall_clock
from kibitz.server.db.store import StoredRow, StoredTable, TableLease
from kibitz.server.tables.live.change_queue import ChangeQueue
from kibitz.server.tables.live.consent import rows_for
from kibitz.server.tables.live.position import Position
from kibitz.server.tables.live.presence import Presence, Subscriber
from kibitz.server.tables.live.row_effects import RowEffect, act_rows
from kibitz.server.tables.live.timer import start_timer
from kibitz.server.tables.live.view_caches import ViewCaches
from kibitz.server.tables.settings import answer_limits, book_of, control_of, read_settings
from kibitz.table import Row, table_from_rows
from kibitz.table.clock import new_clock
from kibitz.table.seating import Member, People, people_at_opening
from kibitz.table.table import AnyTable

if TYPE_CHECKING:
    from kibitz.server.tables.chat import ChatLog

AnyGame: TypeAlias = Game[Any, Any, Any]
AnyPlayed: TypeAlias = ReplayStep[Any, Any]
MAX_CATCH_UP_ROWS = 64
"""So many of the latest rows a connection can catch up on."""


class LiveTable:
    def __init__(self, stored: StoredTable, rows: Sequence[StoredRow], carried: float = 0) -> None:
        """Replays all rows; raises Refused where they cannot be.

        `carried` is how long the server was up since the last of them.
        """
        self.stored = stored
        self.id, self.owner = stored.id, stored.owner
        self.settings = read_settings(stored.settings)
        record = Record(
            game=stored.game, rules=stored.rules_version, options=stored.options, start=stored.start
        )
        game, control = game_of(record), control_of(self.settings)
        turn = control.seconds if control and control.is_per_turn else 0.0
        self.absence_limit_s = max(self.settings.absence_seconds, turn)
        """The others wait for somebody so long; at least as long as a turn may take."""
        replayed = [_table_row(stored, row) for row in rows]
        before = table_from_rows(
            game,
            replayed[:-MAX_CATCH_UP_ROWS],
            stored.start,
            people_at_opening(stored.owner, game.seats, stored.seats),
            new_clock(control, game.seats) if control else None,
            book_of(self.settings) if game.companion is not None else None,
            game.companion is None and self.settings.reminders is not None,
        )
        # Whoever comes back after a restart may have seen a part of these rows.
        latest: tuple[AnyTable, list[RowEffect]] = act_rows(before, replayed[-MAX_CATCH_UP_ROWS:])
        self.table, effects = latest
        self._position = Position(self.table)
        self.timer = start_timer(self.table, answer_limits(self.settings), carried)
        self.request_keys = {row.key for row in rows if row.key}
        self.recent_effects: deque[RowEffect] = deque(effects, maxlen=MAX_CATCH_UP_ROWS)
        self.lease: TableLease | None = None
        """As it was last written down; None where that is not known."""
        self.names: Mapping[Member, str] = {}
        """The names that people chose."""
        self.accounts: Collection[Member] = ()
        """Those who have one."""
        self.presence = Presence()
        self.caches = ViewCaches()
        self.chat_log: ChatLog | None = None
        """The chat, once anybody asked (chat.py)."""
        self.is_draw_due = False
        """A draw waits for what seats have chosen to add to the dice."""
        self._counted = 0, 0
        """The rows whose letters are counted, and these."""
        self.changes = ChangeQueue()
        self.autoplay_task: asyncio.Task[None] | None = None
        self._people_timer: asyncio.TimerHandle | None = None

    @property
    def game(self) -> AnyGame:
        return self.table.game

    @property
    def position(self) -> Position:
        """The position of now, about which everything is asked once."""
        if self._position.table is not self.table:
            self._position = Position(self.table)
        return self._position

    @property
    def people(self) -> People:
        assert self.table.people
        return self.table.people

    @property
    def seq(self) -> int:
        return len(self.table.rows)

    @property
    def bots(self) -> dict[Seat, str]:
        return dict(self.people.bots)

    def seats_of(self, member: Member) -> tuple[Seat, ...]:
        """Those somebody acts for now; a bot may fill in for them."""
        held = self.people.seats_of(member)
        if not self.people.bots:
            return held
        filled = self.people.fill_ins
        return tuple(seat for seat in held if seat not in filled)

    def fill_in_seats(self, member: Member) -> tuple[Seat, ...]:
        filled = self.people.fill_ins
        return tuple(seat for seat in self.people.seats_of(member) if seat in filled)

    def seat_now(self, seat: Seat) -> Seat:
        """The seat that one has become since the table opened: people move with their colours."""
        for played in self.table.history:
            seat = played.step.seat_changes.get(seat, seat)
        return seat

    @property
    def people_at_first_seats(self) -> People:
        """The people at the seats that theirs were at first: links to a seat speak of these."""
        return self.people.with_seats_moved({self.seat_now(seat): seat for seat in self.game.seats})

    @property
    def is_autoplaying(self) -> bool:
        return self.autoplay_task is not None and not self.autoplay_task.done()

    # People

    def add_subscriber(self, page: Subscriber) -> None:
        if self.presence.add(page):
            self._note_arrivals({page.member})

    def remove_subscriber(self, page: Subscriber) -> None:
        if self.presence.remove(page):
            self._note_arrivals({page.member})

    def set_remote_members(self, members: frozenset[Member]) -> None:
        self._note_arrivals(self.presence.set_remote_members(members))

    def _note_arrivals(self, changed: AbstractSet[Member]) -> None:
        """Tell of those who came or went, as far as they belong to the table."""
        known = changed & self.people.all_members
        for member in known:
            self.presence.mark_active(member)
        if known:
            self.broadcast_people()

    def seconds_absent(self, seat: Seat) -> float:
        """For how long nobody of a seat has been there."""
        return self.presence.seconds_absent(self.people.members[seat])

    def can_be_filled_in(self, seat: Seat) -> bool:
        """True if its people have been away so long that a bot may be asked for."""
        return self.seconds_absent(seat) >= self.absence_limit_s

    def schedule_absence_notice(self, member: Member) -> None:
        """Tell the others once somebody has been away so long that they may be replaced.

        Only the latest such wish counts.
        """
        if member not in self.people.all_members:
            return
        if self._people_timer:
            self._people_timer.cancel()
        loop = asyncio.get_running_loop()
        self._people_timer = loop.call_later(self.absence_limit_s + 0.05, self.broadcast_people)

    def broadcast_people(self) -> None:
        """Tell every page who is there: someone came, went or changed their name."""
        self.caches.clear_people()
        self.caches.clear_messages()
        for page in self.presence.subscribers:
            page.notify_people()

    # Rows

    def is_duplicate(self, member: Member, key: str) -> bool:
        """True if somebody has sent this before."""
        return member_key(member, key) in self.request_keys

    def effects_since(self, seen: int | None) -> list[RowEffect]:
        """The effects of rows after `seen`; none where that is too long ago to know."""
        missed = 0 if seen is None else self.seq - seen
        if not 0 < missed <= len(self.recent_effects):
            return []
        return [self.recent_effects[at] for at in range(-missed, 0)]

    def is_still_valid(self, seq: int, actor: Actor) -> bool:
        """True if what an actor was about to do at row `seq` can still be meant.

        A ruling may put something else in the place of all there is: it is about what was seen.
        """
        if seq == self.seq:
            return True
        unseen = self.effects_since(seq)
        if len(unseen) != self.seq - seq or not 0 <= seq < self.seq:
            return False
        if actor == REFEREE:
            return all(each.is_log_unchanged for each in unseen)
        return all(each.is_harmless and each.actor != actor for each in unseen)

    def dry_run(
        self, actor: Actor, texts: Sequence[str], sender: Member
    ) -> tuple[AnyTable, list[RowEffect], Sequence[Row]]:
        """The table after all of these texts, and the rows to write; raises Refused."""
        table, effects = self.table, list[RowEffect]()
        latest = table.rows[-1].at if table.rows else 0.0
        at, spent = max(latest, wall_clock.now() - self.stored.created_at), self.timer.elapsed_s
        for text in texts:
            absent = partial(self._absent_actors, sender)
            first, *others = rows_for(table, actor, text, sender, absent)
            rows = [Row(first.actor, first.text, first.member, at, spent)]
            rows += [replace(row, at=at) for row in others]
            table, more = act_rows(table, rows)
            effects, spent = effects + more, 0.0
        return table, effects, table.rows[self.seq :]

    def _absent_actors(self, sender: Member) -> frozenset[Actor]:
        """The seats, and the referee, of whom nobody is there."""
        people = self.people
        members = {seat: people.members[seat] for seat in people.playing_seats}
        actors = {**members, REFEREE: (people.arbiter,)}
        return frozenset(
            actor
            for actor, sitting in actors.items()
            if not any(each == sender or self.presence.can_answer(each) for each in sitting)
        )

    def apply_stored_rows(self, stored: Sequence[StoredRow], carried: float) -> None:
        """Go on by what another worker wrote; raises Refused where it does not follow.

        `carried` is how long ago it did.
        """
        table, effects = act_rows(self.table, [_table_row(self.stored, row) for row in stored])
        self.request_keys |= {row.key for row in stored if row.key}
        self.lease = None
        self.advance_to(table, effects, carried=carried)

    def advance_to(
        self,
        table: AnyTable,
        effects: Sequence[RowEffect],
        key: str | None = None,
        carried: float = 0.0,
    ) -> None:
        if table.people is not self.table.people:
            self.caches.clear_people()
        self.table = table
        self.caches.limit_log_lines(min([each.unchanged_lines for each in effects], default=0))
        self.recent_effects.extend(effects)
        if key:
            self.request_keys.add(key)
        self._broadcast_change(carried)

    @property
    def letters(self) -> int:
        """The letters of all rows; each row is counted once."""
        count, letters = self._counted
        rows = self.table.rows
        for row in rows[count:]:
            letters += len(row.text)
        self._counted = len(rows), letters
        return letters

    def reload_from(self, fresh: LiveTable) -> None:
        self.stored, self.table, self.request_keys = fresh.stored, fresh.table, fresh.request_keys
        self.caches.clear_people()
        self.caches.forget_log()
        self.recent_effects.clear()
        self._counted = 0, 0
        self.lease = None
        self._broadcast_change(fresh.timer.carried_s)

    def _broadcast_change(self, carried: float) -> None:
        self.timer = self.timer.after(self.table, carried)
        self.caches.clear_messages()
        for page in self.presence.subscribers:
            page.notify_change()


def member_key(member: Member, key: str) -> str:
    """Keys are their sender's: another one's of the same name is another one."""
    return f"{member}:{key}"


def _table_row(stored: StoredTable, row: StoredRow) -> Row:
    return Row(row.actor, row.text, row.member, row.at - stored.created_at, row.think_seconds)
