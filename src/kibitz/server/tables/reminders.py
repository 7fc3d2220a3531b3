"""The custom of a new table: who is reminded of what a player should remember."""

from __future__ import annotations

from kibitz.server.db.queries.memberships import finished_count
from kibitz.server.db.store import Store
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.reminders import BOOKKEEPERS, EVERYBODY, NOBODY, Reminded
from kibitz.table.seating import Member

FIRST_MATCHES = 3
"""In so many matches of a game somebody who opens tables is still learning it."""


async def customary_reminders(store: Store, live: LiveTable) -> Reminded:
    """The rule of a new table that has not chosen one."""
    game, people = live.game, live.people
    if game.ui.reminders is None:
        return NOBODY
    if game.companion is not None:
        return BOOKKEEPERS
    if people.is_full and len(people.all_members) <= 1:
        return EVERYBODY
    return EVERYBODY if await _is_learning(store, game.name, people.host) else NOBODY


async def _is_learning(store: Store, game: str, member: Member) -> bool:
    return await finished_count(store, member, game, FIRST_MATCHES) < FIRST_MATCHES
