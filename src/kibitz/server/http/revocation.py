"""Connections that end with the token they were opened with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

from litestar.connection import ASGIConnection
from litestar.exceptions import WebSocketDisconnect
from litestar.types import Message, Receive, Send

CLOSE_REVOKED = 4401
"""The close code of a socket whose token ended."""
GUARD_KEY = "kibitz.token_guard"


class TokenGuard:
    """Looks at a token again whenever what was opened with it is used."""

    def __init__(self, is_revoked: Callable[[], Awaitable[bool]], receive: Receive, send: Send):
        self._is_revoked = is_revoked
        self._receive, self._send = receive, send
        self._has_ended = False

    @property
    def error(self) -> WebSocketDisconnect:
        return WebSocketDisconnect(detail="the token has ended", code=CLOSE_REVOKED)

    async def close_if_revoked(self) -> bool:
        """Close a socket whose token has ended; True if that is so."""
        if not await self._is_revoked():
            return False
        if not self._has_ended:
            self._has_ended = True
            await self._send({"type": "websocket.close", "code": CLOSE_REVOKED, "reason": None})
        return True

    async def receive(self) -> Any:
        received = await self._receive()
        if received["type"] == "websocket.receive" and await self.close_if_revoked():
            return {"type": "websocket.disconnect", "code": CLOSE_REVOKED}
        return received

    async def send_frame(self, sent: Message) -> None:
        if sent["type"] == "websocket.send" and await self.close_if_revoked():
            raise self.error
        await self._send(sent)

    async def send_part(self, sent: Message) -> None:
        """Of an answer that may go on for long."""
        if self._has_ended:
            return
        if sent["type"] == "http.response.body" and sent["more_body"] and await self._is_revoked():
            self._has_ended = True
            sent = {"type": "http.response.body", "body": b"", "more_body": False}
        await self._send(sent)


def token_guard(connection: ASGIConnection[Any, Any, Any, Any]) -> TokenGuard | None:
    """The guard of a connection; None where it was opened without a token."""
    found: TokenGuard | None = cast(dict[str, Any], connection.scope).get(GUARD_KEY)
    return found
