"""Two pages of one seat show the same: one is sent whole views, the other one patches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, Route

from kibitz.games import GAMES
from support.browser.player import TIMEOUT_MS
from support.browser.recorder import Wire
from support.server_process import Guest, Server

if TYPE_CHECKING:
    from web.conftest import Seated

ACTIONS = 25
LOST_AT, UNDONE_AT = (6, 17), (10, 20)
"""After so many actions the lines of both pages break, and the latest action is taken back."""
STARTS: dict[str, Any] = {
    "kalamala": {},
    "kahmate": {"start": "13/11s1/10t2/8Oo3/5S7/8F4/13/13 R play i4:0 k6 123456/123456 0-0 14 -"},
    "as-kimble": {"start": "R"},
}
"""In Kahmaté there are duels at once."""
LANGUAGES = {"kalamala": "fr", "kahmate": "fi", "as-kimble": "sv"}
STILL_MS = 100
PATCH = '"type":"patch"'
SAMPLED = [
    "kahmate",
    *(pytest.param(game, marks=pytest.mark.long) for game in GAMES if game != "kahmate"),
]
"""All games in the long run, one of them in the ordinary one."""
LISTEN = """isWhole => {
  const Real = WebSocket;
  globalThis.lines = [];
  globalThis.heard = [];
  globalThis.WebSocket = class extends Real {
    constructor(address) {
      super(isWhole ? address.replace("&is_patched=1", "") : address);
      lines.push(this);
    }
  };
}"""
"""A script for a page before its own: of its lines, and of the sounds it asks for."""
SOUNDS = {
    "function play(name, delay = 0) {": "heard.push(name);",
    "function playEvents(events) {": "heard.push(...events.map(({ sound }) => sound));",
}
"""What functions of the page's module of sounds do first."""
LOOK = """() => {
  const [body, moving] = [document.body.cloneNode(true), document.getAnimations()];
  body.querySelectorAll("script").forEach((script) => script.remove());
  return {
    drawing: document.querySelector("#stage svg").outerHTML,
    said: ["polite", "urgent"].map((id) => document.getElementById(id).textContent),
    page: body.outerHTML,
    heard,
    isMoving: moving.some(({ effect }) => isFinite(effect.getTiming().iterations)),
  };
}"""
"""A script for what a person sees and hears; links in a page's data differ each time."""


class Twin:
    """One of two pages of the same seat."""

    def __init__(self, page: Page, is_whole: bool) -> None:
        self.page, self.wire = page, Wire(page)
        page.add_init_script(f"({LISTEN})({str(is_whole).lower()})")
        page.route("**/table/main.js", _spy_on_sounds)

    def look(self) -> dict[str, Any]:
        """All that a person sees and hears, and whether it still moves."""
        found: dict[str, Any] = self.page.evaluate(LOOK)
        return {**found, "names": self.page.locator("body").aria_snapshot()}

    def loses_its_line(self) -> None:
        self.page.evaluate("lines.at(-1).close()")


def _spy_on_sounds(route: Route) -> None:
    answer = route.fetch()
    script = answer.text()
    for function, does in SOUNDS.items():
        assert script.count(function) == 1
        script = script.replace(function, f"{function} {does}")
    route.fulfill(response=answer, body=script)


class Players:
    """Two people at one table, who do in turn what they have done least of all that is offered."""

    def __init__(self, server: Server, game: str, rng: Random) -> None:
        self.guests, self._rng = (Guest(server), Guest(server)), rng
        first, *others = GAMES[game].game({}).seats
        seats = dict.fromkeys(others, "free") | {first: "me"}
        self.table = self.guests[0].begins(game, seats, **STARTS[game])
        links = self.guests[0].links(self.table)
        for seat in others:
            self.guests[1].joins(links[seat])
        self._pages = [guest.sits_at(self.table) for guest in self.guests]
        self.done = Counter[str]()

    @property
    def seq(self) -> int:
        """The latest row, once both have been told of it."""
        seq: int = self.guests[0].reads(self.table)["seq"]
        for page in self._pages:
            page.waits_for(seq)
        return seq

    def act(self) -> None:
        assert self.seq
        offers = [(page, offer) for page in self._pages for offer in page.view["offers"]]
        least = min(self.done[offer["kind"]] for _, offer in offers)
        page, offer = self._rng.choice(
            [each for each in offers if self.done[each[1]["kind"]] == least]
        )
        assert page.acts(*offer["actions"], seat=offer["seat"])["type"] == "done"
        self.done[offer["kind"]] += 1

    def take_back(self) -> None:
        """The first one takes back what they did last; where the game does not let them, somebody
        does something else."""
        assert self.seq
        mine, theirs = self._pages
        if not (undo := mine.view["undo"]):
            self.act()
            return
        mine.does(undo["text"])
        if undo["text"].startswith("ask"):
            theirs.does("agree")


def show_the_same(whole: Twin, patched: Twin, seq: int) -> None:
    """Wait until both have come to this row, stand still and are equal."""
    deadline, before = monotonic() + 2 * TIMEOUT_MS / 1000, list[dict[str, Any]]()
    while True:
        shown = [twin.look() for twin in (whole, patched)]
        is_there = all(twin.wire.view["seq"] == seq for twin in (whole, patched))
        is_still = shown == before and not any(each["isMoving"] for each in shown)
        if is_there and is_still and shown[0] == shown[1]:
            return
        if monotonic() > deadline:
            assert is_there
            assert [part for part in shown[0] if shown[0][part] != shown[1][part]] == []
            assert is_still
        before = shown
        whole.page.wait_for_timeout(STILL_MS)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as server:
        yield server


@pytest.mark.parametrize("game", SAMPLED)
def test_a_page_shows_the_same_by_patches_as_by_whole_views(
    server: Server, seat_player: Seated, game: str
) -> None:
    players = Players(server, game, Random(1))

    def open_twin(is_whole: bool) -> Twin:
        player = seat_player(at=server.address, moving=True, locale=LANGUAGES[game])
        cookies = players.guests[0].client.cookies.items()
        player.page.context.add_cookies(
            [{"name": name, "value": value, "url": server.address} for name, value in cookies]
        )
        twin = Twin(player.page, is_whole)
        player.page.goto(server.address + players.table)
        player.sees_the_board()
        return twin

    whole, patched = open_twin(True), open_twin(False)
    show_the_same(whole, patched, players.seq)
    for number in range(ACTIONS):
        if number in LOST_AT:
            whole.loses_its_line()
            patched.loses_its_line()
        if number in UNDONE_AT:
            players.take_back()
        else:
            players.act()
        show_the_same(whole, patched, players.seq)
    assert not any(PATCH in frame for frame in whole.wire.frames)
    assert sum(PATCH in frame for frame in patched.wire.frames) >= ACTIONS - len(LOST_AT)
    assert whole.look()["heard"]
