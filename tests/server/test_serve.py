"""Starting the server, being found, and stopping it again."""

from __future__ import annotations

import re
import signal
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest
import segno
import uvicorn
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.sync.client import connect

from kibitz.core.message import Refused, message
from kibitz.i18n import say_in
from kibitz.server import run
from kibitz.server.db.schema import versions
from kibitz.server.http import timeouts
from kibitz.server.lan import QR_BORDER_MODULES, lan_address, qr_text, web_address
from kibitz.server.settings import DATABASE_FILE, Settings, settings_from
from support.cli_server import Command
from support.cluster.servers import Redis, missing


def serving(folder: Path, *arguments: str, **environment: str) -> Command:
    return Command(folder, "serve", "--port", "0", *arguments, **environment)


def health(address: str) -> int:
    return httpx.get(f"{address}/health", timeout=10).status_code


def wait_until_gone(connection: socket.socket, seconds: float) -> float:
    """How long until the other side closed it."""
    connection.settimeout(seconds)
    started = time.monotonic()
    with suppress(ConnectionError):
        while connection.recv(4096) and time.monotonic() < started + seconds:
            pass
    return time.monotonic() - started


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_and_stops_when_told(tmp_path: Path, how: signal.Signals) -> None:
    with serving(tmp_path) as server:
        assert server.address.startswith("http://127.0.0.1:")
        assert health(server.address) == 200
        assert server.stop(how) == 0
        events = [re.findall(r'event="?(\w+)', line) for line in server.log_text.splitlines()]
        assert events == [["database"], ["started"], ["stopped"]]


