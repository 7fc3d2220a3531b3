"""Leases of tables: the worker through which chance, bots and the clock act at each.

It is the one that wrote the latest row and, where that one has ended, any.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeGuard

from kibitz.server import wall_clock
from kibitz.server.db.queries import leases
from kibitz.server.db.queries.leases import LEASE_S
from kibitz.server.db.store import Store, StoreError, TableLease
from kibitz.server.tables.cluster.pubsub import PubSub
from kibitz.server.tables.live.timer import unstarted_timer
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.table import AnyTable

log = logging.getLogger(__name__)

OVERDUE_S, POLL_S = 1.0, 1.0
"""A table that is due for so long is anyone's; how often a worker looks for such, in seconds."""
CLAIM_BATCH_SIZE = 20
"""So many of them it takes."""


@dataclass(frozen=True, eq=False)
class Leases:
    _store: Store
    _pubsub: PubSub

    def lease_after(self, live: LiveTable, table: AnyTable) -> TableLease:
        """The lease to write with the latest row; whoever writes goes on, unless a person is to."""
        people, is_over = table.people, table.is_over
        assert people
        due, now = unstarted_timer(table, live.timer.limits).seconds_until_due(), wall_clock.now()
        has_members = people.has_members
        # Bots among themselves are not waited for.
        wanted = None if due is None or not has_members else now + due
        is_waited_for = has_members and not is_over
        if is_waited_for and not self._store.is_shared and _is_early_enough(live.lease, wanted):
            return live.lease
        is_left = is_over or (due != 0.0 and not people.bots)
        if self._pubsub.is_single_worker or is_left:
            return TableLease(is_over, wanted)
        return TableLease(is_over, wanted, self._pubsub.worker, now + LEASE_S)

    async def try_claim(self, live: LiveTable) -> bool:
        """Claim a table; True if it is left to this worker."""
        worker, lease, now = self._pubsub.worker, live.lease, wall_clock.now()
        if self._pubsub.is_single_worker:
            return True
        if lease and lease.claimed_by == worker and (lease.claimed_until or 0) > now + 1:
            return True
        if not await leases.claim_table(self._store, live.id, worker):
            return False
        due = lease.due_at if lease else None
        live.lease = TableLease(live.table.is_over, due, worker, now + LEASE_S)
        return True

    async def loop(
        self, own_tables: Callable[[], Iterable[LiveTable]], take_over: Callable[[str], None]
    ) -> None:
        """Renew the leases of our own tables, and take over those that were left."""
        worker, renewed = self._pubsub.worker, time.monotonic()
        while True:
            try:
                if time.monotonic() > renewed + LEASE_S / 3:
                    renewed = time.monotonic()
                    await leases.renew_leases(
                        self._store, worker, [each.id for each in own_tables()]
                    )
                for table_id in await leases.claim_due_tables(
                    self._store, worker, OVERDUE_S, CLAIM_BATCH_SIZE
                ):
                    take_over(table_id)
            except Exception as error:
                if not isinstance(error, StoreError):  # The store has said so.
                    log.warning("cannot look for tables that are due: %s", error)
            await asyncio.sleep(POLL_S)


def _is_early_enough(lease: TableLease | None, wanted: float | None) -> TypeGuard[TableLease]:
    """True if the one server on a file need not write when to look at a table: it reads that when
    it starts, and to look too early is harmless."""
    if lease is None or lease.is_over:
        return False
    return wanted is None or (lease.due_at is not None and lease.due_at <= wanted)
