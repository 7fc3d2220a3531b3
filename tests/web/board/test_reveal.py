"""Cards that lay face down are turned over together, and only then does anybody see who has won."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Locator, expect

from support.browser.player import Player

if TYPE_CHECKING:
    from web.conftest import Seated

DUEL = "13/13/13/6Fo5/13/13/13/13 R play - g4 134/156 0-0 22 -"
"""Red can force his way through on g4."""
REVEAL = {
    "title": "Force through",
    "sides": [
        {"seat": "R", "place": "sq-g4", "name": "Red's Fast", "card": "4", "sum": "4 - 1"}
        | {"total": 3, "has_won": True},
        {"seat": "B", "place": "sq-h4", "name": "Blue's Ordinary man", "card": "1", "sum": "1 + 0"}
        | {"total": 1, "has_won": False},
    ],
    "verdict": "beats",
    "margin": "by 2",
}
TOLD = [
    {"text": "3 against 1", "is_loud": True, "reveal": REVEAL},
    {"text": "Red broke through", "is_loud": True, "reveal": None},
]
# The page's own script holds the card, too: what is tried here has one of its own.
TURN = """async (events) => {
  const card = document.getElementById("reveal-card");
  card.replaceWith(card.cloneNode(true));
  const { Board } = await import("/static/board/board.js");
  const { turnOver, showLoud } = await import("/static/board/events/reveal.js");
  const board = new Board(document.getElementById("stage"));
  board.svg = document.querySelector("#stage svg.board");
  board.findHits();
  window.shown = () => showLoud(events, board, []);
  window.turned = false;
  turnOver({ events, curtain: null, outcome: null }, board).then(() => { window.turned = true; });
}"""
FLIPS = """flips => flips.flatMap(flip => flip.getAnimations()).map(({ effect }) => {
  const { delay, duration } = effect.getTiming();
  return [delay, duration];
})"""


@pytest.fixture
def player(seat_player: Seated, request: pytest.FixtureRequest) -> Player:
    player = seat_player(moving=getattr(request, "param", True))
    player.opens_by_api(game="kahmate", seats={"R": "me", "B": "me"}, start=DUEL)
    player.page.add_style_tag(url=f"{player.address}/static/board/events/reveal.css")
    return player


def moment(player: Player) -> Locator:
    return player.page.locator("#reveal-card")


def totals(player: Player) -> list[str]:
    return moment(player).locator(".total").all_inner_texts()


def test_both_cards_turn_at_one_time_and_nobody_has_won_before(player: Player) -> None:
    clock = player.page.clock
    stops_the_clock(player)
    player.page.evaluate(TURN, TOLD)
    clock.run_for(560)
    assert totals(player) == ["0", "0"]
    flips = moment(player).locator(".flip").evaluate_all(FLIPS)
    assert [duration for _, duration in flips] == [320, 320]
    assert len({delay for delay, _ in flips}) == 1
    expect(moment(player).locator(".verdict")).to_have_css("opacity", "0")
    expect(moment(player)).not_to_contain_text("Red broke through")
    clock.run_for(400)
    assert not player.page.evaluate("turned")
    clock.run_for(40)
    assert player.page.evaluate("turned")
    assert totals(player) == ["3", "1"]
    player.page.evaluate("shown()")
    expect(moment(player).locator(".came")).to_have_text("Red broke through")
    expect(moment(player).locator(".verdict")).to_have_css("opacity", "1")
    expect(moment(player).locator(".won .face")).to_have_text("4")


def stops_the_clock(player: Player) -> None:
    """It would finish by itself."""
    player.page.clock.install()
    player.page.clock.pause_at(datetime.now() + timedelta(hours=1))


def test_a_tap_finishes_it_and_another_puts_it_away(player: Player) -> None:
    stops_the_clock(player)
    player.page.evaluate(TURN, TOLD)
    moment(player).click()
    assert player.page.evaluate("turned")
    assert totals(player) == ["3", "1"]
    moment(player).click()
    expect(moment(player)).to_be_hidden()
    assert moment(player).inner_html() == ""


def test_escape_puts_it_away(player: Player) -> None:
    stops_the_clock(player)
    player.page.evaluate(TURN, TOLD)
    player.page.keyboard.press("Escape")
    assert player.page.evaluate("turned")
    player.page.keyboard.press("Escape")
    expect(moment(player)).to_be_hidden()


@pytest.mark.parametrize("player", [False], indirect=True)
def test_whoever_wants_no_motion_sees_it_at_once(player: Player) -> None:
    player.page.evaluate(TURN, TOLD)
    player.page.wait_for_function("() => window.turned")
    expect(moment(player)).to_be_hidden()
    player.page.evaluate("shown()")
    assert totals(player) == ["3", "1"]
    assert moment(player).locator(".flip").evaluate_all(FLIPS) == []
    expect(moment(player)).to_contain_text("Red broke through")


def test_a_long_story_is_cut_to_its_end(player: Player) -> None:
    told: list[Any] = [{"text": f"man {n}", "is_loud": True, "reveal": None} for n in range(1, 13)]
    player.page.evaluate(TURN, told)
    player.page.evaluate("shown()")
    assert moment(player).locator("p").all_inner_texts() == ["man 10", "man 11", "man 12"]


def test_a_duel_between_two_browsers(seat_player: Seated) -> None:
    """Nothing is on the other page before; then both see the same cards and who has won."""
    red, blue = seat_player(moving=True), seat_player(moving=True)
    red.opens_by_api(game="kahmate", seats={"R": "me", "B": "free"}, start=DUEL)
    blue.comes_by(red.link("B"), "Marc")
    red.touches("sq-g4", "sq-h4")
    red.presses(red.primary)
    red.touches("card-4", "card-4")
    expect(blue.page.locator("#stage .hit.lit")).to_have_count(3)
    expect(blue.page.locator("#stage svg.board")).to_contain_text("chose, and cannot see yours")
    expect(moment(blue)).to_be_hidden()
    blue.touches("card-1", "card-1")
    for player in (red, blue):
        expect(moment(player).locator(".face")).to_have_text(["4", "1"])
        expect(moment(player).locator(".total")).to_have_text(["3", "1"])
        expect(moment(player).locator(".verdict")).to_have_text("beatsby 2")
        expect(moment(player).locator(".came")).to_contain_text("broke through")
    for player, whose in ((red, "Marc's"), (blue, "Your")):
        expect(moment(player).locator(".beaten .who")).to_contain_text(f"{whose} Ordinary man")
    red.touches("sq-i4")
    expect(moment(red)).to_be_hidden()
