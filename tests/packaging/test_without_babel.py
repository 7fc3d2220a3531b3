"""A wheel needs no Babel: it has its words compiled, and what it needs to know of languages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from zipfile import ZipFile

import pytest

from kibitz.cli.new_game import write_new_game
from kibitz.i18n import LANGUAGES
from kibitz.i18n.formats import date_text, locale_data
from support.cli_server import CALL
from support.languages.language_texts import all_texts
from support.packaging.installed import declare_package
from support.packaging.missing_modules import environment_without
from support.packaging.wheels import build_wheel
from support.server_process import Guest, Server

NEARLY_WON = "13/13/13/11T1/13/9o3/13/13 R play - l4 123456/123456 0-0 9 -"
"""Red is one step from a try."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder where the wheel is installed."""
    folder = tmp_path_factory.mktemp("site")
    ZipFile(build_wheel(tmp_path_factory.mktemp("dist"))).extractall(folder)
    return folder


@pytest.fixture(scope="module")
def installation(site: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of an installation of the wheel, without Babel."""
    return environment_without(tmp_path_factory.mktemp("missing"), "babel", source=site)


@pytest.fixture(scope="module")
def server(
    installation: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data"), **installation) as server:
        yield server


def run(
    environment: dict[str, str], *arguments: str, said: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONUTF8": "1", **environment},
        input=said,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )


def test_babel_cannot_be_imported_and_the_package_is_that_of_the_wheel(
    installation: dict[str, str], site: Path
) -> None:
    """The other tests of this file would say nothing otherwise."""
    ran = run(installation, "-c", "import kibitz; print(kibitz.__file__); import babel.core")
    assert ran.stdout.strip() == str(site / "kibitz" / "__init__.py")
    assert "ModuleNotFoundError" in ran.stderr


def test_an_installation_writes_all_that_a_checkout_writes(installation: dict[str, str]) -> None:
    ran = run(installation, "-m", "support.languages.language_texts")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == all_texts()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_server_speaks_every_language(server: Server, language: str) -> None:
    guest = Guest(server)
    guest.client.headers["Accept-Language"] = language
    home = guest.client.get("/").text
    assert f'<html lang="{language}"' in home
    for each in LANGUAGES:
        assert locale_data(each).name.capitalize() in home
    begun = datetime.now()
    table = guest.begins("kahmate", {"R": "me", "B": "me"}, start=NEARLY_WON, options={"tries": 1})
    guest.sits_at(table).does("l4-m4")
    result = guest.client.get(f"{table}/result").text
    days = {date_text(language, begun), date_text(language, datetime.now())}
    assert any(day in result for day in days)


def test_a_game_of_another_package_has_its_words(
    installation: dict[str, str], tmp_path: Path
) -> None:
    """They are not compiled: its author needs nothing to do that."""
    folder = write_new_game("pebbles", tmp_path / "pebbles")
    declare_package(tmp_path, "pebbles", games={"pebbles": "pebbles.game:RULEBOOK"})
    path = os.pathsep.join((installation["PYTHONPATH"], str(folder / "src"), str(tmp_path)))
    question = json.dumps({"game": "pebbles", "actions": ["take 9"]})
    ran = run({"PYTHONPATH": path}, "-c", CALL, "rules", said=f"{question}\n")
    assert "You may take 3 at most." in json.loads(ran.stdout)["why"]


def test_a_checkout_without_babel_says_what_it_needs(tmp_path: Path) -> None:
    environment = environment_without(tmp_path / "missing", "babel")
    environment |= {"KIBITZ_DATA": str(tmp_path / "data"), "KIBITZ_LANGUAGE": "en"}
    ran = run(environment, "-c", CALL, "serve", "--port", "0")
    sentence = 'src/kibitz/i18n needs babel, which is not installed: pip install "kibitz[build]"'
    assert (ran.returncode, ran.stderr.splitlines()) == (2, [f"kibitz: {sentence}"])
