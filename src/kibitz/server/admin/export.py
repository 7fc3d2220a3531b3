"""Tables that leave one server and come to another, with their rows and the names of their people.

What belongs to the server itself stays: when it was up, and what its workers agreed on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import sqlalchemy as sql
from sqlalchemy.exc import IntegrityError

from kibitz.core.message import Refused, message
from kibitz.core.record import write_record
from kibitz.server.admin.archive import write_zip
from kibitz.server.admin.dump import (
    DatabaseSource,
    Row,
    RowSource,
    batches,
    open_dump,
    open_zip,
    upgraded_connection,
    write_dump,
)
from kibitz.server.db.connect import (
    database_url,
    open_engine,
    open_migrated_engine,
    prepare_database_url,
    refuse_missing_database,
    snapshot_connection,
    write_transaction,
)
from kibitz.server.db.schema import (
    ACCOUNT,
    CHAT,
    GAME_TABLE,
    GUEST,
    LOG_ROW,
    MEMBERSHIP,
    METADATA,
    SERVER_SETTING,
    UPTIME,
)
from kibitz.server.db.store import StoredRow, StoredTable
from kibitz.server.settings import Settings
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.records import record_of

SERVER_TABLES = SERVER_SETTING, UPTIME
CHANGING_COLUMNS = (
    *("is_over", "due_at", "claimed_by", "claimed_until", "is_open", "seek_key"),
    *("later_seeds", "board_hash"),
)
"""The columns that change at a table while it is played."""
IDENTITY_COLUMNS: Mapping[str, tuple[str, ...]] = {
    GAME_TABLE.name: tuple(each.name for each in GAME_TABLE.c if each.name not in CHANGING_COLUMNS),
    LOG_ROW.name: tuple(each.name for each in LOG_ROW.c),
    CHAT.name: tuple(each.name for each in CHAT.c),
    ACCOUNT.name: ("member",),
}
"""Columns that have to be the same here and there: else it is another match or person."""
UNCLAIMED = {"claimed_by": None, "claimed_until": None}
MAX_CONFLICTS_SHOWN = 5


class ExportResult(NamedTuple):
    tables: int
    unreadable_tables: int
    """Of which there is no record, as their rows cannot be replayed by this Kibitz."""


class ImportResult(NamedTuple):
    tables: int
    rows: int
    known_tables: int
    """Tables that were there before."""


def export_tables(
    settings: Settings, file: Path, table_ids: Sequence[str] = (), overwrite: bool = False
) -> ExportResult:
    """Write these tables to a file, or all there are. Raises Refused."""
    refuse_missing_database(settings)
    shared = [table for table in METADATA.sorted_tables if table not in SERVER_TABLES]

    def write(archive: ZipFile, beside: Path) -> ExportResult:
        with (
            open_engine(database_url(settings)) as engine,
            snapshot_connection(engine) as reading,
            upgraded_connection(reading) as connection,
        ):
            wanted = _conditions_for(table_ids) if table_ids else None
            _check_known(connection, table_ids)
            source = DatabaseSource(connection, wanted)
            tables = [t for t in shared if wanted is None or t.name in wanted]
            told = write_dump(archive, source, tables)
            unreadable = _write_records(archive, connection, source)
        return ExportResult(told[GAME_TABLE.name].rows, unreadable)

    return write_zip(file, overwrite, write)


def import_tables(settings: Settings, file: Path) -> ImportResult:
    """Add what is in a file to what is here, all or nothing. Raises Refused.

    What is here already stays as it is; a match that went on differently here is refused.
    """
    with (
        open_zip(file) as packed,
        open_dump(packed, str(file)) as source,
        open_migrated_engine(prepare_database_url(settings)) as engine,
    ):
        try:
            with write_transaction(engine) as connection:
                return _Importer(connection, source).import_all()
        except IntegrityError as error:
            why = " ".join(str(error.orig).split())
            raise Refused(message("server.import-taken", file=str(file), why=why)) from None


def _conditions_for(table_ids: Sequence[str]) -> dict[str, sql.ColumnElement[bool]]:
    """Conditions that pick these tables, what refers to them, and their people's names."""
    wanted: dict[str, sql.ColumnElement[bool]] = {GAME_TABLE.name: GAME_TABLE.c.id.in_(table_ids)}
    for table in METADATA.sorted_tables:
        for column in table.c:
            if any(key.column is GAME_TABLE.c.id for key in column.foreign_keys):
                wanted[table.name] = column.in_(table_ids)
    people = [
        sql.select(kind.c.member).where(kind.c.table_id.in_(table_ids))
        for kind in (LOG_ROW, MEMBERSHIP)
    ]
    wanted[GUEST.name] = GUEST.c.id.in_(sql.union(*people))
    return wanted


