"""The pictures of the rules pages on small and large screens, in both themes and on paper."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from kibitz.games import GAMES
from support.browser.player import Player
from web.conftest import Seated

MIN_LETTER_PX = 8
"""The size on a narrow phone of the smallest letter that a text speaks of: a square's name."""
WRITTEN = """() => [...document.querySelectorAll(".rules figure > svg > g text")].map((text) =>
  parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)"""
FILLS = """() => [...document.querySelectorAll(".rules figure > svg > svg rect")].map((each) =>
  getComputedStyle(each).fill).join()"""


def open_rules(player: Player, game: str) -> Page:
    player.page.goto(f"{player.address}/rules/{game}")
    expect(player.page.locator(".rules figure").first).to_be_visible()
    return player.page


@pytest.mark.parametrize("game", GAMES)
def test_pictures_can_be_read_on_a_narrow_phone(seat_player: Seated, game: str) -> None:
    player = seat_player(finger=True)
    player.page.set_viewport_size({"width": 360, "height": 740})
    page = open_rules(player, game)
    assert not player.scrolls_sideways()
    for picture in page.locator(".rules figure > svg").all():
        box = picture.bounding_box()
        assert box
        assert box["x"] >= 0
        assert 150 <= box["width"] <= 360
        assert box["x"] + box["width"] <= 360
    assert min(page.evaluate(WRITTEN), default=MIN_LETTER_PX) >= MIN_LETTER_PX


@pytest.mark.parametrize("game", GAMES)
def test_pictures_have_the_colours_of_the_theme(player: Player, game: str) -> None:
    page = open_rules(player, game)
    page.emulate_media(color_scheme="light")
    light = page.evaluate(FILLS)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(FILLS) != light
    page.emulate_media(color_scheme="dark", media="print")
    assert page.evaluate(FILLS) == light


def test_a_picture_is_printed_on_the_sheet_of_its_paragraph(player: Player) -> None:
    page = open_rules(player, "kalamala")
    page.emulate_media(media="print")
    breaks = """(figure) => {
      const before = getComputedStyle(figure.previousElementSibling);
      const own = getComputedStyle(figure);
      return [own.breakInside, own.breakBefore, before.breakAfter];
    }"""
    for figure in page.locator(".rules figure").all():
        inside, before, after = figure.evaluate(breaks)
        assert (inside, before) == ("avoid", "avoid")
        assert after == "avoid"


def test_pictures_are_beside_the_board_too(player: Player) -> None:
    """And are none of its pieces."""
    player.opens("device")
    page = player.page
    pieces = page.locator("[id^=pc-]").count()
    page.locator("#open-rules").click()
    expect(page.locator("#reading figure > svg").first).to_be_visible()
    assert page.locator("#reading figure").count() >= 10
    assert page.locator("[id^=pc-]").count() == pieces
