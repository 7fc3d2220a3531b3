"""People of all tables: their names, and news of their seats."""

from __future__ import annotations

from collections.abc import Callable, Collection

from kibitz.server.db.queries.accounts import display_names, set_display_name
from kibitz.server.db.store import Store
from kibitz.server.tables.cluster.pubsub import PubSub
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.seating import Member


class DisplayNames:
    """The names that people chose, as far as anybody asked for them."""

    def __init__(self, store: Store, pubsub: PubSub, on_change: Callable[[Member], None]) -> None:
        """`on_change` is called with whoever is shown otherwise from now on."""
        self._store, self._pubsub, self._on_change = store, pubsub, on_change
        self._names: dict[Member, str] = {}
        self._accounts: set[Member] = set()
        """Those who have one."""

    async def display_name(self, member: Member) -> str:
        """The name somebody chose; only who did so is remembered."""
        await self.refresh({member})
        return self._names.get(member, "")

    async def refresh(self, members: Collection[Member]) -> None:
        """Read names that are not known; all of them, where another worker may have new ones."""
        if self._pubsub.is_single_worker:
            members = [each for each in members if each not in self._names]
        before = {each: self._shown_name(each) for each in members}
        known = {each for each in members if each in self._names}
        called = await display_names(self._store, members)
        for gone in known - called.keys():
            self._names.pop(gone, None)
        self._names.update({member: each.name for member, each in called.items()})
        self._accounts -= {*members}
        self._accounts |= {member for member, each in called.items() if each.has_account}
        if not self._pubsub.is_single_worker:
            for member in members:
                if self._shown_name(member) != before[member]:
                    self._on_change(member)

    def _shown_name(self, member: Member) -> tuple[str | None, bool]:
        return self._names.get(member), member in self._accounts

    async def attach_to(self, live: LiveTable) -> None:
        live.names, live.accounts = self._names, self._accounts
        await self.refresh(live.people.all_members)

    async def rename(self, member: Member, name: str) -> None:
        await set_display_name(self._store, member, name)
        self._names[member] = name
        self._announce(member)

    async def reload(self, member: Member) -> None:
        """Read anew who somebody is: they may have an account now, or none any more."""
        self._names.pop(member, None)
        await self.refresh({member})
        self._announce(member)

    def _announce(self, member: Member) -> None:
        self._pubsub.publish("person", member)
        self._on_change(member)


class SeatSubscriptions:
    """Those who want to hear when somebody has another seat."""

    def __init__(self, pubsub: PubSub) -> None:
        self._pubsub = pubsub
        self._subscribers: dict[Member, set[Callable[[], None]]] = {}

    def subscribe(self, member: Member, on_change: Callable[[], None]) -> None:
        """Call it whenever somebody may have another seat, at whatever worker."""
        self._subscribers.setdefault(member, set()).add(on_change)

    def unsubscribe(self, member: Member, on_change: Callable[[], None]) -> None:
        self._subscribers[member].discard(on_change)
        if not self._subscribers[member]:
            del self._subscribers[member]

    def publish(self, members: Collection[Member]) -> None:
        for member in members:
            self.notify(member)
            self._pubsub.publish("seat", member)

    def notify(self, member: Member) -> None:
        """Tell those of this worker."""
        for on_change in tuple(self._subscribers.get(member, ())):
            on_change()
