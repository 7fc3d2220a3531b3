"""How a server grows: one process and a file, then PostgreSQL and Redis with one worker and two.

Two workers are measured twice: with tables that have a home, and with sockets that stay at the
worker that accepted them, as on several machines behind a proxy.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from matches import Match, open_matches, play_flat_out
from served import PROGRAM, Server, cpu_seconds_of

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from support.cluster.servers import Daemon, Postgres, Redis, missing

GAME, SEATS, PEOPLE = "kalamala", ("A", "B"), 2
OPTIONS = {"turn_limit": 5000}
WORKER = "worker"
WITHOUT_HOMES = (
    "-c",
    "from kibitz.server import run, socket_handover\n"
    "socket_handover.SocketHandover.hand_over = lambda *asked: False\n"
    "run.main()",
)
"""A server whose workers keep what they accept."""


@dataclass(frozen=True, slots=True)
class Speed:
    rate: float
    """Actions a second."""
    cost: float
    """Seconds of the workers' CPU for one of them."""


async def measure_growth(tables: int, seconds: float, runs: int) -> None:
    """As many actions as each kind of server takes, and whose CPU that costs."""
    print(f"\nworkers ({GAME}, {tables} tables as fast as it goes)")
    process = await _measure_speed("a file, one process", tables, seconds, runs)
    if lacking := missing():
        print(f"  not measured: PostgreSQL and Redis, as there is no {lacking}")
        return
    with ExitStack() as closing:
        postgres, redis = Postgres(), Redis()
        for daemon in (postgres, redis):
            closing.callback(daemon.close)
        beside = {"PostgreSQL": postgres, "Redis": redis}
        found = []
        for named, count, program in (
            ("one worker", 1, PROGRAM),
            ("two workers, no homes", 2, WITHOUT_HOMES),
            ("two workers", 2, PROGRAM),
        ):
            settings = {
                "KIBITZ_DATABASE_URL": postgres.new_database(),
                "KIBITZ_REDIS_URL": redis.url,
                "KIBITZ_WORKERS": str(count),
            }
            found.append(
                await _measure_speed(named, tables, seconds, runs, beside, program, **settings)
            )
    _print_comparison(process, *found)


def _print_comparison(process: Speed, one: Speed, homeless: Speed, two: Speed) -> None:
    for named, speed in (("two workers", two), ("without homes they", homeless)):
        print(
            f"  {named} do {speed.rate / one.rate:.2f} times what one does, and "
            f"{speed.rate / process.rate:.2f} times what one process with a file does; an action "
            f"costs {speed.cost / one.cost:.2f} times the CPU, so with a CPU for each they would "
            f"do {2 * one.cost / speed.cost:.2f} times what one does"
        )


async def _measure_speed(
    named: str,
    tables: int,
    seconds: float,
    runs: int,
    beside: dict[str, Daemon] | None = None,
    program: Sequence[str] = PROGRAM,
    **settings: str,
) -> Speed:
    with Server(program, **settings) as server:
        matches = await open_matches(server, GAME, SEATS, OPTIONS, tables, PEOPLE)
        await play_flat_out(matches, seconds)
        rates, costs, shares = [], [], []
        for _ in range(runs):
            before, began = _cpu_seconds(server, beside or {}), time.perf_counter()
            done, spent = await play_flat_out(matches, seconds)
            after, wall = _cpu_seconds(server, beside or {}), time.perf_counter() - began
            rates.append(done / spent)
            costs.append(sum(after[who] - before[who] for who in after if WORKER in who) / done)
            shares.append({who: (after[who] - before[who]) / wall for who in after})
        _print_problems(matches)
    busy = {who: median(share[who] for share in shares) for who in shares[0]}
    told = ", ".join(f"{who} {share:.0%}" for who, share in busy.items())
    total = f"{sum(busy.values()):.0%} of {os.cpu_count()} CPUs"
    each = f"{median(costs) * 1000:.2f} ms of the server's CPU each"
    print(f"  {named:<34} {median(rates):,.0f} actions/s, {each}; CPU: {told}; {total}", flush=True)
    return Speed(median(rates), median(costs))


def _cpu_seconds(server: Server, beside: dict[str, Daemon]) -> dict[str, float]:
    """Seconds of CPU so far; who measures plays, too, and on the same machine."""
    return {
        **{f"{WORKER} {n}": cpu_seconds_of(pid) for n, pid in enumerate(server.workers, 1)},
        **{name: _daemon_cpu_seconds(daemon) for name, daemon in beside.items()},
        "who plays": time.process_time(),
    }


def _daemon_cpu_seconds(daemon: Daemon) -> float:
    """A process of PostgreSQL may end while it is looked at."""
    total = 0.0
    for pid in daemon.pids:
        with suppress(OSError):
            total += cpu_seconds_of(pid)
    return total


def _print_problems(matches: Sequence[Match]) -> None:
    if problems := [problem for match in matches for problem in match.problems]:
        print(f"  {len(problems)} problems, the first: {problems[0]}")
