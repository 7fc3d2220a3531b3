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
from kibitz.server.http.rate_limits import Crowd
from kibitz.server.http.url_prefix import at
from kibitz.server.tables.connection import Showing
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.pubsub import DEAF, ROUND
from kibitz.server.tables.registry import LiveTables
from kibitz.table.seating import Member

log = logging.getLogger(__name__)

EVENTS = "text/event-stream"
OR_EVENTS = "A list, or a stream of events that are as its entries"
HEARTBEAT = 15.0
"""So often something is sent, in seconds, that both sides notice when the line is dead."""
BEAT = ": still here\n\n"
RETRY = "retry: 2000\n\n"
"""When a browser comes back after the line broke, in milliseconds."""
MOST_TABLES = 200
"""At so many of somebody's tables their turns are told, the latest used first."""
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

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


class _Tagged(Struct):
    kind: str = msgspec.field(name="is")


_tagged = msgspec.json.Decoder(_Tagged)
_encoder = msgspec.json.Encoder()


def event(kind: str, data: str, id: int | None = None) -> str:
    """JSON has no line breaks, so its data is one line."""
    head = "" if id is None else f"id: {id}\n"
    return f"{head}event: {kind}\ndata: {data}\n\n"


def seen_last(resumed: str, seen: int | None) -> int | None:
    """Up to where somebody has seen a table, by the id of an event or in so many words."""
    is_number = resumed.isascii() and resumed.isdecimal() and len(resumed) < 10
    return int(resumed) if is_number else seen


class Streams:
    """They end with the server: whoever reads one comes back to the next."""

    def __init__(self) -> None:
        self._ending = asyncio.Event()

    def end(self) -> None:
        self._ending.set()

    def of_table(self, crowd: Crowd, who: str, tables: LiveTables, showing: Showing) -> Stream:
        return _stream(self._in(crowd, who, self._shown(tables, showing)))

    def of_turns(self, crowd: Crowd, who: str, tables: LiveTables, member: Member) -> Stream:
        return _stream(self._in(crowd, who, self._turns(tables, member)))

    async def next_turns(
        self, crowd: Crowd, who: str, tables: LiveTables, member: Member, wait: float
    ) -> list[Turn]:
        """All turns that wait, as soon as one does; none after so many seconds."""
        until = asyncio.get_running_loop().time() + wait
        if not crowd.enter(who):
            return []
        try:
            async with _present(tables, member) as duties:
                while not (found := duties.news()):
                    left = until - asyncio.get_running_loop().time()
                    if left <= 0 or self._ending.is_set():
                        break
                    await self._next(duties, min(left, duties.round))
                return found
        finally:
            crowd.leave(who)

    async def _in(self, crowd: Crowd, who: str, chunks: Chunks) -> Chunks:
        """One of the crowd for as long as it lasts."""
        if not crowd.enter(who):
            return
        try:
            yield RETRY
            async for chunk in chunks:
                yield chunk
        except Exception:
            log.exception("a stream ended")
        finally:
            crowd.leave(who)
            await chunks.aclose()

    async def _shown(self, tables: LiveTables, showing: Showing) -> Chunks:
        tables.enter(showing.live, showing)
        try:
            while not self._ending.is_set():
                if not await self._changed(showing.changed, HEARTBEAT):
                    yield BEAT
                    continue
                showing.changed.clear()
                if showing.is_out:
                    return
                for text in showing.news():
                    kind = _tagged.decode(text).kind
                    yield event(kind, text, showing.seen if kind == "sight" else None)
        finally:
            tables.leave(showing.live, showing)
            showing.went()

    async def _turns(self, tables: LiveTables, member: Member) -> Chunks:
        loop = asyncio.get_running_loop()
        async with _present(tables, member) as duties:
            beat_at = loop.time() + HEARTBEAT
            while not self._ending.is_set():
                for turn in duties.news():
                    yield event("turn", _encoder.encode(turn).decode())
                    beat_at = loop.time() + HEARTBEAT
                if loop.time() >= beat_at:
                    yield BEAT
                    beat_at = loop.time() + HEARTBEAT
                await self._next(duties, min(duties.round, max(0.0, beat_at - loop.time())))

    async def _next(self, duties: _Duties, seconds: float) -> None:
        """Something new at one of somebody's tables, or perhaps another table."""
        if not await self._changed(duties.changed, seconds):
            duties.doubt()
        await duties.look()

    async def _changed(self, changed: asyncio.Event, seconds: float) -> bool:
        """Whether something has within so many seconds; the end of the server counts, too."""
        waits = [asyncio.ensure_future(each.wait()) for each in (changed, self._ending)]
        try:
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()
        return changed.is_set()


