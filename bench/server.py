"""Measures a server on this machine over real sockets, in a few minutes: `make bench-server`.

    bench/server.py [GAME...] [--quick] [--workers] [--against FOLDER_OR_COMMIT]

The server is a process of its own. Who plays, and measures, is this process: both share the
machine. `--quick` does the same with less of everything, a game's name measures only that one, and
`--workers` only how it grows: a file, then PostgreSQL and Redis with one worker and with two.
`--against` measures another source tree beside this one: servers of both are up, slices of play
take turns, and the ratio of each figure is printed. Below 1 this tree needs less, or does less.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import platform
import resource
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

from figures import Figures, take_turns
from growth import measure_growth
from line import connect
from matches import Match, open_matches, play_at_rate, play_flat_out, play_to
from served import MAX_SOCKETS, Server
from trees import Tree, measured_trees
from watching import delivery_seconds

from kibitz.games import GAMES


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much of everything."""

    tables: int
    rate: float
    """Actions a second over all tables."""
    few_tables: int
    few_rate: float
    """The same where hardly anybody plays."""
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
    few_tables=10,
    few_rate=20,
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
    few_tables=10,
    few_rate=20,
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
MATCH_ACTIONS = 268
"""The length of a match whose bytes are counted, if it lasts so long."""
LONG_MATCHES = 4
BOT_TABLES = 30
"""Enough to keep the bots' process busy, as they wait a moment before they act."""
SERVER_PARTS = "rules", "offers", "drawing", "words", "write"


def main() -> None:
    parser = argparse.ArgumentParser(description="measure a server on this machine")
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(OPTIONS))
    parser.add_argument("--quick", action="store_true", help="less of everything")
    parser.add_argument("--workers", action="store_true", help="only how it grows")
    parser.add_argument("--against", default="", metavar="FOLDER_OR_COMMIT")
    asked = parser.parse_args()
    size = QUICK if asked.quick else FULL
    allow_many_connections()
    gc.disable()  # Who measures latencies does not stop to tidy up.
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} CPUs, "
        f"load before {load:.1f}"
    )
    measure_machine()
    with measured_trees(asked.against) as trees:
        for name in () if asked.workers else asked.games or OPTIONS:
            asyncio.run(GameMeter(name, size, trees).measure())
            gc.collect()
        asyncio.run(measure_growth(trees, size.busy_tables, size.seconds, size.runs))


def measure_machine() -> None:
    """How fast this machine is now: beside other work it may be much slower than alone."""
    found = []
    for _ in range(5):
        begin, total = time.process_time(), 0
        for number in range(1_000_000):
            total += number
        found.append(time.process_time() - begin)
    print(f"a million additions in a loop take {median(found) * 1000:.0f} ms of CPU")


