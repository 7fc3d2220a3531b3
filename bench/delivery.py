"""Many who only look on, at one table: how long it takes until all of them see an action."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter

from line import LiveSocket, connect
from matches import CONNECTIONS_AT_ONCE, Match
from served import Server

TIMEOUT_S = 30.0


async def delivery_seconds(
    server: Server, match: Match, count: int, actions: int
) -> list[list[float]]:
    """For each of so many actions, after how many seconds each spectator had it."""
    heard: list[float] = []

    def hear(text: bytes) -> None:
        heard.append(perf_counter())

    path, lines = f"/t/{match.id}/live?patches=2&is_patched=1", list[LiveSocket]()
    for _ in range(0, count, CONNECTIONS_AT_ONCE):
        coming = min(CONNECTIONS_AT_ONCE, count - len(lines))
        some = (connect(server.host, server.port, path, "", hear) for _ in range(coming))
        lines += await asyncio.gather(*some)
    await _wait_until_quiet(heard)
    found = []
    for _ in range(actions):
        await _wait_until(lambda: match.is_ready)
        heard.clear()
        begin = perf_counter()
        match.act()
        await _wait_until(lambda: len(heard) >= count)
        found.append([at - begin for at in heard[:count]])
        await _wait_until_quiet(heard)
    for line in lines:
        line.disconnect()
    return found


async def _wait_until(holds: Callable[[], bool]) -> None:
    deadline = perf_counter() + TIMEOUT_S
    while not holds():
        if perf_counter() > deadline:
            raise TimeoutError
        await asyncio.sleep(0.001)


async def _wait_until_quiet(heard: list[float]) -> None:
    """Until nothing more comes."""
    before = -1
    while len(heard) != before:
        before = len(heard)
        await asyncio.sleep(0.3)
