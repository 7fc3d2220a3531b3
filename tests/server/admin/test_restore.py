"""Going back: to a backup, or to some time."""

from __future__ import annotations

import shutil
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import pytest
from typer.testing import CliRunner, Result

from kibitz.cli import main as cli
from kibitz.core.game import TABLE
from kibitz.core.message import Refused
from kibitz.server.admin.backup import back_up
from kibitz.server.admin.export import stored_row, stored_table
from kibitz.server.admin.restore import Loss, restore_data
from kibitz.server.db import connect
from kibitz.server.db.connect import file_url, write_transaction
from kibitz.server.db.engine import engine_for
from kibitz.server.db.schema import GAME_TABLE, LOG_ROW, MEMBERSHIP, RATED_MATCH, RATING, UPTIME
from kibitz.server.settings import DATABASE_FILE, SECRET_FILE, Settings
from kibitz.server.tables.live.dice import present_seed
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.sealed_dice import commitment
from support.server_process import Guest, Server
from support.stored_matches import APART, BEGAN, contents, keep


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return keep(tmp_path / "data")


@pytest.fixture
def settings(data: Path) -> Settings:
    return Settings(data=data)


@pytest.fixture
def file(data: Path, tmp_path: Path) -> Path:
    back_up(Settings(data=data), tmp_path / "b.zip")
    return tmp_path / "b.zip"


def change(data: Path, *changes: object) -> None:
    engine = engine_for(file_url(data / DATABASE_FILE))
    with write_transaction(engine) as connection:
        for each in changes:
            connection.execute(each)  # type: ignore[call-overload]
    engine.dispose()


def found_in(data: Path) -> dict[str, list[dict[str, object]]]:
    return contents(file_url(data / DATABASE_FILE))


def kibitz(*arguments: str) -> Result:
    return CliRunner().invoke(cli.app, ["restore", *arguments])


def test_it_is_as_it_was(settings: Settings, file: Path) -> None:
    before = found_in(settings.data)
    keep(settings.data, tables=1, first=7)
    (settings.data / SECRET_FILE).write_bytes(b"other" * 9)
    done = restore_data(settings, file)
    assert found_in(settings.data) == before
    assert (settings.data / SECRET_FILE).read_bytes() == b"s" * 32
    assert (done.tables, done.rows) == (3, 18)
    assert done.losses == (Loss("t7", "kalamala", 6, 0, BEGAN + 7 * APART + 60),)
    assert done.old_data_folder
    assert len(contents(file_url(done.old_data_folder / DATABASE_FILE))["game_table"]) == 4
    assert (done.old_data_folder / SECRET_FILE).read_bytes() == b"other" * 9
    assert sorted(path.name for path in settings.data.iterdir()) == sorted(
        [done.old_data_folder.name, DATABASE_FILE, SECRET_FILE]
    )


def test_what_was_written_later_goes(settings: Settings, file: Path) -> None:
    """The third table was not there; the second had its first three rows."""
    done = restore_data(settings, file, until=BEGAN + APART + 35)
    found = found_in(settings.data)
    assert sorted(str(row["id"]) for row in found["game_table"]) == ["t0", "t1"]
    assert len(found["log_row"]) == 9
    assert {row["table_id"] for row in found["membership"]} == {"t0", "t1"}
    assert done.losses == (
        Loss("t1", "kalamala", 6, 3, BEGAN + APART + 60),
        Loss("t2", "kalamala", 6, 0, BEGAN + 2 * APART + 60),
    )


def test_with_a_table_goes_what_is_about_it(settings: Settings) -> None:
    """Whenever that says it was written: a clock may have been wrong."""
    change(settings.data, MEMBERSHIP.update().where(MEMBERSHIP.c.table_id == "t2").values(at=BEGAN))
    restore_data(settings, None, until=BEGAN + APART + 35)
    assert {row["table_id"] for row in found_in(settings.data)["membership"]} == {"t0", "t1"}


def test_without_a_file_the_present_goes_back(settings: Settings) -> None:
    done = restore_data(settings, None, until=BEGAN + 35)
    assert (done.tables, done.rows) == (1, 3)
    assert len(found_in(settings.data)["log_row"]) == 3
    assert done.old_data_folder
    assert len(contents(file_url(done.old_data_folder / DATABASE_FILE))["log_row"]) == 18


def test_after_a_row_that_goes_none_stays(settings: Settings) -> None:
    """A clock may have gone back: what followed the row rests on it."""
    change(settings.data, LOG_ROW.update().where(LOG_ROW.c.seq == 2).values(at=BEGAN + 10 * APART))
    assert restore_data(settings, None, until=BEGAN + 5 * APART).rows == 6


