"""Timeouts and sizes of connections, so that nobody can hold all of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar

import h11
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected

from kibitz.server.http.page_line import DirectProtocol
from kibitz.server.http.rate_limits import subnet_of
from kibitz.server.http.socket_compression import LargeMessageDeflateFactory
from kibitz.server.networks import Networks

CONNECTIONS_PER_SOCKET = 4
"""An address may have so many connections for each socket or stream it may have."""
REQUEST_TIMEOUT_S = 20.0
"""Seconds that a request may take to arrive, from the connection or its first byte."""
UNREAD_TIMEOUT_S = 20.0
"""Seconds that a page may leave unread what it was sent; then it is cut off and may come back."""
MAX_HEADER_BYTES = 1 << 14
"""Bytes of a request's headers."""
INCOMPLETE_STATES = (h11.IDLE, h11.SEND_BODY)


class _UnreadTimeout(asyncio.Protocol):
    """Cuts off whoever leaves unread what was sent; on top of a protocol of uvicorn's."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _unread_timer: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._unread_timer is None:
            self._unread_timer = self.loop.call_later(UNREAD_TIMEOUT_S, self.transport.abort)

    def resume_writing(self) -> None:
        self._stop_unread_timer()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_unread_timer()
        super().connection_lost(exc)

    def _stop_unread_timer(self) -> None:
        if self._unread_timer:
            self._unread_timer.cancel()
            self._unread_timer = None


class _CountedConnection(asyncio.Protocol):
    """A connection that counts for its address until it ends; on top of a protocol of uvicorn's."""

    counted_address = ""
    """The address that it counts for; empty where it does not count."""
    open_connections: ClassVar[Counter[str]] = Counter()
    """By address, those of this worker; proxies are not counted."""

    def connection_lost(self, exc: Exception | None) -> None:
        if self.counted_address:
            counts, address = self.open_connections, self.counted_address
            counts[address] -= 1
            if not counts[address]:
                del counts[address]
            self.counted_address = ""
        super().connection_lost(exc)


class TimeoutHttpProtocol(_UnreadTimeout, _CountedConnection, H11Protocol):
    """HTTP as uvicorn speaks it, which by itself waits for ever for a request to be complete,
    and takes headers of any length that arrive at once."""

    _timer: asyncio.TimerHandle | None = None
    max_per_address: ClassVar[int] = 0
    """0 is without a limit."""
    proxies: ClassVar[Networks] = Networks("")

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if not self._count_connection(transport):
            transport.abort()
            return
        self._start_timer()

    def _count_connection(self, transport: asyncio.Transport) -> bool:
        """False where an address has all the connections it may have."""
        peer = (transport.get_extra_info("peername") or ("",))[0]
        if not self.max_per_address or not peer or peer in self.proxies:
            return True
        address = subnet_of(peer)
        if self.open_connections[address] >= self.max_per_address:
            return False
        self.open_connections[address] += 1
        self.counted_address = address
        return True

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The socket counts from now on, and this protocol is not told when it ends.

        Where it cannot be opened, as with too many headers, nobody else would say so.
        """
        super().handle_websocket_upgrade(event)
        socket = self.transport.get_protocol()
        if isinstance(socket, TimeoutWebSocketProtocol):
            socket.counted_address, self.counted_address = self.counted_address, ""
            if socket.conn.handshake_exc and not socket.handshake_initiated:
                self.send_400_response("No WebSocket can be opened.")

    def data_received(self, data: bytes) -> None:
        if self.conn.their_state is h11.IDLE and _has_long_headers(data):
            self.send_400_response("Too long.")
            return
        super().data_received(data)
        is_ours = self.transport.get_protocol() is self
        if is_ours and self.conn.their_state in INCOMPLETE_STATES:
            self._start_timer()
        else:
            self._stop_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(REQUEST_TIMEOUT_S, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


class TimeoutWebSocketProtocol(_UnreadTimeout, _CountedConnection, DirectProtocol):
    """WebSockets as uvicorn speaks them, which by itself waits for ever for somebody to read,
    even to be told that the connection ends, and compresses everything or nothing."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn.available_extensions = [LargeMessageDeflateFactory()]

    async def send(self, message: ASGISendEvent) -> None:
        """Raises ClientDisconnected where uvicorn has ended it, as after too long a message."""
        if self.close_sent:
            raise ClientDisconnected
        await super().send(message)


def _has_long_headers(data: bytes) -> bool:
    return len(data) > MAX_HEADER_BYTES and b"\r\n\r\n" not in data[:MAX_HEADER_BYTES]
