"""People with an account, as a test needs them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from html import unescape
from itertools import count
from typing import Any

import httpx

from kibitz.server.http.page_line import TOKEN_CHECK_S
from support.server_process import IN_CLUSTER, Guest, Server

PASSWORD = "correct horse battery"
ENDS_WITHIN = 12.0 if IN_CLUSTER else 1.0
"""Seconds after which a revoked token is nobody's, whichever worker is asked."""
SOCKET_ENDS_WITHIN = ENDS_WITHIN + TOKEN_CHECK_S
"""And so is a socket that was opened with it."""
_numbers = count(1)


def new_name(stem: str = "Ann") -> str:
    """One that nobody has yet: tests share a server."""
    return f"{stem}-{next(_numbers)}"


def registers(guest: Guest, name: str, password: str = PASSWORD) -> httpx.Response:
    return guest.client.post("/account/register", data={"name": name, "password": password})


def logs_in(guest: Guest, name: str, password: str = PASSWORD) -> httpx.Response:
    return guest.client.post("/account/login", data={"name": name, "password": password})


def member(server: Server, name: str = "") -> Guest:
    """Somebody new who has an account."""
    guest = Guest(server)
    answer = registers(guest, name or new_name())
    assert answer.status_code == 303, wrong(answer)
    return guest


def wrong(answer: httpx.Response) -> str:
    """What a page says is wrong with what was typed."""
    found = re.search(r'role="alert"[^>]*>(?:<svg.*?</svg>)?\s*([^<]*)</p>', answer.text, re.S)
    return unescape(found.group(1).strip()) if found else ""


def tables_of(guest: Guest) -> list[str]:
    return [each["url"] for each in guest.client.get("/api/v1/me/tables").json()]


def bot_token(guest: Guest, name: str = "robot") -> str:
    page = guest.client.post("/account/bots", data={"name": name}).text
    found = re.search(r'value="(kibitz_[^"]+)"', page)
    assert found, page
    return found.group(1)


def token_ids(guest: Guest) -> list[str]:
    """Of those that may be revoked on the page of an account."""
    page = guest.client.get("/account").text
    return re.findall(r'name="id" value="([0-9a-f]+)"', page)


def bearing(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def pair(server: Server, game: str = "kalamala", **more: Any) -> tuple[Guest, Guest, str]:
    """Two with accounts at a table of their own, as its settings are."""
    ann, bob = member(server), member(server, new_name("Bob"))
    seats = {"kahmate": ("R", "B")}.get(game, ("A", "B"))
    table = ann.begins(game, {seats[0]: "me", seats[1]: "free"}, **more)
    assert bob.joins(ann.links(table)[seats[1]]) == seats[1]
    return ann, bob, table


def soon(is_so: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + ENDS_WITHIN
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.2)
    return True
