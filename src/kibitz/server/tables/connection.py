"""One connection to a table: what a page asks, and what it is shown."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from math import ceil
from typing import Any

import msgspec
from litestar import WebSocket
from msgspec.structs import replace

from kibitz.core.game import Viewer
from kibitz.core.message import Message, Refused, message
from kibitz.server.http.page_line import GONE_ERRORS, PageLine, page_line
from kibitz.server.http.rate_limits import Bucket, act_cost
from kibitz.server.http.requests import address_of
from kibitz.server.tables import chat, people_view, protocol
from kibitz.server.tables.actions import (
    ActRequest,
    NeedsTask,
    StaleRequest,
    refusing_store_errors,
)
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.permissions import actor_of, is_asking
from kibitz.server.tables.registry import LiveTables
from kibitz.server.tables.telling.patches import ShownView, people_patch, view_patch, whole_view
from kibitz.server.tables.view import refusal, render_view
from kibitz.server.tables.viewers import ViewerSettings, controlled_seats, settings_at
from kibitz.table.handover import acting_seat, current_unveiled_seat, curtain_seat, viewer_of
from kibitz.table.seating import Member, People

log = logging.getLogger(__name__)

CLOSE_NO_TABLE, CLOSE_FAILED = 4404, 1011
CLOSE_BANNED = 4403


class Subscription:
    """Somebody's view of a table: the part they have been shown, and what is pending.

    Nothing queues up for a slow one: they are shown the latest there is when they can be.
    """

    def __init__(
        self,
        live: LiveTable,
        member: Member,
        settings: ViewerSettings,
        seen: int | None = None,
        address: str = "",
    ) -> None:
        self.live, self.member, self.viewer_settings = live, member, settings
        self.address = address
        self.seen_seq = seen
        """The seq of the latest view; None before the first and after another look."""
        self.last_viewer: Viewer | None = None
        """The eyes that the latest view was for."""
        self.known_people: People | None = None
        """Those among whom it was last settled whom this is shown to."""
        self.changed = asyncio.Event()
        self.changed.set()
        self.is_view_stale = True
        """The table changed since the latest view."""
        self.is_people_stale = False
        """People came or went since."""
        self.is_patched = False
        """After a first view it is sent only what changed."""
        self.shown_view: ShownView | None = None
        """The latest view, where patches follow it."""
        self.full_view_bytes = 1
        """The size of the latest view that showed everything."""
        self.chat_cursor: chat.ChatCursor | None = None
        """The part of the chat that was shown."""
        self._chat_standing: tuple[object, ...] = ()
        """All that decides who may read and write, when it was last looked for news."""

    def notify_change(self) -> None:
        self.is_view_stale = True
        self.notify_chat()

    def notify_people(self) -> None:
        self.is_people_stale = True
        self.notify_chat()

    def notify_chat(self) -> None:
        self.changed.set()

    def pending_messages(self) -> list[str]:
        """The messages to send now: the view or the people, the clock, and the chat."""
        shown = []
        if self.is_view_stale:
            shown.append(self._next_view())
        elif self.is_people_stale:
            shown.append(self._next_people())
        self.is_view_stale = self.is_people_stale = False
        if shown and (clock := people_view.render_clock(self.live)):
            shown.append(clock)
        live = self.live
        standing = (
            live.chat_log,
            live.chat_log and live.chat_log.n,
            live.people,
            live.position.is_over,
        )
        if standing != self._chat_standing:
            self._chat_standing = standing
            if update := chat.chat_update(
                live, self.member, self.viewer_settings.language, self.chat_cursor
            ):
                view, self.chat_cursor = update
                shown.append(protocol.write_message(view))
        return shown

    @property
    def is_banned(self) -> bool:
        """True if they were sent away."""
        chat_log = self.live.chat_log
        if chat_log is None or not chat_log.banned:
            return False
        return chat.is_banned(self.live, self.member)

    def _refresh_viewer(self) -> ViewerSettings:
        """The viewer with the seats and roles of now: these change."""
        live, settings = self.live, self.viewer_settings
        if live.people is not self.known_people:
            self.known_people = live.people
            settings = settings_at(live, self.member, settings)
        if settings.is_asking != is_asking(live, self.member):
            settings = replace(settings, is_asking=not settings.is_asking)
        if settings.unveiled_seat:
            seat = current_unveiled_seat(live.table, settings.seats, settings.unveiled_seat)
            settings = replace(settings, unveiled_seat=seat)
        self.viewer_settings = settings
        return settings

    def _next_people(self) -> str:
        settings = self._refresh_viewer()
        if self.shown_view is None:
            return people_view.render_people(self.live, settings)
        made, self.shown_view = people_patch(self.live, settings, self.shown_view)
        return made

    def _next_view(self) -> str:
        held = self.viewer_settings.seats
        settings, table = self._refresh_viewer(), self.live.table
        if held != settings.seats:
            self.seen_seq = None  # Another seat may see it from another side.
        if self.seen_seq is None or not self.is_patched:
            self.shown_view = None
        if not self.is_patched:
            made = render_view(self.live, settings, self.seen_seq, self.last_viewer)
        elif self.shown_view is None:
            made, self.shown_view = whole_view(self.live, settings, self.seen_seq, self.last_viewer)
        else:
            made, self.shown_view = view_patch(self.live, settings, self.shown_view)
        if self.seen_seq is None:
            self.full_view_bytes = len(made)
        self.seen_seq = self.live.seq
        self.last_viewer = viewer_of(
            table, controlled_seats(self.live, settings), settings.unveiled_seat
        )
        return made


class Connection(Subscription):
    """A page at the other end of a socket. It is answered one text at a time, and what it is sent
    within one turn of the event loop goes together."""

    def __init__(
        self,
        socket: WebSocket[Any, Any, Any],
        tables: LiveTables,
        live: LiveTable,
        member: Member,
        settings: ViewerSettings,
        wait: Callable[[Bucket, float], float],
        seen: int | None = None,
    ) -> None:
        super().__init__(live, member, settings, seen, address_of(socket))
        self.socket, self.tables, self.rate_limit_wait = socket, tables, wait
        self.line: PageLine = page_line(socket)
        self.look_timer: asyncio.TimerHandle | None = None
        """Running while a page has looked again so often that the next time has to wait."""
        self._loop = asyncio.get_running_loop()
        self._unsent_answers: list[str] = []
        self._unheard_texts: deque[str] = deque()
        """Texts that came while another one was answered."""
        self._is_answering = False
        self._is_sending_soon = False
        self._is_closing = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self) -> None:
        """Show and answer until the page goes."""
        self.tables.subscribe(self.live, self)
        self.notify_chat()
        try:
            await self.line.serve(self._hear, self._send_pending)
        finally:
            self.tables.unsubscribe(self.live, self)
            if self.look_timer:
                self.look_timer.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _run_in_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # To the page

    def notify_chat(self) -> None:
        """Send what is new, once all that belongs together has happened."""
        if not self._is_sending_soon:
            self._is_sending_soon = True
            self._loop.call_soon(self._send_pending)

    def _send_pending(self) -> None:
        """Send answers and what is new. A page that does not read is sent the latest when it
        does, and skips what was in between."""
        self._is_sending_soon = False
        if self._is_closing or not self.line.is_open or not self.line.is_writable:
            return
        try:
            if self.is_banned:
                self._close_soon(CLOSE_BANNED)
                return
            texts = [*self._unsent_answers, *self.pending_messages()]
            self._unsent_answers.clear()
            if texts:
                self.line.write_texts(texts)
        except Exception:
            log.exception("table %s cannot be shown", self.live.id)
            self._close_soon(CLOSE_FAILED)
            return
        if self._unheard_texts and not self._is_answering:
            self._loop.call_soon(self._hear_next)

    def _close_soon(self, code: int) -> None:
        if not self._is_closing:
            self._is_closing = True
            self._run_in_task(self._close(code))

    async def _close(self, code: int) -> None:
        with suppress(*GONE_ERRORS):
            await self.socket.close(code)

    # From the page

    def _hear(self, text: str, is_next: bool = False) -> None:
        """Answer a text, at once or when its row is on disk; it waits while another one is answered
        or the page does not read, and for those before it unless it is the next of them."""
        if self._is_answering or not self.line.is_writable or (self._unheard_texts and not is_next):
            self._unheard_texts.append(text)
            self.line.pause_reading()
            return
        self._is_answering = True
        asked = None
        try:
            with suppress(msgspec.DecodeError):
                asked = protocol.read_message(text)
            if asked is None:
                self._refuse_unreadable(text)
            elif isinstance(asked, protocol.ActMessage):
                self._submit_actions(asked)
            elif isinstance(asked, protocol.LookMessage | protocol.UnveilMessage):
                if not self.rate_limit_wait("ask", 1.0):
                    self._change_view(asked)
                self._answer(None)
            elif isinstance(asked, protocol.ExplainMessage):
                if not self._is_limited(asked.key, "ask"):
                    self._explain(asked)
            elif not self._is_limited(asked.key, "chat"):
                self._run_in_task(self._post_message(asked))
        except Exception:
            log.exception("table %s cannot answer", self.live.id)
            self._close_soon(CLOSE_FAILED)

    def _is_limited(self, key: str, limit: Bucket, cost: float = 1.0) -> bool:
        """True if there was too much of it; then they are told when to come again."""
        seconds = self.rate_limit_wait(limit, cost)
        if seconds:
            self._answer(protocol.WaitMessage(key, ceil(1000 * seconds) / 1000, limit))
        return bool(seconds)

    def _hear_next(self) -> None:
        if self._is_answering or not self._unheard_texts or not self.line.is_writable:
            return
        text = self._unheard_texts.popleft()
        if not self._unheard_texts:
            self.line.resume_reading()
        self._hear(text, is_next=True)

    def _refuse_unreadable(self, text: str) -> None:
        is_limited = self.rate_limit_wait("ask", 1.0)
        key = "" if is_limited else protocol.read_key(text)
        self._answer(None if is_limited else self._refusal_of(key, message("server.unreadable")))

    def _answer(self, answer: protocol.AnswerMessage | None) -> None:
        """Send an answer, if there is one, with whatever else is new; then hear the next text."""
        self._is_answering = False
        if answer:
            self._unsent_answers.append(protocol.write_message(answer))
        if isinstance(answer, protocol.StaleMessage):
            self.is_view_stale = True
        self.notify_chat()

    def _answer_error(self, key: str, error: Exception) -> None:
        if isinstance(error, StaleRequest):
            self._answer(protocol.StaleMessage(key))
        elif isinstance(error, Refused):
            self._answer(self._refusal_of(key, error.refusal))
        else:
            log.error("table %s", self.live.id, exc_info=error)
            self._answer(self._refusal_of(key, message("server.failed")))

    def _change_view(self, asked: protocol.LookMessage | protocol.UnveilMessage) -> None:
        """Look again, in another way: everything is shown anew."""
        if isinstance(asked, protocol.LookMessage):
            if asked.is_tall is None:
                asked.is_tall = self.viewer_settings.is_tall
            self.viewer_settings = replace(self.viewer_settings, is_tall=asked.is_tall)
        elif asked.seat == curtain_seat(
            self.live.table, self.viewer_settings.seats, self.viewer_settings.unveiled_seat
        ):
            self.viewer_settings = replace(self.viewer_settings, unveiled_seat=asked.seat)
        self._show_anew()

    def _show_anew(self) -> None:
        """Show everything once more: soon, or when this address may be sent so much again."""
        if self.look_timer:
            return
        if wait := self.rate_limit_wait("look", self.full_view_bytes / 1024):
            self.look_timer = self._loop.call_later(wait, self._end_look_wait)
            return
        self.seen_seq = None
        self.notify_change()

    def _end_look_wait(self) -> None:
        self.look_timer = None
        self._show_anew()

    def _submit_actions(self, asked: protocol.ActMessage) -> None:
        live, key, place = self.live, asked.key, self.viewer_settings.place
        if self._is_limited(key, "act", act_cost(asked.actions)):
            return
        actor = partial(actor_of, live, self.member, asked.seat, asked.actions, place)
        request = ActRequest(self.member, actor, asked.actions, asked.seq, key)

        def finish(result: int | Exception) -> None:
            if isinstance(result, int):
                self._answer(protocol.DoneMessage(key, result))
            elif isinstance(result, NeedsTask):
                self._run_in_task(self._submit_in_task(request, key))
            else:
                self._answer_error(key, result)

        self.tables.actions.submit_soon(live, request, finish)

    async def _submit_in_task(self, request: ActRequest, key: str) -> None:
        try:
            seq = await self.tables.actions.submit(self.live, request)
            self._answer(protocol.DoneMessage(key, seq))
        except Exception as error:
            self._answer_error(key, error)

    def _explain(self, asked: protocol.ExplainMessage) -> None:
        try:
            why = why_not(self.live, self._refresh_viewer(), asked)
            self._answer(self._refusal_of(asked.key, why))
        except Exception as error:
            self._answer_error(asked.key, error)

    async def _post_message(self, asked: protocol.SayMessage) -> None:
        try:
            with refusing_store_errors():
                n = await self.tables.chat.post_message(
                    self.live, self.member, asked.text, asked.room, self.address
                )
            self._answer(protocol.DoneMessage(asked.key, n))
        except Exception as error:
            self._answer_error(asked.key, error)

    def _refusal_of(self, key: str, why: Message) -> protocol.RefusalMessage:
        return refusal(self.live, self.viewer_settings, key, why)


def why_not(live: LiveTable, settings: ViewerSettings, asked: protocol.ExplainMessage) -> Message:
    """The answer to somebody who touched what is not offered."""
    table, held = live.table, controlled_seats(live, settings)
    if not held:
        raise Refused(message("server.watching"))
    if asked.seat is not None and asked.seat not in held:
        raise Refused(message("server.not-your-seat"))
    if curtain_seat(table, held, settings.unveiled_seat):
        raise Refused(message("server.curtain"))
    viewer = viewer_of(table, held, settings.unveiled_seat)
    if resting := people_view.idle_prompt(live, settings):
        return resting[0]
    seat = viewer if viewer in held else asked.seat or acting_seat(table, held) or held[0]
    return table.why_not(seat, asked.path)
