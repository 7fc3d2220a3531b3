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
from functools import partial
from typing import Any, TypeVar

from kibitz.bots import registry
from kibitz.bots.compilation import use_plain_python
from kibitz.bots.guest_bots import register_guest_bots
from kibitz.bots.pool import process_pool
from kibitz.bots.question import Question
from kibitz.i18n import FALLBACK, say_in
from kibitz.server import metrics
from kibitz.server.bot_preparation import BotPreparation
from kibitz.server.logs import configure_logging
from kibitz.server.settings import Settings

log = logging.getLogger(__name__)
MAX_TRIES = 3
ANSWER_MARGIN_S = 0.15
"""Seconds that an answer needs on its way back."""
QUICK_LIMIT_S = 1.0
"""A bot that may take longer does not think where the quick ones do."""
STATEMENT_JOB, OTHER_JOB = "voice", "work"
"""The names of jobs in which no bot chooses."""
T = TypeVar("T")


class BotPool:
    def __init__(
        self,
        prepare: Callable[[], None] | None = None,
        most: int = 1,
        preparation: BotPreparation | None = None,
    ) -> None:
        """At most so many processes; `prepare` is called in each before any bot thinks there.

        Where there is a `preparation`, bots whose engine it has not compiled yet think as plain
        Python, in as many processes of their own.
        """
        prepare = prepare or _do_nothing
        self._compiled = _WorkerGroup(prepare, most)
        self._plain = _WorkerGroup(partial(_prepare_plain, prepare), most)
        self._preparation = preparation
        self._is_closed = False

    def warm_up(self, game: str, seated: Iterable[str]) -> None:
        """Start what these bots need before they need it: that takes a second or two."""
        for bot in set(seated):
            self._group_for(game).warm_up(bot, game)

    async def hand_over(self, game: str) -> None:
        """Load a game's compiled engine where bots think of it: it is ready once this is done."""
        if self._plain.started_count:
            quick, slow = registry.LEVELS[0], registry.LEVELS[-1]
            await asyncio.gather(*(self._compiled.run_warm(bot, game) for bot in (quick, slow)))

    def close_plain(self) -> None:
        """End the processes that run plain Python, once they have answered: all is compiled."""
        self._plain.retire()

    async def choose_action(self, question: Question) -> str:
        """Return one of the question's texts, by the deadline of its bot."""
        limit = registry.ANSWER_LIMITS_S.get(question.bot)
        if limit is not None:
            question = replace(question, deadline=time.monotonic() + limit - ANSWER_MARGIN_S)
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

    @property
    def process_count(self) -> int:
        """The number of processes that were started."""
        return self._compiled.started_count + self._plain.started_count

    async def _run_with_retries(self, who: str, game: str, job: Callable[..., T], *asked: Any) -> T:
        """Asked again where the process was killed over it."""
        for left in reversed(range(MAX_TRIES)):
            worker = self._group_for(game).worker_for(who, game)
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

    def is_ready(self, game: str) -> bool:
        """True if a game's bots think with compiled code, or nothing will be compiled."""
        return self._preparation is None or self._preparation.is_ready(game)

    def _group_for(self, game: str) -> _WorkerGroup:
        return self._compiled if self.is_ready(game) else self._plain

    def close(self) -> None:
        """End the processes, whatever they are thinking about; nobody waits for it any more."""
        self._is_closed = True
        if self.process_count:
            for process in multiprocessing.active_children():
                process.terminate()
            # The threads of the pools end here: an exiting interpreter writes to the pipes that
            # they are about to close.
            self._compiled.close(wait=True)
            self._plain.close(wait=True)


class _WorkerGroup:
    """Processes that are alike: the first for quick thoughts, the others for slow ones."""

    def __init__(self, prepare: Callable[[], None], most: int) -> None:
        self._workers = [_Worker(prepare) for _ in range(most)]

    @property
    def started_count(self) -> int:
        return sum(worker.is_started for worker in self._workers)

    def warm_up(self, bot: str, game: str) -> None:
        self._workers[0 if _is_quick(bot) else -1].warm_up(bot, game)

    async def run_warm(self, bot: str, game: str) -> None:
        with suppress(BrokenProcessPool):
            worker = self._workers[0 if _is_quick(bot) else -1]
            await worker.run_job(registry.warm, bot, game)

    def worker_for(self, who: str, game: str) -> _Worker:
        return self._quick_worker(who, game) if _is_quick(who) else self._slow_worker(who)

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

    def retire(self) -> None:
        for worker in self._workers:
            worker.retire()

    def close(self, *, wait: bool = False) -> None:
        for worker in self._workers:
            worker.close(wait=wait)


def _is_quick(who: str) -> bool:
    return who == STATEMENT_JOB or (
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

    def retire(self) -> None:
        """Take no more questions; those that were asked are answered."""
        if self._pool:
            self._pool.shutdown(wait=False)
        self._pool = None
        self._ready.clear()

    def close(self, *, wait: bool = False) -> None:
        if self._pool:
            self._pool.shutdown(wait=wait, cancel_futures=True)
        self._pool = None
        self._ready.clear()

    def _submit(self, job: Callable[..., T], *asked: Any) -> Future[T]:
        future = self._running_pool().submit(job, *asked)
        self._pending_jobs.append(future)
        return future

    def _running_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = process_pool(1, self._prepare)
        return self._pool


def admit_guest_bots(settings: Settings) -> None:
    """Let in the bots of others, in the server and in their own process, and hear of their ends."""
    if settings.bots:
        configure_logging(settings.log, settings.is_verbose)
        register_guest_bots(settings.bots, say_in(FALLBACK))


def _prepare_plain(prepare: Callable[[], None]) -> None:
    """Before any kernel is imported in this process."""
    use_plain_python()
    prepare()


def _do_nothing() -> None:
    pass
