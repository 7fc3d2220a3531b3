"""Requests as no browser sends them, straight into the application: every address it has, with raw
bytes in paths, queries, headers, bodies and frames.

Nothing of it may fail: an answer from 500 on, an exception that leaves the application, and an
error in the log are failures.
"""

from __future__ import annotations

import asyncio
import json
import logging
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, cast
from unittest.mock import patch
from urllib.parse import quote_from_bytes

import httpx

from kibitz.server.app import create_app
from kibitz.server.http.proxies import ProxyHeadersMiddleware
from kibitz.server.networks import Networks
from kibitz.server.settings import Settings
from kibitz.server.tables.bot_pool import BotPool

HOST = b"kibitz.example"
WAIT_S = 0.05
"""After so many seconds without a word an answer that goes on for ever is left."""
ODD_BYTES = (
    b"\xff",
    b"\x00",
    b"%00",
    b"%ff",
    b"\xc3\x28",
    b"\\u0000",
    b"\\ud800",
    b"'",
    b'"',
    b"[",
)
ODD_HEADERS: Mapping[bytes, Sequence[bytes]] = {
    b"host": (b"x:99999", b"[", b"[::1", b"[::1]:8000", b"a b", b"", b"\xff", b"x:-1", b"x:", b"@"),
    b"x-forwarded-host": (b"a:99999", b"a:65536", b"[", b"[::g]", b"\xff", b"a,b"),
    b"x-forwarded-for": (b"\xff", b"1.2.3.4, [", b"::ffff:1.2.3.4", b"unknown", b"1" * 900),
    b"x-forwarded-proto": (b"https", b"gopher", b"\xff"),
    b"origin": (b"http://[", b"null", b"http://x:99999", b"\xff", b"http://kibitz.example", b"//"),
    b"sec-fetch-site": (b"cross-site", b"\xff", b"none"),
    b"content-type": (
        b"application/json",
        b"application/x-www-form-urlencoded",
        b"multipart/form-data",
        b"multipart/form-data; boundary=\xff",
        b"text/plain; charset=utf-7",
        b"\xff",
        b"application/msgpack",
    ),
    b"content-length": (b"-1", b"x", b"999999999999999999999"),
    b"cookie": (b"\xff=\xff", b"kibitz-language=\xff", b"a=b; a", b"=" * 300, b'x="\\'),
    b"authorization": (b"Bearer", b"Bearer \xff", b"Bearer kibitz_x", b"Basic x", b"bearer a.b"),
    b"accept-language": (b"\xff", b"fr;q=x", b"*;q=2, ,;;", b"x" * 900),
    b"accept": (b"application/json", b"\xff", b"text/event-stream"),
    b"if-none-match": (b'"\xff"', b"*"),
    b"range": (b"bytes=-1", b"bytes=9-1"),
    b"last-event-id": (b"-1", b"\xff", b"99999999999999999999"),
}
WORDS = (
    *("kalamala", "kahmate", "as-kimble", "chess", "me", "free", "greedy", "level-5", "start"),
    *("A", "B", "R", "referee", "host", "watch", "", " ", "\ud800", "a" * 5000, "@a1", "resign A"),
    *("sit B", "back 0", "ask draw", "abort", "agree", 'ref set "x" "y"', "seal 00", "../../x"),
)
SCALARS = (*WORDS, None, True, -1, 0, 1, 64, 2**31, 2**63, 2**70, 1.5, 1e308)
NAMES = (
    *("game", "seats", "options", "settings", "start", "entropy", "is_open", "actions", "key"),
    *("seat", "seq", "text", "room", "token", "name", "password", "do", "who", "path", "element"),
    *("table", "position", "clock", "since", "is_tall", "n", "type", "language", "email", "page"),
)


@dataclass
class Findings:
    """What came of it: how often each status, and whatever should not have happened."""

    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    @property
    def requests(self) -> int:
        return self.statuses.total()


@dataclass(frozen=True)
class Address:
    path: str
    """As the application names it: `/t/{table_id:str}`."""
    method: str
    """`SOCKET` for one that stays open."""


def fuzz(data: Path, seed: int, requests: int, found: Findings | None = None) -> Findings:
    """Send so many requests to an application of its own, with its data in that folder.

    What came of it until then is in `found` if somebody interrupts it.
    """
    return asyncio.run(_Fuzzer(Random(seed), found or Findings()).run(data, requests))


