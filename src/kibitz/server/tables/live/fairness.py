"""Matches with others that somebody plays now: nobody is helped in one of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from kibitz.server import wall_clock
from kibitz.server.db.queries.memberships import running_tables_of
from kibitz.server.tables.live_table import AnyGame, LiveTable
from kibitz.table.seating import Member

if TYPE_CHECKING:
    from kibitz.server.tables.service import TableService

LIVE_S = 3 * 3600.0
"""A match without days for a turn is live for so long after its latest row."""
MAX_TABLES_CHECKED = 300
"""Running tables of one game that somebody has sat at."""


async def matches_with_others(
    tables: TableService, member: Member, game: str
) -> AsyncIterator[LiveTable]:
    """The matches of a game that somebody plays with others and that are not over."""
    found = await running_tables_of(tables.store, member, game, MAX_TABLES_CHECKED)
    for table_id in found if member else ():
        match = await tables.tables.find_readable(table_id)
        is_played = match and not match.table.is_over and match.people.seats_of(member)
        if match and is_played and has_begun_with_others(match, member):
            yield match


def has_begun_with_others(match: LiveTable, member: Member) -> bool:
    others = {each for members in match.people.members.values() for each in members} - {member}
    return match.table.has_begun and bool(others)


def is_being_played(match: LiveTable) -> bool:
    """True if it is being played, and not by somebody who has days for a turn."""
    clock, rows = match.table.clock, match.table.rows
    if match.table.is_adjourned or (clock and clock.control.is_per_turn):
        return False
    latest = match.stored.created_at + (rows[-1].at if rows else 0.0)
    return wall_clock.now() - latest < LIVE_S


def board_key(game: AnyGame, state: Any) -> tuple[str, ...]:
    """A position less its counters: the board, and who is to act."""
    return game.name, *game.notation.write_state(state).split(" ")[:2]
