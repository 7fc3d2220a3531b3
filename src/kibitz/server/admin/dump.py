"""What a database holds, as rows that any other can take, and a file of such rows.

The file is a zip: `kibitz.json` says what it is, `rows/NAME.jsonl` has the rows of one table of
the database each, an object a line.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar
from zipfile import BadZipFile, ZipFile

import msgspec
import sqlalchemy as sql

from kibitz.core.message import Refused, message
from kibitz.server.db.schema import METADATA, version_of, versions

Row: TypeAlias = dict[str, Any]
T = TypeVar("T")

FORMAT = 1
ABOUT = "kibitz.json"
BATCH = 500


class Source(Protocol):
    """Where rows come from, with the columns of today."""

    def rows(self, table: sql.Table) -> Iterator[Row]: ...


class Tally:
    """How many rows there are, and a digest of all of them in whatever order."""

    def __init__(self) -> None:
        self.rows = 0
        self._sum = 0

    def add(self, row: Row) -> None:
        text = json.dumps(_plain(row), sort_keys=True)
        self._sum += int.from_bytes(sha256(text.encode()).digest())
        self.rows += 1

    @property
    def told(self) -> Told:
        return Told(self.rows, f"{self._sum % 2**256:064x}")


class Told(msgspec.Struct, frozen=True):
    """What a tally came to."""

    rows: int
    digest: str


class About(msgspec.Struct, frozen=True):
    kibitz_export: int
    schema: str
    made: float
    """Wall time."""
    rows: dict[str, Told]


class Database:
    """Rows out of a database, whatever its version; some of them, where conditions are given."""

    def __init__(
        self,
        connection: sql.Connection,
        wanted: Mapping[str, sql.ColumnElement[bool]] | None = None,
    ) -> None:
        self._connection, self._wanted = connection, wanted
        self.schema = version_of(connection) or versions()[0]

    @cached_property
    def _columns(self) -> dict[str, set[str]]:
        inspector = sql.inspect(self._connection)
        known = set(inspector.get_table_names())
        return {
            name: {column["name"] for column in inspector.get_columns(name)}
            for name in METADATA.tables.keys() & known
        }

    def rows(self, table: sql.Table) -> Iterator[Row]:
        columns = [c for c in table.c if c.name in self._columns.get(table.name, ())]
        if not columns or (self._wanted is not None and table.name not in self._wanted):
            return
        query = sql.select(*columns)
        if self._wanted is not None:
            query = query.where(self._wanted[table.name])
        # In the order of the key, so that what belongs together comes together.
        query = query.order_by(*table.primary_key)
        found = self._connection.execute(query, execution_options={"yield_per": BATCH})
        for row in found.mappings():
            yield dict(row)


class File:
    """Rows out of a file. Raises Refused where it is none of ours, is newer, or is damaged."""

    def __init__(self, packed: ZipFile, name: str) -> None:
        self._packed, self._name = packed, name
        try:
            self.about = msgspec.json.decode(packed.read(ABOUT), type=About)
        except (KeyError, BadZipFile, msgspec.MsgspecError):
            raise Refused(message("server.file-not-ours", file=name)) from None
        if self.about.kibitz_export != FORMAT or self.about.schema not in versions():
            raise Refused(message("server.file-too-new", file=name))

    def rows(self, table: sql.Table) -> Iterator[Row]:
        expected = self.about.rows.get(table.name)
        if expected is None:
            return
        tally = Tally()
        try:
            with self._packed.open(_member(table)) as lines:
                for line in lines:
                    row = _restored(table, msgspec.json.decode(line, type=dict[str, Any]))
                    tally.add(row)
                    yield row
        except (KeyError, ValueError, BadZipFile, EOFError):
            raise Refused(message("server.file-damaged", file=self._name)) from None
        if tally.told != expected:
            raise Refused(message("server.file-damaged", file=self._name))


@contextmanager
def unzipped(file: Path) -> Iterator[ZipFile]:
    """Raises Refused where it cannot be read."""
    try:
        packed = ZipFile(file)
    except BadZipFile:
        raise Refused(message("server.file-not-ours", file=str(file))) from None
    except OSError as error:
        why = error.strerror or str(error)
        raise Refused(message("cli.cannot-read", file=str(file), why=why)) from None
    with packed:
        yield packed


@contextmanager
def unpacked(file: Path) -> Iterator[File]:
    with unzipped(file) as packed:
        yield File(packed, str(file))


def write_file(
    packing: ZipFile, source: Database, tables: Collection[sql.Table]
) -> Mapping[str, Told]:
    """How much it was, by table."""
    told = {table.name: _write_rows(packing, source, table) for table in tables}
    about = About(FORMAT, source.schema, time.time(), told)
    packing.writestr(ABOUT, msgspec.json.format(msgspec.json.encode(about)) + b"\n")
    return told


def _write_rows(packing: ZipFile, source: Source, table: sql.Table) -> Told:
    tally = Tally()
    with packing.open(_member(table), "w", force_zip64=True) as lines:
        for row in source.rows(table):
            tally.add(row)
            lines.write(msgspec.json.encode(_plain(row)) + b"\n")
    return tally.told


def add_all(connection: sql.Connection, source: Source) -> Mapping[str, Told]:
    """Write everything into a database that has nothing; how much it was, by table."""
    told = {}
    for table in METADATA.sorted_tables:
        tally = Tally()
        for batch in batches(source.rows(table)):
            connection.execute(table.insert(), batch)
            for row in batch:
                tally.add(row)
        told[table.name] = tally.told
    count_on(connection)
    return told


def tallies(source: Source) -> Mapping[str, Told]:
    """How much there is, by table."""
    told = {}
    for table in METADATA.sorted_tables:
        tally = Tally()
        for row in source.rows(table):
            tally.add(row)
        told[table.name] = tally.told
    return told


def count_on(connection: sql.Connection) -> None:
    """Let the database number what is new after what has been brought with its number."""
    if connection.dialect.name != "postgresql":
        return
    for table in METADATA.sorted_tables:
        if (number := number_of(table)) is not None:
            sequence = sql.func.pg_get_serial_sequence(f'"{table.name}"', number.name)
            latest = sql.select(sql.func.max(number)).scalar_subquery()
            named = connection.execute(sql.select(sequence, latest)).one()
            if named[0] and named[1] is not None:
                connection.execute(sql.select(sql.func.setval(named[0], named[1])))


def number_of(table: sql.Table) -> sql.Column[Any] | None:
    """The column that a database numbers by itself, if a table has one."""
    found = table.autoincrement_column
    return found if found is not None and not found.foreign_keys else None


def batches(rows: Iterable[T]) -> Iterator[list[T]]:
    waiting = iter(rows)
    while batch := list(islice(waiting, BATCH)):
        yield batch


def _member(table: sql.Table) -> str:
    return f"rows/{table.name}.jsonl"


def _plain(row: Row) -> Row:
    """As JSON can say it."""
    return {
        name: base64.b64encode(value).decode() if isinstance(value, bytes) else value
        for name, value in row.items()
    }


def _restored(table: sql.Table, row: Row) -> Row:
    """The other way round. Raises KeyError where a column is none of ours."""
    return {
        name: base64.b64decode(value)
        if isinstance(value, str) and isinstance(table.c[name].type, sql.LargeBinary)
        else value
        for name, value in row.items()
    }