@contextmanager
def _quick_bots() -> Iterator[None]:
    """Bots that do not think: theirs is not what is looked at."""

    async def first_action(self: BotPool, question: Any, most_s: float = 0.0) -> str:
        return str(question.texts[0])

    async def silence(self: BotPool, question: Any) -> None:
        return None

    async def nothing(self: BotPool, *asked: Any) -> None:
        raise TimeoutError

    with (
        patch.object(BotPool, "choose_action", first_action),
        patch.object(BotPool, "choose_statement", silence),
        patch.object(BotPool, "run_job", nothing),
        patch.object(BotPool, "warm_up", lambda self, *asked: None),
    ):
        yield


class _ErrorLog(logging.Handler):
    def __init__(self, faults: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._faults = faults

    def emit(self, record: logging.LogRecord) -> None:
        self._faults.append(f"log: {self.format(record)}"[-2000:])


class _Fuzzer:
    def __init__(self, random: Random, findings: Findings) -> None:
        self._random, self._findings = random, findings
        self._cookies: list[bytes] = []
        self._tables: list[str] = []
        self._addresses: list[Address] = []

    async def run(self, data: Path, requests: int) -> Findings:
        settings = Settings(data=data, has_rate_limits=False, url=f"http://{HOST.decode()}")
        noted = _ErrorLog(self._findings.faults)
        logging.getLogger().addHandler(noted)
        try:
            with _quick_bots():
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", DeprecationWarning)  # Of the framework's own.
                    application = create_app(settings)
                self._addresses = list(_addresses(application.routes))
                app = ProxyHeadersMiddleware(application, Networks("127.0.0.1"))
                transport = httpx.ASGITransport(cast(Any, application))
                async with (
                    application.lifespan(),
                    httpx.AsyncClient(
                        transport=transport, base_url=f"http://{HOST.decode()}"
                    ) as client,
                ):
                    await self._open_tables(client)
                    while self._findings.requests < requests:
                        await self._send_one(app)
        finally:
            logging.getLogger().removeHandler(noted)
        return self._findings

    async def _open_tables(self, client: httpx.AsyncClient) -> None:
        """Tables of every kind, and one who has a seat at them."""
        await client.get("/api/v1/me")
        cookies = "; ".join(f"{each.name}={each.value}" for each in client.cookies.jar)
        self._cookies = [cookies.encode(), b""]
        for game, seats, more in (
            ("kalamala", {"A": "me", "B": "me"}, {}),
            ("kalamala", {"A": "me", "B": "free"}, {"is_open": True}),
            ("kahmate", {"R": "me", "B": "greedy"}, {}),
            ("as-kimble", {}, {"options": {"mode": "companion"}}),
            ("as-kimble", dict.fromkeys("RBYG", "me"), {}),
            ("kalamala", {"A": "me", "B": "me"}, {}),
            ("kalamala", {"A": "me", "B": "me"}, {}),
        ):
            asked = {"game": game, "seats": seats, **more}
            opened = (await client.post("/api/v1/tables", json=asked)).json()
            self._tables.append(opened["id"])
        for table_id, text in ((self._tables[-1], "abort"), (self._tables[-2], "resign A")):
            acted = {"key": text, "actions": [text]}
            await client.post(f"/api/v1/tables/{table_id}/actions", json=acted)

    async def _send_one(self, app: Any) -> None:
        address = self._random.choice(self._addresses)
        scope = self._scope(address)
        body = self._bytes(self._body())
        frames = [self._frame() for _ in range(self._random.randrange(4))]
        try:
            status = await _exchange(app, scope, body, frames)
        except Exception as error:  # Whatever comes out is a fault of its own.
            self._findings.faults.append(
                f"{scope['method_named']} {scope['raw_path']!r}: {error!r}"
            )
            status = 599
        self._findings.statuses[status] += 1
        if 500 <= status < 599:
            headers = [each for each in scope["headers"] if each[0] in ODD_HEADERS]
            self._findings.faults.append(
                f"{status} {address.method} {scope['raw_path']!r} {headers!r} {body[:200]!r}"
            )

    def _scope(self, address: Address) -> dict[str, Any]:
        raw = self._path(address.path)
        headers = [(b"host", HOST), (b"cookie", self._random.choice(self._cookies))]
        for name in self._random.sample(list(ODD_HEADERS), self._random.choice((0, 0, 1, 2, 3))):
            headers = [each for each in headers if each[0] != name]
            headers.append((name, self._bytes(self._random.choice(ODD_HEADERS[name]), rarely=9)))
        is_socket = address.method == "SOCKET"
        kind = {"type": "websocket", "scheme": "ws", "subprotocols": []} if is_socket else {}
        return {
            **{"type": "http", "scheme": "http", "method": address.method, **kind},
            "method_named": address.method,
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "path": raw.decode("latin-1").encode().decode("utf-8", "replace"),
            "raw_path": quote_from_bytes(raw).encode(),
            "query_string": self._query(),
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 1234),
            "server": ("127.0.0.1", 80),
            "extensions": {},
        }

    def _path(self, template: str) -> bytes:
        parts = [self._path_part(part) for part in template.split("/")]
        return b"/".join(parts)

    def _path_part(self, part: str) -> bytes:
        if not part.startswith("{"):
            return part.encode()
        if "table" in part and self._random.random() < 0.8:
            return self._random.choice(self._tables).encode()
        if "game" in part and self._random.random() < 0.8:
            return self._random.choice((b"kalamala", b"kahmate", b"as-kimble"))
        return self._bytes(self._random.choice(WORDS)[:80].encode("utf-8", "replace"))

    def _query(self) -> bytes:
        pairs = [
            f"{self._random.choice(NAMES)}={self._random.choice(SCALARS)}"
            for _ in range(self._random.choice((0, 0, 0, 1, 2)))
        ]
        return self._bytes("&".join(pairs).encode("utf-8", "replace"))

    def _body(self) -> bytes:
        value = self._value(3)
        if isinstance(value, dict) and self._random.random() < 0.2:
            pairs = "&".join(f"{name}={each}" for name, each in value.items())
            return pairs.encode("utf-8", "replace")
        return json.dumps(value).encode()

    def _value(self, depth: int) -> Any:
        if depth == 0 or self._random.random() < 0.3:
            return self._random.choice(SCALARS)
        if self._random.random() < 0.2:
            return [self._value(depth - 1) for _ in range(self._random.randrange(4))]
        names = self._random.sample(NAMES, self._random.randrange(6))
        return {name: self._value(depth - 1) for name in names}

    def _frame(self) -> str | bytes:
        kinds = ("act", "explain", "look", "unveil", "say", "x")
        value = self._value(2)
        if isinstance(value, dict):
            value = {"type": self._random.choice(kinds), "key": "k", **value}
        sent = self._bytes(json.dumps(value).encode())
        return sent if self._random.random() < 0.2 else sent.decode("utf-8", "replace")

    def _bytes(self, text: bytes, rarely: int = 3) -> bytes:
        """Mostly as it was; else with something in it that does not belong there."""
        if self._random.randrange(rarely):
            return text
        at = self._random.randrange(len(text) + 1)
        return text[:at] + self._random.choice(ODD_BYTES) + text[at:]


