"""People who play at random at many tables of a real server: whatever they are offered in turn."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from time import perf_counter
from typing import Any

import msgspec
from line import LiveSocket, connect
from msgspec import UNSET, UnsetType
from served import Server

JOIN_TIMEOUT_S = 60.0
CONNECTIONS_AT_ONCE = 32
"""So many come in at a time."""
ANYTIME_KINDS = ("hembo",)
"""Kinds of offers that are no turn actions: nobody here speaks out of turn."""
FIRST_HOLE = 0xE100
"""The sign for the first hole of a form (docs/protocol.md)."""
EDGE_PREFIX = "off-"
"""Where nobody here pushes anything, so that matches last."""


class Offer(msgspec.Struct):
    seat: str
    actions: list[str]
    path: list[str]
    kind: str


class Seat(msgspec.Struct):
    seat: str
    is_to_act: bool = False
    """As servers said it before there was `to_act`: `--against` measures those, too."""


class TableView(msgspec.Struct):
    """What somebody who plays at random reads of a view."""

    seq: int
    acting: str | None
    offers: list[Offer]
    outcome: dict[str, Any] | None
    to_act: list[str] = []
    seats: list[Seat] = []
    choices: list[list[str]] = []
    """What may be sent, where it is one's turn."""

    def __post_init__(self) -> None:
        to_act = self.to_act or [each.seat for each in self.seats if each.is_to_act]
        if self.acting in to_act:
            mine = [each for each in self.offers if each.seat == self.acting]
            turn = [each for each in mine if each.kind not in ANYTIME_KINDS]
            careful = [each for each in turn if not each.path[-1].startswith(EDGE_PREFIX)]
            self.choices = [each.actions for each in careful or turn]


class ViewPatch(msgspec.Struct):
    """The parts of a view that have changed, of those that are read here."""

    seq: int
    acting: str | UnsetType | None = UNSET
    to_act: list[str] | UnsetType = UNSET
    offers: list[Offer | int | list[int | str]] | UnsetType = UNSET
    forms: list[str] = []
    outcome: dict[str, Any] | UnsetType | None = UNSET


_VIEW_DECODER = msgspec.json.Decoder(TableView)
_PATCH_DECODER = msgspec.json.Decoder(ViewPatch)
_OFFER_DECODER = msgspec.json.Decoder(Offer)
_VIEW_PREFIX, _PATCH_PREFIX = b'{"type":"view"', b'{"type":"patch"'
_DONE_PREFIX = b'{"type":"done"'
_IGNORED_PREFIXES = b'{"type":"people"', b'{"type":"clock"', b'{"type":"chat"'


class ViewReader:
    """Reads the views of one connection: a whole one, then patches."""

    def __init__(self) -> None:
        self._view: TableView | None = None
        self._known: list[Offer] = []
        """The offers when there last were any."""
        self._forms: list[str] = []

    def read(self, text: bytes) -> TableView | None:
        """The view that a message brings; None where it brings another thing."""
        if text.startswith(_VIEW_PREFIX):
            self._view, self._forms = _VIEW_DECODER.decode(text), []
        elif text.startswith(_PATCH_PREFIX):
            assert self._view
            self._view = self._apply_patch(self._view, _PATCH_DECODER.decode(text))
        else:
            return None
        self._known = self._view.offers or self._known
        return self._view

    def _apply_patch(self, before: TableView, patch: ViewPatch) -> TableView:
        self._forms += patch.forms
        return TableView(
            seq=patch.seq,
            acting=before.acting if patch.acting is UNSET else patch.acting,
            to_act=before.to_act if patch.to_act is UNSET else patch.to_act,
            offers=before.offers if patch.offers is UNSET else self._resolve_offers(patch.offers),
            outcome=before.outcome if patch.outcome is UNSET else patch.outcome,
        )

    def _resolve_offers(self, sent: list[Offer | int | list[int | str]]) -> list[Offer]:
        made: list[Offer] = []
        parts = iter(sent)
        for part in parts:
            if isinstance(part, int):
                count = next(parts)
                assert isinstance(count, int)
                made += self._known[part : part + count]
            elif isinstance(part, Offer):
                made.append(part)
            else:
                made.append(self._fill_form(part))
        return made

    def _fill_form(self, row: list[int | str]) -> Offer:
        """A row: the number of a form, and the texts that its holes are for."""
        number, *values = row
        assert isinstance(number, int)
        form = self._forms[number]
        for index, value in enumerate(values):
            form = form.replace(chr(FIRST_HOLE + index), str(value))
        return _OFFER_DECODER.decode(form)


