"""Proxies in front of the server: whose word counts for where somebody comes from.

Anybody can send `X-Forwarded-For`; it is trusted from the addresses that the host named, and
only as far as those vouch for each other: the last address that is none of theirs is who asks.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, cast

from kibitz.server import metrics
from kibitz.server.http.malformed_requests import FORWARDED_KEY, is_host
from kibitz.server.networks import Networks

if TYPE_CHECKING:
    from litestar.types import ASGIApp, Receive, Scope, Send

log = logging.getLogger(__name__)

FORWARDED_FOR, FORWARDED_PROTO = b"x-forwarded-for", b"x-forwarded-proto"
FORWARDED_HOST = b"x-forwarded-host"
SCHEMES = {
    "https": {"http": "https", "ws": "wss", "https": "https", "wss": "wss"},
    "http": {"http": "http", "ws": "ws", "https": "http", "wss": "ws"},
}
"""The socket's scheme, by the scheme that a proxy was asked with."""


class ProxyHeadersMiddleware:
    """Tells the application who asks and how, where trusted proxies say so."""

    def __init__(self, app: ASGIApp, trusted: Networks) -> None:
        self.app, self._trusted = app, trusted
        self._unknown_proxies: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            self._apply_headers(scope)
        await self.app(scope, receive, send)

    def _apply_headers(self, scope: Scope) -> None:
        names = [name for name, _ in scope["headers"]]
        if not any(name in names for name in (FORWARDED_FOR, FORWARDED_PROTO, FORWARDED_HOST)):
            return
        client = scope.get("client")
        if client is None or client[0] not in self._trusted:
            metrics.FORWARDED_REQUESTS.count(trusted="no")
            self._warn_unknown_proxy(client[0] if client else "")
            return
        metrics.FORWARDED_REQUESTS.count(trusted="yes")
        cast(dict[str, Any], scope)[FORWARDED_KEY] = True
        headers = list(scope["headers"])
        forwarded = _header_values(headers, FORWARDED_FOR)
        scope["client"] = client_address(client[0], forwarded, self._trusted), client[1]
        scheme = _last_value(headers, FORWARDED_PROTO).lower()
        if scheme in SCHEMES:
            scope["scheme"] = SCHEMES[scheme][scope["scheme"]]
        host = _last_value(headers, FORWARDED_HOST)
        if host and is_host(host):
            others = [(name, value) for name, value in headers if name != b"host"]
            scope["headers"] = [(b"host", host.encode()), *others]

    def _warn_unknown_proxy(self, address: str) -> None:
        """A proxy that nobody named is most likely one that somebody forgot to name."""
        if address in self._unknown_proxies or not _is_private(address):
            return
        self._unknown_proxies.add(address)
        log.warning("requests are forwarded by a machine that KIBITZ_TRUSTED_PROXIES does not name")


def client_address(peer: str, forwarded: Iterable[str], trusted: Networks) -> str:
    """The last address in `forwarded` that is not a proxy we believe; `peer` has said so."""
    asks = peer
    for each in reversed(list(forwarded)):
        address = _read_address(each)
        if address is None:
            return asks
        asks = address
        if address not in trusted:
            return asks
    return asks


def _read_address(text: str) -> str | None:
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


def _header_values(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> Iterator[str]:
    for name, value in headers:
        if name == wanted:
            yield from value.decode("latin-1").split(",")


def _last_value(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> str:
    return ([""] + [each.strip() for each in _header_values(headers, wanted)])[-1]


def _is_private(address: str) -> bool:
    try:
        return ip_address(address).is_private
    except ValueError:
        return False
