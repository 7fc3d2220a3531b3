"""Start the server and stop it again."""

from __future__ import annotations

import errno
import logging
import socket
import sys
import webbrowser
from threading import Thread

from kibitz.server.settings import Settings, settings_from

STOPS_WITHIN = 3
"""Seconds that open connections get to end."""


def run(settings: Settings) -> None:
    """Serve until stopped; returns at Ctrl-C. Raises OSError or NotStored where it cannot start.

    The imports are here because the bots' process imports this module again, and needs none.
    """
    import uvicorn

    from kibitz.core.message import message
    from kibitz.server.app import create_app
    from kibitz.server.wire import MOST_BYTES
    from kibitz.words import FALLBACK, say_in

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    app = create_app(settings)
    listening = listen(settings)
    host, port = listening.getsockname()[:2]
    address = f"http://{host}:{port}/"
    config = uvicorn.Config(
        app,
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=STOPS_WITHIN,
    )
    say = say_in(FALLBACK)
    if port != settings.port and settings.port:
        print(say(message("server.port-taken", port=settings.port)), flush=True)
    print(say(message("server.address", address=address)), flush=True)
    if settings.open_browser:
        Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    try:
        uvicorn.Server(config).run([listening])
    except KeyboardInterrupt:
        print()


def listen(settings: Settings) -> socket.socket:
    """A listening socket on the wanted port, or on a free one where that is taken."""
    for port in (settings.port, 0):
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((settings.host, port))
            listening.listen(128)
        except OSError as error:
            listening.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES) or port == 0:
                raise
        else:
            return listening
    raise AssertionError


def main() -> None:
    from kibitz.server.store import NotStored

    try:
        run(settings_from())
    except (OSError, NotStored, ValueError) as error:
        print(f"kibitz: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
