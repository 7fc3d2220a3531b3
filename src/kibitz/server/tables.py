"""All tables: found, opened, acted at.

Nothing is shown before it is on disk. A table changes only by rows that the store has taken;
where another process was faster, the rows are read again.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakValueDictionary

from anyio import to_thread

from kibitz.bots import bots_at
from kibitz.bots.evaluations import voice_in
from kibitz.core.game import CHANCE, TABLE, Actor, Seat
from kibitz.core.message import Refused, message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.live import AnyTable, LiveTable, own_key
from kibitz.server.store import NotStored, Raced, Standing, Store, StoredRow, StoredTable
from kibitz.server.terms import Terms, going_on, write_terms
from kibitz.server.thinking import Thinker
from kibitz.table import seal
from kibitz.table.manners import KEEP, REMATCH
from kibitz.table.people import Member
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
    def __init__(self, store: Store, thinker: Thinker) -> None:
        self.store, self.thinker = store, thinker
        self._live: dict[str, LiveTable] = {}
        """Those that stay in memory, the latest used last."""
        self._all: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """Beside them those that somebody is still at work with: no table is here twice."""
        self._names: dict[Member, str] = {}
        self._next_sweep = KEPT
        """With more tables than that in memory it is time to see which can go."""
        self._due: dict[str, float] = {}
        """When to look at which table, by the monotonic clock."""
        self._woken = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._looking: set[asyncio.Task[None]] = set()
        self._began = time.time()
        self._uptimes: tuple[tuple[float, float], ...] = ()
        """When servers before this one, or beside it, were up."""

    async def begin(self) -> None:
        """Go on where the server was when it last stopped, in whatever way."""
        self._uptimes = await self.store.uptimes()
        behind = time.monotonic() - time.time()
        self._due = {id: due + behind for id, due in (await self.store.due()).items()}
        self._tasks = [asyncio.create_task(self._beat()), asyncio.create_task(self._watch())]

    async def close(self) -> None:
        attending = [live.attending for live in self._live.values() if live.attending]
        tasks = (*attending, *self._tasks, *self._looking)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # People's names

    async def name(self, member: Member) -> str:
        """What somebody wants to be called; only who said so is remembered."""
        if member not in self._names and (found := await self.store.name(member)):
            self._names[member] = found
        return self._names.get(member, "")

    async def _introduce(self, live: LiveTable) -> None:
        live.names = self._names
        for member in live.people.everybody:
            await self.name(member)

    async def call(self, member: Member, name: str) -> None:
        await self.store.call(member, name)
        self._names[member] = name
        for live in self._live.values():
            if member in live.people.everybody:
                live.show_people()

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
            created=time.time(),
            owner=opening.host,
            settings=write_terms(opening.terms),
            seed=secrets.token_hex(32) if rules.has_chance else None,
            open=opening.open,
            seeking=opening.seeking,
        )
        live = LiveTable(stored, ())
        live.standing = _standing(live, live.table)
        await self.store.open_table(stored, live.standing)
        await self._introduce(live)
        self._keep(live)
        self.attend(live)
        return stored.id

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
                    await self._read_again(live)
        self._keep(live)
        return live

    def _keep(self, live: LiveTable) -> None:
        self._live.pop(live.id, None)
        self._live[live.id] = self._all[live.id] = live
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
        actor: Actor,
        seq: int | None,
        texts: Sequence[str],
        key: str | None,
    ) -> int:
        """Do all of this or none; the seq it led to. Raises Refused or MovedOn.

        Without a `seq` it is meant wherever the table is.
        """
        async with live.lock:
            if key and live.has_done(member, key):
                return live.seq
            if seq is not None and not live.is_undisturbed(seq, actor):
                raise MovedOn
            if live.flagged():
                await self._judge(live)
                raise MovedOn
            live.hear_of(member)
            for text in texts:
                self._refuse_hasty(live, text)
            if not texts:
                if not {actor, CHANCE} <= live.game.to_act(live.table.state):
                    raise Refused(message("server.nothing-sent"))
                actor, texts = CHANCE, [self._drawn(live)]
            try:
                await self._append(
                    live, actor, texts, member, own_key(member, key) if key else None
                )
            except MovedOn:
                if not key or not live.has_done(member, key):
                    raise
            return live.seq

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
                at = live.seq
                found = await self._chosen(live)
                if found is None and live.seq == at:
                    return
                if found is None:  # Somebody acted while it was thought about.
                    continue
                seq, actor, text = found
                async with live.lock:
                    if seq == live.seq:
                        await self._append(live, actor, (text,), "", None)
            except MovedOn:
                continue
            except Exception:
                log.exception("table %s cannot go on by itself", live.id)
                if not live.pages:
                    return
                await asyncio.sleep(AGAIN)

    async def _chosen(self, live: LiveTable) -> tuple[int, Actor, str] | None:
        """What the server does now, and at which seq; None where a person is to act."""
        table, seq = live.table, live.seq
        if table.is_over or table.adjourned or not live.people.is_gathered:
            wanted = table.rematch == ""
            return (seq, TABLE, f"{REMATCH} {await self._rematch(live)}") if wanted else None
        to_act = table.game.to_act(table.state)
        if spoken := await self._spoken(live):
            return seq, *spoken
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
        return await self.open_new(
            Opening(
                id=following,
                game=stored.game,
                host=people.host,
                members={moved[s]: sit for s, sit in people.members.items() if sit},
                bots={moved[s]: bot for s, bot in people.bots.items() if s not in people.kept},
                options=game.options,
                terms=going_on(live.terms, book.reseated(moved)) if book else live.terms,
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
        return seal.drawn(table.game, table.state, seed, entropies, table.draws)

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
        standing = _standing(live, table)
        changed = standing if standing != live.standing else None
        try:
            await self.store.append(live.id, live.seq, rows, changed, came)
        except Raced:
            await self._read_again(live)
            raise MovedOn from None
        except NotStored:
            raise Refused(message("server.not-stored")) from None
        live.standing = standing
        if came:
            await self.name(came)
        live.move_on(table, changes, key)
        self._expect(live)
        self.attend(live)

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
                await self.store.beat()
            except NotStored as error:
                log.error("cannot write down that the server is up: %s", error)
            await asyncio.sleep(BEAT)

    async def _watch(self) -> None:
        """Look at each table when it is due: whose time is up, what has not been answered."""
        while True:
            now = time.monotonic()
            for table_id in [id for id, due in self._due.items() if due <= now]:
                del self._due[table_id]
                looking = asyncio.create_task(self._look_at(table_id))
                self._looking.add(looking)
                looking.add_done_callback(self._looking.discard)
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
        for started, seen in sorted((*self._uptimes, (self._began, time.time()))):
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


def _standing(live: LiveTable, table: AnyTable) -> Standing:
    due = live.due_after(table)
    return Standing(over=table.is_over, due=None if due is None else time.time() + due)


def table_id_from(noise: bytes) -> str:
    """Twelve letters and digits that nobody mistakes for others."""
    number, letters = int.from_bytes(noise, "big"), []
    for _ in range(12):
        number, letter = divmod(number, len(LETTERS))
        letters.append(LETTERS[letter])
    return "".join(letters)


def _is_idle(live: LiveTable) -> bool:
    attended = live.attending is not None and not live.attending.done()
    return not (live.pages or attended or live.lock.locked())
