"""Small doors that are shut: names, schemes, cookies, connections, files and passwords."""

from __future__ import annotations

import asyncio
import socket
import stat
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from itsdangerous import URLSafeSerializer

from kibitz.server.accounts.common_passwords import is_common
from kibitz.server.db.connect import file_url, write_transaction
from kibitz.server.db.engine import engine_for
from kibitz.server.db.schema import TOKEN
from kibitz.server.db.store import open_store
from kibitz.server.http.errors import HttpError
from kibitz.server.http.guests import GuestAuth
from kibitz.server.http.malformed_requests import MalformedRequestMiddleware, is_local_host
from kibitz.server.http.timeouts import CONNECTIONS_PER_SOCKET
from kibitz.server.settings import DATABASE_FILE
from support.accounts import member
from support.server_process import Guest, Server, api

PROXIED = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "club.example"}


@pytest.mark.parametrize(
    ("host", "is_local"),
    [
        *(("127.0.0.1:8000", True), ("[::1]:80", True), ("localhost", True), ("10.1.2.3", True)),
        *(
            ("box.local:80", True),
            ("kibitz:8000", True),
            ("evil.example", False),
            ("evil.example:8000", False),
        ),
    ],
)
def test_only_names_that_no_site_can_have_are_local(host: str, is_local: bool) -> None:
    assert is_local_host(host) == is_local


def test_another_site_cannot_give_us_its_name(tmp_path: Path) -> None:
    """DNS rebinding: its pages would be of the same site as ours."""
    with Server(tmp_path, KIBITZ_PUBLIC_URL="https://club.example") as server:
        for headers, status in (
            ({}, 200),
            ({"Host": "club.example"}, 200),
            ({"Host": "evil.example"}, 421),
            ({"X-Forwarded-Host": "evil.example"}, 421),
        ):
            for path in ("/", "/api/v1/me"):
                answer = httpx.get(f"{server.address}{path}", headers=headers)
                assert answer.status_code == status, headers
                is_told = "Its operator can set it as KIBITZ_PUBLIC_URL." in answer.text
                assert is_told == (status == 421), "the operator may be who looks"


def test_the_name_that_a_server_listens_on_is_its_own() -> None:
    seen: list[bytes] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["headers"][0][1])

    def asks(host: bytes) -> None:
        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b""}
        headed: Any = {**scope, "headers": [(b"host", host)]}
        unused: Any = None
        asyncio.run(MalformedRequestMiddleware(app, host="Club.Example")(headed, unused, unused))

    asks(b"club.example:8000")
    with pytest.raises(HttpError) as refused:
        asks(b"evil.example")
    assert (seen, refused.value.status) == ([b"club.example:8000"], 421)


def test_a_trusted_proxy_vouches_for_a_name_that_nobody_set(tmp_path: Path) -> None:
    """Without one the operator is told once what to set."""
    with Server(tmp_path, KIBITZ_WORKERS="1") as server:
        address = f"{server.address}/api/v1/me"
        for _ in range(2):
            assert httpx.get(address, headers={"Host": "evil.example"}).status_code == 421
        assert httpx.get(address, headers=PROXIED).status_code == 200
        complaints = server.stop()
    assert complaints.count("set KIBITZ_PUBLIC_URL") == 1
    assert "evil" not in complaints


def test_metrics_are_told_by_no_name(server: Server) -> None:
    """A proxy on this machine that says nothing of who asks looks like this machine."""
    assert httpx.get(f"{server.address}/metrics").status_code == 200
    assert httpx.get(f"{server.address}/metrics", headers=PROXIED).status_code == 404


def test_https_is_remembered_and_has_cookies_of_its_own(server: Server) -> None:
    plain = httpx.get(f"{server.address}/")
    assert "strict-transport-security" not in plain.headers
    assert "__Host-" not in plain.headers["set-cookie"]
    secure = httpx.get(f"{server.address}/", headers=PROXIED)
    assert secure.headers["strict-transport-security"] == "max-age=31536000"
    assert secure.headers["set-cookie"].startswith("__Host-kibitz-")
    assert "secure" in secure.headers["set-cookie"].lower()


def test_a_planted_cookie_does_not_outweigh_ours() -> None:
    guests = GuestAuth(b"s" * 32)
    planted, ours = guests.sign_token("planted"), guests.sign_token("ours")
    cookies = {guests.cookie_name: planted, f"__Host-{guests.cookie_name}": ours}
    connection: Any = SimpleNamespace(headers={}, cookies=cookies)
    assert guests.token_in(connection) == ours


def test_no_script_is_told_what_a_cookie_hides(server: Server) -> None:
    with httpx.Client(base_url=server.address) as browser:
        token = browser.get("/api/v1/me").json()["token"]
        assert token, "whoever is new may be a program"
        assert browser.get("/api/v1/me").json()["token"] == ""
        renamed = browser.put("/api/v1/me", json={"name": "Ada"})
        assert renamed.json() == {"name": "Ada", "token": ""}
    program = {"Authorization": f"Bearer {token}"}
    told = httpx.get(f"{server.address}/api/v1/me", headers=program).json()
    assert told == {"name": "Ada", "token": token}


