"""All that is kept of somebody, for them to take along."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from kibitz.core.record import write_record
from kibitz.server.accounts.accounts import Accounts
from kibitz.server.db.queries.accounts import Account
from kibitz.server.db.queries.chat import messages_by
from kibitz.server.db.queries.memberships import tables_of
from kibitz.server.db.queries.puzzles import all_attempts_of, puzzle_ratings_of
from kibitz.server.db.queries.ratings import ratings_of
from kibitz.server.db.store import StoredTable
from kibitz.server.tables.records import record_of
from kibitz.server.tables.service import TableService
from kibitz.table.seating import Member

MAX_TABLES = 100_000
"""Tables of one person."""


async def export_account(
    service: TableService, accounts: Accounts, member: Member, account: Account | None
) -> AsyncIterator[str]:
    """One JSON object, piece by piece: somebody may have played a lot. A guest has no account."""
    name = await service.tables.display_name(member)
    yield "{\n" + ",\n".join(
        f"{_json(name)}: {_json(value)}"
        for name, value in (
            ("account", _account_data(account) if account else {"name": name}),
            ("ratings", await _rating_data(service, member)),
            ("puzzles", await _puzzle_data(service, member)),
            ("tokens", await _token_data(accounts, member)),
            ("chat", await messages_by(service.store, member)),
        )
    )
    yield ',\n"tables": ['
    comma = "\n"
    for stored in await tables_of(service.store, member, MAX_TABLES):
        yield comma + await _table_json(service, stored, member)
        comma = ",\n"
    yield "\n]\n}\n"


def _account_data(account: Account) -> dict[str, Any]:
    return {
        "name": account.display_name,
        "created": account.created_at,
        "language": account.language,
        "email": account.email,
        "email_confirmed": account.confirmed_at,
        "mail_about_turns": account.mail_digest,
    }


async def _rating_data(service: TableService, member: Member) -> dict[str, Any]:
    return {
        game: {**rating._asdict(), "shown": rating.points, "last_played": at}
        for game, (rating, at) in (await ratings_of(service.store, member)).items()
    }


async def _puzzle_data(service: TableService, member: Member) -> dict[str, Any]:
    found = await puzzle_ratings_of(service.store, member)
    return {
        "ratings": {
            game: {**rating._asdict(), "shown": rating.points} for game, rating in found.items()
        },
        "attempts": await all_attempts_of(service.store, member),
    }


async def _token_data(accounts: Accounts, member: Member) -> list[dict[str, Any]]:
    found = [*await accounts.tokens(member, "device"), *await accounts.tokens(member, "bot")]
    return [each._asdict() for each in found]


async def _table_json(service: TableService, stored: StoredTable, member: Member) -> str:
    """The record as they may see it now; none where it can no longer be replayed."""
    live = await service.tables.find_readable(stored.id)
    known = {"id": stored.id, "game": stored.game, "created": stored.created_at}
    if live is None:
        return _json(known)
    known |= {"seats": live.people.seats_of(member), "over": live.table.is_over}
    return _json(known)[:-1] + f', "record": {write_record(record_of(live, member))}}}'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
