"""Bots think in processes of their own, so that no page waits for them, nor one bot for another.

The first process is for quick thoughts, the others are for those that take seconds, and for quick
ones while nothing else is to be thought about there. Each starts when it is needed.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, TypeVar

from kibitz.bots import registry
from kibitz.bots.guest_bots import admit
from kibitz.bots.pool import pool_of
from kibitz.i18n import FALLBACK, say_in
from kibitz.server import metrics
from kibitz.server.logs import set_up
from kibitz.server.settings import Settings

log = logging.getLogger(__name__)
TRIES = 3
BEFORE = 0.15
"""Seconds that an answer needs on its way back."""
QUICK = 1.0
"""Who may take longer does not think where the quick ones do."""
VOICE, WORK = "voice", "work"
"""Who asks where no bot chooses."""
T = TypeVar("T")


class Thinker:
    def __init__(self, prepare: Callable[[], None] | None = None, most: int = 1) -> None:
        """At most so many processes; `prepare` is called in each before any bot thinks there."""
        self._chairs = [_Chair(prepare or _nothing) for _ in range(most)]

    def warm_up(self, game: str, seated: Iterable[str]) -> None:
        """Start what these bots need before they need it: that takes a second or two."""
        for bot in set(seated):
            self._chairs[0 if _is_quick(bot) else -1].warm(bot, game)

    async def choose(
        self,
        bot: str,
        game: str,
        options: Mapping[str, Any],
        view: Any,
        seat: str,
        texts: Sequence[str],
        match: str = "",
    ) -> str:
        """One of `texts`."""
        limit = registry.LIMITS.get(bot)
        due = None if limit is None else time.monotonic() + limit - BEFORE
        asked = (dict(options), view, seat, tuple(texts), secrets.randbits(63), match, due)
        return await self._asked(bot, game, registry.choose, bot, game, *asked)

    async def speak(
        self,
        bot: str,
        game: str,
        options: Mapping[str, Any],
        view: Any,
        seat: str,
        texts: Sequence[str],
    ) -> str | None:
        """One of `texts`, which may be said whoever's turn it is, or nothing."""
        asked = (bot, game, dict(options), view, seat, tuple(texts), secrets.randbits(63))
        return await self._asked(VOICE, game, registry.speak, *asked)

    async def work(self, think: Callable[..., T], *asked: Any) -> T:
        """Anything else that is better thought about there. All of it has to travel."""
        return await self._asked(WORK, "", think, *asked)

    @property
    def started(self) -> int:
        """How many processes there are."""
        return sum(chair.is_started for chair in self._chairs)

    async def _asked(self, who: str, game: str, think: Callable[..., T], *asked: Any) -> T:
        """Asked again where the process was killed over it."""
        for left in reversed(range(TRIES)):
            chair = self._for_quick(who, game) if _is_quick(who) else self._for_slow(who)
            metrics.QUEUE.count(1)
            try:
                with metrics.Timer(metrics.THINKING):
                    return await chair.ask(think, *asked)
            except BrokenProcessPool:
                log.warning("the bots' process ended while %s was thinking", who)
                if not left:
                    raise
            finally:
                metrics.QUEUE.count(-1)
        raise AssertionError

    def _for_quick(self, who: str, game: str) -> _Chair:
        """The first, else one that is free and ready; else the next one is made so meanwhile."""
        first, *others = self._chairs
        if not first.waiting:
            return first
        ready = [chair for chair in others if chair.is_ready_for(who, game)]
        if free := next((chair for chair in ready if not chair.waiting), None):
            return free
        if cold := next((chair for chair in others if chair not in ready), None):
            cold.warm(who, game)
        return first

    def _for_slow(self, who: str) -> _Chair:
        """Not the first. A bot of others has always the same one, as it may remember."""
        chairs = self._chairs[1:] or self._chairs
        if who != WORK and who not in registry.OURS:
            return chairs[-1]
        free = [chair for chair in reversed(chairs) if not chair.waiting]
        running = [chair for chair in free if chair.is_started]
        return next(iter(running or free), None) or min(chairs, key=lambda chair: chair.waiting)

    def close(self) -> None:
        """Nobody waits for a thought any more."""
        if self.started:
            for chair in self._chairs:
                chair.close()
            for process in multiprocessing.active_children():
                process.terminate()


def _is_quick(who: str) -> bool:
    return who == VOICE or (who in registry.OURS and registry.LIMITS.get(who, 0.0) <= QUICK)


class _Chair:
    """A process that thinks about one thing after the other."""

    def __init__(self, prepare: Callable[[], None]) -> None:
        self._prepare = prepare
        self._pool: ProcessPoolExecutor | None = None
        self._asked: list[Future[Any]] = []
        self._ready: set[tuple[str, str]] = set()

    @property
    def is_started(self) -> bool:
        return self._pool is not None

    @property
    def waiting(self) -> int:
        """How much is asked and not answered."""
        self._asked = [asked for asked in self._asked if not asked.done()]
        return len(self._asked)

    def is_ready_for(self, who: str, game: str) -> bool:
        return (who, game) in self._ready

    def warm(self, who: str, game: str) -> None:
        """Make it ready, as soon as it has the time."""
        if not self.is_ready_for(who, game):
            self._ready.add((who, game))
            with suppress(BrokenProcessPool):
                self._submit(registry.warm, who, game)

    async def ask(self, think: Callable[..., T], *asked: Any) -> T:
        pool = self._started()
        try:
            return await asyncio.wrap_future(self._submit(think, *asked))
        except BrokenProcessPool:
            if self._pool is pool:
                self.close()
            raise

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None
        self._ready.clear()

    def _submit(self, think: Callable[..., T], *asked: Any) -> Future[T]:
        future = self._started().submit(think, *asked)
        self._asked.append(future)
        return future

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = pool_of(1, self._prepare)
        return self._pool


def visit(settings: Settings) -> None:
    """Let in the bots of others, in the server and in their own process, and hear of their ends."""
    if settings.bots:
        set_up(settings.log, settings.tells_more)
        admit(settings.bots, say_in(FALLBACK))


def _nothing() -> None:
    pass
