"""The line to a page past the framework: whole frames, one write for all, no ended token."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import time
import weakref
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.sync.client import connect

from kibitz.server.db.store import TableLease, open_store
from kibitz.server.http import page_line
from kibitz.server.http.page_line import (
    PROTOCOL_KEY,
    DirectLine,
    DirectProtocol,
    FrameworkLine,
)
from kibitz.server.http.rate_limits import Bucket
from kibitz.server.http.revocation import CLOSE_REVOKED, TokenGuard
from kibitz.server.http.socket_compression import (
    MIN_BYTES,
    SYNC_MARK,
    WINDOW_BITS,
    LargeMessageDeflate,
)
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.connection import CLOSE_FAILED, Connection
from kibitz.server.tables.protocol import MOST_BYTES
from kibitz.server.tables.registry import LiveTables
from kibitz.server.tables.viewers import ViewerSettings
from server.tables.test_view_caching import open_live_table
from support.accounts import SOCKET_ENDS_WITHIN, bearing, bot_token, member, token_ids
from support.server_process import TIMEOUT_S, Server


class WrittenProtocol(DirectProtocol):
    """A connection without a network: what is written is kept, and what is heard too."""

    def __init__(self, window_bits: int | None = None) -> None:
        self.writable, self._window_bits = asyncio.Event(), window_bits
        self._remote_window_bits = window_bits or 0
        self.writable.set()
        self.disconnected = self.close_sent = False
        self.handshake_initiated = self.handshake_complete = True
        self.logger = logging.getLogger(__name__)
        deflate = LargeMessageDeflate(True, True, WINDOW_BITS, WINDOW_BITS)
        self.conn = ServerProtocol(
            state=State.OPEN,
            max_size=MOST_BYTES,
        )
        self.conn.extensions = [deflate] if window_bits else []
        self.written: list[bytes] = []
        self.is_reading = True
        self.transport = cast(
            Any,
            SimpleNamespace(
                write=self.written.append,
                close=lambda: None,
                is_closing=lambda: False,
                pause_reading=partial(setattr, self, "is_reading", False),
                resume_reading=partial(setattr, self, "is_reading", True),
            ),
        )
        self.queue = asyncio.Queue()
        self.scope = cast(Any, {"extensions": {PROTOCOL_KEY: self}})
        self.read_paused = False
        self.frames = []
        self.pending_ping_payload = self.close_timer = None
        self.heard: list[str] = []

    def listen_here(self) -> None:
        self.listen(self.heard.append, lambda: None)

    @property
    def close_code(self) -> int | None:
        """The code with which the connection ended; None while it has not."""
        while not self.queue.empty():
            told = cast(dict[str, Any], self.queue.get_nowait())
            if told["type"] == "websocket.disconnect":
                return int(told["code"])
        return None


def read_frames(data: bytes) -> list[str]:
    """The texts of frames, by the book."""
    found = []
    while data:
        first, size, begin = data[0], data[1], 2
        assert first & 0x8F == 0x81
        assert not size & 0x80, "a server masks nothing"
        if size >= 126:
            begin = 4 if size == 126 else 10
            size = int.from_bytes(data[2:begin])
            assert size > (125 if begin == 4 else 0xFFFF), "as short as it can be"
        content, data = data[begin : begin + size], data[begin + size :]
        assert len(content) == size
        if first & 0x40:
            content = zlib.decompress(content + b"\x00\x00\xff\xff\x03\x00", -WINDOW_BITS)
        found.append(content.decode())
    return found


@pytest.mark.parametrize("window_bits", [None, WINDOW_BITS])
def test_texts_of_every_length_go_in_one_write(window_bits: int | None) -> None:
    async def write_all() -> None:
        protocol = WrittenProtocol(window_bits)
        sizes = (0, 1, 125, 126, MIN_BYTES - 1, MIN_BYTES, 0xFFFF, 0x10000, 200_000)
        texts = ["é" * (size // 2) + "a" * (size % 2) for size in sizes]
        DirectLine(protocol, None).write_texts(texts)
        (data,) = protocol.written
        assert read_frames(data) == texts
        assert (len(data) < 20_000) == bool(window_bits)

    asyncio.run(write_all())


@pytest.mark.parametrize(
    "change", [{"disconnected": True}, {"close_sent": True}, {"conn": SimpleNamespace(state=3)}]
)
def test_nothing_is_written_to_whoever_has_gone(change: dict[str, Any]) -> None:
    async def write() -> None:
        protocol = WrittenProtocol()
        for name, value in change.items():
            setattr(protocol, name, value)
        DirectLine(protocol, None).write_texts(["a"])
        assert not protocol.written

    asyncio.run(write())


# Frames from a page


def masked_frame(first: int, content: bytes, mask: bytes = b"\x01\x82\x33\xf4") -> bytes:
    """A frame as a page sends it, by the book."""
    size = len(content)
    if size <= 125:
        head = bytes((first, 0x80 | size))
    elif size <= 0xFFFF:
        head = bytes((first, 0x80 | 126)) + size.to_bytes(2)
    else:
        head = bytes((first, 0x80 | 127)) + size.to_bytes(8)
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(content))


def deflate(content: bytes) -> bytes:
    encoder = zlib.compressobj(wbits=-WINDOW_BITS)
    return (encoder.compress(content) + encoder.flush(zlib.Z_SYNC_FLUSH)).removesuffix(SYNC_MARK)


def text_frames(
    text: str, cuts: Sequence[int] = (), is_compressed: bool = False, between: bytes = b""
) -> bytes:
    """The frames of a text that is sent in parts, with something between any two of them."""
    content = deflate(text.encode()) if is_compressed else text.encode()
    places = sorted({min(cut, len(content)) for cut in cuts})
    parts = [content[a:b] for a, b in pairwise((0, *places, len(content)))]
    frames = []
    for number, part in enumerate(parts):
        first = (0x01 if number == 0 else 0x00) | (0x80 if number == len(parts) - 1 else 0)
        frames.append(masked_frame(first | (0x40 * (is_compressed and number == 0)), part))
    return between.join(frames)


PING, PONG, CLOSE = 0x89, 0x8A, 0x88
cuts = some.lists(some.integers(0, 60), max_size=3)
controls = some.sampled_from([b"", masked_frame(PING, b"hi"), masked_frame(PONG, b"")])
sent_texts = some.text(max_size=30) | some.sampled_from(["x" * size for size in (125, 126, 5000)])


@pytest.mark.parametrize("window_bits", [None, WINDOW_BITS])
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(
    said=some.lists(some.tuples(sent_texts, cuts, some.booleans(), controls), max_size=6),
    chunk_bytes=some.integers(1, 400),
)
def test_texts_are_heard_however_they_are_cut(
    window_bits: int | None,
    said: list[tuple[str, list[int], bool, bytes]],
    chunk_bytes: int,
) -> None:
    async def hear() -> None:
        protocol = WrittenProtocol(window_bits)
        protocol.listen_here()
        data = b"".join(
            text_frames(text, cuts, is_compressed and bool(window_bits), between) + between
            for text, cuts, is_compressed, between in said
        )
        for at in range(0, len(data), chunk_bytes):
            protocol.data_received(data[at : at + chunk_bytes])
        assert protocol.heard == [text for text, *_ in said]
        assert protocol.is_open
        pings = data.count(masked_frame(PING, b"hi"))
        assert b"".join(protocol.written).count(bytes((PONG, 2)) + b"hi") == pings

    asyncio.run(hear())


@settings(max_examples=400, deadline=None, derandomize=True, database=None)
@given(
    data=some.lists(
        some.binary(max_size=40)
        | some.builds(masked_frame, some.integers(0, 255), some.binary(max_size=140))
        | sent_texts.map(text_frames),
        max_size=8,
    ).map(b"".join),
    chunk_bytes=some.integers(1, 200),
    window_bits=some.sampled_from([None, WINDOW_BITS]),
)
def test_whatever_comes_is_read_as_the_library_reads_it(
    data: bytes, chunk_bytes: int, window_bits: int | None
) -> None:
    async def read(chunk_bytes: int, is_left_to_library: bool) -> tuple[list[str], int | None]:
        protocol = WrittenProtocol(window_bits)
        protocol._is_left_to_library = is_left_to_library
        protocol.listen_here()
        for at in range(0, len(data), chunk_bytes):
            protocol.data_received(data[at : at + chunk_bytes])
        return protocol.heard, protocol.close_code

    logging.disable(logging.CRITICAL)
    try:
        heard, code = asyncio.run(read(chunk_bytes, is_left_to_library=False))
        # Byte by byte: uvicorn drops whole messages that arrive together with something wrong.
        expected, expected_code = asyncio.run(read(1, is_left_to_library=True))
    finally:
        logging.disable(logging.NOTSET)
    assert heard == expected
    # What the library finds wrong in the first bytes of a frame is found when all of it is there.
    assert code == expected_code or code is None


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (masked_frame(0x81, b"x" * (MOST_BYTES + 1)), 1009),
        (masked_frame(0x81, b"")[:1] + b"\xff" + (1 << 40).to_bytes(8), 1009),
        (masked_frame(0xC1, deflate(b"x" * (MOST_BYTES + 1))), 1009),
        (masked_frame(0xC1, b"\xff\xff\xff"), 1002),
        (masked_frame(0x81, b"\xff"), 1007),
        (b"\x81\x01a", 1002),
        (masked_frame(0xA1, b"a"), 1002),
        (masked_frame(0x80, b"a"), 1002),
        (masked_frame(0x01, b"a") + masked_frame(0x81, b"b"), 1002),
        (masked_frame(0x09, b"a"), 1002),
        (masked_frame(CLOSE, (1001).to_bytes(2)), 1001),
    ],
)
def test_what_ends_a_connection(data: bytes, code: int, caplog: pytest.LogCaptureFixture) -> None:
    async def hear() -> None:
        protocol = WrittenProtocol(WINDOW_BITS)
        protocol.listen_here()
        protocol.data_received(text_frames("first") + data + text_frames("after the end"))
        assert protocol.heard == ["first"]
        assert protocol.close_code == code
        assert not protocol.is_open

    asyncio.run(hear())


def test_what_came_before_anybody_listened_is_heard_first() -> None:
    async def hear() -> None:
        protocol = WrittenProtocol()
        whole = text_frames("second") + text_frames("third")
        protocol.data_received(text_frames("first") + whole[:9])
        assert not protocol.is_reading
        protocol.listen_here()
        assert protocol.heard == ["first"]
        assert protocol.is_reading
        protocol.data_received(whole[9:])
        assert protocol.heard == ["first", "second", "third"]

    asyncio.run(hear())


def test_a_frame_that_is_no_text_is_an_empty_one_and_a_page_that_goes_ends_the_line() -> None:
    async def use() -> None:
        protocol = WrittenProtocol()
        serving = asyncio.create_task(
            DirectLine(protocol, None).serve(protocol.heard.append, lambda: None)
        )
        await asyncio.sleep(0)
        protocol.data_received(masked_frame(0x82, b"\xff"))
        assert protocol.heard == [""]
        protocol.queue.put_nowait({"type": "websocket.disconnect", "code": 1001, "reason": None})
        await asyncio.wait_for(serving, TIMEOUT_S)

    asyncio.run(use())


def test_a_page_that_has_left_is_forgotten_without_the_collector() -> None:
    class Listener:
        def hear(self, text: str) -> None:
            raise AssertionError(text)

    async def use() -> None:
        protocol, listener = WrittenProtocol(), Listener()
        protocol.queue.put_nowait({"type": "websocket.disconnect", "code": 1001, "reason": None})
        await DirectLine(protocol, None).serve(listener.hear, lambda: None)
        left = weakref.ref(listener)
        gc.collect()
        gc.disable()
        try:
            del listener
            assert left() is None
            assert PROTOCOL_KEY not in cast(dict[str, Any], protocol.scope["extensions"])
        finally:
            gc.enable()

    asyncio.run(use())


def test_a_token_that_has_ended_ends_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_line, "TOKEN_CHECK_S", 0.01)

    async def use() -> None:
        sent: list[Any] = []
        is_revoked = False

        async def look() -> bool:
            return is_revoked

        async def send(message: Any) -> None:
            sent.append(message)
            protocol.queue.put_nowait({"type": "websocket.disconnect", "code": 1000})

        protocol = WrittenProtocol()
        line = DirectLine(protocol, TokenGuard(look, protocol.receive, send))  # type: ignore[arg-type]
        serving = asyncio.create_task(line.serve(protocol.heard.append, lambda: None))
        await asyncio.sleep(0.05)
        assert not serving.done()
        is_revoked = True
        await asyncio.wait_for(serving, TIMEOUT_S)
        assert [each["code"] for each in sent] == [CLOSE_REVOKED], "it is closed once"

    asyncio.run(use())


# Pages


class SpokenLine:
    """A line on which a page says some texts, each when it was answered the one before, and which
    keeps what is sent together. It ends when so much was sent."""

    def __init__(self, texts: Sequence[str], batches: int) -> None:
        self.texts, self.wanted_batches = [*texts], batches
        self.batches: list[list[Any]] = []
        self.is_open = self.is_writable = self.is_reading = True
        self.hear: Callable[[str], None]
        self.resume: Callable[[], None]

    async def serve(self, hear: Callable[[str], None], resume: Callable[[], None]) -> None:
        self.hear, self.resume = hear, resume
        for number, text in enumerate(self.texts, 1):
            await self.wait_for_batches(number)
            hear(text)
        await self.wait_for_batches(self.wanted_batches)

    async def wait_for_batches(self, count: int) -> None:
        async with asyncio.timeout(TIMEOUT_S):
            while self.is_open and len(self.batches) < count:
                await asyncio.sleep(0.01)

    def write_texts(self, texts: Sequence[str]) -> None:
        assert self.is_writable
        self.batches.append([json.loads(each)["type"] for each in texts])

    def pause_reading(self) -> None:
        self.is_reading = False

    def resume_reading(self) -> None:
        self.is_reading = True


@contextmanager
def spoken_page(
    folder: Path,
    line: SpokenLine,
    wait: Callable[[Bucket, float], float] = lambda bucket, cost: 0.0,
    close: Callable[[int], Any] | None = None,
) -> Iterator[Callable[[], Any]]:
    """The page of somebody at a table of Kalamala, once it is asked for."""
    store = open_store(folder)

    async def open_page() -> Connection:
        tables, live = LiveTables(store, cast(BotPool, None)), open_live_table("kalamala")
        await store.open_table(live.stored, TableLease())
        socket = cast(Any, SimpleNamespace(scope={}, client=None, close=close))
        viewer = ViewerSettings(("A",), "en")
        page = Connection(socket, tables, live, "A", viewer, wait)
        assert isinstance(page.line, FrameworkLine)
        page.line = line
        return page

    yield open_page
    store.close()


def act_text(key: str, seq: int, text: str) -> str:
    return json.dumps({"type": "act", "key": key, "seq": seq, "seat": "A", "actions": [text]})


def test_an_answer_goes_together_with_the_view_that_it_led_to(tmp_path: Path) -> None:
    line = SpokenLine([act_text("k1", 0, "@a1"), act_text("k2", 1, "@a1")], batches=3)

    async def play() -> None:
        await (await open_page()).serve()

    with spoken_page(tmp_path, line) as open_page:
        asyncio.run(play())
    assert line.batches == [["view"], ["done", "view"], ["refused"]]


def test_an_error_of_ours_closes_the_connection(tmp_path: Path) -> None:
    line, codes = SpokenLine([act_text("k1", 0, "@a1")], batches=2), list[int]()

    def fail(bucket: Bucket, cost: float) -> float:
        raise ZeroDivisionError

    async def close(code: int) -> None:
        codes.append(code)
        line.is_open = False

    async def play() -> None:
        await (await open_page()).serve()

    with spoken_page(tmp_path, line, fail, close) as open_page:
        asyncio.run(play())
    assert codes == [CLOSE_FAILED]
    assert line.batches == [["view"]]


def test_texts_that_come_at_once_are_answered_one_after_the_other(tmp_path: Path) -> None:
    """The second waits for the disk with the first; meanwhile nothing more is read."""
    line = SpokenLine([], batches=4)
    was_reading = list[bool]()

    async def play() -> None:
        serving = asyncio.create_task((await open_page()).serve())
        await line.wait_for_batches(1)
        for number in range(3):
            line.hear(act_text(f"k{number}", number, f"@{'abc'[number]}1"))
            was_reading.append(line.is_reading)
        await serving

    with spoken_page(tmp_path, line) as open_page:
        asyncio.run(play())
    assert was_reading == [True, False, False]
    assert line.is_reading
    assert [batch[0] for batch in line.batches] == ["view", "done", "refused", "stale"]


def test_a_page_that_does_not_read_skips_what_was_in_between(tmp_path: Path) -> None:
    line = SpokenLine([], batches=3)

    async def play() -> None:
        page = await open_page()
        serving = asyncio.create_task(page.serve())
        await line.wait_for_batches(1)
        line.is_writable = False
        for _ in range(3):
            page.notify_change()
            await asyncio.sleep(0.01)
        line.hear(json.dumps({"type": "explain", "key": "why", "path": []}))
        assert not line.is_reading
        await asyncio.sleep(0.01)
        line.is_writable = True
        line.resume()
        await serving

    with spoken_page(tmp_path, line) as open_page:
        asyncio.run(play())
    assert line.batches == [["view"], ["view"], ["refused"]]
    assert line.is_reading


def test_a_socket_ends_with_its_token(server: Server) -> None:
    ann = member(server)
    table, robot = ann.opens(), bot_token(ann)
    page = ann.sits_at(table)
    url = f"{server.address.replace('http', 'ws', 1)}{table}/live?is_patched=1"
    with connect(url, additional_headers=bearing(robot)) as socket:
        assert json.loads(socket.recv())["type"] == "view"
        page.does("@a1")
        assert json.loads(socket.recv())["type"] == "patch"
        ann.client.post("/account/revoke", data={"id": token_ids(ann)[0]})
        time.sleep(SOCKET_ENDS_WITHIN)
        page.does("@h8")
        heard = list[str]()
        with pytest.raises(ConnectionClosed) as ended:
            heard.extend(json.loads(text)["type"] for text in socket)
        assert {*heard} <= {"people"}, "that an account has changed, at most"
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == CLOSE_REVOKED
