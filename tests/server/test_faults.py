"""What a server rests on fails: it says so in sentences, loses nothing, and goes on by itself."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from html import unescape
from pathlib import Path

import pytest

from kibitz.server.db.store import StoreUnreachable, open_store
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.registry import LiveTables
from support import failing_disk
from support.cluster.needed import NEEDED
from support.cluster.servers import Postgres
from support.server_process import IN_CLUSTER, Guest, Page, Server, api, at_last

NOT_STORED = "This could not be saved to disk, so nothing was changed. Try again in a moment."
UNREACHABLE = "The database can't be reached right now."
HOUR = 3600.0
of_files = pytest.mark.skipif(IN_CLUSTER, reason="PostgreSQL looks after its own disk")


@contextmanager
def complaining(
    data: Path, *expected: str, program: str = "kibitz.server.run", **more: str
) -> Iterator[Server]:
    """A server that has reason to complain: of this, and without a traceback."""
    server = Server(data, program, **more)
    try:
        yield server
        server.closing_time()
        complaints = server.stop()
        assert "Traceback" not in complaints, complaints
        for sentence in expected:
            assert sentence in complaints, complaints
    finally:
        server.closing_time()
        if server.process.poll() is None:
            server.kill()


def refusal(page: Page) -> str:
    """Why what is offered is not done."""
    answer = page.acts(*page.view["offers"][0]["actions"])
    assert answer["type"] == "refused", answer
    why: str = answer["message"]
    return why


def acts(page: Page) -> None:
    answer = page.acts(*page.view["offers"][0]["actions"])
    assert answer["type"] == "done", answer


def check_full_disk(server: Server, fill: Callable[[], object], free: Callable[[], object]) -> None:
    """It fills up in the middle of matches; when there is room again, all of them go on."""
    ann, cleo = Guest(server), Guest(server)
    page = ann.sits_at(table := ann.opens())
    beside = cleo.sits_at(with_bot := cleo.begins("kalamala", {"A": "me", "B": "greedy"}))
    acts(page)
    beside.does("@a1")
    fill()
    told = list(page.codes)
    assert [refusal(page) for _ in range(3)] == [NOT_STORED] * 3
    asked = {"type": "act", "key": "k", "actions": page.view["offers"][0]["actions"]}
    answer = ann.client.post(api(table, "actions"), json=asked)
    assert (answer.status_code, answer.json()["code"]) == (503, "not-stored")
    assert NOT_STORED in answer.text
    opening = ann.client.post("/api/v1/tables", json={"game": "kalamala"})
    assert opening.status_code == 503
    assert NOT_STORED in opening.text
    assert ann.client.get("/").status_code == 200, "what there is can be read"
    assert ann.sits_at(table).codes == told
    time.sleep(1)
    free()
    acts(page)
    beside.waits_until(lambda page: len(page.codes) == 2)
    assert len(page.codes) == len(told) + 1
    assert len(cleo.reads(with_bot, "record")["actions"]) == 2


@of_files
def test_a_full_disk_is_told_and_play_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with failing_disk.mount_disk(tmp_path / "disk") as disk:
        with complaining(disk, "full") as server:
            filler: list[Path] = []
            check_full_disk(
                server,
                fill=lambda: filler.append(failing_disk.fill(disk)),
                free=lambda: filler.pop().unlink(),
            )
            rows = server.read_rows("SELECT count(*) AS n FROM log_row")
        with Server(disk) as again:
            assert again.read_rows("SELECT count(*) AS n FROM log_row") == rows


@of_files
@pytest.mark.long
def test_a_file_that_may_not_grow_is_a_full_disk(tmp_path: Path) -> None:
    with complaining(tmp_path, "could not write") as server:
        pid = server.process.pid
        check_full_disk(server, lambda: failing_disk.limit(pid), lambda: failing_disk.unlimit(pid))


@of_files
def test_a_disk_that_becomes_read_only_is_told_and_play_goes_on_after_it(tmp_path: Path) -> None:
    try:
        with complaining(tmp_path, "could not write") as server:
            guest = Guest(server)
            page = guest.sits_at(guest.opens())
            acts(page)
            failing_disk.lock(tmp_path)
            assert refusal(page) == NOT_STORED
            assert guest.client.get("/").status_code == 200
            failing_disk.unlock(tmp_path)
            acts(page)
    finally:
        failing_disk.unlock(tmp_path)


@of_files
def test_on_a_read_only_disk_it_says_why_it_does_not_start(tmp_path: Path) -> None:
    with failing_disk.mount_disk(tmp_path / "disk") as disk:
        with Server(disk) as server:
            guest = Guest(server)
            acts(guest.sits_at(table := guest.opens()))
            seen = guest.client.cookies
        failing_disk.remount(disk, "ro")
        with pytest.raises(AssertionError, match=r"kibitz: The data folder .* cannot be used: "):
            Server(disk)
        failing_disk.remount(disk, "rw")
        with Server(disk) as server:
            again = Guest(server)
            again.client.cookies.update(seen)
            acts(again.sits_at(table))


# A clock that is set while people play


class Machine:
    """One whose clock can be set."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.jump = folder, folder / "jump"
        self.sets_clock(0)

    def sets_clock(self, seconds: float) -> None:
        """So far from what it is."""
        fresh = self.jump.with_suffix(".new")
        fresh.write_text(str(seconds))
        fresh.replace(self.jump)

    def server(self, *expected: str) -> AbstractContextManager[Server]:
        asked = {"program": "support.servers.fake_clock", "KIBITZ_TEST_JUMP": str(self.jump)}
        return complaining(self.folder / "data", *expected, **asked)


