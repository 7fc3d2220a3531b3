"""Deletion of data that nobody needs any more: old guests, aborted tables, old visits."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from typing import NamedTuple

import sqlalchemy as sql

from kibitz.core.message import Refused, message
from kibitz.server.db.connect import (
    database_url,
    open_migrated_engine,
    refuse_missing_database,
    write_transaction,
)
from kibitz.server.db.schema import ACCOUNT, CHAT, GAME_TABLE, GUEST, LOG_ROW, MEMBERSHIP, METADATA
from kibitz.server.db.store import BANNED_ROLE
from kibitz.server.settings import Settings

DAY_S = 24 * 60 * 60.0
ABORT = "abort"


class _CountedOnly(Exception):
    """Nothing is to be deleted after all."""


class TidyResult(NamedTuple):
    tables: int
    guests: int
    visits: int


def read_age(text: str) -> float:
    """An age as people write it, in days (400d) or years (2y); in seconds. Raises Refused."""
    found = re.fullmatch(r"(\d{1,5})([dy])", text)
    if found is None:
        raise Refused(message("server.tidy-age", text=text[:60]))
    return int(found[1]) * DAY_S * (365 if found[2] == "y" else 1)


def tidy(settings: Settings, age_s: float, dry_run: bool = False) -> TidyResult:
    """Delete what is older than that and nobody needs; with `dry_run` count it only."""
    refuse_missing_database(settings)
    before = time.time() - age_s
    done = TidyResult(0, 0, 0)
    with (
        open_migrated_engine(database_url(settings)) as engine,
        suppress(_CountedOnly),
        write_transaction(engine) as connection,
    ):
        tables = _delete_aborted_tables(connection, before)
        visits = _delete(connection, MEMBERSHIP, _is_old_visit(before))
        done = TidyResult(tables, _delete(connection, GUEST, _is_old_guest(before)), visits)
        if dry_run:
            raise _CountedOnly
    return done


def _delete(connection: sql.Connection, table: sql.Table, which: sql.ColumnElement[bool]) -> int:
    return connection.execute(table.delete().where(which)).rowcount


def _delete_aborted_tables(connection: sql.Connection, before: float) -> int:
    """Delete tables that were called off before the first action, with all that refers to them."""
    aborted = sql.select(LOG_ROW.c.table_id).where(LOG_ROW.c.text == ABORT)
    wanted = sql.select(GAME_TABLE.c.id).where(
        GAME_TABLE.c.is_over & (GAME_TABLE.c.created_at < before) & GAME_TABLE.c.id.in_(aborted)
    )
    ids = connection.execute(wanted).scalars().all()
    for table in reversed(METADATA.sorted_tables):
        for column in table.c:
            if any(key.column is GAME_TABLE.c.id for key in column.foreign_keys):
                _delete(connection, table, column.in_(ids))
    return _delete(connection, GAME_TABLE, GAME_TABLE.c.id.in_(ids))


def _is_old_visit(before: float) -> sql.ColumnElement[bool]:
    """Of somebody who only looked on, long ago."""
    return MEMBERSHIP.c.role.not_in(("seat", BANNED_ROLE)) & (MEMBERSHIP.c.at < before)


def _is_old_guest(before: float) -> sql.ColumnElement[bool]:
    """Of whom nothing is kept but a name."""
    used = [
        sql.exists().where(column == GUEST.c.id)
        for column in (MEMBERSHIP.c.member, LOG_ROW.c.member, CHAT.c.member, ACCOUNT.c.member)
    ]
    return (GUEST.c.created_at < before) & ~sql.or_(*used)
