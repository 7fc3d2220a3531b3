"""One connection to a table: what a page asks, and what it is shown."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Any

import msgspec
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from kibitz.core.game import Viewer
from kibitz.core.message import Message, Refused, message
from kibitz.server.db.store import NotStored, Unreachable
from kibitz.server.http.rate_limits import Bucket
from kibitz.server.tables import chat, people_view, protocol
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.permissions import actor_of, keeps_the_book, rules
from kibitz.server.tables.registry import LiveTables, MovedOn
from kibitz.server.tables.view import refusal, sight
from kibitz.server.tables.viewers import (
    Watcher,
    acting_seat,
    curtained,
    spoken_for,
    still_unveiled,
    viewer_of,
)
from kibitz.table.seating import Member, People

log = logging.getLogger(__name__)

GONE = (WebSocketDisconnect, OSError, TimeoutError)
"""What sending raises when the page has left, or takes nothing any more."""
NO_TABLE, FAILED = 4404, 1011
SENT_AWAY = 4403


class Showing:
    """What somebody is shown of a table, and has been.

    Nothing queues up for a slow one: they are shown the latest there is when they can be.
    """

    def __init__(
        self, live: LiveTable, member: Member, watcher: Watcher, seen: int | None = None
    ) -> None:
        self.live, self.member, self.watcher = live, member, watcher
        self.seen = seen
        """The seq of the latest sight; None before the first and after another look."""
        self.through: Viewer | None = None
        """Whose eyes the latest sight was for."""
        self.people: People | None = None
        """Those among whom it was last settled whom this is shown to."""
        self.changed = asyncio.Event()
        self.changed.set()
        self.is_old = True
        """Whether the latest sight is."""
        self.has_people = False
        """Whether people came or went since."""
        self.heard: chat.Heard | None = None
        """What was shown of what people say."""

    def show(self) -> None:
        self.is_old = True
        self.changed.set()

    def show_people(self) -> None:
        self.has_people = True
        self.changed.set()

    def show_said(self) -> None:
        self.changed.set()

    def went(self) -> None:
        """Who has been away for so long may be replaced: the others are told when it is so."""
        if self.member in self.live.people.everybody:
            self.live.show_people_in(self.live.patience + 0.05)

    def news(self) -> list[str]:
        """What there is to show, the time that is left where that matters, and what was said."""
        shown = []
        if self.is_old:
            shown.append(self._sight())
        elif self.has_people:
            shown.append(people_view.people(self.live, self._watcher()))
        self.is_old = self.has_people = False
        if shown and (clock := people_view.clock(self.live)):
            shown.append(clock)
        if said := chat.said(self.live, self.member, self.watcher.language, self.heard):
            told, self.heard = said
            shown.append(protocol.write(told))
        return shown

    @property
    def is_out(self) -> bool:
        """Whether they were sent away."""
        return chat.is_out(self.live, self.member)

    def _watcher(self) -> Watcher:
        """Whom this is shown to now: seats and roles change."""
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


class Connection(Showing):
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
        super().__init__(live, member, watcher, seen)
        self.socket, self.tables, self.wait = socket, tables, wait
        self.sending = asyncio.Lock()

    async def serve(self) -> None:
        """Show and answer until the page goes."""
        self.tables.enter(self.live, self)
        showing = asyncio.create_task(self._show())
        try:
            with suppress(*GONE):
                while True:
                    await self._answer(await self.socket.receive_data("text"))
        finally:
            self.tables.leave(self.live, self)
            self.went()
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
                        if self.is_out:
                            await self.socket.close(SENT_AWAY)
                            return
                        for text in self.news():
                            await self.socket.send_data(text)
            except GONE:
                raise
            except Exception:
                log.exception("table %s cannot be shown", self.live.id)
                await self.socket.close(FAILED)

    async def _answer(self, text: str) -> None:
        try:
            asked = protocol.read(text)
        except msgspec.DecodeError:
            if not self.wait("ask"):
                await self._send(self._refused(protocol.key_of(text), message("server.unreadable")))
            return
        if isinstance(asked, protocol.Look | protocol.Unveil):
            if not self.wait("ask"):
                self._look(asked)
            return
        limit = _limit_of(asked)
        if seconds := self.wait(limit):
            await self._send(protocol.TooFast(asked.key, ceil(1000 * seconds) / 1000, limit))
            return
        try:
            answer = await self._done(asked)
        except Refused as error:
            answer = self._refused(asked.key, error.refusal)
        except Exception:
            log.exception("table %s", self.live.id)
            answer = self._refused(asked.key, message("server.failed"))
        await self._send(answer)
        if isinstance(answer, protocol.Stale):
            self.show()

    def _look(self, asked: protocol.Look | protocol.Unveil) -> None:
        """Look again, in another way: everything is shown anew."""
        if isinstance(asked, protocol.Look):
            self.watcher = replace(self.watcher, tall=asked.tall)
        elif asked.seat == curtained(self.live.table, self.watcher.held, self.watcher.unveiled):
            self.watcher = replace(self.watcher, unveiled=asked.seat)
        self.seen = None
        self.show()

    async def _done(self, asked: protocol.Act | protocol.Why | protocol.Say) -> protocol.Answer:
        match asked:
            case protocol.Act():
                return await self._act(asked)
            case protocol.Why():
                return self._why(asked)
        return await self._say(asked)

    async def _say(self, asked: protocol.Say) -> protocol.Answer:
        try:
            n = await self.tables.chat.say(self.live, self.member, asked.text, asked.room)
        except Unreachable:
            raise Refused(message("server.unreachable")) from None
        except NotStored:
            raise Refused(message("server.not-stored")) from None
        return protocol.Done(asked.key, n)

    async def _act(self, asked: protocol.Act) -> protocol.Answer:
        live, place = self.live, self.watcher.place
        whose = partial(actor_of, live, self.member, asked.seat, asked.texts, place)
        try:
            seq = await self.tables.act(live, self.member, whose, asked.seq, asked.texts, asked.key)
        except MovedOn:
            return protocol.Stale(asked.key)
        return protocol.Done(asked.key, seq)

    def _why(self, asked: protocol.Why) -> protocol.Answer:
        return self._refused(asked.key, why_not(self.live, self._watcher(), asked))

    def _refused(self, key: str, why: Message) -> protocol.NotDone:
        return refusal(self.live, self.watcher, key, why)

    async def _send(self, answer: protocol.Answer) -> None:
        async with self.sending:
            await self.socket.send_data(protocol.write(answer))


def _limit_of(asked: protocol.Act | protocol.Why | protocol.Say) -> Bucket:
    match asked:
        case protocol.Act():
            return "act"
        case protocol.Say():
            return "chat"
    return "ask"


def why_not(live: LiveTable, watcher: Watcher, asked: protocol.Why) -> Message:
    """The answer to somebody who touched what is not offered."""
    table, held = live.table, spoken_for(live, watcher)
    if not held:
        raise Refused(message("server.watching"))
    if asked.seat is not None and asked.seat not in held:
        raise Refused(message("server.not-your-seat"))
    if curtained(table, held, watcher.unveiled):
        raise Refused(message("server.curtain"))
    viewer = viewer_of(table, held, watcher.unveiled)
    if resting := people_view.resting(live, watcher):
        return resting[0]
    seat = viewer if viewer in held else asked.seat or acting_seat(table, held) or held[0]
    return table.why_not(seat, asked.path)
