"""Two servers on one database: what is done at one is seen at the other, whichever ends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.cluster.hosts import Hosts, kill, workers_of
from support.cluster.needed import NEEDED
from support.cluster.servers import settings_for
from support.server_process import Guest, Page, Server, api, at_last

pytestmark = NEEDED
SEEKS = "/api/v1/seeks"
SHORT = {"clock": {"kind": "fischer", "minutes": 1.5 / 60, "seconds": 0}}


@pytest.fixture(scope="module")
def shared_hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    folder = tmp_path_factory.mktemp("hosts")
    given = settings_for(folder)
    with Hosts(folder, given["KIBITZ_DATABASE_URL"], given["KIBITZ_REDIS_URL"]) as hosts:
        yield hosts
        assert hosts.stop() == ""


@pytest.fixture
def hosts(shared_hosts: Hosts) -> Iterator[Hosts]:
    yield shared_hosts
    shared_hosts.closing_time()


def own_hosts(folder: Path, workers: int = 1, count: int = 2) -> Hosts:
    """Some that may be killed."""
    given = settings_for(folder)
    return Hosts(folder, given["KIBITZ_DATABASE_URL"], given["KIBITZ_REDIS_URL"], workers, count)


def apart(hosts: Hosts, game: str = "kalamala", **more: object) -> tuple[Guest, Guest, str]:
    """Ann at one server, Bob at the other; they are at the same table."""
    ann, bob = map(Guest, hosts.servers)
    first, second = ("R", "B") if game == "kahmate" else ("A", "B")
    table = ann.begins(game, {first: "me", second: "free"}, **more)
    bob.joins(ann.links(table)[second])
    return ann, bob, table


def plays(guest: Guest, table: str, text: str) -> None:
    """As a program that does not stay."""
    asked = {"type": "act", "key": f"{time.monotonic()}", "actions": [text]}
    answer = guest.client.post(api(table, "actions"), json=asked)
    assert answer.status_code == 200, answer.text


def in_turn(one: Page, other: Page, *texts: str) -> None:
    for number, text in enumerate(texts):
        acting, waiting = (one, other) if number % 2 == 0 else (other, one)
        acting.waits_for(waiting.view["seq"])
        assert acting.acts(text)["type"] == "done"
        waiting.waits_for(acting.view["seq"])


def test_two_play_at_two_servers(hosts: Hosts) -> None:
    ann, bob, table = apart(hosts)
    one, other = ann.sits_at(table), bob.sits_at(table)
    in_turn(one, other, "@a1", "@b1", "@c1", "@d1")
    assert one.codes == other.codes == ["@a1", "@b1", "@c1", "@d1"]


def test_somebody_goes_on_at_another_server(hosts: Hosts) -> None:
    ann, _, table = apart(hosts)
    ann.sits_at(table).does("@a1")
    again = ann.comes_back(hosts.servers[1])
    assert again.sits_at(table).codes == ["@a1"]


def test_what_was_sent_to_two_servers_is_done_once(hosts: Hosts) -> None:
    ann, _, table = apart(hosts)
    asked = {"type": "act", "key": "the same", "actions": ["@a1"]}
    doors = [ann, ann.comes_back(hosts.servers[1])]
    with ThreadPoolExecutor() as at_once:
        sent = [
            at_once.submit(door.client.post, api(table, "actions"), json=asked)
            for door in (*doors, *doors)
        ]
    assert [each.result().status_code for each in sent] == [200] * 4
    assert ann.reads(table, "record")["actions"] == ["@a1"]


def test_a_name_given_at_one_server_is_seen_at_the_other(hosts: Hosts) -> None:
    ann, bob, table = apart(hosts)
    page = ann.sits_at(table)
    bob.calls_himself("Bob of the other house")
    page.waits_until(lambda page: page.seat("B")["members"] == ["Bob of the other house"])


def test_who_is_there_is_seen_at_the_other_server(hosts: Hosts) -> None:
    ann, bob, table = apart(hosts)
    page = ann.sits_at(table)
    page.waits_until(lambda page: not page.seat("B")["is_here"])
    there = bob.sits_at(table)
    page.waits_until(lambda page: bool(page.seat("B")["is_here"]))
    there.leaves()
    page.waits_until(lambda page: not page.seat("B")["is_here"])


def test_whoever_looks_for_an_opponent_finds_one_at_the_other_server(hosts: Hosts) -> None:
    ann, bob = map(Guest, hosts.servers)
    table = sought(ann)
    page = ann.sits_at(table)
    assert sought(bob) == table
    page.waits_until(lambda page: not page.table["is_waiting"])


def sought(guest: Guest) -> str:
    clock = {"kind": "fischer", "minutes": 61, "seconds": 3}
    answer = guest.client.post(SEEKS, json={"game": "kalamala", "clock": clock})
    assert answer.status_code in (200, 201), answer.text
    place: str = answer.json()["url"]
    return place


def test_a_rematch_agreed_on_at_two_servers_opens_one_table(hosts: Hosts) -> None:
    ann, bob, table = apart(hosts)
    one, other = ann.sits_at(table), bob.sits_at(table)
    in_turn(one, other, "@a1", "@b1")
    one.does("resign A")
    other.waits_until(lambda page: bool(page.view["outcome"]))
    with ThreadPoolExecutor() as at_once:
        for page in (one, other):
            at_once.submit(page.acts, "ask rematch", seq=None, seat=None)
    for page in (one, other):
        page.waits_until(lambda page: bool(page.table["next"] or page.table["request"]))
        if not page.table["next"]:
            page.acts("agree", seq=None, seat=None)
    for page in (one, other):
        page.waits_until(lambda page: bool(page.table["next"]))
    assert one.table["next"] == other.table["next"]
    in_turn(bob.sits_at(one.table["next"]), ann.sits_at(one.table["next"]), "@a1", "@b1")


def test_what_a_dead_worker_had_to_do_is_done_by_another(tmp_path: Path) -> None:
    with own_hosts(tmp_path) as hosts:
        ann, bob, table = apart(hosts, settings=SHORT)
        with_bot = ann.begins("kalamala", {"A": "me", "B": "greedy"})
        page = ann.comes_back(hosts.servers[1]).sits_at(with_bot)
        plays(ann, table, "@a1")
        plays(ann, with_bot, "@a1")
        hosts.servers[0].kill()
        page.waits_for(1)
        assert page.codes == ["@a1"], "the bot had not acted yet"
        at_last(lambda: bool(bob.reads(table)["is_over"]))
        assert bob.reads(table, "record")["log"][-1]["by"] == "clock"
        page.waits_until(lambda page: len(page.codes) == 2)


@pytest.mark.long
def test_a_worker_that_is_killed_is_replaced(tmp_path: Path) -> None:
    with own_hosts(tmp_path, workers=2, count=1) as hosts:
        (server,) = hosts.servers
        before = workers_of(server)
        assert len(before) == 2
        for worker in before:
            kill(worker)
        at_last(lambda: len(set(workers_of(server)) - set(before)) == 2)
        guest = Guest(server)
        guest.sits_at(guest.begins("kalamala")).acts("@a1")
        assert "is replaced" in hosts.stop()


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.long), 2])
def test_a_server_with_another_secret_refuses_to_start(
    hosts: Hosts, tmp_path: Path, workers: int
) -> None:
    settings = {**hosts.settings, "KIBITZ_WORKERS": str(workers)}
    (tmp_path / "another").write_bytes(bytes(64))
    with pytest.raises(AssertionError, match="This secret is not the one the database"):
        Server(tmp_path, KIBITZ_SECRET_FILE=str(tmp_path / "another"), **settings)


def test_without_redis_everything_arrives_a_moment_later(tmp_path: Path) -> None:
    with Hosts(tmp_path, settings_for(tmp_path)["KIBITZ_DATABASE_URL"]) as hosts:
        ann, bob, table = apart(hosts)
        one, other = ann.sits_at(table), bob.sits_at(table)
        waits = []
        for number, text in enumerate(("@a1", "@b1", "@c1", "@d1")):
            acting, waiting = (one, other) if number % 2 == 0 else (other, one)
            assert acting.acts(text)["type"] == "done"
            began = time.monotonic()
            waiting.waits_for(acting.view["seq"])
            waits.append(time.monotonic() - began)
        assert max(waits) < 3, "about a second, and what a busy machine adds"
        bob.calls_himself("Bob")
        one.waits_until(lambda page: page.seat("B")["members"] == ["Bob"])
        assert hosts.stop() == ""
