"""The path of the server on its site: the root, or a path beside other things.

The code speaks of addresses as if the site were ours. What comes in loses the path, and what goes
out gets it: headers here, links in templates (`root`), and where programs are told an address.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from litestar.enums import ScopeType

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Message, Receive, Scope, Send

_COOKIE_PATH = re.compile(rb"(;\s*path=)/(?=;|$)", re.IGNORECASE)
_prefix = ""


def set_prefix(prefix: str) -> None:
    """From now on, in this process, the server is under that path; empty is the root."""
    global _prefix
    _prefix = prefix


def prefixed_path(path: str) -> str:
    """An address of ours as others have to ask for it."""
    return _prefix + path


class PrefixMiddleware:
    """An application that lives under a path, and need not know."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self.app, self._prefix = app, prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        if not path.startswith(f"{self._prefix}/"):
            await self._redirect_or_404(scope, send)
            return
        inside = path[len(self._prefix) :]
        raw = inside.encode()
        if (known := scope.get("raw_path")) and known.startswith(self._prefix.encode()):
            raw = known[len(self._prefix) :]

        async def send_prefixed(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                message["headers"] = [
                    self._prefix_header(name, value) for name, value in message.get("headers", ())
                ]
            await send(message)

        # A copy with other values is a scope, too, which its type cannot say.
        there: Scope = {**scope, "path": inside, "raw_path": raw}  # type: ignore[assignment]
        await self.app(there, receive, send_prefixed)

    def _prefix_header(self, name: bytes, value: bytes) -> tuple[bytes, bytes]:
        if name.lower() == b"location" and value.startswith(b"/") and value[1:2] != b"/":
            return name, self._prefix.encode() + value
        if name.lower() == b"set-cookie":
            return name, _COOKIE_PATH.sub(rb"\1" + self._prefix.encode(), value)
        return name, value

    async def _redirect_or_404(self, scope: Scope, send: Send) -> None:
        """Redirect from the path alone to what is under it; anything else is not ours."""
        if scope["type"] == ScopeType.WEBSOCKET:
            await send({"type": "websocket.close", "code": 1000, "reason": ""})
            return
        is_ours = scope["path"] == self._prefix
        headers = [(b"location", f"{self._prefix}/".encode())] if is_ours else []
        status = 308 if is_ours else 404
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