class Match:
    """One table and the lines of its people. What they send is answered before they send more."""

    def __init__(self, id: str, people: int, rng: Random) -> None:
        self.id, self._rng = id, rng
        self.lines: list[LiveSocket] = []
        self.views: list[TableView | None] = [None] * people
        self._readers = [ViewReader() for _ in range(people)]
        self.bytes_received = 0
        self.actions = 0
        self.when_ready: Callable[[Match], None] = lambda match: None
        """Told when somebody may act."""
        self.done_after_s: list[float] = []
        """Seconds from when each action was due until its sender knew that it was done."""
        self.seen_after_s: list[float] = []
        """Likewise until each other player saw it."""
        self.problems: list[str] = []
        self._last_act: tuple[int, int, float] | None = None
        """Who acted at which seq, and when that was due."""
        self._is_done = True
        self._unseen: set[int] = set()

    @property
    def is_settled(self) -> bool:
        """Whether what was sent is done, and all have seen it."""
        return self._is_done and not self._unseen

    @property
    def is_ready(self) -> bool:
        return self.is_settled and self._person_to_act() is not None

    def act(self, due: float | None = None) -> None:
        person = self._person_to_act()
        assert person is not None
        view = self.views[person]
        assert view
        self._last_act = person, view.seq, perf_counter() if due is None else due
        self._is_done, self._unseen = False, {*range(len(self.lines))}
        actions = self._rng.choice(view.choices)
        self.send_act(person, seq=view.seq, seat=view.acting, actions=actions)

    def send_act(self, person: int, **said: Any) -> None:
        key = f"{self._rng.getrandbits(60):x}"
        self.lines[person].send_text(msgspec.json.encode({"type": "act", "key": key, **said}))

    def receive_text(self, person: int, text: bytes) -> None:
        self.bytes_received += len(text)
        if view := self._readers[person].read(text):
            self._receive_view(person, view)
        elif text.startswith(_DONE_PREFIX):
            self._is_done = True
            if self._last_act:
                self.done_after_s.append(perf_counter() - self._last_act[2])
                self.actions += 1
        elif not text.startswith(_IGNORED_PREFIXES):
            self._is_done, self._unseen = True, set()
            self.problems.append(text.decode()[:300])
        if self.is_ready:
            self.when_ready(self)

    def _receive_view(self, person: int, view: TableView) -> None:
        self.views[person] = view
        if self._last_act and person in self._unseen and view.seq > self._last_act[1]:
            self._unseen.discard(person)
            if person != self._last_act[0]:
                self.seen_after_s.append(perf_counter() - self._last_act[2])

    def _person_to_act(self) -> int | None:
        """Whose turn it is, as far as they know."""
        latest = max(view.seq if view else 0 for view in self.views)
        for person, view in enumerate(self.views):
            if view and view.choices and view.seq == latest:
                return person
        return None

    @property
    def is_over(self) -> bool:
        return any(view and view.outcome for view in self.views)

    def disconnect(self) -> None:
        for line in self.lines:
            line.disconnect()


