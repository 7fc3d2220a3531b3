"""Attempts of one guest, or one address, to write and to be sent as much as possible."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
from websockets.exceptions import ConnectionClosed

from kibitz.server.settings import DATABASE_FILE
from support.server_process import TIMEOUT_S, Guest, Server, api

MINUTE_S = 60.0
PASSWORD = "correct horse battery"
LOOK = '{"type":"look","is_tall":true}'


@dataclass(frozen=True)
class Written:
    seconds: float
    rows: int
    grown_bytes: int
    """By how much the data grew for good."""
    log_bytes: int
    """All that went to the write-ahead log on the way."""
    largest_answer_bytes: int
    refused: int

    @property
    def written_bytes(self) -> int:
        return self.grown_bytes + self.log_bytes


@contextmanager
def counting_bytes(server: Server) -> Iterator[Callable[[], tuple[int, int]]]:
    """A context in which all that is written stays countable: by how much the data grew, and the
    bytes of the write-ahead log. As somebody reads all the time, the log cannot begin anew."""
    database = server.data / DATABASE_FILE
    log = server.data / f"{DATABASE_FILE}-wal"
    with closing(sqlite3.connect(database, timeout=TIMEOUT_S, isolation_level=None)) as reader:
        reader.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        before = _data_bytes(server)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM game_table").fetchone()

        def count() -> tuple[int, int]:
            written = log.stat().st_size
            reader.execute("COMMIT")
            reader.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return _data_bytes(server) - before, written

        yield count


def _data_bytes(server: Server) -> int:
    return sum(file.stat().st_size for file in server.data.rglob("*") if file.is_file())


def write_much(server: Server, seconds: float) -> Written:
    """One guest writes as much as fits, in every way there is, and a stranger reads a table."""
    guest = Guest(server)
    table = guest.begins("as-kimble", options={"mode": "companion"}, is_open=True)
    board = guest.begins("kalamala", {"A": "me", "B": "free"}, is_open=True)
    Guest(server).joins(guest.links(board)["B"])
    token = guest.links(board)["watch"].split("/")[-1]
    names = {"name": "x" * 40, "players": ["y" * 40] * 8}
    big = {"game": "as-kimble", "options": {"mode": "companion"}}
    big["settings"] = {"teams": dict.fromkeys("RBYG", names)}

    def requests() -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Many rows at once, and as many as are allowed one by one, which cost a commit each."""
        ruling = f'ref rule "{"x" * 110}"'
        for texts in (*[[ruling]] * 20, [ruling] * 64):
            sent = {"key": uuid4().hex, "seat": "referee", "actions": texts}
            yield "POST", api(table, "actions"), sent
        yield "POST", "/api/v1/tables", big
        yield "POST", api(board, "chat"), {"text": "x" * 500}
        yield "POST", api(board, "join"), {"token": token}
        yield "PUT", "/api/v1/me", {"name": uuid4().hex[:20]}

    rows, refused, began = 0, 0, time.monotonic()
    with counting_bytes(server) as count:
        while time.monotonic() - began < seconds:
            for method, path, asked in requests():
                answer = guest.client.request(method, path, json=asked)
                rows += len(asked.get("actions", ())) if answer.is_success else 0
                refused += answer.status_code == 429
                assert answer.is_success or answer.status_code == 429, answer.text
        took, (grown, log_bytes) = time.monotonic() - began, count()
    stranger = Guest(server)
    answers = [
        stranger.client.get(path).content
        for path in (api(table, "view"), api(table, "record"), api(table, "log"), table)
    ]
    return Written(took, rows, grown, log_bytes, max(map(len, answers)), refused)


def look_bytes(server: Server, seconds: float) -> tuple[int, float]:
    """The bytes that a stranger's page is sent who asks to look again all the time."""
    table = Guest(server).begins("as-kimble", dict.fromkeys("RBYG", "me"), is_open=True)
    page = Guest(server).sits_at(table)
    began, sent = time.monotonic(), 0
    while time.monotonic() - began < seconds:
        page.socket.send(LOOK)
        with suppress(TimeoutError, ConnectionClosed):
            sent += len(page.socket.recv(timeout=0.02))
    return sent, time.monotonic() - began


def chat_statuses(server: Server, guests: int, lines: int = 6) -> list[int]:
    """The answers to guests who all speak at one open table, from one address."""
    host = Guest(server)
    table = host.begins("kalamala", {"A": "me", "B": "free"}, is_open=True)
    Guest(server).joins(host.links(table)["B"])
    found = []
    for _ in range(guests):
        with httpx.Client(base_url=server.address, timeout=TIMEOUT_S) as client:
            client.get("/api/v1/me")
            for n in range(lines):
                answer = client.post(api(table, "chat"), json={"text": f"line {n}"})
                found.append(answer.status_code)
    return found


@dataclass(frozen=True)
class LogIns:
    strangers: list[int]
    unknown_device: int
    """The owner, with the right password, from a device that never logged in."""
    known_device: int
    changes_password: int


def log_in_under_attack(server: Server, strangers: int) -> LogIns:
    """Strangers try a name from many addresses, and then its owner logs in."""
    owner = Guest(server)
    form = {"name": "victim", "password": PASSWORD}
    assert owner.client.post("/account/register", data=form).status_code == 303
    owner.client.post("/account/logout")
    tried = []
    for n in range(strangers):
        with httpx.Client(base_url=server.address, timeout=TIMEOUT_S) as client:
            address = {"X-Forwarded-For": f"198.51.100.{n % 250}"}
            wrong = {"name": "victim", "password": f"guess number {n}"}
            tried.append(client.post("/account/login", data=wrong, headers=address).status_code)
    elsewhere = {"X-Forwarded-For": "203.0.113.9"}
    with httpx.Client(base_url=server.address, timeout=TIMEOUT_S) as client:
        unknown = client.post("/account/login", data=form, headers=elsewhere).status_code
    known = owner.client.post("/account/login", data=form, headers=elsewhere).status_code
    change = {"old": PASSWORD, "new": f"{PASSWORD} staple"}
    changed = owner.client.post("/account/password", data=change, headers=elsewhere).status_code
    return LogIns(tried, unknown, known, changed)
