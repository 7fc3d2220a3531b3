"""Server-sent events, for clients that want no socket: a table as it happens, and one's turns.

Whoever has a stream open is there, as whoever has a page is. Nothing queues up for one who reads
slowly: the next event is made when the last one was taken.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias

import msgspec
from litestar.response import Stream
from msgspec import Struct

from kibitz.core.message import Refused
from kibitz.server.db.queries.memberships import running_table_ids
from kibitz.server.http.openapi import SSE_MEDIA_TYPE, TAG_FIELD
from kibitz.server.http.rate_limits import ConnectionCounter
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.tables.cluster.pubsub import CONNECTED_POLL_S, DISCONNECTED_POLL_S
from kibitz.server.tables.connection import Subscription
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.registry import LiveTables
from kibitz.table.seating import Member

log = logging.getLogger(__name__)

HEARTBEAT_S = 15.0
"""So often something is sent, in seconds, that both sides notice when the line is dead."""
HEARTBEAT_COMMENT = ": still here\n\n"
RETRY_LINE = "retry: 2000\n\n"
"""When a browser comes back after the line broke, in milliseconds."""
MAX_TABLES = 200
"""At so many of somebody's tables their turns are told, the latest used first."""
SSE_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

Chunks: TypeAlias = AsyncGenerator[str, None]


class Turn(Struct):
    """A table where you are to act."""

    table: str
    url: str
    game: str
    seq: int
    """The number of rows of the table; a turn of several actions is told after each of them."""
    seats: list[str]
    """Those that you are to act for."""


class _TaggedMessage(Struct):
    kind: str = msgspec.field(name=TAG_FIELD)


_tag_decoder = msgspec.json.Decoder(_TaggedMessage)
_encoder = msgspec.json.Encoder()


def format_event(kind: str, data: str, id: int | None = None) -> str:
    """JSON has no line breaks, so its data is one line."""
    head = "" if id is None else f"id: {id}\n"
    return f"{head}event: {kind}\ndata: {data}\n\n"


def last_seen_seq(resumed: str, seen: int | None) -> int | None:
    """Up to where somebody has seen a table, by the id of an event or in so many words."""
    is_number = resumed.isascii() and resumed.isdecimal() and len(resumed) < 10
    return int(resumed) if is_number else seen


class EventStreams:
    """They end with the server: whoever reads one comes back to the next."""

    def __init__(self, counter: ConnectionCounter, tables: LiveTables) -> None:
        self._counter, self._tables = counter, tables
        self._ending = asyncio.Event()

    def end_all(self) -> None:
        self._ending.set()

    def table_stream(self, who: str, subscription: Subscription) -> Stream:
        """A table as it happens; `who` is whom it counts for as a connection."""
        return self._stream_response(who, self._table_chunks(subscription))

    def turn_stream(self, who: str, member: Member) -> Stream:
        return self._stream_response(who, self._turn_chunks(member))

    async def wait_for_turns(self, who: str, member: Member, wait: float) -> list[Turn]:
        """All turns that wait, as soon as one does; none after so many seconds."""
        until = asyncio.get_running_loop().time() + wait
        if not self._counter.enter(who):
            return []
        try:
            async with _turn_subscription(self._tables, member) as subscription:
                while not (found := subscription.new_turns()):
                    left = until - asyncio.get_running_loop().time()
                    if left <= 0 or self._ending.is_set():
                        break
                    await self._wait_for_news(subscription, min(left, subscription.poll_interval_s))
                return found
        finally:
            self._counter.leave(who)

    def _stream_response(self, who: str, chunks: Chunks) -> Stream:
        limited = self._limited_chunks(who, chunks)
        return Stream(limited, media_type=SSE_MEDIA_TYPE, headers=dict(SSE_HEADERS))

    async def _limited_chunks(self, who: str, chunks: Chunks) -> Chunks:
        """Chunks that count as a connection for as long as they last."""
        if not self._counter.enter(who):
            return
        try:
            yield RETRY_LINE
            async for chunk in chunks:
                yield chunk
        except Exception:
            log.exception("a stream ended")
        finally:
            self._counter.leave(who)
            await chunks.aclose()

    async def _table_chunks(self, subscription: Subscription) -> Chunks:
        self._tables.subscribe(subscription.live, subscription)
        try:
            while not self._ending.is_set():
                if not await self._wait_for_change(subscription.changed, HEARTBEAT_S):
                    yield HEARTBEAT_COMMENT
                    continue
                subscription.changed.clear()
                if subscription.is_banned:
                    return
                for text in subscription.pending_messages():
                    kind = _tag_decoder.decode(text).kind
                    yield format_event(
                        kind, text, subscription.seen_seq if kind == "view" else None
                    )
        finally:
            self._tables.unsubscribe(subscription.live, subscription)

    async def _turn_chunks(self, member: Member) -> Chunks:
        loop = asyncio.get_running_loop()
        async with _turn_subscription(self._tables, member) as subscription:
            beat_at = loop.time() + HEARTBEAT_S
            while not self._ending.is_set():
                for turn in subscription.new_turns():
                    yield format_event("turn", _encoder.encode(turn).decode())
                    beat_at = loop.time() + HEARTBEAT_S
                if loop.time() >= beat_at:
                    yield HEARTBEAT_COMMENT
                    beat_at = loop.time() + HEARTBEAT_S
                await self._wait_for_news(
                    subscription, min(subscription.poll_interval_s, max(0.0, beat_at - loop.time()))
                )

    async def _wait_for_news(self, subscription: _TurnSubscription, seconds: float) -> None:
        """Something new at one of somebody's tables, or perhaps another table."""
        if not await self._wait_for_change(subscription.changed, seconds):
            subscription.mark_stale()
        await subscription.refresh_tables()

    async def _wait_for_change(self, changed: asyncio.Event, seconds: float) -> bool:
        """Wait so many seconds for a change; True if one came. The server's end wakes it, too."""
        waits = [asyncio.ensure_future(each.wait()) for each in (changed, self._ending)]
        try:
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()
        return changed.is_set()


