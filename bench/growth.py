"""How a server grows: one process and a file, then PostgreSQL and Redis with one worker and two."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from estimate import MACHINES, Load, tell_estimate
from figures import Figures, take_turns
from matches import Match, open_matches, play_flat_out
from served import PROGRAM, Server, cpu_seconds_of
from trees import Tree

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from support.cluster.servers import Daemon, Postgres, Redis, missing

GAME, SEATS, PEOPLE = "kalamala", ("A", "B"), 2
OPTIONS = {"turn_limit": 5000}
WITHOUT_HOMES = (
    "-c",
    "from kibitz.server import run, socket_handover\n"
    "socket_handover.SocketHandover.hand_over = lambda *asked: False\n"
    "run.main()",
)
"""A server whose workers keep what they accept, as on several machines behind a proxy."""
WORKER, DATABASE, BROKER = "worker", "PostgreSQL", "Redis"


@dataclass(frozen=True, slots=True)
class Slice:
    """Some seconds of play as fast as possible."""

    rate: float
    cpu_per_action: Mapping[str, float]
    """Seconds by who spent them."""
    shares: Mapping[str, float]
    """Of one CPU."""
    bytes_sent: float
    """Per action."""

    @property
    def worker_cpu(self) -> float:
        return sum(cpu for who, cpu in self.cpu_per_action.items() if who.startswith(WORKER))


async def measure_growth(trees: Sequence[Tree], tables: int, seconds: float, runs: int) -> None:
    """As many actions as each kind of server takes, whose CPU that costs, and what ten machines
    would carry by these figures."""
    figures = Figures(trees)
    figures.begin(f"workers ({GAME}, {tables} tables as fast as possible)")
    on_file = await _measure_rate(figures, "a file, one process", trees, tables, seconds, runs)
    if lacking := missing():
        print(f"  not measured: PostgreSQL and Redis, as there is no {lacking}")
        return
    kinds = [("1", 1, PROGRAM), ("2", 2, PROGRAM)]
    if len(trees) == 1:  # One from before has no homes that could be left out.
        kinds.append(("2, no homes", 2, WITHOUT_HOMES))
    one, two, *_ = [
        await _measure_rate(
            *(figures, f"{DATABASE}, {BROKER}, workers: {name}", trees, tables, seconds, runs),
            workers=count,
            program=program,
        )
        for name, count, program in kinds
    ]
    ratios = [b.rate / a.rate for a, b in zip(one, two, strict=True)]
    figures.tell("two workers do, times what one does", ratios, "")
    ratios = [b.rate / a.rate for a, b in zip(on_file, two, strict=True)]
    figures.tell("two workers do, times what a file does", ratios, "")
    print(f"\n{MACHINES} machines, computed from the figures of two workers")
    beside = {name: two[-1].cpu_per_action[name] for name in (DATABASE, BROKER)}
    load = Load(two[-1].worker_cpu, beside, two[-1].bytes_sent)
    print(tell_estimate(load, os.cpu_count() or 1), flush=True)


async def _measure_rate(
    figures: Figures,
    name: str,
    trees: Sequence[Tree],
    tables: int,
    seconds: float,
    runs: int,
    workers: int = 0,
    program: Sequence[str] = PROGRAM,
) -> list[Slice]:
    """Of each tree the slice with the median rate; without workers it is one process on a file."""
    with ExitStack() as closing:
        servers, played = list[Server](), list[list[Match]]()
        daemons: list[dict[str, Daemon]] = [{} for _ in trees]
        for tree, beside in zip(trees, daemons, strict=True):
            settings = {}
            if workers:
                postgres, redis = Postgres(), Redis()
                beside |= {DATABASE: postgres, BROKER: redis}
                for daemon in beside.values():
                    closing.callback(daemon.close)
                settings = {
                    "KIBITZ_DATABASE_URL": postgres.new_database(),
                    "KIBITZ_REDIS_URL": redis.url,
                    "KIBITZ_WORKERS": str(workers),
                }
            servers.append(closing.enter_context(Server(tree, program, **settings)))
            played.append(await open_matches(servers[-1], GAME, SEATS, OPTIONS, tables, PEOPLE))

        async def play(index: int) -> Slice:
            return await _play_slice(servers[index], played[index], daemons[index], seconds)

        await take_turns(len(trees), 1, play)
        slices = await take_turns(len(trees), runs, play)
        for matches in played:
            _print_problems(matches)
    middle = [sorted(each, key=lambda s: s.rate)[len(each) // 2] for each in slices]
    figures.tell(f"{name}: actions/s", [each.rate for each in middle], "actions/s")
    costs = [median(each.worker_cpu for each in found) * 1000 for found in slices]
    figures.tell("- CPU per action, all workers", costs, "ms")
    for who in daemons[0]:
        cost = [median(each.cpu_per_action[who] for each in found) * 1000 for found in slices]
        figures.tell(f"- CPU per action, {who}", cost, "ms")
    shares = ", ".join(f"{who} {share:.0%}" for who, share in middle[-1].shares.items())
    print(f"  {'- share of a CPU':<46} {shares}; {os.cpu_count()} CPUs in all", flush=True)
    return middle


async def _play_slice(
    server: Server, matches: Sequence[Match], daemons: Mapping[str, Daemon], seconds: float
) -> Slice:
    before, began = _cpu_seconds(server, daemons), time.perf_counter()
    received = sum(match.bytes_received for match in matches)
    done, spent = await play_flat_out(matches, seconds)
    wall, after = time.perf_counter() - began, _cpu_seconds(server, daemons)
    used = {who: after[who] - before[who] for who in after}
    return Slice(
        rate=done / spent,
        cpu_per_action={who: cpu / done for who, cpu in used.items()},
        shares={who: cpu / wall for who, cpu in used.items()},
        bytes_sent=(sum(match.bytes_received for match in matches) - received) / done,
    )


def _cpu_seconds(server: Server, beside: Mapping[str, Daemon]) -> dict[str, float]:
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
