"""What is measured, by one worker or by several, and who may read it."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from kibitz.server import metrics
from support.cluster.servers import Redis, missing
from support.server_process import Guest, Server

TIMEOUT_S = 20.0


def read(server: Server, **headers: str) -> str:
    answer = httpx.get(f"{server.address}/metrics", headers=headers, timeout=TIMEOUT_S)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    return answer.text


def value(text: str, name: str, **labels: str) -> float:
    """The sum of all that fit."""
    total = 0.0
    for found in re.finditer(rf"^kibitz_{name}(?:{{(.*)}})? (\S+)$", text, re.M):
        said = dict(re.findall(r'(\w+)="([^"]*)"', found[1] or ""))
        if all(said.get(each) == wanted for each, wanted in labels.items()):
            total += float(found[2])
    return total


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.fixture(scope="module")
def redis() -> Iterator[Redis]:
    if missing():
        pytest.skip(f"not installed: {missing()}")
    server = Redis()
    yield server
    server.close()


@pytest.fixture
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """Of so many workers; of one, where nothing is said."""
    workers: int = getattr(request, "param", 1)
    more = {"KIBITZ_WORKERS": str(workers)}
    if workers > 1:
        more["KIBITZ_REDIS_URL"] = request.getfixturevalue("redis").url
    with Server(tmp_path / "data", limits="on", **more) as server:
        yield server


@pytest.mark.parametrize("server", [1, 2], indirect=True)
def test_an_evening_is_counted_whoever_is_asked(server: Server) -> None:
    """Two people at a table, by whichever worker: every answer is about both."""
    ann, bob = Guest(server), Guest(server)
    table = ann.opens(play="friend")
    bob.joins(ann.links(table)["B"])
    pages = [ann.sits_at(table), bob.sits_at(table)]
    done = pages[0].acts("@a1")
    pages[1].waits_for(done["seq"])
    pages[0].is_refused("@z9")
    for _ in range(8):
        text = read(server)
        assert value(text, "sockets") == 2
        assert value(text, "actions_total") == done["seq"]
        assert value(text, "refusals_total") == 1
        assert value(text, "append_seconds_count") >= 2
        assert value(text, "group_size_count") >= 2
        assert value(text, "redis_connected") == 1
        assert value(text, "tables") >= 1
        assert value(text, "requests_total", route="/tables", status="303") == 1
    for page in pages:
        page.leaves()
    until(lambda: value(read(server), "sockets") == 0)
    assert value(read(server), "requests_total", status="101") == 2


@pytest.mark.parametrize("server", [2], indirect=True)
def test_bots_and_those_in_a_hurry_are_counted(server: Server) -> None:
    ann = Guest(server)
    page = ann.sits_at(ann.opens(play="bot"))
    page.acts("@a1")
    until(lambda: value(read(server), "bot_thinking_seconds_count") > 0)
    until(lambda: value(read(server), "bot_thinking_waiting") == 0)
    for _ in range(60):
        ann.client.post("/tables", data={"game": "none"})
    assert value(read(server), "limited_total", bucket="open") > 0


def test_nobody_is_in_it(server: Server) -> None:
    """Neither guests nor tables nor addresses: only kinds."""
    ann = Guest(server)
    ann.calls_himself("Annikki")
    table = ann.opens()
    ann.sits_at(table)
    text = read(server)
    for secret in ("Annikki", table.split("/")[-1], "127.0.0.1", *ann.client.cookies.values()):
        assert secret not in text
    labels = set(re.findall(r'[{,](\w+)="', text)) - {"le"}
    about_python = {"implementation", "major", "minor", "patchlevel", "version", "generation"}
    assert labels - about_python <= {"route", "status", "bucket", "trusted"}


def test_only_those_who_were_named_may_read_it(tmp_path: Path) -> None:
    with Server(tmp_path, KIBITZ_METRICS_ALLOW="10.0.0.0/8") as server:
        said = {"X-Forwarded-For": "10.1.2.3"}
        assert httpx.get(f"{server.address}/metrics").status_code == 404
        assert read(server, **said)
        said = {"X-Forwarded-For": "10.1.2.3, 192.0.2.1"}
        assert httpx.get(f"{server.address}/metrics", headers=said).status_code == 404


def test_a_worker_that_was_killed_holds_no_sockets(redis: Redis, tmp_path: Path) -> None:
    with Server(tmp_path, KIBITZ_WORKERS="2", KIBITZ_REDIS_URL=redis.url) as server:
        ann = Guest(server)
        ann.sits_at(ann.opens())
        assert value(read(server), "sockets") == 1
        before = value(read(server), "actions_total")
        children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
        for child in children.read_text().split():
            os.kill(int(child), signal.SIGKILL)
        until(lambda: _answers(server))
        until(lambda: value(read(server), "sockets") == 0)
        assert value(read(server), "actions_total") >= before
        server.closing_time()
        assert "is replaced" in server.stop()


def _answers(server: Server) -> bool:
    try:
        return httpx.get(f"{server.address}/health", timeout=2).status_code == 200
    except httpx.HTTPError:
        return False


def test_where_nobody_measures_nothing_is_counted() -> None:
    metrics.ACTIONS.count()
    metrics.APPEND_SECONDS.observe(1.0)
    metrics.TABLES.set(1)


def test_a_socket_that_is_turned_away_is_not_counted_as_open(server: Server) -> None:
    guest = Guest(server)
    table = guest.opens()
    with pytest.raises(InvalidStatus):
        guest.socket(f"{table}/live", origin="http://evil.example")
    text = read(server)
    assert value(text, "sockets") == 0
    assert value(text, "requests_total", status="403") == 1
    assert value(text, "requests_total", status="500") == 0
