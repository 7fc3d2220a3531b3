"""Acting at a table. Nothing is shown before it is on disk.

A table changes only by rows that the store has taken; where another worker was faster, its rows
are read, and what was meant is tried again.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from functools import partial

from kibitz.bots.registry import bots_for_game
from kibitz.core.game import CHANCE, REFEREE, TABLE, Actor, Seat
from kibitz.core.message import Refused, message
from kibitz.core.record import START
from kibitz.core.values import FrozenValue
from kibitz.server import metrics
from kibitz.server.db.store import (
    Store,
    StoredRow,
    StoreError,
    StoreUnreachable,
    TableLease,
    WriteConflict,
    Writer,
    table_writer,
)
from kibitz.server.tables import ratings
from kibitz.server.tables.cluster.leases import Leases
from kibitz.server.tables.cluster.pubsub import PubSub
from kibitz.server.tables.cluster.sync import refresh_presence
from kibitz.server.tables.live.dice import entropies_of, present_seed, seats_owing_entropy
from kibitz.server.tables.live.fairness import board_hash, is_playing_with_others
from kibitz.server.tables.live.row_effects import RowEffect, act_rows
from kibitz.server.tables.live_table import LiveTable, member_key
from kibitz.server.tables.people import DisplayNames
from kibitz.server.tables.permissions import needs_consent
from kibitz.server.tables.records import PLAY_ON_S, is_too_late_to_go_on
from kibitz.server.tables.table_cache import TableCache
from kibitz.table import Row
from kibitz.table.commands import ADJOURN, COMMANDS, CONTINUE, FILL_IN, command_word
from kibitz.table.handover import acting_seat
from kibitz.table.requests import NAMED_AGREEMENTS
from kibitz.table.sealed_dice import SEAL, commitment, draw_action
from kibitz.table.seating import Member
from kibitz.table.table import AGREE, ASK, CLOCK, FILL_IN_BOT, FLAG, AnyTable, split_reason

ENTROPY_WAIT_S, ENTROPY_POLL_S = 1.5, 0.05
"""A draw waits so long for what seats have chosen to add; pages tell it at once when asked."""
MAX_ROWS, MAX_TABLE_LETTERS = 20_000, 2_000_000
"""Of a table: far more than any match has."""
MAX_REASON_LETTERS = 300
MAX_SEAT_MEMBERS = 12
MAX_TRIES = 5
"""The most tries of one request, where others act beside it."""


class StaleRequest(Exception):
    """The table is not where the sender thought."""


class NeedsTask(Exception):
    """Something has to be waited for beside the disk: it is to be submitted in a task."""


@contextmanager
def refusing_store_errors() -> Iterator[None]:
    """A context in which an error of the store becomes a refusal."""
    try:
        yield
    except StoreError as error:
        raise _store_refusal(error) from None


def _store_refusal(error: StoreError) -> Refused:
    if isinstance(error, StoreUnreachable):
        return Refused(message("server.unreachable"))
    return Refused(message("server.not-stored"))


class ActRequest(FrozenValue, frozen=True):
    """Something that somebody wants to do: all of it or nothing."""

    member: Member
    actor: Actor | Callable[[], Actor]
    """The actor of its row; that may depend on where the table is."""
    actions: Sequence[str]
    """Without any, chance is to act."""
    seq: int | None = None
    """The row it was meant after; None: wherever the table is."""
    key: str | None = None
    """The same one twice is done once."""


class PlannedChange(FrozenValue, frozen=True):
    """A change that was worked out: the rows to write, and what follows when they are on disk."""

    table: AnyTable
    effects: Sequence[RowEffect]
    rows: Sequence[StoredRow]
    key: str | None
    """The key under which it was asked for."""
    lease: TableLease
    new_lease: TableLease | None
    """The same, where it differs from what was written before."""
    seeds: Sequence[str]
    newcomer: Member
    """Somebody who comes to have a seat by it, if anybody does."""
    also: Sequence[Writer]
    """Writers of something beside the rows."""


@dataclass(frozen=True, eq=False)
class Actions:
    _store: Store
    _pubsub: PubSub
    _cache: TableCache
    _leases: Leases
    _names: DisplayNames
    _on_append: Callable[[LiveTable, Member], None]
    """Called with a table that has grown, and who came to have a seat by it."""

    async def submit(self, live: LiveTable, asked: ActRequest) -> int:
        """Do what is asked; the seq it led to. Raises Refused or StaleRequest."""
        with refusing_store_errors():
            if not asked.actions:
                await self.collect_entropies(live)
            await self._refuse_bots_beside_match(live, asked)
            try:
                async with live.changes:
                    return await self._submit_with_retries(live, asked)
            except Refused:
                metrics.REFUSALS.count()
                raise

    def submit_soon(
        self, live: LiveTable, asked: ActRequest, finish: Callable[[int | Exception], None]
    ) -> None:
        """Do what is asked without a task, as most can be: it waits for its turn at the table and
        for the disk. `finish` is called with the seq it led to, or with Refused, StaleRequest or
        NeedsTask, after which nothing has happened."""
        if live.changes.begin(partial(self._submit_now, live, asked, finish)):
            self._submit_now(live, asked, finish)

    def _submit_now(
        self, live: LiveTable, asked: ActRequest, finish: Callable[[int | Exception], None]
    ) -> None:
        """Within the table's changes, which it ends."""
        member, key = asked.member, asked.key
        result: int | Exception = live.seq
        try:
            if self._needs_task(live, asked):
                raise NeedsTask
            if not (key and live.is_duplicate(member, key)):
                actor, texts = _allowed_texts(live, asked)
                whole_key = member_key(member, key) if key else None
                planned = self._plan(live, actor, texts, member, whole_key)
                if planned.newcomer:
                    raise NeedsTask
                settle = partial(self._settle_request, live, planned, finish)
                self._store.put_rows(
                    *(live.id, live.seq, planned.rows, settle),
                    lease=planned.new_lease,
                    also=planned.also,
                )
                return
        except Exception as error:
            result = self._request_error(error)
        live.changes.release()
        finish(result)

    def _needs_task(self, live: LiveTable, asked: ActRequest) -> bool:
        """True for what is rare: people who come and go, time that is up, dice that wait for what
        somebody adds; and for what may depend on news from other workers."""
        texts = asked.actions
        if any(command_word(text) in COMMANDS for text in texts):
            return True
        if live.table.clock and live.timer.flagged_seats():
            return True
        if not texts and seats_owing_entropy(live):
            return True
        if self._pubsub.is_single_worker:
            return False
        is_ahead = asked.seq is None or asked.seq > live.seq
        return is_ahead or any(map(live.table.needs_everybody, map(_without_ask, texts)))

    def _settle_request(
        self,
        live: LiveTable,
        planned: PlannedChange,
        finish: Callable[[int | Exception], None],
        written: object,
    ) -> None:
        """Go on when the store has taken the rows of a request, or has not."""
        result: int | Exception
        if isinstance(written, Exception):
            result = self._request_error(written)
        else:
            try:
                self._settle(live, planned)
                result = live.seq
            except Exception as error:
                result = error
        live.changes.release()
        finish(result)

    def _request_error(self, error: Exception) -> Exception:
        """The answer to a request that failed. Another worker may have been faster, or know more:
        then its rows are read, in a task, and what was meant is tried again."""
        if isinstance(error, StoreError):
            error = _store_refusal(error)
        is_final = self._pubsub.is_single_worker or not isinstance(error, Refused | StaleRequest)
        if isinstance(error, WriteConflict) or not is_final:
            return NeedsTask()
        if isinstance(error, Refused):
            metrics.REFUSALS.count()
        return error

    async def _refuse_bots_beside_match(self, live: LiveTable, asked: ActRequest) -> None:
        """Refuse a bot at a position of somebody's choice to whoever plays a live match: it would
        play on from there. Needs no lock."""
        is_bot_wanted = any(command_word(text) == "bot" for text in asked.actions)
        if live.stored.start == START or not is_bot_wanted:
            return
        game = live.game.name
        if await is_playing_with_others(self._store, self._cache.find, asked.member, game):
            raise Refused(message("server.bots-beside-match", game=message(f"{game}.title")))

    async def collect_entropies(self, live: LiveTable) -> None:
        """Before a draw, wait for a moment for those who have chosen what to add to it."""
        deadline = time.monotonic() + ENTROPY_WAIT_S
        while seats_owing_entropy(live) and time.monotonic() < deadline:
            if not live.is_draw_due:
                live.is_draw_due = True
                live.broadcast_people()
            await asyncio.sleep(ENTROPY_POLL_S)
            if not self._pubsub.is_single_worker:
                await self._cache.sync(live)
        live.is_draw_due = False

    async def _submit_with_retries(self, live: LiveTable, asked: ActRequest) -> int:
        has_others = not self._pubsub.is_single_worker
        if has_others and (asked.seq is None or asked.seq > live.seq):
            await self._cache.read_new_rows(live)
        if has_others and any(map(live.table.needs_everybody, map(_without_ask, asked.actions))):
            await refresh_presence(self._pubsub, live)
        for left in reversed(range(MAX_TRIES)):
            at = live.seq
            try:
                return await self._submit_once(live, asked)
            except (Refused, StaleRequest):
                # Perhaps because of what another worker did: then once more, in its place.
                if has_others:
                    await self._cache.read_new_rows(live)
                if live.seq == at or not left:
                    raise
        raise AssertionError

    async def _submit_once(self, live: LiveTable, asked: ActRequest) -> int:
        """By what is known here."""
        member, key = asked.member, asked.key
        if key and live.is_duplicate(member, key):
            return live.seq
        if live.timer.flagged_seats():
            await self._append_overdue_rows(live)
            raise StaleRequest
        actor, texts = _allowed_texts(live, asked)
        if live.settings.rated and any(command_word(text) == "sit" for text in texts):
            await ratings.refuse_without_account(self._store, {member})
        await self.append(live, actor, texts, member, member_key(member, key) if key else None)
        return live.seq

    async def apply_deadlines(self, live: LiveTable) -> None:
        """Write what follows from time that is up."""
        async with live.changes:
            with suppress(StaleRequest):
                await self._append_overdue_rows(live)

    async def _append_overdue_rows(self, live: LiveTable) -> None:
        """Within its changes. One by one: the first may settle it for all."""
        while flagged := live.timer.flagged_seats():
            await self.append(live, CLOCK, (FLAG + flagged[0],))
        while overdue := live.timer.overdue_answers():
            seat, text = overdue[0]
            await self.append(live, seat, (text,), CLOCK)

    async def append(
        self,
        live: LiveTable,
        actor: Actor,
        texts: Sequence[str],
        member: Member = "",
        key: str | None = None,
    ) -> None:
        """Work out what follows, write it down, and only then show it. Within its changes."""
        planned = self._plan(live, actor, texts, member, key)
        newcomer = planned.newcomer
        try:
            await self._store.append_rows(
                live.id, live.seq, planned.rows, planned.new_lease, newcomer, planned.also
            )
        except WriteConflict:
            await self._cache.read_new_rows(live)
            raise StaleRequest from None
        if newcomer:
            await self._names.refresh({newcomer})
        self._settle(live, planned)

    def _plan(
        self, live: LiveTable, actor: Actor, texts: Sequence[str], member: Member, key: str | None
    ) -> PlannedChange:
        """Work out a change; raises Refused."""
        table, effects, sent = live.dry_run(actor, texts, member)
        seeds = live.stored.later_seeds
        assert table.people
        newcomer = ""
        if table.people is not live.people:
            has_new_seat = len(table.people.seats_of(member)) > len(live.people.seats_of(member))
            newcomer = member if has_new_seat else ""
        if _needs_new_envelope(live, table, newcomer):
            seeds = (*seeds, secrets.token_hex(32))
            row = Row(TABLE, f"{SEAL} {commitment(seeds[-1])}", at=sent[-1].at)
            table, more = act_rows(table, [row])
            effects, sent = effects + more, [*sent, row]
        opened = live.stored.created_at
        rows = [
            StoredRow(
                actor=r.actor,
                member=r.member,
                text=r.text,
                key=key if r is sent[0] else None,
                at=opened + r.at,
                think_seconds=r.think_seconds,
            )
            for r in sent
        ]
        lease = self._leases.lease_after(live, table)
        also = _rated_writers(live, table, rows[-1].at) if live.settings.rated else []
        if seeds is not live.stored.later_seeds:
            also.append(table_writer(live.id, later_seeds=list(seeds)))
        new_lease = None if lease is live.lease or lease == live.lease else lease
        return PlannedChange(table, effects, rows, key, lease, new_lease, seeds, newcomer, also)

    def _settle(self, live: LiveTable, planned: PlannedChange) -> None:
        """Show a change whose rows are on disk."""
        metrics.ACTIONS.count(len(planned.rows))
        live.lease = planned.lease
        if planned.seeds is not live.stored.later_seeds:
            live.stored = replace_fields(live.stored, later_seeds=planned.seeds)
        live.advance_to(planned.table, planned.effects, planned.key)
        if not self._pubsub.is_single_worker:
            self._pubsub.publish("table", live.id, live.seq)
        self._on_append(live, planned.newcomer)


