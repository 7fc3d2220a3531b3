"""One source, every target: the same answers from all of them, bit for bit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kibitz.bots.kahmate.card_mixes import duel_solver
from kibitz.core.floats import exp, log
from kibitz.core.jit import u64
from kibitz.core.targets import (
    JIT,
    NATIVE,
    PYTHON,
    KernelFunction,
    door_in_use,
    native_library,
    sources,
    target_in_use,
)
from kibitz.core.targets.library import Library
from support.targets.matches import (
    NAMES,
    bots_game,
    choices,
    kernel_of,
    random_matches,
    random_steps,
)

pytestmark = pytest.mark.usefixtures("library")

# Equal targets: plain Python at once, and at length Numba, which has to compile everything first.


@pytest.mark.parametrize("name", NAMES)
def test_random_matches_are_the_same_in_plain_python(name: str) -> None:
    assert random_matches(name, NATIVE, 2) == random_matches(name, PYTHON, 2)


@pytest.mark.parametrize("name", NAMES)
def test_the_face_answers_the_same_in_plain_python(name: str) -> None:
    for seed in range(3):
        assert random_steps(name, NATIVE, 60, seed) == random_steps(name, PYTHON, 60, seed)


@pytest.mark.parametrize("name", NAMES)
def test_every_level_chooses_the_same_in_plain_python(name: str) -> None:
    assert choices(name, NATIVE, 1, 10) == choices(name, PYTHON, 1, 10)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_20_000_random_matches_are_the_same_on_every_target(name: str) -> None:
    assert random_matches(name, NATIVE, 20_000) == random_matches(name, JIT, 20_000)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_the_face_answers_the_same_on_every_target(name: str) -> None:
    for seed in range(200):
        assert random_steps(name, NATIVE, 500, seed) == random_steps(name, JIT, 500, seed)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_every_level_chooses_the_same_in_200_positions(name: str) -> None:
    assert choices(name, NATIVE, 200, 3000, 7) == choices(name, JIT, 200, 3000, 7)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_plain_python_is_the_same_at_length(name: str) -> None:
    assert random_matches(name, NATIVE, 100) == random_matches(name, PYTHON, 100)
    assert choices(name, NATIVE, 5, 100, 7) == choices(name, PYTHON, 5, 100, 7)


@pytest.mark.long
def test_solved_duels_are_the_same_on_every_target() -> None:
    """They are kept by the process, so no choice would tell."""
    found = []
    for target in (NATIVE, JIT):
        with target_in_use(target):
            found.append([each.tobytes() for each in duel_solver.__wrapped__()])
    assert found[0] == found[1]


def test_exp_and_log_are_the_same_everywhere_and_nearly_right() -> None:
    rng = np.random.default_rng(3)
    powers, numbers = rng.uniform(-40, 40, 300), rng.uniform(0.1, 1e7, 300)
    for function, values, exact in ((exp, powers, np.exp), (log, numbers, np.log)):
        found = []
        for target in (PYTHON, JIT):
            with target_in_use(target):
                found.append([float(function(float(each))) for each in values])
        assert found[0] == found[1]
        assert np.allclose(found[0], exact(values), rtol=1e-15, atol=0)


def test_every_function_that_bots_call_is_an_entry_of_the_library(library: Path) -> None:
    """Without Numba anything else would run as plain Python."""
    entries, missing = Library(library).entries, set[str]()

    def open_native(function: KernelFunction) -> object:
        if function.name not in entries:
            missing.add(function.name)
        return function.version(NATIVE)

    with door_in_use(open_native):  # type: ignore[arg-type]
        for name in NAMES:
            choices(name, NATIVE, 2, 200)
            random_steps(name, NATIVE, 10)
    assert not missing


def test_bots_play_where_numba_is_not_installed() -> None:
    script = """
import sys, importlib.util
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("numba", "llvmlite"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Blocked())
from kibitz.core import targets
targets.has_numba = lambda: False
from support.targets.matches import NAMES, choices, random_matches
assert targets.chosen_target() == "native"
for name in NAMES:
    assert choices(name, "native", 1, 500)
    assert random_matches(name, "native", 3)
"""
    run_script(script)


def test_importing_the_door_loads_no_compiler() -> None:
    run_script(
        "import sys, kibitz.core.targets, kibitz.bots.registry\n"
        "from kibitz.games import GAMES, extra_of\n"
        "[extra_of(name, 'kernel') for name in GAMES]\n"
        "assert not {'numba', 'llvmlite'} & set(sys.modules)"
    )


def run_script(script: str) -> None:
    tests = Path(__file__).parents[1]
    paths = f"import sys; sys.path[:0] = [{str(tests)!r}, {str(tests.parent / 'src')!r}]\n"
    ran = subprocess.run(
        [sys.executable, "-c", paths + script], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr[-3000:]


def test_a_library_of_other_sources_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "sources_digest", lambda: "0" * 16)
    assert native_library() is None


def test_wrong_memory_is_refused_before_it_is_used(library: Path) -> None:
    kernel, loaded = kernel_of("kalamala"), Library(library)
    legal = loaded.entry("kibitz.games.kalamala.kernel.face.legal")
    assert legal
    options, p = kernel.option_codes(bots_game("kalamala").options), kernel.blank()
    words = kernel.new_words()
    with pytest.raises(TypeError, match="not a record"):
        legal(options, options, 0, words)
    with pytest.raises(TypeError, match="not a plain array"):
        legal(options, p, 0, words.astype(np.int32))
    with pytest.raises(TypeError, match="not a plain array"):
        legal(options, p, 0, np.zeros(2 * len(words), np.uint64)[::2])
    with pytest.raises(TypeError, match="takes 4 values"):
        legal(options, p, 0)
    assert loaded.entry("kibitz.nowhere") is None
    kernel.start(options, p)
    assert legal(options, p, u64(0), words) == 80
