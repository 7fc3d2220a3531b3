"""The tables of the database, and how an older database becomes one of today's."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import suppress
from functools import cache
from pathlib import Path

import sqlalchemy as sql

from kibitz.server.db.engine import PAGE_PRAGMA, prepare_sqlite

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parent / "migrations"
MIGRATION_LOCK_ID = 0x6B696269747A
"""The number that processes which share a PostgreSQL database lock while they migrate it."""

FIRST_TABLE = "table"
"""A table by which a database from before migrations is known."""

METADATA = sql.MetaData()

GAME_TABLE = sql.Table(
    "game_table",
    METADATA,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("game", sql.String, nullable=False),
    sql.Column("rules_version", sql.String, nullable=False),
    sql.Column("options", sql.JSON, nullable=False),
    sql.Column("start", sql.Text, nullable=False),
    sql.Column("seats", sql.JSON, nullable=False),
    sql.Column("created_at", sql.Double, nullable=False),
    sql.Column("owner", sql.String, nullable=False, index=True),
    sql.Column("settings", sql.JSON, nullable=False, server_default="{}"),
    sql.Column("seed", sql.String),
    sql.Column("later_seeds", sql.JSON, nullable=False, default=[], server_default="[]"),
    sql.Column("is_open", sql.Boolean, nullable=False, default=False, server_default=sql.false()),
    sql.Column("is_over", sql.Boolean, nullable=False, default=False, server_default=sql.false()),
    sql.Column("due_at", sql.Double, index=True),
    sql.Column("seek_key", sql.String, index=True),
    sql.Column("board_hash", sql.String, index=True),
    sql.Column("claimed_by", sql.String),
    sql.Column("claimed_until", sql.Double),
    sql.Index("ix_game_table_is_open_is_over", "is_open", "is_over"),
)
"""Anybody may see and join an open one; at `due_at` (wall time) the server has to look at it: a
worker, where it is claimed by one until some time, and else anyone. `board_hash` marks the board of
a rated match that goes on, as everybody sees it."""

LOG_ROW = sql.Table(
    "log_row",
    METADATA,
    sql.Column("table_id", sql.ForeignKey(GAME_TABLE.c.id), primary_key=True),
    sql.Column("seq", sql.Integer, primary_key=True),
    sql.Column("actor", sql.String, nullable=False),
    sql.Column("member", sql.String, nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("key", sql.String),
    sql.Column("at", sql.Double, nullable=False),
    sql.Column("think_seconds", sql.Double, nullable=False, default=0.0, server_default="0"),
)
"""A `key` is used once at a table. No index sees to it: whoever writes row n has read all rows
before it, with their keys, and of two who write row n one loses."""

MEMBERSHIP = sql.Table(
    "membership",
    METADATA,
    sql.Column("table_id", sql.ForeignKey(GAME_TABLE.c.id), primary_key=True),
    sql.Column("member", sql.String, primary_key=True, index=True),
    sql.Column("role", sql.String, nullable=False),
    sql.Column("at", sql.Double, nullable=False),
)

GUEST = sql.Table(
    "guest",
    METADATA,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("name", sql.String, nullable=False),
    sql.Column("created_at", sql.Double, nullable=False),
)

UPTIME = sql.Table(
    "uptime",
    METADATA,
    sql.Column("id", sql.Integer, primary_key=True, autoincrement=True),
    sql.Column("started_at", sql.Double, nullable=False),
    sql.Column("seen_at", sql.Double, nullable=False),
)
"""When the server was up, so that no clock runs while it was not."""

SERVER_SETTING = sql.Table(
    "server_setting",
    METADATA,
    sql.Column("name", sql.String, primary_key=True),
    sql.Column("value", sql.Text, nullable=False),
)
"""The settings that all workers have to agree on."""

ACCOUNT = sql.Table(
    "account",
    METADATA,
    sql.Column("name", sql.String, primary_key=True),
    sql.Column("display_name", sql.String, nullable=False),
    sql.Column("skeleton", sql.String, index=True),
    sql.Column("member", sql.String, nullable=False, unique=True),
    sql.Column("password_hash", sql.String, nullable=False),
    sql.Column("created_at", sql.Double, nullable=False),
    sql.Column("language", sql.String, nullable=False),
    sql.Column("email", sql.String),
    sql.Column("confirmed_at", sql.Double),
    sql.Column("mail_digest", sql.Boolean, nullable=False, server_default=sql.false()),
    sql.Column("mailed_at", sql.Double, index=True),
    sql.Column("mail_state", sql.JSON, nullable=False, server_default="{}"),
)
"""People who log in: by a name in small letters, shown as it was typed; `skeleton` is what names
have in common that look alike. An e-mail address counts
from `confirmed_at` on; where `mail_digest` is set, reminders of turns go there. The last one went
at `mailed_at` (wall time); `mail_state` has what it was about."""

TOKEN = sql.Table(
    "token",
    METADATA,
    sql.Column("token_hash", sql.String, primary_key=True),
    sql.Column("member", sql.String, nullable=False, index=True),
    sql.Column("kind", sql.String, nullable=False),
    sql.Column("name", sql.String, nullable=False),
    sql.Column("created_at", sql.Double, nullable=False),
    sql.Column("used_at", sql.Double),
)
"""Tokens of those with an account: of a `device` that logged in, or of a `bot` of theirs. What is
kept is a hash, so nobody who reads this can be them."""

DELETED_ACCOUNT = sql.Table(
    "deleted_account", METADATA, sql.Column("member", sql.String, primary_key=True)
)
"""Those who deleted their account: no token opens it again, not even an old guest's."""

