"""A copy of all that a data folder holds, taken while the server goes on writing."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from kibitz.core.message import Refused, message
from kibitz.server.settings import DATABASE, SECRET


class Backup(NamedTuple):
    tables: int
    size: int
    """Of the file, in bytes."""


def back_up(data: Path, file: Path, overwrite: bool = False) -> Backup:
    """Write the database and the secret of a data folder to a zip file. Raises Refused.

    It is written whole under another name first: what is there under its name is complete.
    Only its owner may read it, for whoever has the secret can be anybody.
    """
    if not overwrite and os.path.lexists(file):
        raise Refused(message("server.backup-exists", file=str(file)))
    if not (data / DATABASE).is_file():
        raise Refused(message("server.backup-nothing", folder=str(data)))
    try:
        with TemporaryDirectory(prefix=f".{file.name}-", dir=file.parent) as beside:
            copy, packed = Path(beside) / DATABASE, Path(beside) / "zip"
            tables = _copy_database(data / DATABASE, copy)
            _pack(packed, copy, data / SECRET)
            size = packed.stat().st_size
            _put(packed, file, overwrite)
        return Backup(tables, size)
    except FileExistsError:
        raise Refused(message("server.backup-exists", file=str(file))) from None
    except OSError as error:
        why = error.strerror or str(error)
        raise Refused(message("cli.cannot-write", file=str(file), why=why)) from None


def _copy_database(source: Path, copy: Path) -> int:
    """The database as it is at one moment, and how many tables it has.

    One step copies all, so the moment is the same for every page, and writers need not wait.
    """
    copy.touch(mode=0o600)
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as reading,
            closing(sqlite3.connect(copy)) as writing,
        ):
            reading.execute("PRAGMA busy_timeout=30000")
            reading.backup(writing, pages=-1)
            writing.execute("PRAGMA journal_mode=DELETE")
            (tables,) = writing.execute('SELECT count(*) FROM "table"').fetchone()
            return int(tables)
    except sqlite3.Error as error:
        why = str(error)
        raise Refused(message("server.backup-unreadable", file=str(source), why=why)) from None


def _pack(packed: Path, database: Path, secret: Path) -> None:
    with open(packed, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        with ZipFile(file, "w", ZIP_DEFLATED) as packing:
            packing.write(database, DATABASE)
            with suppress(FileNotFoundError):
                packing.write(secret, SECRET)
        file.flush()
        os.fsync(file.fileno())


def _put(packed: Path, file: Path, overwrite: bool) -> None:
    """A link, unlike a new name, is refused where somebody else was quicker.

    Some disks know no links.
    """
    try:
        if not overwrite:
            file.hardlink_to(packed)
    except FileExistsError:
        raise
    except OSError:
        overwrite = True
    if overwrite:
        packed.replace(file)
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
