"""Processes for bots to think in, of which nothing is left when whoever started them is gone."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from threading import Thread
from types import FrameType

from kibitz.bots.subprocess_bot import end_all


def _nothing() -> None:
    pass


def pool_of(processes: int, prepare: Callable[[], None] = _nothing) -> ProcessPoolExecutor:
    """`prepare` is called in each of them before it is given anything to do."""
    # Forking a process with threads and sockets would hand both on.
    spawning = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(
        processes, mp_context=spawning, initializer=_begin, initargs=(prepare,)
    )


def _begin(prepare: Callable[[], None]) -> None:
    """Leave Ctrl-C to whoever started this, and end when that does, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    Thread(target=_end_with_parent, daemon=True).start()
    prepare()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        _end()


def _end(number: int = 0, frame: FrameType | None = None) -> None:
    end_all()
    os._exit(0)
