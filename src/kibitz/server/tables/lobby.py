"""The lobby: open tables, and opponents for those who look for one."""

from __future__ import annotations

import secrets

import msgspec
from msgspec import Struct

from kibitz.core.message import Refused, message
from kibitz.games import GAMES
from kibitz.server import wall_clock
from kibitz.server.http.errors import HttpError
from kibitz.server.tables.actions import ActRequest, StaleRequest
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.ratings import refuse_without_account
from kibitz.server.tables.registry import NewTable
from kibitz.server.tables.service import Entropy, TableService
from kibitz.server.tables.settings import ClockSettings, NoClock, TableSettings
from kibitz.table.seating import Member

SEEKER_MAX_ABSENCE_S = 15.0
"""The time that somebody who looks for an opponent may be off the page."""
MAX_LISTED_TABLES = 40
"""The number of open tables that are shown."""
SEEK_LIFETIME_S = 60 * 60
"""For so many seconds somebody's wish for an opponent stands."""


class Seek(Struct, forbid_unknown_fields=True):
    """A member's search for an opponent."""

    game: str
    clock: ClockSettings = NoClock()
    entropy: Entropy = ""
    rated: bool = False
    """True if it is to count for the ladder."""


async def seek_opponent(service: TableService, member: Member, asked: Seek) -> str:
    """A table with somebody who wants the same, or one to wait for them at; its id."""
    if asked.game not in GAMES:
        raise HttpError(400, message("server.no-game", game=asked.game[:60]))
    wish = f"{asked.game} {msgspec.json.encode(asked.clock).decode()}"
    if asked.rated:
        await _refuse_without_account(service, member)
        wish += " rated"
    for table_id in await service.store.seek_table_ids(wish, wall_clock.now() - SEEK_LIFETIME_S):
        live = await service.tables.find_readable(table_id)
        if live is None or not live.people.free_seats:
            continue
        if live.people.seats_of(member) or await _take_seat(service, live, member, asked.entropy):
            return table_id
    seats = GAMES[asked.game].game({}).seats
    new_table = NewTable(
        game=asked.game,
        host=member,
        members={secrets.choice(seats): [member]},
        settings=TableSettings(clock=asked.clock, rated=asked.rated),
        entropy=asked.entropy,
        is_open=True,
        seeking=wish,
    )
    return await service.open_new_table(new_table)


async def _take_seat(service: TableService, live: LiveTable, member: Member, entropy: str) -> bool:
    """Take a seat where somebody waits; False where they have gone."""
    await service.tables.refresh_presence(live)
    waiting, unseen = live.people.playing_seats, live.timer.last_write_at
    absences = [live.presence.seconds_absent(live.people.members[seat], unseen) for seat in waiting]
    if all(seconds > SEEKER_MAX_ABSENCE_S for seconds in absences):
        return False
    seat = live.people.free_seats[0]
    text = f"sit {seat} {entropy}".strip()
    try:
        await service.tables.actions.submit(live, ActRequest(member, seat, [text], live.seq))
    except (Refused, StaleRequest):
        return False
    return True


async def lobby_tables(service: TableService) -> list[LiveTable]:
    """Tables that anybody may find, those with a free seat first."""
    found = []
    for table_id in await service.store.open_table_ids(MAX_LISTED_TABLES):
        live = await service.tables.find_readable(table_id)
        if live is None:
            continue
        if not live.presence.subscribers:
            await service.tables.refresh_presence(live)
        if live.presence.has_viewers or live.table.history:
            found.append(live)
    return sorted(found, key=lambda live: not live.people.free_seats)


async def _refuse_without_account(service: TableService, member: Member) -> None:
    try:
        await refuse_without_account(service.store, {member})
    except Refused as error:
        raise HttpError(400, error.refusal) from None
