"""Large messages are compressed, each by itself; nobody can send much in little."""

from __future__ import annotations

import json

import pytest
from websockets.exceptions import ConnectionClosedError
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import Frame, Opcode

from kibitz.server.http import socket_compression
from kibitz.server.http.socket_compression import LargeMessageDeflate, LargeMessageDeflateFactory
from kibitz.server.tables.protocol import MOST_BYTES
from support.server_process import Guest, Server

LARGE = json.dumps({"offers": ["Push d4 one square to e4"] * 200}).encode()


def agree() -> tuple[LargeMessageDeflate, list[str], object]:
    """The server's side, what it agreed to, and a client's side."""
    client = ClientPerMessageDeflateFactory(client_max_window_bits=True)
    accepted, server = LargeMessageDeflateFactory().process_request_params(
        client.get_request_params(), []
    )
    assert isinstance(server, LargeMessageDeflate)
    return server, [name for name, _ in accepted], client.process_response_params(accepted, [])


def test_a_large_message_is_small_on_the_wire_and_the_same_to_who_reads_it() -> None:
    server, names, client = agree()
    assert {"server_no_context_takeover", "client_no_context_takeover"} <= {*names}
    for _ in range(2):  # Nothing is remembered from one to the next.
        sent = server.encode(Frame(Opcode.TEXT, LARGE))
        assert sent.rsv1
        assert len(sent.data) < len(LARGE) / 5
        assert bytes(client.decode(sent).data) == LARGE  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "frame",
    [Frame(Opcode.TEXT, LARGE[: socket_compression.MIN_BYTES - 1]), Frame(Opcode.PING, b"!" * 100)],
)
def test_what_is_small_goes_as_it_is(frame: Frame) -> None:
    server, _, _ = agree()
    assert server.encode(frame) is frame


def test_one_message_to_many_is_compressed_once() -> None:
    first, second = agree()[0], agree()[0]
    one, other = (
        first.encode(Frame(Opcode.TEXT, LARGE)),
        second.encode(Frame(Opcode.TEXT, bytes(LARGE))),
    )
    assert one.data is other.data


def test_much_in_little_is_refused_as_much(server: Server) -> None:
    """The limit of a message counts what is in it, not how small it was made."""
    guest = Guest(server)
    page = guest.sits_at(guest.opens())
    assert page.socket.protocol.extensions, "it is agreed to compress"
    text = " " * (8 * MOST_BYTES)
    page.socket.send(json.dumps({"type": "say", "key": "k", "text": text}))
    with pytest.raises(ConnectionClosedError) as closed:
        page.waits_for(1000)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
