"""Texts to and from a page, past the layers of the framework once it has let the page in.

The handshake and all that is asked before it go through every middleware. After that a frame
carries a text and nothing else, and going through all of them again took longer than the frame.
What has to be asked for each frame is asked here: whether the token has ended meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol, cast

from litestar.exceptions import WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from kibitz.server.http.requests import AnySocket
from kibitz.server.http.revocation import TokenGuard, token_guard
from kibitz.server.http.socket_compression import MIN_BYTES, LargeMessageDeflate, compress_text

PROTOCOL_KEY = "kibitz.protocol"
"""Where a connection that can be used directly is among the extensions of its scope."""
TEXT_FRAME, COMPRESSED_FRAME = 0x81, 0xC1
"""The first byte of a frame that is a whole text."""
MAX_SHORT_BYTES, MAX_MEDIUM_BYTES = 125, 0xFFFF
MAX_SHARED_FRAMES = 64
"""So many of the latest frames are kept for others who get the same."""


class PageLine(Protocol):
    """The connection to a page that is open."""

    async def receive_text(self) -> str:
        """The next text; raises WebSocketDisconnect where there is none any more."""

    async def send_texts(self, texts: Sequence[str]) -> None:
        """Send these, in their order; raises WebSocketDisconnect or OSError where it is closed."""


class DirectProtocol(WebSocketsSansIOProtocol):
    """A WebSocket of uvicorn's that can be written to and read from without its application."""

    _window_bits: int | None = None
    """The window that was agreed on for compression; None where there is none."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        for each in self.conn.extensions:
            if isinstance(each, LargeMessageDeflate):
                self._window_bits = each.local_max_window_bits
        if not self.close_sent:
            cast(dict[str, Any], self.scope["extensions"])[PROTOCOL_KEY] = self

    async def write_texts(self, texts: Sequence[str]) -> None:
        """Write all of these at once, when there is room; raises ClientDisconnected."""
        await self.writable.wait()
        if self.disconnected or self.close_sent or self.conn.state is not State.OPEN:
            raise ClientDisconnected
        self.transport.write(b"".join([_text_frame(each, self._window_bits) for each in texts]))


@lru_cache(maxsize=MAX_SHARED_FRAMES)
def _text_frame(text: str, window_bits: int | None) -> bytes:
    """A text as a frame; compressed, where that was agreed on and it is large enough."""
    data, first = text.encode(), TEXT_FRAME
    if window_bits is not None and len(data) >= MIN_BYTES:
        data, first = compress_text(data, window_bits), COMPRESSED_FRAME
    size = len(data)
    if size <= MAX_SHORT_BYTES:
        return bytes((first, size)) + data
    if size <= MAX_MEDIUM_BYTES:
        return bytes((first, 126)) + size.to_bytes(2) + data
    return bytes((first, 127)) + size.to_bytes(8) + data


class DirectLine:
    def __init__(self, protocol: DirectProtocol, guard: TokenGuard | None) -> None:
        self._protocol, self._guard = protocol, guard

    async def receive_text(self) -> str:
        received = await self._protocol.receive()
        if received["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(detail="disconnect event", code=received["code"])
        await self._check_token()
        return cast(dict[str, Any], received).get("text") or ""

    async def send_texts(self, texts: Sequence[str]) -> None:
        await self._check_token()
        await self._protocol.write_texts(texts)

    async def _check_token(self) -> None:
        if self._guard and await self._guard.close_if_revoked():
            raise self._guard.error


class FrameworkLine:
    """The same by the framework: where the server's own protocol is not there, as in tests."""

    def __init__(self, socket: AnySocket) -> None:
        self._socket = socket

    async def receive_text(self) -> str:
        return await self._socket.receive_data("text")

    async def send_texts(self, texts: Sequence[str]) -> None:
        for text in texts:
            await self._socket.send_data(text)


def page_line(socket: AnySocket) -> PageLine:
    """The line to a page that was accepted."""
    protocol = cast(dict[str, Any], socket.scope.get("extensions") or {}).get(PROTOCOL_KEY)
    if isinstance(protocol, DirectProtocol):
        return DirectLine(protocol, token_guard(socket))
    return FrameworkLine(socket)
