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
    FileSource,
    Row,
    advance_sequences,
    autonumber_column,
    batches,
    open_dump,
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
from kibitz.server.db.schema import ACCOUNT, CHAT, GUEST, HOUSE, METADATA, ROW, TABLE, UPTIME, VISIT
from kibitz.server.db.store import StoredRow, StoredTable
from kibitz.server.settings import Settings
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.records import record_of

SERVER_TABLES = HOUSE, UPTIME
CHANGING_COLUMNS = "over", "due", "claimed_by", "claimed_until", "open", "seeking"
"""What changes at a table while it is played."""
IDENTITY_COLUMNS: Mapping[str, tuple[str, ...]] = {
    TABLE.name: tuple(each.name for each in TABLE.c if each.name not in CHANGING_COLUMNS),
    ROW.name: tuple(each.name for each in ROW.c),
    CHAT.name: tuple(each.name for each in CHAT.c),
    ACCOUNT.name: ("member",),
}
"""What has to be the same here and there: else it is another match, or somebody else."""
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

    def write(packing: ZipFile, beside: Path) -> ExportResult:
        with (
            open_engine(database_url(settings)) as engine,
            snapshot_connection(engine) as connection,
        ):
            wanted = _conditions_for(table_ids) if table_ids else None
            _check_known(connection, table_ids)
            source = DatabaseSource(connection, wanted)
            tables = [t for t in shared if wanted is None or t.name in wanted]
            told = write_dump(packing, source, tables)
            unreadable = _write_records(packing, connection, source)
        return ExportResult(told[TABLE.name].rows, unreadable)

    return write_zip(file, overwrite, write)


def import_tables(settings: Settings, file: Path) -> ImportResult:
    """Add what is in a file to what is here, all or nothing. Raises Refused.

    What is here already stays as it is; a match that went on differently here is refused.
    """
    with open_dump(file) as source, open_migrated_engine(prepare_database_url(settings)) as engine:
        try:
            with write_transaction(engine) as connection:
                return _Importer(connection, source).import_all()
        except IntegrityError as error:
            why = " ".join(str(error.orig).split())
            raise Refused(message("server.import-taken", file=str(file), why=why)) from None


def _conditions_for(table_ids: Sequence[str]) -> dict[str, sql.ColumnElement[bool]]:
    """Conditions that pick these tables, what refers to them, and their people's names."""
    wanted: dict[str, sql.ColumnElement[bool]] = {TABLE.name: TABLE.c.id.in_(table_ids)}
    for table in METADATA.sorted_tables:
        for column in table.c:
            if any(key.column is TABLE.c.id for key in column.foreign_keys):
                wanted[table.name] = column.in_(table_ids)
    people = [
        sql.select(kind.c.member).where(kind.c.table_id.in_(table_ids)) for kind in (ROW, VISIT)
    ]
    wanted[GUEST.name] = GUEST.c.id.in_(sql.union(*people))
    return wanted


def _check_known(connection: sql.Connection, table_ids: Sequence[str]) -> None:
    known = set(
        connection.execute(sql.select(TABLE.c.id).where(TABLE.c.id.in_(table_ids))).scalars()
    )
    for each in table_ids:
        if each not in known:
            raise Refused(message("server.export-no-table", table=each[:60]))


def _write_records(packing: ZipFile, connection: sql.Connection, source: DatabaseSource) -> int:
    """The record of every match, as whoever looks on may have it; how many have none."""
    names = {row["id"]: row["name"] for row in source.rows(GUEST)}
    unreadable = 0
    for row in list(source.rows(TABLE)):
        try:
            live = LiveTable(stored_table(row), stored_rows(connection, row["id"]))
        except Refused:
            unreadable += 1
            continue
        live.names = names
        text = write_record(record_of(live, "")) + "\n"
        packing.writestr(f"records/{live.game.name}-{live.id}.json", text)
    return unreadable


def stored_table(row: Row) -> StoredTable:
    fields = StoredTable.__dataclass_fields__
    return StoredTable(**{name: value for name, value in row.items() if name in fields})


def stored_rows(connection: sql.Connection, table_id: str) -> tuple[StoredRow, ...]:
    wanted = sql.select(ROW).where(ROW.c.table_id == table_id).order_by(ROW.c.seq)
    return tuple(stored_row(dict(row)) for row in connection.execute(wanted).mappings())


def stored_row(row: Row) -> StoredRow:
    return StoredRow(**{name: row[name] for name in StoredRow.__dataclass_fields__})


class _Importer:
    """The rows of a file, taken over in one transaction."""

    def __init__(self, connection: sql.Connection, source: FileSource) -> None:
        self._connection, self._source = connection, source
        self._numbers: dict[str, dict[int, int]] = {}
        """By kind, what the database calls what the file calls so."""
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
            changed = TABLE.update().where(TABLE.c.id == table_id)
            self._connection.execute(changed.values(self._changing_values[table_id]))
        advance_sequences(self._connection)
        return ImportResult(added[TABLE.name], added[ROW.name], len(self._changing_values))

    def _add_rows(self, table: sql.Table) -> int:
        """Add the rows of one table; the number of new ones."""
        added = 0
        for batch in batches(self._renumber_rows(table)):
            if (number := autonumber_column(table)) is not None:
                new = [row for row in batch if not self._is_present(table, number, row)]
                for row in new:
                    old = row.pop(number.name)
                    self._numbers.setdefault(table.name, {})[old] = self._insert_numbered(
                        table, row
                    )
            else:
                new = list(self._new_rows(table, batch))
                if new:
                    self._connection.execute(table.insert(), new)
            added += len(new)
        return added

    def _renumber_rows(self, table: sql.Table) -> Iterator[Row]:
        """Rows that refer to others by number do so by the number these have here."""
        refers = {
            column.name: key.column.table.name
            for column in table.c
            for key in column.foreign_keys
            if autonumber_column(key.column.table) is not None
        }
        for row in self._source.rows(table):
            for name, kind in refers.items():
                if row[name] is not None:
                    row[name] = self._numbers.get(kind, {}).get(row[name], row[name])
            yield row | UNCLAIMED if table is TABLE else row

    def _is_present(self, table: sql.Table, number: sql.Column[Any], row: Row) -> bool:
        """True if that very row is here, whatever its number."""
        wanted = [
            table.c[name].is_(None) if value is None else table.c[name] == value
            for name, value in row.items()
            if name != number.name and not isinstance(table.c[name].type, sql.JSON)
        ]
        found = self._connection.execute(sql.select(number).where(*wanted)).scalar()
        if found is None:
            return False
        self._numbers.setdefault(table.name, {})[row[number.name]] = found
        return True

    def _insert_numbered(self, table: sql.Table, row: Row) -> int:
        made = self._connection.execute(table.insert(), row).inserted_primary_key
        assert made
        return int(made[0])

    def _new_rows(self, table: sql.Table, batch: Sequence[Row]) -> Iterator[Row]:
        """Those that are not here yet."""
        key = [column.name for column in table.primary_key]
        found = self._existing_rows(table, key, batch)
        for row in batch:
            there = found.get(tuple(row[name] for name in key))
            if there is None:
                if table is ROW and row["table_id"] in self._changing_values:
                    self._longer.add(row["table_id"])
                yield row
                continue
            if table is TABLE:
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