RATING = sql.Table(
    "rating",
    METADATA,
    sql.Column("member", sql.String, primary_key=True),
    sql.Column("game", sql.String, primary_key=True),
    sql.Column("mu", sql.Double, nullable=False),
    sql.Column("sigma", sql.Double, nullable=False),
    sql.Column("matches", sql.Integer, nullable=False),
    sql.Column("at", sql.Double, nullable=False),
)

RATED_MATCH = sql.Table(
    "rated_match",
    METADATA,
    sql.Column("table_id", sql.ForeignKey(GAME_TABLE.c.id), primary_key=True),
    sql.Column("at", sql.Double, nullable=False),
    sql.Column("changes", sql.JSON, nullable=False),
)
"""Matches that have been rated, and what that changed: each once."""

MATCH_ANALYSIS = sql.Table(
    "match_analysis",
    METADATA,
    sql.Column("table_id", sql.ForeignKey(GAME_TABLE.c.id), primary_key=True),
    sql.Column("version", sql.Integer, nullable=False),
    sql.Column("actions", sql.Integer, nullable=False),
    sql.Column("entries", sql.Text, nullable=False),
)
"""The analysis of a finished match, as JSON: by which version, and of how many actions. It can be
made again from the log."""

CHAT = sql.Table(
    "chat",
    METADATA,
    sql.Column("table_id", sql.ForeignKey(GAME_TABLE.c.id), primary_key=True),
    sql.Column("n", sql.Integer, primary_key=True),
    sql.Column("kind", sql.String, nullable=False),
    sql.Column("room", sql.String, nullable=False),
    sql.Column("member", sql.String, nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("at", sql.Double, nullable=False),
)
"""The chat of a table, and what its host does about it; a log of its own, in order."""


PUZZLE_ATTEMPT = sql.Table(
    "puzzle_attempt",
    METADATA,
    sql.Column("member", sql.String, primary_key=True),
    sql.Column("game", sql.String, primary_key=True),
    sql.Column("puzzle", sql.String, primary_key=True),
    sql.Column("is_first_right", sql.Boolean, nullable=False),
    sql.Column("is_solved", sql.Boolean, nullable=False),
    sql.Column("day", sql.String),
    sql.Column("at", sql.Double, nullable=False),
)
"""Puzzles that somebody with an account has tried, since `at`: whether the first answer was right,
which is what was rated, and whether one was. `day` is the date on which it was solved as the puzzle
of that day."""

PUZZLE_RATING = sql.Table(
    "puzzle_rating",
    METADATA,
    sql.Column("member", sql.String, primary_key=True),
    sql.Column("game", sql.String, primary_key=True),
    sql.Column("mu", sql.Double, nullable=False),
    sql.Column("sigma", sql.Double, nullable=False),
    sql.Column("matches", sql.Integer, nullable=False),
    sql.Column("rated_at", sql.Double, nullable=False),
)
"""The strength of somebody at the puzzles of a game."""

PUZZLE_STRENGTH = sql.Table(
    "puzzle_strength",
    METADATA,
    sql.Column("game", sql.String, primary_key=True),
    sql.Column("puzzle", sql.String, primary_key=True),
    sql.Column("mu", sql.Double, nullable=False),
    sql.Column("sigma", sql.Double, nullable=False),
    sql.Column("matches", sql.Integer, nullable=False),
    sql.Column("rated_at", sql.Double, nullable=False),
)
"""The difficulty of a puzzle, once somebody has tried it."""


class DatabaseTooNew(Exception):
    """A newer program wrote this database."""


def migrate(engine: sql.Engine, target: str = "") -> None:
    """Bring a database to today's schema, or to a version from before, whatever it was; it has to
    be on a disk.

    Raises DatabaseTooNew, or SQLAlchemyError where it cannot be used. Of several processes that
    start at once one does the work; a step that fails leaves everything as it was.
    """
    target = target or versions()[-1]
    own = sql.create_engine(engine.url, poolclass=sql.NullPool, hide_parameters=True)
    if own.dialect.name == "sqlite":
        # While it enforces foreign keys, SQLite cannot make a table anew.
        prepare_sqlite(own, "busy_timeout=30000")
    with own.connect() as connection:
        if version_of(connection) == target:
            return
    with own.execution_options(kibitz_writes=True).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK_ID})")
        before = version_of(connection)
        if before != target:
            _upgrade(connection, before, target)
            extra = {"version": target, "before": before or "nothing"}
            log.info("database brought up to date", extra=extra)
    if own.dialect.name == "sqlite":
        _resize_pages(own)