class _TurnSubscription:
    """Somebody at all of their tables at once, the next one included."""

    address = ""

    def __init__(self, tables: LiveTables, member: Member) -> None:
        self._tables, self.member = tables, member
        self._live_tables: dict[str, LiveTable] = {}
        self._seen_seqs: dict[str, int] = {}
        """Up to which row it is known whose turn it is."""
        self._may_have_more = True
        self.changed = asyncio.Event()

    @property
    def poll_interval_s(self) -> float:
        """After so many seconds it is time to see for oneself what was not told."""
        others = self._tables.pubsub
        if others.is_single_worker:
            return HEARTBEAT_S
        return CONNECTED_POLL_S if others.is_connected else DISCONNECTED_POLL_S

    # As a page

    def notify_change(self) -> None:
        self.changed.set()

    def notify_people(self) -> None:
        """That is nothing to act upon."""

    def notify_chat(self) -> None:
        """Nor is this."""

    def notify_seat(self) -> None:
        """There may be another table."""
        self._may_have_more = True
        self.changed.set()

    def mark_stale(self) -> None:
        """Look again: what another worker told may not have been heard."""
        self._may_have_more |= not self._tables.pubsub.is_single_worker

    async def refresh_tables(self) -> None:
        """Sit down at tables that are new, and leave those that are over."""
        self.changed.clear()
        if not self._may_have_more:
            return
        self._may_have_more = False
        wanted = await running_table_ids(self._tables.store, self.member, MAX_TABLES)
        for table_id in self._live_tables.keys() - {*wanted}:
            self._unsubscribe(table_id)
        for table_id in wanted:
            if table_id not in self._live_tables:
                await self._subscribe(table_id)

    async def _subscribe(self, table_id: str) -> None:
        with suppress(Refused):  # Not of our rules any more: nobody acts there.
            live = await self._tables.find_table(table_id)
            if live and table_id not in self._live_tables:
                self._live_tables[table_id] = live
                self._tables.subscribe(live, self)

    def _unsubscribe(self, table_id: str) -> None:
        live = self._live_tables.pop(table_id)
        self._seen_seqs.pop(table_id, None)
        self._tables.unsubscribe(live, self)

    def unsubscribe_all(self) -> None:
        for table_id in list(self._live_tables):
            self._unsubscribe(table_id)

    def new_turns(self) -> list[Turn]:
        """The turns that came since this was last asked."""
        found = []
        for live in self._live_tables.values():
            if self._seen_seqs.get(live.id) != live.seq:
                self._seen_seqs[live.id] = live.seq
                self._may_have_more |= live.table.is_over
                if turn := turn_at(live, self.member):
                    found.append(turn)
        return found


@asynccontextmanager
async def _turn_subscription(
    tables: LiveTables, member: Member
) -> AsyncIterator[_TurnSubscription]:
    subscription = _TurnSubscription(tables, member)
    tables.seats.subscribe(member, subscription.notify_seat)
    try:
        await subscription.refresh_tables()
        yield subscription
    finally:
        tables.seats.unsubscribe(member, subscription.notify_seat)
        subscription.unsubscribe_all()


def turn_at(live: LiveTable, member: Member) -> Turn | None:
    """The turn of somebody who is to act at a table now, or may commit something ahead."""
    table = live.table
    if table.is_over or table.is_adjourned or not live.people.is_full:
        return None
    to_act = live.game.rules.to_act(table.state)
    seats = [seat for seat in live.seats_of(member) if seat in to_act or table.actions(seat)]
    if not seats:
        return None
    return Turn(live.id, prefixed_path(f"/t/{live.id}"), live.game.name, live.seq, seats)
