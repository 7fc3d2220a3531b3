"""Who is believed to say where somebody comes from."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.core.message import Refused
from kibitz.server.http.proxies import ProxyHeadersMiddleware, client_address
from kibitz.server.networks import LOOPBACK, Networks
from kibitz.server.settings import settings_from
from support.server_process import Guest, Server

PROXY, INNER, PUBLIC, OTHER = "10.0.0.1", "10.0.0.2", "192.0.2.7", "198.51.100.9"
BELIEVED = Networks("10.0.0.0/8 ::1")


def scope_seen(peer: str, kind: str = "http", **headers: str) -> Any:
    """What the application is told of a request from there."""
    found: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        found.append(scope)

    async def nothing(*message: Any) -> Any:
        return None

    listed = [(b"host", b"inner:8000")]
    listed += [(f"x-forwarded-{n}".encode(), v.encode()) for n, v in headers.items()]
    scope: Any = {"type": kind, "client": (peer, 9), "headers": listed}
    scope["scheme"] = "ws" if kind == "websocket" else "http"
    asyncio.run(ProxyHeadersMiddleware(app, BELIEVED)(scope, nothing, nothing))
    return found[0]


def host_in(scope: Any) -> str:
    (host,) = [value.decode() for name, value in scope["headers"] if name == b"host"]
    return str(host)


@pytest.mark.parametrize(
    ("forwarded", "expected"),
    [
        ([PUBLIC], PUBLIC),
        ([OTHER, PUBLIC], PUBLIC),
        ([PUBLIC, INNER], PUBLIC),
        ([OTHER, PUBLIC, INNER, PROXY], PUBLIC),
        ([INNER, PROXY], INNER),
        ([], PROXY),
        (["nonsense"], PROXY),
        ([PUBLIC, "unknown", INNER], INNER),
        ([f"{PUBLIC}:1234"], PUBLIC),
        (["[2001:db8::5]:80"], "2001:db8::5"),
        ([" 2001:db8::5 "], "2001:db8::5"),
        (["::ffff:10.0.0.9", "::ffff:10.0.0.2"], "10.0.0.9"),
    ],
)
def test_the_last_that_is_no_proxy_of_ours_asks(forwarded: list[str], expected: str) -> None:
    assert client_address(PROXY, forwarded, BELIEVED) == expected


@given(st.lists(st.text(max_size=20), max_size=5))
def test_whatever_comes_before_what_our_proxy_saw_counts_for_nothing(spoofed: list[str]) -> None:
    assert client_address(PROXY, [*spoofed, PUBLIC], BELIEVED) == PUBLIC


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_strangers_are_not_believed(kind: str) -> None:
    told = {"for": OTHER, "proto": "https", "host": "evil.example"}
    scope = scope_seen(PUBLIC, kind, **told)
    assert scope["client"] == (PUBLIC, 9)
    assert scope["scheme"] in ("http", "ws")
    assert host_in(scope) == "inner:8000"


@pytest.mark.parametrize(("kind", "scheme"), [("http", "https"), ("websocket", "wss")])
def test_proxies_of_ours_are_believed(kind: str, scheme: str) -> None:
    told = {"for": f"{OTHER}, {PUBLIC}", "proto": "https", "host": "club.example"}
    scope = scope_seen(PROXY, kind, **told)
    assert scope["client"] == (PUBLIC, 9)
    assert scope["scheme"] == scheme
    assert host_in(scope) == "club.example"


@pytest.mark.parametrize("host", ["a b", "evil.example/x", "", "a;b", "x:999999"])
def test_what_is_no_host_is_none(host: str) -> None:
    assert host_in(scope_seen(PROXY, host=host)) == "inner:8000"


@pytest.mark.parametrize("scheme", ["ftp", "", "javascript"])
def test_what_is_no_scheme_is_none(scheme: str) -> None:
    assert scope_seen(PROXY, proto=scheme)["scheme"] == "http"


def test_the_nearest_proxy_has_the_last_word() -> None:
    scope = scope_seen(PROXY, proto="https, http", host="evil.example, club.example")
    assert scope["scheme"] == "http"
    assert host_in(scope) == "club.example"


def test_they_are_named_by_the_host() -> None:
    assert "127.0.0.1" in settings_from({}).proxies
    assert PROXY not in settings_from({}).proxies
    named = settings_from({"KIBITZ_TRUSTED_PROXIES": "10.0.0.1 2001:db8::/32"}).proxies
    assert PROXY in named
    assert "2001:db8::7" in named
    assert "::ffff:10.0.0.1" in named
    assert "127.0.0.1" not in named
    assert PROXY not in settings_from({"KIBITZ_TRUSTED_PROXIES": ""}).proxies
    with pytest.raises(Refused) as caught:
        settings_from({"KIBITZ_TRUSTED_PROXIES": "localhost"})
    assert caught.value.refusal.value("name") == "KIBITZ_TRUSTED_PROXIES"
    assert "nonsense" not in Networks(LOOPBACK)


def cookies_of(server: Server, **headers: str) -> str:
    named = {f"X-Forwarded-{name}": value for name, value in headers.items()}
    return httpx.get(f"{server.address}/", headers=named).headers["set-cookie"].lower()


def test_cookies_are_for_https_where_a_proxy_speaks_it(tmp_path: Path) -> None:
    with Server(tmp_path / "a") as server:
        assert "secure" in cookies_of(server, Proto="https")
        assert "secure" not in cookies_of(server, Proto="http")
    with Server(tmp_path / "b", KIBITZ_TRUSTED_PROXIES="") as server:
        assert "secure" not in cookies_of(server, Proto="https")
        assert "KIBITZ_TRUSTED_PROXIES" in server.stop()


def open_statuses(server: Server, *forwarded: str) -> list[int]:
    """How each was answered who came from there and wanted a table."""
    form = {"game": "kalamala", "play": "device", "seat": "", "options": ""}
    with httpx.Client(base_url=server.address) as client:
        return [
            client.post("/tables", data=form, headers={"X-Forwarded-For": each}).status_code
            for each in forwarded
        ]


def test_limits_count_those_behind_a_proxy_one_by_one(tmp_path: Path) -> None:
    """And nobody escapes them by saying to be somebody else."""
    with Server(tmp_path / "a", limits="on", KIBITZ_WORKERS="1") as server:
        found = open_statuses(server, *(f"192.0.2.{n}, {PUBLIC}" for n in range(20)))
        assert (found[0], found[-1]) == (303, 429)
        assert open_statuses(server, OTHER, f"{PUBLIC}, {OTHER}") == [303, 303]
    with Server(
        tmp_path / "b", limits="on", KIBITZ_TRUSTED_PROXIES="", KIBITZ_WORKERS="1"
    ) as server:
        found = open_statuses(server, *(f"192.0.2.{n}" for n in range(20)))
        assert (found[0], found[-1]) == (303, 429)
        server.stop()


def test_a_page_of_the_public_address_may_act(tmp_path: Path) -> None:
    """Behind a proxy that says which host was asked for, and only that one."""
    with Server(tmp_path) as server:
        ann = Guest(server)
        form = {"game": "kalamala", "play": "device", "seat": "", "options": ""}
        said = {"X-Forwarded-Host": "club.example", "Origin": "https://club.example"}
        assert ann.client.post("/tables", data=form, headers=said).status_code == 303
        other = said | {"Origin": server.address}
        assert ann.client.post("/tables", data=form, headers=other).status_code == 403
