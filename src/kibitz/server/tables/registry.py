"""All tables: found, opened, acted at.

Nothing is shown before it is on disk. A table changes only by rows that the store has taken;
where another worker was faster, its rows are read, and what was meant is tried again.

Chance, bots and the clock act at a table through one worker, which claims it: whoever wrote the
latest row, and where that one has ended, anyone.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from anyio import to_thread

from kibitz.bots.evaluations import anytime_policy_for
from kibitz.bots.question import Question
from kibitz.bots.registry import bots_for_game
from kibitz.core.game import CHANCE, TABLE, Actor, Seat
from kibitz.core.message import Refused, message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server import metrics, wall_clock
from kibitz.server.db.store import (
    LEASE_S,
    Store,
    StoredRow,
    StoredTable,
    StoreError,
    StoreUnreachable,
    TableLease,
    WriteConflict,
)
from kibitz.server.tables import ratings
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.chat import Chat
from kibitz.server.tables.live_table import (
    MAX_CATCH_UP_ROWS,
    AnyGame,
    AnyTable,
    LiveTable,
    Subscriber,
    member_key,
)
from kibitz.server.tables.pubsub import PubSub, PubSubMessage
from kibitz.server.tables.settings import TableSettings, next_match_settings, write_settings
from kibitz.table import sealed_dice
from kibitz.table.commands import REMATCH, STAND_IN
from kibitz.table.seating import Member
from kibitz.table.table import ASK, CLOCK, FLAG, STAND_IN_BOT

log = logging.getLogger(__name__)

BOT_PAUSE_S = 0.6
"""How long a bot leaves what happened before it to be seen, in seconds."""
RETRY_S = 2.0
"""When to try again what did not work, in seconds."""
MAX_IDLE_TABLES = 200
"""How many tables stay in memory though nobody looks."""
HEARTBEAT_S = 10.0
"""How often the server writes down that it is up, in seconds."""
MAX_TRIES = 5
"""How often what was meant is tried anew because of what others did beside it."""
OVERDUE_S, POLL_S = 1.0, 1.0
"""A table that is due for so long is anyone's; how often a worker looks for such, in seconds."""
CLAIM_BATCH_SIZE = 20
"""So many of them it takes."""
DEBOUNCE_S = 0.05
"""Those who come to a table within so many seconds of each other are told of at once."""
SEEKER_MAX_ABSENCE_S = 15.0
"""For how long somebody who looks for an opponent may be off the page, in seconds."""
TABLE_ID_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