async def open_matches(
    server: Server,
    game: str,
    seats: Sequence[str],
    options: Mapping[str, Any],
    count: int,
    people: int,
) -> list[Match]:
    """Open so many tables for so many people each, who sit down and wait for the first turn."""
    tokens = [server.new_guest_token() for _ in range(people)]
    held = [seats[person::people] for person in range(people)]
    wish = {
        "game": game,
        "options": dict(options),
        "is_open": True,
        "seats": {seat: "me" if seat in held[0] else "free" for seat in seats},
    }
    found = []
    for number in range(count):
        id = server.ask("POST", "/api/v1/tables", tokens[0], wish)["id"]
        found.append(Match(id, people, Random(number)))
    for first in range(0, count, CONNECTIONS_AT_ONCE):
        some = found[first : first + CONNECTIONS_AT_ONCE]
        await asyncio.gather(*(_join_match(server, match, tokens, held) for match in some))
    return found


async def _join_match(
    server: Server, match: Match, tokens: Sequence[str], held: Sequence[Sequence[str]]
) -> None:
    for person, token in enumerate(tokens):
        hear = partial(match.receive_text, person)
        path = f"/t/{match.id}/live?patches=2&is_patched=1"
        match.lines.append(await connect(server.host, server.port, path, token, hear))
        for seat in held[person] if person else ():
            match.send_act(person, seat=seat, actions=[f"sit {seat} bench"])
    sat, deadline = sum(map(len, held[1:])), perf_counter() + JOIN_TIMEOUT_S
    while any(view is None or view.seq < sat for view in match.views):
        if match.problems or perf_counter() > deadline:
            raise RuntimeError(f"nobody can play at {match.id}: {match.problems}")
        await asyncio.sleep(0.005)


async def play_flat_out(matches: Sequence[Match], seconds: float) -> tuple[int, float]:
    """Everybody acts at once when they may, and nobody begins anything after so many seconds; how
    many actions were done, and in how long: all of those under way are waited for."""
    before, begin = sum(match.actions for match in matches), perf_counter()
    for match in matches:
        match.when_ready = Match.act
        if match.is_ready:
            match.act()
    await asyncio.sleep(seconds)
    await _wait_until_settled(matches)
    return sum(match.actions for match in matches) - before, perf_counter() - begin


async def play_to(matches: Sequence[Match], actions: int) -> int:
    """All play on until each match has had so many actions; how many were done now."""
    before = sum(match.actions for match in matches)

    def go_on(match: Match) -> None:
        if match.actions < actions:
            match.act()

    for match in matches:
        match.when_ready = go_on
        if match.is_ready:
            go_on(match)
    deadline = perf_counter() + 5 * JOIN_TIMEOUT_S
    while any(match.actions < actions and not match.is_over for match in matches):
        if perf_counter() > deadline:
            raise TimeoutError([match.problems for match in matches])
        await asyncio.sleep(0.001)
    await _wait_until_settled(matches)
    return sum(match.actions for match in matches) - before


async def play_at_rate(matches: Sequence[Match], rate: float, seconds: float) -> tuple[int, float]:
    """So many actions a second, one table after the other, whether the server keeps up or not."""
    waiting = deque(match for match in matches if match.is_ready)
    for match in matches:
        match.when_ready = waiting.append
    before, begin = sum(match.actions for match in matches), perf_counter()
    number = 0
    while (now := perf_counter()) < begin + seconds:
        while (due := begin + number / rate) <= now and waiting:
            match = waiting.popleft()
            if match.is_ready:
                match.act(due)
                number += 1
        await asyncio.sleep(max(0.0, due - perf_counter()) if due > now else 0.001)
    done, spent = sum(match.actions for match in matches) - before, perf_counter() - begin
    await _wait_until_settled(matches)
    return done, spent


async def _wait_until_settled(matches: Sequence[Match]) -> None:
    """Nobody begins anything new; what was begun is seen by all."""
    for match in matches:
        match.when_ready = lambda match: None
    deadline = perf_counter() + 10
    while not all(match.is_settled for match in matches) and perf_counter() < deadline:
        await asyncio.sleep(0.02)
