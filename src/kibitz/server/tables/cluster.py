"""The other workers: what they did at tables that are shown here, and who is at them there.

Chance, bots and the clock act at a table through one worker, which has its lease: the one that
wrote the latest row, and where that one has ended, any.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any

from kibitz.server import wall_clock
from kibitz.server.db.store import LEASE_S, Store, StoreError, TableLease
from kibitz.server.tables.chat import Chat
from kibitz.server.tables.live.timer import start_timer
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.people import DisplayNames
from kibitz.server.tables.pubsub import PubSub, PubSubMessage
from kibitz.server.tables.table_cache import TableCache
from kibitz.table.seating import Member
from kibitz.table.table import AnyTable

log = logging.getLogger(__name__)

DEBOUNCE_S = 0.05
"""Those who come to a table within so many seconds of each other are told of at once."""

OVERDUE_S, POLL_S = 1.0, 1.0
"""A table that is due for so long is anyone's; how often a worker looks for such, in seconds."""
CLAIM_BATCH_SIZE = 20
"""So many of them it takes."""


class Leases:
    def __init__(self, store: Store, pubsub: PubSub) -> None:
        self._store, self._pubsub = store, pubsub

    def lease_after(self, live: LiveTable, table: AnyTable) -> TableLease:
        """The lease to write with the latest row; whoever writes goes on, unless a person is to."""
        assert table.people
        due, now = start_timer(table, live.settings.answer).seconds_until_due(), wall_clock.now()
        # Bots among themselves are not waited for.
        wanted = None if due is None or not table.people.all_members else now + due
        is_left = table.is_over or (due != 0.0 and not table.people.bots)
        if self._pubsub.is_single_worker or is_left:
            return TableLease(table.is_over, wanted)
        return TableLease(table.is_over, wanted, self._pubsub.worker, now + LEASE_S)

    async def try_claim(self, live: LiveTable) -> bool:
        """Claim a table; True if it is left to this worker."""
        worker, lease, now = self._pubsub.worker, live.lease, wall_clock.now()
        if self._pubsub.is_single_worker:
            return True
        if lease and lease.claimed_by == worker and (lease.claimed_until or 0) > now + 1:
            return True
        if not await self._store.claim_table(live.id, worker):
            return False
        due = lease.due if lease else None
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
                    await self._store.renew_leases(worker, [each.id for each in own_tables()])
                for table_id in await self._store.claim_due_tables(
                    worker, OVERDUE_S, CLAIM_BATCH_SIZE
                ):
                    take_over(table_id)
            except Exception as error:
                if not isinstance(error, StoreError):  # The store has said so.
                    log.warning("cannot look for tables that are due: %s", error)
            await asyncio.sleep(POLL_S)


class Cluster:
    def __init__(
        self,
        store: Store,
        pubsub: PubSub,
        cache: TableCache,
        names: DisplayNames,
        chat: Chat,
        run_in_background: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._store, self._pubsub, self._cache = store, pubsub, cache
        self._names, self._chat = names, chat
        self._run_in_background = run_in_background
        self._pending_presence: set[str] = set()
        """At which tables others are about to hear who is there."""

    def start(self, on_person: Callable[[Member], None], on_seat: Callable[[Member], None]) -> None:
        """Listen: to what matters where we show it, to changes of somebody and of their seats."""

        def handle_message(news: PubSubMessage) -> None:
            if news.kind == "person":
                on_person(news.about)
            elif news.kind == "seat":
                on_seat(news.about)
            elif (live := self._cache.get(news.about)) and live.presence.subscribers:
                self._catch_up(live, news)

        self._pubsub.start(handle_message)

    def _catch_up(self, live: LiveTable, news: PubSubMessage) -> None:
        if news.kind == "people":
            self._run_in_background(self.refresh_presence(live))
        elif news.kind == "chat":
            self._run_in_background(self._chat.read_new_entries(live))
        elif news.n > live.seq:
            self._run_in_background(self._cache.sync(live))

    async def poll_loop(self, go_on: Callable[[LiveTable], None]) -> None:
        """From time to time see for ourselves what we may not have heard."""
        while True:
            missed = await self._pubsub.wait_for_poll()
            try:
                await self._poll_subscribed_tables(missed)
                for live in self._cache.subscribed_tables:
                    if live.timer.is_servers_turn:
                        go_on(live)
            except StoreError:  # As the store has said.
                continue
            except Exception as error:
                log.warning("cannot look around: %s", error)

    async def _poll_subscribed_tables(self, missed: bool) -> None:
        shown = {live.id: live for live in self._cache.subscribed_tables}
        for table_id, seq in (await self._store.row_counts(shown.keys())).items():
            if shown[table_id].seq < seq:
                await self._cache.sync(shown[table_id])
        await self._chat.poll_tables(shown)
        await self._publish_presence(shown.values())
        elsewhere = await self._pubsub.remote_presence(list(shown))
        for table_id, members in (elsewhere or {}).items():
            shown[table_id].set_remote_members(members)
        if missed:
            everybody = {each for live in shown.values() for each in live.people.all_members}
            await self._names.refresh(everybody)

    # Who is there

    async def refresh_presence(self, live: LiveTable) -> None:
        """Ask who is at a table by another worker."""
        found = await self._pubsub.remote_presence([live.id])
        if found:
            live.set_remote_members(found[live.id])

    def publish_presence_soon(self, live: LiveTable) -> None:
        """Many may come at once."""
        if not self._pubsub.is_single_worker and live.id not in self._pending_presence:
            self._pending_presence.add(live.id)
            self._run_in_background(self._publish_presence_later(live))

    async def _publish_presence_later(self, live: LiveTable) -> None:
        await asyncio.sleep(DEBOUNCE_S)
        self._pending_presence.discard(live.id)
        await self._publish_presence([live])
        self._pubsub.publish("people", live.id)

    async def _publish_presence(self, tables: Iterable[LiveTable]) -> None:
        await self._pubsub.publish_presence(
            {each.id: each.presence.local_members for each in tables}
        )

    async def close(self) -> None:
        """Leave nothing behind that others would wait for."""
        if not self._pubsub.is_single_worker:
            gone = {live.id: () for live in self._cache.subscribed_tables}
            await self._pubsub.publish_presence(gone)
            with suppress(StoreError):
                await self._store.release_leases(self._pubsub.worker)
        await self._pubsub.close()