def _check_known(connection: sql.Connection, table_ids: Sequence[str]) -> None:
    known = set(
        connection.execute(
            sql.select(GAME_TABLE.c.id).where(GAME_TABLE.c.id.in_(table_ids))
        ).scalars()
    )
    for each in table_ids:
        if each not in known:
            raise Refused(message("server.export-no-table", table=each[:60]))


def _write_records(archive: ZipFile, connection: sql.Connection, source: DatabaseSource) -> int:
    """The record of every match, as whoever looks on may have it; how many have none."""
    names = {row["id"]: row["name"] for row in source.rows(GUEST)}
    unreadable = 0
    for row in list(source.rows(GAME_TABLE)):
        try:
            live = LiveTable(stored_table(row), stored_rows(connection, row["id"]))
        except Refused:
            unreadable += 1
            continue
        live.names = names
        text = write_record(record_of(live, "")) + "\n"
        archive.writestr(f"records/{live.game.name}-{live.id}.json", text)
    return unreadable


def stored_table(row: Row) -> StoredTable:
    fields = StoredTable.__dataclass_fields__
    return StoredTable(**{name: value for name, value in row.items() if name in fields})


def stored_rows(connection: sql.Connection, table_id: str) -> tuple[StoredRow, ...]:
    wanted = sql.select(LOG_ROW).where(LOG_ROW.c.table_id == table_id).order_by(LOG_ROW.c.seq)
    return tuple(stored_row(dict(row)) for row in connection.execute(wanted).mappings())


def stored_row(row: Row) -> StoredRow:
    return StoredRow(**{name: row[name] for name in StoredRow.__struct_fields__})


class _Importer:
    """The rows of a file, taken over in one transaction."""

    def __init__(self, connection: sql.Connection, source: RowSource) -> None:
        self._connection, self._source = connection, source
        self._changing_values: dict[str, Row] = {}
        """Of tables that were here before, as the file has it."""
        self._conflicts: dict[str, None] = {}
        self._longer: set[str] = set()
        """Tables that were here before, and got more rows."""

    def import_all(self) -> ImportResult:
        added = {
            table.name: self._add_rows(table)
            for table in METADATA.sorted_tables
            if table not in SERVER_TABLES
        }
        if self._conflicts:
            named = ", ".join(list(self._conflicts)[:MAX_CONFLICTS_SHOWN])
            n = len(self._conflicts)
            raise Refused(message("server.import-conflict", n=n, tables=named))
        for table_id in self._longer:
            changed = GAME_TABLE.update().where(GAME_TABLE.c.id == table_id)
            self._connection.execute(changed.values(self._changing_values[table_id]))
        return ImportResult(added[GAME_TABLE.name], added[LOG_ROW.name], len(self._changing_values))

    def _add_rows(self, table: sql.Table) -> int:
        """Add the rows of one table; the number of new ones."""
        added, free = 0, UNCLAIMED if table is GAME_TABLE else {}
        for batch in batches(row | free for row in self._source.rows(table)):
            if new := list(self._new_rows(table, batch)):
                self._connection.execute(table.insert(), new)
            added += len(new)
        return added

    def _new_rows(self, table: sql.Table, batch: Sequence[Row]) -> Iterator[Row]:
        """Those that are not here yet."""
        key = [column.name for column in table.primary_key]
        found = self._existing_rows(table, key, batch)
        for row in batch:
            there = found.get(tuple(row[name] for name in key))
            if there is None:
                if table is LOG_ROW and row["table_id"] in self._changing_values:
                    self._longer.add(row["table_id"])
                yield row
                continue
            if table is GAME_TABLE:
                self._changing_values[row["id"]] = {n: row[n] for n in CHANGING_COLUMNS if n in row}
            if any(
                there[name] != row[name]
                for name in IDENTITY_COLUMNS.get(table.name, ())
                if name in row
            ):
                self._conflicts[str(row[key[0]])] = None

    def _existing_rows(
        self, table: sql.Table, key: Sequence[str], batch: Sequence[Row]
    ) -> dict[tuple[Any, ...], Row]:
        keys = [tuple(row[name] for name in key) for row in batch]
        wanted = sql.select(table).where(sql.tuple_(*table.primary_key).in_(keys))
        rows = [dict(row) for row in self._connection.execute(wanted).mappings()]
        return {tuple(row[name] for name in key): row for row in rows}
