"""Server-sent events: a table as it happens, and one's turns at all tables."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from typing import Any, NamedTuple

import httpx
import pytest

from kibitz.server.tables import sse
from support.server_process import IN_CLUSTER, TIMEOUT_S, Guest, Server, api

TURNS = "/api/v1/me/turns"
numbers = count()


class Event(NamedTuple):
    kind: str
    data: Any
    id: str | None


class Source:
    """What a browser's EventSource does, as far as a test needs it."""

    def __init__(self, answer: httpx.Response) -> None:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        self._lines = answer.iter_lines()
        self.heard: list[Event] = []
        self.comments = 0

    def next(self, *kinds: str) -> Event:
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            found = self._read()
            if found and (not kinds or found.kind in kinds):
                return found
        raise AssertionError(self.heard)

    def until(self, is_so: Callable[[Event], bool]) -> Event:
        while not is_so(found := self.next()):
            pass
        return found

    def listens(self) -> int:
        """To one thing more; how many signs of life there were."""
        self._read()
        return self.comments

    def is_over(self) -> bool:
        """Whether nothing comes any more because the other side said so."""
        for _ in self._lines:
            pass
        return True

    def _read(self) -> Event | None:
        fields: dict[str, str] = {}
        for line in self._lines:
            if not line:
                break
            name, _, value = line.partition(": ")
            self.comments += line.startswith(":")
            fields[name] = value
        else:
            raise AssertionError("the stream is over")
        if "data" not in fields:
            return None
        found = Event(fields["event"], json.loads(fields["data"]), fields.get("id"))
        self.heard.append(found)
        return found


@contextmanager
def listening(guest: Guest, path: str, **headers: str) -> Iterator[Source]:
    with guest.client.stream("GET", path, headers=headers, timeout=TIMEOUT_S) as answer:
        yield Source(answer)


def acts(guest: Guest, table: str, *texts: str, **more: Any) -> httpx.Response:
    sent = {"key": f"e{next(numbers)}", "actions": texts, **more}
    return guest.client.post(api(table, "actions"), json=sent)


def pair(server: Server, game: str = "kalamala") -> tuple[Guest, Guest, str]:
    ann, bob = Guest(server), Guest(server)
    ann.client.get("/api/v1/me")
    one, other = {"kalamala": ("A", "B"), "kahmate": ("R", "B")}[game]
    table = ann.begins(game, {one: "me", other: "free"})
    bob.joins(ann.links(table)[other])
    return ann, bob, table


