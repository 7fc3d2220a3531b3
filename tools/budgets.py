"""Print what one guest at one address can do with the usual limits, and who gets in under attack.

.venv/bin/python tools/budgets.py                  a minute of each
.venv/bin/python tools/budgets.py --seconds 5
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.budgets import (
    MINUTE_S,
    chat_statuses,
    log_in_under_attack,
    look_bytes,
    write_much,
)
from support.server_process import Server


def main() -> None:
    parser = argparse.ArgumentParser(description="measure what one address can do")
    parser.add_argument("--seconds", type=float, default=MINUTE_S)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder, Server(Path(folder), limits="on") as server:
        wrote = write_much(server, asked.seconds)
        print(
            f"one guest in {wrote.seconds:.0f} s: {wrote.rows} rows,"
            f" {wrote.written_bytes / 1e6:.2f} MB written ({wrote.log_bytes / 1e6:.2f} to the"
            f" write-ahead log, {wrote.grown_bytes / 1e6:.2f} kept), {wrote.refused} refused,"
            f" largest answer {wrote.largest_answer_bytes / 1e6:.2f} MB"
        )
    with TemporaryDirectory() as folder, Server(Path(folder), limits="on") as server:
        sent, seconds = look_bytes(server, asked.seconds)
        print(f"looking again for {seconds:.0f} s: {sent / 1e6:.2f} MB sent")
    with TemporaryDirectory() as folder, Server(Path(folder), limits="on") as server:
        began = time.monotonic()
        statuses = dict(Counter(chat_statuses(server, 40)))
        print(f"40 guests of one address chat for {time.monotonic() - began:.0f} s: {statuses}")
    with TemporaryDirectory() as folder, Server(Path(folder), limits="on") as server:
        found = log_in_under_attack(server, 60)
        print(f"60 wrong log-ins from as many addresses: {dict(Counter(found.strangers))}")
        print(f"the owner from a known device: {found.known_device}")
        print(f"the owner changes the password there: {found.changes_password}")
        print(f"the owner from a new device: {found.unknown_device}")


if __name__ == "__main__":
    main()
