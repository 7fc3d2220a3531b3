"""What is compiled, how far that is, and who does it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.bots import compilation
from kibitz.games import GAMES

ENGINES = {name: rulebook.extras["bots"] for name, rulebook in GAMES.items()}
VERSION = "".join(map(str, sys.version_info[:2]))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for what is compiled."""
    monkeypatch.setattr(compilation, "_compiled_folder", lambda: tmp_path)
    return tmp_path


def stamp(folder: Path, part: str) -> None:
    (folder / f"{part}.{sys.implementation.cache_tag}.done").touch()


def test_a_game_is_compiled_once_its_engine_is(folder: Path) -> None:
    assert compilation.uncompiled_games() == set(GAMES)
    stamp(folder, ENGINES["kalamala"])
    assert compilation.uncompiled_games() == set(GAMES) - {"kalamala"}


def test_what_another_python_compiled_does_not_count(folder: Path) -> None:
    (folder / f"{ENGINES['kalamala']}.cpython-27.done").touch()
    assert "kalamala" in compilation.uncompiled_games()


def test_the_percentage_grows_with_functions_and_ends_with_the_last_engine(folder: Path) -> None:
    assert compilation.compiled_percent() == 0
    for n in range(100):
        (folder / f"f-{n}.py{VERSION}.nbi").touch()
        (folder / f"f-{n}.py27.nbi").touch()
    some = compilation.compiled_percent()
    assert 10 < some < 50
    for n in range(100, 1000):
        (folder / f"f-{n}.py{VERSION}.nbi").touch()
    assert compilation.compiled_percent() == 99
    for part in ENGINES.values():
        stamp(folder, part)
    assert compilation.compiled_percent() == 100


def test_without_a_compiler_nothing_is_to_be_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "_compiled_folder", lambda: None)
    assert compilation.uncompiled_games() == frozenset()
    assert compilation.compiled_percent() == 100


def test_a_process_that_plays_does_not_wait_for_the_compiler(tmp_path: Path) -> None:
    """It is asked in a process of its own, as it is for good there."""
    program = f"""
import pathlib, sys
from kibitz.bots import compilation
compilation._compiled_folder = lambda: pathlib.Path({str(tmp_path)!r})
compilation.COMMAND = (sys.executable, "-c", "import sys; sys.stdin.read()")
with compilation.compile_behind("kalamala"):
    print(compilation.runs_compiled())
    from kibitz.core.bits import popcount
    print(int(popcount(7)), type(popcount).__name__)
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ran.stdout.split()[:2] == ["False", "3"], ran.stderr


def test_it_ends_with_whoever_started_it(tmp_path: Path) -> None:
    """Its standard input is what it holds on to; another process has the lock here."""
    program = f"""
import pathlib
from kibitz.bots import compilation
compilation._compiled_folder = lambda: pathlib.Path({str(tmp_path)!r})
compilation.lock_file = lambda file: False
compilation.main()
"""
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE) as running:
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(1)
        assert running.stdin
        running.stdin.close()
        assert running.wait(60) == 1
