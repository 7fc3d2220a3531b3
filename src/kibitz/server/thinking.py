"""Bots think in a process of their own, so that no page waits for them."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import secrets
import signal
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import Thread
from typing import Any, TypeVar

from kibitz import bots

log = logging.getLogger(__name__)
TRIES = 3
T = TypeVar("T")


class Thinker:
    def __init__(self) -> None:
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
    ) -> str:
        """One of `texts`."""
        asked = (bot, game, dict(options), view, seat, tuple(texts), secrets.randbits(63))
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
            # Forking a process with threads and sockets would hand both on.
            spawning = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=spawning, initializer=_begin)
        return self._pool


def _begin() -> None:
    """Leave Ctrl-C to the server, and end when it does, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    server = multiprocessing.parent_process()
    if server:
        server.join()
        os._exit(0)


def _nothing() -> None:
    pass
