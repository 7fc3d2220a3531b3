"""Several workers of one server, as its parent keeps them."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import signal, sys, time
from pathlib import Path
from kibitz.server import workers

workers.REMINDER_S = 0.3

def serve(number, introduces):
    heard = []
    signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    Path(sys.argv[1], "is-there").touch()
    while len(heard) < 2:
        time.sleep(0.02)

workers.run_workers(1, serve)
"""
"""With a worker that does not hear it the first time."""


def test_a_worker_that_did_not_hear_it_is_told_again_to_stop(tmp_path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", SCRIPT, str(tmp_path)])
    try:
        for _ in range(400):
            if (tmp_path / "is-there").exists():
                break
            pause_while_alive(parent)
        parent.send_signal(signal.SIGTERM)
        assert parent.wait(20) == 0
    finally:
        parent.kill()


def pause_while_alive(process: subprocess.Popen[bytes]) -> None:
    """A moment, in which it does not end."""
    try:
        process.wait(0.05)
    except subprocess.TimeoutExpired:
        return
    raise AssertionError("it has ended")
