"""Dumps: a database as rows that any other can take, and a file of such rows.

The file is a zip: `kibitz.json` says what it is, `rows/NAME.jsonl` has the rows of one table of
the database each, an object a line.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, TypeAlias, TypeVar
from zipfile import BadZipFile, ZipFile

import msgspec
import sqlalchemy as sql

from kibitz.core.message import Refused, message
from kibitz.core.os_errors import os_error_reason
from kibitz.server.db.connect import file_url
from kibitz.server.db.schema import METADATA, UPTIME, migrate, version_of, versions
from kibitz.server.settings import DATABASE_FILE

Row: TypeAlias = dict[str, Any]
T = TypeVar("T")

MAX_LINE_BYTES = 1 << 24
"""Of a line in a file: somebody else may have made it."""
FORMAT_VERSION = 2
MANIFEST_NAME = "kibitz.json"
BATCH_ROWS = 500


class RowSource(Protocol):
    """A source of rows, with the columns of today."""

    def rows(self, table: sql.Table) -> Iterator[Row]: ...


class RowTally:
    """A count of rows, and a digest of all of them in any order."""

    def __init__(self) -> None:
        self.rows = 0
        self._sum = 0

    def add(self, row: Row) -> None:
        text = json.dumps(row, sort_keys=True)
        self._sum += int.from_bytes(sha256(text.encode()).digest())
        self.rows += 1

    @property
    def checksum(self) -> RowChecksum:
        return RowChecksum(self.rows, f"{self._sum % 2**256:064x}")


class RowChecksum(msgspec.Struct, frozen=True):
    """The result of a tally."""

    rows: int
    digest: str


class Manifest(msgspec.Struct, frozen=True):
    kibitz_export: int
    schema: str
    made: float
    """Wall time."""
    rows: dict[str, RowChecksum]


class DatabaseSource:
    """Rows out of a database; some of them, where conditions are given."""

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
        return {
            name: {column["name"] for column in inspector.get_columns(name)}
            for name in inspector.get_table_names()
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
        found = self._connection.execute(query, execution_options={"yield_per": BATCH_ROWS})
        for row in found.mappings():
            yield dict(row)


class FileSource:
    """Rows out of a file. Raises Refused where it is none of ours, is newer, or is damaged."""

    def __init__(self, packed: ZipFile, name: str) -> None:
        self._zip_file, self._name = packed, name
        try:
            self.manifest = msgspec.json.decode(packed.read(MANIFEST_NAME), type=Manifest)
        except (KeyError, BadZipFile, msgspec.MsgspecError):
            raise Refused(message("server.file-not-ours", file=name)) from None
        if self.manifest.kibitz_export > FORMAT_VERSION or self.manifest.schema not in versions():
            raise Refused(message("server.file-too-new", file=name))

    def rows(self, table: sql.Table) -> Iterator[Row]:
        expected = self.manifest.rows.get(table.name)
        if expected is None:
            return
        tally = RowTally()
        try:
            with self._zip_file.open(_member_name(table)) as lines:
                for line in iter(partial(lines.readline, MAX_LINE_BYTES), b""):
                    if len(line) == MAX_LINE_BYTES:
                        raise ValueError("a line is longer than any of ours")
                    row = msgspec.json.decode(line, type=Row)
                    if not row.keys() <= {*table.c.keys()}:
                        raise ValueError("a column is none of ours")
                    tally.add(row)
                    yield row
        except (KeyError, ValueError, BadZipFile, EOFError):
            raise Refused(message("server.file-damaged", file=self._name)) from None
        if tally.checksum != expected:
            raise Refused(message("server.file-damaged", file=self._name))


@contextmanager
def open_zip(file: Path) -> Iterator[ZipFile]:
    """Raises Refused where it cannot be read."""
    try:
        packed = ZipFile(file)
    except BadZipFile:
        raise Refused(message("server.file-not-ours", file=str(file))) from None
    except OSError as error:
        why = os_error_reason(error)
        raise Refused(message("cli.cannot-read", file=str(file), why=why)) from None
    with packed:
        yield packed


@contextmanager
def open_dump(packed: ZipFile, name: str) -> Iterator[RowSource]:
    """The rows of a file, as a database of today has them."""
    source = FileSource(packed, name)
    if source.manifest.schema == versions()[-1]:
        yield source
        return
    with _upgraded_copy(source, source.manifest.schema) as connection:
        yield DatabaseSource(connection)


@contextmanager
def upgraded_connection(connection: sql.Connection) -> Iterator[sql.Connection]:
    """A connection to a database; where that is older than today's, to a copy that is not."""
    if (version := version_of(connection)) == versions()[-1]:
        yield connection
        return
    with _upgraded_copy(DatabaseSource(connection), version or versions()[0]) as copy:
        yield copy


