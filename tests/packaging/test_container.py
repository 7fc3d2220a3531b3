"""The image and its compose files: what they start is there, works, and says whether it is well."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from kibitz.server.settings import settings_from, unknown_variables
from support.cli_server import Command
from support.cluster.servers import free_port

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "packaging" / "docker"
COMPOSE_FILES = sorted(DOCKER.glob("compose*.yaml"))
HEALTHCHECK = DOCKER / "healthcheck.py"


def instructions() -> list[tuple[str, str]]:
    """The lines of the Dockerfile, continued ones put together."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.M)
    lines = text.replace("\\\n", " ").splitlines()
    return [(word, rest.strip()) for word, _, rest in (x.partition(" ") for x in lines) if word]


def last(word: str) -> str:
    return [rest for found, rest in instructions() if found == word][-1]


def image_environment() -> dict[str, str]:
    return dict(each.split("=", 1) for each in shlex.split(last("ENV")))


def is_well(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(HEALTHCHECK)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("prefix", ["", "/club"])
def test_the_entry_point_serves_and_the_health_check_sees_it(tmp_path: Path, prefix: str) -> None:
    """Both as the Dockerfile has them, and its variables but for the folder and the port."""
    assert json.loads(last("ENTRYPOINT")) == ["kibitz"]
    assert last("HEALTHCHECK").endswith('CMD ["python", "/opt/kibitz/healthcheck.py"]')
    ours = {"KIBITZ_PORT": str(free_port()), "KIBITZ_PATH_PREFIX": prefix}
    theirs = {name: text for name, text in image_environment().items() if "KIBITZ_" in name}
    assert is_well(**ours).returncode == 1
    given = {**theirs, "KIBITZ_DATA": str(tmp_path / "data"), **ours}
    with Command(tmp_path, *json.loads(last("CMD")), **given) as server:
        assert server.address.endswith(ours["KIBITZ_PORT"] + prefix)
        assert is_well(**ours).returncode == 0
        assert server.stop(signal.Signals[last("STOPSIGNAL")]) == 0
    assert "not well" in is_well(**ours).stderr


def test_the_image_runs_as_nobody_special_with_one_volume() -> None:
    assert last("USER") == "10001:10001"
    assert (last("VOLUME"), image_environment()["KIBITZ_DATA"]) == ("/data", "/data")
    assert last("EXPOSE") == image_environment()["KIBITZ_PORT"]


def test_what_the_image_copies_is_there_and_not_ignored() -> None:
    kept = [
        line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[:1] == "!"
    ]
    for word, rest in instructions():
        sources = [] if word != "COPY" or "--from" in rest or rest == ". ." else rest.split()[:-1]
        for name in sources:
            assert (ROOT / name).is_file()
            assert any(name == each or name.startswith(f"{each}/") for each in kept), name
    for name in kept:
        assert (ROOT / name).exists(), name


def compose(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = import_module("yaml").safe_load(file.read_text())
    return found


@pytest.mark.parametrize("file", COMPOSE_FILES, ids=lambda file: file.name)
def test_the_settings_of_a_compose_file_are_settings_of_ours(file: Path) -> None:
    service = compose(file)["services"]["kibitz"]
    environment = {
        name: re.sub(r"\$\{(\w+):\?[^}]*\}", "club.example", value)
        for name, value in service.get("environment", {}).items()
    }
    settings = settings_from(environment)
    assert unknown_variables(environment) == ()
    assert (settings.workers > 1) == bool(settings.redis) == ("cluster" in file.name)
    assert service["read_only"] is True
    assert service["volumes"] == ["kibitz:/data"]
    assert (file.parent / service["build"] / "Dockerfile").is_file()


@pytest.mark.parametrize("file", COMPOSE_FILES, ids=lambda file: file.name)
def test_what_a_compose_file_names_is_there(file: Path) -> None:
    found = compose(file)
    for name, service in found["services"].items():
        for needed in service.get("depends_on", {}):
            has_check = needed == "kibitz" or "healthcheck" in found["services"][needed]
            assert has_check, f"{name} waits for {needed}"
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert (file.parent / source).exists() or source in found["volumes"]


def test_the_proxy_is_trusted_where_there_is_one() -> None:
    for file in COMPOSE_FILES:
        found = compose(file)
        if "caddy" in found["services"]:
            (network,) = found["networks"]["default"]["ipam"]["config"]
            trusted = found["services"]["kibitz"]["environment"]["KIBITZ_TRUSTED_PROXIES"]
            assert trusted == network["subnet"]
            assert "ports" not in found["services"]["kibitz"]
