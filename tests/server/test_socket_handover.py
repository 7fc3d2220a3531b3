"""Connections that are handed over between workers, as whoever opened them sees it."""

from __future__ import annotations

import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryFile
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidMessage
from websockets.sync.client import ClientConnection, connect

from kibitz.server.http.timeouts import CONNECTIONS_PER_SOCKET, MAX_HEADER_BYTES
from kibitz.server.table_homes import TableHomes
from support.cluster.small_workers import BIG_BYTES, SmallWorkers
from support.server_process import at_last

TIMEOUT_S = 20.0
STALL_S = 2.0
"""A worker that stands still for so long gets no connections."""
CUT_OFF = ConnectionClosed, InvalidMessage, OSError
TIMES = 8
"""So often the same is asked: whichever worker accepts it, the answer is the same."""


@contextmanager
def small_workers(**wanted: Any) -> Iterator[SmallWorkers]:
    with TemporaryFile("w+") as complaints:
        started = SmallWorkers(complaints, **wanted)
        try:
            yield started
        finally:
            said = started.stop()
        assert "Traceback" not in said, said


@pytest.fixture(scope="module", params=["uvloop", "asyncio"])
def workers(request: pytest.FixtureRequest) -> Iterator[SmallWorkers]:
    """Two that nothing here may end."""
    with small_workers(workers=2, loop=request.param) as started:
        yield started
        for pid in started.pids.values():
            os.kill(pid, 0)


def handshake(path: str, *more: str) -> bytes:
    lines = (
        f"GET {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Connection: keep-alive, Upgrade",
        "Upgrade: WebSocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        *more,
    )
    return "\r\n".join((*lines, "", "")).encode()


