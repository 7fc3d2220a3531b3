"""Continuous integration, issue forms and the rest that a host of code reads: complete and true."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import kibitz

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"))
PACKAGE_HOSTS = re.compile(r"pypi|pythonhosted|npmjs|files\.python|docker\.io|ghcr", re.IGNORECASE)


def read_yaml(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = import_module("yaml").safe_load(file.read_text("utf-8"))
    return found


def steps_of(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job.get("steps", ())]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_what_a_workflow_runs_is_there(file: Path) -> None:
    makefile = (ROOT / "Makefile").read_text()
    runs = [step["run"] for step in steps_of(read_yaml(file)) if "run" in step]
    for run in runs:
        for target in re.findall(r"\bmake ([\w-]+)", run):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
        for name in re.findall(
            r"(?:tools|tests|packaging)/[\w/.-]+\w|requirements[\w-]*\.txt", run
        ):
            assert (ROOT / name).exists() or "*" in run, name
    for step in steps_of(read_yaml(file)):
        assert "run" in step or re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"]), step


def test_every_python_is_tried_on_every_system() -> None:
    matrix = read_yaml(ROOT / ".github/workflows/ci.yml")["jobs"]["platforms"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert {name.partition("-")[0] for name in matrix["system"]} == {"ubuntu", "macos", "windows"}
    project = (ROOT / "pyproject.toml").read_text()
    promised = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', project)
    assert promised == matrix["python"]


def test_there_is_a_job_for_everything_that_is_published() -> None:
    jobs = read_yaml(ROOT / ".github/workflows/ci.yml")["jobs"]
    assert {"check", "test", "platforms", "wheels", "install", "docs", "image"} <= set(jobs)
    assert {"long-tests", "advisories"} <= set(read_yaml(WORKFLOWS[1])["jobs"])


@pytest.mark.parametrize("file", FORMS, ids=lambda file: file.name)
def test_an_issue_form_asks_for_what_is_needed(file: Path) -> None:
    form = read_yaml(file)
    assert form["name"]
    assert form["description"]
    ids = [part["id"] for part in form["body"]]
    assert len(set(ids)) == len(ids)
    assert any(part.get("validations", {}).get("required") for part in form["body"])


def test_the_version_is_the_same_everywhere() -> None:
    assert read_yaml(ROOT / "CITATION.cff")["version"] == kibitz.__version__
    first = re.search(r"^## (\S+), ", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert first
    assert first[1] == kibitz.__version__
    project = (ROOT / "pyproject.toml").read_text()
    assert 'dynamic = ["version"]' in project
    assert not re.search(r"^version = ", project, re.MULTILINE)


def test_no_file_names_a_package_host() -> None:
    """No host of packages is named: whoever installs chooses it, and locks have hashes."""
    files = [*WORKFLOWS, *ROOT.glob("requirements*.txt"), *(ROOT / "packaging").rglob("*.*")]
    for file in (*files, ROOT / "Dockerfile", ROOT / "renovate.json", ROOT / "pyproject.toml"):
        assert not PACKAGE_HOSTS.search(file.read_text("utf-8")), file
    json.loads((ROOT / "renovate.json").read_text())
