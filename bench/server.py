"""Measures a server on this machine over real sockets, in a few minutes: `make bench-server`.

The server is a process of its own. Who plays, and measures, is this process: both share the
machine. `--quick` does the same with less of everything; a game's name measures only that one, and
`--workers` only how it grows: a file, then PostgreSQL and Redis with one worker and with two.
"""

from __future__ import annotations

import asyncio
import gc
import os
import platform
import resource
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from growth import measure_growth
from line import connect
from matches import Match, open_matches, play_at_rate, play_flat_out, play_to
from parts import measure_parts
from served import MAX_SOCKETS, Server
from watching import delivery_seconds

from kibitz.games import GAMES
from support.function_calls import count_calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much of everything."""

    tables: int
    rate: float
    """Actions a second over all tables."""
    seconds: float
    runs: int
    """Of each measurement; what is told is the median."""
    busy_tables: int
    """Tables at which as much is played as can be."""
    spectators: int
    watched_actions: int
    """Actions they see."""
    late_action: int
    """The action of a match whose cost is compared with that of an early one."""
    rounds: int
    """Actions at each table whose parts are measured."""


FULL = Size(
    tables=1000,
    rate=500,
    seconds=5,
    runs=3,
    busy_tables=100,
    spectators=1000,
    watched_actions=9,
    late_action=1000,
    rounds=10,
)
QUICK = Size(
    tables=100,
    rate=50,
    seconds=3,
    runs=1,
    busy_tables=20,
    spectators=100,
    watched_actions=3,
    late_action=150,
    rounds=3,
)
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "kahmate": {"turn_limit": 1000},
    "kalamala": {"turn_limit": 5000},
    "as-kimble": {},
}
"""What differs from what a new table suggests: matches have to last."""
PEOPLE = 2
COUNTED_ACTIONS = 40
"""Actions at each table whose function calls are counted; that does not depend on the machine."""
EARLY_ACTION = 10
WINDOW_ACTIONS = 50
"""Actions over which the cost of an early or a late one is averaged."""
LATEST_ACTION: Mapping[str, int] = {"as-kimble": 400}
"""Matches that are over before the late action that is asked for are compared at this one."""
LONG_MATCHES = 4
BOT_TABLES = 30
"""Enough to keep the bots' process busy, as they wait a moment before they act."""


def main() -> None:
    names = [name for name in sys.argv[1:] if name in OPTIONS] or list(OPTIONS)
    size = QUICK if "--quick" in sys.argv[1:] else FULL
    _allow_many_connections()
    gc.disable()  # Who measures latencies does not stop to tidy up.
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} CPUs, "
        f"load before {load:.1f}"
    )
    _measure_machine()
    for name in names if "--workers" not in sys.argv[1:] else ():
        asyncio.run(_measure_game(name, size))
        gc.collect()
    asyncio.run(measure_growth(size.busy_tables, size.seconds, size.runs))


def _measure_machine() -> None:
    """How fast this machine is now: beside other work it may be much slower than alone."""
    found = []
    for _ in range(5):
        begin, total = time.process_time(), 0
        for number in range(1_000_000):
            total += number
        found.append(time.process_time() - begin)
    print(f"a million additions in a loop take {median(found) * 1000:.0f} ms of CPU")


async def _measure_game(name: str, size: Size) -> None:
    print(f"\n{name}")
    began, own = time.perf_counter(), time.process_time()
    await _measure_costs(name, size)
    await _measure_crowd(name, size)
    await _measure_ages(name, size)
    await _measure_spectators(name, size)
    wall, own = time.perf_counter() - began, time.process_time() - own
    _print_figures("who measured took", f"{own / wall:.0%} of one CPU over {wall:.0f} s")


async def _measure_costs(name: str, size: Size) -> None:
    """As many actions as the server can take, and what one of them costs it, by part."""
    seats = len(_seats(name))
    for people in sorted({PEOPLE, seats}):
        with Server() as server:
            matches = await _open_matches(server, name, size.busy_tables, people)
            costs, rates, sizes = [], [], []
            await play_flat_out(matches, size.seconds)
            for _ in range(size.runs):
                cpu, received = server.cpu_seconds, sum(match.bytes_received for match in matches)
                done, spent = await play_flat_out(matches, size.seconds)
                sizes.append((sum(match.bytes_received for match in matches) - received) / done)
                costs.append((server.cpu_seconds - cpu) / done)
                rates.append(done / spent)
            _print_problems(matches)
        gc.enable()
        found = await measure_parts(name, OPTIONS[name], people, size.busy_tables, size.rounds)
        gc.disable()
        calls = await asyncio.to_thread(count_calls, name, OPTIONS[name], people, COUNTED_ACTIONS)
        _print_figures(f"function calls per action, {people} people", f"{calls[0]:,.0f}")
        listed = [f"{part} {_ms(cost)}" for part, cost in found.items()]
        listed.append(f"transport and the rest {_ms(median(costs) - sum(found.values()))}")
        _print_figures(
            f"CPU per action, {people} people", f"{_ms(median(costs))} ms: {', '.join(listed)}"
        )
        _print_figures(f"as fast as it goes, {people} people", f"{median(rates):,.0f} actions/s")
        _print_figures(
            f"sent per action, {people} people", f"{median(sizes) / 1000:.1f} kB, not compressed"
        )