def test_no_clock_runs_on_for_what_went(settings: Settings) -> None:
    change(settings.data, UPTIME.insert().values(started_at=BEGAN, seen_at=BEGAN + 9 * APART))
    restore_data(settings, None, until=BEGAN + 35)
    (uptime,) = found_in(settings.data)["uptime"]
    assert uptime["seen_at"] == BEGAN + 35


def test_a_match_that_was_over_goes_on(settings: Settings) -> None:
    change(settings.data, GAME_TABLE.update().values(is_over=True, due_at=None, claimed_by="w"))
    restore_data(settings, None, until=BEGAN + APART + 35)
    zero, one = sorted(found_in(settings.data)["game_table"], key=lambda row: str(row["id"]))
    assert (zero["is_over"], one["is_over"]) == (True, False)
    assert (zero["claimed_by"], one["claimed_by"]) == ("w", None)


def test_ratings_go_back_with_their_matches(settings: Settings) -> None:
    """Ann was rated after two matches, Bob after the second only."""
    first, second, third = [20.0, 8.0, 0], [21.0, 7.0, 1], [22.0, 6.0, 2]
    change(
        settings.data,
        RATED_MATCH.insert().values(table_id="t0", at=BEGAN + 60, changes={"ann": [first, second]}),
        RATED_MATCH.insert().values(
            table_id="t1",
            at=BEGAN + APART + 60,
            changes={"ann": [second, third], "bob": [first, second]},
        ),
    )
    for member, (mu, sigma, matches) in (("ann", third), ("bob", second)):
        rating = {"mu": mu, "sigma": sigma, "matches": matches, "at": BEGAN + APART + 60}
        change(settings.data, RATING.insert().values(member=member, game="kalamala", **rating))
    restore_data(settings, None, until=BEGAN + APART)
    (left,) = found_in(settings.data)["rating"]
    assert left == {
        "member": "ann",
        "game": "kalamala",
        "mu": 21.0,
        "sigma": 7.0,
        "matches": 1,
        "at": BEGAN + 60,
    }
    assert [row["table_id"] for row in found_in(settings.data)["rated_match"]] == ["t0"]


def test_a_dry_run_changes_nothing(settings: Settings, file: Path) -> None:
    before = found_in(settings.data)
    done = restore_data(settings, file, until=BEGAN + 35, dry_run=True)
    assert found_in(settings.data) == before
    assert sorted(path.name for path in settings.data.glob("[!k]*")) == [SECRET_FILE]
    assert (done.tables, done.rows, done.old_data_folder) == (1, 3, None)
    assert len(done.losses) == 3


def test_a_dry_run_needs_no_folder(file: Path, tmp_path: Path) -> None:
    done = restore_data(Settings(data=tmp_path / "none"), file, dry_run=True)
    assert (done.rows, done.losses) == (18, ())
    assert not (tmp_path / "none").exists()


def test_it_comes_to_a_machine_that_had_nothing(file: Path, tmp_path: Path) -> None:
    done = restore_data(Settings(data=tmp_path / "new"), file)
    assert done.old_data_folder is None
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == [
        DATABASE_FILE,
        SECRET_FILE,
    ]
    assert (tmp_path / "new" / SECRET_FILE).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "new" / DATABASE_FILE).stat().st_mode & 0o777 == 0o600


def test_what_cannot_be_read_any_more_is_replaced(settings: Settings, file: Path) -> None:
    (settings.data / DATABASE_FILE).write_bytes(b"spoilt " * 5000)
    done = restore_data(settings, file)
    assert len(found_in(settings.data)["log_row"]) == 18
    assert done.old_data_folder
    assert (done.old_data_folder / DATABASE_FILE).read_bytes().startswith(b"spoilt")


def test_a_damaged_backup_leaves_everything(settings: Settings, tmp_path: Path) -> None:
    before = found_in(settings.data)
    (tmp_path / "no.zip").write_bytes(b"PK nothing")
    with pytest.raises(Refused) as caught:
        restore_data(settings, tmp_path / "no.zip")
    assert caught.value.refusal.id == "server.file-not-ours"
    assert found_in(settings.data) == before
    assert not list(settings.data.glob("before-*"))


