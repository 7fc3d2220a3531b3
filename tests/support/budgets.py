"""Attempts of one guest, or one address, to write and to be sent as much as possible."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from uuid import uuid4

import httpx
from websockets.exceptions import ConnectionClosed

from kibitz.server.settings import DATABASE_FILE
from support.server_process import PATIENCE, Guest, Server, api

MINUTE_S = 60.0
PASSWORD = "correct horse battery"
LOOK = '{"type":"look","is_tall":true}'


@dataclass(frozen=True)
class Written:
    seconds: float
    rows: int
    written_bytes: int
    """By how much the data grew for good."""
    log_bytes: int
    """The size of the write-ahead log beside it, which is written again from its beginning."""
    largest_answer_bytes: int
    refused: int


def data_bytes(server: Server) -> tuple[int, int]:
    """The size of all files, once the write-ahead log is in the database; and that of the log."""
    log = server.data / f"{DATABASE_FILE}-wal"
    log_bytes = log.stat().st_size if log.exists() else 0
    if log_bytes:
        with closing(sqlite3.connect(server.data / DATABASE_FILE, timeout=PATIENCE)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    sizes = [file.stat().st_size for file in server.data.rglob("*") if file.is_file()]
    return sum(sizes), log_bytes


def write_much(server: Server, seconds: float) -> Written:
    """One guest rules at their own open table, as much as fits, and a stranger reads all of it."""
    guest = Guest(server)
    table = guest.begins("as-kimble", options={"mode": "companion"}, is_open=True)
    (before, _), began, rows, refused = data_bytes(server), time.monotonic(), 0, 0
    while time.monotonic() - began < seconds:
        text = f'ref rule "{"x" * 300}"'
        many = {"key": uuid4().hex, "seat": "referee", "actions": [text] * 64}
        one = {"key": uuid4().hex, "seat": "referee", "actions": [text]}
        for asked in (many, one):
            answer = guest.client.post(api(table, "actions"), json=asked)
            rows += len(asked["actions"]) if answer.is_success else 0
            refused += answer.status_code == 429
    took, (after, log_bytes) = time.monotonic() - began, data_bytes(server)
    stranger = Guest(server)
    answers = [
        stranger.client.get(path).content
        for path in (api(table, "view"), api(table, "record"), api(table, "log"), table)
    ]
    return Written(took, rows, after - before, log_bytes, max(map(len, answers)), refused)


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
        with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
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
        with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
            address = {"X-Forwarded-For": f"198.51.100.{n % 250}"}
            wrong = {"name": "victim", "password": f"guess number {n}"}
            tried.append(client.post("/account/login", data=wrong, headers=address).status_code)
    elsewhere = {"X-Forwarded-For": "203.0.113.9"}
    with httpx.Client(base_url=server.address, timeout=PATIENCE) as client:
        unknown = client.post("/account/login", data=form, headers=elsewhere).status_code
    known = owner.client.post("/account/login", data=form, headers=elsewhere).status_code
    change = {"old": PASSWORD, "new": f"{PASSWORD} staple"}
    changed = owner.client.post("/account/password", data=change, headers=elsewhere).status_code
    return LogIns(tried, unknown, known, changed)