class GameMeter:
    """Measures one game with the servers of all trees."""

    def __init__(self, name: str, size: Size, trees: Sequence[Tree]) -> None:
        self._name, self._size, self._trees = name, size, trees
        self._figures = Figures(trees)
        self._seats = GAMES[name].game(GAMES[name].preset).seats

    async def measure(self) -> None:
        self._figures.begin(self._name)
        began, own = time.perf_counter(), time.process_time()
        for people in sorted({PEOPLE, len(self._seats)}):
            await self._measure_costs(people)
        self._measure_in_process()
        await self._measure_latencies(self._size.few_tables, self._size.few_rate)
        await self._measure_crowd()
        await self._measure_ages()
        await self._measure_spectators()
        wall, own = time.perf_counter() - began, time.process_time() - own
        print(f"  who measured took {own / wall:.0%} of one CPU over {wall:.0f} s", flush=True)

    @contextmanager
    def _servers(self) -> Iterator[list[Server]]:
        with ExitStack() as closing:
            yield [closing.enter_context(Server(tree)) for tree in self._trees]

    async def _open_matches(self, server: Server, count: int, people: int = PEOPLE) -> list[Match]:
        options = OPTIONS[self._name]
        return await open_matches(server, self._name, self._seats, options, count, people)

    async def _take_turns(
        self, play: Callable[[int], Awaitable[Sequence[float]]], runs: int
    ) -> list[list[float]]:
        """By figure, the median of each tree."""
        found = await take_turns(len(self._trees), runs, play)
        middles = [[median(each) for each in zip(*rows, strict=True)] for rows in found]
        return [[*each] for each in zip(*middles, strict=True)]

    async def _measure_costs(self, people: int) -> None:
        """As many actions as the server can take, and what one of them costs it."""
        size = self._size
        with self._servers() as servers:
            played = [await self._open_matches(s, size.busy_tables, people) for s in servers]

            async def play(index: int) -> Sequence[float]:
                server, matches = servers[index], played[index]
                cpu, received = server.cpu_seconds, sum(match.bytes_received for match in matches)
                done, spent = await play_flat_out(matches, size.seconds)
                sent = sum(match.bytes_received for match in matches) - received
                return (server.cpu_seconds - cpu) / done * 1000, done / spent, sent / done / 1000

            await self._take_turns(play, 1)
            costs, rates, sizes = await self._take_turns(play, size.runs)
            _print_problems(played)
        self._figures.tell(f"CPU per action, {people} people", costs, "ms")
        self._figures.tell(f"as fast as possible, {people} people", rates, "actions/s")
        self._figures.tell(f"sent per action, {people} people", sizes, "kB, not compressed")

    def _measure_in_process(self) -> None:
        """Measures what needs no server: parts of an action, function calls, bytes, pauses."""
        name, size, options = self._name, self._size, dict(OPTIONS[self._name])
        given = f"{name!r}, {options!r}, {PEOPLE}, {size.busy_tables}, {size.rounds}"
        parts = [
            tree.evaluate(
                "import asyncio; from parts import measure_parts",
                f"asyncio.run(measure_parts({given}))",
            )
            or {}
            for tree in self._trees
        ]
        for part in SERVER_PARTS:
            values = [found.get(part) for found in parts]
            self._figures.tell(f"- {part}", [v and v * 1000 for v in values], "ms")
        calls = [
            tree.evaluate(
                "from support.function_calls import count_calls",
                f"count_calls({name!r}, {options!r}, {PEOPLE}, {COUNTED_ACTIONS})[0]",
            )
            for tree in self._trees
        ]
        self._figures.tell(f"function calls per action, {PEOPLE} people", calls, "")
        sent = [
            tree.evaluate(
                "from support.compared_views import match_bytes",
                f"match_bytes({name!r}, {MATCH_ACTIONS})",
            )
            for tree in self._trees
        ]
        count = next((found[0] for found in sent if found), 0)
        for index, kind in ((1, "patches"), (2, "patches, compressed")):
            values = [found and found[1][index] / 1000 for found in sent]
            self._figures.tell(f"a match of {count} actions, {kind}", values, "kB to one player")
        pauses = [
            tree.evaluate(
                "from pauses import measure_pauses", f"measure_pauses({name!r}, {size.tables})"
            )
            for tree in self._trees
        ]
        for index, kind in enumerate(("for garbage in play", "of the loop in play", "for garbage")):
            values = [found and found[index] * 1000 for found in pauses]
            self._figures.tell(f"longest pause {kind}, {size.tables:,} tables", values, "ms")

    async def _measure_latencies(self, tables: int, rate: float) -> None:
        """Hardly anybody plays: then a tap waits only for itself."""
        with self._servers() as servers:
            played = [await self._open_matches(server, tables) for server in servers]
            await self._measure_steady_rate(servers, played, rate, f"{tables:,} tables")
            _print_problems(played)

    async def _measure_crowd(self) -> None:
        """Many live tables: memory, and how quickly actions come through at a steady rate."""
        size, empty = self._size, list[float]()
        with self._servers() as servers:
            for server in servers:
                await self._open_matches(server, 1)
                empty.append(server.memory_mb)
            played = [await self._open_matches(server, size.tables) for server in servers]
            memory = [server.memory_mb for server in servers]
            self._figures.tell("memory before any table", empty, "MB")
            self._figures.tell(f"memory, {size.tables:,} live tables", memory, "MB")
            for matches in played:
                await play_at_rate(matches, size.rate, 2.0)
            about = f"{size.tables:,} tables"
            await self._measure_steady_rate(servers, played, size.rate, about)
            for server in servers:
                await _open_bot_tables(server)
            await asyncio.sleep(2.0)
            await self._measure_steady_rate(servers, played, size.rate, f"{about} and bots")
            _print_problems(played)

    async def _measure_steady_rate(
        self, servers: Sequence[Server], played: Sequence[list[Match]], rate: float, about: str
    ) -> None:
        async def play(index: int) -> Sequence[float]:
            server, matches = servers[index], played[index]
            for match in matches:
                match.done_after_s, match.seen_after_s = [], []
            cpu = server.cpu_seconds
            done, spent = await play_at_rate(matches, rate, self._size.seconds)
            after = [each for match in matches for each in match.done_after_s]
            seen = [each for match in matches for each in match.seen_after_s]
            used = (server.cpu_seconds - cpu) / done
            return done / spent, *p50_p99_ms(after), *p50_p99_ms(seen), used * 1000

        found = await self._take_turns(play, self._size.runs)
        self._figures.tell(f"{rate:.0f}/s over {about}: done", found[0], "actions/s")
        for number, what in enumerate(("done p50", "done p99", "tap to other p50", "p99"), 1):
            self._figures.tell(f"- {what}", found[number], "ms")
        self._figures.tell("- CPU per action", found[5], "ms")

    async def _measure_ages(self) -> None:
        """Measures the cost of an action early and late in a match."""
        late = self._size.late_action
        with self._servers() as servers:
            played = [await self._open_matches(server, LONG_MATCHES) for server in servers]
            for number in (EARLY_ACTION, min(late, LATEST_ACTION.get(self._name, late))):

                async def play(index: int, number: int = number) -> Sequence[float]:
                    server, matches = servers[index], played[index]
                    await play_to(matches, number)
                    cpu = server.cpu_seconds
                    done = await play_to(matches, number + WINDOW_ACTIONS)
                    return ((server.cpu_seconds - cpu) / done * 1000 if done else 0.0,)

                (costs,) = await self._take_turns(play, 1)
                self._figures.tell(f"CPU per action at action {number:,}", costs, "ms")
            _print_problems(played)

    async def _measure_spectators(self) -> None:
        size = self._size

        with self._servers() as servers:
            played = [await self._open_matches(server, 1) for server in servers]

            async def play(index: int) -> Sequence[float]:
                given = size.spectators, size.watched_actions
                found = await delivery_seconds(servers[index], played[index][0], *given)
                middle = median(median(each) for each in found)
                return middle * 1000, median(max(each) for each in found) * 1000

            middle, last = await self._take_turns(play, 1)
            _print_problems(played)
        self._figures.tell(f"one action to {size.spectators:,} spectators, median", middle, "ms")
        self._figures.tell("- the last of them", last, "ms")


