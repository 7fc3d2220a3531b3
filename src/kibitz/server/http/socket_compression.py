"""Compression of large messages to a WebSocket, each by itself and once for all who get it.

Nothing is kept between messages: a thousand pages cost no memory, and what one message says has no
influence on the size of another. Small messages are not worth the time.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache

from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import (
    PerMessageDeflate,
    ServerPerMessageDeflateFactory,
)
from websockets.frames import Frame, Opcode
from websockets.typing import ExtensionParameter

MIN_BYTES = 1000
"""Smaller messages are sent as they are."""
WINDOW_BITS = 14
LEVEL = 1
"""A sixth of the size in half of the time that a tenth less would take."""
MAX_SHARED_MESSAGES = 64
"""So many of the latest are kept for others who get the same."""
SYNC_MARK = b"\x00\x00\xff\xff"
"""The end of what a flush writes, which is left out."""


class LargeMessageDeflate(PerMessageDeflate):
    """permessage-deflate for text frames that are large enough; others are left alone."""

    def encode(self, frame: Frame) -> Frame:
        if frame.opcode is not Opcode.TEXT or not frame.fin or len(frame.data) < MIN_BYTES:
            return frame
        data = compress_text(bytes(frame.data), self.local_max_window_bits)
        return Frame(frame.opcode, data, rsv1=True)


class LargeMessageDeflateFactory(ServerPerMessageDeflateFactory):
    def __init__(self) -> None:
        super().__init__(
            server_no_context_takeover=True,
            client_no_context_takeover=True,
            server_max_window_bits=WINDOW_BITS,
        )

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        accepted, agreed = super().process_request_params(params, accepted_extensions)
        ours = LargeMessageDeflate(
            agreed.remote_no_context_takeover,
            agreed.local_no_context_takeover,
            agreed.remote_max_window_bits,
            agreed.local_max_window_bits,
        )
        return accepted, ours


@lru_cache(maxsize=MAX_SHARED_MESSAGES)
def compress_text(data: bytes, window_bits: int) -> bytes:
    encoder = zlib.compressobj(LEVEL, zlib.DEFLATED, -window_bits)
    return (encoder.compress(data) + encoder.flush(zlib.Z_SYNC_FLUSH)).removesuffix(SYNC_MARK)


def decompress_text(data: bytes, window_bits: int, max_bytes: int) -> bytes:
    """A message that was compressed by itself; raises zlib.error where it is damaged or longer than
    that."""
    decoder = zlib.decompressobj(-window_bits)
    found = decoder.decompress(data + SYNC_MARK, max_bytes)
    if decoder.unconsumed_tail:
        raise zlib.error("too long")
    return found
