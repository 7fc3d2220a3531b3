"""Tables that leave one host and come to another."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
import sqlalchemy as sql
from typer.testing import CliRunner

from kibitz.cli import main as cli
from kibitz.core.message import Refused
from kibitz.core.record import read_record, verify
from kibitz.games import game_of
from kibitz.server.admin import dump
from kibitz.server.admin.export import SERVER_TABLES, export_tables, import_tables
from kibitz.server.db.connect import file_url
from kibitz.server.db.engine import engine_for
from kibitz.server.db.schema import CHAT, GAME_TABLE, GUEST, LOG_ROW, METADATA
from kibitz.server.settings import DATABASE_FILE, Settings
from support.stored_matches import contents, keep

SHARED = "game_table", "log_row", "membership", "guest"


def settings_in(data: Path) -> Settings:
    return Settings(data=data)


def url_in(data: Path) -> str:
    return file_url(data / DATABASE_FILE)


def change(data: Path, *changes: sql.Executable) -> None:
    engine = engine_for(url_in(data))
    with engine.execution_options(kibitz_writes=True).begin() as connection:
        for each in changes:
            connection.execute(each)
    engine.dispose()


def refused_by(data: Path, file: Path) -> str:
    """Why nothing was imported; and nothing was."""
    before = contents(url_in(data))
    with pytest.raises(Refused) as caught:
        import_tables(settings_in(data), file)
    assert contents(url_in(data)) == before
    return caught.value.refusal.id


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return keep(tmp_path / "here")


@pytest.fixture
def file(here: Path, tmp_path: Path) -> Path:
    export_tables(settings_in(here), tmp_path / "all.zip")
    return tmp_path / "all.zip"


def test_rows_that_travel_have_keys_of_their_own_and_values_that_json_has() -> None:
    for table in METADATA.sorted_tables:
        number = table.autoincrement_column
        assert table in SERVER_TABLES or number is None or number.foreign_keys
        assert not any(isinstance(column.type, sql.LargeBinary) for column in table.c)


def test_all_of_it_comes_to_an_empty_host(here: Path, file: Path, tmp_path: Path) -> None:
    done = import_tables(settings_in(tmp_path / "there"), file)
    assert (done.tables, done.rows, done.known_tables) == (3, 18, 0)
    old, new = contents(url_in(here)), contents(url_in(tmp_path / "there"))
    for name in SHARED:
        assert new[name] == old[name], name
    assert new["server_setting"] == new["uptime"] == []


def test_what_workers_of_another_host_do_is_theirs(here: Path, tmp_path: Path) -> None:
    change(here, GAME_TABLE.update().values(claimed_by="w", claimed_until=1e12))
    export_tables(settings_in(here), tmp_path / "f.zip")
    import_tables(settings_in(tmp_path / "there"), tmp_path / "f.zip")
    for row in contents(url_in(tmp_path / "there"))["game_table"]:
        assert (row["claimed_by"], row["claimed_until"]) == (None, None)


def test_only_its_owner_can_read_it_and_it_holds_every_record(file: Path) -> None:
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with ZipFile(file) as packed:
        assert "secret" not in packed.namelist()
        for number in range(3):
            record = read_record(packed.read(f"records/kalamala-t{number}.json").decode())
            assert len(record.actions) == 6
            assert verify(game_of(record), record) is None
            assert record.extras["teams"]["A"]["name"] == "Ann"


def test_a_second_time_changes_nothing(here: Path, file: Path) -> None:
    before = contents(url_in(here))
    done = import_tables(settings_in(here), file)
    assert (done.tables, done.rows, done.known_tables) == (0, 0, 3)
    assert contents(url_in(here)) == before


def test_one_table_comes_alone_with_its_people(here: Path, tmp_path: Path) -> None:
    change(here, GUEST.insert().values(id="eve", name="Eve", created_at=1.0))
    export_tables(settings_in(here), tmp_path / "one.zip", ["t1"])
    import_tables(settings_in(tmp_path / "there"), tmp_path / "one.zip")
    found = contents(url_in(tmp_path / "there"))
    assert [row["id"] for row in found["game_table"]] == ["t1"]
    assert len(found["log_row"]) == 6
    assert {row["name"] for row in found["guest"]} == {"Ann", "Bob"}
    with pytest.raises(Refused) as caught:
        export_tables(settings_in(here), tmp_path / "none.zip", ["t1", "t9"])
    assert caught.value.refusal.id == "server.export-no-table"
    assert not (tmp_path / "none.zip").exists()


def test_what_is_new_comes_to_what_is_here(file: Path, tmp_path: Path) -> None:
    """A shorter copy of a match gets the rest of it; another match stays as it is."""
    there = keep(tmp_path / "there", tables=2, first=2)
    change(
        there,
        LOG_ROW.delete().where((LOG_ROW.c.table_id == "t2") & (LOG_ROW.c.seq >= 4)),
        GAME_TABLE.update().where(GAME_TABLE.c.id == "t2").values(due_at=None),
        GUEST.update().where(GUEST.c.id == "bob").values(name="Robert"),
    )
    done = import_tables(settings_in(there), file)
    assert (done.tables, done.rows, done.known_tables) == (2, 14, 1)
    found = contents(url_in(there))
    assert len(found["log_row"]) == 4 * 6
    assert {row["name"] for row in found["guest"]} == {"Ann", "Robert"}
    assert all(row["due_at"] for row in found["game_table"])


def test_a_match_that_went_on_differently_is_refused(here: Path, file: Path) -> None:
    change(here, LOG_ROW.update().where(LOG_ROW.c.seq == 5).values(text="else"))
    change(here, GAME_TABLE.delete().where(GAME_TABLE.c.id == "t9"))
    assert refused_by(here, file) == "server.import-conflict"


@pytest.mark.parametrize("column", ["game", "seed", "owner"])
def test_another_table_of_that_name_is_refused(here: Path, file: Path, column: str) -> None:
    change(here, GAME_TABLE.update().where(GAME_TABLE.c.id == "t0").values({column: "other"}))
    assert refused_by(here, file) == "server.import-conflict"


def test_other_words_at_a_table_are_refused(here: Path, tmp_path: Path) -> None:
    said = {"table_id": "t0", "n": 1, "kind": "say", "room": "seats", "member": "ann", "at": 1.0}
    change(here, CHAT.insert().values(text="hello", **said))
    export_tables(settings_in(here), tmp_path / "f.zip")
    change(here, CHAT.update().values(text="bye"))
    assert refused_by(here, tmp_path / "f.zip") == "server.import-conflict"


def test_how_a_table_stands_may_differ(here: Path, file: Path) -> None:
    change(
        here,
        GAME_TABLE.update().values(due_at=None, is_over=True, claimed_by="w", claimed_until=1.0),
    )
    before = contents(url_in(here))
    import_tables(settings_in(here), file)
    assert contents(url_in(here)) == before


def rewritten(file: Path, name: str, text: bytes) -> Path:
    changed = file.with_name(f"changed-{file.name}")
    with ZipFile(file) as old, ZipFile(changed, "w", ZIP_DEFLATED) as new:
        for each in old.namelist():
            new.writestr(each, text if each == name else old.read(each))
    return changed


def test_a_file_that_was_changed_is_refused(here: Path, file: Path, tmp_path: Path) -> None:
    with ZipFile(file) as packed:
        lines = packed.read("rows/log_row.jsonl")
        about = json.loads(packed.read("kibitz.json"))
    short = rewritten(file, "rows/log_row.jsonl", b"".join(lines.splitlines(True)[:-1]))
    assert refused_by(here, short) == "server.file-damaged"
    other = rewritten(file, "rows/log_row.jsonl", lines.replace(b'"bob"', b'"eve"', 1))
    assert refused_by(here, other) == "server.file-damaged"
    newer = rewritten(file, "kibitz.json", json.dumps({**about, "schema": "9999"}).encode())
    assert refused_by(here, newer) == "server.file-too-new"
    (tmp_path / "text.zip").write_text("no zip")
    assert refused_by(here, tmp_path / "text.zip") == "server.file-not-ours"
    assert refused_by(here, tmp_path / "nowhere.zip") == "cli.cannot-read"


def test_a_line_without_end_is_not_read(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger's file may be small on disk and have a line that fills the memory."""
    there = keep(tmp_path / "there", tables=1)
    monkeypatch.setattr(dump, "MAX_LINE_BYTES", 40)
    assert refused_by(there, file) == "server.file-damaged"


def test_operators_commands_print_json_for_programs(here: Path, tmp_path: Path) -> None:
    def json_of(*arguments: str, data: Path = here) -> dict[str, object]:
        done = CliRunner().invoke(cli.app, [*arguments, "--json", "--data", str(data)])
        assert done.exit_code == 0, done.output
        found: dict[str, object] = json.loads(done.output)
        return found

    copy, tables = str(tmp_path / "copy.zip"), str(tmp_path / "tables.zip")
    assert json_of("backup", copy) == {
        "file": copy,
        "tables": 3,
        "bytes": Path(copy).stat().st_size,
    }
    exported = json_of("export", tables)
    assert (exported["tables"], exported["unreadable"]) == (3, 0)
    there = tmp_path / "there"
    assert json_of("import", tables, data=there) == {"tables": 3, "rows": 18, "known": 0}
    restored = json_of("restore", copy, "--dry-run")
    assert (restored["tables"], restored["losses"], restored["old_data_folder"]) == (3, [], None)
