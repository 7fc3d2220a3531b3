"""No request makes the server fail, however it is malformed (`tools/fuzz.py` prints more)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.cli_server import ROOT
from support.fuzz import fuzz

ORDINARY, LONG = 2_500, 1_000_000


def test_no_request_is_answered_by_a_failure(tmp_path: Path) -> None:
    found = fuzz(tmp_path, seed=1, requests=ORDINARY)
    assert found.faults == []
    assert found.requests == ORDINARY
    assert found.statuses.keys() >= {200, 400, 404}


@pytest.mark.long
def test_a_million_requests_are_answered_without_a_failure() -> None:
    command = [sys.executable, str(ROOT / "tools" / "fuzz.py"), "--requests", str(LONG)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "0 failures" in done.stdout) == (0, True), done.stdout[-4000:]
