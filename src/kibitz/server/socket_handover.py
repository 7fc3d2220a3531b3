"""Connections to a table, handed over to the worker that is the table's home.

The workers of a machine share a listening socket, so any of them may accept a connection. A worker
that has read a request for the socket or the events of a table sends the connection itself
(SCM_RIGHTS), with that request, to the table's home over a Unix socket and closes its own copy. The
client sees nothing of it, and limits, timeouts and metrics count where the connection ends up.

Correctness never rests on it, as any worker can serve any table: where a connection cannot be
handed over, it is served where it is. A worker that starts, or goes on after it stood still, tells
the others. They close the sockets of tables for which it comes before them, and the clients connect
again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import socket
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from random import uniform
from typing import Any, ClassVar

import h11
from uvicorn.server import ServerState

from kibitz.server import metrics
from kibitz.server.http.timeouts import (
    MAX_HEADER_BYTES,
    TimeoutHttpProtocol,
    TimeoutWebSocketProtocol,
)
from kibitz.server.table_homes import TableHomes

log = logging.getLogger(__name__)

BACKLOG = 512
"""So many connections may wait for a worker to take them over."""
HEARTBEAT_S, STALL_S = 1.0, 6.0
"""The time between two signs of life of a worker, and that without one after which it gets no
connections."""
RETURN_WITHIN_S = 5.0
"""Sockets whose home is back are closed one by one within so many seconds."""
ACCEPT_RETRY_S = 1.0
MAX_MESSAGE_BYTES = 1 << 16
LENGTH_BYTES = 4
"""The length of a message comes before it: one that was cut off is not used."""


@dataclass(slots=True, eq=False)
class _Incoming:
    """The message of another worker, as far as it has arrived: each has a connection of its own."""

    channel: socket.socket
    data: bytearray = field(default_factory=bytearray)
    descriptors: list[int] = field(default_factory=list)

    def read(self) -> bool:
        """Read all there is; True at the end of it."""
        try:
            while True:
                data, descriptors, _, _ = socket.recv_fds(self.channel, MAX_MESSAGE_BYTES, 1)
                self.descriptors += descriptors
                if not data:
                    return True
                self.data += data
        except BlockingIOError:
            return False
        except OSError:
            return True

    def message(self) -> bytes | None:
        """The message; None where it is not whole."""
        size, text = self.data[:LENGTH_BYTES], self.data[LENGTH_BYTES:]
        return bytes(text) if len(text) == int.from_bytes(size) and text else None


class SocketHandover:
    """Hands connections over to the other workers of this machine, and takes over theirs."""

    def __init__(self, homes: TableHomes, worker: int, prefix: str = "") -> None:
        self._homes, self._worker = homes, worker
        self._path = homes.socket_path(worker)
        under = re.escape(prefix)
        self._socket_route = re.compile(rf"{under}/t/([^/]+)/live")
        self._events_route = re.compile(rf"{under}/api/v1/tables/([^/]+)/events")
        self._listening: socket.socket | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def table_of_socket(self, path: str) -> str | None:
        """The table whose socket is at a path."""
        found = self._socket_route.fullmatch(path)
        return found[1] if found else None

    def table_of_events(self, path: str) -> str | None:
        """The table whose stream of events is at a path."""
        found = self._events_route.fullmatch(path)
        return found[1] if found else None

    # To the others

    def hand_over(self, table_id: str, descriptor: int, request: bytes) -> bool:
        """Send a connection to the table's home; False where it has to be served here."""
        for worker in self._homes.ranking(table_id):
            if worker == self._worker:
                return False
            if self._send(worker, request, descriptor):
                metrics.HANDOVERS.count()
                return True
        return False

    def _announce(self) -> None:
        """Tell the others that this worker is there."""
        for worker in range(self._homes.workers):
            if worker != self._worker:
                self._send(worker, str(self._worker).encode())

    def _send(self, worker: int, message: bytes, *descriptors: int) -> bool:
        """Send a message; False where that worker is not there, or has too much to do."""
        path, data = self._homes.socket_path(worker), len(message).to_bytes(LENGTH_BYTES) + message
        try:
            if time.monotonic_ns() - os.stat(path).st_mtime_ns > STALL_S * 1e9:
                return False
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as channel:
                channel.setblocking(False)
                channel.connect(path)
                return socket.send_fds(channel, [data], descriptors) == len(data)
        except OSError:
            return False

    # From the others

    def start(self, create_protocol: Callable[[], asyncio.Protocol], state: ServerState) -> None:
        """Take connections over from now on; the server is up."""
        self._create_protocol, self._state = create_protocol, state
        self._loop = asyncio.get_running_loop()
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with suppress(FileNotFoundError):
                os.unlink(self._path)  # Of the worker that was in this one's place.
            listening.bind(self._path)
            listening.listen(BACKLOG)
            listening.setblocking(False)
        except OSError as error:
            listening.close()
            log.warning("connections are not brought to the worker of their table: %s", error)
            return
        self._listening = listening
        self._show_alive()
        self._run(self._accept_loop(listening))
        self._run(self._heartbeat_loop())
        self._announce()

    def close(self) -> None:
        """Take over no more; others are asked instead."""
        if self._listening:
            with suppress(OSError):
                os.unlink(self._path)
            for task in self._tasks:
                task.cancel()
            self._listening.close()
            self._listening = None

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _show_alive(self) -> None:
        """Set the time of the socket's file, by the clock that all processes of a machine share."""
        self._shown_at_ns = time.monotonic_ns()
        with suppress(OSError):
            os.utime(self._path, ns=(self._shown_at_ns, self._shown_at_ns))

    async def _heartbeat_loop(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            before_ns = self._shown_at_ns
            self._show_alive()
            if self._shown_at_ns - before_ns > STALL_S * 1e9:
                self._announce()

    async def _accept_loop(self, listening: socket.socket) -> None:
        while True:
            try:
                accepted, _ = await self._loop.sock_accept(listening)
            except OSError as error:
                log.warning("no connection can be taken over: %s", error)
                await asyncio.sleep(ACCEPT_RETRY_S)
                continue
            accepted.setblocking(False)
            self._loop.add_reader(accepted.fileno(), self._read, _Incoming(accepted))

    def _read(self, incoming: _Incoming) -> None:
        if not incoming.read():
            return
        self._loop.remove_reader(incoming.channel.fileno())
        incoming.channel.close()
        connections = [socket.socket(fileno=each) for each in incoming.descriptors]
        message = incoming.message()
        if connections and message:
            self._run(self._take_over(connections.pop(), message))
        elif message and message.isdigit():
            self._welcome(int(message))
        for connection in connections:
            connection.close()

    async def _take_over(self, connection: socket.socket, request: bytes) -> None:
        """Go on with a connection whose request another worker has read."""

        def create_protocol() -> asyncio.Protocol:
            protocol = self._create_protocol()
            assert isinstance(protocol, HandoverHttpProtocol)
            protocol.forwarded_request = request
            return protocol

        connection.setblocking(False)
        connection.set_inheritable(False)
        try:
            await self._loop.connect_accepted_socket(create_protocol, connection)
        except OSError:  # It has ended meanwhile.
            connection.close()

    def _welcome(self, worker: int) -> None:
        """Close the sockets of tables that are rather that worker's: their clients come back."""
        for each in list(self._state.connections):
            if isinstance(each, TimeoutWebSocketProtocol) and self._is_rather_at(worker, each):
                self._loop.call_later(uniform(0, RETURN_WITHIN_S), self._close_socket, each)

    def _is_rather_at(self, worker: int, protocol: TimeoutWebSocketProtocol) -> bool:
        """True for an open socket of a table for which that worker comes before this one."""
        if not protocol.handshake_complete or protocol.close_sent:
            return False
        table_id = self.table_of_socket(protocol.scope["path"])
        ranking = self._homes.ranking(table_id) if table_id else [self._worker]
        return worker in ranking[: ranking.index(self._worker)]

    def _close_socket(self, protocol: TimeoutWebSocketProtocol) -> None:
        if protocol in self._state.connections:
            protocol.shutdown()


class HandoverHttpProtocol(TimeoutHttpProtocol):
    """HTTP at one of several workers."""

    handover: ClassVar[SocketHandover]
    forwarded_request = b""
    """The request that another worker has read from this connection."""
    _is_handed_over = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.forwarded_request and not transport.is_closing():
            self.data_received(self.forwarded_request)

    def _should_upgrade(self) -> bool:
        """True as well where the connection ends here because it was handed over."""
        self._is_handed_over = self._hand_over()
        return self._is_handed_over or super()._should_upgrade()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        if not self._is_handed_over:
            super().handle_websocket_upgrade(event)

    def _hand_over(self) -> bool:
        """Give the connection to the home of the table that is asked for; False where it stays.

        It stays while the answer to an earlier request is on its way. A worker that it was handed
        over to gives it only to one that comes before itself, so it never goes in circles.
        """
        table_id, transport = self._wanted_table(), self.transport
        if table_id is None or transport.is_closing() or transport.get_write_buffer_size():
            return False
        head = self._request_head()
        request = head + self.conn.trailing_data[0]
        if len(head) > MAX_HEADER_BYTES or len(request) > MAX_MESSAGE_BYTES:
            return False
        descriptor = transport.get_extra_info("socket").fileno()
        if not self.handover.hand_over(table_id, descriptor, request):
            return False
        transport.abort()  # Of what is closed this is a copy: the connection goes on.
        return True

    def _wanted_table(self) -> str | None:
        path = self.scope["path"]
        if self._get_upgrade() == b"websocket":
            return self.handover.table_of_socket(path)
        return self.handover.table_of_events(path) if self.scope["method"] == "GET" else None

    def _request_head(self) -> bytes:
        scope = self.scope
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        version = scope["http_version"].encode()
        lines = [b"%s %s%s HTTP/%s" % (scope["method"].encode(), scope["raw_path"], query, version)]
        lines += [b"%s: %s" % header for header in self.headers]
        return b"\r\n".join((*lines, b"", b""))
