"""A database of any version becomes one of today's, and none is lost on the way."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from kibitz.server.db import schema
from kibitz.server.db.schema import (
    GAME_TABLE,
    LOG_ROW,
    MEMBERSHIP,
    METADATA,
    DatabaseTooNew,
    migrate,
    versions,
)
from support.cli_server import ROOT
from support.cluster.needed import NEEDED
from support.cluster.servers import database_for

OLD = (Path(__file__).parent / "databases" / "0.1.0.sql").read_text()
HERE = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
STARTS = """
import sys, sqlalchemy
from kibitz.server.db.schema import migrate
engine = sqlalchemy.create_engine(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
migrate(engine)
"""


@pytest.fixture(params=["file", pytest.param("postgresql", marks=NEEDED)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> sql.Engine:
    """A database that is still empty."""
    if request.param == "file":
        return in_file(tmp_path)
    made = sql.make_url(database_for(tmp_path)).set(drivername="postgresql+psycopg")
    return sql.create_engine(made, poolclass=sql.NullPool)


@pytest.fixture
def old(tmp_path: Path) -> sql.Engine:
    """One from before migrations, when there were only files."""
    engine = in_file(tmp_path)
    run_script(engine, OLD)
    return engine


def in_file(folder: Path) -> sql.Engine:
    return sql.create_engine(f"sqlite:///{folder / 'kibitz.db'}", poolclass=sql.NullPool)


def run_script(engine: sql.Engine, script: str) -> None:
    database = sqlite3.connect(str(engine.url.database))
    database.executescript(script)
    database.close()


def does(engine: sql.Engine, statement: str) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql(statement)


def differences(engine: sql.Engine, metadata: sql.MetaData) -> list[Any]:
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_server_default": compare_defaults}
        )
        found: list[Any] = compare_metadata(context, metadata)
        return found


def compare_defaults(
    context: MigrationContext, found: sql.Column[Any], *more: object
) -> bool | None:
    """As it is done for every column, but PostgreSQL cannot compare JSON."""
    is_json = isinstance(found.type, sql.JSON)
    return False if is_json and context.dialect.name == "postgresql" else None


def version(engine: sql.Engine) -> list[str]:
    with engine.connect() as connection:
        found = connection.exec_driver_sql("SELECT version_num FROM alembic_version")
        return [row[0] for row in found]


def contents(engine: sql.Engine) -> list[Any]:
    with engine.connect() as connection:
        tables = connection.execute(GAME_TABLE.select().order_by(GAME_TABLE.c.id)).all()
        rows = connection.execute(
            LOG_ROW.select().order_by(LOG_ROW.c.table_id, LOG_ROW.c.seq)
        ).all()
        return [*tables, *rows]


def test_a_fresh_database_is_what_the_code_expects(engine: sql.Engine) -> None:
    migrate(engine)
    assert differences(engine, METADATA) == []
    assert version(engine) == [versions()[-1]]


@pytest.mark.parametrize(
    "change",
    [
        lambda tables: tables["guest"].append_column(sql.Column("rating", sql.Double)),
        lambda tables: sql.Index("ix_membership_at", tables["membership"].c.at),
        lambda tables: sql.Table("forgotten", tables["guest"].metadata, sql.Column("id", sql.Text)),
        lambda tables: setattr(tables["game_table"].c.due_at, "type", sql.Text()),
        lambda tables: setattr(tables["game_table"].c.seed, "nullable", False),
    ],
)
def test_a_change_without_a_migration_is_noticed(engine: sql.Engine, change: Any) -> None:
    migrate(engine)
    changed = sql.MetaData()
    for table in METADATA.sorted_tables:
        table.to_metadata(changed)
    change(changed.tables)
    assert differences(engine, changed)


def test_a_database_from_before_migrations_keeps_all_it_has(old: sql.Engine) -> None:
    migrate(old)
    assert differences(old, METADATA) == []
    seats = {"A": {"members": ["ann"]}, "B": {"bot": "greedy"}}
    options = {"repetition": "ko", "turn_limit": 0}
    new: tuple[Any, ...] = ({}, None, [], False, False, None, None, None, None, None)
    both = {"A": {"members": ["bob"]}, "B": {"members": ["bob"]}}
    assert contents(old) == [
        ("kah", "kahmate", "1", {}, "start", both, 1700000001.25, "bob", *new),
        ("kal", "kalamala", "1", options, "start", seats, 1700000000.5, "ann", *new),
        ("kal", 0, "A", "ann", "@a1", "k1", 1700000002.125, 0.0),
        ("kal", 1, "A", "ann", "back 0", None, 1700000002.125, 0.0),
        ("kal", 2, "A", "ann", "@b1 'é'", "k2", 1700000002.125, 0.0),
    ]


def test_whoever_opened_a_table_before_finds_it_among_theirs(old: sql.Engine) -> None:
    migrate(old)
    with old.connect() as connection:
        owners = connection.execute(sql.select(GAME_TABLE.c.id, GAME_TABLE.c.owner)).all()
        visits = connection.execute(sql.select(MEMBERSHIP.c.table_id, MEMBERSHIP.c.member)).all()
    assert owners
    assert set(visits) == set(owners)


def test_a_file_from_before_is_written_anew_in_small_pages(old: sql.Engine) -> None:
    assert page_bytes(old) == 4096
    migrate(old)
    assert page_bytes(old) == 1024
    assert len(contents(old)) == 5


def test_a_file_that_somebody_reads_keeps_its_pages(old: sql.Engine) -> None:
    with closing(sqlite3.connect(str(old.url.database), isolation_level=None)) as reading:
        reading.execute("PRAGMA journal_mode=WAL")
        reading.execute("BEGIN")
        reading.execute('SELECT * FROM "table"').fetchall()
        migrate(old)
    assert page_bytes(old) == 4096
    assert len(contents(old)) == 5


def page_bytes(engine: sql.Engine) -> int:
    with engine.connect() as connection:
        return int(connection.exec_driver_sql("PRAGMA page_size").scalar_one())


def test_a_database_at_any_version_goes_on_from_there(old: sql.Engine) -> None:
    marked = "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);"
    run_script(old, f"{marked} INSERT INTO alembic_version VALUES ('{versions()[0]}')")
    migrate(old)
    assert differences(old, METADATA) == []
    assert len(contents(old)) == 5


def test_todays_database_is_left_alone_and_alembic_is_not_even_imported(
    engine: sql.Engine,
) -> None:
    migrate(engine)
    script = f"{STARTS}\nassert not [name for name in sys.modules if 'alembic' in name]"
    starting = [sys.executable, "-c", script, str(engine.url)]
    subprocess.run(starting, env=HERE, input="", text=True, check=True)


def test_todays_database_need_not_wait_for_whoever_writes(old: sql.Engine) -> None:
    migrate(old)
    with closing(sqlite3.connect(str(old.url.database), isolation_level=None)) as writing:
        writing.execute("PRAGMA journal_mode=WAL")
        writing.execute("BEGIN IMMEDIATE")
        started = time.monotonic()
        migrate(old)
        assert time.monotonic() - started < 10


def test_a_database_of_a_newer_program_is_refused_and_untouched(engine: sql.Engine) -> None:
    migrate(engine)
    does(engine, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(DatabaseTooNew, match="9999"):
        migrate(engine)
    assert version(engine) == ["9999"]


def test_a_step_that_fails_leaves_everything_as_it_was(old: sql.Engine) -> None:
    run_script(old, "CREATE TABLE uptime (mine INTEGER);")
    with pytest.raises(sql.exc.OperationalError, match="uptime"):
        migrate(old)
    with old.connect() as connection:
        found = sql.inspect(connection)
        assert set(found.get_table_names()) == {"table", "row", "uptime"}
        assert [column["name"] for column in found.get_columns("row")][-1] == "at"


def test_a_step_that_fails_makes_nothing(engine: sql.Engine) -> None:
    does(engine, "CREATE TABLE uptime (mine INTEGER)")
    with pytest.raises(sql.exc.DBAPIError, match="uptime"):
        migrate(engine)
    with engine.connect() as connection:
        assert sql.inspect(connection).get_table_names() == ["uptime"]


def started_at_once(engine: sql.Engine) -> list[str]:
    """What several processes that come to a database together complain of."""
    script = f"import alembic.command\n{STARTS}"
    address = engine.url.render_as_string(hide_password=False)
    starting = [
        subprocess.Popen(
            [sys.executable, "-c", script, address],
            env=HERE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    for process in starting:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in starting:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    return [process.communicate()[1] for process in starting]


def test_of_several_that_start_at_once_one_migrates(old: sql.Engine) -> None:
    assert started_at_once(old) == [""] * 6
    assert differences(old, METADATA) == []
    assert len(contents(old)) == 5


def test_of_several_that_start_at_once_on_nothing_one_migrates(engine: sql.Engine) -> None:
    assert started_at_once(engine) == [""] * 6
    assert differences(engine, METADATA) == []


def test_every_version_is_a_step_from_the_one_before() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    steps = [step.revision for step in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(reversed(steps)) == versions()