def comes_true(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_table_is_shown_as_it_happens(server: Server) -> None:
    ann, bob, table = pair(server)
    with listening(bob, api(table, "events")) as source:
        first = source.next("view")
        assert first.data["svg"].startswith("<svg")
        assert first.id == str(first.data["seq"])
        assert acts(ann, table, "@a1").status_code == 200
        seen = source.next("view")
        assert seen.data["seq"] == first.data["seq"] + 1
        assert seen.data["svg"] is None
        assert [entry["code"] for entry in seen.data["log"]] == ["@a1"]
        assert seen.data["offers"]


def test_it_says_what_a_socket_says(server: Server) -> None:
    ann, bob, table = pair(server)
    page = bob.sits_at(table)
    with listening(bob, api(table, "events")) as source:
        source.next("view")
        acts(ann, table, "@a1")
        assert source.next("view").data == page.sees_next()


def test_a_stream_goes_on_where_the_last_one_broke(server: Server) -> None:
    ann, bob, table = pair(server)
    with listening(bob, api(table, "events")) as source:
        last = source.next("view")
    acts(ann, table, "@a1")
    assert last.id is not None
    with listening(bob, api(table, "events"), **{"Last-Event-ID": last.id}) as source:
        seen = source.next("view").data
        assert is_partial(seen)
        assert [entry["code"] for entry in seen["log"]] == ["@a1"]
    with listening(bob, api(table, f"events?since={last.id}")) as source:
        assert is_partial(source.next("view").data)
    with listening(bob, api(table, "events"), **{"Last-Event-ID": "9" * 40}) as source:
        assert source.next("view").data["svg"]


def is_partial(view: dict[str, Any]) -> bool:
    """A worker that did not have the table before knows no better than to show all of it."""
    return IN_CLUSTER or (view["svg"] is None and len(view["events"]) == 1)


def test_who_reads_a_stream_is_there(server: Server) -> None:
    ann, bob, table = pair(server)
    page = ann.sits_at(table)
    with listening(bob, api(table, "events")) as source:
        source.next("view")
        page.waits_until(lambda page: bool(page.seat("B")["is_here"]))
    page.waits_until(lambda page: not page.seat("B")["is_here"])


def test_somebody_coming_and_time_are_told(server: Server) -> None:
    ann, bob = Guest(server), Guest(server)
    ann.client.get("/api/v1/me")
    clock = {"kind": "fischer", "minutes": 5, "seconds": 3}
    table = ann.begins("kalamala", {"A": "me", "B": "free"}, settings={"clock": clock})
    bob.joins(ann.links(table)["B"])
    with listening(ann, api(table, "events")) as source:
        assert source.next("clock").data["seconds_left"].keys() == {"A", "B"}
        page = bob.sits_at(table)
        source.until(lambda e: e.kind == "people" and e.data["seats"][1]["is_here"])
        page.leaves()


def test_a_table_that_is_not_for_you_has_no_events(server: Server) -> None:
    _, _, table = pair(server)
    answer = Guest(server).client.get(api(table, "events"))
    assert (answer.status_code, answer.json()["code"]) == (404, "no-table")


def turns_of(guest: Guest, wait: float = 0) -> list[dict[str, Any]]:
    answer = guest.client.get(f"{TURNS}?wait_seconds={wait}", timeout=TIMEOUT_S + wait)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def test_turns_that_wait_are_told_first(server: Server) -> None:
    ann, bob, table = pair(server)
    id = table.split("/")[-1]
    with listening(ann, TURNS) as source:
        told = source.next("turn").data
        assert (told["table"], told["seats"], told["game"]) == (id, ["A"], "kalamala")
        assert told["url"] == table
    assert [turn["table"] for turn in turns_of(ann)] == [id]
    assert turns_of(bob) == []


def test_a_turn_is_told_when_it_comes_at_whatever_table(server: Server) -> None:
    """Also at one that was opened since, and at one where somebody else let them in."""
    ann, bob, table = pair(server)
    with listening(bob, TURNS) as source:
        acts(ann, table, "@a1")
        assert source.next("turn").data["table"] == table.split("/")[-1]
        acts(bob, table, "@b1")
        acts(ann, table, "@a2")
        again = source.next("turn").data
        assert (again["table"], again["seats"]) == (table.split("/")[-1], ["B"])
        own = bob.begins("kahmate", {"R": "me", "B": "greedy"})
        assert source.next("turn").data["table"] == own.split("/")[-1]
        third = ann.begins("kalamala", {"A": "me", "B": "free"})
        bob.joins(ann.links(third)["B"])
        acts(ann, third, "@a1")
        assert source.until(lambda e: bool(e.data["table"] == third.split("/")[-1]))


def test_a_long_turn_is_told_after_each_of_its_actions(server: Server) -> None:
    guest = Guest(server)
    guest.client.get("/api/v1/me")
    table = guest.begins("kalamala", {"A": "me", "B": "me"})
    with listening(guest, TURNS) as source:
        first = source.next("turn").data
        acts(guest, table, "@a1")
        assert source.next("turn").data == {**first, "seq": first["seq"] + 1, "seats": ["B"]}


def test_a_match_that_is_over_or_adjourned_is_nobodys_turn(server: Server) -> None:
    ann, bob, table = pair(server)
    acts(ann, table, "ask adjourn")
    acts(bob, table, "agree")
    assert turns_of(ann) == []
    acts(ann, table, "ask continue")
    acts(bob, table, "agree")
    assert len(turns_of(ann)) == 1
    acts(bob, table, "resign B")
    assert turns_of(ann) == []


def test_one_may_wait_for_the_next_turn(server: Server) -> None:
    ann, bob, table = pair(server)
    began = time.monotonic()
    assert turns_of(bob, wait=0.5) == []
    assert time.monotonic() - began >= 0.5
    with ThreadPoolExecutor() as beside:
        waiting = beside.submit(turns_of, bob, 20)
        time.sleep(0.5)
        acts(ann, table, "@a1")
        assert [turn["table"] for turn in waiting.result()] == [table.split("/")[-1]]


def test_who_waits_for_turns_is_there_and_finds_an_opponent(server: Server) -> None:
    ann, bob = Guest(server), Guest(server)
    wish = {"game": "kalamala", "clock": {"kind": "fischer", "minutes": 17, "seconds": 1}}
    for guest in (ann, bob):
        guest.client.get("/api/v1/me")
    table = ann.client.post("/api/v1/seeks", json=wish).json()["url"]
    with listening(ann, TURNS) as source:
        comes_true(lambda: table in [e["url"] for e in bob.client.get("/api/v1/tables").json()])
        assert bob.client.post("/api/v1/seeks", json=wish).json()["url"] == table
        mine = [seat["seat"] for seat in ann.reads(table)["seats"] if seat["is_mine"]]
        if mine == ["B"]:
            acts(bob, table, "@a1")
        assert source.next("turn").data["seats"] == mine


def test_turns_are_for_somebody(server: Server) -> None:
    for path in (TURNS, f"{TURNS}?wait_seconds=0"):
        answer = httpx.get(f"{server.address}{path}", timeout=TIMEOUT_S)
        assert (answer.status_code, answer.json()["code"]) == (401, "token-required")


@pytest.mark.parametrize("wait", ["-1", "61", "nan", "inf", "x", "1e400"])
def test_nobody_waits_for_ever(guest: Guest, wait: str) -> None:
    guest.client.get("/api/v1/me")
    assert guest.client.get(f"{TURNS}?wait_seconds={wait}").status_code == 400


def test_a_sign_of_life_comes_where_nothing_happens(tmp_path: Any) -> None:
    with Server(tmp_path, "support.servers.short_timeouts") as own:
        ann, bob, table = pair(own)
        with listening(bob, api(table, "events")) as one, listening(bob, TURNS) as other:
            one.next("view")
            began = time.monotonic()
            for source in (one, other):
                comes_true(lambda source=source: source.listens() > 2)  # type: ignore[misc]
            assert time.monotonic() - began > 0.5
            acts(ann, table, "@a1")
            assert one.next("view").data["seq"]
            assert other.next("turn").data["seats"] == ["B"]


def test_streams_end_with_the_server(tmp_path: Any) -> None:
    """Nothing is complained of, and whoever listens is told."""
    with Server(tmp_path) as own:
        ann, bob, table = pair(own)
        with listening(ann, api(table, "events")) as one, listening(bob, TURNS) as other:
            one.next("view")
            assert own.stop() == ""
            assert one.is_over()
            assert other.is_over()


def test_only_so_many_streams_are_open_from_one_address(tmp_path: Any) -> None:
    with Server(tmp_path, KIBITZ_MAX_CONNECTIONS_PER_ADDRESS="2", KIBITZ_WORKERS="1") as own:
        ann, _, table = pair(own)
        with listening(ann, api(table, "events")) as one:
            one.next("view")
            with listening(ann, TURNS) as other:
                other.next("turn")
                told = ann.client.get(api(table, "events"))
                assert (told.status_code, told.json()["limit"]) == (429, "connections")
                assert int(told.headers["retry-after"]) >= told.json()["wait_seconds"] > 0
        comes_true(lambda: ann.client.head(api(table, "events")).status_code == 200)


def test_an_event_is_one_line_of_data() -> None:
    assert sse.format_event("turn", "{}") == "event: turn\ndata: {}\n\n"
    assert sse.format_event("view", "{}", 7) == "id: 7\nevent: view\ndata: {}\n\n"


def test_an_id_of_ours_is_a_number() -> None:
    assert sse.last_seen_seq("12", 3) == 12
    for text in ("", "x", "-1", "1.5", "²", "9" * 10):
        assert sse.last_seen_seq(text, 3) == 3