def test_an_old_backup_is_brought_up_to_date(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    source = Path(__file__).parents[1] / "db" / "databases"
    script = next(iter(sorted(source.iterdir())))
    with closing(sqlite3.connect(old / DATABASE_FILE)) as database:
        database.executescript(script.read_text())
    back_up(Settings(data=old), tmp_path / "old.zip")
    done = restore_data(Settings(data=tmp_path / "new"), tmp_path / "old.zip")
    assert done.tables == len(found_in(tmp_path / "new")["game_table"]) > 0


def test_while_a_server_runs_it_is_refused(settings: Settings, file: Path) -> None:
    with Server(settings.data, KIBITZ_DATABASE_URL="", KIBITZ_WORKERS="1") as server:
        Guest(server).opens()
        time.sleep(0.5)
        with pytest.raises(Refused) as caught:
            restore_data(settings, file)
        assert caught.value.refusal.id == "server.still-runs"
        assert restore_data(settings, file, dry_run=True).rows == 18


def test_dice_that_somebody_may_have_seen_fall_differently(settings: Settings) -> None:
    """Matches that go on have a new envelope; one that is over keeps the one it was played by."""
    change(
        settings.data,
        GAME_TABLE.update().values(seed="ab" * 32),
        GAME_TABLE.update().where(GAME_TABLE.c.id == "t0").values(is_over=True),
    )
    restore_data(settings, None, until=BEGAN + APART + 35)
    found = found_in(settings.data)
    zero, one = sorted(found["game_table"], key=lambda row: str(row["id"]))
    (new,) = cast(list[str], one["later_seeds"])
    assert (zero["later_seeds"], one["seed"]) == ([], "ab" * 32)
    assert new != one["seed"]
    rows = [stored_row(row) for row in found["log_row"] if row["table_id"] == "t1"]
    assert [(row.actor, row.text) for row in rows[3:]] == [(TABLE, f"seal {commitment(new)}")]
    live = LiveTable(stored_table(one), rows)
    assert present_seed(live) == new


def test_a_match_that_had_not_begun_gets_a_new_envelope_too(settings: Settings) -> None:
    """Whoever played it after the backup has seen its first draws."""
    change(
        settings.data,
        LOG_ROW.delete().where(LOG_ROW.c.table_id == "t1"),
        GAME_TABLE.update().where(GAME_TABLE.c.id == "t1").values(seed="ab" * 32),
    )
    back_up(settings, settings.data.parent / "fresh.zip")
    restore_data(Settings(data=settings.data.parent / "new"), settings.data.parent / "fresh.zip")
    found = found_in(settings.data.parent / "new")
    (one,) = [row for row in found["game_table"] if row["id"] == "t1"]
    (new,) = cast(list[str], one["later_seeds"])
    rows = [stored_row(row) for row in found["log_row"] if row["table_id"] == "t1"]
    assert [(row.actor, row.text) for row in rows] == [(TABLE, f"seal {commitment(new)}")]
    assert present_seed(LiveTable(stored_table(one), rows)) == new


def test_a_server_goes_on_from_there(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connect, "HEARTBEAT_MAX_AGE_S", 0.0)
    shutil.rmtree(settings.data)
    settings.data.mkdir()
    with Server(settings.data, KIBITZ_DATABASE_URL="", KIBITZ_WORKERS="1") as server:
        ann = Guest(server)
        page = ann.sits_at(table := ann.opens())
        page.acts("@a1")
        until = time.time()
        for _ in range(3):
            page.acts(*page.view["offers"][0]["actions"])
        cookies, length = dict(ann.client.cookies), len(page.codes)
    restore_data(settings, None, until=until)
    with Server(settings.data, KIBITZ_DATABASE_URL="", KIBITZ_WORKERS="1") as server:
        ann = Guest(server)
        ann.client.cookies.update(cookies)
        page = ann.sits_at(table)
        assert len(page.codes) == 1 < length
        assert page.acts(*page.view["offers"][0]["actions"])["type"] == "done"


def test_the_command_says_what_is_lost(settings: Settings, file: Path) -> None:
    at = datetime.fromtimestamp(BEGAN + APART + 35, UTC).isoformat()
    where = ("--data", str(settings.data))
    dry = kibitz(str(file), "--at", at, "--dry-run", *where)
    assert dry.exit_code == 0, dry.exception
    lines = dry.output.splitlines()
    assert lines[0].startswith("Table t1 (Kalamala): last rows lost: 3 (the latest from ")
    assert lines[1].startswith("Table t2 (Kalamala): removed with all its rows: 6 ")
    assert lines[2] == "Dry run: nothing was changed. The result would be 2 tables with 9 rows."
    done = kibitz(str(file), *where)
    assert done.output.splitlines()[0] == "No table loses anything."
    assert "Restored 3 tables with 18 rows." in done.output
    for wrong in ((), ("--at", "yesterday")):
        assert isinstance(kibitz(*wrong, *where).exception, Refused)
