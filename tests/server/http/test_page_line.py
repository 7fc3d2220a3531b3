"""The line to a page past the framework: whole frames, one write for all, no ended token."""

from __future__ import annotations

import asyncio
import json
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from litestar.exceptions import WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State
from websockets.sync.client import connect

from kibitz.server.db.store import TableLease, open_store
from kibitz.server.http.page_line import DirectLine, DirectProtocol, FrameworkLine
from kibitz.server.http.revocation import CLOSE_REVOKED, TokenGuard
from kibitz.server.http.socket_compression import MIN_BYTES, WINDOW_BITS
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.connection import Connection
from kibitz.server.tables.registry import LiveTables
from kibitz.server.tables.viewers import ViewerSettings
from server.tables.test_view_caching import open_live_table
from support.accounts import ENDS_WITHIN, bearing, bot_token, member, token_ids
from support.server_process import Server


class WrittenProtocol(DirectProtocol):
    """A connection without a network: what is written is kept."""

    def __init__(self, window_bits: int | None = None) -> None:
        self.writable, self._window_bits = asyncio.Event(), window_bits
        self.writable.set()
        self.disconnected = self.close_sent = False
        self.conn = cast(Any, SimpleNamespace(state=State.OPEN))
        self.written: list[bytes] = []
        self.transport = cast(Any, SimpleNamespace(write=self.written.append))
        self.queue = asyncio.Queue()
        self.read_paused = False


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
        await DirectLine(protocol, None).send_texts(texts)
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
        with pytest.raises(ClientDisconnected):
            await DirectLine(protocol, None).send_texts(["a"])
        assert not protocol.written

    asyncio.run(write())


def test_whoever_does_not_read_is_waited_for() -> None:
    async def write() -> None:
        protocol = WrittenProtocol()
        protocol.writable.clear()
        sending = asyncio.create_task(DirectLine(protocol, None).send_texts(["a"]))
        await asyncio.sleep(0.01)
        assert not protocol.written
        protocol.writable.set()
        await sending
        assert protocol.written

    asyncio.run(write())


def test_a_token_that_has_ended_ends_the_line_both_ways() -> None:
    async def use() -> None:
        sent: list[Any] = []
        is_revoked = False

        async def look() -> bool:
            return is_revoked

        async def send(message: Any) -> None:
            sent.append(message)

        protocol = WrittenProtocol()
        line = DirectLine(protocol, TokenGuard(look, protocol.receive, send))  # type: ignore[arg-type]
        protocol.queue.put_nowait({"type": "websocket.receive", "text": "first"})
        assert await line.receive_text() == "first"
        await line.send_texts(["answer"])
        is_revoked = True
        protocol.queue.put_nowait({"type": "websocket.receive", "text": "second"})
        for use_line in (line.receive_text(), line.send_texts(["secret"])):
            with pytest.raises(WebSocketDisconnect) as ended:
                await use_line
            assert ended.value.code == CLOSE_REVOKED
        assert read_frames(b"".join(protocol.written)) == ["answer"]
        assert [each["code"] for each in sent] == [CLOSE_REVOKED], "it is closed once"

    asyncio.run(use())


def test_a_page_that_goes_and_a_frame_that_is_no_text() -> None:
    async def use() -> None:
        protocol = WrittenProtocol()
        protocol.queue.put_nowait({"type": "websocket.receive", "bytes": b"\xff"})
        protocol.queue.put_nowait({"type": "websocket.disconnect", "code": 1001})
        line = DirectLine(protocol, None)
        assert await line.receive_text() == ""
        with pytest.raises(WebSocketDisconnect) as ended:
            await line.receive_text()
        assert ended.value.code == 1001

    asyncio.run(use())


class SpokenLine:
    """A line on which a page says some texts, and which keeps what is sent together."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = [*texts]
        self.batches: list[list[Any]] = []

    async def receive_text(self) -> str:
        await asyncio.sleep(0.05)
        if not self.texts:
            raise WebSocketDisconnect(detail="gone", code=1001)
        return self.texts.pop(0)

    async def send_texts(self, texts: Sequence[str]) -> None:
        self.batches.append([json.loads(each)["type"] for each in texts])


def test_an_answer_goes_together_with_the_view_that_it_led_to(tmp_path: Path) -> None:
    async def play() -> list[list[Any]]:
        store = open_store(tmp_path)
        tables, live = LiveTables(store, cast(BotPool, None)), open_live_table("kalamala")
        await store.open_table(live.stored, TableLease())
        socket = cast(Any, SimpleNamespace(scope={}, client=None))
        settings = ViewerSettings(("A",), "en")
        page = Connection(socket, tables, live, "A", settings, lambda bucket, cost: 0.0)
        assert isinstance(page.line, FrameworkLine)
        said = [
            {"type": "act", "key": "k1", "seq": 0, "seat": "A", "actions": ["@a1"]},
            {"type": "act", "key": "k2", "seq": 1, "seat": "A", "actions": ["@a1"]},
        ]
        line = SpokenLine([json.dumps(each) for each in said])
        page.line = line
        await page.serve()
        store.close()
        return line.batches

    assert asyncio.run(play()) == [["view"], ["done", "view"], ["refused"]]


def test_a_socket_ends_with_its_token(server: Server) -> None:
    ann = member(server)
    table, robot = ann.opens(), bot_token(ann)
    page = ann.sits_at(table)
    url = f"{server.address.replace('http', 'ws', 1)}{table}/live?patches=2"
    with connect(url, additional_headers=bearing(robot)) as socket:
        assert json.loads(socket.recv())["type"] == "view"
        page.does("@a1")
        assert json.loads(socket.recv())["type"] == "patch"
        ann.client.post("/account/revoke", data={"id": token_ids(ann)[0]})
        time.sleep(ENDS_WITHIN)
        page.does("@h8")
        with pytest.raises(ConnectionClosed) as ended:
            socket.recv()
        assert ended.value.rcvd is not None
        assert ended.value.rcvd.code == CLOSE_REVOKED