def test_it_stops_within_seconds_with_connections_open(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        host, port = server.address.removeprefix("http://").split(":")
        with closing(socket.create_connection((host, int(port)))) as half:
            half.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
            assert health(server.address) == 200
            started = time.monotonic()
            assert server.stop() == 0
            assert time.monotonic() - started < run.SHUTDOWN_TIMEOUT_S + 2


def test_by_itself_it_is_for_this_machine_only(tmp_path: Path) -> None:
    other = lan_address()
    if other is None:
        pytest.skip("this machine is on no network")
    with serving(tmp_path) as server:
        port = server.address.rsplit(":", 1)[1]
        with pytest.raises(httpx.ConnectError):
            health(f"http://{other}:{port}")


def test_on_the_network_others_find_it_by_address_or_camera(tmp_path: Path) -> None:
    other = lan_address()
    if other is None:
        pytest.skip("this machine is on no network")
    with serving(tmp_path, "--lan") as server:
        port = server.address.rsplit(":", 1)[1]
        shown = web_address(other, int(port))
        assert health(shown.rstrip("/")) == 200
        assert health(server.address) == 200
        assert shown in server.output
        assert qr_text(shown, in_colour=False) in server.output


def test_the_code_is_the_address() -> None:
    address = "http://192.168.178.23:8000/"
    lines = qr_text(address, in_colour=False).splitlines()
    rows = []
    for line in lines:
        rows.append([block not in "▀█" for block in line])
        rows.append([block not in "▄█" for block in line])
    size = len(lines[0])
    dark = [
        row[QR_BORDER_MODULES:-QR_BORDER_MODULES]
        for row in rows[QR_BORDER_MODULES : size - QR_BORDER_MODULES]
    ]
    assert dark == [[bool(cell) for cell in row] for row in segno.make_qr(address).matrix]
    coloured = qr_text(address, in_colour=True)
    assert re.sub(r"\033\[[\d;]*m", "", coloured).splitlines() == lines


def test_a_port_that_was_asked_for_is_taken_or_it_does_not_start(tmp_path: Path) -> None:
    with closing(socket.socket()) as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        for arguments, environment in (
            (("serve", "--port", port), {}),
            (("serve",), {"KIBITZ_PORT": port}),
        ):
            with Command(tmp_path, *arguments, **environment) as server:
                assert server.process.wait(30) == 2
                assert re.fullmatch(rf"kibitz: .*127.0.0.1, port {port}: .*\n", server.log_text)
        assert not (tmp_path / "data").exists()
        with Command(tmp_path, "play", "--no-open", KIBITZ_PORT=port) as server:
            assert not server.address.endswith(port)
            assert port in server.output


def test_to_play_it_says_where_it_is_and_nothing_else(tmp_path: Path) -> None:
    with Command(tmp_path, "play", "--no-open", "--port", "0") as server:
        assert health(server.address) == 200
        server.stop()
        assert len(server.output.strip().splitlines()) == 1
        assert server.log_text == ""


def test_data_of_a_newer_program_is_left_alone_with_a_sentence(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        assert server.address
        server.stop()
    with closing(sqlite3.connect(tmp_path / "data" / DATABASE_FILE)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    with serving(tmp_path) as server:
        assert server.process.wait(30) == 2
        assert server.log_text.startswith("kibitz: The data in ")
        assert "Traceback" not in server.log_text
    assert "9999" not in versions()


def test_a_data_folder_that_cannot_be_used_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("not a folder")
    with serving(tmp_path) as server:
        assert server.process.wait(30) == 2
        assert re.fullmatch(r"kibitz: The data folder .*\n", server.log_text)


def test_settings_come_from_the_environment() -> None:
    given = settings_from(
        {
            "KIBITZ_DATA": "/x",
            "KIBITZ_HOST": "::1",
            "KIBITZ_PORT": "81",
            "KIBITZ_OPEN_BROWSER": "off",
            "KIBITZ_LOG": "json",
            "KIBITZ_LOG_REQUESTS": "1",
            "KIBITZ_RATE_LIMITS": "off",
            "KIBITZ_MAX_CONNECTIONS": "10",
            "KIBITZ_MAX_CONNECTIONS_PER_ADDRESS": "5",
        }
    )
    assert (given.data, given.host, given.port) == (Path("/x"), "::1", 81)
    assert (given.open_browser, given.log, given.log_requests) == (False, "json", True)
    assert (given.has_rate_limits, given.max_connections, given.max_connections_per_address) == (
        False,
        10,
        5,
    )
    usual = settings_from({})
    assert (usual.host, usual.port, usual.insists_on_port) == ("127.0.0.1", 8000, False)
    assert (usual.has_rate_limits, usual.log, usual.log_requests) == (True, "text", False)
    assert settings_from({}, lan=True).host == "0.0.0.0"
    assert settings_from({"KIBITZ_HOST": "192.0.2.7"}, lan=True).host == "192.0.2.7"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("KIBITZ_PORT", "65536"),
        ("KIBITZ_PORT", "-1"),
        ("KIBITZ_RATE_LIMITS", "perhaps"),
        ("KIBITZ_LOG", "loud"),
        ("KIBITZ_MAX_CONNECTIONS", "0"),
        ("KIBITZ_MAX_CONNECTIONS_PER_ADDRESS", "²"),
        ("KIBITZ_WORKERS", "0"),
        ("KIBITZ_DATABASE_URL", "mysql://x"),
        ("KIBITZ_METRICS_ALLOW", "everybody"),
        ("KIBITZ_PATH_PREFIX", "kibitz"),
        ("KIBITZ_PATH_PREFIX", "/a/../b"),
        ("KIBITZ_PATH_PREFIX", "/a b"),
        ("KIBITZ_PATH_PREFIX", "//other.example"),
    ],
)
def test_wrong_settings_are_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(Refused) as caught:
        settings_from({name: text})
    assert caught.value.refusal.value("name") == name


def test_a_path_is_one_with_or_without_a_stroke_behind_it() -> None:
    for text in ("/kibitz", "/kibitz/"):
        assert settings_from({"KIBITZ_PATH_PREFIX": text}).prefix == "/kibitz"
    assert settings_from({"KIBITZ_PATH_PREFIX": "/"}).prefix == ""
    assert settings_from({"KIBITZ_PATH_PREFIX": "/a/b-c/v1.2"}).prefix == "/a/b-c/v1.2"


@pytest.mark.parametrize("arguments", [("--workers", "2"), ()])
def test_workers_that_could_not_hear_each_other_are_refused(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    environment = {} if arguments else {"KIBITZ_WORKERS": "2"}
    with serving(tmp_path, *arguments, **environment) as server:
        assert server.process.wait(30) == 2
        assert server.log_text == f"kibitz: {say_in('en')(message('server.workers-need-redis'))}\n"
        assert not (tmp_path / "data").exists()


def test_as_many_work_as_were_asked_for(tmp_path: Path) -> None:
    if missing():
        pytest.skip(f"not installed: {missing()}")
    redis = Redis()
    try:
        with serving(tmp_path, "--workers", "2", KIBITZ_REDIS_URL=redis.url) as server:
            assert health(server.address) == 200
            pid = server.process.pid
            workers = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            assert len(workers) == 2
            assert server.stop() == 0
    finally:
        redis.close()


def test_every_variable_is_documented() -> None:
    source = Path(settings_from.__code__.co_filename).read_text()
    page = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text()
    known = set(re.findall(r"KIBITZ_[A-Z_]+", source)) - {"KIBITZ_"}
    assert len(known) > 8
    assert known == set(re.findall(r"`(KIBITZ_[A-Z_]+)", page))


async def small_app(scope: Any, receive: Any, send: Any) -> None:
    """Answers every request, once it has all of it, and keeps every socket open."""
    if scope["type"] == "http":
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"well"})
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """A small application behind our connections, which are in more of a hurry than usual."""
    monkeypatch.setattr(timeouts, "REQUEST_TIMEOUT_S", 0.5)
    monkeypatch.setattr(run, "PING_INTERVAL_S", 0.5)
    monkeypatch.setattr(run, "PING_TIMEOUT_S", 1.0)
    settings = Settings(data=tmp_path, port=0)
    listening = run.listen(settings)
    server = uvicorn.Server(run.uvicorn_config(small_app, settings))
    thread = Thread(target=server.run, args=([listening],))
    thread.start()
    yield listening.getsockname()
    server.should_exit = True
    thread.join()


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc",
    ],
)
def test_who_does_not_finish_asking_is_sent_away(address: tuple[str, int], begun: bytes) -> None:
    with closing(socket.create_connection(address)) as slow:
        slow.sendall(begun)
        assert wait_until_gone(slow, 9) < 8


