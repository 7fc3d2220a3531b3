"""What strangers try, and what must never leave the server."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from kibitz.server.assets import asset_path
from support.cli_server import Command
from support.server_process import Guest, Server, api, at_last
from support.servers.short_timeouts import READS_WITHIN

ELSEWHERE = "http://elsewhere.example"
MARKUP = "</script><img src=x>\"'&"


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with its limits on."""
    with Server(tmp_path_factory.mktemp("data"), limits="on") as server:
        yield server


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data"), "support.servers.short_timeouts") as server:
        yield server


# Other sites


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": ELSEWHERE},
        {"Origin": "null"},
        {"Origin": "", "Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_sites_act_for_nobody(guest: Guest, headers: dict[str, str]) -> None:
    table = guest.opens()
    form = {"game": "kalamala", "play": "device"}
    asked = {"type": "act", "key": "k", "actions": ["@a1"]}
    link = guest.links(table)["watch"]
    for answer in (
        guest.client.post("/tables", data=form, headers=headers),
        guest.client.post("/seeks", data=form, headers=headers),
        guest.client.post(link, data={}, headers=headers),
        guest.client.post("/api/v1/tables", json={"game": "kalamala"}, headers=headers),
        guest.client.post("/api/v1/seeks", json={"game": "kalamala"}, headers=headers),
        guest.client.post(api(table, "actions"), json=asked, headers=headers),
        guest.client.post(api(table, "join"), json={"token": "x"}, headers=headers),
        guest.client.put("/api/v1/me", json={"name": "Mallory"}, headers=headers),
    ):
        assert answer.status_code == 403, answer.url
        assert not answer.headers.get("access-control-allow-origin")
    assert guest.reads(table)["seq"] == 0


@pytest.mark.parametrize(
    ("origin", "site"), [(ELSEWHERE, ""), ("null", ""), ("", "cross-site"), ("", "same-site")]
)
def test_other_sites_open_no_socket(guest: Guest, origin: str, site: str) -> None:
    table = guest.opens()
    cookies = "; ".join(f"{name}={value}" for name, value in guest.client.cookies.items())
    headers = {"Cookie": cookies, "Origin": origin or guest.server.address}
    if site:
        headers["Sec-Fetch-Site"] = site
    address = guest.server.address.replace("http", "ws") + f"{table}/live"
    with pytest.raises(InvalidStatus) as refused:
        connect(address, additional_headers=headers)
    assert refused.value.response.status_code == 403


def test_a_page_of_ours_and_a_program_may(guest: Guest) -> None:
    ours = {"Origin": guest.server.address, "Sec-Fetch-Site": "same-origin"}
    assert guest.client.post("/api/v1/tables", json={"game": "kalamala"}, headers=ours).is_success
    program = httpx.post(f"{guest.server.address}/api/v1/tables", json={"game": "kalamala"})
    assert program.is_success


# What every answer carries

PATHS = (
    "/",
    "/health",
    "/api/v1/games",
    "/api/v1/nothing",
    "/nothing",
    "/rules/kahmate",
    asset_path("table/main.js"),
    *("/worker.js", "/offline", "/offline/list", "/offline/book", "/learn/kalamala/steps"),
)


@pytest.mark.parametrize(
    "path",
    [*PATHS, "/static/table/main.js", "/t/nowhere", "/join/a/b"],
)
def test_every_answer_is_protected(guest: Guest, path: str) -> None:
    headers = guest.client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["referrer-policy"] == "strict-origin", "never which page: links are secrets"
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


def test_no_page_has_script_or_style_inside(guest: Guest) -> None:
    table = guest.opens()
    link = guest.links(table)["watch"]
    for path in ("/", table, link, f"{table}/seal", "/rules/kahmate", "/t/nowhere"):
        text = guest.client.get(path).text
        inside = re.findall(r"<script(?![^>]*\bsrc=)([^>]*)>", text)
        assert all('type="application/json"' in each for each in inside), path
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text), path
    assert not re.search(r"\sstyle=|\son\w+=|<script", "".join(guest.sits_at(table).frames))


def test_a_guest_is_a_cookie_that_no_script_and_no_other_site_gets(server: Server) -> None:
    for path in ("/", "/api/v1/me", "/rules/kalamala"):
        cookie = httpx.get(server.address + path).headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert "domain=" not in cookie


def test_a_cookie_that_was_touched_is_nobody(server: Server, guest: Guest) -> None:
    table = guest.opens()
    [(name, value)] = guest.client.cookies.items()
    forged = value[:-2] + ("AA" if value[-2:] != "AA" else "BB")
    for cookie in (forged, value.split(".")[0], "", "x" * 3000, '"a"'):
        answer = httpx.get(server.address + table, headers={"Cookie": f"{name}={cookie}"})
        assert answer.status_code == 404
    kept = httpx.get(server.address + table, headers={"Cookie": f"{name}={value}"})
    assert kept.status_code == 200


