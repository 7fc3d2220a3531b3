"""All tables of this worker: found, opened, acted at. The face of this package to the others."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from kibitz.core.game import Seat
from kibitz.core.message import Refused, message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server import wall_clock
from kibitz.server.db.queries import leases
from kibitz.server.db.queries.accounts import members_without_account
from kibitz.server.db.store import Store, StoredTable
from kibitz.server.tables import ratings
from kibitz.server.tables.actions import Actions
from kibitz.server.tables.autoplay import Autoplay
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.chat import Chat
from kibitz.server.tables.cluster.leases import Leases
from kibitz.server.tables.cluster.pubsub import PubSub
from kibitz.server.tables.cluster.sync import Cluster
from kibitz.server.tables.deadlines import Deadlines, DueTimes, Uptime
from kibitz.server.tables.live.presence import Subscriber
from kibitz.server.tables.live_table import AnyGame, LiveTable
from kibitz.server.tables.people import DisplayNames, SeatSubscriptions
from kibitz.server.tables.reminders import customary_reminders
from kibitz.server.tables.settings import TableSettings, next_match_settings, write_settings
from kibitz.server.tables.solo.exhibitions import ExhibitionQueue
from kibitz.server.tables.table_cache import TableCache
from kibitz.table.companion import Book
from kibitz.table.seating import Member
from kibitz.table.table import hides_something

log = logging.getLogger(__name__)

TABLE_ID_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTable:
    """A table to be opened."""

    id: str = ""
    """A new one, if none is given."""
    game: str
    host: Member
    members: Mapping[Seat, Sequence[Member]]
    bots: Mapping[Seat, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    settings: TableSettings = field(default_factory=TableSettings)
    start: str = START
    entropy: str = ""
    is_open: bool = False
    seeking: str | None = None
    is_by_rulebook: bool = False
    """Without what we suggest beside what was chosen."""


class LiveTables:
    def __init__(self, store: Store, bot_pool: BotPool, pubsub: PubSub | None = None) -> None:
        self.store, self.bot_pool = store, bot_pool
        self.pubsub = pubsub = pubsub or PubSub(is_alone=True)
        self.on_person_change: Callable[[Member], None] = lambda member: None
        """Called with somebody of whom another worker has something new."""
        self.on_limit: Callable[[str, int], None] = lambda about, n: None
        """Called with what another worker has counted."""
        self.seats = SeatSubscriptions(pubsub)
        self._due_times = DueTimes()
        self._tasks: set[asyncio.Task[None]] = set()
        self._names = names = DisplayNames(store, pubsub, self._broadcast_name)
        self.chat = Chat(store, pubsub, names.refresh)
        self._uptime, self._leases = Uptime(store), Leases(store, pubsub)
        self._cache = TableCache(
            store, names, self._uptime, self._due_times, pubsub.is_single_worker
        )
        self.actions = Actions(store, pubsub, self._cache, self._leases, names, self._go_on)
        self._autoplay = Autoplay(
            *(bot_pool, self._leases, self.actions, self._open_rematch, ExhibitionQueue(bot_pool))
        )
        self._deadlines = Deadlines(
            store,
            self._due_times,
            self._run_in_background,
            self.find_table,
            self.actions.apply_deadlines,
            self._go_on,
        )
        self._cluster = Cluster(
            store, pubsub, self._cache, names, self.chat, self._run_in_background
        )

    async def start(self) -> None:
        """Go on where the server was when it last stopped, in whatever way."""
        await self._uptime.load()
        loops = [self._uptime.heartbeat_loop(), self._deadlines.loop()]
        if self.pubsub.is_single_worker:
            self._due_times.load(await leases.due_times(self.store))
        else:
            self._cluster.start(
                self._reload_person, self.seats.notify, lambda about, n: self.on_limit(about, n)
            )
            loops += [
                self._cluster.poll_loop(self._autoplay.start),
                self._leases.loop(
                    lambda: self._cache.autoplaying_tables, self._deadlines.check_soon
                ),
            ]
        self._tasks |= {asyncio.create_task(loop) for loop in loops}

    async def close(self) -> None:
        playing = [live.autoplay_task for live in self._cache.tables if live.autoplay_task]
        tasks = (*playing, *self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._cluster.close()

    def _run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Beside all else, and said if it goes wrong."""

        async def run_work() -> None:
            try:
                await work
            except Exception as error:
                log.warning("not done: %s", error)

        task = asyncio.create_task(run_work())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # People

    async def display_name(self, member: Member) -> str:
        """The name somebody chose; empty where they did not."""
        return await self._names.display_name(member)

    async def rename_member(self, member: Member, name: str) -> None:
        await self._names.rename(member, name)

    async def refresh_member(self, member: Member) -> None:
        """Look up a member anew who has gained or lost an account."""
        await self._names.reload(member)
        await self._reload_chats_of(member)

    def _reload_person(self, member: Member) -> None:
        """Another worker has something new of somebody."""
        self.on_person_change(member)
        self._run_in_background(self._names.refresh({member}))
        self._run_in_background(self._reload_chats_of(member))

    def _broadcast_name(self, member: Member) -> None:
        for live in self._cache.tables:
            if member in live.people.all_members:
                live.broadcast_people()

    async def _reload_chats_of(self, member: Member) -> None:
        """Read chats anew: what somebody said may be gone together with them."""
        for live in self._cache.tables:
            if live.chat_log and member in live.chat_log.members:
                await self.chat.reload_log(live)

    def subscribe(self, live: LiveTable, page: Subscriber) -> None:
        """A page shows a table from now on."""
        was_shown = page.member in live.presence.local_members
        live.add_subscriber(page)
        if not was_shown:
            self._cluster.publish_presence_soon(live)
        self._autoplay.start(live)

    def unsubscribe(self, live: LiveTable, page: Subscriber) -> None:
        live.remove_subscriber(page)
        if page.member not in live.presence.local_members:
            self._cluster.publish_presence_soon(live)
        live.schedule_absence_notice(page.member)

    async def refresh_presence(self, live: LiveTable) -> None:
        """Learn who is at a table by another worker."""
        await self._cluster.refresh_presence(live)

    # Tables

    async def find_table(self, table_id: str) -> LiveTable | None:
        """The table as its rows are now; raises Refused where they cannot be replayed."""
        return await self._cache.find(table_id)

    async def find_readable(self, table_id: str) -> LiveTable | None:
        """The table as its rows are now; None also where they cannot be replayed."""
        with suppress(Refused):
            return await self.find_table(table_id)
        return None

    async def open_table(self, new_table: NewTable) -> str:
        """A new table; its id. Raises Refused by its options or its start."""
        live = await self._with_reminders(_build_table(new_table))
        if new_table.settings.rated and not new_table.id:
            await _refuse_unratable(self.store, new_table, live.game)
        live.lease = self._leases.lease_after(live, live.table)
        await self.store.open_table(live.stored, live.lease)
        there = await self.store.table(live.id) if new_table.id else live.stored
        if there is None or there.created_at != live.stored.created_at:
            return live.id  # Another worker was faster, and what it opened counts.
        await self._cache.add(live)
        self._autoplay.start(live)
        self.seats.publish(live.people.all_members)
        return live.id

    async def _with_reminders(self, live: LiveTable) -> LiveTable:
        """The table with its house rule about reminders: it stays, whoever comes and goes."""
        if live.settings.reminders is not None:
            return live
        rule = await customary_reminders(self.store, live)
        settings = msgspec.structs.replace(live.settings, reminders=rule)
        return LiveTable(replace(live.stored, settings=write_settings(settings)), ())

    async def _open_rematch(self, live: LiveTable) -> str:
        following = _rematch_id(live.stored)
        if await self.store.table(following) is None:
            has_chat = await self.chat.is_on(live)
            await self.open_table(await _rematch_of(self.store, live, has_chat))
        return following

    def _go_on(self, live: LiveTable, newcomer: Member = "") -> None:
        """A table has grown, or was looked at: see what comes next, and when."""
        if newcomer:
            self.seats.publish({newcomer})
        is_automatic = live.timer.is_servers_turn
        due = None if is_automatic else live.timer.seconds_until_due()
        self._due_times.schedule(live.id, due)
        if is_automatic or live.people.bots:
            self._autoplay.start(live)


