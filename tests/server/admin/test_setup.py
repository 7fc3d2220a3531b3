"""`kibitz setup`: five answers become files that systemd and the server understand."""

from __future__ import annotations

import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kibitz.cli import main as cli
from kibitz.core.message import Refused
from kibitz.server.admin.setup import UNIT_FOLDERS, Answers, write_files
from kibitz.server.settings import settings_from
from support.docs.doc_pages import DOCS, blocks

SYSTEMD = shutil.which("systemd-analyze") or ""
UNITS = ("kibitz.service", "kibitz-backup.service", "kibitz-backup.timer")


def set_up(folder: Path, *answers: str) -> Result:
    said = "".join(f"{answer}\n" for answer in answers)
    return CliRunner().invoke(cli.app, ["setup", "--out", str(folder)], input=said)


def settings_of(folder: Path) -> dict[str, str]:
    lines = (folder / "kibitz.env").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


def test_answers_become_settings(tmp_path: Path) -> None:
    out, data = tmp_path / "out", tmp_path / "data"
    done = set_up(out, "network", "8080", str(data), "https://club.example", str(tmp_path / "b"))
    assert done.exit_code == 0, done.output
    assert settings_of(out) == {
        "KIBITZ_HOST": "0.0.0.0",
        "KIBITZ_PORT": "8080",
        "KIBITZ_DATA": str(data),
        "KIBITZ_PUBLIC_URL": "https://club.example",
        "KIBITZ_BACKUPS": str(tmp_path / "b"),
    }
    assert settings_from(settings_of(out)).port == 8080
    assert stat.S_IMODE((out / "kibitz.env").stat().st_mode) == 0o600
    unit = (out / "kibitz.service").read_text()
    assert f"KIBITZ_DATA={data}" in unit
    assert f"ReadWritePaths={data}" in unit
    assert str(tmp_path / "b") in (out / "kibitz-backup.service").read_text()
    assert "systemctl enable --now kibitz.service kibitz-backup.timer" in done.output
    assert "Port 8080" in done.output


def test_a_wrong_answer_is_explained_and_asked_again(tmp_path: Path) -> None:
    answers = ("everybody", "proxy", "http", "8001", str(tmp_path), "club", "", " ")
    done = set_up(tmp_path / "out", *answers)
    assert done.exit_code == 0, done.output
    assert "Answer with one of: proxy, network." in done.output
    assert done.output.count("Which port?") == 2
    assert done.output.count("At which address") == 2
    assert settings_of(tmp_path / "out") == {
        "KIBITZ_HOST": "127.0.0.1",
        "KIBITZ_PORT": "8001",
        "KIBITZ_DATA": str(tmp_path),
    }
    assert not (tmp_path / "out" / "kibitz-backup.timer").exists()


def test_without_backups_nothing_of_them_is_installed(tmp_path: Path) -> None:
    done = set_up(tmp_path / "out", "", "", str(tmp_path), "", " ")
    assert "backup.timer" not in done.output


def test_files_that_are_there_stay(tmp_path: Path) -> None:
    answers = Answers(data=tmp_path)
    write_files(answers, tmp_path)
    (tmp_path / "kibitz.env").write_text("mine")
    with pytest.raises(Refused) as refused:
        write_files(answers, tmp_path)
    assert refused.value.refusal.id == "server.setup-exists"
    assert (tmp_path / "kibitz.env").read_text() == "mine"
    write_files(answers, tmp_path, force=True)
    assert (tmp_path / "kibitz.env").read_text() != "mine"


def test_the_guide_shows_the_units_that_are_written() -> None:
    page = (DOCS / "hosting.md").read_text("utf-8")
    shown = [block.text for block in blocks(page) if block.kind == "ini"]
    folder = next(each for each in UNIT_FOLDERS if each.exists())
    assert shown == [(folder / name).read_text().rstrip("\n") for name in UNITS]


@pytest.mark.skipif(not SYSTEMD, reason="not installed: systemd")
def test_systemd_takes_what_is_written(tmp_path: Path) -> None:
    write_files(Answers(data=tmp_path / "data", backups=tmp_path / "backups"), tmp_path)
    for name in UNITS:
        asked = [SYSTEMD, "verify", "--man=no", "--recursive-errors=no", str(tmp_path / name)]
        done = subprocess.run(asked, capture_output=True, text=True, cwd=tmp_path, check=False)
        assert [line for line in done.stderr.splitlines() if name in line] == []