def test_links_are_in_no_log_though_requests_are_logged(tmp_path: Path) -> None:
    with (
        Command(tmp_path, "serve", "--port", "0", "--log-requests") as server,
        httpx.Client(base_url=server.address) as ann,
        httpx.Client(base_url=server.address) as bob,
    ):
        token = ann.get("/api/v1/me").json()["token"]
        assert token
        seats = {"A": "me", "B": "free"}
        opened = ann.post("/api/v1/tables", json={"game": "kalamala", "seats": seats}).json()
        links = ann.get(f"/api/v1/tables/{opened['id']}/links").json()
        bob.get(links["B"], headers={"Referer": server.address + links["A"]})
        assert bob.post(links["B"], data={}).status_code == 303
        bob.get(links["A"] + "x", headers={"Authorization": f"Bearer {token}"})
        bob.get(opened["url"], params={"link": links["A"]})
        assert server.stop() == 0
        logged = server.log_text
    assert logged.count("route=/join/") == 3
    for link in links.values():
        assert link.split("/")[-1] not in logged
    assert token not in logged


def test_those_who_have_no_link_are_told_none(guest: Guest, server: Server) -> None:
    table = guest.begins("kalamala", {"A": "me", "B": "free"}, is_open=True)
    page = guest.sits_at(table)
    secrets = {place: link for place, link in guest.links(table).items() if place != "watch"}
    stranger = Guest(server)
    stranger.client.get("/")
    told = stranger.client.get(table).text + "".join(stranger.sits_at(table).frames)
    for what in ("", "view", "links", "record"):
        told += json.dumps(stranger.reads(table, what))
    for place, link in secrets.items():
        assert link.split("/")[-1] not in told, place
    assert "".join(page.frames).count("/join/") == 0, "nor is anybody, by a socket"
    assert stranger.client.get(f"{table}/qr/B").status_code == 404
    assert guest.client.get(f"{table}/qr/B").status_code == 200


# Text


def test_a_name_with_markup_stays_text(server: Server) -> None:
    ann, bob = Guest(server), Guest(server)
    assert ann.calls_himself(MARKUP) == MARKUP
    table = ann.begins("kalamala", {"A": "me", "B": "free"}, is_open=True)
    page = ann.sits_at(table)
    bob.client.get("/")
    for path in ("/", table, ann.links(table)["B"]):
        text = bob.client.get(path).text
        assert "<img" not in text, path
    other = bob.sits_at(table)
    assert other.seat("A")["members"] == [MARKUP]
    assert "<img" not in page.view["svg"]


def test_a_reason_with_markup_stays_text(guest: Guest) -> None:
    page = guest.sits_at(guest.begins("as-kimble", dict.fromkeys("RBYG", "me")))
    assert page.acts(f'ref pen B +2 "{MARKUP.replace(chr(34), "")}"', seat=None)["type"] == "done"
    assert all("<img" not in layer for layer in page.view["layers"].values())


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/..%2f..%2fapp.py", "/static/%00"])
def test_only_what_is_meant_to_be_read_is(guest: Guest, path: str) -> None:
    assert guest.client.get(path).status_code in (400, 404)


# Too much


def test_too_large_a_body_is_refused(guest: Guest) -> None:
    table = guest.opens()
    large = {"game": "kalamala", "start": "x" * 100_000}
    answer = guest.client.post("/api/v1/tables", json=large)
    assert answer.status_code == 413
    assert answer.json()["message"]
    assert guest.client.post("/tables", data={"game": "x" * 100_000}).status_code == 413
    for asked in (
        {"type": "act", "key": "k" * 65, "actions": ["@a1"]},
        {"type": "act", "key": "k", "actions": ["x" * 5000]},
        {"type": "act", "key": "k", "actions": ["@a1"] * 65},
        {"type": "act", "key": "", "actions": ["@a1"]},
    ):
        assert guest.client.post(api(table, "actions"), json=asked).status_code == 400
    assert guest.reads(table)["seq"] == 0


def test_too_long_an_address_or_header_is_refused(server: Server) -> None:
    place = urlsplit(server.address)
    for text in (f"GET /{'x' * 40_000} HTTP/1.1\r\n", "GET / HTTP/1.1\r\nX: " + "x" * 40_000):
        with socket.create_connection((str(place.hostname), place.port or 80), timeout=5) as line:
            line.sendall(text.encode() + b"\r\n\r\n")
            assert line.recv(100).split()[1] in (b"400", b"431")


