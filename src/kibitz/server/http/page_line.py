"""Texts to and from a page, past the layers of the framework once it has let the page in.

The handshake and all that is asked before it go through every middleware. After that a frame
carries a text and nothing else, and going through all of them again took longer than the frame.
A whole text is read here and handed over at once. Everything else is left to the websockets
library: fragments, pings, the end of a connection, and whatever breaks the protocol.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, Protocol, cast

from litestar.exceptions import WebSocketDisconnect
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # The one in C, if it is there.
from websockets.http11 import Request
from websockets.protocol import State

from kibitz.server.http.requests import AnySocket
from kibitz.server.http.revocation import TokenGuard, token_guard
from kibitz.server.http.socket_compression import (
    MIN_BYTES,
    LargeMessageDeflate,
    compress_text,
    decompress_text,
)

PROTOCOL_KEY = "kibitz.protocol"
"""Where a connection that can be used directly is among the extensions of its scope."""
TEXT_FRAME, COMPRESSED_FRAME = 0x81, 0xC1
"""The first byte of a frame that is a whole text."""
MASKED = 0x80
MASK_BYTES = 4
MAX_SHORT_BYTES, MAX_MEDIUM_BYTES = 125, 0xFFFF
MAX_SHARED_FRAMES = 64
"""So many of the latest frames are kept for others who get the same."""
TOKEN_CHECK_S = 3.0
"""So often a connection looks whether its token still holds."""
GONE_ERRORS = (WebSocketDisconnect, OSError, TimeoutError)
"""The errors of sending by the framework when the page has left."""


class PageLine(Protocol):
    """The connection to a page that is open."""

    @property
    def is_open(self) -> bool: ...
    @property
    def is_writable(self) -> bool:
        """False while the page has not read what it was sent."""

    async def serve(self, hear: Callable[[str], None], resume: Callable[[], None]) -> None:
        """Call `hear` with each text and `resume` whenever it is writable again, until the page has
        left or its token has ended."""

    def write_texts(self, texts: Sequence[str]) -> None:
        """Send these, in their order; nothing to a page that has left."""

    def pause_reading(self) -> None:
        """Hear no more for a while than what has arrived already."""

    def resume_reading(self) -> None: ...


class DirectProtocol(WebSocketsSansIOProtocol):
    """A WebSocket of uvicorn's that can be written to and read from without its application."""

    _window_bits: int | None = None
    """The window that was agreed on for compression to the page; None where there is none."""
    _remote_window_bits = 0
    """The window of what a page compresses."""
    _hear: Callable[[str], None] | None = None
    """Called with each text, once somebody listens."""
    _resume: Callable[[], None] | None = None
    _partial_frame = b""
    """The beginning of a frame whose end has not arrived."""
    _is_left_to_library = False
    """Frames are not told apart here any more: one was as no page sends it."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        for each in self.conn.extensions:
            if isinstance(each, LargeMessageDeflate):
                self._window_bits = each.local_max_window_bits
                self._remote_window_bits = each.remote_max_window_bits
        if not self.close_sent:
            cast(dict[str, Any], self.scope["extensions"])[PROTOCOL_KEY] = self

    @property
    def is_open(self) -> bool:
        return self.conn.state is State.OPEN and not (self.close_sent or self.disconnected)

    # From the page

    def listen(self, hear: Callable[[str], None], resume: Callable[[], None]) -> None:
        """Hand over texts from now on, beginning with those that came before."""
        self._hear, self._resume = hear, resume
        ended = []
        while not self.queue.empty():
            received = cast(dict[str, Any], self.queue.get_nowait())
            if received["type"] == "websocket.receive":
                hear(received.get("text") or "")
            else:
                ended.append(received)
        for each in ended:
            self.queue.put_nowait(cast(Any, each))
        if self.read_paused:
            self.set_reading(True)

    def stop_listening(self) -> None:
        """Let go of who listened: nothing of a page that has left is to wait for the collector."""
        self._hear = self._resume = None
        cast(dict[str, Any], self.scope["extensions"]).pop(PROTOCOL_KEY, None)

    def set_reading(self, is_wanted: bool) -> None:
        if self.read_paused is is_wanted:
            self.read_paused = not is_wanted
            (self.transport.resume_reading if is_wanted else self.transport.pause_reading)()

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated or self._is_left_to_library:
            super().data_received(data)
            return
        if self._partial_frame:
            data, self._partial_frame = self._partial_frame + data, b""
        begin = 0
        while frame := self._next_frame(data, begin):
            content, end = frame
            text = self._read_plain_text(data[begin], data[content - MASK_BYTES : end])
            if text is None:
                super().data_received(data[begin:end])
            else:
                assert self._hear
                self._hear(text)
            begin = end
        if begin == len(data):
            return
        if self._is_left_to_library:
            super().data_received(data[begin:])
        else:
            self._partial_frame = data[begin:]

    def _next_frame(self, data: bytes, begin: int) -> tuple[int, int] | None:
        """The places where the content of the frame at `begin` begins and ends, where all of it has
        arrived. One that is too long or not masked is left to the library, with all after it."""
        length = len(data)
        if length < begin + 2:
            return None
        size, content = data[begin + 1] - MASKED, begin + 2 + MASK_BYTES
        if size > MAX_SHORT_BYTES:
            if length < begin + 4:
                return None
            content += 2
            # Lengths of eight bytes are of messages that are too long in any case.
            size = -1 if size > 126 else int.from_bytes(data[begin + 2 : begin + 4])
        if size < 0 or size > (self.conn.max_message_size or 0):
            self._is_left_to_library = True
            return None
        end = content + size
        return (content, end) if length >= end else None

    def _read_plain_text(self, first: int, masked: bytes) -> str | None:
        """The text of a frame by its first byte, and its content after the mask; None where it is
        not a whole text that can be read, or nobody listens."""
        if not self._hear or self.conn.current_size is not None or not self.is_open:
            return None
        if first != TEXT_FRAME and (first != COMPRESSED_FRAME or not self._remote_window_bits):
            return None
        content: bytes = apply_mask(masked[MASK_BYTES:], masked[:MASK_BYTES])
        try:
            if first == COMPRESSED_FRAME:
                most = self.conn.max_message_size or 1
                content = decompress_text(content, self._remote_window_bits, most)
            return content.decode()
        except (UnicodeDecodeError, zlib.error):
            return None

    def send_receive_event_to_app(self) -> None:
        """A message that the library has put together."""
        if self._hear is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        text = ""
        if self.curr_msg_data_type == "text":
            try:
                text = b"".join(self.frames).decode()
            except UnicodeDecodeError:
                super().send_receive_event_to_app()
                return
        self.frames = []
        self._hear(text)

    # To the page

    def write_texts(self, texts: Sequence[str]) -> None:
        """Write all of these at once; nothing to whoever has gone."""
        if self.is_open:
            frames = [_text_frame(each, self._window_bits) for each in texts]
            self.transport.write(b"".join(frames) if len(frames) > 1 else frames[0])

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._resume:
            self._resume()


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

    @property
    def is_open(self) -> bool:
        return self._protocol.is_open

    @property
    def is_writable(self) -> bool:
        return self._protocol.writable.is_set()

    async def serve(self, hear: Callable[[str], None], resume: Callable[[], None]) -> None:
        checking = asyncio.create_task(self._check_token()) if self._guard else None
        try:
            self._protocol.listen(hear, resume)
            while (await self._protocol.receive())["type"] != "websocket.disconnect":
                pass
        finally:
            self._protocol.stop_listening()
            if checking:
                checking.cancel()

    async def _check_token(self) -> None:
        """Close the connection soon after its token has ended."""
        assert self._guard
        with suppress(*GONE_ERRORS):
            while not await self._guard.close_if_revoked():
                await asyncio.sleep(TOKEN_CHECK_S)

    def write_texts(self, texts: Sequence[str]) -> None:
        self._protocol.write_texts(texts)

    def pause_reading(self) -> None:
        self._protocol.set_reading(False)

    def resume_reading(self) -> None:
        self._protocol.set_reading(True)


class FrameworkLine:
    """The same by the framework: where the server's own protocol is not there, as in tests."""

    def __init__(self, socket: AnySocket) -> None:
        self._socket = socket
        self._sending: asyncio.Task[None] | None = None
        self._readable = asyncio.Event()
        self._readable.set()
        self._resume: Callable[[], None] = lambda: None
        self.is_open = True

    @property
    def is_writable(self) -> bool:
        return self._sending is None

    async def serve(self, hear: Callable[[str], None], resume: Callable[[], None]) -> None:
        self._resume = resume
        try:
            while self.is_open:
                await self._readable.wait()
                hear(await self._socket.receive_data("text"))
        except GONE_ERRORS:
            pass
        finally:
            self.is_open = False
            if self._sending:
                self._sending.cancel()

    def write_texts(self, texts: Sequence[str]) -> None:
        if self.is_open:
            self._sending = asyncio.create_task(self._send(texts))

    async def _send(self, texts: Sequence[str]) -> None:
        try:
            for text in texts:
                await self._socket.send_data(text)
        except GONE_ERRORS:
            self.is_open = False
        self._sending = None
        self._resume()

    def pause_reading(self) -> None:
        self._readable.clear()

    def resume_reading(self) -> None:
        self._readable.set()


def page_line(socket: AnySocket) -> PageLine:
    """The line to a page that was accepted."""
    protocol = cast(dict[str, Any], socket.scope.get("extensions") or {}).get(PROTOCOL_KEY)
    if isinstance(protocol, DirectProtocol):
        return DirectLine(protocol, token_guard(socket))
    return FrameworkLine(socket)
