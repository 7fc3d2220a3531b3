"""Matches of bots alone: they think behind the bots that people play against."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Collection

from kibitz.bots.question import Question
from kibitz.server.tables.bot_pool import BotPool

MAX_PER_ADDRESS = 2
"""So many matches of bots that one address looks at are in the queue at once."""
THINK_S = 1.0
"""Bots among themselves think for so long at most: whoever asks meanwhile waits no longer."""
BUSY_POLL_S = 0.05


class ExhibitionQueue:
    """One of them thinks at a time, and only while nobody else's bot has to."""

    def __init__(self, bot_pool: BotPool) -> None:
        self._bot_pool, self._lock = bot_pool, asyncio.Lock()
        self._counts: Counter[str] = Counter()
        self._rooms: defaultdict[str, asyncio.Semaphore]
        self._rooms = defaultdict(lambda: asyncio.Semaphore(MAX_PER_ADDRESS))

    async def choose_action(self, question: Question, addresses: Collection[str]) -> str:
        """Return one of the question's texts when its turn has come, which counts for the one of
        the addresses that look at the match with the fewest others."""
        address = min(sorted(addresses), key=self._counts.__getitem__, default="")
        self._counts[address] += 1
        try:
            async with self._rooms[address], self._lock:
                while self._bot_pool.is_busy_for(question.bot):
                    await asyncio.sleep(BUSY_POLL_S)
                return await self._bot_pool.choose_action(question, THINK_S)
        finally:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address], self._rooms[address]
