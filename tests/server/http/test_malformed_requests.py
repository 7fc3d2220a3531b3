"""What cannot be read, or held by a database, is refused in a sentence, wherever it comes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from support.server_process import Guest, Server, api

ODD = ["a\0b", "\0", "x" * 11 + "\0", "a\ud800b"]
JSON = {"Content-Type": "application/json"}
HOST = 'forfeit R because he said "{}"', 'team R {{"name": "{}", "players": ["{}"]}}', "bot B {}"


def responses_to(guest: Guest, odd: str) -> Iterator[httpx.Response]:
    """All that a stranger can write to a server, with this in it."""
    client = guest.client
    table = guest.begins("as-kimble", options={"mode": "companion"})
    board = guest.begins("kalamala", {"A": "me", "B": "free"})
    if "\0" in odd:
        place = quote(odd, safe="")
        for path in ("/api/v1/tables/{}", "/t/{}", "/t/{}/result", "/api/v1/tables/{}/record"):
            yield client.get(path.format(place))
        yield client.get(f"/api/v1/ladder/{place}")
        yield client.get(f"/learn/{place}")
        yield client.delete(f"/api/v1/me/tokens/{quote(odd[:12].ljust(12, odd[0]), safe='')}")
        for form in ("login", "register"):
            yield client.post(f"/account/{form}", data={"name": odd, "password": odd * 9})
        yield client.post("/tables", data={"game": odd, "play": odd, "seat": odd, "options": odd})

    def sends(path: str, body: Any, method: str = "POST") -> httpx.Response:
        return client.request(method, path, content=json.dumps(body), headers=JSON)

    yield sends("/api/v1/me", {"name": odd}, "PUT")
    yield sends(api(board, "actions"), {"key": odd, "actions": ["@a1"]})
    yield sends(api(board, "actions"), {"key": "k", "actions": [odd]})
    for text in (*(each.format(odd, odd) for each in HOST), f'note "{odd}"', f'ref end "{odd}"'):
        yield sends(api(table, "actions"), {"key": text[:9], "actions": [text]})
    yield sends(api(board, "chat"), {"text": odd})
    yield sends(api(board, "chat/moderation"), {"do": "mute", "who": odd})
    yield sends(api(board, "join"), {"token": odd, "name": odd})
    yield sends(api(board, "explain"), {"element": odd, "seat": odd})
    teams = {"R": {"name": odd, "players": [odd]}}
    yield sends("/api/v1/tables", {"game": "as-kimble", "settings": {"teams": teams}})
    yield sends("/api/v1/tables", {"game": "kalamala", "start": odd, "options": {odd: odd}})
    yield sends("/api/v1/tables", {"game": "kalamala", "seats": {"A": "me", "B": odd}})
    yield sends("/api/v1/seeks", {"game": "kalamala", "clock": {"kind": odd}})
    yield sends("/api/v1/analysis", {"game": "kalamala", "table": odd, "options": {}})
    yield sends("/api/v1/me/tokens", {"name": odd})


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_nothing_fails_on_it(server: Server, odd: str) -> None:
    answers = list(responses_to(Guest(server), odd))
    assert [each.request.url.path for each in answers if each.status_code >= 500] == []
    told = [
        each.json() for each in answers if "/api/" in each.request.url.path and not each.is_success
    ]
    assert len(told) > 9
    assert all(each["code"] and each["message"] for each in told)


def test_what_is_typed_to_look_like_it_is_welcome(server: Server) -> None:
    guest = Guest(server)
    board = guest.begins("kalamala", {"A": "me", "B": "me"})
    key = r"100%00 \u0000"
    done = guest.client.post(api(board, "actions"), json={"key": key, "actions": ["@a1"]})
    assert (done.json()["type"], done.json()["key"]) == ("done", key)


def test_on_a_line_it_is_not_read(server: Server) -> None:
    guest = Guest(server)
    board = guest.begins("kalamala", {"A": "me", "B": "me"})
    page = guest.sits_at(board)
    said = page.says({"type": "act", "key": "a\0b", "actions": ["@a1"]})
    assert said["type"] == "refused"
    assert page.acts("@a1")["type"] == "done"
    with pytest.raises(InvalidStatus):
        guest.socket("/t/a%00b/live")


MALFORMED: tuple[tuple[str, str, dict[str, str], bytes], ...] = (
    ("POST", "/api/v1/analysis", {}, b'{"game":"\xff"}'),
    ("GET", "/t/nowhere", {"Host": "x:99999"}, b""),
    ("GET", "/api/v1/games", {"Host": "[::1"}, b""),
    ("GET", "/t/nowhere", {"X-Forwarded-Host": "a:99999"}, b""),
    ("POST", "/api/v1/tables", {"Origin": "http://["}, b"{}"),
    ("POST", "/api/v1/tables", {}, b'{"settings": []}'),
    ("POST", "/api/v1/tables", {}, b'{"services": []}'),
)


@pytest.mark.parametrize(("method", "path", "headers", "body"), MALFORMED)
def test_what_cannot_be_read_is_refused_with_our_headers(
    server: Server, method: str, path: str, headers: dict[str, str], body: bytes
) -> None:
    asked = {**JSON, **headers}
    answer = httpx.request(method, server.address + path, headers=asked, content=body)
    # What a proxy says that is none of ours is not heard at all.
    assert answer.status_code == (404 if "X-Forwarded-Host" in headers else 400), answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_an_aborted_match_has_no_chances(server: Server) -> None:
    guest = Guest(server)
    board = guest.begins("kalamala", {"A": "me", "B": "me"})
    done = guest.client.post(api(board, "actions"), json={"key": "k", "actions": ["abort"]})
    assert done.is_success
    assert guest.client.get(f"{board}/chances").status_code == 409
