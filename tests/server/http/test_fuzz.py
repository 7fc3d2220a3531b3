"""No request makes the server fail, however it is malformed.

Every run of the tests sends 2,500 requests, and the long tests, which run each night, 100,000 over
five seeds. Before a release `tools/fuzz.py --requests 1000000` sends a million: 200,000 for each
seed, which `--seeds 1 --first-seed N` sends one piece at a time.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from support.cli_server import ROOT
from support.fuzz import fuzz

ORDINARY, LONG = 2_500, 20_000
TOOL = [sys.executable, str(ROOT / "tools" / "fuzz.py")]
EXIT_INTERRUPTED = 130


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
    command = [*TOOL, "--requests", "40", "--seeds", "2", "--first-seed", "4"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [line.split(": ")[:2] for line in done.stdout.splitlines()] == [
        ["20 requests for each of 2 seeds"],
        ["seed 4", "20 requests"],
        ["seed 5", "20 requests"],
        ["0 failures"],
    ]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_tool_says_what_is_left_when_it_is_stopped(how: signal.Signals) -> None:
    command = [*TOOL, "--requests", "1000000", "--seeds", "50", "--first-seed", "7"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(how)
        stopped, rest, failures = process.stdout.read().splitlines()
    assert process.returncode == EXIT_INTERRUPTED
    assert stopped.startswith("seed 7: ")
    assert stopped.endswith(", stopped; the rest:")
    assert rest == "  --requests 1000000 --seeds 50 --first-seed 7"
    assert failures == "0 failures"
