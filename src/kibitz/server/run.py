"""Start the server and stop it again."""

from __future__ import annotations

import errno
import gc
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
from kibitz.server.lan import EVERYWHERE, lan_address, qr_text, web_address
from kibitz.server.settings import Settings, checked_workers, settings_from

if TYPE_CHECKING:
    import uvicorn

log = logging.getLogger("kibitz.server.run")

STOPS_WITHIN = 3
"""Seconds that open connections get to end."""
BACKLOG = 512
PING_EVERY = 20.0
PONG_WITHIN = 20.0
"""Who does not answer within that is gone, and is noticed within the sum of both."""
MOST_PAGES = 1024
"""Connections beside those of tables."""
COLLECTS_AFTER = (30_000, 10, 10)
"""With Python's own settings a server with a thousand tables would stop for long, and often."""


def run(settings: Settings) -> None:
    """Serve until stopped; returns at Ctrl-C. Raises Refused where it cannot start.

    The imports are here because the bots' process imports this module again, and needs none.
    """
    from kibitz.server import logs, metrics

    checked_workers(settings)
    logs.set_up(settings.log, settings.tells_more)
    listening = listen(settings)
    started = time.monotonic()
    if settings.workers == 1:
        _serve(settings, listening, introduces=True)
    else:
        from kibitz.server.workers import keep_working

        with TemporaryDirectory(prefix="kibitz-metrics-") as folder:
            metrics.share(Path(folder))
            keep_working(settings.workers, partial(_serve, settings, listening), metrics.forget)
    log.info("stopped", extra={"after_seconds": round(time.monotonic() - started)})


def _serve(settings: Settings, listening: socket.socket, introduces: bool) -> None:
    """One worker, until it is stopped."""
    import uvicorn

    from kibitz.server import logs, metrics
    from kibitz.server.http.proxies import Forwarded
    from kibitz.server.http.url_prefix import Prefixed

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started and introduces:
                _introduce(settings, *listening.getsockname()[:2])

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            application.state.streams.end()
            await super().shutdown(sockets)

    metrics.begin()
    application = _application(settings)
    app: Any = metrics.Measured(application)
    if settings.log_requests:
        app = logs.RequestLog(app)
    if settings.prefix:
        app = Prefixed(app, settings.prefix)
    app = Forwarded(app, settings.proxies)
    _allow_many_connections(settings.most_sockets + MOST_PAGES)
    _collect_rarely()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        Server(configured(app, settings)).run([listening])
    except KeyboardInterrupt:
        print()


def listen(settings: Settings) -> socket.socket:
    """A listening socket on the wanted port; on a free one where that is taken and will do."""
    for port in (settings.port, 0):
        try:
            return _listen_at(settings.host, port)
        except OSError as error:
            taken = error.errno in (errno.EADDRINUSE, errno.EACCES)
            if taken and port and not settings.insists_on_port:
                continue
            why = error.strerror or str(error)
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
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def _application(settings: Settings) -> Any:
    from kibitz.server.app import create_app
    from kibitz.server.db.schema import TooNew
    from kibitz.server.db.store import NotStored

    try:
        return create_app(settings)
    except (NotStored, TooNew, OSError) as error:
        is_too_new = TooNew in (type(error), type(error.__cause__))
        raise Refused(_unusable(settings, error, is_too_new)) from None


def _unusable(settings: Settings, error: Exception, is_too_new: bool) -> Message:
    """What is wrong with what it would rest on: a database of its own, or a folder."""
    from kibitz.server.db.connect import shown

    if settings.database and not isinstance(error, OSError):
        database = shown(settings.database)
        if is_too_new:
            return message("server.database-too-new", database=database)
        return message("server.no-database", database=database, why=str(error))
    folder = str(settings.data)
    if is_too_new:
        return message("server.too-new", folder=folder)
    return message("server.no-data", folder=folder, why=str(error))


def configured(app: Any, settings: Settings) -> uvicorn.Config:
    """How uvicorn has to treat connections."""
    import uvicorn

    from kibitz.server.http.timeouts import MOST_HEADERS, Attentive, Impatient
    from kibitz.server.tables.protocol import MOST_BYTES

    return uvicorn.Config(
        app,
        http=Impatient,
        ws=Attentive,
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_EVERY,
        ws_ping_timeout=PONG_WITHIN,
        h11_max_incomplete_event_size=MOST_HEADERS,
        backlog=BACKLOG,
        limit_concurrency=settings.most_sockets + MOST_PAGES,
        timeout_graceful_shutdown=STOPS_WITHIN,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )


def _introduce(settings: Settings, host: str, port: int) -> None:
    """Say where the server is, now that it is there, and open it here if wanted."""
    from kibitz.i18n import FALLBACK, say_in

    say = say_in(FALLBACK)
    here = web_address("127.0.0.1" if host in EVERYWHERE else host, port, settings.prefix)
    if port != settings.port and settings.port:
        print(say(message("server.port-taken", port=settings.port)))
    print(say(message("server.address", address=here)))
    if settings.lan:
        reachable = lan_address() if host in EVERYWHERE else host
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


def _collect_rarely() -> None:
    """Let Python look through everything for garbage less often: nobody can act meanwhile.

    What is loaded by now stays, and is not looked through at all.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTS_AFTER)


def _allow_many_connections(wanted: int) -> None:
    """Some systems allow a process 256 open files unless it asks for more."""
    import resource

    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted += 256
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def main() -> None:
    from kibitz.i18n import FALLBACK, say_in

    try:
        run(replace(settings_from(), insists_on_port=False))
    except Refused as error:
        print(f"kibitz: {say_in(FALLBACK)(error.refusal)}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
