"""A table in memory: a cache of its rows, who is there, and who is told when it grows."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from kibitz.core.game import CHANCE, REFEREE, Actor, Game, Seat, Viewer
from kibitz.core.message import Refused, message
from kibitz.core.record import Record, ReplayStep
from kibitz.games import game_of
from kibitz.server import wall_clock
from kibitz.server.db.store import StoredRow, StoredTable, TableLease
from kibitz.server.tables.settings import book_of, control_of, read_settings
from kibitz.table import EventsByViewer, Row, table_from_rows
from kibitz.table.clock import new_clock
from kibitz.table.commands import COMMANDS, command_word
from kibitz.table.seating import Member, People, people_at_opening
from kibitz.table.table import AGREE, ASK, BACK, AnyTable

if TYPE_CHECKING:
    from kibitz.server.tables.chat import ChatLog

AnyGame: TypeAlias = Game[Any, Any, Any]
AnyPlayed: TypeAlias = ReplayStep[Any, Any]
MAX_CATCH_UP_ROWS = 64
"""How many of the latest rows a connection can catch up on."""


class Subscriber(Protocol):
    """Somebody's page that shows the table."""

    @property
    def member(self) -> Member: ...
    def notify_change(self) -> None:
        """There is something new."""

    def notify_people(self) -> None:
        """Somebody came or went."""

    def notify_chat(self) -> None:
        """Something was said."""


@dataclass(frozen=True, slots=True)
class RowEffect:
    """What one row led to, for those who have not seen it."""

    events: EventsByViewer
    unchanged_lines: int
    """How many lines of the log it left as they were."""
    actor: Actor
    is_reveal: bool = False
    """Whether it showed what was hidden."""
    is_harmless: bool = False
    """Whether it takes nothing away from what others were about to do."""
    is_log_unchanged: bool = False
    """Whether the log is as it was."""


