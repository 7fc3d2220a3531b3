"""A WebSocket to a table with as little work as possible: the one who measures is measured too.

It knows what our server sends and no more: whole text frames, pings, and the closing one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A
NO_MASK = bytes(4)
"""A client has to mask what it sends; with zeros that changes nothing."""


class LiveSocket(asyncio.Protocol):
    def __init__(self, request: bytes, hear: Callable[[bytes], None]) -> None:
        self._request, self._on_text = request, hear
        self._received = bytearray()
        self._is_open = False
        self.open_future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.is_closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._is_open and not self._finish_handshake():
            return
        while frame := self._next_frame():
            kind, content = frame
            if kind == TEXT:
                self._on_text(content)
            elif kind == PING:
                self._send_frame(PONG, content)
            elif kind == CLOSE:
                self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        self.is_closed = True
        if not self.open_future.done():
            self.open_future.set_exception(error or ConnectionError("closed"))

    def send_text(self, text: bytes) -> None:
        self._send_frame(TEXT, text)

    def disconnect(self) -> None:
        self._transport.abort()

    def _finish_handshake(self) -> bool:
        head, end, rest = self._received.partition(b"\r\n\r\n")
        if not end:
            return False
        if not head.startswith(b"HTTP/1.1 101"):
            self.open_future.set_exception(ConnectionError(head.decode()))
            self._transport.close()
            return False
        self._received, self._is_open = rest, True
        self.open_future.set_result(None)
        return True

    def _next_frame(self) -> tuple[int, bytes] | None:
        """The kind and content of a frame that is all there, which is taken."""
        received = self._received
        if len(received) < 2:
            return None
        size, begin = received[1], 2
        if size >= 126:
            begin = 4 if size == 126 else 10
            size = int.from_bytes(received[2:begin])
        if len(received) < begin + size or len(received) < begin:
            return None
        content = bytes(received[begin : begin + size])
        kind = received[0]
        del received[: begin + size]
        return kind, content

    def _send_frame(self, kind: int, content: bytes) -> None:
        size = len(content)
        length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2)
        self._transport.write(bytes((kind,)) + length + NO_MASK + content)


async def connect(
    host: str, port: int, path: str, token: str, hear: Callable[[bytes], None]
) -> LiveSocket:
    """Open a line; what comes is heard from then on."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: a2liaXR6LWtpYml0ei1raQ==",
        "Sec-WebSocket-Version: 13",
        *([f"Authorization: Bearer {token}"] if token else []),
    ]
    request = ("\r\n".join(lines) + "\r\n\r\n").encode()
    loop = asyncio.get_running_loop()
    _, line = await loop.create_connection(lambda: LiveSocket(request, hear), host, port)
    await line.open_future
    return line
