"""A copy of all that a server keeps, taken while it goes on writing.

Of a data folder it is the database file itself; of a database elsewhere, its rows (dump.py).
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

from kibitz.core.message import Refused, message
from kibitz.server.admin.archive import write_zip
from kibitz.server.admin.dump import DatabaseSource, upgraded_connection, write_dump
from kibitz.server.db.connect import open_engine, refuse_missing_database, snapshot_connection
from kibitz.server.db.schema import GAME_TABLE, METADATA
from kibitz.server.settings import DATABASE_FILE, SECRET_FILE, Settings


class Backup(NamedTuple):
    tables: int
    size_bytes: int
    """Of the file, in bytes."""


def back_up(settings: Settings, file: Path, overwrite: bool = False) -> Backup:
    """Write the database and the secret of a server to a zip file. Raises Refused.

    Whoever has the secret can be anybody, so only the owner may read the file.
    """
    refuse_missing_database(settings)
    data, database = settings.data, settings.database

    def write(archive: ZipFile, beside: Path) -> int:
        if database:
            tables = _dump_database(database, archive)
        else:
            tables = _copy_database(data / DATABASE_FILE, beside / DATABASE_FILE)
            archive.write(beside / DATABASE_FILE, DATABASE_FILE)
        with suppress(FileNotFoundError):
            archive.write(settings.secret or data / SECRET_FILE, SECRET_FILE)
        return tables

    tables = write_zip(file, overwrite, write)
    return Backup(tables, file.stat().st_size)


def _dump_database(database: str, archive: ZipFile) -> int:
    """All rows as they are at one moment, and how many tables there are."""
    with (
        open_engine(database) as engine,
        snapshot_connection(engine) as reading,
        upgraded_connection(reading) as connection,
    ):
        told = write_dump(archive, DatabaseSource(connection), METADATA.sorted_tables)
    return told[GAME_TABLE.name].rows


def _copy_database(source: Path, copy: Path) -> int:
    """The database as it is at one moment, and how many tables it has.

    One step copies all, so the moment is the same for every page, and writers need not wait.
    """
    from kibitz.server.db.schema import FIRST_TABLE, GAME_TABLE

    copy.touch(mode=0o600)
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as reading,
            closing(sqlite3.connect(copy)) as writing,
        ):
            reading.execute("PRAGMA busy_timeout=30000")
            reading.backup(writing, pages=-1)
            writing.execute("PRAGMA journal_mode=DELETE")
            known = {name for (name,) in writing.execute("SELECT name FROM sqlite_master")}
            name = next((each for each in (GAME_TABLE.name, FIRST_TABLE) if each in known), "")
            (tables,) = writing.execute(f'SELECT count(*) FROM "{name}"').fetchone()
            return int(tables)
    except sqlite3.Error as error:
        why = str(error)
        raise Refused(message("server.backup-unreadable", file=str(source), why=why)) from None
