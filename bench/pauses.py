"""The longest pause of a server with many tables, in this process: for garbage, or for anything.

    .venv/bin/python bench/pauses.py [GAME] [TABLES]

Tables are played one after the other with a page for each of two people, and connections come and
go, as they leave cyclic garbage behind. A pause is the time in which the event loop does nothing
else; one for garbage is what Python's collector says.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

from kibitz.server import garbage
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.registry import LiveTables

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from support.function_calls import UnwrittenStore, open_counted_table

PEOPLE, ROUNDS = 2, 2
"""People at each table, and actions at each."""
TICK_S = 0.001
CONNECTIONS = 2000
"""Connections that end while it is played."""
QUIET_S = 3.0
"""Afterwards nobody acts for so long."""
MAX_SECONDS = 45.0


class Pauses(NamedTuple):
    """In seconds."""

    collecting_in_play: float
    """The longest collection while tables are opened and played, of the CPU's time."""
    longest_in_play: float
    """The longest time for which the loop was busy with one thing; other processes may be in it."""
    collecting_at_rest: float
    """The longest collection while nobody does anything."""
    collections: int


class PauseMeter:
    """Watches the collector and the event loop."""

    def __init__(self) -> None:
        self.collecting_s = self.longest_s = 0.0
        self.collections = 0
        self._began_at = 0.0
        gc.callbacks.append(self._watch_collector)

    def _watch_collector(self, phase: str, about: dict[str, int]) -> None:
        if phase == "start":
            self._began_at = time.thread_time()
        else:
            self.collections += 1
            self.collecting_s = max(self.collecting_s, time.thread_time() - self._began_at)

    async def watch_loop(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(TICK_S)
            self.longest_s = max(self.longest_s, time.perf_counter() - began - TICK_S)

    def reset(self) -> None:
        self.collecting_s = self.longest_s = 0.0


class EndedConnection:
    """Something that refers to itself, as connections of a server do."""

    def __init__(self) -> None:
        self.itself, self.buffers = self, [bytearray(64) for _ in range(60)]


def measure_pauses(game: str, tables: int) -> Pauses:
    with TemporaryDirectory(prefix="kibitz-pauses-") as folder:
        store = UnwrittenStore(f"sqlite:///{Path(folder) / 'kibitz.db'}")
        try:
            return asyncio.run(_measure_pauses(store, game, tables))
        finally:
            store.close()


async def _measure_pauses(store: UnwrittenStore, game: str, count: int) -> Pauses:
    began = time.perf_counter()
    tables = LiveTables(store, cast(BotPool, None))
    tables._autoplay = cast(Any, _NoAutoplay())
    garbage.tune_interpreter()
    meter = PauseMeter()
    tasks = [asyncio.create_task(work) for work in (garbage.collect_garbage(), meter.watch_loop())]
    found = []
    for number in range(count):
        each = open_counted_table(game, {}, PEOPLE, number)
        each.profile = cast(Any, _NoProfile())
        for page in each.pages:
            tables.subscribe(each.live, page)
            page.pending_messages()
        found.append(each)
        await asyncio.sleep(0)
    for number in range(ROUNDS * count):
        each = found[number % count]
        if not each.live.table.is_over:
            await each.act(tables)
        if number % ROUNDS == 0 and number // ROUNDS < CONNECTIONS:
            EndedConnection()
        await asyncio.sleep(0)
        if time.perf_counter() - began > MAX_SECONDS:
            break
    in_play = meter.collecting_s, meter.longest_s
    meter.reset()
    await asyncio.sleep(QUIET_S)
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    return Pauses(*in_play, meter.collecting_s, meter.collections)


class _NoAutoplay:
    """Nobody plays by itself here."""

    def start(self, live: object) -> None: ...


class _NoProfile:
    """Nothing is counted here."""

    def enable(self) -> None: ...
    def disable(self) -> None: ...


def main() -> None:
    game = sys.argv[1] if len(sys.argv) > 1 else "kalamala"
    tables = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    print(json.dumps(measure_pauses(game, tables)._asdict()))


if __name__ == "__main__":
    main()
