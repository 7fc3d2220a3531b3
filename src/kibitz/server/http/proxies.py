"""Proxies in front of the server: whose word counts for where somebody comes from.

Anybody can send `X-Forwarded-For`; it is believed from the addresses that the host named, and
only as far as those vouch for each other: the last address that is none of theirs is who asks.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from typing import TYPE_CHECKING

from kibitz.server import metrics
from kibitz.server.http.networks import Networks

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Receive, Scope, Send

log = logging.getLogger(__name__)

FOR, PROTO, HOST = b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host"
SECURE = {"http": "https", "ws": "wss", "https": "https", "wss": "wss"}
PLAIN = {"http": "http", "ws": "ws", "https": "http", "wss": "ws"}


class Forwarded:
    """Tells the application who asks and how, where proxies that are believed say so."""

    def __init__(self, app: ASGIApp, believed: Networks) -> None:
        self.app, self._believed = app, believed
        self._strangers: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            self._believe(scope)
        await self.app(scope, receive, send)

    def _believe(self, scope: Scope) -> None:
        said = [name for name, _ in scope["headers"]]
        if not any(name in said for name in (FOR, PROTO, HOST)):
            return
        client = scope.get("client")
        if client is None or client[0] not in self._believed:
            metrics.FORWARDED.count(believed="no")
            self._notice(client[0] if client else "")
            return
        metrics.FORWARDED.count(believed="yes")
        headers = list(scope["headers"])
        scope["client"] = who_asks(client[0], _values(headers, FOR), self._believed), client[1]
        scheme = _last(headers, PROTO).lower()
        if scheme in ("https", "http"):
            scope["scheme"] = (SECURE if scheme == "https" else PLAIN)[scope["scheme"]]
        host = _last(headers, HOST)
        if re.fullmatch(r"[\w.-]+(:\d{1,5})?|\[[0-9a-fA-F:.]+\](:\d{1,5})?", host, re.ASCII):
            others = [(name, value) for name, value in headers if name != b"host"]
            scope["headers"] = [(b"host", host.encode()), *others]

    def _notice(self, address: str) -> None:
        """A proxy that nobody named is most likely one that somebody forgot to name."""
        if address in self._strangers or not _is_near(address):
            return
        self._strangers.add(address)
        log.warning("requests are forwarded by a machine that KIBITZ_PROXIES does not name")


def who_asks(peer: str, forwarded: Iterable[str], believed: Networks) -> str:
    """The last address in `forwarded` that is not a proxy we believe; `peer` has said so."""
    asks = peer
    for each in reversed(list(forwarded)):
        address = _address(each)
        if address is None:
            return asks
        asks = address
        if address not in believed:
            return asks
    return asks


def _address(text: str) -> str | None:
    """An address without its port; None where it is none."""
    text = text.strip().strip('"')
    bracketed = re.fullmatch(r"\[([^\]]+)\](:\d+)?", text)
    text = bracketed[1] if bracketed else text
    if text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return str(getattr(found, "ipv4_mapped", None) or found)


def _values(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> Iterator[str]:
    for name, value in headers:
        if name == wanted:
            yield from value.decode("latin-1").split(",")


def _last(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> str:
    return ([""] + [each.strip() for each in _values(headers, wanted)])[-1]


def _is_near(address: str) -> bool:
    try:
        return ip_address(address).is_private
    except ValueError:
        return False
