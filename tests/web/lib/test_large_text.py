"""Letters twice as big on the smallest phone: nothing is cut off and nothing lies outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import ViewportSize

from support.browser.companion_player import CompanionPlayer
from support.browser.companion_positions import LOTS, MEAL
from support.browser.cut_words import cut_words
from support.browser.player import Player
from web.board.test_telling import acts
from web.companion.test_night import evening
from web.lib.test_access import pages

if TYPE_CHECKING:
    from web.conftest import Seated

SMALLEST: ViewportSize = {"width": 320, "height": 640}
TWICE_AS_BIG = {"standard": 32, "fixed": 32}
OVERLAPS = """() => {
  const parts = [...document.querySelectorAll(".top, .seats-panel, .board-area, #prompt, #page")]
    .filter((each) => each.checkVisibility()).map((each) => [each, each.getBoundingClientRect()]);
  const isOver = (one, other) => one.top < other.bottom - 1 && one.bottom > other.top + 1;
  return parts.flatMap(([one, box], i) => parts.slice(i + 1)
    .filter(([other, its]) => !one.contains(other) && isOver(box, its))
    .map(([other]) => `${one.className || one.id} and ${other.className || other.id}`));
}"""
"""The parts of a table or a book that stand below each other on a phone, and do not."""
OVERFLOWS = """() => [...document.querySelectorAll(".top > *, .seat > *, .prompt > *")]
  .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height > 0)
  .filter((each) => {
    const { top, bottom } = each.parentElement.getBoundingClientRect();
    const box = each.getBoundingClientRect();
    return !each.matches("#turn") && (box.top < top - 1 || box.bottom > bottom + 1);
  }).map((each) => each.outerHTML.slice(0, 80))"""
"""Names of elements that are higher than the bar they stand in."""


def double_letters(player: Player) -> None:
    """As somebody who has set that for the whole browser."""
    player.page.set_viewport_size(SMALLEST)
    session = player.page.context.new_cdp_session(player.page)
    session.send("Page.setFontSizes", {"fontSizes": TWICE_AS_BIG})


def is_whole(player: Player, name: str) -> None:
    assert not player.scrolls_sideways(), name
    cut = [text for text in cut_words(player.page) if text.startswith(("cut off", "dots"))]
    assert cut == [], name
    assert player.page.evaluate(OVERLAPS) == [], name
    assert player.page.evaluate(OVERFLOWS) == [], name


@pytest.mark.parametrize(
    "language", ["fi", *(pytest.param(each, marks=pytest.mark.long) for each in ("en", "fr", "sv"))]
)
def test_every_page_at_twice_its_size(seat_player: Seated, language: str) -> None:
    player = seat_player(finger=True, locale=language)
    double_letters(player)
    for name in pages(player):
        is_whole(player, name)


def test_what_was_played_at_twice_its_size(seat_player: Seated) -> None:
    """The evening of a book, the story of a match, and the page where a book is set up."""
    player = seat_player(finger=True, locale="fr")
    double_letters(player)
    player.opens_by_api(game="kahmate", seats={"R": "me", "B": "me"})
    acts(player, "resign B")
    story = f"{player.page.url}/result"
    for where in (evening(player), story, f"{player.address}/book"):
        player.page.goto(where)
        is_whole(player, where)


@pytest.mark.parametrize("start", [MEAL, LOTS], ids=["turn", "lots"])
def test_the_book_at_twice_its_size(seat_player: Seated, start: str) -> None:
    """Check that the foot of the page covers nothing that is to be touched."""
    bookkeeper = CompanionPlayer(seat_player(finger=True, locale="fi"))
    double_letters(bookkeeper.player)
    bookkeeper.opens(start)
    for tab in ("turn", "book", "referee", "screen"):
        bookkeeper.turns_to(tab)
        is_whole(bookkeeper.player, tab)
    bookkeeper.turns_to("turn")
    for face in range(1, 7):
        key = bookkeeper.page.locator(f'#page .face[data-face="{face}"]')
        key.scroll_into_view_if_needed()
        key.tap(trial=True)
