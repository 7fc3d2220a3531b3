"""Deadlines of tables, and the time that counts for them: that in which a server was up."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from kibitz.core.message import Refused
from kibitz.server import wall_clock
from kibitz.server.db.queries.leases import clear_due_time
from kibitz.server.db.store import Store, StoreError, StoreUnreachable
from kibitz.server.tables.live_table import LiveTable

log = logging.getLogger(__name__)

RETRY_S = 2.0
"""When to try again what did not work, in seconds."""
HEARTBEAT_S = 10.0
"""Every so many seconds the server writes down that it is up."""


class Uptime:
    """The times in which servers were up: this one, those before it and those beside it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._started_at = wall_clock.now()
        self._earlier: tuple[tuple[float, float], ...] = ()

    async def load(self) -> None:
        """Go on where the server was when it last stopped, in whatever way."""
        self._earlier = await self._wait_for_uptimes()
        wall_clock.WALL_CLOCK.advance_to(max((seen for _, seen in self._earlier), default=0.0))
        self._started_at = wall_clock.now()

    async def _wait_for_uptimes(self) -> tuple[tuple[float, float], ...]:
        """The database may have gone away since it was opened."""
        while True:
            try:
                return await self._store.uptimes()
            except StoreUnreachable as error:
                log.warning("cannot begin yet: %s", error)
                await asyncio.sleep(RETRY_S)

    def seconds_since(self, moment: float) -> float:
        """For how long a server was up since then."""
        total = 0.0
        for started, seen in sorted((*self._earlier, (self._started_at, wall_clock.now()))):
            total += max(0.0, seen - max(started, moment))
            moment = max(moment, seen)
        return total

    async def heartbeat_loop(self) -> None:
        while True:
            try:
                await self._store.write_heartbeat(anew=self._has_clock_jumped())
            except StoreError as error:
                log.error("cannot write down that the server is up: %s", error)
            await asyncio.sleep(HEARTBEAT_S)

    def _has_clock_jumped(self) -> bool:
        """True if the machine slept: that was nobody's time, and no server was up."""
        before, jump = wall_clock.now(), wall_clock.WALL_CLOCK.sync_with_machine()
        if jump:
            self._earlier = (*self._earlier, (self._started_at, before))
            self._started_at = wall_clock.now()
        return bool(jump)


class DueTimes:
    """The times at which to look at tables, by the monotonic clock."""

    def __init__(self) -> None:
        self._due_at: dict[str, float] = {}
        self._changed = asyncio.Event()

    def load(self, due_times: Mapping[str, float]) -> None:
        """Take over what was stored, by the wall clock."""
        behind = time.monotonic() - wall_clock.now()
        self._due_at = {id: due + behind for id, due in due_times.items()}

    def schedule(self, table_id: str, seconds: float | None) -> None:
        """Look at a table in so many seconds, unless somebody acts before; None: when they do."""
        if seconds is None:
            self.forget(table_id)
        else:
            self._due_at[table_id] = time.monotonic() + seconds
            self._changed.set()

    def schedule_retry(self, table_id: str) -> None:
        self._due_at[table_id] = time.monotonic() + RETRY_S

    def forget(self, table_id: str) -> None:
        self._due_at.pop(table_id, None)

    def pop_due(self) -> list[str]:
        now = time.monotonic()
        due = [id for id, due in self._due_at.items() if due <= now]
        for table_id in due:
            del self._due_at[table_id]
        return due

    async def wait(self) -> None:
        """Until a table may be due."""
        self._changed.clear()
        now = time.monotonic()
        wait = min(self._due_at.values(), default=now + HEARTBEAT_S) - now
        with suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), max(0.0, min(wait, HEARTBEAT_S)) + 0.005)


@dataclass(frozen=True, eq=False)
class Deadlines:
    """Looks at tables whose time is up, or where an answer has not come."""

    _store: Store
    _due_times: DueTimes
    _run_in_background: Callable[[Coroutine[Any, Any, None]], None]
    _find_table: Callable[[str], Awaitable[LiveTable | None]]
    _apply_deadlines: Callable[[LiveTable], Awaitable[None]]
    _go_on: Callable[[LiveTable], None]
    """Called with each table that was looked at."""

    async def loop(self) -> None:
        while True:
            for table_id in self._due_times.pop_due():
                self.check_soon(table_id)
            await self._due_times.wait()

    def check_soon(self, table_id: str) -> None:
        self._run_in_background(self._check(table_id))

    async def _check(self, table_id: str) -> None:
        try:
            live = await self._find_table(table_id)
            if live is not None:
                await self._apply_deadlines(live)
                self._go_on(live)
                await self._forget_due_time(live)
        except Refused as error:
            log.warning("table %s cannot be opened: %s", table_id, error.refusal.id)
            await clear_due_time(self._store, table_id)
        except StoreError as error:
            log.warning("table %s waits to be judged: %s", table_id, error)
            self._due_times.schedule_retry(table_id)
        except Exception:
            log.exception("table %s cannot be judged", table_id)
            self._due_times.schedule_retry(table_id)

    async def _forget_due_time(self, live: LiveTable) -> None:
        """Of a table that was looked at too early, when the server started (`Leases`)."""
        is_just_loaded = live.lease is None and not self._store.is_shared
        if is_just_loaded and live.timer.seconds_until_due() is None:
            await clear_due_time(self._store, live.id)
