"""Plays matches in processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from kibitz.arena.match import FinishedMatch, play_match
from kibitz.arena.plan import ArenaPlan, Match
from kibitz.bots.pool import process_pool

MAX_LOST_PROCESSES = 3
"""The losses of a process that are borne while a match is not getting anywhere."""


def play_locally(
    plan: ArenaPlan, matches: Iterable[Match], workers: int
) -> Iterator[FinishedMatch]:
    """Each as it is finished. A match whose process is lost is played again."""
    waiting, lost = deque(matches), 0
    running: dict[Future[FinishedMatch], Match] = {}
    pool = process_pool(workers, _redirect_output)
    try:
        while waiting or running:
            try:
                while waiting and len(running) < 2 * workers:
                    future = pool.submit(play_match, plan, waiting[0])
                    running[future] = waiting.popleft()
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    written = future.result()
                    del running[future]
                    lost = 0
                    yield written
            except BrokenProcessPool:
                lost += 1
                if lost == MAX_LOST_PROCESSES:
                    raise
                waiting.extendleft(running.values())
                running.clear()
                _stop_pool(pool)
                pool = process_pool(workers, _redirect_output)
    finally:
        _stop_pool(pool)


def _redirect_output() -> None:
    """Send what a bot prints to standard error: it is not what the command prints."""
    os.dup2(2, 1)


def _stop_pool(pool: ProcessPoolExecutor) -> None:
    """End its processes first and then wait for it, which is short: a pool that is still closing
    when the interpreter exits is woken through a pipe that may be closed by then."""
    for process in multiprocessing.active_children():
        process.terminate()
    pool.shutdown(cancel_futures=True)