async def _measure_crowd(name: str, size: Size) -> None:
    """Many live tables: memory, and how quickly actions come through at a steady rate."""
    with Server() as server:
        await _open_matches(server, name, 1)
        empty = server.memory_mb
        matches = await _open_matches(server, name, size.tables)
        _print_figures(
            f"memory, {size.tables:,} live tables",
            f"{server.memory_mb:.0f} MB, {empty:.0f} MB before they were opened",
        )
        await play_at_rate(matches, size.rate, 2.0)
        await _measure_steady_rate(server, matches, size, "no bot")
        for _ in range(BOT_TABLES):
            seats = dict.fromkeys(_seats("kalamala"), "greedy")
            asked = {"game": "kalamala", "seats": seats, "is_open": True}
            url = server.ask("POST", "/api/v1/tables", server.new_guest_token(), asked)["url"]
            # Bots play among themselves while somebody looks.
            await connect(server.host, server.port, f"{url}/live", "", lambda text: None)
        await asyncio.sleep(2.0)
        await _measure_steady_rate(server, matches, size, "bots thinking")
        _print_problems(matches)


async def _measure_steady_rate(
    server: Server, matches: Sequence[Match], size: Size, meanwhile: str
) -> None:
    found = []
    for _ in range(size.runs):
        for match in matches:
            match.done_after_s, match.seen_after_s = [], []
        cpu, bots, begin = server.cpu_seconds, server.bots_cpu_seconds, time.perf_counter()
        done, spent = await play_at_rate(matches, size.rate, size.seconds)
        wall = time.perf_counter() - begin
        after = [each for match in matches for each in match.done_after_s]
        seen = [each for match in matches for each in match.seen_after_s]
        busy = (server.bots_cpu_seconds - bots) / wall
        used = server.cpu_seconds - cpu
        found.append(
            (done / spent, *_p50_p99(after), *_p50_p99(seen), used / wall, used / done, busy)
        )
    rate, done50, done99, seen50, seen99, share, each, busy = map(median, zip(*found, strict=True))
    _print_figures(
        f"{size.rate:.0f} actions/s, {meanwhile}",
        f"{rate:.0f} done a second; done after p50 {_ms(done50)}, p99 {_ms(done99)} ms; seen by "
        f"the other after p50 {_ms(seen50)}, p99 {_ms(seen99)} ms; server {share:.0%} of a CPU, "
        f"{_ms(each)} ms an action; bots {busy:.0%} of a CPU",
    )


async def _measure_ages(name: str, size: Size) -> None:
    """What an action costs early and late in a match."""
    with Server() as server:
        matches = await _open_matches(server, name, LONG_MATCHES)
        told = []
        for number in (
            EARLY_ACTION,
            min(size.late_action, LATEST_ACTION.get(name, size.late_action)),
        ):
            await play_to(matches, number)
            cpu = server.cpu_seconds
            done = await play_to(matches, number + WINDOW_ACTIONS)
            reached = sum(match.actions for match in matches) // len(matches)
            if done:
                told.append(f"{_ms((server.cpu_seconds - cpu) / done)} ms at action {number:,}")
            else:
                told.append(f"all over by action {reached:,}")
        _print_problems(matches)
    _print_figures("CPU per action by age of a match", ", ".join(told))


async def _measure_spectators(name: str, size: Size) -> None:
    with Server() as server:
        (match,) = await _open_matches(server, name, 1)
        found = await delivery_seconds(server, match, size.spectators, size.watched_actions)
        _print_problems([match])
    middle = median(median(each) for each in found)
    last = median(max(each) for each in found)
    _print_figures(
        f"one action to {size.spectators:,} spectators",
        f"median {_ms(middle)} ms, last {_ms(last)} ms",
    )


async def _open_matches(server: Server, name: str, count: int, people: int = PEOPLE) -> list[Match]:
    return await open_matches(server, name, _seats(name), OPTIONS[name], count, people)


def _seats(name: str) -> tuple[str, ...]:
    return GAMES[name].game(GAMES[name].preset).seats


def _print_problems(matches: Sequence[Match]) -> None:
    """What is measured is play; answers other than that would spoil it."""
    problems = [problem for match in matches for problem in match.problems]
    cut = sum(line.is_closed for match in matches for line in match.lines)
    if problems or cut:
        _print_figures("problems", f"{len(problems)}, {cut} lines cut; {problems[:1]}")


def _p50_p99(found: list[float]) -> tuple[float, float]:
    ordered = sorted(found)
    return ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f}" if seconds < 0.01 else f"{seconds * 1000:.0f}"


def _print_figures(what: str, figures: str) -> None:
    print(f"  {what:<34} {figures}", flush=True)


def _allow_many_connections() -> None:
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_SOCKETS + 256
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, wanted), most))


if __name__ == "__main__":
    main()