def _allowed_texts(live: LiveTable, asked: ActRequest) -> tuple[Actor, Sequence[str]]:
    """The actor and the texts of a request that nothing speaks against but the rules; raises
    Refused or StaleRequest."""
    member, texts = asked.member, asked.actions
    actor = asked.actor if isinstance(asked.actor, str) else asked.actor()
    if asked.seq is not None and not live.is_still_valid(asked.seq, actor):
        raise StaleRequest
    live.presence.mark_active(member)
    _refuse_too_much(live, texts)
    actor, texts = _as_others_allow(live, member, actor, texts)
    for text in texts:
        _refuse_bot_request(live, text)
        if live.settings.rated:
            ratings.refuse_at_rated_table(live, member, text)
        _refuse_late_play_on(live, text)
    if texts:
        return actor, texts
    if not {actor, CHANCE} <= live.position.to_act:
        raise Refused(message("server.empty-request"))
    return CHANCE, [next_draw(live, actor)]


def _as_others_allow(
    live: LiveTable, member: Member, actor: Actor, texts: Sequence[str]
) -> tuple[Actor, Sequence[str]]:
    """The part of a wish that needs nobody else: whoever is not the host leaves a table instead of
    calling the match off, and a host who plays asks for a ruling."""
    if len(texts) != 1 or (actor != REFEREE and texts[0] != "abort"):
        return actor, texts
    held = live.people.seats_of(member)
    if texts[0] == "abort" and member != live.people.host and held:
        return held[0], [f"stand {seat}" for seat in held]
    is_free = texts[0] in (ADJOURN, CONTINUE, *NAMED_AGREEMENTS) or texts[0].startswith(ASK)
    if actor != REFEREE or is_free or not needs_consent(live, member):
        return actor, texts
    return acting_seat(live.table, held) or held[0], [ASK + texts[0]]


