"""A copy of everything, taken from under a server that goes on."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread
from zipfile import ZipFile

import pytest
import sqlalchemy as sql
from typer.testing import CliRunner, Result

from kibitz.cli import main as cli
from kibitz.core.message import Refused
from kibitz.server.admin.backup import back_up
from kibitz.server.admin.restore import restore_data
from kibitz.server.db.schema import migrate
from kibitz.server.settings import DATABASE_FILE, SECRET_FILE, Settings
from support.cluster.servers import settings_for
from support.server_process import IN_CLUSTER, Guest, Server

WRITES = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA journal_mode=WAL")
for number in range(10**9):
    values = (str(number), "kalamala", "1", "{}", "start", "{}", 1.0, "ann")
    database.execute("BEGIN IMMEDIATE")
    names = "id, game, rules_version, options, start, seats, created_at, owner"
    database.execute(f'INSERT INTO game_table ({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)', values)
    for seq in range(3):
        names = "table_id, seq, actor, member, text, at"
        row = (str(number), seq, "A", "ann", "@a1" * 300, 1.0)
        database.execute(f"INSERT INTO log_row ({names}) VALUES (?, ?, ?, ?, ?, ?)", row)
    database.execute("COMMIT")
    if number % 50 == 0:
        print(number, flush=True)
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    migrate(sql.create_engine(f"sqlite:///{folder / DATABASE_FILE}"))
    (folder / SECRET_FILE).write_bytes(b"s" * 32)
    return folder


@contextmanager
def being_written(data: Path) -> Iterator[None]:
    """Somebody writes to it all the time: a table and its three rows in each transaction."""
    writing = [sys.executable, "-c", WRITES, str(data / DATABASE_FILE)]
    with subprocess.Popen(writing, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        for _ in range(4):
            assert process.stdout.readline()
        try:
            yield
            assert process.poll() is None
        finally:
            process.kill()


def unpack_backup(file: Path, folder: Path) -> Path:
    folder.mkdir()
    with ZipFile(file) as packed:
        packed.extractall(folder)
    return folder


def counts(database: Path) -> tuple[int, int]:
    with closing(sqlite3.connect(database)) as reading:
        assert reading.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        (found,) = reading.execute(
            "SELECT (SELECT count(*) FROM game_table), count(*) FROM log_row"
        )
        return found[0], found[1]


def kibitz(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, ["backup", *arguments])


def test_it_is_whole_while_somebody_writes(data: Path, tmp_path: Path) -> None:
    seen = []
    with being_written(data):
        for number in range(5):
            made = back_up(Settings(data=data), tmp_path / f"{number}.zip")
            copy = unpack_backup(tmp_path / f"{number}.zip", tmp_path / str(number))
            tables, rows = counts(copy / DATABASE_FILE)
            assert rows == 3 * tables
            assert made.tables == tables
            seen.append(tables)
            time.sleep(0.1)
    assert 0 < seen[0] < seen[-1]
    assert (copy / SECRET_FILE).read_bytes() == b"s" * 32
    assert sorted(each.name for each in copy.iterdir()) == [DATABASE_FILE, SECRET_FILE]


def test_what_was_written_last_is_in_it(data: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(data / DATABASE_FILE)) as writing:
        writing.execute("PRAGMA journal_mode=WAL")
        writing.execute("INSERT INTO guest VALUES ('ann', 'Ann', 1.0)")
        writing.commit()
        back_up(Settings(data=data), tmp_path / "b.zip")
        writing.execute("INSERT INTO guest VALUES ('bob', 'Bob', 1.0)")
        writing.commit()
    copy = unpack_backup(tmp_path / "b.zip", tmp_path / "copy")
    with closing(sqlite3.connect(copy / DATABASE_FILE)) as reading:
        assert reading.execute("SELECT id FROM guest").fetchall() == [("ann",)]


def test_only_its_owner_can_read_it(data: Path, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        back_up(Settings(data=data), tmp_path / "b.zip")
        back_up(Settings(data=data), tmp_path / "b.zip", overwrite=True)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "b.zip").stat().st_mode) == 0o600


def test_what_is_there_stays_unless_forced(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.zip"
    file.write_text("precious")
    with pytest.raises(Refused) as caught:
        back_up(Settings(data=data), file)
    assert caught.value.refusal.id == "server.backup-exists"
    assert file.read_text() == "precious"
    assert back_up(Settings(data=data), file, overwrite=True).size_bytes == file.stat().st_size
    assert ZipFile(file).namelist() == [DATABASE_FILE, SECRET_FILE]


def test_what_came_into_being_meanwhile_stays(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "b.zip"
    link = Path.hardlink_to

    def too_late(self: Path, target: Path) -> None:
        file.write_text("precious")
        link(self, target)

    monkeypatch.setattr(Path, "hardlink_to", too_late)
    with pytest.raises(Refused) as caught:
        back_up(Settings(data=data), file)
    assert caught.value.refusal.id == "server.backup-exists"
    assert file.read_text() == "precious"


def test_a_disk_without_links_will_do(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(self: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", unknown)
    back_up(Settings(data=data), tmp_path / "b.zip")
    assert ZipFile(tmp_path / "b.zip").namelist() == [DATABASE_FILE, SECRET_FILE]


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_failure_leaves_nothing_behind(data: Path, tmp_path: Path, overwrite: bool) -> None:
    (tmp_path / "folder").mkdir()
    if overwrite:
        (tmp_path / "folder" / "b.zip").write_text("precious")
    (data / DATABASE_FILE).write_bytes(b"no database " * 1000)
    with pytest.raises(Refused) as caught:
        back_up(Settings(data=data), tmp_path / "folder" / "b.zip", overwrite)
    assert caught.value.refusal.id == "server.backup-unreadable"
    left = [each.name for each in (tmp_path / "folder").iterdir()]
    assert left == (["b.zip"] if overwrite else [])


def test_the_command_tells_how_much_it_saved(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.zip"
    done = kibitz(str(file), "--data", str(data))
    assert done.exit_code == 0
    assert done.output.startswith(f"Wrote 0 tables to {file} (0.0")
    again = kibitz(str(file), "--data", str(data))
    assert isinstance(again.exception, Refused)
    assert kibitz(str(file), "--data", str(data), "--force").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "id"),
    [
        (("b.zip", "--data", "nowhere"), "server.backup-nothing"),
        (("no/such/folder/b.zip",), "cli.cannot-write"),
        (("data", "--force"), "cli.cannot-write"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    data: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], id: str
) -> None:
    monkeypatch.chdir(data.parent)
    monkeypatch.setenv("KIBITZ_DATA", "data")
    error = kibitz(*arguments).exception
    assert isinstance(error, Refused)
    assert error.refusal.id == id


def test_a_server_goes_on_from_a_copy_of_another(tmp_path: Path) -> None:
    """The copy is taken in the middle of play; the same people sit at the same tables."""
    with Server(tmp_path / "data") as server:
        ann = Guest(server)
        table = ann.opens()
        page = ann.sits_at(table)
        here = Settings(data=server.data, database=server.database if IN_CLUSTER else "")
        taking = Thread(target=back_up, args=(here, tmp_path / "b.zip"))
        page.acts("@a1")
        taking.start()
        while taking.is_alive():
            assert page.acts(*page.view["offers"][0]["actions"])["type"] == "done"
        taking.join()
        played, cookies = page.codes, dict(ann.client.cookies)
    copy = tmp_path / "copy"
    database = settings_for(copy)["KIBITZ_DATABASE_URL"] if IN_CLUSTER else ""
    restore_data(Settings(data=copy, database=database), tmp_path / "b.zip")
    with Server(copy) as server:
        ann = Guest(server)
        ann.client.cookies.update(cookies)
        page = ann.sits_at(table)
        assert page.codes
        assert page.codes == played[: len(page.codes)]
        assert page.acts(*page.view["offers"][0]["actions"])["type"] == "done"