def _stream(chunks: Chunks) -> Stream:
    return Stream(chunks, media_type=EVENTS, headers=dict(HEADERS))


class _Duties:
    """Somebody at all of their tables at once, the next one included."""

    def __init__(self, tables: LiveTables, member: Member) -> None:
        self._tables, self.member = tables, member
        self._at: dict[str, LiveTable] = {}
        self._seen: dict[str, int] = {}
        """Up to which row it is known whose turn it is."""
        self._may_have_more = True
        self.changed = asyncio.Event()

    @property
    def round(self) -> float:
        """After so many seconds it is time to see for oneself what was not told."""
        others = self._tables.neighbours
        return HEARTBEAT if others.is_alone else ROUND if others.hears else DEAF

    # As a page

    def show(self) -> None:
        self.changed.set()

    def show_people(self) -> None:
        """That is nothing to act upon."""

    def show_said(self) -> None:
        """Nor is this."""

    def sit_down(self) -> None:
        """There may be another table."""
        self._may_have_more = True
        self.changed.set()

    def doubt(self) -> None:
        """What another worker told may not have been heard."""
        self._may_have_more |= not self._tables.neighbours.is_alone

    async def look(self) -> None:
        """Sit down at tables that are new, and leave those that are over."""
        self.changed.clear()
        if not self._may_have_more:
            return
        self._may_have_more = False
        wanted = await self._tables.store.running_of(self.member, MOST_TABLES)
        for table_id in self._at.keys() - {*wanted}:
            self._leave(table_id)
        for table_id in wanted:
            if table_id not in self._at:
                await self._enter(table_id)

    async def _enter(self, table_id: str) -> None:
        with suppress(Refused):  # Not of our rules any more: nobody acts there.
            live = await self._tables.find(table_id)
            if live and table_id not in self._at:
                self._at[table_id] = live
                self._tables.enter(live, self)

    def _leave(self, table_id: str) -> None:
        live = self._at.pop(table_id)
        self._seen.pop(table_id, None)
        self._tables.leave(live, self)
        if self.member in live.people.everybody:
            live.show_people_in(live.patience + 0.05)

    def leave_all(self) -> None:
        for table_id in list(self._at):
            self._leave(table_id)

    def news(self) -> list[Turn]:
        """The turns that came since this was last asked."""
        found = []
        for live in self._at.values():
            if self._seen.get(live.id) != live.seq:
                self._seen[live.id] = live.seq
                self._may_have_more |= live.table.is_over
                if turn := turn_at(live, self.member):
                    found.append(turn)
        return found


@asynccontextmanager
async def _present(tables: LiveTables, member: Member) -> AsyncIterator[_Duties]:
    duties = _Duties(tables, member)
    tables.expect_seats(member, duties.sit_down)
    try:
        await duties.look()
        yield duties
    finally:
        tables.expect_no_seats(member, duties.sit_down)
        duties.leave_all()


def turn_at(live: LiveTable, member: Member) -> Turn | None:
    """Whether somebody is to act at a table now, or may commit something ahead."""
    table = live.table
    if table.is_over or table.adjourned or not live.people.is_gathered:
        return None
    to_act = live.game.to_act(table.state)
    seats = [seat for seat in live.seats_of(member) if seat in to_act or table.actions(seat)]
    return Turn(live.id, at(f"/t/{live.id}"), live.game.name, live.seq, seats) if seats else None
