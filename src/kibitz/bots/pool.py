"""Processes for bots to think in, of which nothing is left when whoever started them is gone."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from threading import Thread
from types import FrameType

from kibitz.bots.subprocess_bot import kill_all_processes


def _do_nothing() -> None:
    pass


def process_pool(processes: int, prepare: Callable[[], None] = _do_nothing) -> ProcessPoolExecutor:
    """`prepare` is called in each of them before it is given anything to do."""
    # Forking a process with threads and sockets would hand both on.
    spawning = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(
        processes, mp_context=spawning, initializer=_start_worker, initargs=(prepare,)
    )


def _start_worker(prepare: Callable[[], None]) -> None:
    """Leave Ctrl-C to whoever started this, and end when that does, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit_worker)
    Thread(target=_exit_with_parent, daemon=True).start()
    prepare()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        _exit_worker()


def _exit_worker(number: int = 0, frame: FrameType | None = None) -> None:
    kill_all_processes()
    os._exit(0)
