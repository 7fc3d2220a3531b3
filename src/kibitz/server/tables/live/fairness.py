"""Matches with others that somebody plays now: nobody is helped in one of them."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeAlias

from kibitz.core.game import SPECTATOR
from kibitz.core.message import Refused
from kibitz.server import wall_clock
from kibitz.server.db.queries.memberships import running_tables_of
from kibitz.server.db.store import Store
from kibitz.server.tables.live_table import AnyGame, LiveTable
from kibitz.table.seating import Member

FindTable: TypeAlias = Callable[[str], Awaitable[LiveTable | None]]

LIVE_S = 3 * 3600.0
"""A match without days for a turn is live for so long after its latest row."""
MAX_TABLES_CHECKED = 300
"""Running tables of one game that somebody has sat at."""


async def matches_with_others(
    store: Store, find: FindTable, member: Member, game: str
) -> AsyncIterator[LiveTable]:
    """The matches of a game that somebody plays with others and that are not over."""
    found = await running_tables_of(store, member, game, MAX_TABLES_CHECKED) if member else ()
    for table_id in found:
        match = None
        with suppress(Refused):  # Its rows cannot be replayed, and nobody plays there.
            match = await find(table_id)
        is_played = match and not match.table.is_over and match.people.seats_of(member)
        if match and is_played and has_begun_with_others(match, member):
            yield match


async def is_playing_with_others(store: Store, find: FindTable, member: Member, game: str) -> bool:
    """True for somebody who plays a live match of a game with others."""
    async for match in matches_with_others(store, find, member, game):
        if is_being_played(match):
            return True
    return False


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


def board_hash(game: AnyGame, state: Any) -> str:
    """A mark of a position less its counters: of the board, and who is to act.

    Nothing hidden goes into it: else whoever guesses it would be told.
    """
    shown = game.notation.write_view(game.rules.view(state, SPECTATOR, ()))
    text = " ".join((game.name, *shown.split(" ")[:2]))
    return hashlib.sha256(text.encode()).hexdigest()
