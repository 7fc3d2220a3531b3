"""One connection to a table: what a page asks, and what it is shown."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from math import ceil
from typing import Any

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from kibitz.core.game import Viewer
from kibitz.core.message import Message, Refused, message
from kibitz.server import company, wire
from kibitz.server.authority import actor_of, keeps_the_book, rules
from kibitz.server.limits import Bucket
from kibitz.server.live import LiveTable
from kibitz.server.sights import refusal, sight
from kibitz.server.tables import LiveTables, MovedOn
from kibitz.server.watching import (
    Watcher,
    acting_seat,
    curtained,
    spoken_for,
    still_unveiled,
    viewer_of,
)
from kibitz.table.people import Member, People

log = logging.getLogger(__name__)

GONE = (WebSocketDisconnect, OSError, TimeoutError)
"""What sending raises when the page has left, or takes nothing any more."""
NO_TABLE, FAILED = 4404, 1011


class Connection:
    """Nothing queues up for a slow page: it is shown the latest there is when it can be."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        tables: LiveTables,
        live: LiveTable,
        member: Member,
        watcher: Watcher,
        wait: Callable[[Bucket], float],
        seen: int | None = None,
    ) -> None:
        self.socket, self.tables, self.live = socket, tables, live
        self.member, self.watcher, self.wait = member, watcher, wait
        self.seen = seen
        """The seq of the latest sight; None before the first and after another look."""
        self.through: Viewer | None = None
        """Whose eyes the latest sight was for."""
        self.people: People | None = None
        """Those among whom it was last settled whom this page is for."""
        self.changed = asyncio.Event()
        self.is_old = True
        """Whether the latest sight is; else only people came or went."""
        self.sending = asyncio.Lock()

    def show(self) -> None:
        self.is_old = True
        self.changed.set()

    def show_people(self) -> None:
        self.changed.set()

    async def serve(self) -> None:
        """Show and answer until the page goes."""
        self.live.enter(self)
        self.changed.set()
        self.tables.attend(self.live)
        showing = asyncio.create_task(self._show())
        try:
            with suppress(*GONE):
                while True:
                    await self._answer(await self.socket.receive_data("text"))
        finally:
            self.live.leave(self)
            # Who has been away for so long may be replaced: the others are told when it is so.
            if self.member in self.live.people.everybody:
                self.live.show_people_in(self.live.patience + 0.05)
            showing.cancel()
            await asyncio.gather(showing, return_exceptions=True)

    async def _show(self) -> None:
        """Sights as they come; a slow page skips those in between."""
        with suppress(*GONE):
            try:
                while True:
                    await self.changed.wait()
                    async with self.sending:
                        self.changed.clear()
                        for text in self._news():
                            await self.socket.send_data(text)
            except GONE:
                raise
            except Exception:
                log.exception("table %s cannot be shown", self.live.id)
                await self.socket.close(FAILED)

    def _news(self) -> list[str]:
        """What there is to show, and the time that is left where that matters."""
        shown = self._sight() if self.is_old else company.people(self.live, self._watcher())
        self.is_old = False
        clock = company.clock(self.live)
        return [shown, clock] if clock else [shown]

    def _watcher(self) -> Watcher:
        """Whom this page is for now: seats and roles change."""
        live, watcher = self.live, self.watcher
        if live.people is not self.people:
            self.people = live.people
            held, kept = live.seats_of(self.member), live.kept_for(self.member)
            watcher = replace(
                watcher,
                held=held,
                kept=kept,
                rules=rules(live, self.member),
                keeps=keeps_the_book(live, self.member),
            )
        if watcher.unveiled:
            watcher = replace(watcher, unveiled=still_unveiled(live.table, watcher))
        self.watcher = watcher
        return watcher

    def _sight(self) -> str:
        held = self.watcher.held
        watcher, table = self._watcher(), self.live.table
        if held != watcher.held:
            self.seen = None  # Another seat may see it from another side.
        made = sight(self.live, watcher, self.seen, self.through)
        self.seen = self.live.seq
        self.through = viewer_of(table, spoken_for(self.live, watcher), watcher.unveiled)
        return made

    async def _answer(self, text: str) -> None:
        try:
            asked = wire.read(text)
        except msgspec.DecodeError:
            if not self.wait("ask"):
                await self._send(self._refused(wire.key_of(text), message("server.unreadable")))
            return
        if isinstance(asked, wire.Look | wire.Unveil):
            if not self.wait("ask"):
                self._look(asked)
            return
        if seconds := self.wait("act" if isinstance(asked, wire.Act) else "ask"):
            await self._send(wire.TooFast(asked.key, ceil(1000 * seconds) / 1000))
            return
        try:
            answer = await self._act(asked) if isinstance(asked, wire.Act) else self._why(asked)
        except Refused as error:
            answer = self._refused(asked.key, error.refusal)
        except Exception:
            log.exception("table %s", self.live.id)
            answer = self._refused(asked.key, message("server.failed"))
        await self._send(answer)
        if isinstance(answer, wire.Stale):
            self.show()

    def _look(self, asked: wire.Look | wire.Unveil) -> None:
        """Look again, in another way: everything is shown anew."""
        if isinstance(asked, wire.Look):
            self.watcher = replace(self.watcher, tall=asked.tall)
        elif asked.seat == curtained(self.live.table, self.watcher.held, self.watcher.unveiled):
            self.watcher = replace(self.watcher, unveiled=asked.seat)
        self.seen = None
        self.show()

    async def _act(self, asked: wire.Act) -> wire.Answer:
        live, place = self.live, self.watcher.place
        if live.has_done(self.member, asked.key):
            return wire.Done(asked.key, live.seq)
        actor = actor_of(live, self.member, asked.seat, asked.texts, place)
        try:
            seq = await self.tables.act(live, self.member, actor, asked.seq, asked.texts, asked.key)
        except MovedOn:
            return wire.Stale(asked.key)
        return wire.Done(asked.key, seq)

    def _why(self, asked: wire.Why) -> wire.Answer:
        return self._refused(asked.key, why_not(self.live, self._watcher(), asked))

    def _refused(self, key: str, why: Message) -> wire.NotDone:
        return refusal(self.live, self.watcher, key, why)

    async def _send(self, answer: wire.Answer) -> None:
        async with self.sending:
            await self.socket.send_data(wire.write(answer))


def why_not(live: LiveTable, watcher: Watcher, asked: wire.Why) -> Message:
    """The answer to somebody who touched what is not offered."""
    table, held = live.table, spoken_for(live, watcher)
    if not held:
        raise Refused(message("server.watching"))
    if asked.seat is not None and asked.seat not in held:
        raise Refused(message("server.not-your-seat"))
    if curtained(table, held, watcher.unveiled):
        raise Refused(message("server.curtain"))
    viewer = viewer_of(table, held, watcher.unveiled)
    if resting := company.resting(live, watcher):
        return resting[0]
    seat = viewer if viewer in held else asked.seat or acting_seat(table, held) or held[0]
    return table.why_not(seat, asked.path)