def _build_table(new_table: NewTable) -> LiveTable:
    """The table before anybody has acted; raises Refused by its options or its start."""
    rulebook, given = GAMES[new_table.game], new_table.options
    suggested = rulebook.suggested_options(given)
    if not any(new_table.members.values()):
        suggested = {**rulebook.bots_preset, **given}
    rules = rulebook.game(given if new_table.is_by_rulebook else suggested)
    if new_table.start != START:
        first = rules.notation.read_state(new_table.start)
        if not _is_private(new_table, rules) and hides_something(rules, first):
            raise Refused(message("server.start-hides"))
    stored = StoredTable(
        id=new_table.id or _table_id_from(secrets.token_bytes(32)),
        game=new_table.game,
        rules_version=rulebook.version,
        options=dict(rules.options),
        start=new_table.start,
        seats=_stored_seats(new_table, rules),
        created_at=wall_clock.now(),
        owner=new_table.host,
        settings=write_settings(new_table.settings),
        seed=secrets.token_hex(32) if rules.policy.has_chance else None,
        is_open=new_table.is_open,
        seek_key=new_table.seeking,
    )
    return LiveTable(stored, ())


def _is_private(new_table: NewTable, rules: AnyGame) -> bool:
    """True if nobody but the host and bots plays there, nor can."""
    members = {each for sitting in new_table.members.values() for each in sitting}
    taken = {seat for seat, sitting in new_table.members.items() if sitting} | {*new_table.bots}
    return not new_table.is_open and members <= {new_table.host} and taken >= {*rules.seats}