class LiveTable:
    def __init__(self, stored: StoredTable, rows: Sequence[StoredRow], carried: float = 0) -> None:
        """Replays all rows; raises Refused where they cannot be.

        `carried` is how long the server was up since the last of them.
        """
        self.stored = stored
        self.id, self.owner = stored.id, stored.owner
        self.settings = read_settings(stored.settings)
        record = Record(
            game=stored.game, rules=stored.rules, options=stored.options, start=stored.start
        )
        game, control = game_of(record), control_of(self.settings)
        turn = control.seconds if control and control.is_per_turn else 0.0
        self.absence_limit_s = max(self.settings.absence, turn)
        """How long the others have to wait for somebody; at least as long as a turn may take."""
        self.table: AnyTable = table_from_rows(
            game,
            (_table_row(stored, row) for row in rows),
            stored.start,
            people_at_opening(stored.owner, game.seats, stored.seats),
            new_clock(control, game.seats) if control else None,
            book_of(self.settings) if game.companion is not None else None,
        )
        self.request_keys = {row.key for row in rows if row.key}
        self.recent_effects: deque[RowEffect] = deque(maxlen=MAX_CATCH_UP_ROWS)
        self.lease: TableLease | None = None
        """As it was last written down; None where that is not known."""
        self.names: Mapping[Member, str] = {}
        """What people are called, as far as they said."""
        self.accounts: Collection[Member] = ()
        """Those who have one."""
        self.subscribers: set[Subscriber] = set()
        self._page_counts: Counter[Member] = Counter()
        """How many pages everybody has: those who look on may be many."""
        self.remote_members: frozenset[Member] = frozenset()
        """Who has pages at other workers."""
        self.left_at: dict[Member, float] = {}
        """When the last page of somebody went."""
        self.view_cache: dict[Any, str] = {}
        """What was sent of this position, for whoever sees the same (sights.py)."""
        self.common_log_lines: dict[tuple[Viewer, Viewer], int] = {}
        """How many lines of the log two viewers have in common for good (sights.py)."""
        self.layer_hashes: dict[Any, dict[int, dict[str, int]]] = {}
        """By look and row, the hash of each layer that was drawn: it need not be sent again."""
        self.people_cache: dict[Any, str] = {}
        """Likewise of the people (company.py)."""
        self.seat_cache: dict[Any, Any] = {}
        """How those at the seats look, for as long as nobody comes or goes (company.py)."""
        self.table_info_cache: dict[Any, Any] = {}
        """Likewise what there is to know beside the match, for what was the case (company.py)."""
        self.chat_log: ChatLog | None = None
        """What people say here, once anybody asked (chat.py)."""
        self.lock = asyncio.Lock()
        self._people_timer: asyncio.TimerHandle | None = None
        self.autoplay_task: asyncio.Task[None] | None = None
        self.opened_at = self.changed_at = time.monotonic()
        self._elapsed_before_s = carried
        self._answering_since: float | None = None
        self._update_answer_timer()

    @property
    def game(self) -> AnyGame:
        return self.table.game

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
        """Those somebody acts for now; a bot may keep one for them."""
        kept = self.people.stand_ins
        return tuple(seat for seat in self.people.seats_of(member) if seat not in kept)

    def stand_in_seats(self, member: Member) -> tuple[Seat, ...]:
        kept = self.people.stand_ins
        return tuple(seat for seat in self.people.seats_of(member) if seat in kept)

    def bot_to_act(self) -> Seat | None:
        return next((seat for seat in self.people.bots if self.table.actions(seat)), None)

    # Time

    @property
    def elapsed_s(self) -> float:
        """How long the latest position has been thought about."""
        return self._elapsed_before_s + time.monotonic() - self.changed_at

    def seconds_until_due(self) -> float | None:
        """In how many seconds the server has to look at this table; None: when somebody acts."""
        answering = self._answering_since
        if answering is not None:
            answering = answering + self.settings.answer - time.monotonic()
        return self._shortest_wait(self.table, self.elapsed_s, answering)

    def seconds_until_due_after(self, table: AnyTable) -> float | None:
        """Likewise, when the table has just come to this."""
        return self._shortest_wait(
            table, 0.0, self.settings.answer if self._has_pending_answers(table) else None
        )

    def _shortest_wait(
        self, table: AnyTable, spent: float, answering: float | None
    ) -> float | None:
        if _is_servers_turn(table):
            return 0.0
        waits = (
            [table.clock.seconds_left[s] - spent for s in table.seats_on_clock]
            if table.clock
            else []
        )
        waits += [] if answering is None else [answering]
        return max(0.0, min(waits)) if waits else None

    @property
    def is_servers_turn(self) -> bool:
        return _is_servers_turn(self.table)

    def die_delay_left(self) -> float:
        """For how long the die should be left alone: somebody may want to be quicker."""
        courtesy = self.game.policy.die_delay(self.table.state)
        return max(0.0, round(courtesy - self.elapsed_s, 3)) if courtesy else 0.0

    def seconds_to_answer(self) -> float | None:
        since = self._answering_since
        return None if since is None else max(0.0, since + self.settings.answer - time.monotonic())

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
        since = self._answering_since
        if since is None or time.monotonic() < since + self.settings.answer:
            return []
        missing = self.game.policy.default_answers(self.table.state)
        return [(seat, self.game.notation.write_action(action)) for seat, action in missing.items()]

    def _update_answer_timer(self) -> None:
        """An answer has its time from when it is first asked for."""
        if not self._has_pending_answers(self.table):
            self._answering_since = None
        elif self._answering_since is None:
            self._answering_since = time.monotonic()

    def _has_pending_answers(self, table: AnyTable) -> bool:
        rests = table.is_over or table.is_adjourned or not table.people or table.book
        return bool(
            self.settings.answer and not rests and self.game.policy.default_answers(table.state)
        )

    # Who is there

    def add_subscriber(self, page: Subscriber) -> None:
        was_here = self.is_present(page.member)
        self.subscribers.add(page)
        self._page_counts[page.member] += 1
        if not was_here and page.member in self.people.all_members:
            self.broadcast_people()

    def remove_subscriber(self, page: Subscriber) -> None:
        self.subscribers.remove(page)
        self._page_counts[page.member] -= 1
        if not self.is_present(page.member) and page.member in self.people.all_members:
            self.left_at[page.member] = time.monotonic()
            self.broadcast_people()

    def is_present(self, member: Member) -> bool:
        return self._page_counts.get(member, 0) > 0 or member in self.remote_members

    @property
    def local_members(self) -> set[Member]:
        """Those who have pages of this worker."""
        return {each for each, pages in self._page_counts.items() if pages}

    @property
    def present_members(self) -> set[Member]:
        """Those who have pages, of whichever worker."""
        return self.local_members | self.remote_members

    @property
    def has_viewers(self) -> bool:
        return bool(self.subscribers or self.remote_members)

    def set_remote_members(self, members: frozenset[Member]) -> None:
        changed = (members ^ self.remote_members) & self.people.all_members
        self.remote_members = members
        gone = (each for each in changed if not self.is_present(each))
        self.left_at |= dict.fromkeys(gone, time.monotonic())
        if changed:
            self.broadcast_people()

    def seconds_absent(self, seat: Seat, unseen_since: float | None = None) -> float:
        """For how long nobody of a seat has been there.

        Who has not been seen here may have been elsewhere until `unseen_since`; until the
        table was opened here, where nothing else is known.
        """
        members = self.people.members[seat]
        if not members or any(map(self.is_present, members)):
            return 0.0
        unseen = self.opened_at if unseen_since is None else unseen_since
        return time.monotonic() - max(self.left_at.get(each, unseen) for each in members)

    @property
    def last_write_at(self) -> float:
        """When it was last written to, or opened, by the monotonic clock."""
        return self.changed_at - self._elapsed_before_s

    def may_have_stand_in(self, seat: Seat) -> bool:
        """Whether its people have been away so long that a bot may be asked for."""
        return self.seconds_absent(seat) >= self.absence_limit_s

    def mark_active(self, member: Member) -> None:
        """Who acts is there, though it be without a page."""
        if not self.is_present(member):
            self.left_at[member] = time.monotonic()

    def schedule_people_broadcast(self, seconds: float) -> None:
        """Later; only the latest such wish counts."""
        if self._people_timer:
            self._people_timer.cancel()
        self._people_timer = asyncio.get_running_loop().call_later(seconds, self.broadcast_people)

    def broadcast_people(self) -> None:
        """Somebody came, went or is called otherwise."""
        self._clear_people_caches()
        self.people_cache.clear()
        self.view_cache.clear()
        for page in self.subscribers:
            page.notify_people()

    def _clear_people_caches(self) -> None:
        self.seat_cache.clear()
        self.table_info_cache.clear()

    # What happens

    def is_duplicate(self, member: Member, key: str) -> bool:
        """Whether somebody has sent this before."""
        return member_key(member, key) in self.request_keys

    def effects_since(self, seen: int | None) -> list[RowEffect]:
        """What came after row `seen`; nothing where that is too long ago to know."""
        missed = 0 if seen is None else self.seq - seen
        return list(self.recent_effects)[-missed:] if 0 < missed <= len(self.recent_effects) else []

    def is_still_valid(self, seq: int, actor: Actor) -> bool:
        """Whether what an actor was about to do at row `seq` can still be meant.

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

    def row_member(self, actor: Actor, sender: Member) -> Member:
        """Who is behind a row: the sender, unless a bot sits there."""
        bots = self.people.bots
        return f"bot:{bots[actor]}" if actor in bots and not sender else sender

    def dry_run(
        self, actor: Actor, texts: Sequence[str], sender: Member
    ) -> tuple[AnyTable, list[RowEffect], list[Row]]:
        """Where these texts lead, all of them, and the rows to write; raises Refused."""
        table, changes = self.table, []
        latest = table.rows[-1].at if table.rows else 0.0
        at, spent = max(latest, wall_clock.now() - self.stored.created), self.elapsed_s
        for text in texts:
            sent = self._rows_for(table, actor, text, sender)
            for row, after in zip(sent, (*sent[1:], None), strict=True):
                following, told = table.act(row.actor, row.text, row.member, at, spent)
                changes.append(_row_effect(table, following, row, _without_consents(told, after)))
                table, spent = following, 0.0
        return table, changes, list(table.rows[self.seq :])

    def apply_stored_rows(self, stored: Sequence[StoredRow], carried: float) -> None:
        """What another worker wrote; raises Refused where it does not follow.

        `carried` is how long ago it did.
        """
        table, changes = self.table, []
        rows = [_table_row(self.stored, row) for row in stored]
        for row, after in zip(rows, (*rows[1:], None), strict=True):
            following, told = table.act(row.actor, row.text, row.member, row.at, row.think_seconds)
            together = after if after and after.at == row.at else None
            changes.append(_row_effect(table, following, row, _without_consents(told, together)))
            table = following
        self.request_keys |= {row.key for row in stored if row.key}
        self.lease = None
        self.advance_to(table, changes, None)
        self._elapsed_before_s = carried

    def advance_to(self, table: AnyTable, changes: Iterable[RowEffect], key: str | None) -> None:
        if table.people is not self.table.people:
            self._clear_people_caches()
        self.table = table
        changes = list(changes)
        kept = min((change.unchanged_lines for change in changes), default=0)
        self.common_log_lines = {
            pair: min(lines, kept) for pair, lines in self.common_log_lines.items()
        }
        self.recent_effects.extend(changes)
        if key:
            self.request_keys.add(key)
        self._broadcast_change()

    def reload_from(self, fresh: LiveTable) -> None:
        self.table, self.request_keys = fresh.table, fresh.request_keys
        self._clear_people_caches()
        self.common_log_lines.clear()
        self.recent_effects.clear()
        self.lease = None
        self._broadcast_change()
        self._elapsed_before_s = fresh._elapsed_before_s

    def _broadcast_change(self) -> None:
        self.changed_at, self._elapsed_before_s = time.monotonic(), 0.0
        self._update_answer_timer()
        self.view_cache.clear()
        self.people_cache.clear()
        for page in self.subscribers:
            page.notify_change()

    def _rows_for(self, table: AnyTable, actor: Actor, text: str, sender: Member) -> list[Row]:
        """What to write for a text: where others must agree and would, they do.

        Bots always agree, but not to a draw, and so does whoever plays all the seats.
        """
        member = self.row_member(actor, sender)
        plain = [Row(actor, text, member)]
        if text == AGREE and table.pending_request:
            missing = (table.deciding_seats - table.pending_request.agreed_seats) & {
                *self.people.seats_of(sender)
            }
            return [
                Row(seat, AGREE, member) for seat in self.game.seats if seat in missing
            ] or plain
        asked = text.removeprefix(ASK)
        seats = self.game.seats
        if asked == text and actor in seats:
            number = text.removeprefix(BACK)
            if number == text or not (number.isascii() and number.isdecimal()) or len(number) > 9:
                return plain
            if int(number) >= len(table.history) or table.may_undo_freely(actor, int(number)):
                return plain
            mine = self.people.seats_of(sender)
            taken_back = table.history[int(number)].actor
            actor = taken_back if taken_back in mine else actor
        elif asked == text:
            return plain
        if self.people.bots and command_word(asked) not in BOT_CONSENTS:
            raise Refused(message("server.bots-play-on"))
        willing = [seat for seat in self._agreeing_seats(asked, sender) if seat != actor]
        others = {*self.people.playing_seats, *self.people.bots} - {actor}
        if asked == text and others - {*willing}:
            return plain
        asking = Row(actor, text if asked != text else ASK + text, member)
        return [asking, *(Row(seat, AGREE, self.row_member(seat, sender)) for seat in willing)]

    def _agreeing_seats(self, asked: str, sender: Member) -> list[Seat]:
        """Who agrees at once: bots, and the other seats of whoever asks."""
        about = asked.split(" ")[1:2]
        willing = {*self.people.seats_of(sender), *self.people.bots}
        return [seat for seat in self.game.seats if seat in willing and seat not in about]


BOT_CONSENTS = (
    *("back", "adjourn", "continue", "keep", "referee", "bookkeeper", "rematch"),
    *("break", "resume"),
)
"""What bots agree to: whatever makes the evening pleasant, but not how the match ends."""


def _is_servers_turn(table: AnyTable) -> bool:
    """Whether chance, a bot or the table itself has something to do."""
    people = table.people
    assert people
    if table.is_over:
        return table.rematch == ""
    if table.is_adjourned or not people.is_full:
        return False
    to_act = table.game.rules.to_act(table.state)
    return to_act == {CHANCE} or bool(to_act & people.bots.keys())


def _without_consents(told: EventsByViewer, after: Row | None) -> EventsByViewer:
    """Consents that the server gives itself go without saying, and so does what they are to."""
    is_agreed = after is not None and after.text == AGREE
    return dict.fromkeys(told, ()) if is_agreed else told


def member_key(member: Member, key: str) -> str:
    """Keys are their sender's: another one's of the same name is another one."""
    return f"{member}:{key}"


def _table_row(stored: StoredTable, row: StoredRow) -> Row:
    return Row(row.actor, row.text, row.member, row.at - stored.created, row.spent)


def _row_effect(before: AnyTable, after: AnyTable, row: Row, told: EventsByViewer) -> RowEffect:
    return RowEffect(
        events=told,
        unchanged_lines=_unchanged_lines(before, after),
        actor=row.actor,
        is_reveal=_has_reveal(before, after),
        is_harmless=_is_harmless(before, after, row),
        is_log_unchanged=after.history is before.history,
    )


def _is_harmless(before: AnyTable, after: AnyTable, row: Row) -> bool:
    """Somebody sat down, committed ahead, or said what can be said at any time."""
    if command_word(row.text) in COMMANDS or len(after.commitments) > len(before.commitments):
        return True
    to_act = before.game.rules.to_act(before.state)
    if row.actor in to_act or len(after.history) != len(before.history) + 1:
        return False
    played = after.history[-1]
    if played.step.action not in before.game.rules.anytime_actions(played.before, row.actor):
        return False
    return after.game.rules.to_act(after.state) == to_act


def _has_reveal(before: AnyTable, after: AnyTable) -> bool:
    return any(played.step.is_reveal for played in after.history[len(before.history) :])


def _unchanged_lines(before: AnyTable, after: AnyTable) -> int:
    """How many lines of the log stay as they were.

    A reveal rewrites those since the last one, and so does taking a reveal back.
    """
    kept = min(len(before.history), len(after.history))
    if _has_reveal(before, after) or _has_reveal(after, before):
        while kept and not after.history[kept - 1].step.is_reveal:
            kept -= 1
    return kept
