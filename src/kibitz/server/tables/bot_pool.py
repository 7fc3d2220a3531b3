"""Processes for bots to think in, so that no page waits for them, nor one bot for another.

The first process is for quick thoughts, the others are for those that take seconds, and for quick
ones while nothing else is to be thought about there. Each starts when it is needed.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import Any, TypeVar

from kibitz.bots import registry
from kibitz.bots.guest_bots import register_guest_bots
from kibitz.bots.pool import process_pool
from kibitz.bots.question import Question
from kibitz.core.targets import answer_at_once, take_library
from kibitz.i18n import FALLBACK, say_in
from kibitz.server import metrics
from kibitz.server.logs import configure_logging
from kibitz.server.settings import Settings

log = logging.getLogger(__name__)
MAX_TRIES = 3
ANSWER_MARGIN_S = 0.15
"""Seconds that an answer needs on its way back."""
QUICK_LIMIT_S = 1.0
"""A bot that may take longer does not think where the quick ones do."""
STATEMENT_JOB, QUICK_JOB, OTHER_JOB = "voice", "coach", "work"
"""The names of jobs in which no bot chooses."""
T = TypeVar("T")


class BotPool:
    def __init__(self, prepare: Callable[[], None] | None = None, most: int = 1) -> None:
        """At most so many processes; `prepare` is called in each before any bot thinks there."""
        self._workers = [_Worker(prepare or _do_nothing) for _ in range(most)]
        self._is_closed = False

    def warm_up(self, game: str, seated: Iterable[str]) -> None:
        """Start what these bots need before they need it: that takes a second or two."""
        for bot in set(seated):
            self._workers[0 if _is_quick(bot) else -1].warm_up(bot, game)

    async def choose_action(self, question: Question, most_s: float = inf) -> str:
        """Return one of the question's texts, by the deadline of its bot, or within `most_s`."""
        limit = registry.ANSWER_LIMITS_S.get(question.bot)
        if limit is not None:
            left = min(limit, most_s) - ANSWER_MARGIN_S
            question = replace(question, deadline=time.monotonic() + left)
        return await self._run_with_retries(
            question.bot, question.game, registry.choose_action, question
        )

    async def choose_statement(self, question: Question) -> str | None:
        """Return one of the question's texts, which may be said in any turn, or nothing."""
        return await self._run_with_retries(
            STATEMENT_JOB, question.game, registry.choose_anytime_action, question
        )

    async def run_job(self, job: Callable[..., T], *asked: Any) -> T:
        """Anything else that is better thought about there. All of it has to travel."""
        return await self._run_with_retries(OTHER_JOB, "", job, *asked)

    async def run_quick_job(self, job: Callable[..., T], *asked: Any) -> T:
        """The same for what takes some tenths of a second, where the quick bots think."""
        return await self._run_with_retries(QUICK_JOB, "", job, *asked)

    @property
    def process_count(self) -> int:
        """The number of processes that were started."""
        return sum(worker.is_started for worker in self._workers)

    def is_busy_for(self, bot: str) -> bool:
        """True while something is thought about in every process that a bot would think in."""
        workers = self._workers[:1] if _is_quick(bot) else self._workers[1:] or self._workers
        return all(worker.pending_count for worker in workers)

    async def _run_with_retries(self, who: str, game: str, job: Callable[..., T], *asked: Any) -> T:
        """Asked again where the process was killed over it."""
        for left in reversed(range(MAX_TRIES)):
            worker = self._quick_worker(who, game) if _is_quick(who) else self._slow_worker(who)
            metrics.BOT_QUEUE.count(1)
            try:
                with metrics.Timer(metrics.BOT_THINKING_SECONDS):
                    return await worker.run_job(job, *asked)
            except BrokenProcessPool:
                log.warning("the bots' process ended while %s was thinking", who)
                if self._is_closed or not left:
                    raise
            finally:
                metrics.BOT_QUEUE.count(-1)
        raise AssertionError

    def _quick_worker(self, who: str, game: str) -> _Worker:
        """The first, else one that is free and ready; else the next one is made so meanwhile."""
        first, *others = self._workers
        if not first.pending_count:
            return first
        ready = [worker for worker in others if worker.is_ready_for(who, game)]
        if free := next((worker for worker in ready if not worker.pending_count), None):
            return free
        if cold := next((worker for worker in others if worker not in ready), None):
            cold.warm_up(who, game)
        return first

    def _slow_worker(self, who: str) -> _Worker:
        """Not the first. A bot of others has always the same one, as it may remember."""
        workers = self._workers[1:] or self._workers
        if who != OTHER_JOB and who not in registry.BUILT_IN_BOTS:
            return workers[-1]
        free = [worker for worker in reversed(workers) if not worker.pending_count]
        running = [worker for worker in free if worker.is_started]
        return next(iter(running or free), None) or min(
            workers, key=lambda worker: worker.pending_count
        )

    def close(self) -> None:
        """End the processes, whatever they are thinking about; nobody waits for it any more."""
        self._is_closed = True
        if self.process_count:
            for process in multiprocessing.active_children():
                process.terminate()
            # The threads of the pools end here: an exiting interpreter writes to the pipes that
            # they are about to close.
            for worker in self._workers:
                worker.close(wait=True)


