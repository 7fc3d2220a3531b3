"""The tables of the database, and how an older database becomes one of today's."""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sql

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parent / "migrations"
LOCK = 0x6B696269747A
"""What processes that share a PostgreSQL database agree to lock while they migrate it."""

METADATA = sql.MetaData()

TABLE = sql.Table(
    "table",
    METADATA,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("game", sql.String, nullable=False),
    sql.Column("rules", sql.String, nullable=False),
    sql.Column("options", sql.JSON, nullable=False),
    sql.Column("start", sql.Text, nullable=False),
    sql.Column("seats", sql.JSON, nullable=False),
    sql.Column("created", sql.Double, nullable=False),
    sql.Column("owner", sql.String, nullable=False, index=True),
    sql.Column("settings", sql.JSON, nullable=False, server_default="{}"),
    sql.Column("seed", sql.String),
    sql.Column("open", sql.Boolean, nullable=False, default=False, server_default=sql.false()),
    sql.Column("over", sql.Boolean, nullable=False, default=False, server_default=sql.false()),
    sql.Column("due", sql.Double, index=True),
    sql.Column("seeking", sql.String, index=True),
    sql.Index("ix_table_open_over", "open", "over"),
)
"""Anybody may see and join an `open` one; at `due` (wall time) the server has to look at it."""

ROW = sql.Table(
    "row",
    METADATA,
    sql.Column("table_id", sql.ForeignKey(TABLE.c.id), primary_key=True),
    sql.Column("seq", sql.Integer, primary_key=True),
    sql.Column("actor", sql.String, nullable=False),
    sql.Column("member", sql.String, nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("key", sql.String),
    sql.Column("at", sql.Double, nullable=False),
    sql.Column("spent", sql.Double, nullable=False, default=0.0, server_default="0"),
    sql.Index("row_key", "table_id", "key", unique=True),
    quote=True,
)

VISIT = sql.Table(
    "visit",
    METADATA,
    sql.Column("table_id", sql.ForeignKey(TABLE.c.id), primary_key=True),
    sql.Column("member", sql.String, primary_key=True, index=True),
    sql.Column("role", sql.String, nullable=False),
    sql.Column("at", sql.Double, nullable=False),
)

GUEST = sql.Table(
    "guest",
    METADATA,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("name", sql.String, nullable=False),
    sql.Column("created", sql.Double, nullable=False),
)

UPTIME = sql.Table(
    "uptime",
    METADATA,
    sql.Column("id", sql.Integer, primary_key=True, autoincrement=True),
    sql.Column("started", sql.Double, nullable=False),
    sql.Column("seen", sql.Double, nullable=False),
)
"""When the server was up, so that no clock runs while it was not."""


class TooNew(Exception):
    """A newer program wrote this database."""


def migrate(engine: sql.Engine) -> None:
    """Bring a database to today's schema, whatever it was before; it has to be on a disk.

    Raises TooNew, or SQLAlchemyError where it cannot be used. Of several processes that start
    at once one does the work; a step that fails leaves everything as it was.
    """
    own = _engine_of_its_own(engine.url)
    with own.connect() as connection:
        if _version(connection) == versions()[-1]:
            return
    with own.execution_options(writes=True).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
        before = _version(connection)
        if before != versions()[-1]:
            _upgrade(connection, before)
            extra = {"version": versions()[-1], "before": before or "nothing"}
            log.info("database brought up to date", extra=extra)


@cache
def versions() -> tuple[str, ...]:
    """Of the schema, oldest first."""
    return tuple(sorted(path.name[:4] for path in MIGRATIONS.glob("versions/[0-9]*.py")))


def _version(connection: sql.Connection) -> str | None:
    tables = sql.inspect(connection).get_table_names()
    if "alembic_version" in tables:
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        if found is not None and found not in versions():
            raise TooNew(found)
        return str(found) if found else None
    return versions()[0] if TABLE.name in tables else None


def _upgrade(connection: sql.Connection, before: str | None) -> None:
    """Alembic takes long to import, and is needed once."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    if before:
        command.stamp(config, before)
    command.upgrade(config, "head")


def _engine_of_its_own(url: sql.URL) -> sql.Engine:
    """Whoever writes keeps others out from the first statement on, not from the first write.

    The caller's engine would not do: while it enforces foreign keys, SQLite cannot make a
    table anew.
    """
    engine = sql.create_engine(url, poolclass=sql.NullPool)
    if engine.dialect.name == "sqlite":

        @sql.event.listens_for(engine, "connect")
        def connect(connection: Any, record: Any) -> None:
            connection.isolation_level = None
            connection.execute("PRAGMA busy_timeout=30000").close()

        @sql.event.listens_for(engine, "begin")
        def begin(connection: sql.Connection) -> None:
            writes = connection.get_execution_options().get("writes")
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
