"""Processes that end with whoever started them."""

from __future__ import annotations

import subprocess
import sys

START = "from kibitz.core.targets.orphans import exit_with_parent\nexit_with_parent()\n"


def start_process(more: str = "") -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", START + more], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    )


def test_it_ends_with_its_parent() -> None:
    with start_process("import time\nwhile True: time.sleep(1)") as process:
        assert process.stdin
        process.stdin.close()
        assert process.wait(60) == 1


def test_it_ends_by_itself_while_its_parent_waits() -> None:
    with start_process() as process:
        assert process.wait(60) == 0
        assert process.stderr
        assert process.stderr.read() == b""
