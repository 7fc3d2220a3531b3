"""Connections that take their time or bring too much are closed: nobody can hold all of them."""

from __future__ import annotations

import asyncio

import h11
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

PATIENCE = 20.0
"""Seconds that a request may take to arrive, from the connection or its first byte."""
READS_WITHIN = 20.0
"""Seconds that a page may leave unread what it was sent; then it is cut off and may come back."""
MOST_HEADERS = 1 << 14
"""Bytes of a request's headers."""
UNFINISHED = (h11.IDLE, h11.SEND_BODY)


class Impatient(H11Protocol):
    """HTTP as uvicorn speaks it, which by itself waits for ever for a request to be complete,
    and takes headers of any length that arrive at once."""

    _timer: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        if self.conn.their_state is h11.IDLE and _begins_too_long(data):
            self.send_400_response("Too long.")
            return
        super().data_received(data)
        is_ours = self.transport.get_protocol() is self
        if is_ours and self.conn.their_state in UNFINISHED:
            self._wait()
        else:
            self._stop_waiting()

    def pause_writing(self) -> None:
        """An answer that goes on, or is long, has to be read."""
        super().pause_writing()
        if self._unread is None:
            self._unread = self.loop.call_later(READS_WITHIN, self.transport.abort)

    def resume_writing(self) -> None:
        self._be_read()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._be_read()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(PATIENCE, self.transport.abort)

    def _be_read(self) -> None:
        if self._unread:
            self._unread.cancel()
            self._unread = None

    def _stop_waiting(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


class Attentive(WebSocketsSansIOProtocol):
    """WebSockets as uvicorn speaks them, which by itself waits for ever for somebody to read,
    even to be told that the connection ends."""

    _timer: asyncio.TimerHandle | None = None

    async def send(self, message: ASGISendEvent) -> None:
        """Where uvicorn has ended it, as after too long a message, there is nobody to send to."""
        if self.close_sent:
            raise ClientDisconnected
        await super().send(message)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._timer is None:
            self._timer = self.loop.call_later(READS_WITHIN, self.transport.abort)

    def resume_writing(self) -> None:
        self._stop_waiting()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _stop_waiting(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


def _begins_too_long(data: bytes) -> bool:
    return len(data) > MOST_HEADERS and b"\r\n\r\n" not in data[:MOST_HEADERS]
