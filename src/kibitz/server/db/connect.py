"""A database as a command reaches it: for a while, and with a sentence where it cannot."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from kibitz.core.message import Refused, message
from kibitz.core.os_errors import os_error_reason
from kibitz.server.db.engine import engine_for, error_text
from kibitz.server.db.schema import UPTIME, DatabaseTooNew, migrate, version_of, versions
from kibitz.server.settings import DATABASE_FILE, Settings

HEARTBEAT_MAX_AGE_S = 30.0
"""A server that wrote down that it is up so many seconds ago, or fewer, may still be."""
POLL_S = 1.0


def database_url(settings: Settings) -> str:
    return settings.database or file_url(settings.data / DATABASE_FILE)


def prepare_database_url(settings: Settings) -> str:
    """The URL of the database, after making the folder it is in. Raises Refused."""
    try:
        settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        why = os_error_reason(error)
        raise Refused(message("server.no-data", folder=str(settings.data), why=why)) from None
    return database_url(settings)


def file_url(file: Path) -> str:
    return f"sqlite:///{file}"


def url_without_password(url: str) -> str:
    """An address without its password."""
    made = sql.make_url(url)
    if made.get_backend_name() == "sqlite":
        return str(made.database)
    return made.set(query={}).render_as_string(hide_password=True)


def refuse_missing_database(settings: Settings) -> None:
    """Raises Refused where there is no database yet."""
    if not settings.database and not (settings.data / DATABASE_FILE).is_file():
        raise Refused(message("server.backup-nothing", folder=str(settings.data)))


@contextmanager
def open_engine(url: str) -> Iterator[sql.Engine]:
    """A database as it is. Raises Refused where it fails, whatever is done with it."""
    engine = engine_for(url)
    try:
        yield engine
    except DatabaseTooNew:
        raise Refused(
            message("server.database-too-new", database=url_without_password(url))
        ) from None
    except SQLAlchemyError as error:
        name, why = url_without_password(url), error_text(error)
        raise Refused(message("server.no-database", database=name, why=why)) from None
    finally:
        engine.dispose()


@contextmanager
def open_migrated_engine(url: str) -> Iterator[sql.Engine]:
    """A database, made where it is missing and brought up to date. Raises Refused."""
    with open_engine(url) as engine:
        migrate(engine)
        yield engine


@contextmanager
def snapshot_connection(engine: sql.Engine) -> Iterator[sql.Connection]:
    """To read from, while others write."""
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def write_transaction(engine: sql.Engine) -> Iterator[sql.Connection]:
    """To write all or nothing."""
    with engine.execution_options(kibitz_writes=True).begin() as connection:
        yield connection


def refuse_while_serving(url: str) -> None:
    """Raises Refused while a server runs on a database.

    Where one did a moment ago it waits to see whether that one goes on.
    """
    with open_engine(url) as engine:
        before, deadline = _heartbeats(engine), time.monotonic() + HEARTBEAT_MAX_AGE_S
        # A clock that went back may say that it will be up: then it is waited for, but not longer.
        while (
            before
            and time.time() - before[-1] < HEARTBEAT_MAX_AGE_S
            and time.monotonic() < deadline
        ):
            time.sleep(POLL_S)
            if _heartbeats(engine) != before:
                raise Refused(message("server.still-runs", database=url_without_password(url)))


def _heartbeats(engine: sql.Engine) -> tuple[float, ...]:
    """The time of the last heartbeat of each server, the latest last."""
    with engine.connect() as connection:
        if version_of(connection) not in versions()[1:]:
            return ()
        # By place: a database from before has another name for the third column.
        seen = connection.execute(sql.text(f"SELECT * FROM {UPTIME.name}"))
        return tuple(sorted(entry[2] for entry in seen))