def test_a_guests_token_ends_with_their_cookie(monkeypatch: pytest.MonkeyPatch) -> None:
    guests, now = GuestAuth(b"s" * 32), time.time()
    token = guests.sign_token("ann")
    for days, who in ((399, "ann"), (401, None)):
        monkeypatch.setattr(time, "time", lambda days=days: now + days * 86_400)
        assert GuestAuth(b"s" * 32).verify_token(token) == who
    undated = str(URLSafeSerializer(b"s" * 32, salt="guest").dumps("old"))
    assert guests.verify_token(undated) == "old", "from before tokens had a date"


def test_a_device_that_was_not_used_for_long_has_to_log_in(tmp_path: Path) -> None:
    with Server(tmp_path, KIBITZ_DATABASE_URL="", KIBITZ_WORKERS="1") as server:
        cookies = member(server, "Ann").client.cookies
    for days, status in ((399, 200), (401, 403)):
        engine = engine_for(file_url(tmp_path / DATABASE_FILE))
        with write_transaction(engine) as connection:
            connection.execute(TOKEN.update().values(used_at=time.time() - days * 86_400))
        engine.dispose()
        with Server(tmp_path, KIBITZ_DATABASE_URL="", KIBITZ_WORKERS="1") as server:
            answer = httpx.get(f"{server.address}/api/v1/me/tokens", cookies=cookies)
            assert answer.status_code == status, answer.text


def test_a_page_that_came_unencrypted_does_not_act_over_https(server: Server) -> None:
    headers = {**PROXIED, "Origin": "http://club.example"}
    asked = {"game": "kalamala"}
    refused = httpx.post(f"{server.address}/api/v1/tables", json=asked, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "other-site")
    allowed = {**PROXIED, "Origin": "https://club.example"}
    made = httpx.post(f"{server.address}/api/v1/tables", json=asked, headers=allowed)
    assert made.status_code == 201


def test_half_open_requests_of_one_address_leave_room_for_others(tmp_path: Path) -> None:
    """Nobody is a trusted proxy here, so this machine is an address like others."""
    settings = {"KIBITZ_TRUSTED_PROXIES": "", "KIBITZ_MAX_CONNECTIONS_PER_ADDRESS": "2"}
    with Server(tmp_path, KIBITZ_WORKERS="1", **settings) as server:
        where = ("127.0.0.1", int(server.address.rsplit(":", 1)[1]))
        lines = [socket.create_connection(where) for _ in range(8)]
        for line in lines:
            line.sendall(b"GET / HTTP/1.1\r\n")
        extra = socket.create_connection(where)
        extra.settimeout(20)
        with suppress(ConnectionError):
            extra.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
            assert extra.recv(100) == b""
        for line in (*lines, extra):
            line.close()


def test_sockets_that_have_ended_do_not_count(tmp_path: Path) -> None:
    """Somebody who comes back more often than they may have connections is let in each time."""
    settings = {"KIBITZ_TRUSTED_PROXIES": "", "KIBITZ_MAX_CONNECTIONS_PER_ADDRESS": "2"}
    with Server(tmp_path, KIBITZ_WORKERS="1", **settings) as server:
        guest = Guest(server)
        table = guest.opens()
        for _ in range(3 * 2 * CONNECTIONS_PER_SOCKET):
            guest.sits_at(table).leaves()


def test_nobody_else_reads_the_database(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir(mode=0o755)
    store = open_store(tmp_path / "there")
    store.close()
    for file in (tmp_path / "there").glob(f"{DATABASE_FILE}*"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


@pytest.mark.parametrize(
    "password", ["password", "password1", "qwertyuiop", "iloveyou", "P@ssw0rd2024!", "LoveLove99"]
)
def test_common_passwords_are_refused(password: str) -> None:
    assert is_common(password)


@pytest.mark.parametrize(
    "password", ["correct horse battery", "Tr0ub4dor&3", "guessed it", "lx7-pp"]
)
def test_other_passwords_are_taken(password: str) -> None:
    assert not is_common(password)


def test_whether_there_is_a_table_is_not_told(server: Server) -> None:
    guest, stranger = Guest(server), Guest(server)
    table = guest.begins("kalamala")
    answers = [
        stranger.client.post(path, json={"token": "x" * 24})
        for path in (api(table, "join"), api("/t/aaaaaaaaaaaa", "join"))
    ]
    assert answers[0].status_code == answers[1].status_code == 404
    assert answers[0].content == answers[1].content


def test_a_seat_has_room_for_twelve(server: Server) -> None:
    host = Guest(server)
    table = host.begins("kalamala", {"A": "me", "B": "free"})
    first = Guest(server)
    first.joins(host.links(table)["B"])
    link = first.links(table)["B"]
    for _ in range(11):
        Guest(server).joins(link)
    refused = Guest(server).follows(link)
    assert (refused.status_code, refused.json()["code"]) == (422, "table.team-crowded")