def two(server: Server, seconds: float) -> tuple[Page, Page, str]:
    """Two people with so much time each, one of whom has acted."""
    ann, bob = Guest(server), Guest(server)
    settings = {"clock": {"kind": "fischer", "minutes": seconds / 60, "seconds": 0}}
    table = ann.begins("kalamala", {"A": "me", "B": "free"}, settings=settings)
    bob.joins(ann.links(table)["B"])
    one, other = ann.sits_at(table), bob.sits_at(table)
    one.does("@a1")
    other.waits_until(lambda page: page.clock.get("running") == ["B"])
    return one, other, table


def left(page: Page, seat: str) -> float:
    """What a seat had when it was last told."""
    seconds: float = page.clock["seconds_left"][seat]
    return seconds


def falls_within(page: Page, seconds: float) -> bool:
    """Whether somebody's time is up before that."""
    began = time.monotonic()
    page.waits_until(lambda page: bool(page.view["outcome"]))
    return time.monotonic() - began < seconds


def moments(server: Server, table: str) -> list[float]:
    query = "SELECT at FROM log_row WHERE table_id = :id ORDER BY seq"
    return [row["at"] for row in server.read_rows(query, id=table.split("/")[-1])]


@pytest.mark.parametrize(
    ("jump", "said"),
    [
        pytest.param(-HOUR, "clock went back by 3600 seconds", id="back"),
        pytest.param(HOUR, "clock is ahead by 3600 seconds", id="ahead", marks=pytest.mark.long),
    ],
)
def test_a_clock_that_jumps_gives_and_takes_no_time(tmp_path: Path, jump: float, said: str) -> None:
    machine = Machine(tmp_path)
    with machine.server(said) as server:
        one, other, table = two(server, seconds=120)
        _, late, _ = two(server, seconds=4)
        leaving, forgotten, left_alone = two(server, seconds=600)
        bob = server.guests[-1]
        for page in (leaving, forgotten):
            page.leaves()
        machine.sets_clock(jump)
        assert falls_within(late, 8), "deadlines do"
        bob.begins("kalamala")  # With another table in memory it is forgotten.
        page = bob.sits_at(left_alone)
        page.hears("clock")
        assert 550 < left(page, "B") < 599, "also where nobody looked"
        other.does("@b1")
        one.waits_until(lambda page: page.clock["running"] == ["A"])
        assert 90 < left(one, "B") < 119
        one.does("@c1")
        one.waits_until(lambda page: page.clock["running"] == ["B"])
        assert 100 < left(one, "A") <= 120
        at = moments(server, table)
        assert len(at) >= 3
        assert at == sorted(at)


