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
from kibitz.server.http.openapi import SSE_MEDIA_TYPE
from kibitz.server.http.rate_limits import ConnectionCounter
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.tables.connection import Subscription
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.pubsub import CONNECTED_POLL_S, DISCONNECTED_POLL_S
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
    """How many rows the table has; a turn of several actions is told after each of them."""
    seats: list[str]
    """Those that you are to act for."""


class _TaggedMessage(Struct):
    kind: str = msgspec.field(name="is")


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

    def __init__(self) -> None:
        self._ending = asyncio.Event()

    def end_all(self) -> None:
        self._ending.set()

    def table_stream(
        self, crowd: ConnectionCounter, who: str, tables: LiveTables, showing: Subscription
    ) -> Stream:
        return _stream_response(
            self._limited_chunks(crowd, who, self._table_chunks(tables, showing))
        )

    def turn_stream(
        self, crowd: ConnectionCounter, who: str, tables: LiveTables, member: Member
    ) -> Stream:
        return _stream_response(self._limited_chunks(crowd, who, self._turn_chunks(tables, member)))

    async def wait_for_turns(
        self, crowd: ConnectionCounter, who: str, tables: LiveTables, member: Member, wait: float
    ) -> list[Turn]:
        """All turns that wait, as soon as one does; none after so many seconds."""
        until = asyncio.get_running_loop().time() + wait
        if not crowd.enter(who):
            return []
        try:
            async with _turn_subscription(tables, member) as duties:
                while not (found := duties.new_turns()):
                    left = until - asyncio.get_running_loop().time()
                    if left <= 0 or self._ending.is_set():
                        break
                    await self._wait_for_news(duties, min(left, duties.poll_interval_s))
                return found
        finally:
            crowd.leave(who)

    async def _limited_chunks(self, crowd: ConnectionCounter, who: str, chunks: Chunks) -> Chunks:
        """One of the crowd for as long as it lasts."""
        if not crowd.enter(who):
            return
        try:
            yield RETRY_LINE
            async for chunk in chunks:
                yield chunk
        except Exception:
            log.exception("a stream ended")
        finally:
            crowd.leave(who)
            await chunks.aclose()

    async def _table_chunks(self, tables: LiveTables, showing: Subscription) -> Chunks:
        tables.subscribe(showing.live, showing)
        try:
            while not self._ending.is_set():
                if not await self._wait_for_change(showing.changed, HEARTBEAT_S):
                    yield HEARTBEAT_COMMENT
                    continue
                showing.changed.clear()
                if showing.is_banned:
                    return
                for text in showing.pending_messages():
                    kind = _tag_decoder.decode(text).kind
                    yield format_event(kind, text, showing.seen_seq if kind == "sight" else None)
        finally:
            tables.unsubscribe(showing.live, showing)

    async def _turn_chunks(self, tables: LiveTables, member: Member) -> Chunks:
        loop = asyncio.get_running_loop()
        async with _turn_subscription(tables, member) as duties:
            beat_at = loop.time() + HEARTBEAT_S
            while not self._ending.is_set():
                for turn in duties.new_turns():
                    yield format_event("turn", _encoder.encode(turn).decode())
                    beat_at = loop.time() + HEARTBEAT_S
                if loop.time() >= beat_at:
                    yield HEARTBEAT_COMMENT
                    beat_at = loop.time() + HEARTBEAT_S
                await self._wait_for_news(
                    duties, min(duties.poll_interval_s, max(0.0, beat_at - loop.time()))
                )

    async def _wait_for_news(self, duties: _TurnSubscription, seconds: float) -> None:
        """Something new at one of somebody's tables, or perhaps another table."""
        if not await self._wait_for_change(duties.changed, seconds):
            duties.mark_stale()
        await duties.refresh_tables()

    async def _wait_for_change(self, changed: asyncio.Event, seconds: float) -> bool:
        """Whether something has within so many seconds; the end of the server counts, too."""
        waits = [asyncio.ensure_future(each.wait()) for each in (changed, self._ending)]
        try:
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()
        return changed.is_set()


def _stream_response(chunks: Chunks) -> Stream:
    return Stream(chunks, media_type=SSE_MEDIA_TYPE, headers=dict(SSE_HEADERS))


class _TurnSubscription:
    """Somebody at all of their tables at once, the next one included."""

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
        return (
            HEARTBEAT_S
            if others.is_single_worker
            else CONNECTED_POLL_S
            if others.is_connected
            else DISCONNECTED_POLL_S
        )

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
        """What another worker told may not have been heard."""
        self._may_have_more |= not self._tables.pubsub.is_single_worker

    async def refresh_tables(self) -> None:
        """Sit down at tables that are new, and leave those that are over."""
        self.changed.clear()
        if not self._may_have_more:
            return
        self._may_have_more = False
        wanted = await self._tables.store.running_table_ids(self.member, MAX_TABLES)
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
    duties = _TurnSubscription(tables, member)
    tables.seats.subscribe(member, duties.notify_seat)
    try:
        await duties.refresh_tables()
        yield duties
    finally:
        tables.seats.unsubscribe(member, duties.notify_seat)
        duties.unsubscribe_all()


def turn_at(live: LiveTable, member: Member) -> Turn | None:
    """Whether somebody is to act at a table now, or may commit something ahead."""
    table = live.table
    if table.is_over or table.is_adjourned or not live.people.is_full:
        return None
    to_act = live.game.rules.to_act(table.state)
    seats = [seat for seat in live.seats_of(member) if seat in to_act or table.actions(seat)]
    return (
        Turn(live.id, prefixed_path(f"/t/{live.id}"), live.game.name, live.seq, seats)
        if seats
        else None
    )