def _resize_pages(engine: sql.Engine) -> None:
    """Write a file from before anew, in pages of today's size. If somebody else has it open, it
    stays as it is: that costs disk, and nothing else."""
    with suppress(sqlite3.OperationalError), engine.connect() as connection:
        # Not by SQLAlchemy, which would begin a transaction first.
        cursor = connection.connection.cursor()
        if f"page_size={cursor.execute('PRAGMA page_size').fetchone()[0]}" == PAGE_PRAGMA:
            return
        wanted = "busy_timeout=1000", "journal_mode=DELETE", PAGE_PRAGMA
        for statement in (*(f"PRAGMA {each}" for each in wanted), "VACUUM"):
            cursor.execute(statement).fetchall()


@cache
def versions() -> tuple[str, ...]:
    """Of the schema, oldest first."""
    return tuple(sorted(path.name[:4] for path in MIGRATIONS.glob("versions/[0-9]*.py")))


def version_of(connection: sql.Connection) -> str | None:
    """Of a database; None where it is new. Raises DatabaseTooNew."""
    tables = sql.inspect(connection).get_table_names()
    if "alembic_version" in tables:
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        if found is not None and found not in versions():
            raise DatabaseTooNew(found)
        return str(found) if found else None
    return versions()[0] if FIRST_TABLE in tables else None


def _upgrade(connection: sql.Connection, before: str | None, target: str) -> None:
    """Alembic takes long to import, and is needed once."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    if before:
        command.stamp(config, before)
    command.upgrade(config, target)
