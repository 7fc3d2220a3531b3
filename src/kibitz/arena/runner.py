"""Plays matches in processes of this machine."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from kibitz.arena.match import Written, play
from kibitz.arena.plan import Match, Plan
from kibitz.bots.pool import pool_of

TRIES = 3
"""How often a process may be lost while a match is not getting anywhere."""


def played_here(plan: Plan, matches: Iterable[Match], workers: int) -> Iterator[Written]:
    """Each as it is finished. A match whose process is lost is played again."""
    waiting, lost = deque(matches), 0
    running: dict[Future[Written], Match] = {}
    pool = pool_of(workers, _keep_output_clean)
    try:
        while waiting or running:
            try:
                while waiting and len(running) < 2 * workers:
                    future = pool.submit(play, plan, waiting[0])
                    running[future] = waiting.popleft()
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    written = future.result()
                    del running[future]
                    lost = 0
                    yield written
            except BrokenProcessPool:
                lost += 1
                if lost == TRIES:
                    raise
                waiting.extendleft(running.values())
                running.clear()
                _stop(pool)
                pool = pool_of(workers, _keep_output_clean)
    finally:
        _stop(pool)


def _keep_output_clean() -> None:
    """What a bot prints is not what the command prints."""
    os.dup2(2, 1)


def _stop(pool: ProcessPoolExecutor) -> None:
    pool.shutdown(wait=False, cancel_futures=True)
    for process in multiprocessing.active_children():
        process.terminate()