@pytest.mark.parametrize("first", [True, False])
def test_a_byte_now_and_then_does_not_count_as_asking(
    address: tuple[str, int], first: bool
) -> None:
    """Neither at first nor after a request that was complete."""
    with closing(socket.create_connection(address)) as slow:
        started = time.monotonic()
        with suppress(ConnectionError):
            while time.monotonic() < started + 9:
                slow.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" if first else b"X")
                first = False
                time.sleep(0.1)
        assert time.monotonic() - started < 8


def test_who_asks_again_and_again_stays(
    address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeouts, "REQUEST_TIMEOUT_S", 1.5)
    with httpx.Client(base_url=f"http://{address[0]}:{address[1]}") as client:
        for _ in range(6):
            assert client.post("/", content=b"x" * 100_000).text == "well"
            time.sleep(0.3)


def test_headers_have_a_size(address: tuple[str, int]) -> None:
    with httpx.Client(base_url=f"http://{address[0]}:{address[1]}") as client:
        fits = {"X-Long": "x" * (timeouts.MAX_HEADER_BYTES // 2)}
        assert client.get("/", headers=fits).status_code == 200
        long = {"X-Long": "x" * timeouts.MAX_HEADER_BYTES * 2}
        assert client.get("/", headers=long).status_code == 400


@pytest.mark.parametrize("headers", [[f"X-Long: {'x' * 9000}"], ["X-Short: x"] * 200, []])
def test_a_handshake_is_answered_whatever_it_has(
    address: tuple[str, int], headers: list[str]
) -> None:
    asked = ["GET / HTTP/1.1", "Host: x", "Connection: Upgrade", "Upgrade: websocket", *headers]
    with closing(socket.create_connection(address)) as line:
        line.sendall("\r\n".join((*asked, "", "")).encode())
        line.settimeout(9)
        answer = line.recv(4096)
        assert re.match(rb"HTTP/1.1 4\d\d ", answer)
        assert wait_until_gone(line, 9) < 8


def test_compression_remembers_no_earlier_message(address: tuple[str, int]) -> None:
    """Else the size of one would tell of another."""
    with connect(f"ws://{address[0]}:{address[1]}/") as open_socket:
        (deflate,) = open_socket.protocol.extensions
        assert isinstance(deflate, PerMessageDeflate)
        assert deflate.local_no_context_takeover
        assert deflate.remote_no_context_takeover


def test_who_answers_pings_stays_and_the_dead_are_noticed(address: tuple[str, int]) -> None:
    asks = (
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    with connect(f"ws://{address[0]}:{address[1]}/") as alive:
        with closing(socket.create_connection(address)) as dead:
            dead.sendall(asks)
            assert dead.recv(4096).startswith(b"HTTP/1.1 101")
            assert wait_until_gone(dead, 9) < 8
        with pytest.raises(TimeoutError):
            alive.recv(timeout=0.5)
        alive.send("still here")


def test_by_default_the_dead_are_noticed_within_a_minute() -> None:
    assert run.PING_INTERVAL_S + run.PING_TIMEOUT_S < 60
