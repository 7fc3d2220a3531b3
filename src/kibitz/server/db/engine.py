"""Connections to a database: a file, or PostgreSQL."""

from __future__ import annotations

import sqlite3
import time
from typing import Any

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite

from kibitz.core.extras import import_extra

PAGE_PRAGMA = "page_size=1024"
"""Of a new file. A commit writes every page that it touches as a whole, and most of them change a
line or two: a quarter of SQLite's own size is a quarter of what a row costs the disk."""
BUSY_TIMEOUT_S = 5.0
PRAGMAS = (
    *(f"busy_timeout={BUSY_TIMEOUT_S * 1000:.0f}", "journal_mode=WAL", "synchronous=FULL"),
    "foreign_keys=ON",
    *("secure_delete=ON", "wal_autocheckpoint=4000"),
)
"""Of a file: a write-ahead log, a commit waits for the disk, what is deleted is overwritten, and
the log begins anew after 4 MB."""
_TIMEOUT_ARGS = {"connect_timeout": 5, "keepalives_idle": 10, "tcp_user_timeout": 20_000}
"""The times after which a dead line is noticed, in seconds and in milliseconds."""
POOL_SIZE = 16
"""That a worker keeps to PostgreSQL at most, when it has had much to do."""


def engine_for(url: str) -> sql.Engine:
    """Raises Refused where the driver of PostgreSQL is not installed."""
    made = sql.make_url(url)
    if made.get_backend_name() == "sqlite":
        engine = sql.create_engine(made, hide_parameters=True)
        prepare_sqlite(engine, *PRAGMAS)
        return engine
    import_extra("psycopg", "host", wanted_by="PostgreSQL")
    return sql.create_engine(
        made.set(drivername="postgresql+psycopg"),
        hide_parameters=True,
        pool_pre_ping=True,
        pool_size=POOL_SIZE,
        # What is needed once is kept: one more for a moment costs the database a process.
        max_overflow=0,
        # Whatever the database is set to: a commit waits for the disk.
        connect_args={"options": "-c synchronous_commit=on", **_TIMEOUT_ARGS},
    )


def prepare_sqlite(engine: sql.Engine, *pragmas: str) -> None:
    """Give every connection these settings, and transactions as SQLAlchemy means them.

    Python's driver opens transactions by guessing; without that, savepoints work. Those with the
    option `kibitz_writes` keep other writers out from the first statement on.
    """

    @sql.event.listens_for(engine, "connect")
    def connect(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        for pragma in (PAGE_PRAGMA, *pragmas):
            _set_pragma(connection, pragma)

    @sql.event.listens_for(engine, "begin")
    def begin(connection: sql.Connection) -> None:
        writes = connection.get_execution_options().get("kibitz_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _set_pragma(connection: sqlite3.Connection, pragma: str) -> None:
    """Set it as soon as nobody is in the way. SQLite itself waits, except where one worker gives a
    new file its write-ahead log while another is about to write."""
    deadline = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute(f"PRAGMA {pragma}").close()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def dialect_insert(
    connection: sql.Connection, table: sql.Table
) -> postgresql.Insert | sqlite.Insert:
    """An insert that can say what to do if there is such an entry."""
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table)
    return sqlite.insert(table)


def error_text(error: Exception) -> str:
    """The words of the database itself, on one line."""
    return " ".join(str(getattr(error, "orig", None) or error).split())
