"""From a file to PostgreSQL and back: the same rows, or nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sql
from typer.testing import CliRunner

from kibitz.cli import main as cli
from kibitz.core.message import Refused
from kibitz.server.admin import dump
from kibitz.server.admin.backup import back_up
from kibitz.server.admin.copy_to_postgres import copy_database
from kibitz.server.admin.dump import DatabaseSource
from kibitz.server.admin.export import export_tables, import_tables
from kibitz.server.admin.restore import restore_data
from kibitz.server.db import connect
from kibitz.server.db.connect import file_url, write_transaction
from kibitz.server.db.engine import engine_for
from kibitz.server.db.schema import GAME_TABLE, GUEST, LOG_ROW, UPTIME
from kibitz.server.settings import DATABASE_FILE, SECRET_FILE, Settings
from support.cluster.servers import Postgres, missing
from support.stored_matches import BEGAN, contents, keep

pytestmark = pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}")


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.close()


@pytest.fixture
def database(postgres: Postgres) -> str:
    return postgres.new_database()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = keep(tmp_path / "data")
    change(url_in(folder), UPTIME.insert().values(id=7, started_at=BEGAN, seen_at=BEGAN + 100))
    return folder


def url_in(data: Path) -> str:
    return file_url(data / DATABASE_FILE)


def change(url: str, *changes: sql.Executable) -> None:
    engine = engine_for(url)
    with write_transaction(engine) as connection:
        for each in changes:
            connection.execute(each)
    engine.dispose()


def refusal_of(data: Path, database: str) -> str:
    with pytest.raises(Refused) as caught:
        copy_database(data, database)
    return caught.value.refusal.id


def test_everything_arrives_and_the_file_stays(data: Path, database: str) -> None:
    before = contents(url_in(data))
    done = copy_database(data, database)
    assert (done.tables, done.rows) == (3, 18)
    assert contents(database) == before == contents(url_in(data))


def test_what_is_numbered_goes_on_after_what_came(data: Path, database: str) -> None:
    copy_database(data, database)
    change(database, UPTIME.insert().values(started_at=1.0, seen_at=2.0))
    assert sorted(row["id"] for row in contents(database)["uptime"]) == [7, 8]


def test_a_database_with_something_in_it_is_refused(data: Path, database: str) -> None:
    assert copy_database(data, database)
    change(database, LOG_ROW.delete(), GAME_TABLE.delete().where(GAME_TABLE.c.id == "nothing"))
    left = contents(database)
    assert refusal_of(data, database) == "server.migrate-not-empty"
    assert contents(database) == left


def test_what_differs_on_arrival_is_not_moved(
    data: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = DatabaseSource.rows

    def careless(self: DatabaseSource, table: sql.Table) -> Iterator[dump.Row]:
        for row in rows(self, table):
            is_there = self._connection.dialect.name == "postgresql"
            yield {**row, "text": "other"} if is_there and table is LOG_ROW else row

    monkeypatch.setattr(DatabaseSource, "rows", careless)
    assert refusal_of(data, database) == "server.migrate-differs"
    monkeypatch.undo()
    assert not any(contents(database).values())
    assert copy_database(data, database).rows == 18


def test_what_postgres_cannot_take_leaves_it_empty(data: Path, database: str) -> None:
    change(url_in(data), GUEST.insert().values(id="nul", name="a\0b", created_at=1.0))
    assert refusal_of(data, database) == "server.no-database"
    assert not any(contents(database).values())


def test_nothing_moves_from_under_a_server(
    data: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that goes on is refused; one that stopped a moment ago is waited for."""
    now = time.time()
    change(url_in(data), UPTIME.update().values(seen_at=now))

    def goes_on(seconds: float) -> None:
        change(url_in(data), UPTIME.update().values(seen_at=now + 1))

    monkeypatch.setattr("kibitz.server.db.connect.time.sleep", goes_on)
    assert refusal_of(data, database) == "server.still-runs"
    monkeypatch.undo()
    monkeypatch.setattr(connect, "HEARTBEAT_MAX_AGE_S", 2.0)
    assert copy_database(data, database).tables == 3
    assert time.time() - now > 2


def test_a_clock_that_went_back_is_not_waited_for_long(
    data: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(url_in(data), UPTIME.update().values(seen_at=time.time() + 3600))
    monkeypatch.setattr(connect, "HEARTBEAT_MAX_AGE_S", 2.0)
    assert copy_database(data, database).tables == 3


def test_nowhere_is_no_place_to_move_to(data: Path, tmp_path: Path, postgres: Postgres) -> None:
    assert refusal_of(tmp_path / "empty", postgres.url("none")) == "server.backup-nothing"
    wrong = postgres.url("none").replace("kibitz@", "kibitz:hush@")
    with pytest.raises(Refused) as caught:
        copy_database(data, wrong)
    assert caught.value.refusal.id == "server.no-database"
    assert "hush" not in str(caught.value.refusal)


def test_the_command_says_what_to_do_then(data: Path, database: str) -> None:
    done = CliRunner().invoke(cli.app, ["migrate", database, "--data", str(data)])
    assert done.exit_code == 0, done.exception
    assert done.output.startswith("Moved and verified: 3 tables, 18 rows.\n")
    assert "KIBITZ_DATABASE_URL" in done.output
    for wrong in ("mysql://x", "nonsense", ""):
        error = CliRunner().invoke(cli.app, ["migrate", wrong, "--data", str(data)]).exception
        assert isinstance(error, Refused)


def test_export_and_import_go_both_ways(data: Path, database: str, tmp_path: Path) -> None:
    there = Settings(data=tmp_path / "there", database=database)
    export_tables(Settings(data=data), tmp_path / "a.zip")
    assert import_tables(there, tmp_path / "a.zip").rows == 18
    assert import_tables(there, tmp_path / "a.zip").rows == 0
    export_tables(there, tmp_path / "b.zip")
    import_tables(Settings(data=tmp_path / "back"), tmp_path / "b.zip")
    old, new = contents(url_in(data)), contents(url_in(tmp_path / "back"))
    for name in ("game_table", "log_row", "membership", "guest"):
        assert old[name] == new[name]


def test_a_backup_of_either_comes_back_in_either(
    data: Path, database: str, postgres: Postgres, tmp_path: Path
) -> None:
    before = contents(url_in(data))
    back_up(Settings(data=data), tmp_path / "file.zip")
    there = Settings(data=tmp_path / "there", database=database)
    restore_data(there, tmp_path / "file.zip")
    assert contents(database) == before
    assert (tmp_path / "there" / SECRET_FILE).read_bytes() == b"s" * 32
    done = back_up(there, tmp_path / "rows.zip")
    assert done.tables == 3
    restore_data(Settings(data=tmp_path / "again"), tmp_path / "rows.zip")
    assert contents(url_in(tmp_path / "again")) == before
    assert (tmp_path / "again" / SECRET_FILE).read_bytes() == b"s" * 32


def test_what_was_in_postgres_is_kept(database: str, tmp_path: Path) -> None:
    there = Settings(data=keep(tmp_path / "there", database=database), database=database)
    before = contents(database)
    back_up(there, tmp_path / "b.zip")
    change(database, LOG_ROW.delete(), GUEST.update().values(name="Nobody"))
    changed = contents(database)
    done = restore_data(there, tmp_path / "b.zip", until=BEGAN + 1015)
    assert done.rows == 7
    assert len(contents(database)["log_row"]) == 7
    assert done.old_data_folder
    restore_data(there, done.old_data_folder / "tables.zip")
    assert contents(database) == changed != before
