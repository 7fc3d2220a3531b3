"""Analyses of finished matches: each is made once."""

from __future__ import annotations

import sqlalchemy as sql

from kibitz.server.db.engine import dialect_insert
from kibitz.server.db.schema import MATCH_ANALYSIS
from kibitz.server.db.store import Store


async def find_analysis(store: Store, table_id: str, version: int, actions: int) -> str | None:
    """The entries of a match of so many actions, as they were written by this version."""
    columns, wanted = MATCH_ANALYSIS.c, MATCH_ANALYSIS.c.table_id == table_id
    query = sql.select(columns.entries).where(
        wanted & (columns.version == version) & (columns.actions == actions)
    )
    found = await store.read(query)
    return found[0].entries if found else None


async def write_analysis(
    store: Store, table_id: str, version: int, actions: int, entries: str
) -> None:
    """In place of an older one: a match may have gone on since."""
    values = {"version": version, "actions": actions, "entries": entries}

    def write(connection: sql.Connection) -> None:
        insert = dialect_insert(connection, MATCH_ANALYSIS).values(table_id=table_id, **values)
        connection.execute(insert.on_conflict_do_update(index_elements=["table_id"], set_=values))

    await store.write(write)
