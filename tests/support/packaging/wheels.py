"""Wheels of this checkout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def build_wheel(folder: Path, **settings: str) -> Path:
    """Build one into a folder: for every platform, unless settings name one."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        env={**os.environ, **settings},
        capture_output=True,
        check=True,
    )
    (made,) = folder.glob("*.whl")
    return made
