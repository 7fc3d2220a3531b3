"""README tells the truth: its examples run, and so does every command it names."""

from __future__ import annotations

import doctest
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.cli_server import Command

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "bench"))

FreshStart: Any = import_module("start").FreshStart
README = (ROOT / "README.md").read_text(encoding="utf-8")
KIBITZ = Path(sys.executable).with_name("kibitz")
NAMED = list(dict.fromkeys(re.findall(r"`kibitz ([a-z][^`]*)`", README)))
LESS = {
    "analyse match.json": "--nodes 100",
    "bench": "kalamala --seconds 0.1",
    "report as-kimble": "-n 4 --processes 1",
    "setup": "--yes",
    "strength kalamala": "-n 2 --seconds 0.01",
}
"""Arguments that make a command of README do less of the same."""
WHOLE_SCREEN = b"\x1b[?1049h"
"""A program takes the whole screen."""
RECORD = {"kibitz": 1, "game": "kalamala", "rules": "1", "options": {}, "start": "start"}
TIMEOUT_S = 120.0


def run(command: str, folder: Path) -> str:
    """What it prints; the data of `kibitz` are in that folder."""
    environment = {**os.environ, "KIBITZ_DATA": str(folder / "data")}
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def test_the_examples_run() -> None:
    found = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert found.attempted > 4
    assert found.failed == 0


def test_a_terminal_takes_the_whole_screen(tmp_path: Path) -> None:
    (command,) = [each for each in NAMED if each.startswith("terminal")]
    screen, inside = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
    process = subprocess.Popen(
        [KIBITZ, *command.split()],
        stdin=inside,
        stdout=inside,
        stderr=inside,
        cwd=tmp_path,
        env=environment,
    )
    os.close(inside)
    shown, ends = b"", time.monotonic() + TIMEOUT_S
    while WHOLE_SCREEN not in shown and time.monotonic() < ends:
        if select.select([screen], [], [], 0.2)[0]:
            shown += os.read(screen, 65536)
    process.kill()
    process.wait()
    os.close(screen)
    assert WHOLE_SCREEN in shown


@pytest.mark.long
def test_make_play_shows_a_board_in_a_fresh_clone(tmp_path: Path) -> None:
    """Of the last commit; the data are elsewhere, and the server ends when it is told to.

    `make test`, the other command, is what runs this.
    """
    assert "    make play\n" in README
    start = FreshStart("HEAD", tmp_path)
    try:
        start.wait_for_page()
        with httpx.Client(base_url=start.address, follow_redirects=True) as browser:
            asked = {"game": "kalamala", "seats": {"A": "me", "B": "greedy"}}
            table = browser.post("/api/v1/tables", json=asked).raise_for_status().json()
            position = browser.get(f"/api/v1/tables/{table['id']}/position").raise_for_status()
            assert position.json()["to_act"] == ["A"]
            browser.get(f"/t/{table['id']}").raise_for_status()
            _, board = browser.get("/").raise_for_status().text.split('<a id="living"')
            assert "<svg" in board.split("</a>")[0]
    finally:
        start.stop()
    assert (tmp_path / "data" / "kibitz.db").exists()
    with pytest.raises(httpx.ConnectError):
        httpx.get(start.address)


def test_kibitz_is_not_started_from_a_package_index() -> None:
    """`uvx` and `pipx` ask an index for `kibitz`, where nothing of ours is before it is published.

    Until then they would run what somebody else published, so no test runs these lines. What they
    install is a wheel, and `tests/packaging/test_installed.py` plays from one.
    """
    lines = re.findall(r"^    ((?:uvx|pipx) .*)$", README, re.MULTILINE)
    assert lines == ["uvx kibitz play", "pipx install kibitz"]
    assert "play" in run(f"{KIBITZ} --help", ROOT)


def test_others_on_the_network_can_join(tmp_path: Path) -> None:
    assert "    .venv/bin/kibitz serve --lan\n" in README
    with Command(tmp_path, "serve", "--lan", KIBITZ_PORT="0") as command:
        assert command.address
        assert command.output.count("http://") == 2


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a record, and data that can be backed up."""
    folder = tmp_path_factory.mktemp("readme")
    record = {**RECORD, "actions": ["@a1", "@b1"], "result": "*"}
    (folder / "match.json").write_text(json.dumps(record), encoding="utf-8")
    with Command(folder, "serve", KIBITZ_PORT="0") as server:
        httpx.post(f"{server.address}/api/v1/tables", json={"game": "kalamala"}).raise_for_status()
        server.stop()
    return folder


@pytest.mark.parametrize(
    "command", [each for each in NAMED if not each.startswith(("terminal", "rules"))]
)
def test_every_command_does_what_it_is_named_for(command: str, workplace: Path) -> None:
    run(f"{KIBITZ} {command} {LESS.get(command, '')}", workplace)
    for made in re.findall(r"\S+\.(?:png|db|zip)", command):
        assert (workplace / made).stat().st_size > 100


def test_programs_ask_about_the_rules(tmp_path: Path) -> None:
    (command,) = re.findall(r"^    (echo .* \| )\.venv/bin/kibitz rules$", README, re.MULTILINE)
    answer = json.loads(run(f"{command} {KIBITZ} rules", tmp_path))
    assert answer["to_act"] == "B"


def test_every_page_it_links_to_is_there() -> None:
    pages = [page for page in re.findall(r"\]\(([^)]+)\)", README) if "://" not in page]
    assert len(pages) > 8
    assert not [page for page in pages if not (ROOT / page).exists()]


def test_every_make_target_it_names_is_there() -> None:
    targets = re.findall(r"^    make ([\w-]+)", README, re.MULTILINE)
    assert {"play", "test"} <= set(targets)
    for target in targets:
        done = subprocess.run(["make", "--dry-run", target], cwd=ROOT, capture_output=True)
        assert done.returncode == 0, done.stderr
    assert shutil.which("make")