async def _open_bot_tables(server: Server) -> None:
    seats = dict.fromkeys(GAMES["kalamala"].game(GAMES["kalamala"].preset).seats, "greedy")
    for _ in range(BOT_TABLES):
        asked = {"game": "kalamala", "seats": seats, "is_open": True}
        url = server.ask("POST", "/api/v1/tables", server.new_guest_token(), asked)["url"]
        # Bots play among themselves while somebody looks.
        await connect(server.host, server.port, f"{url}/live", "", lambda text: None)


def _print_problems(played: Sequence[Sequence[Match]]) -> None:
    """What is measured is play; answers other than that would spoil it."""
    matches = [match for each in played for match in each]
    problems = [problem for match in matches for problem in match.problems]
    cut = sum(line.is_closed for match in matches for line in match.lines)
    if problems or cut:
        print(f"  problems: {len(problems)}, {cut} lines cut; {problems[:1]}", flush=True)


def p50_p99_ms(found: list[float]) -> tuple[float, float]:
    ordered = sorted(found)
    return ordered[len(ordered) // 2] * 1000, ordered[len(ordered) * 99 // 100] * 1000


def allow_many_connections() -> None:
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * MAX_SOCKETS + 256
    if most != resource.RLIM_INFINITY:
        wanted = min(wanted, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(now, wanted), most))


if __name__ == "__main__":
    main()