def _addresses(routes: Sequence[Any]) -> Iterator[Address]:
    for route in routes:
        methods = getattr(route, "methods", None) or ("SOCKET",)
        for method in sorted({*map(str, methods)} - {"OPTIONS"}):
            yield Address(route.path_format, method)
    yield Address("/api/nowhere", "GET")
    yield Address("/nowhere", "PATCH")


async def _exchange(app: Any, scope: dict[str, Any], body: bytes, frames: list[str | bytes]) -> int:
    """The status of the answer; for a socket the one it was refused with, or 101."""
    is_socket = scope["type"] == "websocket"
    named = {name: value for name, value in scope.items() if name != "method_named"}
    incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    if is_socket:
        incoming.put_nowait({"type": "websocket.connect"})
        for frame in frames:
            kind = "text" if isinstance(frame, str) else "bytes"
            incoming.put_nowait({"type": "websocket.receive", kind: frame})
        incoming.put_nowait({"type": "websocket.disconnect", "code": 1001})
    else:
        cut = len(body) // 2
        for part, more in ((body[:cut], True), (body[cut:], False)):
            incoming.put_nowait({"type": "http.request", "body": part, "more_body": more})
    status = [101 if is_socket else 0]
    began = asyncio.Event()

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            status[0] = message["status"]
            began.set()
        elif message["type"] == "websocket.close":
            status[0] = 500 if message.get("code") == 1011 else 403
        elif message["type"] == "websocket.http.response.start":
            status[0] = message["status"]

    task = asyncio.create_task(app(named, incoming.get, send))
    began_task = asyncio.create_task(began.wait())
    await asyncio.wait({task, began_task}, return_when=asyncio.FIRST_COMPLETED)
    began_task.cancel()
    done, _ = await asyncio.wait({task}, timeout=WAIT_S if not task.done() else 0)
    if not done:
        incoming.put_nowait({"type": "http.disconnect"})
        task.cancel()
    await asyncio.wait({task})
    if not task.cancelled() and (error := task.exception()):
        raise error
    return status[0]
