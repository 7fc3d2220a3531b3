"""Pages, compressed on their way.

Whoever can make a page say what they like, and sees how long it is on its way, could guess a secret
in it letter by letter, as a guess that is right makes it shorter. So what is secret in a page is
masked (`mask_text`), or the page says that it is not to be changed on its way. Of what programs are
told only that is compressed which depends on nothing but their own question.
"""

from __future__ import annotations

import gzip
import secrets
from base64 import b64encode
from typing import cast

from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import (
    ASGIApp,
    HTTPResponseBodyEvent,
    HTTPResponseStartEvent,
    Message,
    Receive,
    Scope,
    Send,
)

GZIP = "gzip"
LEVEL = 5
MIN_BYTES = 1000
UNCHANGED = "no-transform"
"""In Cache-Control: nothing is compressed, here or by a proxy."""
PAGE = "text/html"
SECRETLESS_PATHS = ("/api/v1/analysis", "/api/v1/games", "/api/v1/openapi.json")
"""Of these the answers, too."""


def mask_text(text: str) -> str:
    """The text under a mask of its own length, behind that mask: different each time, and
    random to whoever compresses it. lib/unmask.js takes the mask off."""
    content = text.encode()
    mask = secrets.token_bytes(len(content))
    hidden = bytes(one ^ other for one, other in zip(content, mask, strict=True))
    return b64encode(mask + hidden).decode()


class CompressionMiddleware:
    """Compresses pages for browsers that can read it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        accepted = b""
        if scope["type"] == ScopeType.HTTP:
            accepted = dict(scope["headers"]).get(b"accept-encoding", b"")
        if GZIP.encode() in accepted:
            send = _CompressingSend(send, scope["path"].startswith(SECRETLESS_PATHS))
        await self._app(scope, receive, send)


class _CompressingSend:
    """Holds the headers of an answer until its body is there."""

    def __init__(self, send: Send, is_secretless: bool) -> None:
        self._send, self._is_secretless = send, is_secretless
        self._start: HTTPResponseStartEvent | None = None

    async def __call__(self, sent: Message) -> None:
        if sent["type"] == "http.response.start" and self._is_compressible(sent):
            self._start = sent
            return
        start, self._start = self._start, None
        if start is not None:
            sent = _compress_body(start, cast(HTTPResponseBodyEvent, sent))
            await self._send(start)
        await self._send(sent)

    def _is_compressible(self, start: HTTPResponseStartEvent) -> bool:
        headers = MutableScopeHeaders(start)
        is_wanted = self._is_secretless or headers.get("content-type", "").startswith(PAGE)
        return is_wanted and UNCHANGED not in headers.get("cache-control", "")


def _compress_body(start: HTTPResponseStartEvent, sent: HTTPResponseBodyEvent) -> Message:
    """The body, compressed where it is whole and long enough; `start` says so."""
    headers = MutableScopeHeaders(start)
    headers["vary"] = "Accept-Encoding"
    if sent["more_body"] or len(sent["body"]) < MIN_BYTES:
        return sent
    body = gzip.compress(sent["body"], LEVEL, mtime=0)
    headers["content-encoding"], headers["content-length"] = GZIP, str(len(body))
    return {**sent, "body": body}