def _refuse_too_much(live: LiveTable, texts: Sequence[str]) -> None:
    """Refuse what no match needs: a table without end, or a reason as long as a page."""
    letters = live.letters + sum(map(len, texts))
    if live.seq + len(texts) > MAX_ROWS or letters > MAX_TABLE_LETTERS:
        raise Refused(message("server.table-full"))
    for text in texts:
        seat = text.split(" ")[1] if text.startswith("sit ") else ""
        if seat and len(live.people.members.get(seat, ())) >= MAX_SEAT_MEMBERS:
            raise Refused(message("table.team-crowded", number=MAX_SEAT_MEMBERS))
        if len(text) > MAX_REASON_LETTERS and len(_reason_in(text)) > MAX_REASON_LETTERS:
            raise Refused(message("server.reason-long", most=MAX_REASON_LETTERS))


def _reason_in(text: str) -> str:
    """The reason of a ruling, beside it or as its last words in quotation marks."""
    if ruled := split_reason(text):
        return ruled[1]
    quoted: list[str] = re.findall(r'"((?:[^"\\]|\\.)*)"\s*$', text)
    return quoted[-1] if quoted else ""


def _rated_writers(live: LiveTable, after: AnyTable, at: float) -> list[Writer]:
    """The writers beside a row of a rated match: of its board, and of ratings at its end."""
    if not after.has_begun:
        return []
    board = None if after.is_over else board_hash(after.game, after.state)
    found = [table_writer(live.id, board_hash=board)]
    if after.is_over and not live.table.is_over:
        rating = ratings.rating_writer(live.id, after, at)
        found += [rating] if rating else []
    return found