@pytest.mark.long
def test_a_clock_that_was_set_back_while_nobody_served_keeps_deadlines(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    with machine.server() as server:
        _, _, table = two(server, seconds=6)
        bob = server.guests[-1]
        server.closing_time()
        server.kill()
    machine.sets_clock(-HOUR)
    with machine.server("clock went back by") as server:
        page = bob.comes_back(server).sits_at(table)
        page.hears("clock")
        assert 0 < left(page, "B") <= 6
        assert falls_within(page, 10)
        at = moments(server, table)
        assert at == sorted(at)


# A database that goes away


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    """One that nobody else needs."""
    started = Postgres()
    yield started
    started.close()


def goes_away(postgres: Postgres, how: str, seconds: float) -> None:
    if how == "frozen":
        postgres.freeze()
        time.sleep(seconds)
        postgres.thaw()
    else:
        postgres.stop(signal.SIGINT)
        time.sleep(seconds)
        postgres.start()


@NEEDED
@pytest.mark.parametrize("how", ["frozen", pytest.param("stopped", marks=pytest.mark.long)])
def test_a_database_that_goes_away_for_ten_seconds_is_waited_for(
    tmp_path: Path, postgres: Postgres, how: str
) -> None:
    with complaining(tmp_path, KIBITZ_DATABASE_URL=postgres.new_database()) as server:
        guest = Guest(server)
        page = guest.sits_at(table := guest.opens())
        beside = guest.sits_at(guest.begins("kalamala", {"A": "me", "B": "greedy"}))
        acts(page)
        beside.does("@a1")
        with ThreadPoolExecutor() as meanwhile:
            gone = meanwhile.submit(goes_away, postgres, how, 10)
            time.sleep(1)
            asked = meanwhile.submit(acts, page)
            read = meanwhile.submit(guest.client.get, table)
            for each in (gone, asked):
                each.result()
            assert read.result().status_code == 200
        assert len(page.codes) == 2
        acts(page)
        beside.waits_until(lambda page: len(page.codes) == 2)
        assert guest.reads(table, "record")["actions"] == page.codes


def test_a_database_that_is_not_there_is_told_at_the_start(tmp_path: Path) -> None:
    nowhere = "postgresql://ann:hush@127.0.0.1:1/kibitz"
    told = r"kibitz: The database postgresql://ann:\*\*\*@127.0.0.1:1/kibitz cannot be used: "
    with pytest.raises(AssertionError, match=told):
        Server(tmp_path, "support.servers.db_timeout", KIBITZ_DATABASE_URL=nowhere)


def test_a_worker_begins_when_the_database_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, tries = open_store(tmp_path), iter((False, False, True))

    async def uptimes() -> tuple[tuple[float, float], ...]:
        if next(tries):
            return ()
        raise StoreUnreachable("it went away just now")

    async def begins() -> None:
        tables = LiveTables(store, BotPool())
        await tables.start()
        await tables.close()

    monkeypatch.setattr(store, "uptimes", uptimes)
    monkeypatch.setattr("kibitz.server.tables.deadlines.RETRY_S", 0.0)
    asyncio.run(begins())
    store.close()
    assert list(tries) == []


@NEEDED
def test_a_database_that_stays_away_is_told_and_then_found_again(
    tmp_path: Path, postgres: Postgres
) -> None:
    asked = {
        "program": "support.servers.db_timeout",
        "KIBITZ_DATABASE_URL": postgres.new_database(),
    }
    with complaining(tmp_path, "could not write", **asked) as server:
        guest = Guest(server)
        page = guest.sits_at(table := guest.opens())
        acts(page)
        postgres.stop(signal.SIGINT)
        why = refusal(page)
        assert why == NOT_STORED or why.startswith(UNREACHABLE)
        answer = guest.client.get(table)
        assert answer.status_code == 503
        assert UNREACHABLE in unescape(answer.text)
        postgres.start()
        at_last(lambda: guest.client.get(table).status_code == 200)
        acts(page)
        assert guest.reads(table, "record")["actions"] == page.codes
