"""Several workers on one machine: processes that share a listening socket.

Each is a whole server and has a number. One that ends is replaced by another with its number; those
whose parent ended stop by themselves.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import wait
from threading import Thread
from typing import TYPE_CHECKING, Protocol

from kibitz.core.message import Refused
from kibitz.i18n.shell import shell_phrases

if TYPE_CHECKING:
    from multiprocessing.context import ForkProcess

log = logging.getLogger(__name__)

RESTART_DELAY_S = 1.0
"""One that ends within so many seconds of its start is not replaced at once."""
REMINDER_S = 5.0
"""A worker that goes on for so long after it was told to stop is told again."""
EXIT_CANNOT_START = 2
"""The exit code of a worker that cannot start, and would not the next time either."""
_SIGNALS = signal.SIGINT, signal.SIGTERM


class ServeWorker(Protocol):
    def __call__(self, *, number: int, introduces: bool) -> None: ...


def run_workers(
    count: int, serve: ServeWorker, ended: Callable[[int], None] = lambda process: None
) -> None:
    """Keep so many at work until stopped. Raises SystemExit where the first cannot start.
    `ended` is told of each that did.

    One that replaces another is tried again and again: the database may be away just now.
    """
    stopping, told_at = False, 0.0
    workers: dict[ForkProcess, tuple[int, float]] = {}
    """The number of each, and when it was started."""
    first: list[ForkProcess] = []

    def stop(*signalled: object) -> None:
        nonlocal stopping, told_at
        stopping, told_at = True, time.monotonic()
        for worker in workers:
            with suppress(ProcessLookupError):
                os.kill(worker.pid or 0, signal.SIGINT)

    before = {each: signal.signal(each, stop) for each in _SIGNALS}
    try:
        for number in range(count):
            worker = _start_worker(serve, number, introduces=number == 0)
            workers[worker] = number, time.monotonic()
        first += workers
        while workers:
            wait([worker.sentinel for worker in workers], REMINDER_S)
            if stopping and time.monotonic() - told_at > REMINDER_S:
                stop()  # One that was about to start may not have heard it.
            for worker in [each for each in workers if not each.is_alive()]:
                number, started_at = workers.pop(worker)
                lived = time.monotonic() - started_at
                ended(worker.pid or 0)
                if worker.exitcode == EXIT_CANNOT_START and worker in first and not stopping:
                    stop()
                    raise SystemExit(EXIT_CANNOT_START)
                if not stopping:
                    log.warning("worker %s ended (%s) and is replaced", worker.pid, worker.exitcode)
                    time.sleep(RESTART_DELAY_S if lived < RESTART_DELAY_S else 0.0)
                    worker = _start_worker(serve, number, introduces=False)
                    workers[worker] = number, time.monotonic()
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _start_worker(serve: ServeWorker, number: int, introduces: bool) -> ForkProcess:
    worker = multiprocessing.get_context("fork").Process(
        target=_run_worker, args=(serve, number, introduces)
    )
    worker.start()
    return worker


def _run_worker(serve: ServeWorker, number: int, introduces: bool) -> None:
    for each in _SIGNALS:
        signal.signal(each, signal.default_int_handler)
    Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()
    try:
        serve(number=number, introduces=introduces)
    except KeyboardInterrupt:
        pass
    except Refused as error:
        print(f"kibitz: {shell_phrases()(error.refusal)}", file=sys.stderr)
        sys.exit(EXIT_CANNOT_START)


def _watch_parent(parent: int) -> None:
    """Nobody would replace or stop a worker whose parent is gone."""
    while os.getppid() == parent:
        time.sleep(RESTART_DELAY_S)
    os.kill(os.getpid(), signal.SIGINT)
