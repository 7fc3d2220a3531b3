"""The other workers: what they did at tables that are shown here, and who is at them there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from kibitz.server.db.queries import leases
from kibitz.server.db.store import Store, StoreError
from kibitz.server.tables.chat import Chat
from kibitz.server.tables.cluster.pubsub import PubSub, PubSubMessage
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.people import DisplayNames
from kibitz.server.tables.table_cache import TableCache
from kibitz.table.seating import Member

log = logging.getLogger(__name__)

DEBOUNCE_S = 0.05
"""Those who come to a table within so many seconds of each other are told of at once."""


async def refresh_presence(pubsub: PubSub, live: LiveTable) -> None:
    """Ask who is at a table by another worker."""
    found = await pubsub.remote_presence([live.id])
    if found:
        live.set_remote_members(found[live.id])


@dataclass(frozen=True, eq=False)
class Cluster:
    _store: Store
    _pubsub: PubSub
    _cache: TableCache
    _names: DisplayNames
    _chat: Chat
    _run_in_background: Callable[[Coroutine[Any, Any, None]], None]
    _pending_presence: set[str] = field(default_factory=set)
    """At which tables others are about to hear who is there."""

    def start(
        self,
        on_person: Callable[[Member], None],
        on_seat: Callable[[Member], None],
        on_limit: Callable[[str, int], None],
    ) -> None:
        """Listen: to what matters where we show it, to changes of somebody and of their seats, and
        to what was counted elsewhere."""

        def handle_message(news: PubSubMessage) -> None:
            if news.kind == "person":
                on_person(news.about)
            elif news.kind == "seat":
                on_seat(news.about)
            elif news.kind == "limit":
                on_limit(news.about, news.n)
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
        await refresh_presence(self._pubsub, live)

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
                await leases.release_leases(self._store, self._pubsub.worker)
        await self._pubsub.close()
