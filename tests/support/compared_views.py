"""Matches seen twice: by pages that are sent whole views, and by pages that are sent patches."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random
from typing import Any, TypeAlias

from msgspec.structs import replace
from websockets.frames import Frame, Opcode

from kibitz.core.drawing import PIECE_LAYERS
from kibitz.core.game import CHANCE, REFEREE
from kibitz.core.message import Refused
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES
from kibitz.server.db.store import StoredTable
from kibitz.server.http.socket_compression import WINDOW_BITS, LargeMessageDeflate
from kibitz.server.tables.connection import Subscription
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.telling.patches import ShownView
from kibitz.server.tables.view import build_view
from kibitz.server.tables.viewers import ViewerSettings, settings_at
from kibitz.table.handover import curtain_seat
from support.view_patches import ViewPatches

OpenPage: TypeAlias = Callable[[], ViewPatches]
"""Opens a page that makes whole views of patches."""
STRANGER, SHARED = "stranger", "shared"
"""Somebody who looks on, and somebody who has all seats of a table with one device."""


class ComparedPage:
    """Somebody with two pages of the same table, of which one is sent patches."""

    def __init__(
        self, live: LiveTable, member: str, settings: ViewerSettings, open_page: OpenPage
    ) -> None:
        self._live, self._member, self._open_page = live, member, open_page
        self._connect(settings_at(live, member, settings), None)
        self.digest = hashlib.sha256()
        """Of all that the page with patches has had, in its order; time apart."""

    def _connect(self, settings: ViewerSettings, seen: int | None) -> None:
        live, member = self._live, self._member
        known = seen if live.effects_since(seen) else None
        self._whole = Subscription(live, member, settings, known)
        self._patched = Subscription(live, member, settings, known)
        self._patched.is_patched = True
        self._patches = self._open_page()

    def reconnect(self) -> None:
        """Come back over another connection. Whoever has one seat says what is still shown."""
        settings = self._whole.viewer_settings
        self._connect(settings, self._whole.seen_seq if len(settings.seats) < 2 else None)

    def compare(self) -> int:
        """The number of messages that came; raises AssertionError where they differ."""
        both = self._whole.pending_messages(), self._patched.pending_messages()
        assert len(both[0]) == len(both[1])
        for one, other in zip(*both, strict=True):
            taken = self._patches.take(json.loads(other))
            self._compare_messages(json.loads(one), taken)
            if taken["type"] != "clock":
                had = json.dumps([taken, self._patches.markup], sort_keys=True)
                self.digest.update(had.encode())
        return len(both[0])

    def _compare_messages(self, one: dict[str, Any], other: dict[str, Any]) -> None:
        if one["type"] != "view":
            assert one == other or one["type"] == other["type"] == "clock", "time has passed"
            return
        layers, patched = one.pop("layers"), {**other}.pop("layers")
        for name in one:
            assert one[name] == other[name], name
        assert set(one) == set(other) - {"layers"}
        pieces = layers.keys() & PIECE_LAYERS
        assert pieces <= patched.keys(), "a page has moved these by what it was told"
        shown = self._patched.shown_view
        assert isinstance(shown, ShownView)
        built = build_view(self._live, self._patched.viewer_settings, shown.seq, shown.built.viewer)
        drawn = {name: "".join(made) for name, made in built.layers.items()}
        assert {**drawn, **patched} == drawn
        kept = self._patches.markup
        assert {**drawn, **kept} == drawn, "all it has is as it would be drawn now"
        assert layers.items() <= kept.items() if kept else layers == patched

    def notify_change(self) -> None:
        for page in (self._whole, self._patched):
            page.notify_change()

    def notify_people(self) -> None:
        for page in (self._whole, self._patched):
            page.notify_people()

    def look_again(self, rng: Random) -> None:
        """Turn the device, or hand it over where that is asked for."""
        live, settings = self._live, self._whole.viewer_settings
        hidden = curtain_seat(live.table, settings.seats, settings.unveiled_seat)
        turns = rng.random() < 0.1
        for page in (self._whole, self._patched):
            if hidden:
                page.viewer_settings = replace(page.viewer_settings, unveiled_seat=hidden)
            elif turns:
                tall = page.viewer_settings.is_tall
                page.viewer_settings = replace(page.viewer_settings, is_tall=not tall)
            page.seen_seq = None
            page.notify_change()


def compare_match(
    game: str, rng: Random, most: int, open_page: OpenPage = ViewPatches
) -> tuple[int, str]:
    """Play a random match before many pages in all languages; the number of messages compared, and
    a digest of all that the pages came to show."""
    is_shared = rng.random() < 0.3
    live = _open_table(game, is_shared)
    languages = cycle(rng.sample(sorted(LANGUAGES), len(LANGUAGES)))
    members = [*({SHARED} if is_shared else live.game.seats), STRANGER, REFEREE]

    def look_on(member: str) -> ComparedPage:
        settings = ViewerSettings((), next(languages), is_tall=rng.random() < 0.5)
        return ComparedPage(live, member, settings, open_page)

    pages = [look_on(member) for member in members]
    count = sum(page.compare() for page in pages)
    for _ in range(most):
        if live.table.is_over or not _do_something(live, rng):
            break
        for page in pages:
            page.notify_change()
            if rng.random() < 0.9:  # Else it is slow, and shown the next one.
                count += page.compare()
            if rng.random() < 0.05 or is_shared:
                page.look_again(rng)
                count += page.compare()
            if rng.random() < 0.03:
                page.reconnect()
                count += page.compare()
        if rng.random() < 0.1:
            live.names = {rng.choice(members): rng.choice(("Aino", "Marc", ""))}
            live.broadcast_people()
            for page in pages:
                page.notify_people()
                count += page.compare() if rng.random() < 0.9 else 0
        if rng.random() < 0.05:
            pages.append(look_on(STRANGER))
            count += pages[-1].compare()
    count += sum(page.compare() for page in pages)
    shown = "".join(page.digest.hexdigest() for page in pages)
    return count, hashlib.sha256(shown.encode()).hexdigest()


def match_bytes(game: str, most: int) -> tuple[int, list[int]]:
    """The actions of a random match in English, and the bytes that were sent to its first player:
    as whole views, as patches, and as patches on the wire."""
    live, rng, count, sizes = _open_table(game, False), Random(3), 0, [0, 0, 0]
    member = live.game.seats[0]
    settings = settings_at(live, member, ViewerSettings((), "en"))
    pages = [Subscription(live, member, settings) for _ in range(2)]
    pages[1].is_patched = True
    deflate = LargeMessageDeflate(True, True, WINDOW_BITS, WINDOW_BITS)
    while count < most and not live.table.is_over:
        for index, page in enumerate(pages):
            page.notify_change()
            sent = [text.encode() for text in page.pending_messages()]
            sizes[index] += sum(map(len, sent))
            if page.is_patched:
                frames = [deflate.encode(Frame(Opcode.TEXT, text)) for text in sent]
                sizes[2] += sum(len(frame.data) for frame in frames)
        rules, state = live.game.rules, live.table.state
        listed = {each: rules.turn_actions(state, each) for each in sorted(rules.to_act(state))}
        actor = next(each for each in listed if listed[each])
        text = live.game.notation.write_action(rng.choice(listed[actor]))
        table, effects, _ = live.dry_run(actor, [text], actor)
        live.advance_to(table, effects)
        count += 1
    return count, sizes


def _open_table(game: str, is_shared: bool) -> LiveTable:
    rulebook = GAMES[game]
    rules = rulebook.game(rulebook.preset)
    stored = StoredTable(
        id="t",
        game=game,
        rules_version=rulebook.version,
        options=dict(rules.options),
        start=START,
        seats={seat: {"members": [SHARED if is_shared else seat]} for seat in rules.seats},
        created_at=1.0,
        owner=SHARED if is_shared else rules.seats[0],
        is_open=True,
    )
    return LiveTable(stored, ())


def _do_something(live: LiveTable, rng: Random) -> bool:
    """Usually what is somebody's turn to do; False where nothing can be done."""
    for actor, text in _choices(live, rng):
        try:
            table, effects, _ = live.dry_run(actor, [text], actor)
        except Refused:
            continue
        live.advance_to(table, effects)
        return True
    return False


def _choices(live: LiveTable, rng: Random) -> Iterator[tuple[str, str]]:
    game, table = live.game, live.table
    if rng.random() < 0.06:
        seat = rng.choice(game.seats)
        yield seat, rng.choice((f"ask back {max(0, len(table.history) - 2)}", "ask adjourn"))
        yield seat, "agree"
    if table.is_adjourned:
        yield game.seats[0], "ask continue"
    if table.pending_request:
        for seat in game.seats:
            yield seat, rng.choice(("agree", "decline"))
    actors = sorted(game.rules.to_act(table.state))
    rng.shuffle(actors)
    for actor in actors:
        listed = (
            game.rules.turn_actions(table.state, actor) if actor == CHANCE else table.actions(actor)
        )
        if listed:
            yield actor, game.notation.write_action(rng.choice(listed))
