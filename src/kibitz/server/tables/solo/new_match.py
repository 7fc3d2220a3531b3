"""Another match against bots, with the settings of one that is there."""

from __future__ import annotations

from kibitz.bots.registry import bots_for_game
from kibitz.core.message import message
from kibitz.server.http.errors import HttpError
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.registry import NewTable
from kibitz.server.tables.service import TableService
from kibitz.table.seating import Member


async def another_bot_table(
    service: TableService, live: LiveTable, member: Member, bot: str = ""
) -> str:
    """A fresh table for somebody at the seats they have against bots; its id. Raises HttpError.

    Without a bot it is played against the same ones.
    """
    people = live.people
    mine = people.seats_of(member)
    bots = {seat: seated for seat, seated in people.bots.items() if seat not in people.fill_ins}
    if not mine or not bots or len(mine) + len(bots) != len(live.game.seats):
        raise HttpError(403, message("server.bots-only"))
    if bot and bot not in bots_for_game(live.game.name):
        raise HttpError(400, message("table.no-such-bot"))
    return await service.open_new_table(
        NewTable(
            game=live.stored.game,
            host=member,
            members={seat: [member] for seat in mine},
            bots={seat: bot or seated for seat, seated in bots.items()},
            options=live.game.options,
            settings=live.settings,
            start=live.stored.start,
            is_open=live.stored.is_open,
            is_by_rulebook=True,
        )
    )
