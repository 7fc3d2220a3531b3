"""Bots think in a process of their own, so that no page waits for them."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from kibitz import bots
from kibitz.bots.processes import pool_of
from kibitz.bots.visiting import admit
from kibitz.server.logs import set_up
from kibitz.server.settings import Settings
from kibitz.words import FALLBACK, say_in

log = logging.getLogger(__name__)
TRIES = 3
T = TypeVar("T")


class Thinker:
    def __init__(self, prepare: Callable[[], None] | None = None) -> None:
        """`prepare` is called in the process before any bot thinks there."""
        self._prepare = prepare or _nothing
        self._pool: ProcessPoolExecutor | None = None

    def warm_up(self) -> None:
        """Start the process before it is needed: that takes a second."""
        if self._pool is None:
            self._started().submit(_nothing)

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
        asked = (bot, game, dict(options), view, seat, tuple(texts), secrets.randbits(63), match)
        return await self._asked(bots.choose, *asked)

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
        return await self._asked(bots.speak, *asked)

    async def _asked(self, think: Callable[..., T], *asked: Any) -> T:
        """Asked again where the process was killed over it."""
        for left in reversed(range(TRIES)):
            pool = self._started()
            try:
                return await asyncio.wrap_future(pool.submit(think, *asked))
            except BrokenProcessPool:
                log.warning("the bots' process ended while %s was thinking", asked[0])
                if self._pool is pool:
                    self._pool = None
                if not left:
                    raise
        raise AssertionError

    def close(self) -> None:
        """Nobody waits for a thought any more."""
        if self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            self._pool = None

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
