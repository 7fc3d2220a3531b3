"""Requests that nothing behind this can read, refused before anything tries.

A Host or an Origin that is no address, a body that is no text, and NUL bytes: SQLite would keep
those and PostgreSQL would not; nobody types them.
"""

from __future__ import annotations

import logging
import re
import socket
from ipaddress import ip_address
from typing import Any, cast
from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from kibitz.core.message import message
from kibitz.server.http.errors import HttpError

log = logging.getLogger(__name__)

NUL_PATTERN = re.compile(rb"%00|\0")
"""In an address or a form."""
ESCAPED_NUL = r"\u0000"
ESCAPED_NUL_PATTERN = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""In JSON; `\\\\u0000` is a backslash and five signs."""
HOST_PATTERN = re.compile(r"([\w.-]*|\[[0-9a-fA-F:.]+\])(?::(\d{1,5}))?", re.ASCII)
MAX_PORT = 65535
FORWARDED_KEY = "kibitz.forwarded"
"""Where a scope says that a trusted proxy forwarded it (proxies.py)."""


def has_no_nul(json: str | bytes) -> bool:
    """True for JSON without the sign with the number zero, which PostgreSQL cannot keep."""
    text = json if isinstance(json, str) else json.decode("latin-1")
    return ESCAPED_NUL not in text or not ESCAPED_NUL_PATTERN.search(text)


def is_host(text: str) -> bool:
    """True for a name or an address, with a port or without."""
    found = HOST_PATTERN.fullmatch(text)
    return found is not None and int(found[2] or 0) <= MAX_PORT


def is_local_host(host: str) -> bool:
    """True for an address, this machine, or a name that only this network knows: no other site can
    have such a name."""
    name = host.rpartition(":")[0] if re.search(r":\d*$", host) else host
    name = name.lower().rstrip(".")
    is_simple = "." not in name and ":" not in name
    if is_simple or name == socket.gethostname().lower():
        return True
    if name.endswith((".localhost", ".local", ".lan", ".internal", ".home.arpa")):
        return True
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


class MalformedRequestMiddleware:
    def __init__(self, app: ASGIApp, public_url: str = "", host: str = "") -> None:
        """`public_url` is where people find us, if anybody said, and `host` what we listen on."""
        self.app, self._public_host, self._host = app, urlsplit(public_url).hostname or "", host
        self._has_warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if "\0" in scope["path"]:
            raise HttpError(404, message("server.no-page"))
        query = scope["query_string"]
        if NUL_PATTERN.search(query) or not _is_text(query) or not _has_readable_headers(scope):
            raise HttpError(400, message("server.bad-request"))
        if not self._is_our_host(scope):
            self._warn_unknown_host()
            raise HttpError(421, message("server.other-host"))
        await self.app(scope, _CheckedBody(scope, receive), send)

    def _warn_unknown_host(self) -> None:
        """Tell an operator who set no name, once; not the name, which anybody may have made up."""
        if not self._has_warned and not self._public_host:
            log.warning(
                "refused a request for a name that is not ours: if people reach this server by a "
                "name, set KIBITZ_PUBLIC_URL to its address, such as https://club.example"
            )
        self._has_warned = True

    def _is_our_host(self, scope: Scope) -> bool:
        """True for a name that we go by. A page of another site can give its own name our address,
        and would be of the same site as we then; only a proxy that we trust vouches for names."""
        host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode()
        if cast(dict[str, Any], scope).get(FORWARDED_KEY) and not self._public_host:
            return True
        ours = self._public_host, self._host.lower()
        return is_local_host(host) or urlsplit(f"//{host}").hostname in ours


def _has_readable_headers(scope: Scope) -> bool:
    for name, value in scope["headers"]:
        text = value.decode("latin-1")
        if name == b"host" and not is_host(text):
            return False
        if name == b"origin" and not _is_origin(text):
            return False
    return True


def _is_text(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_origin(text: str) -> bool:
    """True for an address that can be taken apart, whosever it is."""
    try:
        _ = urlsplit(text).port
    except ValueError:
        return False
    return True


class _CheckedBody:
    """A body, looked at when the last of it has come: before that nobody reads what it says."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        kind = next((value for name, value in scope["headers"] if name == b"content-type"), b"")
        self._is_form = b"form" in kind
        # Of these nobody reads a body, and their answer may have begun before it comes.
        self._is_unread = scope["type"] == ScopeType.HTTP and scope["method"] in ("GET", "HEAD")
        self._receive, self._parts = receive, list[bytes]()

    async def __call__(self) -> Any:
        received = await self._receive()
        if received["type"] == "http.request" and not self._is_unread:
            self._parts.append(received.get("body", b""))
            if not received.get("more_body", False) and not self._is_readable(
                b"".join(self._parts)
            ):
                raise HttpError(400, message("server.bad-request"))
        return received

    def _is_readable(self, body: bytes) -> bool:
        if not _is_text(body):
            return False
        return not NUL_PATTERN.search(body) if self._is_form else has_no_nul(body)
