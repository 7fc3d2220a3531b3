"""No request makes the server fail, however it is malformed (`tools/fuzz.py` prints more)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.cli_server import ROOT
from support.fuzz import fuzz

ORDINARY, LONG = 2_500, 20_000


def test_no_request_is_answered_by_a_failure(tmp_path: Path) -> None:
    found = fuzz(tmp_path, seed=1, requests=ORDINARY)
    assert found.faults == []
    assert found.requests == ORDINARY
    assert found.statuses.keys() >= {200, 400, 404}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 6))
def test_a_hundred_thousand_requests_are_answered_without_a_failure(
    tmp_path: Path, seed: int
) -> None:
    found = fuzz(tmp_path, seed, requests=LONG)
    assert (found.faults, found.requests) == ([], LONG)


def test_the_tool_prints_what_was_answered() -> None:
    command = [sys.executable, str(ROOT / "tools" / "fuzz.py"), "--requests", "40", "--seeds", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "seed 1: 40 requests" in done.stdout
    assert done.stdout.endswith("0 failures\n")
