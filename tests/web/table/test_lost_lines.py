"""Lines that break in the middle of a duel, a vote and a pop: nothing is lost or done twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from kibitz.games import GAMES
from support.browser.player import Player
from support.browser.touch import DECIDES_ITSELF
from support.server_process import Server
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

DUEL = "13/13/13/6Fo5/13/13/13/13 R play - g4 134/156 0-0 22 -"
VOTE = "t0,t12,g1,g3/t13,g1,g2,g3/t20,t8,g2,g4/t1,g2,g3,g4 R:M6 d6 0+1/2+0/0+0/1+0 1:RBYG ---- -"
"""All have raised once; Red may propose another round."""
POP = "h4/h4/h4/h4 B:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -"
LONG = pytest.mark.long
GOING_AWAY = 1001
NO_TABLE = 4404
LOST = "Connection lost"
BACK = 20_000
"""How long it may take until a page has found its way back."""
KEPT = "will be sent again"


ELEMENTS = """() => [...document.querySelectorAll("#stage *, #log *")].map((each) => {
  const texts = [...each.childNodes].map(({ nodeValue }) => nodeValue);
  return [each.tagName, [...each.attributes].map(({ name, value }) => [name, value]).sort(), texts];
})"""
"""A script for all that is shown of a match, however its markup is written."""


class Line:
    """Between a page and its server, to be cut."""

    def __init__(self, page: Page) -> None:
        self.is_down = self.is_deaf = False
        self.copies = 1
        """So many of the next patch arrive."""
        self.routes: list[WebSocketRoute] = []
        page.route_web_socket("**/live*", self._answer)

    def _answer(self, route: WebSocketRoute) -> None:
        if self.is_down:
            route.close(code=GOING_AWAY)
            return
        self.routes.append(route)
        server = route.connect_to_server()
        server.on_message(lambda text: self._pass_on(route, text))

    def _pass_on(self, route: WebSocketRoute, text: str | bytes) -> None:
        if self.is_deaf:
            return
        copies = 1
        if '"type":"patch"' in str(text):
            copies, self.copies = self.copies, 1
        for _ in range(copies):
            route.send(text)

    def breaks(self) -> None:
        """What is sent now goes nowhere."""
        self.is_down = True
        self.routes[-1].close(code=GOING_AWAY)

    def goes_deaf(self) -> None:
        """What is sent now is done, but nobody is told."""
        self.is_deaf = True

    def mends(self) -> None:
        if self.is_deaf:
            self.routes[-1].close(code=GOING_AWAY)
        self.is_down = self.is_deaf = False

    def ends(self) -> None:
        """The server says that there is no such table."""
        self.routes[-1].close(code=NO_TABLE)


@dataclass(frozen=True)
class Scene:
    """Red and Blue, who is about to act when the line breaks."""

    game: str
    start: str
    begins: Callable[[Player, Player], None]
    acts: Callable[[Player], None]
    ends: Callable[[Player, Player], None]


def begin_duel(red: Player, blue: Player) -> None:
    red.touches("sq-g4", "sq-h4")
    red.presses(red.primary)
    red.touches("card-4", "card-4")
    expect(blue.page.locator("#stage svg.board")).to_contain_text("Red chose, and cannot see yours")


def choose_card(blue: Player) -> None:
    blue.touches("card-1", "card-1")


def end_duel(red: Player, blue: Player) -> None:
    for player in (red, blue):
        faces = player.page.locator("#reveal-card .face")
        expect(faces).to_have_text(["4", "1"], timeout=BACK)
    assert done_at(red) == ["g4>h4", "card=4", "card=1"]
    expect(red.prompt).to_contain_text(sentence("page.your-turn"))


def begin_vote(red: Player, blue: Player) -> None:
    red.presses(red.button("btn-propose"))
    expect(blue.button("btn-yes")).to_be_visible()


def say_yes(blue: Player) -> None:
    blue.presses(blue.button("btn-yes"))


def end_vote(red: Player, blue: Player) -> None:
    for number in (2, 3):
        expect(red.moves).to_have_count(number, timeout=BACK)
        red.presses(red.button("btn-yes"))
    for player in (red, blue):
        expect(player.moves).to_have_count(4)
    assert done_at(red) == ["R propose", "B yes", "Y yes", "G yes"]


def begin_pop(red: Player, blue: Player) -> None:
    """Forced moves wait: the pop is all that is sent."""
    for player in (red, blue):
        player.page.evaluate(DECIDES_ITSELF)
    expect(blue.page.locator("#stage .hit.lit")).to_have_count(1)


def press_dome(blue: Player) -> None:
    blue.touches("dome")


def end_pop(red: Player, blue: Player) -> None:
    for player in (red, blue):
        expect(player.moves).to_have_count(1, timeout=BACK)
        expect(player.moves).to_contain_text("popped")
    (popped,) = done_at(red)
    assert popped.startswith("B pop")


SCENES = {
    "duel": Scene("kahmate", DUEL, begin_duel, choose_card, end_duel),
    "vote": Scene("as-kimble", VOTE, begin_vote, say_yes, end_vote),
    "pop": Scene("as-kimble", POP, begin_pop, press_dome, end_pop),
}


def open_scene(scene: Scene, red: Player, blue: Player) -> None:
    """Blue has a seat of its own, and Red all others."""
    seats = dict.fromkeys(GAMES[scene.game].game({}).seats, "me")
    red.opens_by_api(game=scene.game, seats=seats | {"B": "free"}, start=scene.start)
    blue.comes_by(red.link("B"))
    scene.begins(red, blue)


def done_at(player: Player) -> list[str]:
    """What the server has written down."""
    record = player.page.request.get(f"{player.page.url}/record").json()
    actions: list[str] = record["actions"]
    return actions


@pytest.mark.parametrize("scene", ["duel", *(pytest.param(s, marks=LONG) for s in ("vote", "pop"))])
def test_what_is_lost_on_its_way_is_sent_again(seat_player: Seated, scene: str) -> None:
    red, blue = seat_player(), seat_player(finger=True)
    line = Line(blue.page)
    open_scene(SCENES[scene], red, blue)
    done = done_at(red)
    line.breaks()
    SCENES[scene].acts(blue)
    expect(blue.page.locator("#banner")).to_contain_text(KEPT)
    assert done_at(red) == done
    line.mends()
    SCENES[scene].ends(red, blue)
    expect(blue.page.locator("#banner")).to_be_hidden()


@pytest.mark.parametrize("scene", ["duel", pytest.param("vote", marks=LONG), "pop"])
def test_what_was_done_unheard_is_not_done_twice(seat_player: Seated, scene: str) -> None:
    red, blue = seat_player(), seat_player(finger=True)
    line = Line(blue.page)
    open_scene(SCENES[scene], red, blue)
    done, shown = done_at(red), blue.moves.count()
    line.goes_deaf()
    SCENES[scene].acts(blue)
    red.page.wait_for_function(
        "n => document.querySelectorAll('#log li:not(.none, .note)').length > n", arg=len(done)
    )
    assert blue.moves.count() == shown
    line.mends()
    SCENES[scene].ends(red, blue)


@LONG
def test_a_server_that_dies_in_the_middle_of_everything(
    seat_player: Seated, tmp_path: Path
) -> None:
    """All three at once; what is done while it is away is done when it is back."""
    first = Server(tmp_path)
    port = str(urlsplit(first.address).port)
    pairs = {name: somebody_at(seat_player, first) for name in SCENES}
    for name, (red, blue) in pairs.items():
        open_scene(SCENES[name], red, blue)
    first.kill()
    for name, (_, blue) in pairs.items():
        expect(blue.page.locator("#banner")).to_contain_text(LOST, timeout=BACK)
        SCENES[name].acts(blue)
        expect(blue.page.locator("#banner")).to_contain_text(KEPT)
    with Server(tmp_path, KIBITZ_PORT=port):
        for name, (red, blue) in pairs.items():
            for player in (red, blue):
                expect(player.page.locator("#banner")).to_be_hidden(timeout=BACK)
            SCENES[name].ends(red, blue)
        for players in pairs.values():
            for player in players:
                player.page.close()


def somebody_at(seat_player: Seated, server: Server) -> tuple[Player, Player]:
    red = seat_player(at=server.address, rough=True)
    return red, seat_player(at=server.address, rough=True, finger=True)


@pytest.mark.parametrize("copies", [0, 2])
def test_a_page_that_misses_something_or_has_it_twice_asks_for_everything(
    seat_player: Seated, copies: int
) -> None:
    """A line loses nothing and doubles nothing; a fault of ours may."""
    red, spectator = seat_player(), seat_player()
    line = Line(spectator.page)
    red.opens_by_api(game="kalamala", seats={"A": "me", "B": "me"})
    spectator.comes_by(red.link("watch"))
    actions = f"{red.address}/api/v1/tables/{red.page.url.rsplit('/', 1)[1]}/actions"
    for number, action in enumerate(("@a1", "@h8", "@b1", "@h7", "@c1", "@h6")):
        line.copies = copies if number in (0, 3) else 1
        sent = {"key": action, "actions": [action]}
        assert red.page.request.post(actions, data=sent).ok
    shown = []
    for _ in range(2):
        expect(spectator.moves).to_have_count(6)
        expect(spectator.piece("sq-h6")).to_be_attached()
        shown.append(spectator.page.evaluate(ELEMENTS))
        spectator.page.reload()
        spectator.sees_the_board()
    assert shown[0] == shown[1], "as it is on a page that has just come"


def test_at_a_table_that_is_gone_nothing_can_be_done(player: Player) -> None:
    line = Line(player.page)
    player.sits_down()
    player.touches("rs-A")
    assert "sq-a1" in player.lit()
    line.ends()
    expect(player.prompt).to_contain_text(sentence("page.table-gone"))
    assert player.lit() == set()
    player.touches("rs-A")
    player.page.keyboard.press("Escape")
    expect(player.prompt).to_contain_text(sentence("page.table-gone"))
    expect(player.prompt.get_by_role("button")).to_have_text(["Home"])
