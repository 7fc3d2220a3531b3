"""`kibitz new-game`: what it writes can be installed, keeps the laws, and is found with its bot."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from kibitz.cli.main import app
from kibitz.cli.new_game import write_new_game
from kibitz.core.game import Rulebook
from laws.laws import LAWS, AnyGame, random_play_ends, some_options
from support.packaging.installed import declare_package, python_path, run_kibitz

NAME = "river-stones"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_new_game(NAME, tmp_path_factory.mktemp("new") / NAME)


@pytest.fixture(scope="module")
def site(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where its wheel is installed, and a package beside it whose game and bot are broken."""
    target = tmp_path_factory.mktemp("site")
    build = ["-m", "hatchling", "build", "-t", "wheel", "-d", str(target / "wheels")]
    subprocess.run([sys.executable, *build], cwd=folder, check=True, capture_output=True)
    (wheel,) = (target / "wheels").iterdir()
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target"]
    subprocess.run([sys.executable, *install, target, wheel], check=True, capture_output=True)
    declare_package(target, "broken", games={"mire": "nowhere:GAME"}, bots={"ox": "json:decoder"})
    return target


def test_a_wheel_brings_a_game_and_its_bot(site: Path, tmp_path: Path) -> None:
    path, line = python_path(site), json.dumps({"game": NAME, "actions": ["take 3"]})
    ran = run_kibitz("rules", path=path, cwd=tmp_path, stdin=f"{line}\n")
    assert json.loads(ran.stdout)["position"] == "9 B"
    bots = (f"{NAME}.perfect", "random")
    ran = run_kibitz("arena", NAME, *bots, "-n", "20", "--json", path=path, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    scores = {each["bot"]: each["score"]["value"] for each in json.loads(ran.stdout)["bots"]}
    assert scores[bots[0]] > 0.7


def test_what_is_broken_is_left_out_with_a_sentence(site: Path, tmp_path: Path) -> None:
    ran = run_kibitz("arena", "mire", "ox", "random", path=python_path(site), cwd=tmp_path)
    assert ran.returncode == 2
    assert (
        "mire of the package broken (kibitz.games) is left out: ModuleNotFoundError" in ran.stderr
    )
    assert f"kalamala, as-kimble, {NAME}" in ran.stderr
    ran = run_kibitz("arena", NAME, "ox", "random", path=python_path(site), cwd=tmp_path)
    assert "ox of the package broken (kibitz.bots) is left out: TypeError" in ran.stderr


def test_its_bot_plays_no_other_game(site: Path, tmp_path: Path) -> None:
    bots = (f"{NAME}.perfect", "random")
    ran = run_kibitz("arena", "kalamala", *bots, path=python_path(site), cwd=tmp_path)
    assert ran.returncode == 2
    assert f"{NAME}.perfect" in ran.stderr


def test_its_own_tests_pass(folder: Path, site: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", "tests"],
        cwd=folder,
        env={"PYTHONPATH": python_path(site), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout


@pytest.fixture
def rulebook(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Rulebook:
    monkeypatch.syspath_prepend(folder / "src")
    found: Rulebook = import_module(f"{NAME.replace('-', '_')}.game").RULEBOOK
    return found


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_it_keeps_the_laws(law: Callable[[AnyGame, Random], None], rulebook: Rulebook) -> None:
    for seed in range(10):
        rng = Random(seed)
        law(rulebook.game(some_options(rulebook, rng)), rng)
    random_play_ends(rulebook.game(rulebook.preset), Random(1))


@pytest.mark.parametrize("name", ["Stones", "river_stones", "kalamala", "9-stones", "-", "a" * 25])
def test_a_name_must_be_a_name(name: str, tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["new-game", "--folder", str(tmp_path / "x"), "--", name])
    assert told.exit_code != 0
    assert not (tmp_path / "x").exists()


def test_what_is_there_is_not_written_over(folder: Path) -> None:
    before = (folder / "README.md").read_text()
    told = CliRunner().invoke(app, ["new-game", NAME, "--folder", str(folder)])
    assert told.exit_code != 0
    assert (folder / "README.md").read_text() == before


def test_no_placeholder_is_left(folder: Path) -> None:
    for file in folder.rglob("*"):
        text = file.read_text() if file.is_file() and "__pycache__" not in file.parts else ""
        assert not any(word in text for word in ("game_package", "game-name", "Game Title"))
