"""Building the bots' native library beside a running server, and how far that is.

It is done by a process of its own, which ends with the server. How far it is, is seen in the
folder of compiled code, so it does not matter which of several servers does it.
"""

from __future__ import annotations

import asyncio
import logging
import subprocess
from contextlib import suppress

from kibitz.bots import compilation

log = logging.getLogger(__name__)
POLL_S = 0.5


class BotPreparation:
    def __init__(self, is_wanted: bool = True) -> None:
        """Without `is_wanted` nothing is built: bots run as what is here."""
        self.is_ready = not is_wanted
        """False for as long as bots will soon be better."""
        self.percent: int | None = None
        """The part that is built; None where nothing is being prepared."""
        self.has_begun = asyncio.Event()
        """Set once it is known whether there is anything to do."""
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        is_missing = not self.is_ready and await asyncio.to_thread(compilation.is_library_missing)
        self.percent = 0 if is_missing else None
        self.has_begun.set()
        if is_missing:
            log.info("bots are being prepared")
            await self._build()
            if await asyncio.to_thread(compilation.is_library_missing):
                log.warning("bots could not be prepared: they look less far ahead")
            else:
                log.info("bots are ready")
        self.is_ready = True

    async def _build(self) -> None:
        process = await asyncio.create_subprocess_exec(
            *compilation.COMMAND,
            compilation.BEHIND,
            stdin=subprocess.PIPE,
            creationflags=compilation.LOW_PRIORITY_FLAG,
        )
        try:
            while process.returncode is None:
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), POLL_S)
                self.percent = await asyncio.to_thread(compilation.built_percent)
        finally:
            self.percent = None
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
