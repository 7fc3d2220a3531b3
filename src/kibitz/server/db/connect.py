"""A database as a command reaches it: for a while, and with a sentence where it cannot."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sql
from sqlalchemy.exc import SQLAlchemyError

from kibitz.core.message import Refused, message
from kibitz.server.db.schema import UPTIME, TooNew, migrate, version_of, versions
from kibitz.server.db.store import engine_at
from kibitz.server.settings import DATABASE, Settings

FRESH = 30.0
"""A server that wrote down that it is up so many seconds ago, or fewer, may still be."""
LOOKS_EVERY = 1.0


def url_of(settings: Settings) -> str:
    return settings.database or file_url(settings.data / DATABASE)


def url_here(settings: Settings) -> str:
    """The same, with a folder to make it in. Raises Refused."""
    try:
        settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        why = error.strerror or str(error)
        raise Refused(message("server.no-data", folder=str(settings.data), why=why)) from None
    return url_of(settings)


def file_url(file: Path) -> str:
    return f"sqlite:///{file}"


def shown(url: str) -> str:
    """An address without its password."""
    made = sql.make_url(url)
    if made.get_backend_name() == "sqlite":
        return str(made.database)
    return made.set(query={}).render_as_string(hide_password=True)


def check_there(settings: Settings) -> None:
    """Raises Refused where there is no database yet."""
    if not settings.database and not (settings.data / DATABASE).is_file():
        raise Refused(message("server.backup-nothing", folder=str(settings.data)))


@contextmanager
def reached(url: str) -> Iterator[sql.Engine]:
    """A database as it is. Raises Refused where it fails, whatever is done with it."""
    engine = engine_at(url)
    try:
        yield engine
    except TooNew:
        raise Refused(message("server.database-too-new", database=shown(url))) from None
    except SQLAlchemyError as error:
        why = " ".join(str(getattr(error, "orig", None) or error).split())
        raise Refused(message("server.no-database", database=shown(url), why=why)) from None
    finally:
        engine.dispose()


@contextmanager
def of_today(url: str) -> Iterator[sql.Engine]:
    """The same, made where it is missing and brought up to date."""
    with reached(url) as engine:
        migrate(engine)
        yield engine


@contextmanager
def at_one_moment(engine: sql.Engine) -> Iterator[sql.Connection]:
    """To read from, while others write."""
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with engine.connect() as connection, connection.begin():
        yield connection


@contextmanager
def writing(engine: sql.Engine) -> Iterator[sql.Connection]:
    """To write all or nothing."""
    with engine.execution_options(kibitz_writes=True).begin() as connection:
        yield connection


def refuse_served(url: str) -> None:
    """Raises Refused while a server runs on a database.

    Where one did a moment ago it waits to see whether that one goes on.
    """
    with reached(url) as engine:
        before, deadline = _beats(engine), time.monotonic() + FRESH
        # A clock that went back may say that it will be up: then it is waited for, but not longer.
        while before and time.time() - before[-1] < FRESH and time.monotonic() < deadline:
            time.sleep(LOOKS_EVERY)
            if _beats(engine) != before:
                raise Refused(message("server.still-runs", database=shown(url)))


def _beats(engine: sql.Engine) -> tuple[float, ...]:
    """When each server was seen last, the latest last."""
    with engine.connect() as connection:
        if version_of(connection) not in versions()[1:]:
            return ()
        seen = sql.select(UPTIME.c.seen).order_by(UPTIME.c.seen)
        return tuple(connection.execute(seen).scalars())
