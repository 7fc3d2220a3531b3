"""Compiling the bots' engines beside a running server, and how far that is.

It runs in a process of its own, which ends with the server. What it has done is seen in the
folder of compiled code, so it does not matter which of several servers does it.
"""

from __future__ import annotations

import asyncio
import logging
import subprocess
from collections.abc import Awaitable, Callable
from contextlib import suppress

from kibitz.bots import compilation
from kibitz.games import GAMES

log = logging.getLogger(__name__)
POLL_S = 0.5
HandOver = Callable[[str], Awaitable[None]]


class BotPreparation:
    def __init__(self, is_wanted: bool = True) -> None:
        """Without `is_wanted` every game counts as ready: bots compile what they need."""
        self._unready: set[str] = set(GAMES) if is_wanted else set()
        self.percent: int | None = None
        """How much is compiled; None where nothing is being prepared."""
        self.has_begun = asyncio.Event()
        """Set once it is known whether there is anything to do."""
        self._task: asyncio.Task[None] | None = None

    def is_ready(self, game: str) -> bool:
        return game not in self._unready

    def start(self, hand_over: HandOver, finish: Callable[[], None]) -> None:
        """Begin. A game is ready once `hand_over` has loaded it; `finish` is called after all."""
        if self._unready:
            self._task = asyncio.create_task(self._run(hand_over, finish))
        else:
            self.has_begun.set()

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self, hand_over: HandOver, finish: Callable[[], None]) -> None:
        missing = await asyncio.to_thread(compilation.uncompiled_games)
        self._unready &= missing
        self.percent = 0 if missing else None
        self.has_begun.set()
        if not missing:
            return
        log.info("bots are being prepared")
        process = await asyncio.create_subprocess_exec(
            *compilation.COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            creationflags=compilation.LOW_PRIORITY_FLAG,
        )
        try:
            while self._unready and process.returncode is None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), POLL_S)
                await self._look(hand_over)
        finally:
            self.percent = None
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if self._unready:
            log.warning("bots could not be prepared: they look less far ahead")
        else:
            log.info("bots are ready")
            finish()

    async def _look(self, hand_over: HandOver) -> None:
        """See what is compiled by now."""
        self.percent, missing = await asyncio.to_thread(_progress)
        for game in self._unready - missing:
            await hand_over(game)
            self._unready.discard(game)


def _progress() -> tuple[int, frozenset[str]]:
    return compilation.compiled_percent(), compilation.uncompiled_games()
