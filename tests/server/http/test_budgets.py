"""What one guest at one address can write and be sent, with the usual limits on.

`tools/budgets.py` prints the figures.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.budgets import (
    MINUTE_S,
    PASSWORD,
    chat_statuses,
    log_in_under_attack,
    look_bytes,
    write_much,
)
from support.server_process import IN_CLUSTER, Guest, Server, api

SECONDS = 5.0


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, limits="on") as server:
        yield server


@pytest.mark.skipif(IN_CLUSTER, reason="what is counted here are the bytes of files")
def test_one_guest_writes_little_and_nobody_is_sent_much(strict: Server) -> None:
    """In a minute at most what a full rest allows, and what follows it: a rest has not the same
    share of everything, but a third of the minute's 2 MB at most."""
    found = write_much(strict, SECONDS)
    assert found.refused > 0, "else this was not much"
    assert found.written_bytes <= 2_000_000 * (1 / 3 + 2 / 3 * found.seconds / MINUTE_S)
    assert found.rows <= 60 + 5 * (found.seconds + 1)
    assert found.largest_answer_bytes <= 1_000_000


def test_whatever_is_written_for_a_guest_counts_as_acting(strict: Server) -> None:
    """A host who mutes without end, and an account that does something to itself."""
    guest = Guest(strict)
    board = guest.begins("kalamala", {"A": "me", "B": "me"})
    assert refuses_in_the_end(
        guest, lambda n: (api(board, "chat/moderation"), {"json": {"do": ("close", "open")[n % 2]}})
    )
    form = {"name": "somebody", "password": PASSWORD}
    assert guest.client.post("/account/register", data=form).status_code == 303
    assert refuses_in_the_end(
        guest, lambda n: ("/language", {"data": {"language": ("en", "fr")[n % 2]}})
    )


def refuses_in_the_end(guest: Guest, nth: Callable[[int], tuple[str, dict[str, Any]]]) -> bool:
    for n in range(300):
        path, sent = nth(n)
        if guest.client.post(path, **sent).status_code == 429:
            return True
    return False


def test_a_page_that_looks_again_and_again_is_sent_little(strict: Server) -> None:
    sent, seconds = look_bytes(strict, SECONDS)
    assert sent <= 2_500_000 + 150_000 * seconds
    assert 2_500_000 + 120_000 * MINUTE_S <= 10_000_000


def test_forty_guests_of_one_address_say_no_more_than_two(tmp_path: Path) -> None:
    with Server(tmp_path, limits="on") as server:
        began = time.monotonic()
        statuses = chat_statuses(server, guests=40)
        seconds = time.monotonic() - began
        said = sum(status < 300 for status in statuses)
        assert said <= 13 + seconds * 2 / 3, "twelve at once, and two in three seconds"
        assert statuses.count(429) == len(statuses) - said > 0


def test_the_owner_logs_in_at_once_while_strangers_try_the_name(tmp_path: Path) -> None:
    with Server(tmp_path, limits="on", KIBITZ_TRUSTED_PROXIES="127.0.0.1") as server:
        found = log_in_under_attack(server, strangers=40)
        assert 429 in found.strangers
        assert found.known_device == 303
        assert found.changes_password == 303


def test_a_table_has_an_end(guest: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    table = guest.begins("as-kimble", options={"mode": "companion"})
    long = {"key": "k", "seat": "referee", "actions": [f'ref rule "{"x" * 301}"']}
    answer = guest.client.post(api(table, "actions"), json=long)
    assert (answer.status_code, answer.json()["code"]) == (422, "reason-long"), answer.text
    short = {"key": "l", "seat": "referee", "actions": [f'ref rule "{"x" * 300}"']}
    assert guest.client.post(api(table, "actions"), json=short).is_success


def test_a_long_log_comes_by_pages(guest: Guest) -> None:
    table = guest.begins("as-kimble", options={"mode": "companion"})
    rulings = [f'ref rule "ruling {n}"' for n in range(64)]
    for n in range(10):
        sent = {"key": f"{n}", "seat": "referee", "actions": rulings}
        assert guest.client.post(api(table, "actions"), json=sent).is_success
    view = guest.reads(table, "view")
    assert (view["log_from"], len(view["log"])) == (140, 500)
    first = guest.reads(table, "log")
    assert [line["n"] for line in first["log"]] == list(range(1, 501))
    assert first["log"][140:] == view["log"][:360]
    assert [line["n"] for line in guest.reads(table, "log?since=639")["log"]] == [640]
