"""A server for its own machine that lets the network in; over real sockets."""

from __future__ import annotations

import asyncio
import errno
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from kibitz.core.message import Message, Refused, message
from kibitz.core.os_errors import os_error_reason
from kibitz.server.lan import lan_address
from kibitz.server.lan_access import LanAccess
from kibitz.server.settings import Settings
from support.server_process import IN_CLUSTER, Guest, Server

LAN = lan_address()

pytestmark = pytest.mark.skipif(
    IN_CLUSTER or LAN is None, reason="this machine has no network, or several workers serve it"
)


def at_network(server: Server) -> str:
    return server.address.replace("127.0.0.1", str(LAN))


def changes(guest: Guest, wish: str, **headers: str) -> httpx.Response:
    return guest.client.post(f"/network/{wish}", headers=headers)


def reads_on(page: ClientConnection) -> None:
    while True:
        page.recv(timeout=20)


def can_connect(address: str) -> bool:
    where = httpx.URL(address)
    try:
        socket.create_connection((where.host, where.port), timeout=2).close()
    except OSError:
        return False
    return True


def test_one_button_lets_phones_in_and_another_shuts_them_out(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        host = Guest(server)
        shut: dict[str, Any] = host.client.get("/network").json()
        assert (shut["can_open"], shut["is_open"], shut["origin"]) == (True, False, "")
        assert not can_connect(at_network(server))

        opened = changes(host, "open").json()
        assert opened["is_open"]
        assert opened["origin"] == at_network(server)
        assert changes(host, "open").json() == opened, "a second touch changes nothing"
        table = host.begins("kalamala", {"A": "me", "B": "free"})
        link, code = host.links(table)["room"], host.client.get(f"{table}/qr/room").content
        assert code == host.client.get(f"{table}/qr/room", headers={"Host": "localhost"}).content
        with httpx.Client(base_url=opened["origin"]) as phone:
            assert phone.get(link).status_code == 200
            here = {"Origin": opened["origin"]}
            came = phone.post(link, data={"place": "B"}, headers=here)
            assert came.headers["location"] == table
            for wish in ("open", "close"):
                refused = phone.post(f"/network/{wish}", headers=here)
                assert refused.status_code == 403, "a phone changes nothing"
            assert phone.get("/network").status_code == 403
            cookie = "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
        socket_url = f"{opened['origin'].replace('http', 'ws')}{table}/live?is_tall=1"
        with connect(socket_url, additional_headers={"Cookie": cookie}) as page:
            page.recv(timeout=20)
            assert not changes(host, "close").json()["is_open"]
            with pytest.raises(ConnectionClosed):
                reads_on(page)
        assert not can_connect(at_network(server))
        assert host.client.get(table).status_code == 200, "at the machine itself it goes on"
        assert changes(host, "open").json()["is_open"], "and it can be opened again"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Host": "evil.localhost:{port}", "Origin": "http://evil.localhost:{port}"},
        {"Host": "192.0.2.9:{port}", "Origin": "http://192.0.2.9:{port}"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"Forwarded": "for=127.0.0.1"},
        {"Via": "1.1 proxy"},
        {"Origin": ""},
        {"Origin": "null"},
    ],
    ids=lambda headers: " ".join(headers) + " " + next(iter(headers.values())),
)
def test_only_a_page_of_this_machine_itself_lets_the_network_in(
    server: Server, headers: dict[str, str]
) -> None:
    port = server.address.rsplit(":", 1)[1]
    sent = {name: value.format(port=port) for name, value in headers.items()}
    assert changes(Guest(server), "open", **sent).status_code in (400, 403, 421)
    assert not Guest(server).client.get("/network").json()["is_open"]


class Door:
    """A second socket, or the reason that there is none."""

    def __init__(self, failure: OSError | None = None) -> None:
        self.failure, self.port, self.is_shut = failure, 8123, False

    async def opens(self, address: str) -> Door:
        if self.failure:
            raise self.failure
        return self

    def close(self) -> None:
        self.is_shut = True


@pytest.mark.parametrize(
    ("address", "failure", "refusal"),
    [
        (None, None, message("server.no-lan")),
        (
            "192.0.2.77",
            OSError(errno.EADDRNOTAVAIL, "away"),
            message(
                "server.network-failed",
                address="192.0.2.77",
                why=os_error_reason(OSError(errno.EADDRNOTAVAIL, "away")),
            ),
        ),
    ],
)
def test_it_says_why_where_it_cannot_be_let_in(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    address: str | None,
    failure: OSError | None,
    refusal: Message,
) -> None:
    monkeypatch.setattr("kibitz.server.lan_access.lan_address", lambda: address)
    lan = LanAccess(Settings(data=tmp_path))
    lan.attach(Door(failure).opens, 8000)
    with pytest.raises(Refused) as refused:
        asyncio.run(lan.open())
    assert refused.value.refusal == refusal
    assert (lan.can_open, lan.is_open, lan.origin) == (True, False, "")


def test_what_was_started_for_a_network_stays_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("kibitz.server.lan_access.lan_address", lambda: "192.0.2.7")
    lan = LanAccess(Settings(data=tmp_path, host="0.0.0.0"))
    lan.attach(Door().opens, 8000)
    assert (lan.can_open, lan.is_open) == (False, True)
    assert lan.origin == "http://192.0.2.7:8000"
    with pytest.raises(Refused):
        lan.close()
    several = LanAccess(Settings(data=tmp_path, workers=2))
    several.attach(Door().opens, 8000)
    assert not several.can_open
    with pytest.raises(Refused):
        asyncio.run(several.open())
