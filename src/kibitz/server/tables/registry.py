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

from kibitz.bots.evaluations import voice_in
from kibitz.bots.registry import bots_at
from kibitz.core.game import CHANCE, TABLE, Actor, Seat
from kibitz.core.message import Refused, message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server import metrics, wall_clock
from kibitz.server.db.store import (
    LEASE,
    NotStored,
    Raced,
    Standing,
    Store,
    StoredRow,
    StoredTable,
    Unreachable,
)
from kibitz.server.tables import ratings
from kibitz.server.tables.bot_pool import Thinker
from kibitz.server.tables.chat import Chat
from kibitz.server.tables.live_table import REMEMBERED, AnyGame, AnyTable, LiveTable, Page, own_key
from kibitz.server.tables.pubsub import Neighbours, News
from kibitz.server.tables.settings import Terms, going_on, write_terms
from kibitz.table import sealed_dice
from kibitz.table.commands import KEEP, REMATCH
from kibitz.table.seating import Member
from kibitz.table.table import ASK, CLOCK, FLAG, KEEPER

log = logging.getLogger(__name__)

PAUSE = 0.6
"""How long a bot leaves what happened before it to be seen, in seconds."""
AGAIN = 2.0
"""When to try again what did not work, in seconds."""
KEPT = 200
"""How many tables stay in memory though nobody looks."""
BEAT = 10.0
"""How often the server writes down that it is up, in seconds."""
TRIES = 5
"""How often what was meant is tried anew because of what others did beside it."""
LATE, EVERY = 1.0, 1.0
"""A table that is due for so long is anyone's; how often a worker looks for such, in seconds."""
AT_ONCE = 20
"""So many of them it takes."""
TOGETHER = 0.05
"""Those who come to a table within so many seconds of each other are told of at once."""
GATHERING = 15.0
"""For how long somebody who looks for an opponent may be off the page, in seconds."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class MovedOn(Exception):
    """The table is not where the sender thought."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What a new table is to be."""

    id: str = ""
    """A new one, if none is given."""
    game: str
    host: Member
    members: Mapping[Seat, Sequence[Member]]
    bots: Mapping[Seat, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    terms: Terms = field(default_factory=Terms)
    start: str = START
    entropy: str = ""
    open: bool = False
    seeking: str | None = None
    by_the_book: bool = False
    """Without what we suggest beside what was chosen."""


class LiveTables:
    def __init__(
        self, store: Store, thinker: Thinker, neighbours: Neighbours | None = None
    ) -> None:
        self.store, self.thinker = store, thinker
        self.neighbours = neighbours or Neighbours(is_alone=True)
        self.chat = Chat(store, self.neighbours, self._learn_names)
        self._live: dict[str, LiveTable] = {}
        """Those that stay in memory, the latest used last."""
        self._all: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """Beside them those that somebody is still at work with: no table is here twice."""
        self._names: dict[Member, str] = {}
        self._accounts: set[Member] = set()
        """Those who have one, as far as anybody asked."""
        self.on_person: Callable[[Member], None] = lambda member: None
        """Who else wants to hear of somebody of whom something has changed."""
        self._next_sweep = KEPT
        """With more tables than that in memory it is time to see which can go."""
        self._due: dict[str, float] = {}
        """When to look at which table, by the monotonic clock."""
        self._expecting: dict[Member, set[Callable[[], None]]] = {}
        """Who wants to know when somebody has another seat."""
        self._woken = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._looking: set[asyncio.Task[None]] = set()
        self._to_be_said: set[str] = set()
        """At which tables others are about to hear who is there."""
        self._began = wall_clock.now()
        self._uptimes: tuple[tuple[float, float], ...] = ()
        """When servers before this one, or beside it, were up."""

    async def begin(self) -> None:
        """Go on where the server was when it last stopped, in whatever way."""
        self._uptimes = await self._uptimes_at_last()
        wall_clock.WALL.go_on_from(max((seen for _, seen in self._uptimes), default=0.0))
        self._began = wall_clock.now()
        duties = [self._beat(), self._watch()]
        if self.neighbours.is_alone:
            behind = time.monotonic() - wall_clock.now()
            self._due = {id: due + behind for id, due in (await self.store.due()).items()}
        else:
            self.neighbours.begin(self._hear)
            duties += [self._look_around(), self._step_in()]
        self._tasks = [asyncio.create_task(duty) for duty in duties]

    async def _uptimes_at_last(self) -> tuple[tuple[float, float], ...]:
        """The database may have gone away since it was opened."""
        while True:
            try:
                return await self.store.uptimes()
            except Unreachable as error:
                log.warning("cannot begin yet: %s", error)
                await asyncio.sleep(AGAIN)

    async def close(self) -> None:
        attending = [live.attending for live in self._live.values() if live.attending]
        tasks = (*attending, *self._tasks, *self._looking)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if not self.neighbours.is_alone:
            await self.neighbours.say_who_is_here({live.id: () for live in self._watched()})
            with suppress(NotStored):
                await self.store.release(self.neighbours.worker)
        await self.neighbours.close()

    # People's names

    async def name(self, member: Member) -> str:
        """What somebody wants to be called; only who said so is remembered."""
        await self._learn_names({member})
        return self._names.get(member, "")

    async def _learn_names(self, members: Collection[Member]) -> None:
        """Another worker may have heard a new one: it is shown wherever somebody looks."""
        if self.neighbours.is_alone:
            members = [each for each in members if each not in self._names]
        before = {each: self._called(each) for each in members}
        known = {each for each in members if each in self._names}
        called = await self.store.names(members)
        for gone in known - called.keys():
            self._names.pop(gone, None)
        self._names.update({member: each.name for member, each in called.items()})
        self._accounts -= {*members}
        self._accounts |= {member for member, each in called.items() if each.has_account}
        if not self.neighbours.is_alone:
            for member in members:
                if self._called(member) != before[member]:
                    self._show_name(member)

    def _called(self, member: Member) -> tuple[str | None, bool]:
        return self._names.get(member), member in self._accounts

    async def _introduce(self, live: LiveTable) -> None:
        live.names, live.accounts = self._names, self._accounts
        await self._learn_names(live.people.everybody)

    async def call(self, member: Member, name: str) -> None:
        await self.store.call(member, name)
        self._names[member] = name
        self.neighbours.tell("person", member)
        self._show_name(member)

    async def reintroduce(self, member: Member) -> None:
        """Somebody is not who they were: they came to have an account, or no longer have one."""
        self._names.pop(member, None)
        await self._learn_names({member})
        await self._read_talk_of(member)
        self.neighbours.tell("person", member)
        self._show_name(member)

    def _show_name(self, member: Member) -> None:
        for live in list(self._all.values()):
            if member in live.people.everybody:
                live.show_people()

    async def _read_talk_of(self, member: Member) -> None:
        """What somebody said may be gone together with them."""
        for live in list(self._all.values()):
            if live.talk and member in live.talk.members:
                await self.chat.read_anew(live)

    # People's seats

    def expect_seats(self, member: Member, hear: Callable[[], None]) -> None:
        """Call it whenever somebody may have another seat, at whatever worker."""
        self._expecting.setdefault(member, set()).add(hear)

    def expect_no_seats(self, member: Member, hear: Callable[[], None]) -> None:
        self._expecting[member].discard(hear)
        if not self._expecting[member]:
            del self._expecting[member]

    def _tell_seated(self, members: Collection[Member]) -> None:
        for member in members:
            self._hear_seated(member)
            self.neighbours.tell("seat", member)

    def _hear_seated(self, member: Member) -> None:
        for hear in tuple(self._expecting.get(member, ())):
            hear()

    # Tables

    async def open_new(self, opening: Opening) -> str:
        """A new table; its id. Raises Refused by its options or its start."""
        rulebook = GAMES[opening.game]
        is_of_bots = not any(opening.members.values())
        given = opening.options
        suggested = rulebook.suggested(given)
        if is_of_bots:
            suggested = {**rulebook.bots_preset, **given}
        rules = rulebook.game(given if opening.by_the_book else suggested)
        if opening.start != START:
            rules.read_state(opening.start)
        if opening.terms.rated and not opening.id:
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
            rules=rulebook.rules,
            options=dict(rules.options),
            start=opening.start,
            seats=seats,
            created=wall_clock.now(),
            owner=opening.host,
            settings=write_terms(opening.terms),
            seed=secrets.token_hex(32) if rules.has_chance else None,
            open=opening.open,
            seeking=opening.seeking,
        )
        live = LiveTable(stored, ())
        live.standing = self._standing(live, live.table)
        await self.store.open_table(stored, live.standing)
        there = await self.store.table(stored.id) if opening.id else stored
        if there is None or there.created != stored.created:
            return stored.id  # Another worker was faster, and what it opened counts.
        await self._introduce(live)
        self._keep(live)
        self.attend(live)
        self._tell_seated(live.people.everybody)
        return stored.id

    async def _refuse_unratable(self, opening: Opening, rules: AnyGame) -> None:
        members = opening.members
        if why := ratings.why_unrated(rules, opening.start, members, opening.bots.keys()):
            raise Refused(why)
        everybody = {opening.host, *(each for sitting in members.values() for each in sitting)}
        await ratings.refuse_without_account(self.store, everybody)

    async def find(self, table_id: str) -> LiveTable | None:
        """The table as its rows are now; raises Refused where they cannot be replayed."""
        live = self._all.get(table_id)
        if live is None:
            loaded = await self._load(table_id)
            if loaded is None:
                return None
            live = self._all.setdefault(table_id, loaded)
        else:
            async with live.lock:
                if live.seq != await self.store.seq(table_id):
                    await self._read_on(live)
            if not self.neighbours.is_alone:
                await self._introduce(live)
        self._keep(live)
        return live

    def _keep(self, live: LiveTable) -> None:
        self._live.pop(live.id, None)
        self._live[live.id] = self._all[live.id] = live
        metrics.TABLES.set(len(self._live))
        if len(self._live) <= self._next_sweep:
            return
        idle = [id for id, each in self._live.items() if each is not live and _is_idle(each)]
        for id in idle[: max(0, len(idle) - KEPT)]:
            del self._live[id]
        self._next_sweep = max(KEPT, len(self._live) + KEPT // 4)

    # Acting

    async def act(
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
            return await self._act_at_last(live, member, whose, seq, texts, key)
        except Unreachable:
            raise Refused(message("server.unreachable")) from None
        except NotStored:
            raise Refused(message("server.not-stored")) from None
        except Refused:
            metrics.REFUSALS.count()
            raise

    async def _act_at_last(
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
            if not self.neighbours.is_alone and (seq is None or seq > live.seq):
                await self._read_on(live)
            for left in reversed(range(TRIES)):
                at = live.seq
                try:
                    return await self._act(live, member, whose, seq, texts, key)
                except (Refused, MovedOn):
                    # Perhaps because of what another worker did: then once more, in its place.
                    if not self.neighbours.is_alone:
                        await self._read_on(live)
                    if live.seq == at or not left:
                        raise
        raise AssertionError

    async def _act(
        self,
        live: LiveTable,
        member: Member,
        whose: Actor | Callable[[], Actor],
        seq: int | None,
        texts: Sequence[str],
        key: str | None,
    ) -> int:
        """As `act`, by what is known here. Needs the lock."""
        if key and live.has_done(member, key):
            return live.seq
        actor = whose if isinstance(whose, str) else whose()
        if seq is not None and not live.is_undisturbed(seq, actor):
            raise MovedOn
        if live.flagged():
            await self._judge(live)
            raise MovedOn
        live.hear_of(member)
        for text in texts:
            self._refuse_hasty(live, text)
        if live.terms.rated:
            await self._refuse_unrated(live, member, texts)
        if not texts:
            if not {actor, CHANCE} <= live.game.to_act(live.table.state):
                raise Refused(message("server.nothing-sent"))
            actor, texts = CHANCE, [self._drawn(live)]
        await self._append(live, actor, texts, member, own_key(member, key) if key else None)
        return live.seq

    async def _refuse_unrated(self, live: LiveTable, member: Member, texts: Sequence[str]) -> None:
        for text in texts:
            ratings.refuse_unfair(live, member, text)
        if ratings.is_sitting(texts):
            await ratings.refuse_without_account(self.store, {member})

    def _refuse_hasty(self, live: LiveTable, text: str) -> None:
        """What a table cannot know: whether there is such a bot, and whether somebody is away."""
        asked = text.removeprefix(ASK)
        word, *rest = asked.split(" ")
        known = (KEEPER,) if word == KEEP else bots_at(live.game.name)
        if word in ("bot", KEEP) and len(rest) > 1 and rest[1] not in known:
            raise Refused(message("table.no-such-bot"))
        is_asked = word == KEEP and asked != text and rest and rest[0] in live.people.members
        if is_asked and not live.may_be_kept(rest[0]):
            left = round(live.patience - live.absent_for(rest[0]))
            raise Refused(message("server.still-waited-for", seat=rest[0], seconds=left))

    def attend(self, live: LiveTable) -> None:
        """Let chance and bots do what is theirs to do; bots among themselves if somebody looks."""
        if not live.bots and not live.is_servers:
            return
        if not live.people.everybody and not live.pages:
            return
        if live.bots and not live.table.is_over:
            self.thinker.warm_up(live.game.name, live.bots.values())
        if live.attending is None or live.attending.done():
            live.attending = asyncio.create_task(self._attend(live))

    async def _attend(self, live: LiveTable) -> None:
        while True:
            try:
                if not await self._has_claimed(live) or not await self._goes_on(live):
                    return
            except MovedOn:
                continue
            except NotStored as error:
                log.warning("table %s waits: %s", live.id, error)
                await asyncio.sleep(AGAIN)
            except Exception:
                log.exception("table %s cannot go on by itself", live.id)
                if not live.pages:
                    return
                await asyncio.sleep(AGAIN)

    async def _goes_on(self, live: LiveTable) -> bool:
        """Do what is the server's to do, if anything is: else a person is to act."""
        at = live.seq
        found = await self._chosen(live)
        if found is None:
            return live.seq != at  # Somebody acted while it was thought about.
        seq, actor, text = found
        async with live.lock:
            if seq == live.seq:
                await self._append(live, actor, (text,), "", None)
        return True

    async def _chosen(self, live: LiveTable) -> tuple[int, Actor, str] | None:
        """What the server does now, and at which seq; None where a person is to act, or did."""
        table, seq = live.table, live.seq
        if table.is_over or table.adjourned or not live.people.is_gathered:
            wanted = table.rematch == ""
            return (seq, TABLE, f"{REMATCH} {await self._rematch(live)}") if wanted else None
        to_act = table.game.to_act(table.state)
        if spoken := await self._spoken(live):
            return seq, *spoken
        if live.seq != seq:
            return None
        if to_act == {CHANCE}:
            return seq, CHANCE, self._drawn(live)
        pause = live.changed_at + PAUSE - time.monotonic()
        seat = live.bot_to_act() or next((seat for seat in live.bots if seat in to_act), None)
        if seat is None:
            return None
        texts = [table.game.write_action(action) for action in table.actions(seat)]
        if {CHANCE, seat} <= to_act:
            texts.append("")
            # Bots leave people the time they need.
            pause = max(pause, pause - PAUSE + table.game.courtesy(table.state))
        text = texts[0]
        if len(texts) > 1:
            options, view, bot = table.game.options, table.view(seat), live.bots[seat]
            asked = (bot, table.game.name, options, view, seat, texts, live.id)
            text = await self.thinker.choose(*asked)
        await asyncio.sleep(max(0.0, pause - (time.monotonic() - live.changed_at)))
        if live.seq != seq:
            return None
        return (seq, seat, text) if text else (seq, CHANCE, self._drawn(live))

    async def _spoken(self, live: LiveTable) -> tuple[Seat, str] | None:
        """What a bot has to say whoever's turn it is; nothing twice between two turn actions."""
        table, game = live.table, live.game
        if not live.bots or not voice_in(game.name):
            return None
        said = set(table.said_since_turn())
        for seat, bot in live.bots.items():
            listed = map(game.write_action, game.anytime_actions(table.state, seat))
            texts = [text for text in listed if (seat, text) not in said]
            asked = (bot, game.name, game.options, table.view(seat), seat, texts)
            if texts and (text := await self.thinker.speak(*asked)):
                return seat, text
        return None

    async def _rematch(self, live: LiveTable) -> str:
        """A table for the same people and rules, everybody one seat further."""
        stored, people, seats = live.stored, live.people, live.game.seats
        moved = dict(zip(seats, (*seats[1:], seats[0]), strict=True))
        # The id follows from this one's, so that nothing is opened twice whatever happens now.
        following = table_id_from(hashlib.sha256(f"after {live.id}".encode()).digest())
        if await self.store.table(following):
            return following
        book, game = live.table.book, live.game.reseated(moved) or live.game
        terms = going_on(live.terms, book.reseated(moved)) if book else live.terms
        playing = {member for sitting in people.members.values() for member in sitting}
        if terms.rated and await ratings.without_account(self.store, playing):
            terms = msgspec.structs.replace(terms, rated=False)
        terms = msgspec.structs.replace(terms, chat=await self.chat.is_on(live))
        return await self.open_new(
            Opening(
                id=following,
                game=stored.game,
                host=people.host,
                members={moved[s]: sit for s, sit in people.members.items() if sit},
                bots={moved[s]: bot for s, bot in people.bots.items() if s not in people.kept},
                options=game.options,
                terms=terms,
                start=stored.start,
                open=stored.open,
                by_the_book=True,
            )
        )

    def _drawn(self, live: LiveTable) -> str:
        """What chance does, by its odds: the next of the sealed draws."""
        table = live.table
        seed = live.stored.seed or secrets.token_hex(32)
        entropies = [text for _, text in live.people.entropies]
        return sealed_dice.drawn(table.game, table.state, seed, entropies, table.draws)

    async def _append(
        self, live: LiveTable, actor: Actor, texts: Sequence[str], member: Member, key: str | None
    ) -> None:
        """Work out what follows, write it down, and only then show it. Needs the lock."""
        table, changes, sent = live.after(actor, texts, member)
        opened = live.stored.created
        rows = [
            StoredRow(actor=r.actor, member=r.member, text=r.text, at=opened + r.at, spent=r.spent)
            for r in sent
        ]
        rows[0] = replace(rows[0], key=key)
        assert table.people
        came = (
            member if len(table.people.seats_of(member)) > len(live.people.seats_of(member)) else ""
        )
        standing = self._standing(live, table)
        changed = standing if standing != live.standing else None
        ends = table.is_over and not live.table.is_over
        is_rated = live.terms.rated and ends
        rating = ratings.settling(live.id, table, rows[-1].at) if is_rated else None
        try:
            await self.store.append(live.id, live.seq, rows, changed, came, rating)
        except Raced:
            await self._read_on(live)
            raise MovedOn from None
        metrics.ACTIONS.count(len(rows))
        live.standing = standing
        if came:
            await self.name(came)
        live.move_on(table, changes, key)
        self.neighbours.tell("table", live.id, live.seq)
        if came:
            self._tell_seated({came})
        self._expect(live)
        self.attend(live)

    def _standing(self, live: LiveTable, table: AnyTable) -> Standing:
        """What is written down of a table; whoever writes goes on there, unless a person is to."""
        assert table.people
        due, now = live.due_after(table), wall_clock.now()
        # Bots among themselves are not waited for.
        wanted = None if due is None or not table.people.everybody else now + due
        if self.neighbours.is_alone or table.is_over or (due != 0.0 and not table.people.bots):
            return Standing(table.is_over, wanted)
        return Standing(table.is_over, wanted, self.neighbours.worker, now + LEASE)

    # Other workers

    def enter(self, live: LiveTable, page: Page) -> None:
        """A page shows a table from now on."""
        was_shown = page.member in live.shown_to
        live.enter(page)
        if not was_shown:
            self._say_who_is_at(live)
        self.attend(live)

    def leave(self, live: LiveTable, page: Page) -> None:
        live.leave(page)
        if page.member not in live.shown_to:
            self._say_who_is_at(live)

    async def look_who_is_at(self, live: LiveTable) -> None:
        """Whoever is there by another worker is there."""
        found = await self.neighbours.who_is_elsewhere([live.id])
        if found:
            live.hear_who_is_elsewhere(found[live.id])

    def _say_who_is_at(self, live: LiveTable) -> None:
        """Soon: many may come at once."""
        if not self.neighbours.is_alone and live.id not in self._to_be_said:
            self._to_be_said.add(live.id)
            self._do(self._said_who_is_at(live))

    async def _said_who_is_at(self, live: LiveTable) -> None:
        await asyncio.sleep(TOGETHER)
        self._to_be_said.discard(live.id)
        await self.neighbours.say_who_is_here({live.id: live.shown_to})
        self.neighbours.tell("people", live.id)

    def _hear(self, news: News) -> None:
        """What another worker did matters where we show it."""
        if news.kind == "person":
            self.on_person(news.about)
            self._do(self._learn_names({news.about}))
            self._do(self._read_talk_of(news.about))
            return
        if news.kind == "seat":
            self._hear_seated(news.about)
            return
        live = self._all.get(news.about)
        if live is None or not live.pages:
            return
        if news.kind == "people":
            self._do(self.look_who_is_at(live))
        elif news.kind == "chat":
            self._do(self.chat.read_on(live))
        elif news.n > live.seq:
            self._do(self._catch_up(live))

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        """Beside all else, and said if it goes wrong."""

        async def done() -> None:
            try:
                await work
            except Exception as error:
                log.warning("not done: %s", error)

        doing = asyncio.create_task(done())
        self._looking.add(doing)
        doing.add_done_callback(self._looking.discard)

    async def _catch_up(self, live: LiveTable) -> None:
        async with live.lock:
            await self._read_on(live)

    async def _read_on(self, live: LiveTable) -> None:
        """Needs the lock."""
        rows, people = await self.store.rows(live.id, live.seq), live.people
        if not rows:
            return
        try:
            if len(rows) > REMEMBERED:
                await self._read_again(live)
            else:
                live.catch_up(rows, self._uptime_since(rows[-1].at))
        except Refused:
            await self._read_again(live)
        self._due.pop(live.id, None)
        if live.people is not people:
            await self._introduce(live)

    def _watched(self) -> list[LiveTable]:
        return [live for live in list(self._all.values()) if live.pages]

    def _attended(self) -> list[LiveTable]:
        return [live for live in list(self._all.values()) if _is_attended(live)]

    async def _look_around(self) -> None:
        """From time to time see for ourselves what we may not have heard."""
        while True:
            missed = await self.neighbours.pause()
            try:
                await self._look_at_watched(missed)
            except NotStored:  # As the store has said.
                continue
            except Exception as error:
                log.warning("cannot look around: %s", error)

    async def _look_at_watched(self, missed: bool) -> None:
        watched = {live.id: live for live in self._watched()}
        for table_id, seq in (await self.store.seqs(watched.keys())).items():
            if watched[table_id].seq < seq:
                await self._catch_up(watched[table_id])
        await self.chat.look_at(watched)
        await self.neighbours.say_who_is_here({id: each.shown_to for id, each in watched.items()})
        elsewhere = await self.neighbours.who_is_elsewhere(list(watched))
        for table_id, members in (elsewhere or {}).items():
            watched[table_id].hear_who_is_elsewhere(members)
        if missed:
            everybody = {each for live in watched.values() for each in live.people.everybody}
            await self._learn_names(everybody)
        for live in watched.values():
            if live.is_servers:
                self.attend(live)

    async def _step_in(self) -> None:
        """Keep the tables that are ours, and take over those that were left by whoever had them."""
        worker, renewed = self.neighbours.worker, time.monotonic()
        while True:
            try:
                if time.monotonic() > renewed + LEASE / 3:
                    renewed = time.monotonic()
                    await self.store.renew(worker, [each.id for each in self._attended()])
                for table_id in await self.store.claim_due(worker, LATE, AT_ONCE):
                    self._do(self._look_at(table_id))
            except Exception as error:
                if not isinstance(error, NotStored):  # The store has said so.
                    log.warning("cannot look for tables that are due: %s", error)
            await asyncio.sleep(EVERY)

    async def _has_claimed(self, live: LiveTable) -> bool:
        """Whether this table is left to this worker."""
        worker, standing, now = self.neighbours.worker, live.standing, wall_clock.now()
        if self.neighbours.is_alone:
            return True
        if standing and standing.claimed_by == worker and (standing.claimed_until or 0) > now + 1:
            return True
        if not await self.store.claim(live.id, worker):
            return False
        due = standing.due if standing else None
        live.standing = Standing(live.table.is_over, due, worker, now + LEASE)
        return True

    # Time

    def _expect(self, live: LiveTable) -> None:
        """When to look at a table again, unless somebody acts before."""
        due = live.due_in()
        if due is None or live.is_servers:
            self._due.pop(live.id, None)
        else:
            self._due[live.id] = time.monotonic() + due
            self._woken.set()

    async def _beat(self) -> None:
        while True:
            try:
                await self.store.beat(anew=self._has_jumped())
            except NotStored as error:
                log.error("cannot write down that the server is up: %s", error)
            await asyncio.sleep(BEAT)

    def _has_jumped(self) -> bool:
        """Whether the machine slept: that was nobody's time, and no server was up."""
        before, jump = wall_clock.now(), wall_clock.WALL.look()
        if jump:
            self._uptimes = (*self._uptimes, (self._began, before))
            self._began = wall_clock.now()
        return bool(jump)

    async def _watch(self) -> None:
        """Look at each table when it is due: whose time is up, what has not been answered."""
        while True:
            now = time.monotonic()
            for table_id in [id for id, due in self._due.items() if due <= now]:
                del self._due[table_id]
                self._do(self._look_at(table_id))
            self._woken.clear()
            wait = min(self._due.values(), default=now + BEAT) - time.monotonic()
            try:
                await asyncio.wait_for(self._woken.wait(), max(0.0, min(wait, BEAT)) + 0.005)
            except TimeoutError:
                continue

    async def _look_at(self, table_id: str) -> None:
        try:
            live = await self.find(table_id)
            if live is None:
                return
            async with live.lock:
                with suppress(MovedOn):
                    await self._judge(live)
            self._expect(live)
            self.attend(live)
        except Refused as error:
            log.warning("table %s cannot be opened: %s", table_id, error.refusal.id)
            await self.store.rest(table_id)
        except NotStored as error:
            log.warning("table %s waits to be judged: %s", table_id, error)
            self._due[table_id] = time.monotonic() + AGAIN
        except Exception:
            log.exception("table %s cannot be judged", table_id)
            self._due[table_id] = time.monotonic() + AGAIN

    async def _judge(self, live: LiveTable) -> None:
        """Needs the lock. One by one: the first may settle it for all."""
        while flagged := live.flagged():
            await self._append(live, CLOCK, (FLAG + flagged[0],), "", None)
        while overdue := live.overdue():
            seat, text = overdue[0]
            await self._append(live, seat, (text,), CLOCK, None)

    def _uptime_since(self, moment: float) -> float:
        """For how long a server was up since then, this one or those before it."""
        total = 0.0
        for started, seen in sorted((*self._uptimes, (self._began, wall_clock.now()))):
            total += max(0.0, seen - max(started, moment))
            moment = max(moment, seen)
        return total

    async def _load(self, table_id: str) -> LiveTable | None:
        stored = await self.store.table(table_id)
        if stored is None:
            return None
        rows = await self.store.rows(table_id)
        latest = rows[-1].at if rows else stored.created
        live = await to_thread.run_sync(LiveTable, stored, rows, self._uptime_since(latest))
        await self._introduce(live)
        return live

    async def _read_again(self, live: LiveTable) -> None:
        if fresh := await self._load(live.id):
            live.read_again(fresh)


def table_id_from(noise: bytes) -> str:
    """Twelve letters and digits that nobody mistakes for others."""
    number, letters = int.from_bytes(noise, "big"), []
    for _ in range(12):
        number, letter = divmod(number, len(LETTERS))
        letters.append(LETTERS[letter])
    return "".join(letters)


def _is_attended(live: LiveTable) -> bool:
    return live.attending is not None and not live.attending.done()


def _is_idle(live: LiveTable) -> bool:
    return not (live.pages or _is_attended(live) or live.lock.locked())
