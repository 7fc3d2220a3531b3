"""NUL bytes in requests, which are refused, as no database can keep them.

SQLite would keep it and PostgreSQL would not; nobody types it.
"""

from __future__ import annotations

import re
from typing import Any

from litestar.types import ASGIApp, Receive, Scope, Send

from kibitz.core.message import message
from kibitz.server.http.errors import HttpError

NUL_PATTERN = re.compile(rb"%00|\0")
"""In an address or a form."""
ESCAPED_NUL = r"\u0000"
ESCAPED_NUL_PATTERN = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""In JSON; `\\\\u0000` is a backslash and five signs."""


def has_no_nul(json: str | bytes) -> bool:
    """True for JSON without the sign with the number zero, which PostgreSQL cannot keep."""
    text = json if isinstance(json, str) else json.decode("latin-1")
    return ESCAPED_NUL not in text or not ESCAPED_NUL_PATTERN.search(text)


class NulByteMiddleware:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if "\0" in scope["path"]:
            raise HttpError(404, message("server.no-page"))
        if NUL_PATTERN.search(scope["query_string"]):
            raise HttpError(400, message("server.bad-request"))
        await self.app(scope, _CheckedBody(scope, receive), send)


class _CheckedBody:
    """A body, looked at when the last of it has come: before that nobody reads what it says."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        kind = next((value for name, value in scope["headers"] if name == b"content-type"), b"")
        self._is_form = b"form" in kind
        self._receive, self._parts = receive, list[bytes]()

    async def __call__(self) -> Any:
        received = await self._receive()
        if received["type"] == "http.request":
            self._parts.append(received.get("body", b""))
            if not received.get("more_body", False) and not self._is_nul_free(
                b"".join(self._parts)
            ):
                raise HttpError(400, message("server.bad-request"))
        return received

    def _is_nul_free(self, body: bytes) -> bool:
        return not NUL_PATTERN.search(body) if self._is_form else has_no_nul(body)
