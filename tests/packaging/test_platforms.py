"""A system without POSIX: everything starts and plays as if this were Windows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from kibitz.server import settings
from kibitz.server.settings import settings_from
from support.api_match import ApiMatch
from support.cli_server import CALL
from support.packaging.missing_modules import POSIX_MODULES, POSIX_NAMES, ROOT, environment_without
from support.server_process import Server

SOURCE = ROOT / "src" / "kibitz"
MODULES = sorted(
    ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in SOURCE.rglob("*.py")
    if "skeleton" not in path.parts and "migrations" not in path.parts
)
MSVCRT = """
import subprocess  # Tells the systems apart by this module.
import types
msvcrt = types.ModuleType("msvcrt")
msvcrt.LK_NBLCK = 2
held = set()
def locking(descriptor, mode, count):
    import os
    file = os.fstat(descriptor).st_ino
    if file in held:
        raise PermissionError(13, "locked")
    held.add(file)
msvcrt.locking = locking
sys.modules["msvcrt"] = msvcrt
"""
"""Windows' own module, as far as one process can tell."""
TERMINAL = """
from support.terminal_player import screen_text, sit_down

async def evening(terminal, pilot):
    print("To play: Rings" in screen_text(terminal))

sit_down(evening)
"""


@pytest.fixture
def windows(tmp_path: Path) -> dict[str, str]:
    """The environment of a system without POSIX."""
    made = environment_without(tmp_path / "missing", *POSIX_MODULES, names=POSIX_NAMES)
    with (tmp_path / "missing" / "sitecustomize.py").open("a") as file:
        file.write(MSVCRT)
    return made


def run_python(windows: dict[str, str], program: str, *arguments: str, said: str = "") -> str:
    """The output of a program, which must not fail."""
    ran = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, **windows},
        input=said,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_this_is_a_system_without_posix(windows: dict[str, str]) -> None:
    """The other tests of this file would say nothing otherwise."""
    program = """
import os, signal
for name in ("fcntl", "resource", "termios", "uvloop"):
    try:
        __import__(name)
    except ImportError:
        print(name)
print(hasattr(os, "fork"), hasattr(os, "killpg"), hasattr(signal, "setitimer"))
"""
    printed = run_python(windows, program).split()
    assert printed == ["fcntl", "resource", "termios", "uvloop", "False", "False", "False"]


def test_every_module_can_be_imported(windows: dict[str, str]) -> None:
    program = "import sys, importlib\nfor name in sys.argv[1:]: importlib.import_module(name)"
    run_python(windows, program, *MODULES)


def test_commands_work(windows: dict[str, str]) -> None:
    asked = '{"game": "kalamala", "actions": ["@a1"]}\n'
    assert json.loads(run_python(windows, CALL, "rules", said=asked))["to_act"] == "B"
    assert "A" in run_python(windows, CALL, "draw", "kalamala")


@pytest.mark.parametrize(("game", "bot"), [("kalamala", "level-1"), ("as-kimble", "greedy")])
def test_a_server_starts_and_its_bots_play(
    windows: dict[str, str], tmp_path: Path, game: str, bot: str
) -> None:
    with Server(tmp_path / "data", **windows) as server:
        with ApiMatch(server.address, game, bot) as match:
            assert match.play(2)["seq"] >= 2
        assert "Kahmaté" in httpx.get(server.address).text


def test_a_program_of_somebody_else_plays(windows: dict[str, str], tmp_path: Path) -> None:
    """By pipes that threads read, as Windows can wait for no pipe."""
    bot = f"run:{sys.executable} {ROOT / 'examples' / 'my_program.py'}"
    folder = str(tmp_path / "arena")
    run_python(windows, CALL, "arena", "kalamala", "random", bot, "-n", "2", "--out", folder)
    lines = (tmp_path / "arena" / "games.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["result"] in ("A", "B", "draw") for line in lines] == [True, True]


def test_a_function_that_is_late_is_stopped_without_an_alarm(
    windows: dict[str, str], tmp_path: Path
) -> None:
    bots = tmp_path / "bots.py"
    bots.write_text(
        "def late(view, actions, think):\n    while True:\n        pass\n\n"
        "def quick(view, actions, think):\n    return actions[0]\n"
    )
    program = f"""
from random import Random
from kibitz.bots import spec
from kibitz.bots.player import Forfeit
from kibitz.games import GAMES
import time
game = GAMES["kalamala"].game({{}})
state = game.rules.start()
actions = game.rules.turn_actions(state, "A")
view = game.rules.view(state, "A", ())
since = time.monotonic()
for name in ("late", "quick"):
    asked = spec.read_spec({str(bots)!r} + ":" + name + "@0.1s")
    think = asked.search_context(game, "A", Random(1))
    try:
        print(spec.player_for(asked, str).choose(view, actions, think) == actions[0])
    except Forfeit as forfeit:
        print(forfeit.why.id, time.monotonic() - since < 30)
"""
    assert run_python(windows, program).split() == ["bot.late", "True", "True"]


def test_several_workers_are_refused_with_a_sentence(
    windows: dict[str, str], tmp_path: Path
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", CALL, "serve", "--workers", "2"],
        env={**os.environ, **windows, "KIBITZ_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert ran.stderr == "kibitz: Several workers need Linux or macOS. Here, start one.\n"


def test_the_terminal_starts(windows: dict[str, str]) -> None:
    """Textual has a driver for each system; this one is for none."""
    driver = {"TEXTUAL_DRIVER": "textual.drivers.headless_driver:HeadlessDriver"}
    assert run_python({**windows, **driver}, TERMINAL).split() == ["True"]


# Folders


def test_each_system_has_its_folder_for_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder of the version before, where there was one: nobody's tables may be lost."""
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr(settings, "user_data_path", lambda name, appauthor: tmp_path / name)
    for system, folder in (
        ("win32", tmp_path / "kibitz"),
        ("darwin", tmp_path / "Library" / "Application Support" / "kibitz"),
        ("linux", tmp_path / ".local" / "share" / "kibitz"),
    ):
        monkeypatch.setattr(sys, "platform", system)
        assert settings_from({}).data == folder
    assert settings_from({"KIBITZ_DATA": str(tmp_path / "own")}).data == tmp_path / "own"
