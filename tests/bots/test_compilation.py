"""The native library: how far it is, who builds it, and what bots do meanwhile."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.bots import compilation
from kibitz.core.message import Refused
from kibitz.core.targets import sources


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for what is compiled."""
    monkeypatch.setattr(sources, "CACHE_ROOT", tmp_path)
    made = sources.build_folder()
    made.mkdir()
    return made


def test_a_library_is_missing_until_it_is_in_the_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compilation.is_library_missing()
    monkeypatch.setenv("KIBITZ_TARGET", "python")
    assert not compilation.is_library_missing()
    monkeypatch.delenv("KIBITZ_TARGET")
    (folder / sources.native_name()).touch()
    assert not compilation.is_library_missing()


def test_without_a_compiler_nothing_is_missing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilation, "has_numba", lambda: False)
    assert not compilation.is_library_missing()


def test_the_percentage_grows_with_functions_and_never_says_that_all_is_done(folder: Path) -> None:
    assert compilation.built_percent() == 0
    for game in ("kahmate", "kalamala"):
        sources.progress_file(game).write_bytes(b"." * 50)
    assert 5 < compilation.built_percent() < 30
    sources.progress_file("kahmate").write_bytes(b"." * 10_000)
    assert compilation.built_percent() == 99


def test_a_build_leaves_nearly_the_percentage_that_it_is_counted_by() -> None:
    """Of the library that these tests run on, where it was built on this machine."""
    written = [path.stat().st_size for path in sources.build_folder().glob("*.progress")]
    assert 0.8 < sum(written) / sources.step_count() < 1.0


def test_a_missing_linker_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "which", lambda program: None)
    monkeypatch.setitem(sys.modules, "ziglang", None)
    with pytest.raises(Refused) as refused:
        compilation.require_compiler("kibitz compile")
    assert dict(refused.value.refusal.values)["package"] == "ziglang"


def run_python(program: str) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split()


def test_a_process_that_plays_answers_at_once_and_goes_over_to_the_library(tmp_path: Path) -> None:
    """It is asked in a process of its own, as it is for good there."""
    program = f"""
import pathlib, shutil, sys
from kibitz.bots import compilation
from kibitz.core import targets
from kibitz.core.targets import sources
from kibitz.games.kalamala.kernel import KERNEL
from kibitz.games.kalamala import kalamala
built = sources.native_library()
sources.CACHE_ROOT = pathlib.Path({str(tmp_path)!r})
compilation.COMMAND = (sys.executable, "-c", "import sys; sys.stdin.read()")
options, p, words = KERNEL.option_codes(kalamala().options), KERNEL.blank(), KERNEL.new_words()
with compilation.build_behind():
    KERNEL.start(options, p)
    print(targets.chosen_target(), KERNEL.legal(options, p, 0, words))
    sources.build_folder().mkdir()
    shutil.copy(built, sources.build_folder())
    targets.take_library()
    print(targets.chosen_target(), KERNEL.legal(options, p, 0, words))
print("numba" in sys.modules)
"""
    assert run_python(program) == ["python", "80", "native", "80", "False"]


def test_it_ends_with_whoever_started_it(tmp_path: Path) -> None:
    """Its standard input is what it holds on to; another process has the lock here."""
    program = f"""
import pathlib
from kibitz.bots import compilation
compilation.build_folder = lambda: pathlib.Path({str(tmp_path)!r})
compilation.lock_file = lambda file: False
compilation.main()
"""
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE) as running:
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(1)
        assert running.stdin
        running.stdin.close()
        assert running.wait(60) == 1
