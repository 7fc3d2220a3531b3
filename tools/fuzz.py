"""Send malformed requests to the application and count what fails: nothing should.

    .venv/bin/python tools/fuzz.py                          100,000 requests over five seeds
    .venv/bin/python tools/fuzz.py --requests 1000000       a million: 200,000 for each seed
    .venv/bin/python tools/fuzz.py --requests 200000 --seeds 1 --first-seed 3

The last line is the third piece of the million: pieces can be run at any time and on any machine.
Every address is asked, with raw bytes in paths, queries, headers, bodies and frames. The exit
status is 1 if anything was answered with 500 or more, raised, or was logged as an error. If it is
interrupted (Ctrl-C, SIGTERM), it prints what came of it until then and how to run the rest, and the
exit status is 130, or 1 after a failure.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.fuzz import Findings, fuzz

SEEDS = 5
EXIT_INTERRUPTED = 130
MAX_PRINTED_FAULTS = 10


def main() -> int:
    parser = argparse.ArgumentParser(description="fuzz every address of the server")
    parser.add_argument("--requests", type=int, default=100_000, help="in all, over the seeds")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--first-seed", type=int, default=1)
    asked = parser.parse_args()
    # Whoever stops it in another way hears what came of it, too.
    signal.signal(signal.SIGTERM, lambda *told: signal.raise_signal(signal.SIGINT))
    each = asked.requests // asked.seeds
    seeds = range(asked.first_seed, asked.first_seed + asked.seeds)
    findings = {seed: Findings() for seed in seeds}
    is_stopped, done = False, 0
    try:
        print(f"{each} requests for each of {len(seeds)} seeds", flush=True)
        for seed, found in findings.items():
            began = time.monotonic()
            with TemporaryDirectory() as folder:
                fuzz(Path(folder), seed, each, found)
            print(f"{seed_line(seed, found)} ({time.monotonic() - began:.0f} s)", flush=True)
            done += 1
    except KeyboardInterrupt:
        is_stopped = True
    failures = sum(len(found.faults) for found in findings.values())
    if is_stopped:
        rest = seeds[done:]
        print(f"{seed_line(rest[0], findings[rest[0]])}, stopped; the rest:")
        print(f"  --requests {len(rest) * each} --seeds {len(rest)} --first-seed {rest[0]}")
    print(f"{failures} failures")
    return 1 if failures else EXIT_INTERRUPTED if is_stopped else 0


def seed_line(seed: int, found: Findings) -> str:
    statuses = ", ".join(f"{n} x {status}" for status, n in sorted(found.statuses.items()))
    faults = "".join(f"\n  {fault}" for fault in found.faults[:MAX_PRINTED_FAULTS])
    return f"seed {seed}: {found.requests} requests: {statuses}{faults}"


if __name__ == "__main__":
    sys.exit(main())
