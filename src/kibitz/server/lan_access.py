"""Access from the network to a server that was started for its own machine alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from kibitz.core.message import Refused, message
from kibitz.core.os_errors import os_error_reason
from kibitz.server.lan import WILDCARD_HOSTS, lan_address, web_address
from kibitz.server.networks import LOOPBACK, Networks
from kibitz.server.settings import Settings

LOOPBACK_NAME = "localhost"
LOOPBACK_NETWORKS = Networks(LOOPBACK)


class Listener(Protocol):
    """A second socket that the server listens on."""

    port: int

    def close(self) -> None:
        """Listen no more, and end what came in by it."""


Listen: TypeAlias = Callable[[str], Awaitable[Listener]]
"""Listens on an address as well; raises OSError."""


def is_loopback(host: str) -> bool:
    return host == LOOPBACK_NAME or host in LOOPBACK_NETWORKS


class LanAccess:
    """Access of phones on the same network to this server, and the address they have it by.

    The socket is the network address's own: nobody else's address answers.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._listen: Listen | None = None
        self._listener: Listener | None = None
        self._origin = ""

    def attach(self, listen: Listen, port: int) -> None:
        """The server runs, on this port; `listen` makes it listen on another address as well."""
        host = self._settings.host
        if not is_loopback(host):
            reachable = lan_address() if host in WILDCARD_HOSTS else host
            self._origin = _origin_of(reachable, port) if reachable else ""
        elif self._settings.workers == 1:
            self._listen = listen

    @property
    def can_open(self) -> bool:
        """True where it is for the machine alone, and one process serves all."""
        return self._listen is not None

    @property
    def is_open(self) -> bool:
        return bool(self._origin)

    @property
    def origin(self) -> str:
        """The beginning of addresses on this network; empty where nobody there reaches us."""
        return self._origin

    async def open(self) -> None:
        """Let this network in; raises Refused where that cannot be."""
        if self._origin:
            return
        if self._listen is None:
            raise Refused(message("server.network-fixed"))
        address = lan_address()
        if address is None:
            raise Refused(message("server.no-lan"))
        try:
            self._listener = await self._listen(address)
        except OSError as error:
            why = os_error_reason(error)
            raise Refused(message("server.network-failed", address=address, why=why)) from None
        self._origin = _origin_of(address, self._listener.port)

    def close(self) -> None:
        """Let nobody else in from now on; raises Refused where it was started for a network."""
        if self._listener is None:
            if self._origin:
                raise Refused(message("server.network-fixed"))
            return
        self._listener.close()
        self._listener, self._origin = None, ""


def _origin_of(host: str, port: int) -> str:
    return web_address(host, port).rstrip("/")
