"""All that is kept of somebody with an account, for them to take along."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import sqlalchemy as sql

from kibitz.core.message import Refused
from kibitz.core.record import write_record
from kibitz.server.accounts.accounts import Account, Accounts
from kibitz.server.db.schema import CHAT
from kibitz.server.db.store import StoredTable
from kibitz.server.tables.ratings import ratings_of
from kibitz.server.tables.service import Desk, record_of
from kibitz.table.seating import Member

MOST = 100_000
"""Tables of one person."""


async def export(desk: Desk, accounts: Accounts, account: Account) -> AsyncIterator[str]:
    """One JSON object, piece by piece: somebody may have played a lot."""
    member = account.member
    yield "{\n" + ",\n".join(
        f"{_json(name)}: {_json(value)}"
        for name, value in (
            ("account", _account(account)),
            ("ratings", await _ratings(desk, member)),
            ("tokens", await _tokens(accounts, member)),
            ("said", await _said(desk, member)),
        )
    )
    yield ',\n"tables": ['
    comma = "\n"
    for stored in await desk.store.tables_of(member, MOST):
        yield comma + await _table(desk, stored, member)
        comma = ",\n"
    yield "\n]\n}\n"


def _account(account: Account) -> dict[str, Any]:
    return {
        "name": account.shown,
        "created": account.created,
        "language": account.language,
        "email": account.email,
        "email_confirmed": account.confirmed,
        "mail_about_turns": account.digest,
    }


async def _ratings(desk: Desk, member: Member) -> dict[str, Any]:
    return {
        game: {**rating._asdict(), "shown": rating.shown, "last_played": at}
        for game, (rating, at) in (await ratings_of(desk.store, member)).items()
    }


async def _tokens(accounts: Accounts, member: Member) -> list[dict[str, Any]]:
    found = [*await accounts.tokens(member, "device"), *await accounts.tokens(member, "bot")]
    return [each._asdict() for each in found]


async def _said(desk: Desk, member: Member) -> list[dict[str, Any]]:
    query = (
        sql.select(CHAT.c.table_id, CHAT.c.room, CHAT.c.text, CHAT.c.at)
        .where((CHAT.c.member == member) & (CHAT.c.kind == "say"))
        .order_by(CHAT.c.at)
    )
    return [dict(entry._mapping) for entry in await desk.store.read(query)]


async def _table(desk: Desk, stored: StoredTable, member: Member) -> str:
    """The record as they may see it now; none where it can no longer be replayed."""
    try:
        live = await desk.tables.find(stored.id)
    except Refused:
        live = None
    known = {"id": stored.id, "game": stored.game, "created": stored.created}
    if live is None:
        return _json(known)
    known |= {"seats": live.people.seats_of(member), "over": live.table.is_over}
    return _json(known)[:-1] + f', "record": {write_record(record_of(live, member))}}}'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
