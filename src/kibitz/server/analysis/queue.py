"""Room for what takes a while: so much from one address, and so much in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from kibitz.core.message import message
from kibitz.server.http.errors import HttpError

RETRY_S = 2.0
"""When to come again where there is no room, in seconds."""


def too_busy() -> HttpError:
    return HttpError(429, message("server.too-fast", seconds=int(RETRY_S)), RETRY_S, "analysis")


class WaitingQueue:
    def __init__(self, most_per_address: int, most: int) -> None:
        self._most_per_address, self._most = most_per_address, most
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def wait_in_line(self, address: str) -> Iterator[None]:
        """Be counted as long as it takes; raises HttpError where there is no room."""
        if self._waiting[address] >= self._most_per_address or self._waiting.total() >= self._most:
            raise too_busy()
        self._waiting[address] += 1
        try:
            yield
        finally:
            self._waiting[address] -= 1
            self._waiting += Counter()  # Those at zero are forgotten.
