"""One device for both, in a game with secrets: tests/duel by mouse, by finger and by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


@pytest.fixture(params=["desk", "phone"])
def player(request: pytest.FixtureRequest, seat_player: Seated, shelf: str) -> Player:
    player = seat_player(at=shelf, finger=request.param == "phone")
    player.sits_down(game="duel")
    return player


def page_text(player: Player) -> str:
    """All of the page, seen or not."""
    return str(player.page.evaluate("document.documentElement.outerHTML"))


def test_the_device_is_handed_over(player: Player) -> None:
    curtain = player.page.get_by_role("dialog", name="Pass the device to Amber")
    expect(curtain).to_contain_text("Only Amber should look now.")
    box = player.curtain.bounding_box()
    assert box
    assert (box["width"], box["height"]) == tuple((player.page.viewport_size or {}).values())
    assert "card-1" not in page_text(player)
    expect(curtain.get_by_role("button", name="I am Amber")).to_be_focused()
    assert not player.scrolls_sideways()

    player.takes_the_device()
    assert {"card-1", "card-2", "card-3"} <= player.lit()
    player.touches("card-3", "card-3")
    expect(player.page.get_by_role("dialog", name="Pass the device to Basalt")).to_be_visible()
    expect(player.curtain).to_contain_text("Amber is ready.")
    assert "card-3" not in page_text(player)
    assert "You put down" not in page_text(player)
    assert "c3" not in player.page.locator("#log").inner_text()
    for key in ("w", "m", "?"):
        player.page.keyboard.press(key)
    expect(player.page.locator("#sheet")).to_be_hidden()


def test_enter_lifts_it_and_a_reload_drops_it_again(player: Player) -> None:
    expect(player.curtain).to_be_visible()
    player.page.keyboard.press("Enter")
    expect(player.curtain).to_be_hidden()
    player.page.reload()
    expect(player.curtain).to_be_visible()


def test_a_card_is_not_put_down_without_a_word(player: Player) -> None:
    player.takes_the_device()
    player.touches("card-2")
    expect(player.prompt).to_contain_text("Card 2 stays face down until both are chosen.")
    expect(player.primary).to_have_text("Put down 2")
    expect(player.moves).to_have_count(0)
    player.touches("card-1")
    expect(player.primary).to_have_text("Put down 1")
    player.presses(player.page.get_by_role("button", name=sentence("page.back")))
    expect(player.prompt).to_contain_text("Choose a card.")
    player.touches("card-1")
    player.page.keyboard.press("Escape")
    expect(player.prompt).to_contain_text("Choose a card.")
    expect(player.curtain).to_be_hidden()
    player.touches("card-1")
    player.presses(player.primary)
    expect(player.curtain).to_contain_text("Pass the device to Basalt")


def test_what_was_hidden_is_told_when_it_is_shown(player: Player) -> None:
    for card in ("card-3", "card-1"):
        expect(player.curtain).to_be_visible()
        player.takes_the_device()
        player.touches(card, card)
    moment = player.page.locator("#reveal-card")
    expect(moment).to_contain_text("Cards: 3 against 1.")
    shown, dock = moment.bounding_box(), player.prompt.bounding_box()
    assert shown
    assert dock
    assert shown["y"] + shown["height"] <= dock["y"]
    player.presses(moment)
    expect(moment).to_be_hidden()


def test_a_reveal_before_the_next_secret_is_told_on_the_curtain(player: Player) -> None:
    for card in ("card-2", "card-2"):
        expect(player.curtain).to_be_visible()
        player.takes_the_device()
        player.touches(card, card)
    expect(player.curtain).to_contain_text("Cards: 2 against 2.")
    expect(player.curtain).to_contain_text("Pass the device to Amber")


def test_buttons_are_in_the_prompt(player: Player) -> None:
    player.takes_the_device()
    wind = player.button("btn-wind")
    expect(wind).to_have_text("Wind")
    player.presses(wind)
    expect(player.piece("sq-A1")).to_be_attached()
    expect(wind).not_to_be_attached()


def test_buttons_by_keys_alone(seat_player: Seated, shelf: str) -> None:
    player = seat_player(at=shelf)
    player.sits_down(game="duel")
    keyboard = player.page.keyboard
    keyboard.press("Enter")
    expect(player.curtain).to_be_hidden()
    keyboard.press("w")
    rows = player.page.get_by_role("dialog", name=sentence("page.what")).get_by_role("listitem")
    expect(rows).to_contain_text(["Put down 1", "Put down 2", "Put down 3", "Second wind"])
    keyboard.press("2")
    expect(player.primary).to_have_text("Put down 2")
    expect(player.primary).to_be_focused()
    keyboard.press("Escape")
    for _ in range(8):
        keyboard.press("Tab")
        if player.page.evaluate("document.activeElement.dataset.button") == "btn-wind":
            break
    expect(player.page.locator("#prompt .btn.fresh")).to_have_count(0)
    keyboard.press("Enter")
    expect(player.piece("sq-A1")).to_be_attached()


def test_what_is_always_shown_has_its_chips(player: Player) -> None:
    expect(player.page.locator("#turn")).to_have_text("0 to 0")
    more = player.page.get_by_text("2 winds left").locator("visible=true")
    expect(more).to_have_count(1)
