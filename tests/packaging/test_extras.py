"""An installation without the extras works, and a sentence names what is missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.api_match import ApiMatch
from support.cli_server import CALL
from support.packaging.missing_modules import HOST_PACKAGES, JIT_PACKAGES, environment_without
from support.server_process import Server

EXTRAS = (*HOST_PACKAGES, *JIT_PACKAGES)
QUESTION = '{"game": "kalamala", "actions": ["@a1"], "view": "B"}'


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """The environment of an installation without extras, nor a library for its platform."""
    made = environment_without(tmp_path / "missing", *EXTRAS)
    return made | {"XDG_CACHE_HOME": str(tmp_path / "cache")}


def kibitz(
    bare: dict[str, str], *arguments: str, said: str = "", **more: str
) -> tuple[int, str, str]:
    """The command's exit code, output and errors."""
    ran = subprocess.run(
        [sys.executable, "-c", CALL, *arguments],
        env={**os.environ, **bare, **more},
        input=said,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return ran.returncode, ran.stdout, ran.stderr


def test_the_packages_cannot_be_imported_here(bare: dict[str, str]) -> None:
    """The other tests of this file would say nothing otherwise."""
    for package in EXTRAS:
        ran = subprocess.run(
            [sys.executable, "-c", f"import {package}"],
            env={**os.environ, **bare},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "ModuleNotFoundError" in ran.stderr


def test_the_rules_need_no_extra(bare: dict[str, str]) -> None:
    code, answered, complaints = kibitz(bare, "rules", said=QUESTION + "\n")
    assert (code, complaints) == (0, "")
    assert json.loads(answered)["to_act"] == "B"


@pytest.mark.parametrize(
    ("arguments", "settings", "sentence"),
    [
        (
            ("serve", "--port", "0"),
            {"KIBITZ_DATABASE_URL": "postgresql://localhost/x"},
            'PostgreSQL needs psycopg, which is not installed: pip install "kibitz[host]"',
        ),
        (
            ("serve", "--port", "0"),
            {"KIBITZ_REDIS_URL": "redis://localhost"},
            'KIBITZ_REDIS_URL needs redis, which is not installed: pip install "kibitz[host]"',
        ),
        (
            ("backup", "copy.zip"),
            {"KIBITZ_DATABASE_URL": "postgresql://localhost/x"},
            'PostgreSQL needs psycopg, which is not installed: pip install "kibitz[host]"',
        ),
        (
            ("compile",),
            {},
            'kibitz compile needs numba, which is not installed: pip install "kibitz[jit]"',
        ),
    ],
)
def test_a_missing_extra_is_a_sentence(
    bare: dict[str, str],
    tmp_path: Path,
    arguments: tuple[str, ...],
    settings: dict[str, str],
    sentence: str,
) -> None:
    code, _, complaints = kibitz(bare, *arguments, KIBITZ_DATA=str(tmp_path / "data"), **settings)
    assert (code, complaints.splitlines()[-1]) == (2, f"kibitz: {sentence}")


def test_the_doctor_names_the_extras(bare: dict[str, str], tmp_path: Path) -> None:
    settings = {
        "KIBITZ_DATA": str(tmp_path),
        "KIBITZ_DATABASE_URL": "postgresql://localhost/x",
        "KIBITZ_REDIS_URL": "redis://localhost",
    }
    code, told, complaints = kibitz(bare, "doctor", "--json", **settings)
    assert (code, complaints) == (2, "")
    found: dict[str, Any] = {each["about"]: each for each in json.loads(told)["findings"]}
    for about, status, extra in (
        ("database", "error", "kibitz[host]"),
        ("redis", "error", "kibitz[host]"),
        ("kernels", "warning", "kibitz[jit]"),
    ):
        assert found[about]["status"] == status
        assert extra in found[about]["sentence"]


@pytest.mark.parametrize(
    ("game", "bot", "choices"),
    [("kalamala", "level-1", 3), ("kahmate", "level-2", 7), ("as-kimble", "level-3", 4)],
)
def test_a_server_without_extras_plays_with_bots(
    bare: dict[str, str], tmp_path: Path, game: str, bot: str, choices: int
) -> None:
    """Kahmaté's bot places its men, too: a minute's search where nothing is compiled."""
    with Server(tmp_path / "data", **bare) as server, ApiMatch(server.address, game, bot) as match:
        assert match.play(choices)["seq"] >= choices


def test_metrics_without_their_package_are_a_sentence(bare: dict[str, str], tmp_path: Path) -> None:
    with Server(tmp_path / "data", **bare) as server:
        answer = httpx.get(f"{server.address}/metrics", headers={"Accept": "application/json"})
        assert answer.status_code == 404
        assert "kibitz[host]" in answer.text
        assert httpx.get(f"{server.address}/health").json() == {"status": "ok"}