class StaleRequest(Exception):
    """The table is not where the sender thought."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTable:
    """What a new table is to be."""

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
    def __init__(self, store: Store, thinker: BotPool, neighbours: PubSub | None = None) -> None:
        self.store, self.bot_pool = store, thinker
        self.pubsub = neighbours or PubSub(is_alone=True)
        self.chat = Chat(store, self.pubsub, self._refresh_names)
        self._cached_tables: dict[str, LiveTable] = {}
        """Those that stay in memory, the latest used last."""
        self._all_tables: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """Beside them those that somebody is still at work with: no table is here twice."""
        self._names: dict[Member, str] = {}
        self._accounts: set[Member] = set()
        """Those who have one, as far as anybody asked."""
        self.on_person_change: Callable[[Member], None] = lambda member: None
        """Who else wants to hear of somebody of whom something has changed."""
        self._next_sweep = MAX_IDLE_TABLES
        """With more tables than that in memory it is time to see which can go."""
        self._due_at: dict[str, float] = {}
        """When to look at which table, by the monotonic clock."""
        self._seat_subscribers: dict[Member, set[Callable[[], None]]] = {}
        """Who wants to know when somebody has another seat."""
        self._due_changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._background_tasks: set[asyncio.Task[None]] = set()
        self._pending_presence: set[str] = set()
        """At which tables others are about to hear who is there."""
        self._started_at = wall_clock.now()
        self._uptimes: tuple[tuple[float, float], ...] = ()
        """When servers before this one, or beside it, were up."""

    async def start(self) -> None:
        """Go on where the server was when it last stopped, in whatever way."""
        self._uptimes = await self._wait_for_uptimes()
        wall_clock.WALL_CLOCK.advance_to(max((seen for _, seen in self._uptimes), default=0.0))
        self._started_at = wall_clock.now()
        duties = [self._heartbeat_loop(), self._deadline_loop()]
        if self.pubsub.is_single_worker:
            behind = time.monotonic() - wall_clock.now()
            self._due_at = {id: due + behind for id, due in (await self.store.due_times()).items()}
        else:
            self.pubsub.start(self._handle_message)
            duties += [self._poll_loop(), self._lease_loop()]
        self._tasks = [asyncio.create_task(duty) for duty in duties]

    async def _wait_for_uptimes(self) -> tuple[tuple[float, float], ...]:
        """The database may have gone away since it was opened."""
        while True:
            try:
                return await self.store.uptimes()
            except StoreUnreachable as error:
                log.warning("cannot begin yet: %s", error)
                await asyncio.sleep(RETRY_S)

    async def close(self) -> None:
        attending = [
            live.autoplay_task for live in self._cached_tables.values() if live.autoplay_task
        ]
        tasks = (*attending, *self._tasks, *self._background_tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if not self.pubsub.is_single_worker:
            await self.pubsub.publish_presence({live.id: () for live in self._subscribed_tables()})
            with suppress(StoreError):
                await self.store.release_leases(self.pubsub.worker)
        await self.pubsub.close()

    # People's names

    async def display_name(self, member: Member) -> str:
        """What somebody wants to be called; only who said so is remembered."""
        await self._refresh_names({member})
        return self._names.get(member, "")

    async def _refresh_names(self, members: Collection[Member]) -> None:
        """Another worker may have heard a new one: it is shown wherever somebody looks."""
        if self.pubsub.is_single_worker:
            members = [each for each in members if each not in self._names]
        before = {each: self._cached_name(each) for each in members}
        known = {each for each in members if each in self._names}
        called = await self.store.display_names(members)
        for gone in known - called.keys():
            self._names.pop(gone, None)
        self._names.update({member: each.name for member, each in called.items()})
        self._accounts -= {*members}
        self._accounts |= {member for member, each in called.items() if each.has_account}
        if not self.pubsub.is_single_worker:
            for member in members:
                if self._cached_name(member) != before[member]:
                    self._broadcast_name(member)

    def _cached_name(self, member: Member) -> tuple[str | None, bool]:
        return self._names.get(member), member in self._accounts

    async def _attach_names(self, live: LiveTable) -> None:
        live.names, live.accounts = self._names, self._accounts
        await self._refresh_names(live.people.all_members)

    async def rename_member(self, member: Member, name: str) -> None:
        await self.store.set_display_name(member, name)
        self._names[member] = name
        self.pubsub.publish("person", member)
        self._broadcast_name(member)

    async def refresh_member(self, member: Member) -> None:
        """Somebody is not who they were: they came to have an account, or no longer have one."""
        self._names.pop(member, None)
        await self._refresh_names({member})
        await self._reload_chats_of(member)
        self.pubsub.publish("person", member)
        self._broadcast_name(member)

    def _broadcast_name(self, member: Member) -> None:
        for live in list(self._all_tables.values()):
            if member in live.people.all_members:
                live.broadcast_people()

    async def _reload_chats_of(self, member: Member) -> None:
        """What somebody said may be gone together with them."""
        for live in list(self._all_tables.values()):
            if live.chat_log and member in live.chat_log.members:
                await self.chat.reload_log(live)

    # People's seats

    def subscribe_seats(self, member: Member, hear: Callable[[], None]) -> None:
        """Call it whenever somebody may have another seat, at whatever worker."""
        self._seat_subscribers.setdefault(member, set()).add(hear)

    def unsubscribe_seats(self, member: Member, hear: Callable[[], None]) -> None:
        self._seat_subscribers[member].discard(hear)
        if not self._seat_subscribers[member]:
            del self._seat_subscribers[member]

    def _publish_seats(self, members: Collection[Member]) -> None:
        for member in members:
            self._notify_seat_subscribers(member)
            self.pubsub.publish("seat", member)

    def _notify_seat_subscribers(self, member: Member) -> None:
        for hear in tuple(self._seat_subscribers.get(member, ())):
            hear()

    # Tables

    async def open_table(self, opening: NewTable) -> str:
        """A new table; its id. Raises Refused by its options or its start."""
        rulebook = GAMES[opening.game]
        is_of_bots = not any(opening.members.values())
        given = opening.options
        suggested = rulebook.suggested_options(given)
        if is_of_bots:
            suggested = {**rulebook.bots_preset, **given}
        rules = rulebook.game(given if opening.is_by_rulebook else suggested)
        if opening.start != START:
            rules.notation.read_state(opening.start)
        if opening.settings.rated and not opening.id:
            await self._refuse_unratable(opening, rules)
        entropies = {seat: opening.entropy or secrets.token_hex(8) for seat in rules.seats}
        seats: dict[str, dict[str, Any]] = {}
        for seat in rules.seats:
            if bot := opening.bots.get(seat):
                seats[seat] = {"bot": bot, "entropy": entropies[seat]}
            elif members := opening.members.get(seat):
                seats[seat] = {"members": list(members), "entropy": entropies[seat]}
        stored = StoredTable(
            id=opening.id or table_id_from(secrets.token_bytes(32)),
            game=opening.game,
            rules=rulebook.version,
            options=dict(rules.options),
            start=opening.start,
            seats=seats,
            created=wall_clock.now(),
            owner=opening.host,
            settings=write_settings(opening.settings),
            seed=secrets.token_hex(32) if rules.policy.has_chance else None,
            open=opening.is_open,
            seeking=opening.seeking,
        )
        live = LiveTable(stored, ())
        live.lease = self._lease_after(live, live.table)
        await self.store.open_table(stored, live.lease)
        there = await self.store.table(stored.id) if opening.id else stored
        if there is None or there.created != stored.created:
            return stored.id  # Another worker was faster, and what it opened counts.
        await self._attach_names(live)
        self._cache_table(live)
        self.start_autoplay(live)
        self._publish_seats(live.people.all_members)
        return stored.id

    async def _refuse_unratable(self, opening: NewTable, rules: AnyGame) -> None:
        members = opening.members
        if why := ratings.why_unrated(rules, opening.start, members, opening.bots.keys()):
            raise Refused(why)
        everybody = {opening.host, *(each for sitting in members.values() for each in sitting)}
        await ratings.refuse_without_account(self.store, everybody)

    async def find_table(self, table_id: str) -> LiveTable | None:
        """The table as its rows are now; raises Refused where they cannot be replayed."""
        live = self._all_tables.get(table_id)
        if live is None:
            loaded = await self._load_table(table_id)
            if loaded is None:
                return None
            live = self._all_tables.setdefault(table_id, loaded)
        else:
            async with live.lock:
                if live.seq != await self.store.row_count(table_id):
                    await self._read_new_rows(live)
            if not self.pubsub.is_single_worker:
                await self._attach_names(live)
        self._cache_table(live)
        return live

    def _cache_table(self, live: LiveTable) -> None:
        self._cached_tables.pop(live.id, None)
        self._cached_tables[live.id] = self._all_tables[live.id] = live
        metrics.TABLES.set(len(self._cached_tables))
        if len(self._cached_tables) <= self._next_sweep:
            return
        idle = [
            id for id, each in self._cached_tables.items() if each is not live and _is_idle(each)
        ]
        for id in idle[: max(0, len(idle) - MAX_IDLE_TABLES)]:
            del self._cached_tables[id]
        self._next_sweep = max(MAX_IDLE_TABLES, len(self._cached_tables) + MAX_IDLE_TABLES // 4)

    # Acting

    async def submit_actions(
        self,
        live: LiveTable,
        member: Member,
        whose: Actor | Callable[[], Actor],
        seq: int | None,
        texts: Sequence[str],
        key: str | None,
    ) -> int:
        """Do all of this or none; the seq it led to. Raises Refused or MovedOn.

        Without a `seq` it is meant wherever the table is. `whose` it is may depend on that.
        """
        try:
            return await self._submit_with_retries(live, member, whose, seq, texts, key)
        except StoreUnreachable:
            raise Refused(message("server.unreachable")) from None
        except StoreError:
            raise Refused(message("server.not-stored")) from None
        except Refused:
            metrics.REFUSALS.count()
            raise

    async def _submit_with_retries(
        self,
        live: LiveTable,
        member: Member,
        whose: Actor | Callable[[], Actor],
        seq: int | None,
        texts: Sequence[str],
        key: str | None,
    ) -> int:
        """As `act`, after what others did beside it."""
        async with live.lock:
            if not self.pubsub.is_single_worker and (seq is None or seq > live.seq):
                await self._read_new_rows(live)
            for left in reversed(range(MAX_TRIES)):
                at = live.seq
                try:
                    return await self._submit_once(live, member, whose, seq, texts, key)
                except (Refused, StaleRequest):
                    # Perhaps because of what another worker did: then once more, in its place.
                    if not self.pubsub.is_single_worker:
                        await self._read_new_rows(live)
                    if live.seq == at or not left:
                        raise
        raise AssertionError

    async def _submit_once(
        self,
        live: LiveTable,
        member: Member,
        whose: Actor | Callable[[], Actor],
        seq: int | None,
        texts: Sequence[str],
        key: str | None,
    ) -> int:
        """As `act`, by what is known here. Needs the lock."""
        if key and live.is_duplicate(member, key):
            return live.seq
        actor = whose if isinstance(whose, str) else whose()
        if seq is not None and not live.is_still_valid(seq, actor):
            raise StaleRequest
        if live.flagged_seats():
            await self._apply_deadlines(live)
            raise StaleRequest
        live.mark_active(member)
        for text in texts:
            self._refuse_bot_request(live, text)
        if live.settings.rated:
            await self._refuse_if_rated(live, member, texts)
        if not texts:
            if not {actor, CHANCE} <= live.game.rules.to_act(live.table.state):
                raise Refused(message("server.nothing-sent"))
            actor, texts = CHANCE, [self._next_draw(live)]
        await self._append_rows(
            live, actor, texts, member, member_key(member, key) if key else None
        )
        return live.seq

    async def _refuse_if_rated(self, live: LiveTable, member: Member, texts: Sequence[str]) -> None:
        for text in texts:
            ratings.refuse_at_rated_table(live, member, text)
        if ratings.has_sit_command(texts):
            await ratings.refuse_without_account(self.store, {member})

    def _refuse_bot_request(self, live: LiveTable, text: str) -> None:
        """What a table cannot know: whether there is such a bot, and whether somebody is away."""
        asked = text.removeprefix(ASK)
        word, *rest = asked.split(" ")
        known = (STAND_IN_BOT,) if word == STAND_IN else bots_for_game(live.game.name)
        if word in ("bot", STAND_IN) and len(rest) > 1 and rest[1] not in known:
            raise Refused(message("table.no-such-bot"))
        is_asked = word == STAND_IN and asked != text and rest and rest[0] in live.people.members
        if is_asked and not live.may_have_stand_in(rest[0]):
            left = round(live.absence_limit_s - live.seconds_absent(rest[0]))
            raise Refused(message("server.still-waited-for", seat=rest[0], seconds=left))

    def start_autoplay(self, live: LiveTable) -> None:
        """Let chance and bots do what is theirs to do; bots among themselves if somebody looks."""
        if not live.bots and not live.is_servers_turn:
            return
        if not live.people.all_members and not live.subscribers:
            return
        if live.bots and not live.table.is_over:
            self.bot_pool.warm_up(live.game.name, live.bots.values())
        if live.autoplay_task is None or live.autoplay_task.done():
            live.autoplay_task = asyncio.create_task(self._autoplay_loop(live))

    async def _autoplay_loop(self, live: LiveTable) -> None:
        while True:
            try:
                if not await self._try_claim(live) or not await self._play_next_action(live):
                    return
            except StaleRequest:
                continue
            except StoreError as error:
                log.warning("table %s waits: %s", live.id, error)
                await asyncio.sleep(RETRY_S)
            except Exception:
                log.exception("table %s cannot go on by itself", live.id)
                if not live.subscribers:
                    return
                await asyncio.sleep(RETRY_S)

    async def _play_next_action(self, live: LiveTable) -> bool:
        """Do what is the server's to do, if anything is: else a person is to act."""
        at = live.seq
        found = await self._next_automatic_action(live)
        if found is None:
            return live.seq != at  # Somebody acted while it was thought about.
        seq, actor, text = found
        async with live.lock:
            if seq == live.seq:
                await self._append_rows(live, actor, (text,), "", None)
        return True

    async def _next_automatic_action(self, live: LiveTable) -> tuple[int, Actor, str] | None:
        """What the server does now, and at which seq; None where a person is to act, or did."""
        table, seq = live.table, live.seq
        if table.is_over or table.is_adjourned or not live.people.is_full:
            wanted = table.rematch == ""
            return (seq, TABLE, f"{REMATCH} {await self._open_rematch(live)}") if wanted else None
        to_act = table.game.rules.to_act(table.state)
        if spoken := await self._next_bot_statement(live):
            return seq, *spoken
        if live.seq != seq:
            return None
        if to_act == {CHANCE}:
            return seq, CHANCE, self._next_draw(live)
        pause = live.changed_at + BOT_PAUSE_S - time.monotonic()
        seat = live.bot_to_act() or next((seat for seat in live.bots if seat in to_act), None)
        if seat is None:
            return None
        texts = [table.game.notation.write_action(action) for action in table.actions(seat)]
        if {CHANCE, seat} <= to_act:
            texts.append("")
            # Bots leave people the time they need.
            pause = max(pause, pause - BOT_PAUSE_S + table.game.policy.die_delay(table.state))
        text = texts[0]
        if len(texts) > 1:
            text = await self.bot_pool.choose_action(_bot_question(live, seat, texts))
        await asyncio.sleep(max(0.0, pause - (time.monotonic() - live.changed_at)))
        if live.seq != seq:
            return None
        return (seq, seat, text) if text else (seq, CHANCE, self._next_draw(live))

    async def _next_bot_statement(self, live: LiveTable) -> tuple[Seat, str] | None:
        """What a bot has to say whoever's turn it is; nothing twice between two turn actions."""
        table, game = live.table, live.game
        if not live.bots or not anytime_policy_for(game.name):
            return None
        said = set(table.anytime_since_turn())
        for seat in live.bots:
            listed = map(game.notation.write_action, game.rules.anytime_actions(table.state, seat))
            texts = [text for text in listed if (seat, text) not in said]
            asked = _bot_question(live, seat, texts)
            if texts and (text := await self.bot_pool.choose_statement(asked)):
                return seat, text
        return None

    async def _open_rematch(self, live: LiveTable) -> str:
        """A table for the same people and rules, everybody one seat further."""
        stored, people, seats = live.stored, live.people, live.game.seats
        moved = dict(zip(seats, (*seats[1:], seats[0]), strict=True))
        # The id follows from this one's, so that nothing is opened twice whatever happens now.
        following = table_id_from(hashlib.sha256(f"after {live.id}".encode()).digest())
        if await self.store.table(following):
            return following
        book, game = live.table.book, live.game.policy.reseated_game(moved) or live.game
        terms = (
            next_match_settings(live.settings, book.with_seats_moved(moved))
            if book
            else live.settings
        )
        playing = {member for sitting in people.members.values() for member in sitting}
        if terms.rated and await ratings.members_without_account(self.store, playing):
            terms = msgspec.structs.replace(terms, rated=False)
        terms = msgspec.structs.replace(terms, chat=await self.chat.is_on(live))
        return await self.open_table(
            NewTable(
                id=following,
                game=stored.game,
                host=people.host,
                members={moved[s]: sit for s, sit in people.members.items() if sit},
                bots={moved[s]: bot for s, bot in people.bots.items() if s not in people.stand_ins},
                options=game.options,
                settings=terms,
                start=stored.start,
                is_open=stored.open,
                is_by_rulebook=True,
            )
        )

    def _next_draw(self, live: LiveTable) -> str:
        """What chance does, by its odds: the next of the sealed draws."""
        table = live.table
        seed = live.stored.seed or secrets.token_hex(32)
        entropies = [text for _, text in live.people.entropies]
        return sealed_dice.draw_action(table.game, table.state, seed, entropies, table.draws)

    async def _append_rows(
        self, live: LiveTable, actor: Actor, texts: Sequence[str], member: Member, key: str | None
    ) -> None:
        """Work out what follows, write it down, and only then show it. Needs the lock."""
        table, changes, sent = live.dry_run(actor, texts, member)
        opened = live.stored.created
        rows = [
            StoredRow(
                actor=r.actor, member=r.member, text=r.text, at=opened + r.at, spent=r.think_seconds
            )
            for r in sent
        ]
        rows[0] = replace(rows[0], key=key)
        assert table.people
        came = (
            member if len(table.people.seats_of(member)) > len(live.people.seats_of(member)) else ""
        )
        standing = self._lease_after(live, table)
        changed = standing if standing != live.lease else None
        ends = table.is_over and not live.table.is_over
        is_rated = live.settings.rated and ends
        rating = ratings.rating_writer(live.id, table, rows[-1].at) if is_rated else None
        try:
            await self.store.append_rows(live.id, live.seq, rows, changed, came, rating)
        except WriteConflict:
            await self._read_new_rows(live)
            raise StaleRequest from None
        metrics.ACTIONS.count(len(rows))
        live.lease = standing
        if came:
            await self.display_name(came)
        live.advance_to(table, changes, key)
        self.pubsub.publish("table", live.id, live.seq)
        if came:
            self._publish_seats({came})
        self._schedule_due(live)
        self.start_autoplay(live)

    def _lease_after(self, live: LiveTable, table: AnyTable) -> TableLease:
        """What is written down of a table; whoever writes goes on there, unless a person is to."""
        assert table.people
        due, now = live.seconds_until_due_after(table), wall_clock.now()
        # Bots among themselves are not waited for.
        wanted = None if due is None or not table.people.all_members else now + due
        if self.pubsub.is_single_worker or table.is_over or (due != 0.0 and not table.people.bots):
            return TableLease(table.is_over, wanted)
        return TableLease(table.is_over, wanted, self.pubsub.worker, now + LEASE_S)

    # Other workers

    def subscribe(self, live: LiveTable, page: Subscriber) -> None:
        """A page shows a table from now on."""
        was_shown = page.member in live.local_members
        live.add_subscriber(page)
        if not was_shown:
            self._schedule_presence(live)
        self.start_autoplay(live)

    def unsubscribe(self, live: LiveTable, page: Subscriber) -> None:
        live.remove_subscriber(page)
        if page.member not in live.local_members:
            self._schedule_presence(live)

    async def refresh_presence(self, live: LiveTable) -> None:
        """Whoever is there by another worker is there."""
        found = await self.pubsub.remote_presence([live.id])
        if found:
            live.set_remote_members(found[live.id])

    def _schedule_presence(self, live: LiveTable) -> None:
        """Soon: many may come at once."""
        if not self.pubsub.is_single_worker and live.id not in self._pending_presence:
            self._pending_presence.add(live.id)
            self._run_in_background(self._publish_presence(live))

    async def _publish_presence(self, live: LiveTable) -> None:
        await asyncio.sleep(DEBOUNCE_S)
        self._pending_presence.discard(live.id)
        await self.pubsub.publish_presence({live.id: live.local_members})
        self.pubsub.publish("people", live.id)

    def _handle_message(self, news: PubSubMessage) -> None:
        """What another worker did matters where we show it."""
        if news.kind == "person":
            self.on_person_change(news.about)
            self._run_in_background(self._refresh_names({news.about}))
            self._run_in_background(self._reload_chats_of(news.about))
            return
        if news.kind == "seat":
            self._notify_seat_subscribers(news.about)
            return
        live = self._all_tables.get(news.about)
        if live is None or not live.subscribers:
            return
        if news.kind == "people":
            self._run_in_background(self.refresh_presence(live))
        elif news.kind == "chat":
            self._run_in_background(self.chat.read_new_entries(live))
        elif news.n > live.seq:
            self._run_in_background(self._sync_table(live))

    def _run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Beside all else, and said if it goes wrong."""

        async def run_work() -> None:
            try:
                await work
            except Exception as error:
                log.warning("not done: %s", error)

        doing = asyncio.create_task(run_work())
        self._background_tasks.add(doing)
        doing.add_done_callback(self._background_tasks.discard)

    async def _sync_table(self, live: LiveTable) -> None:
        async with live.lock:
            await self._read_new_rows(live)

    async def _read_new_rows(self, live: LiveTable) -> None:
        """Needs the lock."""
        rows, people = await self.store.rows(live.id, live.seq), live.people
        if not rows:
            return
        try:
            if len(rows) > MAX_CATCH_UP_ROWS:
                await self._reload_table(live)
            else:
                live.apply_stored_rows(rows, self._uptime_since(rows[-1].at))
        except Refused:
            await self._reload_table(live)
        self._due_at.pop(live.id, None)
        if live.people is not people:
            await self._attach_names(live)

    def _subscribed_tables(self) -> list[LiveTable]:
        return [live for live in list(self._all_tables.values()) if live.subscribers]

    def _autoplay_tables(self) -> list[LiveTable]:
        return [live for live in list(self._all_tables.values()) if _is_autoplaying(live)]

    async def _poll_loop(self) -> None:
        """From time to time see for ourselves what we may not have heard."""
        while True:
            missed = await self.pubsub.wait_for_poll()
            try:
                await self._poll_subscribed_tables(missed)
            except StoreError:  # As the store has said.
                continue
            except Exception as error:
                log.warning("cannot look around: %s", error)

    async def _poll_subscribed_tables(self, missed: bool) -> None:
        watched = {live.id: live for live in self._subscribed_tables()}
        for table_id, seq in (await self.store.row_counts(watched.keys())).items():
            if watched[table_id].seq < seq:
                await self._sync_table(watched[table_id])
        await self.chat.poll_tables(watched)
        await self.pubsub.publish_presence({id: each.local_members for id, each in watched.items()})
        elsewhere = await self.pubsub.remote_presence(list(watched))
        for table_id, members in (elsewhere or {}).items():
            watched[table_id].set_remote_members(members)
        if missed:
            everybody = {each for live in watched.values() for each in live.people.all_members}
            await self._refresh_names(everybody)
        for live in watched.values():
            if live.is_servers_turn:
                self.start_autoplay(live)

    async def _lease_loop(self) -> None:
        """Keep the tables that are ours, and take over those that were left by whoever had them."""
        worker, renewed = self.pubsub.worker, time.monotonic()
        while True:
            try:
                if time.monotonic() > renewed + LEASE_S / 3:
                    renewed = time.monotonic()
                    await self.store.renew_leases(
                        worker, [each.id for each in self._autoplay_tables()]
                    )
                for table_id in await self.store.claim_due_tables(
                    worker, OVERDUE_S, CLAIM_BATCH_SIZE
                ):
                    self._run_in_background(self._check_deadlines(table_id))
            except Exception as error:
                if not isinstance(error, StoreError):  # The store has said so.
                    log.warning("cannot look for tables that are due: %s", error)
            await asyncio.sleep(POLL_S)

    async def _try_claim(self, live: LiveTable) -> bool:
        """Whether this table is left to this worker."""
        worker, standing, now = self.pubsub.worker, live.lease, wall_clock.now()
        if self.pubsub.is_single_worker:
            return True
        if standing and standing.claimed_by == worker and (standing.claimed_until or 0) > now + 1:
            return True
        if not await self.store.claim_table(live.id, worker):
            return False
        due = standing.due if standing else None
        live.lease = TableLease(live.table.is_over, due, worker, now + LEASE_S)
        return True

    # Time

    def _schedule_due(self, live: LiveTable) -> None:
        """When to look at a table again, unless somebody acts before."""
        due = live.seconds_until_due()
        if due is None or live.is_servers_turn:
            self._due_at.pop(live.id, None)
        else:
            self._due_at[live.id] = time.monotonic() + due
            self._due_changed.set()

    async def _heartbeat_loop(self) -> None:
        while True:
            try:
                await self.store.write_heartbeat(anew=self._has_clock_jumped())
            except StoreError as error:
                log.error("cannot write down that the server is up: %s", error)
            await asyncio.sleep(HEARTBEAT_S)

    def _has_clock_jumped(self) -> bool:
        """Whether the machine slept: that was nobody's time, and no server was up."""
        before, jump = wall_clock.now(), wall_clock.WALL_CLOCK.sync_with_machine()
        if jump:
            self._uptimes = (*self._uptimes, (self._started_at, before))
            self._started_at = wall_clock.now()
        return bool(jump)

    async def _deadline_loop(self) -> None:
        """Look at each table when it is due: whose time is up, what has not been answered."""
        while True:
            now = time.monotonic()
            for table_id in [id for id, due in self._due_at.items() if due <= now]:
                del self._due_at[table_id]
                self._run_in_background(self._check_deadlines(table_id))
            self._due_changed.clear()
            wait = min(self._due_at.values(), default=now + HEARTBEAT_S) - time.monotonic()
            try:
                await asyncio.wait_for(
                    self._due_changed.wait(), max(0.0, min(wait, HEARTBEAT_S)) + 0.005
                )
            except TimeoutError:
                continue

    async def _check_deadlines(self, table_id: str) -> None:
        try:
            live = await self.find_table(table_id)
            if live is None:
                return
            async with live.lock:
                with suppress(StaleRequest):
                    await self._apply_deadlines(live)
            self._schedule_due(live)
            self.start_autoplay(live)
        except Refused as error:
            log.warning("table %s cannot be opened: %s", table_id, error.refusal.id)
            await self.store.clear_due_time(table_id)
        except StoreError as error:
            log.warning("table %s waits to be judged: %s", table_id, error)
            self._due_at[table_id] = time.monotonic() + RETRY_S
        except Exception:
            log.exception("table %s cannot be judged", table_id)
            self._due_at[table_id] = time.monotonic() + RETRY_S

    async def _apply_deadlines(self, live: LiveTable) -> None:
        """Needs the lock. One by one: the first may settle it for all."""
        while flagged := live.flagged_seats():
            await self._append_rows(live, CLOCK, (FLAG + flagged[0],), "", None)
        while overdue := live.overdue_answers():
            seat, text = overdue[0]
            await self._append_rows(live, seat, (text,), CLOCK, None)

    def _uptime_since(self, moment: float) -> float:
        """For how long a server was up since then, this one or those before it."""
        total = 0.0
        for started, seen in sorted((*self._uptimes, (self._started_at, wall_clock.now()))):
            total += max(0.0, seen - max(started, moment))
            moment = max(moment, seen)
        return total

    async def _load_table(self, table_id: str) -> LiveTable | None:
        stored = await self.store.table(table_id)
        if stored is None:
            return None
        rows = await self.store.rows(table_id)
        latest = rows[-1].at if rows else stored.created
        live = await to_thread.run_sync(LiveTable, stored, rows, self._uptime_since(latest))
        await self._attach_names(live)
        return live

    async def _reload_table(self, live: LiveTable) -> None:
        if fresh := await self._load_table(live.id):
            live.reload_from(fresh)


def table_id_from(noise: bytes) -> str:
    """Twelve letters and digits that nobody mistakes for others."""
    number, letters = int.from_bytes(noise, "big"), []
    for _ in range(12):
        number, letter = divmod(number, len(TABLE_ID_ALPHABET))
        letters.append(TABLE_ID_ALPHABET[letter])
    return "".join(letters)


def _bot_question(live: LiveTable, seat: Seat, texts: Sequence[str]) -> Question:
    return Question(
        bot=live.bots[seat],
        game=live.game.name,
        options=dict(live.game.options),
        view=live.table.view(seat),
        seat=seat,
        texts=tuple(texts),
        seed=secrets.randbits(63),
        match=live.id,
    )


def _is_autoplaying(live: LiveTable) -> bool:
    return live.autoplay_task is not None and not live.autoplay_task.done()


def _is_idle(live: LiveTable) -> bool:
    return not (live.subscribers or _is_autoplaying(live) or live.lock.locked())
