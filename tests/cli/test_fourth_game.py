"""A fourth game is one folder and one line: tests/duel, declared as docs/adding-a-game.md says."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from support.cli_server import CALL
from support.packaging.installed import ROOT, declare_package, python_path, run_kibitz

TIMEOUT_S = 60.0


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where Python finds Duel."""
    folder = tmp_path_factory.mktemp("site")
    declare_package(folder, "duel", games={"duel": "duel:DUEL"})
    return python_path(ROOT / "tests", folder)


@pytest.fixture
def kibitz(path: str, tmp_path: Path) -> Callable[..., str]:
    def run(*arguments: str, stdin: str = "") -> str:
        ran = run_kibitz(*arguments, path=path, cwd=tmp_path, stdin=stdin)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    return run


def test_it_answers_for_its_rules(kibitz: Callable[..., str]) -> None:
    answer = json.loads(kibitz("rules", stdin='{"game": "duel", "actions": ["c3"]}\n'))
    assert answer["position"] == "0:0/123:123/3/-/AB"


def test_it_is_measured(kibitz: Callable[..., str]) -> None:
    assert "Duel" in kibitz("bench", "duel", "--seconds", "0.1")


def test_it_has_a_report(kibitz: Callable[..., str], tmp_path: Path) -> None:
    told = kibitz("report", "duel", "-n", "6", "--bots", "greedy,random", "--processes", "2")
    assert "actions per game" in told
    assert "Amber" in (tmp_path / "report.html").read_text()


def test_it_has_an_arena_and_its_matches_are_analysed(kibitz: Callable[..., str]) -> None:
    told = json.loads(
        kibitz("arena", "duel", "greedy", "random", "-n", "4", "--json", "--out", "played")
    )
    assert told["games"] == 4
    found = json.loads(kibitz("analyse", "played/games.jsonl", "--line", "1", "--json"))
    assert found["game"] == "duel"
    assert all(sum(each["after"].values()) == pytest.approx(1) for each in found["entries"])


@pytest.mark.long
def test_everything_is_compiled_though_it_has_nothing_to_compile(
    kibitz: Callable[..., str],
) -> None:
    kibitz("compile")


def test_it_is_played_in_a_terminal(path: str, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", CALL, "terminal", "duel", "--bot", "random"],
        env={**os.environ, "PYTHONPATH": path, "TERM": "xterm-256color", "COLUMNS": "100"},
        cwd=tmp_path,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    try:
        assert "Choose a card" in shown_until(ours, "Choose a card")
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def shown_until(terminal: int, words: str) -> str:
    shown, deadline = "", time.monotonic() + TIMEOUT_S
    while words not in shown and time.monotonic() < deadline:
        if select.select([terminal], [], [], 1.0)[0]:
            try:
                shown += os.read(terminal, 1 << 16).decode(errors="replace")
            except OSError:
                break
    return shown