def _is_quick(who: str) -> bool:
    return who in (STATEMENT_JOB, QUICK_JOB) or (
        who in registry.BUILT_IN_BOTS and registry.ANSWER_LIMITS_S.get(who, 0.0) <= QUICK_LIMIT_S
    )


class _Worker:
    """A process that thinks about one thing after the other."""

    def __init__(self, prepare: Callable[[], None]) -> None:
        self._prepare = prepare
        self._pool: ProcessPoolExecutor | None = None
        self._pending_jobs: list[Future[Any]] = []
        self._ready: set[tuple[str, str]] = set()

    @property
    def is_started(self) -> bool:
        return self._pool is not None

    @property
    def pending_count(self) -> int:
        """The number of questions that are not answered yet."""
        self._pending_jobs = [asked for asked in self._pending_jobs if not asked.done()]
        return len(self._pending_jobs)

    def is_ready_for(self, who: str, game: str) -> bool:
        return (who, game) in self._ready

    def warm_up(self, who: str, game: str) -> None:
        """Make it ready, as soon as it has the time."""
        if not self.is_ready_for(who, game):
            self._ready.add((who, game))
            with suppress(BrokenProcessPool):
                self._submit(registry.warm, who, game)

    async def run_job(self, job: Callable[..., T], *asked: Any) -> T:
        pool = self._running_pool()
        try:
            return await asyncio.wrap_future(self._submit(job, *asked))
        except BrokenProcessPool:
            if self._pool is pool:
                self.close()
            raise

    def close(self, *, wait: bool = False) -> None:
        if self._pool:
            self._pool.shutdown(wait=wait, cancel_futures=True)
        self._pool = None
        self._ready.clear()

    def _submit(self, job: Callable[..., T], *asked: Any) -> Future[T]:
        future = self._running_pool().submit(_run_job, job, *asked)
        self._pending_jobs.append(future)
        return future

    def _running_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = process_pool(1, self._prepare)
        return self._pool


def _run_job(job: Callable[..., T], *asked: Any) -> T:
    """In the process of a worker, with the native library if that has come since."""
    take_library()
    return job(*asked)


def prepare_worker(settings: Settings) -> None:
    """Make a process ready for bots. While a library is built for them, they wait for nothing."""
    if settings.prepares_bots:
        answer_at_once()
    admit_guest_bots(settings)


def admit_guest_bots(settings: Settings) -> None:
    """Let in the bots of others, in the server and in their own process, and hear of their ends."""
    if settings.bots:
        configure_logging(settings.log, settings.is_verbose)
        register_guest_bots(settings.bots, say_in(FALLBACK))


def _do_nothing() -> None:
    pass