def _needs_new_envelope(live: LiveTable, after: AnyTable, newcomer: Member) -> bool:
    """True where somebody may know the seed, as it could be opened, or who comes later has not
    had their part in the dice."""
    was_over = live.position.is_over
    if not live.stored.seed or not (was_over or newcomer) or after.is_over:
        return False
    return was_over or live.table.draws > live.table.envelopes[-1].from_draw


def next_draw(live: LiveTable, seat: Seat | None) -> str:
    """The action of chance by its odds, for the seat that lets the die fall, if any has to: the
    next of the sealed draws."""
    table = live.table
    seed = present_seed(live) or secrets.token_hex(32)
    entropies = entropies_of(live, table.envelopes[-1])
    return draw_action(table.game, table.state, seed, entropies, table.draws, seat)


def _without_ask(text: str) -> str:
    return text.removeprefix(ASK)


def _refuse_late_play_on(live: LiveTable, text: str) -> None:
    """Refuse to go on with a match whose dice may have been looked up."""
    asked = live.table.pending_request
    if text != AGREE and not text.startswith(ASK):
        return
    wanted = asked.text if asked and text == AGREE else text.removeprefix(ASK)
    is_joint = text != wanted and command_word(wanted) == CONTINUE
    if is_joint and is_too_late_to_go_on(live):
        raise Refused(message("server.play-on-late", minutes=round(PLAY_ON_S / 60)))


def _refuse_bot_request(live: LiveTable, text: str) -> None:
    """Refuse what a table cannot know: a bot there is not, somebody who is not away."""
    asked = text.removeprefix(ASK)
    if not asked.startswith(("bot", FILL_IN)):
        return
    word, *rest = asked.split(" ")
    if word not in ("bot", FILL_IN):
        return
    known = (FILL_IN_BOT,) if word == FILL_IN else bots_for_game(live.game.name)
    if len(rest) > 1 and rest[1] not in known:
        raise Refused(message("table.no-such-bot"))
    is_asked = word == FILL_IN and asked != text and rest and rest[0] in live.people.members
    if is_asked and not live.can_be_filled_in(rest[0]):
        left = round(live.absence_limit_s - live.seconds_absent(rest[0]))
        raise Refused(message("server.too-soon", seat=rest[0], seconds=left))
