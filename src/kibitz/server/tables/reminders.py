"""A house rule: who is reminded of what a player should remember, where a game has that."""

from __future__ import annotations

from kibitz.server.db.queries.memberships import finished_count
from kibitz.server.db.store import Store
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.settings import BOOKKEEPERS, EVERYBODY, NOBODY, Reminded
from kibitz.table.seating import Member

FIRST_MATCHES = 3
"""In so many matches of a game somebody who opens tables is still learning it."""


def is_reminded(live: LiveTable, is_bookkeeper: bool) -> bool:
    """True for a screen that may show what is due. Tables older than the rule showed it."""
    match live.settings.reminders:
        case "nobody":
            return False
        case "bookkeeper":
            return is_bookkeeper
    return True


async def customary_reminders(store: Store, live: LiveTable) -> Reminded | None:
    """The rule of a new table that has not chosen one; None where nothing is to be remembered."""
    game, people = live.game, live.people
    if game.ui.reminders is None:
        return None
    if game.companion is not None:
        return BOOKKEEPERS
    if people.is_full and len(people.all_members) <= 1:
        return EVERYBODY
    return EVERYBODY if await _is_learning(store, game.name, people.host) else NOBODY


async def _is_learning(store: Store, game: str, member: Member) -> bool:
    return await finished_count(store, member, game, FIRST_MATCHES) < FIRST_MATCHES
