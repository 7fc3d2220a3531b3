"""Those who have pages of a table open, at this worker and at others."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from kibitz.table.seating import Member

POLLING_S = 30.0
"""For so long after a look at the table a program that only polls is still there."""


class Subscriber(Protocol):
    """A page that shows the table to someone."""

    @property
    def member(self) -> Member: ...
    @property
    def address(self) -> str:
        """The address that looks; empty where nobody asked."""

    def notify_change(self) -> None:
        """There is something new."""

    def notify_people(self) -> None:
        """Somebody came or went."""

    def notify_chat(self) -> None:
        """Something was said."""


class Presence:
    def __init__(self) -> None:
        self.subscribers: set[Subscriber] = set()
        """The pages of this worker."""
        self._page_counts: Counter[Member] = Counter()
        """The pages of everybody, counted: those who look on may be many."""
        self._remote_members: frozenset[Member] = frozenset()
        """Those who have pages at other workers."""
        self.left_at: dict[Member, float] = {}
        """When the last page of somebody went."""
        self._polled_at: dict[Member, float] = {}
        """When somebody last asked for the table without a page of it."""
        self.opened_at = time.monotonic()

    def add(self, page: Subscriber) -> bool:
        """Count a page; True if its member came with it."""
        came = not self.is_present(page.member)
        self.subscribers.add(page)
        self._page_counts[page.member] += 1
        return came

    def remove(self, page: Subscriber) -> bool:
        """Discount a page; True if its member went with it."""
        self.subscribers.remove(page)
        self._page_counts[page.member] -= 1
        return not self.is_present(page.member)

    def set_remote_members(self, members: frozenset[Member]) -> frozenset[Member]:
        """Replace those who have pages at other workers; those who came there or went."""
        changed = members ^ self._remote_members
        self._remote_members = members
        return changed

    def is_present(self, member: Member) -> bool:
        return self._page_counts.get(member, 0) > 0 or member in self._remote_members

    def mark_polled(self, member: Member) -> None:
        self._polled_at[member] = time.monotonic()

    def can_answer(self, member: Member) -> bool:
        """True for somebody who has a page, or whose program asks for the table every so often."""
        polled_at = self._polled_at.get(member)
        is_polling = polled_at is not None and time.monotonic() - polled_at < POLLING_S
        return is_polling or self.is_present(member)

    @property
    def local_members(self) -> set[Member]:
        """Those who have pages of this worker."""
        return {each for each, pages in self._page_counts.items() if pages}

    @property
    def local_addresses(self) -> set[str]:
        """The addresses that pages of this worker are at."""
        return {page.address for page in self.subscribers}

    @property
    def members(self) -> set[Member]:
        """Those who have pages, of whichever worker."""
        return self.local_members | self._remote_members

    @property
    def has_viewers(self) -> bool:
        return bool(self.subscribers or self._remote_members)

    def mark_active(self, member: Member) -> None:
        """Note that somebody without a page was there until now."""
        if not self.is_present(member):
            self.left_at[member] = time.monotonic()

    def seconds_absent(self, members: Iterable[Member], unseen_since: float | None = None) -> float:
        """For how long none of these has been there; 0 where there is nobody to wait for.

        Who has not been seen here may have been elsewhere until `unseen_since`; until the
        table was opened here, where nothing else is known.
        """
        members = tuple(members)
        if not members or any(map(self.is_present, members)):
            return 0.0
        unseen = self.opened_at if unseen_since is None else unseen_since
        return time.monotonic() - max(self.left_at.get(each, unseen) for each in members)
