"""Send malformed requests to the application and count what fails: nothing should.

    .venv/bin/python tools/fuzz.py                          100,000 requests over five seeds
    .venv/bin/python tools/fuzz.py --requests 1000000       a million

Every address is asked, with raw bytes in paths, queries, headers, bodies and frames. The exit
status is 1 if anything was answered with 500 or more, raised, or was logged as an error.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.fuzz import fuzz

SEEDS = 5


def main() -> int:
    parser = argparse.ArgumentParser(description="fuzz every address of the server")
    parser.add_argument("--requests", type=int, default=100_000, help="in all, over the seeds")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    asked = parser.parse_args()
    failed = 0
    for seed in range(1, asked.seeds + 1):
        began = time.monotonic()
        with TemporaryDirectory() as folder:
            found = fuzz(Path(folder), seed, asked.requests // asked.seeds)
        statuses = ", ".join(f"{n} x {status}" for status, n in sorted(found.statuses.items()))
        took = time.monotonic() - began
        print(f"seed {seed}: {found.requests} requests in {took:.0f} s: {statuses}")
        for fault in found.faults[:10]:
            print(f"  {fault}")
        failed += len(found.faults)
    print(f"{failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