def _stored_seats(new_table: NewTable, rules: AnyGame) -> dict[str, dict[str, Any]]:
    seats: dict[str, dict[str, Any]] = {}
    for seat in rules.seats:
        if bot := new_table.bots.get(seat):
            seats[seat] = {"bot": bot, "entropy": new_table.entropy}
        elif members := new_table.members.get(seat):
            seats[seat] = {"members": list(members), "entropy": new_table.entropy}
    return seats


async def _refuse_unratable(store: Store, new_table: NewTable, rules: AnyGame) -> None:
    members = new_table.members
    if why := ratings.why_unrated(rules, new_table.start, members, new_table.bots.keys()):
        raise Refused(why)
    everybody = {new_table.host, *(each for sitting in members.values() for each in sitting)}
    await ratings.refuse_without_account(store, everybody)


def _rematch_id(stored: StoredTable) -> str:
    """Follows from this table, so that nothing is opened twice whatever happens meanwhile; and from
    what only the server knows of it."""
    secret = f"after {stored.id} by {stored.owner} at {stored.created_at!r}"
    return _table_id_from(hashlib.sha256(secret.encode()).digest())


async def _rematch_of(store: Store, live: LiveTable, has_chat: bool) -> NewTable:
    """A table for the same people and rules, everybody one seat further. Around a real board
    everybody stays where they sit, and the book knows who has won so far."""
    stored, people, seats = live.stored, live.people, live.game.seats
    turned = seats if live.table.book else (*seats[1:], seats[0])
    next_seat = dict(zip(seats, turned, strict=True))
    book, game = live.table.book, live.game.policy.reseated_game(next_seat) or live.game
    settings = live.settings
    if book:
        settings = next_match_settings(settings, _with_winner(live, book))
    playing = {member for sitting in people.members.values() for member in sitting}
    is_rated = settings.rated and not await members_without_account(store, playing)
    return NewTable(
        id=_rematch_id(live.stored),
        game=stored.game,
        host=people.host,
        members={next_seat[s]: sit for s, sit in people.members.items() if sit},
        bots={next_seat[s]: bot for s, bot in people.bots.items() if s not in people.fill_ins},
        options=game.options,
        settings=msgspec.structs.replace(settings, rated=is_rated, chat=has_chat),
        start=START if hides_something(live.game, live.table.first) else stored.start,
        is_open=stored.is_open,
        is_by_rulebook=True,
    )


def _with_winner(live: LiveTable, book: Book) -> Book:
    payoffs = live.table.outcome.payoffs if live.table.outcome else ()
    winners = [seat for seat, payoff in zip(live.game.seats, payoffs, strict=False) if payoff > 0]
    return book.with_win(winners[0]) if winners else book


def _table_id_from(noise: bytes) -> str:
    """Twelve letters and digits that nobody mistakes for others."""
    number, letters = int.from_bytes(noise, "big"), []
    for _ in range(12):
        number, letter = divmod(number, len(TABLE_ID_ALPHABET))
        letters.append(TABLE_ID_ALPHABET[letter])
    return "".join(letters)
