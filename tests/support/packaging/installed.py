"""Packages that declare games and bots by entry points, and the command that finds them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from support.cli_server import CALL

ROOT = Path(__file__).parents[3]


def declare_package(folder: Path, name: str, **groups: Mapping[str, str]) -> None:
    """What an installer leaves of a package in a folder of PYTHONPATH; its code is elsewhere."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [
        line
        for group, points in groups.items()
        for line in (f"[kibitz.{group}]", *(f"{key} = {value}" for key, value in points.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


def python_path(*folders: Path) -> str:
    """Ours, and these folders."""
    return os.pathsep.join(map(str, (ROOT / "src", *folders)))


def run_kibitz(
    *arguments: str | Path, path: str, cwd: Path, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """The command with these arguments, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", CALL, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path},
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