class Line:
    """A connection byte by byte."""

    def __init__(self, workers: SmallWorkers) -> None:
        self.socket = socket.create_connection(("127.0.0.1", workers.port), TIMEOUT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.read = b""

    def send(self, *parts: bytes, pause: float = 0.0) -> None:
        for part in parts:
            self.socket.sendall(part)
            time.sleep(pause)

    def waits_for(self, pattern: str) -> str:
        """The first group, as soon as the pattern is there."""
        while not (found := re.search(pattern.encode(), self.read, re.DOTALL)):
            received = self.socket.recv(4096)
            assert received, self.read
            self.read += received
        self.read = self.read[found.end() :]
        return found[1].decode()

    def home(self) -> int:
        """The worker that opened a socket."""
        return int(self.waits_for(r"HTTP/1.1 101 .*?\r\n\r\n\x81.(\d) "))

    def close(self) -> None:
        self.socket.close()


def connect_page(workers: SmallWorkers, path: str) -> AbstractContextManager[ClientConnection]:
    return connect(f"ws://127.0.0.1:{workers.port}{path}", open_timeout=TIMEOUT_S, proxy=None)


def home_of(page: ClientConnection) -> int:
    return int(str(page.recv(timeout=TIMEOUT_S)).split()[0])


def served_at(workers: SmallWorkers, path: str) -> int:
    """The worker at which a new socket ends; where it is cut off, as at once after a death, the
    next one."""
    while True:
        with suppress(*CUT_OFF), connect_page(workers, path) as page:
            return home_of(page)


def test_a_death_moves_the_tables_of_the_dead_only() -> None:
    homes = TableHomes(5, Path())
    rankings = [homes.ranking(f"table {number}") for number in range(500)]
    assert all(sorted(each) == list(range(5)) for each in rankings)
    for worker in range(5):
        assert 60 < sum(each[0] == worker for each in rankings) < 140
        heirs = {each[1] for each in rankings if each[0] == worker}
        assert heirs == set(range(5)) - {worker}, "all others take some"


def test_nobody_can_tell_the_home_of_a_table() -> None:
    tables = [f"table {number}" for number in range(100)]
    homes = [[TableHomes(2, Path()).ranking(each)[0] for each in tables] for _ in range(2)]
    assert homes[0] != homes[1]


@pytest.mark.parametrize("home", [0, 1])
def test_sockets_of_a_table_end_at_its_home(workers: SmallWorkers, home: int) -> None:
    table = workers.table_at(home)
    for _ in range(TIMES):
        with connect_page(workers, f"/t/{table}/live?since=3&is_patched=1") as page:
            assert page.recv() == f"{home} /t/{table}/live?since=3&is_patched=1"
            page.send("Is it me?")
            assert page.recv() == "Is it me?"


@pytest.mark.parametrize("home", [0, 1])
def test_events_of_a_table_are_streamed_by_its_home(workers: SmallWorkers, home: int) -> None:
    path = f"/api/v1/tables/{workers.table_at(home)}/events?since=7"
    for _ in range(TIMES):
        answer = httpx.request("GET", f"http://127.0.0.1:{workers.port}{path}", content=b"body")
        assert answer.text == f"{home} {path} 4"


def test_other_requests_stay_where_they_are(workers: SmallWorkers) -> None:
    table = workers.table_at(0)
    for path in ("/", f"/t/{table}/live", f"/t/{table}", f"/api/v1/tables/{table}/events/x"):
        with httpx.Client(base_url=f"http://127.0.0.1:{workers.port}") as client:
            answers = {client.get(path).text.split()[0] for _ in range(3)}
        assert len(answers) == 1
    at = {served_at(workers, f"/elsewhere/{n}/live") for n in range(TIMES)}
    assert at <= {0, 1}


@pytest.mark.parametrize("home", [0, 1])
def test_an_upgrade_after_other_requests_is_handed_over(workers: SmallWorkers, home: int) -> None:
    """As by a proxy that keeps its connections."""
    table = workers.table_at(home)
    for _ in range(TIMES):
        with closing(Line(workers)) as line:
            line.send(b"GET /first HTTP/1.1\r\nHost: x\r\n\r\n")
            line.waits_for(r"200 .*?\r\n\r\n(\d) /first\? 0")
            line.send(handshake(f"/t/{table}/live"))
            assert line.home() == home


@pytest.mark.parametrize("home", [0, 1])
def test_an_upgrade_sent_together_with_a_request_loses_no_answer(
    workers: SmallWorkers, home: int
) -> None:
    table = workers.table_at(home)
    for _ in range(TIMES):
        with closing(Line(workers)) as line:
            line.send(b"GET /first HTTP/1.1\r\nHost: x\r\n\r\n" + handshake(f"/t/{table}/live"))
            line.waits_for(r"200 .*?\r\n\r\n(\d) /first\? 0")
            assert line.home() in (0, 1)


@pytest.mark.parametrize("home", [0, 1])
def test_an_upgrade_before_an_answer_was_read_loses_nothing_of_it(
    workers: SmallWorkers, home: int
) -> None:
    for _ in range(2):
        with closing(Line(workers)) as line:
            line.send(b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
            time.sleep(0.2)
            line.send(handshake(f"/t/{workers.table_at(home)}/live"))
            read = bytearray()
            while b"HTTP/1.1 101" not in read[-1000:]:
                received = line.socket.recv(1 << 20)
                assert received, len(read)
                read += received
            assert read.count(b"xxxx") == BIG_BYTES // 4


@pytest.mark.parametrize("home", [0, 1])
def test_requests_sent_together_with_one_for_events_are_answered(
    workers: SmallWorkers, home: int
) -> None:
    path = f"/api/v1/tables/{workers.table_at(home)}/events"
    for _ in range(TIMES):
        with closing(Line(workers)) as line:
            line.send(
                f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode(),
                b"POST /last HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbo",
                b"dy",
            )
            assert line.waits_for(rf"200 .*?\r\n\r\n(\d) {path}\? 0") == str(home)
            line.waits_for(r"200 .*?\r\n\r\n(\d) /last\? 4")


def test_a_request_may_come_in_any_pieces(workers: SmallWorkers) -> None:
    rng = Random(1)
    tables = [workers.table_at(home) for home in (0, 1)]
    for number in range(30):
        sent = handshake(f"/t/{tables[number % 2]}/live", "X-Forwarded-For: 192.0.2.1, 10.0.0.7")
        cuts = sorted(rng.sample(range(1, len(sent)), rng.randint(1, 6)))
        pieces = [sent[a:b] for a, b in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
        with closing(Line(workers)) as line:
            line.send(*pieces, pause=0.002)
            assert line.home() == number % 2


@pytest.mark.parametrize("home", [0, 1])
def test_a_request_may_come_a_byte_at_a_time(workers: SmallWorkers, home: int) -> None:
    sent = handshake(f"/t/{workers.table_at(home)}/live")
    with closing(Line(workers)) as line:
        line.send(*(sent[n : n + 1] for n in range(len(sent))), pause=0.001)
        assert line.home() == home


def test_garbage_harms_nobody(workers: SmallWorkers) -> None:
    """Whatever comes in the place of a request, or within one, and whenever it ends."""
    rng, begin = Random(2), time.monotonic()
    tables = [workers.table_at(home) for home in (0, 1)]
    for number in range(120):
        sent = bytearray(handshake(f"/t/{tables[number % 2]}/live"))
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(sent))
            how = rng.randrange(4)
            if how == 0:
                sent[place] = rng.randrange(256)
            elif how == 1:
                sent[place:place] = rng.randbytes(rng.randint(1, 40))
            elif how == 2:
                del sent[place : place + rng.randint(1, 10)]
            else:
                sent += rng.randbytes(rng.randint(1, 400))
        with closing(Line(workers)) as line, suppress(ConnectionError):
            line.send(bytes(sent))
            if rng.random() < 0.5:
                line.socket.shutdown(socket.SHUT_WR)
            line.socket.settimeout(0.02)
            with suppress(TimeoutError):
                line.socket.recv(100)
    assert time.monotonic() - begin < 60
    for home, table in enumerate(tables):
        assert [served_at(workers, f"/t/{table}/live") for _ in range(TIMES)] == [home] * TIMES


@pytest.mark.parametrize("home", [0, 1])
def test_the_size_of_a_request_is_limited_as_elsewhere(workers: SmallWorkers, home: int) -> None:
    path = f"/t/{workers.table_at(home)}/live"
    long = f"X-Long: {'x' * (MAX_HEADER_BYTES // 3)}"
    room = MAX_HEADER_BYTES - len(handshake(path, long, long, "X-Rest: "))
    for _ in range(TIMES):
        with closing(Line(workers)) as line:
            line.send(handshake(path, long, long, f"X-Rest: {'x' * room}"))
            assert line.home() == home
        with closing(Line(workers)) as line:
            line.send(handshake(path, long, long, f"X-Rest: {'x' * (room + 1)}"))
            line.waits_for(r"(400) ")


def test_many_at_once_all_come_home(workers: SmallWorkers) -> None:
    tables = [workers.table_at(home) for home in (0, 1)]
    lines = [Line(workers) for _ in range(100)]
    for number, line in enumerate(lines):
        line.send(handshake(f"/t/{tables[number % 2]}/live"))
    assert [line.home() for line in lines] == [0, 1] * 50
    for line in lines:
        line.close()


def test_tables_under_a_path_have_homes() -> None:
    with small_workers(workers=2, prefix="/games") as workers:
        for home in (0, 1):
            path = f"/games/t/{workers.table_at(home)}/live"
            assert [served_at(workers, path) for _ in range(TIMES)] == [home] * TIMES


def test_connections_count_where_they_end() -> None:
    """An address may have four at each worker: those that came by another one count there."""
    with small_workers(workers=2, per_address=1) as workers:
        for home in (0, 1):
            path = f"/t/{workers.table_at(home)}/live"
            with ExitStack() as pages:
                for _ in range(CONNECTIONS_PER_SOCKET):
                    at_last(partial(is_let_in, workers, path, pages))
                assert not any(is_let_in(workers, path, pages) for _ in range(TIMES))
            with ExitStack() as pages:
                at_last(partial(is_let_in, workers, path, pages))


def is_let_in(workers: SmallWorkers, path: str, pages: ExitStack) -> bool:
    """If so, it stays until the stack is closed."""
    with suppress(*CUT_OFF):
        return bool(pages.enter_context(connect_page(workers, path)).recv())
    return False


def test_while_a_home_is_dead_another_worker_stands_in_for_it() -> None:
    with small_workers(workers=3) as workers:
        path, other = f"/t/{workers.table_at(0, 2, 1)}/live", f"/t/{workers.table_at(1)}/live"
        with connect_page(workers, path) as page, connect_page(workers, other) as elsewhere:
            assert (home_of(page), home_of(elsewhere)) == (0, 1)
            workers.kill(0)
            with pytest.raises(ConnectionClosed):
                page.recv(timeout=TIMEOUT_S)
            with ExitStack() as pages:
                again, home = connect_again(workers, path, pages)
                assert home == 2, "the next in the ranking"
                assert close_code(again) == 1012
            at_last(lambda: served_at(workers, path) == 0)
            elsewhere.send("still here")
            assert elsewhere.recv(timeout=TIMEOUT_S) == "still here"


def connect_again(
    workers: SmallWorkers, path: str, pages: ExitStack
) -> tuple[ClientConnection, int]:
    """The first that is not cut off, and where it is: what is handed to the dying is lost."""
    while True:
        with suppress(*CUT_OFF):
            page = pages.enter_context(connect_page(workers, path))
            return page, home_of(page)


def close_code(page: ClientConnection) -> int:
    """The code by which the server closes it."""
    with pytest.raises(ConnectionClosed) as closed:
        page.recv(timeout=TIMEOUT_S)
    assert closed.value.rcvd
    return closed.value.rcvd.code


def test_sockets_go_home_when_their_home_is_back() -> None:
    with small_workers(workers=2, stall_s=STALL_S) as workers, ExitStack() as pages:
        path, other = f"/t/{workers.table_at(0)}/live", f"/t/{workers.table_at(1)}/live"
        with while_stopped(workers, 0):
            time.sleep(1.5 * STALL_S)
            page, elsewhere = map(
                pages.enter_context, map(partial(connect_page, workers), (path, other))
            )
            assert (home_of(page), home_of(elsewhere)) == (1, 1)
        assert close_code(page) == 1012
        at_last(lambda: served_at(workers, path) == 0)
        elsewhere.send("still here")
        assert elsewhere.recv(timeout=TIMEOUT_S) == "still here"


@contextmanager
def while_stopped(workers: SmallWorkers, number: int) -> Iterator[None]:
    """A worker that stands still: nothing ends, and nothing is done."""
    os.kill(workers.pids[number], signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(workers.pids[number], signal.SIGCONT)
