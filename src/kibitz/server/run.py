"""Start the server and stop it again."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import sys
import time
import webbrowser
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any

from kibitz.core.message import Message, Refused, message
from kibitz.core.os_errors import os_error_reason
from kibitz.server.garbage import collect_garbage, tune_interpreter
from kibitz.server.lan import WILDCARD_HOSTS, lan_address, qr_text, web_address
from kibitz.server.settings import MAX_PAGE_CONNECTIONS, Settings, checked_workers, settings_from
from kibitz.server.table_homes import TableHomes

if TYPE_CHECKING:
    import uvicorn

    from kibitz.server.bot_preparation import BotPreparation
    from kibitz.server.lan_access import LanAccess
    from kibitz.server.socket_handover import SocketHandover

log = logging.getLogger("kibitz.server.run")

SHUTDOWN_TIMEOUT_S = 3
"""Seconds that open connections get to end."""
BACKLOG = 512
PING_INTERVAL_S = 20.0
PING_TIMEOUT_S = 20.0
"""A peer that does not answer within that is gone, and is noticed within the sum of both."""
PROGRESS_DELAY_S = 0.5


def run(settings: Settings) -> None:
    """Serve until stopped; returns at Ctrl-C. Raises Refused where it cannot start.

    The imports are here because the bots' process imports this module again, and needs none.
    """
    from kibitz.server import logs, metrics

    checked_workers(settings)
    logs.configure_logging(settings.log, settings.is_verbose)
    listening = listen(settings)
    started = time.monotonic()
    if settings.workers == 1:
        _serve_worker(settings, listening, introduces=True)
    else:
        from kibitz.server.workers import run_workers

        with (
            TemporaryDirectory(prefix="kibitz-metrics-") as folder,
            TemporaryDirectory(prefix="kibitz-workers-") as sockets,
        ):
            metrics.share_folder(Path(folder))
            homes = TableHomes(settings.workers, Path(sockets))
            run_workers(
                settings.workers,
                partial(_serve_worker, settings, listening, homes),
                metrics.forget_process,
            )
    log.info("stopped", extra={"after_seconds": round(time.monotonic() - started)})


def _serve_worker(
    settings: Settings,
    listening: socket.socket,
    homes: TableHomes | None = None,
    *,
    number: int = 0,
    introduces: bool,
) -> None:
    """One worker, until it is stopped; one of several where tables have homes."""
    import uvicorn

    from kibitz.server import logs, metrics
    from kibitz.server.http.proxies import ProxyHeadersMiddleware
    from kibitz.server.http.url_prefix import PrefixMiddleware
    from kibitz.server.socket_handover import SocketHandover
    from kibitz.server.tables.sse import EventStreams

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            self.collecting = asyncio.create_task(collect_garbage())
            if self.started and handover:
                handover.start(partial(_create_protocol, self), self.server_state)
            if self.started:
                lan.attach(partial(_listen_too, self), listening.getsockname()[1])
            if self.started and introduces:
                _announce_address(settings, *listening.getsockname()[:2])
                if sys.stderr and sys.stderr.isatty() and not settings.is_verbose:
                    self.progress = asyncio.create_task(_show_progress(preparation))

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            if handover:
                handover.close()
            streams.end_all()
            self.collecting.cancel()
            await super().shutdown(sockets)

    metrics.start_metrics()
    handover = SocketHandover(homes, number, settings.prefix) if homes else None
    application = _create_application(settings)
    streams: EventStreams = application.state.streams
    preparation: BotPreparation = application.state.preparation
    lan: LanAccess = application.state.lan
    app: Any = metrics.MetricsMiddleware(application)
    if settings.log_requests:
        app = logs.RequestLogMiddleware(app)
    if settings.prefix:
        app = PrefixMiddleware(app, settings.prefix)
    app = ProxyHeadersMiddleware(app, settings.proxies)
    _raise_file_limit(settings.max_connections + MAX_PAGE_CONNECTIONS)
    tune_interpreter()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        Server(uvicorn_config(app, settings, handover)).run([listening])
    except KeyboardInterrupt:
        print()


class _SecondListener:
    """A socket beside the one that a server was started with."""

    def __init__(self, server: uvicorn.Server, accepting: asyncio.Server) -> None:
        self._server, self._accepting = server, accepting
        self._name = accepting.sockets[0].getsockname()
        self.port: int = self._name[1]
        server.servers.append(accepting)

    def close(self) -> None:
        """Pages that came by it are told, as at the end of the server."""
        self._server.servers.remove(self._accepting)
        self._accepting.close()
        for connection in list(self._server.server_state.connections):
            transport = getattr(connection, "transport", None)
            if transport and transport.get_extra_info("sockname") == self._name:
                connection.shutdown()


async def _listen_too(server: uvicorn.Server, host: str) -> _SecondListener:
    """Listen on another address as well, if possible on the same port; raises OSError."""
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        listening = _listen_at(host, port)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        listening = _listen_at(host, 0)

    loop = asyncio.get_running_loop()
    create_protocol = partial(_create_protocol, server)
    accepting = await loop.create_server(create_protocol, sock=listening, backlog=BACKLOG)
    return _SecondListener(server, accepting)


def _create_protocol(server: uvicorn.Server) -> asyncio.Protocol:
    """The protocol of a new connection, as uvicorn makes it, which keeps its way to itself."""
    config = server.config
    made: asyncio.Protocol = config.http_protocol_class(  # type: ignore[call-arg]
        config=config, server_state=server.server_state, app_state=server.lifespan.state
    )
    return made


def listen(settings: Settings) -> socket.socket:
    """A listening socket on the wanted port; on a free one where that is taken and will do."""
    for port in (settings.port, 0):
        try:
            return _listen_at(settings.host, port)
        except OSError as error:
            taken = error.errno in (errno.EADDRINUSE, errno.EACCES)
            if taken and port and not settings.insists_on_port:
                continue
            why = os_error_reason(error)
            raise Refused(
                message("server.cannot-listen", host=settings.host, port=port, why=why)
            ) from None
    raise AssertionError


def _listen_at(host: str, port: int) -> socket.socket:
    family, kind, _, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listening = socket.socket(family, kind)
    try:
        if sys.platform == "win32":  # There, SO_REUSEADDR would take the port of another program.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def _create_application(settings: Settings) -> Any:
    from kibitz.server.app import create_app
    from kibitz.server.db.schema import DatabaseTooNew
    from kibitz.server.db.store import StoreError

    try:
        return create_app(settings)
    except (StoreError, DatabaseTooNew, OSError) as error:
        is_too_new = DatabaseTooNew in (type(error), type(error.__cause__))
        raise Refused(_start_failure(settings, error, is_too_new)) from None


def _start_failure(settings: Settings, error: Exception, is_too_new: bool) -> Message:
    """The fault of what the server would rest on: a database of its own, or a folder."""
    from kibitz.server.db.connect import url_without_password

    if settings.database and not isinstance(error, OSError):
        database = url_without_password(settings.database)
        if is_too_new:
            return message("server.database-too-new", database=database)
        return message("server.no-database", database=database, why=str(error))
    folder = str(settings.data)
    if is_too_new:
        return message("server.too-new", folder=folder)
    return message("server.no-data", folder=folder, why=str(error))


def uvicorn_config(
    app: Any, settings: Settings, handover: SocketHandover | None = None
) -> uvicorn.Config:
    """The settings by which uvicorn treats connections; `handover` where there are more workers."""
    import uvicorn

    from kibitz.server.http.timeouts import (
        CONNECTIONS_PER_SOCKET,
        MAX_HEADER_BYTES,
        TimeoutHttpProtocol,
        TimeoutWebSocketProtocol,
    )
    from kibitz.server.socket_handover import HandoverHttpProtocol
    from kibitz.server.tables.protocol import MOST_BYTES

    TimeoutHttpProtocol.max_per_address = (
        CONNECTIONS_PER_SOCKET * settings.max_connections_per_address
    )
    TimeoutHttpProtocol.proxies = settings.proxies
    if handover:
        HandoverHttpProtocol.handover = handover
    return uvicorn.Config(
        app,
        http=HandoverHttpProtocol if handover else TimeoutHttpProtocol,
        ws=TimeoutWebSocketProtocol,
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_INTERVAL_S,
        ws_ping_timeout=PING_TIMEOUT_S,
        h11_max_incomplete_event_size=MAX_HEADER_BYTES,
        backlog=BACKLOG,
        limit_concurrency=settings.max_connections + MAX_PAGE_CONNECTIONS,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_S,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )


def _announce_address(settings: Settings, host: str, port: int) -> None:
    """Say where the server is, now that it is there, and open it here if wanted."""
    from kibitz.i18n.shell import shell_phrases

    say = shell_phrases()
    here = web_address("127.0.0.1" if host in WILDCARD_HOSTS else host, port, settings.prefix)
    if port != settings.port and settings.port:
        print(say(message("server.port-taken", port=settings.port)))
    print(say(message("server.address", address=here)))
    if settings.lan:
        reachable = lan_address() if host in WILDCARD_HOSTS else host
        if reachable:
            address = web_address(reachable, port, settings.prefix)
            print(say(message("server.lan-address", address=address)))
            if (sys.stdout.encoding or "").lower().startswith("utf"):
                print(qr_text(address, in_colour=sys.stdout.isatty()))
        else:
            print(say(message("server.no-lan")))
    sys.stdout.flush()
    about = {"address": web_address(host, port, settings.prefix), "data": str(settings.data)}
    log.info("started", extra=about)
    if settings.open_browser:
        Thread(target=webbrowser.open, args=(here,), daemon=True).start()


async def _show_progress(preparation: BotPreparation) -> None:
    """A bar in the terminal while the bots are prepared."""
    from rich.console import Console
    from rich.progress import Progress

    from kibitz.i18n.shell import shell_phrases

    await preparation.has_begun.wait()
    if preparation.percent is None:
        return
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(shell_phrases()(message("server.preparing-bots")), total=100)
        while preparation.percent is not None:
            progress.update(task, completed=preparation.percent)
            await asyncio.sleep(PROGRESS_DELAY_S)


def _raise_file_limit(wanted: int) -> None:
    """Some systems allow a process 256 open files unless it asks for more; Windows has no limit."""
    try:
        import resource
    except ImportError:
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted += 256
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def main() -> None:
    from kibitz.i18n.shell import shell_phrases

    try:
        run(replace(settings_from(), insists_on_port=False))
    except Refused as error:
        print(f"kibitz: {shell_phrases()(error.refusal)}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
