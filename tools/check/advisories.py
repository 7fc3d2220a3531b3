"""Ask for known advisories about the versions in the lock files.

    .venv/bin/python tools/check/advisories.py

Asks the OSV database (osv.dev) about every package of requirements*.txt and package-lock.json. The
exit status is 1 if any of them has an advisory, and 0 if none has or nobody could be asked.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import URLError
from urllib.request import Request, urlopen

ROOT = Path(__file__).parents[2]
OSV_URL = "https://api.osv.dev/v1/querybatch"
BATCH = 500
TIMEOUT_S = 30.0


class Package(NamedTuple):
    ecosystem: str
    name: str
    version: str


def locked_packages(root: Path = ROOT) -> list[Package]:
    """Every package of the lock files, once."""
    found = {*_python_packages(root), *_node_packages(root)}
    return sorted(found)


def _python_packages(root: Path) -> Iterator[Package]:
    for file in sorted(root.glob("requirements*.txt")):
        for name, version in re.findall(r"^([\w.-]+)==([^\s;]+)", file.read_text(), re.M):
            yield Package("PyPI", name.lower(), version)


def _node_packages(root: Path) -> Iterator[Package]:
    file = root / "package-lock.json"
    packages = json.loads(file.read_text())["packages"] if file.exists() else {}
    for path, about in packages.items():
        if path and "version" in about:
            yield Package("npm", path.rpartition("node_modules/")[2], about["version"])


def advisories(
    packages: Sequence[Package], ask: Callable[[dict[str, Any]], dict[str, Any]]
) -> Iterator[tuple[Package, str]]:
    """The ids of advisories about packages; raises URLError where nobody answers."""
    for start in range(0, len(packages), BATCH):
        batch = packages[start : start + BATCH]
        queries = [
            {"package": {"ecosystem": each.ecosystem, "name": each.name}, "version": each.version}
            for each in batch
        ]
        answers = ask({"queries": queries})["results"]
        for each, answer in zip(batch, answers, strict=True):
            for found in answer.get("vulns", ()):
                yield each, found["id"]


def ask_osv(question: dict[str, Any]) -> dict[str, Any]:
    request = Request(OSV_URL, json.dumps(question).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=TIMEOUT_S) as answer:
        told: dict[str, Any] = json.load(answer)
    return told


def main() -> int:
    packages = locked_packages()
    try:
        found = list(advisories(packages, ask_osv))
    except (URLError, TimeoutError, OSError) as error:
        print(f"advisories not checked, as osv.dev cannot be asked: {error}")
        return 0
    for package, advisory in found:
        print(f"{package.name} {package.version}: https://osv.dev/{advisory}")
    print(f"{len(packages)} packages, {len(found)} advisories")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