@contextmanager
def _upgraded_copy(source: RowSource, version: str) -> Iterator[sql.Connection]:
    """A database for a while, with rows of an older version brought up to date."""
    with TemporaryDirectory(prefix="kibitz-") as folder:
        url = file_url(Path(folder) / DATABASE_FILE)
        engine, tables = sql.create_engine(url, poolclass=sql.NullPool), sql.MetaData()
        migrate(engine, version)
        tables.reflect(engine)
        with engine.begin() as connection:
            for table in tables.sorted_tables:
                if table.name != "alembic_version":
                    for batch in batches(source.rows(table)):
                        connection.execute(table.insert(), batch)
        migrate(engine)
        with engine.connect() as connection:
            yield connection


def write_dump(
    archive: ZipFile, source: DatabaseSource, tables: Collection[sql.Table]
) -> Mapping[str, RowChecksum]:
    """Write all rows; the checksum of each table."""
    told = {table.name: _write_rows(archive, source, table) for table in tables}
    about = Manifest(FORMAT_VERSION, source.schema, time.time(), told)
    archive.writestr(MANIFEST_NAME, msgspec.json.format(msgspec.json.encode(about)) + b"\n")
    return told


def _write_rows(archive: ZipFile, source: RowSource, table: sql.Table) -> RowChecksum:
    tally = RowTally()
    with archive.open(_member_name(table), "w", force_zip64=True) as lines:
        for row in source.rows(table):
            tally.add(row)
            lines.write(msgspec.json.encode(row) + b"\n")
    return tally.checksum


def insert_all(connection: sql.Connection, source: RowSource) -> Mapping[str, RowChecksum]:
    """Write everything into a database that has nothing; how much it was, by table."""
    told = {}
    for table in METADATA.sorted_tables:
        tally = RowTally()
        for batch in batches(source.rows(table)):
            connection.execute(table.insert(), batch)
            for row in batch:
                tally.add(row)
        told[table.name] = tally.checksum
    _advance_numbers(connection)
    return told


def row_checksums(source: RowSource) -> Mapping[str, RowChecksum]:
    """The checksum of each table."""
    told = {}
    for table in METADATA.sorted_tables:
        tally = RowTally()
        for row in source.rows(table):
            tally.add(row)
        told[table.name] = tally.checksum
    return told


def _advance_numbers(connection: sql.Connection) -> None:
    """Let the database number what is new after what has been brought with its number.

    No other table has rows that the database numbers.
    """
    if connection.dialect.name == "postgresql":
        sequence = sql.func.pg_get_serial_sequence(UPTIME.name, UPTIME.c.id.name)
        latest = connection.execute(sql.select(sql.func.max(UPTIME.c.id))).scalar()
        if latest is not None:
            connection.execute(sql.select(sql.func.setval(sequence, latest)))


def batches(rows: Iterable[T]) -> Iterator[list[T]]:
    waiting = iter(rows)
    while batch := list(islice(waiting, BATCH_ROWS)):
        yield batch


def _member_name(table: sql.Table) -> str:
    return f"rows/{table.name}.jsonl"
