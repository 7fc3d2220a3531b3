"""Clocks, as the server runs them: nobody else's count."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from kibitz.server import wall_clock
from kibitz.server.db.queries.leases import due_times
from kibitz.server.db.schema import GAME_TABLE
from kibitz.server.db.store import Store, open_store
from kibitz.server.tables.actions import ActRequest
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.registry import LiveTables, NewTable
from kibitz.server.tables.settings import Fischer, NoClock, TableSettings
from support.server_process import Guest, Page, Server, at_last

SECONDS = 1.5
LATE = 5.0
"""So many seconds a busy machine may take."""
SHORT = {"clock": {"kind": "fischer", "minutes": SECONDS / 60, "seconds": 0}}
MINUTE = {"clock": {"kind": "fischer", "minutes": 1, "seconds": 5}}
DUEL = "13/13/13/13/13/5OFs5/13/13 R play - g6 123456/123456 0-0 8 -"
RUNNING = "h3,t9/h4/h4/h4 R:M5 d5 0+0/0+0/0+0/0+0 1:- ---- -"


@pytest.fixture(scope="module")
def forgetful(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """It keeps no table in memory that nobody looks at."""
    with Server(tmp_path_factory.mktemp("data"), "support.servers.short_timeouts") as server:
        yield server


def two(server: Server, game: str = "kalamala", **more: Any) -> tuple[Guest, Guest, str]:
    """Two people at a table; neither looks."""
    ann, bob = Guest(server), Guest(server)
    first, second = ("R", "B") if game == "kahmate" else ("A", "B")
    table = ann.begins(game, {first: "me", second: "free"}, **more)
    bob.joins(ann.links(table)[second])
    return ann, bob, table


def plays(guest: Guest, table: str, text: str) -> None:
    """As a program that does not stay."""
    asked = {"type": "act", "key": f"{time.monotonic()}", "actions": [text]}
    answer = guest.client.post(f"/api/v1/tables/{table.split('/')[-1]}/actions", json=asked)
    assert answer.status_code == 200, answer.text


def left(page: Page, seat: str) -> float:
    """What is left to a seat, as it was told last."""
    seconds: float = page.clock["seconds_left"][seat]
    return seconds


def waits_for_the_end(guest: Guest, table: str) -> None:
    at_last(lambda: bool(guest.reads(table)["is_over"]))


def ran_for(guest: Guest, table: str) -> float:
    """How long it took from the last action until the clock ended the match."""
    action, flag = guest.reads(table, "record")["log"][-2:]
    assert flag["by"] == "clock"
    seconds: float = flag["at"] - action["at"]
    return seconds


@pytest.mark.parametrize(
    ("game", "start", "text", "result"),
    [("kalamala", "start", "@a1", "A"), ("kahmate", DUEL, "g6-g5", "B")],
)
def test_whose_time_runs_out_forfeits(
    server: Server, game: str, start: str, text: str, result: str
) -> None:
    ann, bob, table = two(server, game, start=start, settings=SHORT)
    page = bob.sits_at(table)
    plays(ann, table, text)
    page.waits_until(lambda page: bool(page.view["outcome"]))
    assert page.view["outcome"]["winners"] == [result]
    assert any("time" in note["text"].lower() for note in page.table["notes"])
    assert SECONDS <= ran_for(bob, table) < SECONDS + LATE
    assert page.is_refused("@b1")


def test_a_flag_falls_though_nobody_looks(server: Server) -> None:
    ann, _, table = two(server, settings=SHORT)
    plays(ann, table, "@a1")
    time.sleep(2 * SECONDS)
    waits_for_the_end(ann, table)
    assert SECONDS <= ran_for(ann, table) < 2 * SECONDS, "it fell before anybody looked again"


def test_in_as_kimble_a_bot_keeps_the_seat(server: Server) -> None:
    ann, bob = Guest(server), Guest(server)
    seats = {"R": "me", "B": "free", "Y": "random", "G": "random"}
    table = ann.begins("as-kimble", seats, start=RUNNING, settings=SHORT)
    bob.joins(ann.links(table)["B"])
    page = bob.sits_at(table)
    plays(ann, table, "R t9-t14")
    page.waits_until(lambda page: page.seat("B")["bot_filling_in"])
    assert not page.view["outcome"]
    assert page.seat("B")["bot"] == "greedy"
    page.waits_until(lambda page: len(page.codes) > 1)


def test_time_runs_from_the_first_action_on_for_whoever_is_to_act(server: Server) -> None:
    ann, bob, table = two(server, settings=MINUTE)
    one, other = ann.sits_at(table), bob.sits_at(table)
    one.hears("clock")
    assert (one.clock["running"], one.clock["seconds_left"]) == ([], {"A": 60.0, "B": 60.0})
    time.sleep(0.3)
    one.does("@a1")
    one.waits_until(lambda page: page.clock["running"] == ["B"])
    assert left(one, "A") == 60
    time.sleep(0.5)
    other.waits_for(one.view["seq"])
    other.does("@b1")
    one.waits_until(lambda page: page.clock["running"] == ["A"])
    assert 60 < left(one, "B") <= 64.5, "what it took, and five seconds more"
    one.does("@c1")
    one.waits_until(lambda page: page.clock["running"] == ["B"])
    assert 60 < left(one, "A") <= 65


def test_days_are_for_every_turn(server: Server) -> None:
    settings = {"clock": {"kind": "days", "days": 2}}
    ann, bob, table = two(server, settings=settings)
    page = bob.sits_at(table)
    plays(ann, table, "@a1")
    page.waits_until(lambda page: page.clock.get("running") == ["B"])
    assert page.clock["is_per_turn"]
    time.sleep(0.3)
    page.does("@b1")
    page.waits_until(lambda page: page.clock["running"] == ["A"])
    assert left(page, "B") == 2 * 24 * 60 * 60


def test_without_a_clock_nothing_is_said_of_time(server: Server) -> None:
    ann, _, table = two(server)
    page = ann.sits_at(table)
    page.does("@a1")
    assert page.is_left_alone()
    assert not page.clock


def test_no_time_runs_while_a_match_is_adjourned(server: Server) -> None:
    ann, bob, table = two(server, settings=MINUTE)
    one, other = ann.sits_at(table), bob.sits_at(table)
    one.does("@a1")
    one.does("ask adjourn")
    other.waits_until(lambda page: bool(page.table["request"]))
    other.does("agree")
    other.waits_until(lambda page: page.clock["running"] == [])
    before = left(other, "B")
    time.sleep(1)
    other.does("ask continue")
    one.waits_until(lambda page: bool(page.table["request"]) and page.table["is_adjourned"])
    one.does("agree")
    one.waits_until(lambda page: page.clock["running"] == ["B"])
    assert before - 0.5 < left(one, "B") <= before + 5


def test_bots_have_all_the_time_they_need(server: Server) -> None:
    guest = Guest(server)
    table = guest.begins("kalamala", {"A": "me", "B": "greedy"}, settings=MINUTE)
    page = guest.sits_at(table)
    page.does("@a1")
    page.waits_until(lambda page: len(page.codes) == 2)
    assert left(page, "B") == 60


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(signal.SIGINT, marks=pytest.mark.long, id="in good order"),
        pytest.param(signal.SIGKILL, id="killed"),
    ],
)
def test_a_restart_costs_nobody_time(tmp_path: Path, how: signal.Signals) -> None:
    with Server(tmp_path) as server:
        ann, bob, table = two(server, settings={"clock": {"kind": "fischer", "minutes": 0.05}})
        page, began = bob.sits_at(table), time.monotonic()
        plays(ann, table, "@a1")
        page.waits_until(lambda page: page.clock.get("running") == ["B"])
        time.sleep(0.5)
        server.closing_time()
        if how == signal.SIGKILL:
            server.kill()
        else:
            assert server.stop() == ""
    up = time.monotonic() - began
    time.sleep(3.5)
    began = time.monotonic()
    with Server(tmp_path) as server:
        again = bob.comes_back(server)
        page = again.sits_at(table)
        page.hears("clock")
        assert not page.view["outcome"]
        up += time.monotonic() - began
        assert 3 - up <= left(page, "B") <= 3, "the three seconds less what passed while it was up"
        page.leaves()
        waits_for_the_end(again, table)


def test_what_a_clock_shows_outlives_what_the_server_remembers(forgetful: Server) -> None:
    """A table that nobody looks at may be forgotten, and read again; its time has gone on."""
    ann, _, table = two(forgetful, settings=SHORT)
    plays(ann, table, "@a1")
    other = ann.begins("kalamala")

    def is_over() -> bool:
        ann.reads(other)
        return bool(ann.reads(table)["is_over"])

    at_last(is_over)


@asynccontextmanager
async def tables_in(folder: Path) -> AsyncIterator[tuple[LiveTables, Store]]:
    """The tables of a server that starts on what there is."""
    store = open_store(folder)
    tables = LiveTables(store, BotPool())
    await tables.start()
    yield tables, store
    await tables.close()
    store.close()


async def begins_alone(tables: LiveTables, clock: Fischer | NoClock) -> LiveTable:
    """A match in which one person plays both sides."""
    both = {"A": ["ann"], "B": ["ann"]}
    settings = TableSettings(clock=clock)
    opening = NewTable(game="kalamala", host="ann", members=both, settings=settings)
    live = await tables.find_table(await tables.open_table(opening))
    assert live
    return live


async def acts(tables: LiveTables, live: LiveTable, *texts: str) -> None:
    for text in texts:
        (seat,) = live.game.rules.to_act(live.table.state)
        await tables.actions.submit(live, ActRequest("ann", seat, [text]))


def test_when_to_look_is_written_when_it_comes_nearer_and_not_for_every_row(tmp_path: Path) -> None:
    """A row is written with nothing beside it, and yet no restart looks too late."""

    async def play() -> None:
        async with tables_in(tmp_path) as (tables, store):
            live = await begins_alone(tables, Fischer(10, 30))
            await acts(tables, live, "@a1")
            first = await due_times(store)
            await acts(tables, live, "@a2", "@b1")
            assert await due_times(store) == first
            due = live.timer.seconds_until_due()
            assert due
            assert first[live.id] <= wall_clock.now() + due
            await tables.actions.submit(live, ActRequest("ann", "A", ["resign A"]))
            assert await due_times(store) == {}

    asyncio.run(play())


def test_a_table_that_waits_for_nothing_is_looked_at_once_and_not_at_every_start(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        async with tables_in(tmp_path) as (tables, store):
            live = await begins_alone(tables, NoClock())
            early = GAME_TABLE.update().values(due_at=wall_clock.now() - 1)
            await store.execute(early)
        async with tables_in(tmp_path) as (tables, store):
            while await due_times(store):
                await asyncio.sleep(0.01)
            assert await tables.find_table(live.id)

    asyncio.run(asyncio.wait_for(play(), LATE))
