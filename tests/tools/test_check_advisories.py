"""The versions in the lock files are asked about, all of them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from support.cli_server import ROOT

sys.path.insert(0, str(ROOT / "tools" / "check"))

check_advisories: Any = importlib.import_module("advisories")
Package = check_advisories.Package


def test_every_locked_package_is_asked_about() -> None:
    packages = check_advisories.locked_packages()
    names = {each.name for each in packages}
    assert {"litestar", "uvicorn", "eslint", "uv"} <= names
    locks = "".join(file.read_text() for file in ROOT.glob("requirements*.txt"))
    assert {each.name for each in packages if each.ecosystem == "PyPI"} == {
        line.split("==")[0].lower() for line in locks.splitlines() if "==" in line
    }


def test_an_advisory_is_told_with_its_package() -> None:
    asked = list[dict[str, Any]]()

    def ask(question: dict[str, Any]) -> dict[str, Any]:
        asked.append(question)
        return {"results": [{}, {"vulns": [{"id": "GHSA-1"}]}]}

    packages = [Package("PyPI", "anyio", "4.0"), Package("npm", "eslint", "9.0")]
    assert list(check_advisories.advisories(packages, ask)) == [(packages[1], "GHSA-1")]
    assert asked[0]["queries"][1] == {
        "package": {"ecosystem": "npm", "name": "eslint"},
        "version": "9.0",
    }


def test_without_a_network_nothing_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def unreachable(question: dict[str, Any]) -> dict[str, Any]:
        raise OSError("no route")

    monkeypatch.setattr(check_advisories, "ask_osv", unreachable)
    assert check_advisories.main() == 0
    assert "not checked" in capsys.readouterr().out


def test_no_lock_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "requirements-x.txt").write_text("Foo==1.0 \\\n    --hash=sha256:0\n")
    assert check_advisories.locked_packages(tmp_path) == [Package("PyPI", "foo", "1.0")]


def test_a_check_with_an_advisory_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def tell(question: dict[str, Any]) -> dict[str, Any]:
        is_bad = [each["package"]["name"] == "litestar" for each in question["queries"]]
        return {"results": [{"vulns": [{"id": "GHSA-1"}]} if bad else {} for bad in is_bad]}

    monkeypatch.setattr(check_advisories, "ask_osv", tell)
    assert check_advisories.main() == 1
    assert "https://osv.dev/GHSA-1" in capsys.readouterr().out
    monkeypatch.setattr(
        check_advisories, "ask_osv", lambda q: {"results": [{}] * len(q["queries"])}
    )
    assert check_advisories.main() == 0
