"""The changes of one table, one at a time and in the order of their arrival."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable


class ChangeQueue:
    """A lock for those who wait in a task, and a queue for those who leave a function to be called.

    A change that only has to wait for the disk needs no task of its own: it begins at once or when
    those before it are over, and ends with `release`.
    """

    def __init__(self) -> None:
        self._is_taken = False
        self._waiting: deque[Callable[[], None] | asyncio.Future[None]] = deque()

    def is_busy(self) -> bool:
        return self._is_taken

    def begin(self, change: Callable[[], None]) -> bool:
        """True if a change can be made now; else it is made when it is its turn. Whatever comes of
        it, it has to `release`."""
        if self._is_taken:
            self._waiting.append(change)
            return False
        self._is_taken = True
        return True

    def release(self) -> None:
        """End a change; the next one follows."""
        while self._waiting:
            following = self._waiting.popleft()
            if not isinstance(following, asyncio.Future):
                # Not at once: many that are refused would be as many calls inside of one another.
                asyncio.get_running_loop().call_soon(following)
                return
            if not following.done():
                following.set_result(None)
                return
        self._is_taken = False

    async def __aenter__(self) -> None:
        if not self._is_taken:
            self._is_taken = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release()
            raise

    async def __aexit__(self, *error: object) -> None:
        self.release()
