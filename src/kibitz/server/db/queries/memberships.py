"""Memberships: the tables of a member, and the role in which they came to each."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sql

from kibitz.server import wall_clock
from kibitz.server.db.engine import dialect_insert
from kibitz.server.db.schema import GAME_TABLE, LOG_ROW, MEMBERSHIP
from kibitz.server.db.store import (
    TABLE_COLUMNS,
    Store,
    StoredTable,
    membership_values,
    stored_table,
    upsert_membership,
)


async def add_membership(store: Store, table_id: str, member: str, role: str) -> None:
    """Let a member look at a table from now on, without a seat."""
    visit = membership_values(table_id, member, role, wall_clock.now())
    await store.write(lambda connection: upsert_membership(connection, visit))


async def copy_memberships(store: Store, guest: str, member: str) -> tuple[str, ...]:
    """Give a member all tables of a guest; return the ids of those still played."""
    columns = MEMBERSHIP.c.table_id, MEMBERSHIP.c.role, GAME_TABLE.c.is_over
    query = sql.select(*columns).join(GAME_TABLE).where(MEMBERSHIP.c.member == guest)
    found = await store.read(query)
    now = wall_clock.now()

    def write(connection: sql.Connection) -> None:
        for table_id, role, _ in found:
            visit = membership_values(table_id, member, role, now)
            if role == "seat":
                upsert_membership(connection, visit)
            else:
                connection.execute(
                    dialect_insert(connection, MEMBERSHIP).on_conflict_do_nothing(), visit
                )

    await store.write(write)
    return tuple(entry.table_id for entry in found if not entry.is_over)


async def role_of(store: Store, table_id: str, member: str) -> str | None:
    """The role in which a member came to a table; None if never."""
    wanted = (MEMBERSHIP.c.table_id == table_id) & (MEMBERSHIP.c.member == member)
    found = await store.read(sql.select(MEMBERSHIP.c.role).where(wanted))
    return found[0][0] if found else None


async def members_of(store: Store, table_id: str) -> set[str]:
    """All who ever came to a table."""
    query = sql.select(MEMBERSHIP.c.member).where(MEMBERSHIP.c.table_id == table_id)
    return {each[0] for each in await store.read(query)}


async def has_running_board(store: Store, board_hash: str) -> bool:
    """True if a board stands at a rated match that goes on."""
    wanted = (GAME_TABLE.c.board_hash == board_hash) & ~GAME_TABLE.c.is_over
    return bool(await store.read(sql.select(GAME_TABLE.c.id).where(wanted).limit(1)))


async def running_tables_of(store: Store, member: str, game: str, most: int) -> tuple[str, ...]:
    """The ids of tables of a game that are not over and at which a member has had a seat, the
    latest opened first."""
    wanted = (
        (MEMBERSHIP.c.member == member)
        & (MEMBERSHIP.c.role == "seat")
        & (GAME_TABLE.c.game == game)
        & ~GAME_TABLE.c.is_over
    )
    query = (
        sql.select(GAME_TABLE.c.id)
        .select_from(GAME_TABLE.join(MEMBERSHIP))
        .where(wanted)
        .order_by(GAME_TABLE.c.created_at.desc())
        .limit(most)
    )
    return tuple(entry[0] for entry in await store.read(query))


async def tables_of(store: Store, member: str, most: int) -> tuple[StoredTable, ...]:
    """The tables at which a member has a seat or is the host, the latest used first."""
    used = sql.func.coalesce(sql.func.max(LOG_ROW.c.at), GAME_TABLE.c.created_at)
    query = (
        sql.select(*TABLE_COLUMNS)
        .select_from(
            GAME_TABLE.join(MEMBERSHIP).outerjoin(LOG_ROW, LOG_ROW.c.table_id == GAME_TABLE.c.id)
        )
        .where((MEMBERSHIP.c.member == member) & (MEMBERSHIP.c.role == "seat"))
        .group_by(GAME_TABLE.c.id)
        .order_by(used.desc())
        .limit(most)
    )
    return tuple(stored_table(entry) for entry in await store.read(query))


async def running_table_ids(store: Store, member: str, most: int) -> tuple[str, ...]:
    """The ids of tables that go on where somebody has a seat, the latest opened first."""
    query = (
        _seated_tables(sql.select(GAME_TABLE.c.id), member).where(~GAME_TABLE.c.is_over).limit(most)
    )
    return tuple(entry[0] for entry in await store.read(query))


async def finished_tables_of(
    store: Store, member: str, most: int, before: tuple[float, str] | None = None
) -> tuple[StoredTable, ...]:
    """A member's tables that are over, from the one after `before` on: when it opened, its
    id."""
    query = (
        _seated_tables(sql.select(*TABLE_COLUMNS), member).where(GAME_TABLE.c.is_over).limit(most)
    )
    if before:
        query = query.where(sql.tuple_(GAME_TABLE.c.created_at, GAME_TABLE.c.id) < before)
    return tuple(stored_table(entry) for entry in await store.read(query))


async def finished_count(store: Store, member: str, game: str, most: int) -> int:
    """The number of matches of a game that somebody has finished, counted up to `most`."""
    finished = (GAME_TABLE.c.game == game) & GAME_TABLE.c.is_over
    query = _seated_tables(sql.select(GAME_TABLE.c.id), member).where(finished).limit(most)
    return len(await store.read(query))


def _seated_tables(query: sql.Select[Any], member: str) -> sql.Select[Any]:
    """Of tables, those where somebody has a seat, the latest opened first."""
    seated = (MEMBERSHIP.c.member == member) & (MEMBERSHIP.c.role == "seat")
    latest = GAME_TABLE.c.created_at.desc(), GAME_TABLE.c.id.desc()
    return query.select_from(GAME_TABLE.join(MEMBERSHIP)).where(seated).order_by(*latest)
