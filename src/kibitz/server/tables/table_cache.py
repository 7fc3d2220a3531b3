"""The tables in memory, as their rows are: no table is here twice."""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from anyio import to_thread

from kibitz.core.message import Refused
from kibitz.server import metrics
from kibitz.server.db.store import Store
from kibitz.server.tables.deadlines import DueTimes, Uptime
from kibitz.server.tables.live_table import MAX_CATCH_UP_ROWS, LiveTable
from kibitz.server.tables.people import DisplayNames
from kibitz.table.commands import command_word
from kibitz.table.sealed_dice import SEAL

MAX_IDLE_TABLES = 200
"""So many tables stay in memory though nobody looks."""


@dataclass(eq=False)
class TableCache:
    _store: Store
    _names: DisplayNames
    _uptime: Uptime
    _due_times: DueTimes
    _is_single_worker: bool
    _recent: dict[str, LiveTable] = field(default_factory=dict)
    """Those that stay in memory, the latest used last."""
    _all: WeakValueDictionary[str, LiveTable] = field(default_factory=WeakValueDictionary)
    """Beside them those that somebody is still at work with."""
    _next_sweep: int = field(default_factory=lambda: MAX_IDLE_TABLES)
    """With more tables than that in memory it is time to see which can go."""

    async def find(self, table_id: str) -> LiveTable | None:
        """The table as its rows are now; raises Refused where they cannot be replayed."""
        live = self._all.get(table_id)
        if live is None:
            loaded = await self._load(table_id)
            if loaded is None:
                return None
            live = self._all.setdefault(table_id, loaded)
        else:
            async with live.changes:
                if live.seq != await self._store.row_count(table_id):
                    await self.read_new_rows(live)
            if not self._is_single_worker:
                await self._names.attach_to(live)
        self._keep(live)
        return live

    async def add(self, live: LiveTable) -> None:
        await self._names.attach_to(live)
        self._keep(live)

    def get(self, table_id: str) -> LiveTable | None:
        """The table as it is in memory, if it is."""
        return self._all.get(table_id)

    @property
    def tables(self) -> list[LiveTable]:
        return list(self._all.values())

    @property
    def subscribed_tables(self) -> list[LiveTable]:
        return [live for live in self.tables if live.presence.subscribers]

    @property
    def autoplaying_tables(self) -> list[LiveTable]:
        return [live for live in self.tables if live.is_autoplaying]

    async def sync(self, live: LiveTable) -> None:
        async with live.changes:
            await self.read_new_rows(live)

    async def read_new_rows(self, live: LiveTable) -> None:
        """Within its changes."""
        rows, people = await self._store.rows(live.id, live.seq), live.people
        if not rows:
            return
        has_new_envelope = any(command_word(row.text) == SEAL for row in rows)
        try:
            if len(rows) > MAX_CATCH_UP_ROWS or has_new_envelope:
                await self._reload(live)
            else:
                live.apply_stored_rows(rows, self._uptime.seconds_since(rows[-1].at))
        except Refused:
            await self._reload(live)
        self._due_times.forget(live.id)
        if live.people is not people:
            await self._names.attach_to(live)

    async def _load(self, table_id: str) -> LiveTable | None:
        stored = await self._store.table(table_id)
        if stored is None:
            return None
        rows = await self._store.rows(table_id)
        since = self._uptime.seconds_since(rows[-1].at if rows else stored.created_at)
        live = await to_thread.run_sync(LiveTable, stored, rows, since)
        await self._names.attach_to(live)
        return live

    async def _reload(self, live: LiveTable) -> None:
        if fresh := await self._load(live.id):
            live.reload_from(fresh)

    def _keep(self, live: LiveTable) -> None:
        self._recent.pop(live.id, None)
        self._recent[live.id] = self._all[live.id] = live
        metrics.TABLES.set(len(self._recent))
        if len(self._recent) <= self._next_sweep:
            return
        idle = [id for id, each in self._recent.items() if each is not live and _is_idle(each)]
        for id in idle[: max(0, len(idle) - MAX_IDLE_TABLES)]:
            del self._recent[id]
        self._next_sweep = max(MAX_IDLE_TABLES, len(self._recent) + MAX_IDLE_TABLES // 4)


def _is_idle(live: LiveTable) -> bool:
    return not (live.presence.subscribers or live.is_autoplaying or live.changes.is_busy())
