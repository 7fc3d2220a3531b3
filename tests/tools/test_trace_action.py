"""The walk of one action: what a page is really sent is on it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "trace_action.py"


@pytest.mark.long
def test_the_walk_of_an_action_ends_at_the_patches_of_its_pages() -> None:
    run = subprocess.run([sys.executable, TOOL], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    modules = [line.strip() for line in run.stdout.splitlines()]
    assert "server.http.page_line" in modules
    assert "server.tables.telling.patches" in modules