def test_asking_too_often_is_answered_with_when_to_come_again(strict: Server) -> None:
    guest = Guest(strict)
    answers = [guest.client.put("/api/v1/me", json={"name": "Ann"}) for _ in range(8)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert answers[0].status_code == 200
    assert refused
    assert 0 < int(refused[0].headers["retry-after"]) <= 6
    told = refused[0].json()
    assert (told["code"], told["status"]) == ("too-fast", 429)
    assert told["wait_seconds"] <= int(refused[0].headers["retry-after"])
    assert "Slow down" in told["message"]
    page = Guest(strict).client.post("/tables", data={"game": "kalamala", "play": "device"})
    assert page.status_code == 303, "others are not kept waiting"


def test_acting_too_fast_is_answered_with_wait(strict: Server) -> None:
    guest = Guest(strict)
    page = guest.sits_at(guest.opens())
    for number in range(400):
        page.socket.send(json.dumps({"type": "act", "key": f"{number}", "actions": ["nonsense"]}))
    answers = [page.hears("refused", "wait") for _ in range(400)]
    waits = [answer for answer in answers if answer["type"] == "wait"]
    assert all(answer["type"] == "refused" for answer in answers[:60])
    assert waits
    assert all(0 < each["seconds"] < 2 and each["key"] for each in waits)
    time.sleep(waits[-1]["seconds"] + 0.05)
    assert page.acts("@a1")["type"] == "done"


def test_tables_are_not_opened_without_end(strict: Server) -> None:
    guest = Guest(strict)
    asked = {"game": "kalamala", "play": "device"}
    codes = [guest.client.post("/tables", data=asked).status_code for _ in range(14)]
    assert codes[-1] == 429
    page = guest.client.post("/tables", data=asked)
    assert page.headers["retry-after"]
    assert page.headers["content-type"].startswith("text/html")


def test_sockets_are_not_opened_without_end(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each worker counts its own."""
    settings = {"KIBITZ_MAX_CONNECTIONS_PER_ADDRESS": "3", "KIBITZ_WORKERS": "1"}
    with Server(tmp_path_factory.mktemp("data"), **settings) as server:
        guest = Guest(server)
        table = guest.opens()
        pages = [guest.sits_at(table) for _ in range(3)]
        extra = guest.socket(f"{table}/live")
        with pytest.raises(ConnectionClosed) as closed:
            extra.recv(timeout=5)
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 4429
        pages[0].leaves()
        at_last(lambda: may_sit_at(guest, table))


def may_sit_at(guest: Guest, table: str) -> bool:
    try:
        guest.sits_at(table)
    except ConnectionClosed:
        return False
    return True


UPGRADE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)


def deaf(guest: Guest, path: str, *headers: str) -> socket.socket:
    """A line whose owner looks on and never reads."""
    place = urlsplit(guest.server.address)
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.connect((str(place.hostname), place.port or 80))
    [(name, value)] = guest.client.cookies.items()
    asked = (
        f"GET {path} HTTP/1.1",
        f"Host: {place.netloc}",
        f"Cookie: {name}={value}",
        *headers,
    )
    line.sendall("\r\n".join((*asked, "", "")).encode())
    return line


@pytest.mark.parametrize("how", ["socket", "events"])
def test_who_reads_nothing_is_cut_off_and_the_others_go_on(hasty: Server, how: str) -> None:
    """What is sent to them piles up nowhere."""
    guest, stranger = Guest(hasty), Guest(hasty)
    table = guest.begins("kalamala", {"A": "me", "B": "me"})
    stranger.joins(guest.links(table)["watch"])
    page = guest.sits_at(table)
    asked = (f"{table}/live", *UPGRADE) if how == "socket" else (api(table, "events"),)
    with deaf(stranger, *asked):
        deadline = time.monotonic() + 60
        counts: list[int] = []
        acted: list[float] = []
        while not counts or counts[-1] or 1 not in counts:
            assert time.monotonic() < deadline
            for text in ("@a1", "back 0"):
                assert page.acts(text)["type"] == "done"
            counts.append(page.table["spectators"])
            acted.append(time.monotonic())
    gone = acted[-1]
    meanwhile = [at for at in acted if gone - READS_WITHIN < at < gone - READS_WITHIN / 4]
    assert meanwhile, "nobody waits for them"


def test_nobody_is_paired_with_somebody_who_has_gone(hasty: Server) -> None:
    one, two = Guest(hasty), Guest(hasty)
    asked = {"game": "kahmate"}
    table = one.client.post("/api/v1/seeks", json=asked).json()["url"]
    page = one.sits_at(table)
    page.leaves()
    at_last(lambda: not any(seat["is_here"] for seat in one.reads(table)["seats"]))
    time.sleep(0.6)
    assert two.client.post("/api/v1/seeks", json=asked).json()["url"] != table


def test_no_cache_keeps_what_depends_on_who_asks(server: Server) -> None:
    """Every answer but those that are the same for everybody."""
    guest = Guest(server)
    table = guest.opens()
    whats = ("", "view", "position", "record", "seal", "links", "log", "draws", "positions/0")
    paths = [
        *(api(table, what) for what in whats),
        *(table, f"{table}/record", f"{table}/position", f"{table}/seal", "/", "/account"),
        *("/api/v1/me", "/api/v1/me/tables", "/api/v1/games", "/health", "/t/nowhere"),
        *("/api/v1/tables", "/picture.svg?game=kalamala", "/rules/kalamala", "/api/v1/nowhere"),
    ]
    for path in paths:
        headers = guest.client.get(path).headers
        assert headers["cache-control"].startswith("private, no-store"), path
        assert headers["vary"].startswith("Cookie"), path
    for path in ("/static/lib/dom.js", "/assets/0123456789abcdef/lib/base.css"):
        assert guest.client.get(path).headers["cache-control"] == "no-cache"
