"""One connection to a table: what a page asks, and what it is shown."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from typing import Any

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from kibitz.core.game import REFEREE, Actor, Seat, Viewer
from kibitz.core.message import Message, Refused, message
from kibitz.server import wire
from kibitz.server.live import LiveTable
from kibitz.server.sights import (
    Watcher,
    acting_seat,
    curtained,
    refusal,
    sight,
    still_unveiled,
    viewer_of,
)
from kibitz.server.tables import LiveTables, MovedOn

log = logging.getLogger(__name__)

GONE = (WebSocketDisconnect, OSError)
"""What sending raises when the page has left."""
NO_TABLE, FAILED = 4404, 1011


class Connection:
    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        tables: LiveTables,
        live: LiveTable,
        member: str,
        watcher: Watcher,
    ) -> None:
        self.socket, self.tables, self.live = socket, tables, live
        self.member, self.watcher = member, watcher
        self.seen: int | None = None
        """The seq of the latest sight; None before the first and after another look."""
        self.through: Viewer | None = None
        """Whose eyes the latest sight was for."""
        self.changed = asyncio.Event()
        self.sending = asyncio.Lock()

    async def serve(self) -> None:
        """Show and answer until the page goes."""
        self.live.watching.add(self.changed)
        self.changed.set()
        self.tables.attend(self.live)
        showing = asyncio.create_task(self._show())
        try:
            with suppress(*GONE):
                while True:
                    await self._answer(await self.socket.receive_data("text"))
        finally:
            self.live.watching.discard(self.changed)
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
                        await self.socket.send_data(self._sight())
            except GONE:
                raise
            except Exception:
                log.exception("table %s cannot be shown", self.live.id)
                await self.socket.close(FAILED)

    def _sight(self) -> str:
        table, watcher = self.live.table, self.watcher
        self.watcher = watcher = replace(watcher, unveiled=still_unveiled(table, watcher))
        made = sight(self.live, watcher, self.seen, self.through)
        self.seen = self.live.seq
        self.through = viewer_of(table, watcher.held, watcher.unveiled)
        return made

    async def _answer(self, text: str) -> None:
        try:
            asked = wire.read(text)
        except msgspec.DecodeError:
            await self._send(self._refused(wire.key_of(text), message("server.unreadable")))
            return
        if isinstance(asked, wire.Look | wire.Unveil):
            self._look(asked)
            return
        try:
            answer = await self._act(asked) if isinstance(asked, wire.Act) else self._why(asked)
        except Refused as error:
            answer = self._refused(asked.key, error.refusal)
        except Exception:
            log.exception("table %s: %r", self.live.id, asked)
            answer = self._refused(asked.key, message("server.failed"))
        await self._send(answer)
        if isinstance(answer, wire.Stale):
            self.changed.set()

    def _look(self, asked: wire.Look | wire.Unveil) -> None:
        """Look again, in another way: everything is shown anew."""
        if isinstance(asked, wire.Look):
            self.watcher = replace(self.watcher, tall=asked.tall)
        elif asked.seat == curtained(self.live.table, self.watcher.held, self.watcher.unveiled):
            self.watcher = replace(self.watcher, unveiled=asked.seat)
        self.seen = None
        self.changed.set()

    async def _act(self, asked: wire.Act) -> wire.Answer:
        actor = self._actor(asked)
        try:
            seq = await self.tables.act(
                self.live, self.member, actor, asked.seq, asked.texts, asked.key
            )
        except MovedOn:
            return wire.Stale(asked.key)
        return wire.Done(asked.key, seq)

    def _why(self, asked: wire.Why) -> wire.Answer:
        seat, table, watcher = self._seat(asked.seat), self.live.table, self.watcher
        if curtained(table, watcher.held, watcher.unveiled):
            raise Refused(message("server.curtain"))
        viewer = viewer_of(table, watcher.held, watcher.unveiled)
        seat = viewer if viewer in watcher.held else seat
        return self._refused(asked.key, table.why_not(seat, asked.path))

    def _actor(self, asked: wire.Act) -> Actor:
        """Who does this: a seat of theirs; with typed words whosever they are, and by whoever
        opened the table those of a referee too."""
        game, table = self.live.game, self.live.table
        if asked.seat is None and len(asked.texts) == 1:
            with suppress(Refused):
                whose = game.actor(table.state, game.read_action(asked.texts[0]))
                if whose in self.watcher.held:
                    return whose
                if whose == REFEREE and self.member == self.live.owner:
                    return REFEREE
        return self._seat(asked.seat)

    def _seat(self, asked: str | None) -> Seat:
        """Whom this page acts for: as it says, or as is plain."""
        held = self.watcher.held
        if not held:
            raise Refused(message("server.watching"))
        seat = asked or acting_seat(self.live.table, held) or held[0]
        if seat not in held:
            raise Refused(message("server.not-your-seat"))
        return seat

    def _refused(self, key: str, why: Message) -> wire.NotDone:
        return refusal(self.live, self.watcher, key, why)

    async def _send(self, answer: wire.Answer) -> None:
        async with self.sending:
            await self.socket.send_data(wire.write(answer))
