"""Whatever a page says over its socket, the server neither fails nor falls silent."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from kibitz.server.tables.protocol import MOST_BYTES
from support.server_process import TIMEOUT_S, Guest, Page, Server

ORDINARY, LONG = 150, 3000
AS_IT_SHOULD = {1002, 1003, 1007, 1008, 1009}
"""How a line may be cut: what came was no message, no text, or too long."""
SEATS = {"kalamala": ["A", "B"], "kahmate": ["R", "B"], "as-kimble": ["R", "B", "Y", "G"]}
KINDS = ("act", "explain", "look", "unveil", "say")
WORDS = (
    *(
        "@a1",
        "@c4",
        "g4:E1",
        "resign A",
        "resign R",
        "sit B",
        "sit B 9f",
        "stand A",
        "bot B greedy",
    ),
    *("ask back 0", "ask back 99999999999", "back 0", "back 1", "ask draw", "agree", "decline"),
    *(
        "ask adjourn",
        "ask continue",
        "ask rematch",
        "abort",
        "remove-bot B",
        "ask fill-in B greedy",
    ),
    *("forfeit R because x", "ref set", 'ref pen R +1 "x"', "pop", "done R 1", "depth ledger"),
    *("team R {}", 'team R {"name": "x"}', "entry all", "", " ", "\x00", "ask", "ask ask ask"),
)

Frame: TypeAlias = str | bytes | int
"""Text, what is sent as binary, or the number of something that is offered."""

texts = some.sampled_from(WORDS) | some.text(max_size=40)
small = some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False) | texts
values = some.recursive(
    small,
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
seqs = some.none() | some.integers(-2, 30) | some.sampled_from([2**31, 2**63, -(2**63), 2**70])
keys = some.text(min_size=1, max_size=64)
seats = some.sampled_from(["A", "B", "R", "Y", "G", "", "x"]) | texts
places = some.sampled_from(["rs-A", "sq-a1", "sq-c4", "btn-end"]) | texts


def saying(kind: str, **given: some.SearchStrategy[Any]) -> some.SearchStrategy[dict[str, Any]]:
    return some.fixed_dictionaries({"type": some.just(kind), **given})


well_made = (
    saying(
        "act", key=keys, actions=some.lists(texts, max_size=4), seq=seqs, seat=some.none() | seats
    )
    | saying("explain", key=keys, path=some.lists(places, max_size=4), seat=some.none() | seats)
    | saying("look", is_tall=some.none() | some.booleans())
    | saying("unveil", seat=seats)
    | saying("say", key=keys, room=texts, text=texts)
)
odd = some.fixed_dictionaries(
    {"type": some.sampled_from(KINDS) | values},
    optional=dict.fromkeys(("key", "actions", "seq", "seat", "path", "is_tall", "text"), values),
)
written = (well_made | odd | values).map(lambda each: json.dumps(each, ensure_ascii=False))


@some.composite
def damaged_frames(draw: some.DrawFn) -> str:
    """A message that lost a part on its way, or got one."""
    text = draw(written)
    at = draw(some.integers(0, len(text)))
    to = draw(some.integers(at, len(text)))
    return (
        text[:at] + draw(some.sampled_from(["", "", "}", '"', "\\", "\ud7ff", "1e999"])) + text[to:]
    )


ODD: list[str | bytes] = [
    "[" * 5_000,
    '{"type":' * 2_500,
    json.dumps({"type": "act", "key": "k", "actions": ["x" * 4000] * 3}),
    json.dumps({"type": "act", "key": "k", "actions": [""] * 65}),
    json.dumps({"type": "act", "key": "k" * 65, "actions": ["@a1"]}),
    json.dumps({"type": "act", "key": "k", "actions": ["back " + "9" * 4000]}),
    json.dumps({"type": "explain", "key": "k", "path": ["sq-a1"] * 64}),
    "9" * 10_000,
    '"' + "\\ud800" * 100 + '"',
    json.dumps({"type": "act", "key": "\ud800", "actions": ["\ud800"]}),
    json.dumps({"type": "unveil", "seat": "\udfff"}),
    json.dumps({"type": "unveil", "seat": ""}),
    "x" * (MOST_BYTES + 1),
    b"",
    b"\xff\xfe",
    b'{"type": "look", "is_tall": true}',
]
offered = some.integers(0, 100)
anything = written | damaged_frames() | offered | some.sampled_from(ODD) | some.binary(max_size=40)
frames = some.lists(anything, min_size=1, max_size=8)


@pytest.fixture(scope="module")
def fuzzed_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """It ends with an error where anything was complained of."""
    with Server(tmp_path_factory.mktemp("pestered")) as server:
        yield server


class Pest:
    """Somebody who says anything, at tables of all games."""

    def __init__(self, server: Server) -> None:
        self.guest = Guest(server)
        self.guest.client.get("/api/v1/me")
        book = {"mode": "companion"}
        self.tables = [
            *(self.guest.begins(game, dict.fromkeys(each, "me")) for game, each in SEATS.items()),
            self.guest.begins("kahmate", {"R": "me", "B": "greedy"}),
            self.guest.begins("as-kimble", options=book, settings={"depth": "ledger"}),
        ]
        self.said: list[Frame] = []
        self.answers: Counter[str] = Counter()

    def pesters(self, table: str, frames: list[Frame], repeats: bool) -> None:
        again = self.said[-3:] if repeats else []
        self.said, sent = frames, [*frames, *again, *reversed(again)]
        with self.guest.socket(f"{table}/live?is_tall=0") as socket:
            try:
                page = Page(socket)
                for frame in sent:
                    socket.send(
                        self._offered_action(page, frame) if isinstance(frame, int) else frame
                    )
                self._is_answered(socket)
            except ConnectionClosed as end:
                code = end.rcvd.code if end.rcvd else None
                self.answers[f"closed {code}"] += 1
                # Whoever goes on talking after that may not hear why the line was cut.
                is_cut = code is None and any(map(_is_too_long, sent))
                assert is_cut or code in AS_IT_SHOULD, (code, frames)
        self._is_well(table)

    def _offered_action(self, page: Page, number: int) -> str:
        """Something that can be done, as it was when the line began, under one of a few keys."""
        offers = page.view["offers"]
        if not offers:
            return json.dumps({"type": "unveil", "seat": (page.view["curtain"] or {}).get("seat")})
        chosen = offers[number % len(offers)]
        asked = {"type": "act", "key": f"offered {number}", "seat": chosen["seat"]}
        return json.dumps({**asked, "actions": chosen["actions"]})

    def _is_well(self, table: str) -> None:
        """A page that comes now is shown the table, and its question is answered."""
        with self.guest.socket(f"{table}/live?is_tall=0") as socket:
            Page(socket)
            self._is_answered(socket)

    def _is_answered(self, socket: ClientConnection) -> None:
        socket.send(json.dumps({"type": "explain", "key": "are you there?", "path": []}))
        while (told := self._hears(socket)).get("key") != "are you there?":
            pass
        assert told["type"] == "refused"

    def _hears(self, socket: ClientConnection) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(socket.recv(timeout=TIMEOUT_S))
        assert told.get("code") != "failed", told
        self.answers[told["type"]] += 1
        return told


def _is_too_long(frame: Frame) -> bool:
    return not isinstance(frame, int) and len(frame) > MOST_BYTES


@pytest.fixture(scope="module")
def pest(fuzzed_server: Server) -> Pest:
    return Pest(fuzzed_server)


@pytest.mark.parametrize("frame", ODD, ids=lambda frame: f"{frame[:20]!r}")
def test_odd_frames_are_answered(pest: Pest, frame: Frame) -> None:
    pest.pesters(pest.tables[0], [frame, frame], repeats=False)


def test_too_long_a_frame_ends_the_line(pest: Pest) -> None:
    pest.pesters(pest.tables[0], ["x" * (MOST_BYTES + 1)], repeats=False)
    assert pest.answers["closed 1009"]


def pestered_with(pest: Pest, examples: int) -> None:
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize="KIBITZ_SEED" not in os.environ,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(table=some.sampled_from(pest.tables), frames=frames, repeats=some.booleans())
    def pester(table: str, frames: list[Frame], repeats: bool) -> None:
        pest.pesters(table, frames, repeats)

    pester()


def test_whatever_is_said_is_answered(pest: Pest) -> None:
    pestered_with(pest, ORDINARY)
    assert {"view", "done", "refused"} <= pest.answers.keys(), pest.answers


@pytest.mark.long
def test_whatever_is_said_for_long_is_answered(pest: Pest) -> None:
    pestered_with(pest, LONG)
