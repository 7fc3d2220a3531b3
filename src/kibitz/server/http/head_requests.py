"""A HEAD is a GET that is answered without its body."""

from __future__ import annotations

from typing import Any, cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

EMPTY_BODY: Message = {"type": "http.response.body", "body": b"", "more_body": False}


class HeadMiddleware:
    """Around everything else: routes are of one method each, and know nothing of this."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        answer = _HeadResponse(receive, send)
        got = cast(Scope, {**scope, "method": "GET"})
        await self._app(got, answer.receive, answer.send)


class _HeadResponse:
    """It is over with its headers, and nobody listens any more to what goes on without end."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._has_begun = False

    async def receive(self) -> Any:
        return {"type": "http.disconnect"} if self._has_begun else await self._receive()

    async def send(self, sent: Message) -> None:
        if sent["type"] == "http.response.start":
            self._has_begun = True
            await self._send(sent)
            await self._send(EMPTY_BODY)
