"""Data of a server that never ran: matches as they would be on its disk."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import sqlalchemy as sql

from kibitz.games import GAMES
from kibitz.server.db.engine import engine_for
from kibitz.server.db.queries.accounts import set_display_name
from kibitz.server.db.schema import METADATA
from kibitz.server.db.store import Store, StoredRow, StoredTable, TableLease, open_store
from kibitz.server.settings import SECRET_FILE
from kibitz.table import open_table

BEGAN = 1_700_000_000.0
"""When the first table was opened; wall time."""
APART = 1000.0
"""Between two tables; a row comes every ten seconds."""


def keep(data: Path, tables: int = 3, rows: int = 6, database: str = "", first: int = 0) -> Path:
    """A data folder with so many matches of Ann and Bob, each with so many rows."""
    store = open_store(data, database)
    try:
        asyncio.run(_fill_store(store, tables, rows, first))
    finally:
        store.close()
    if not (data / SECRET_FILE).exists():
        (data / SECRET_FILE).write_bytes(b"s" * 32)
        (data / SECRET_FILE).chmod(0o600)
    return data


async def _fill_store(store: Store, tables: int, rows: int, first: int) -> None:
    for who in ("Ann", "Bob"):
        await set_display_name(store, who.lower(), who)
    for number in range(first, first + tables):
        opened = BEGAN + APART * number
        await store.open_table(match(number, opened), TableLease(due_at=opened + 5))
        played = [
            StoredRow(actor=actor, member=member, text=text, key=None, at=opened + 10 * (n + 1))
            for n, (actor, member, text) in enumerate(moves(number, rows))
        ]
        await store.append_rows(f"t{number}", 0, played)


def match(number: int, opened: float) -> StoredTable:
    rulebook = GAMES["kalamala"]
    return StoredTable(
        id=f"t{number}",
        game="kalamala",
        rules_version=rulebook.version,
        options=dict(rulebook.game(rulebook.preset).options),
        start="start",
        seats={"A": {"members": ["ann"]}, "B": {"members": ["bob"]}},
        created_at=opened,
        owner="ann",
    )


def moves(seed: int, count: int) -> list[tuple[str, str, str]]:
    """A random match: who acts, by whom, and what."""
    random, made = Random(seed), []
    table = open_table(GAMES["kalamala"].game(GAMES["kalamala"].preset))
    for _ in range(count):
        (seat,) = table.game.rules.to_act(table.state)
        actions = table.game.rules.turn_actions(table.state, seat)
        text = table.game.notation.write_action(random.choice(actions))
        table, _ = table.act(seat, text)
        made.append((seat, {"A": "ann", "B": "bob"}[seat], text))
    return made


def contents(url: str) -> dict[str, list[dict[str, Any]]]:
    """All rows of a database, by table, in an order that is always the same."""
    engine = engine_for(url)
    try:
        with engine.connect() as connection:
            return {
                table.name: sorted(
                    (dict(row) for row in connection.execute(sql.select(table)).mappings()), key=str
                )
                for table in METADATA.sorted_tables
            }
    finally:
        engine.dispose()
