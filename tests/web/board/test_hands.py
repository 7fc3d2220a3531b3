"""The same game by finger on a phone, and by keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from kibitz.games import GAMES
from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


def test_a_finger_is_asked_to_confirm(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    player.page.goto(f"{player.address}/")
    assert not player.scrolls_sideways()
    player.opens("level-2")
    assert not player.scrolls_sideways()
    assert player.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    board = player.page.locator("#stage svg.board").bounding_box()
    assert board
    assert board["width"] > 350

    player.touches("sq-d3", "sq-e3", "sq-f3")
    expect(player.prompt).to_contain_text("Push e3 one square to f3")
    expect(player.moves).to_have_count(0)
    player.page.get_by_role("button", name=sentence("page.back")).tap()
    expect(player.prompt).to_contain_text("1 against 1")
    player.touches("sq-f3", "sq-f3")
    expect(player.moves).to_have_count(2)
    player.page.locator("#turn").tap()
    expect(player.page.get_by_role("dialog", name=sentence("page.moves"))).to_contain_text(
        "You pushed Level 2's block to f3"
    )


def test_a_finger_drags_what_it_may_and_is_asked_too(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    player.sits_down("device")
    touch = player.page.context.new_cdp_session(player.page)

    def feel(kind: str, *points: tuple[float, float]) -> None:
        touching = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touching})

    (x, y), goal = player.middle("sq-e3"), player.middle("sq-f3")
    feel("touchStart", (x, y))
    for part in (0.3, 0.6, 1.0):
        feel("touchMove", (x + (goal[0] - x) * part, y + (goal[1] - y) * part))
    feel("touchEnd")
    expect(player.prompt).to_contain_text("Push e3 one square to f3")
    player.page.get_by_role("button", name="Push to f3").tap()
    expect(player.moves).to_have_count(1)


def test_a_phone_says_why_in_its_dock(seat_player: Seated) -> None:
    player = seat_player(finger=True, color_scheme="dark")
    player.sits_down("device")
    player.touches("sq-d3", "sq-b7")
    expect(player.prompt).to_contain_text("d3 can only move in line with one of your pieces")
    player.prompt.get_by_role("link", name="Rule 3.3").tap()
    rules = player.page.get_by_role("dialog")
    expect(rules.locator(".hl h3")).to_be_in_viewport()
    rules.get_by_role("button", name=sentence("page.close")).tap()
    player.page.get_by_role("button", name=sentence("page.choose-again")).tap()
    expect(player.prompt).to_contain_text("Choose where this piece goes, or")


def test_a_phone_turned_on_its_side_gets_another_drawing(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    player.sits_down("device")
    board = player.page.locator("#stage svg.board")
    upright = board.get_attribute("viewBox")
    player.page.set_viewport_size({"width": 740, "height": 360})
    expect(board).not_to_have_attribute("viewBox", upright or "")
    assert not player.scrolls_sideways()
    prompt, drawn = player.prompt.bounding_box(), board.bounding_box()
    assert prompt
    assert drawn
    assert prompt["x"] >= drawn["x"] + drawn["width"] - 1


def test_letters_twice_as_big_cut_nothing(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    player.sits_down("device")
    player.page.evaluate("document.documentElement.style.fontSize = '200%'")
    player.page.set_viewport_size({"width": 320, "height": 740})
    player.touches("sq-d3")
    assert not player.scrolls_sideways()
    back = player.page.get_by_role("button", name=sentence("page.back"))
    back.scroll_into_view_if_needed()
    expect(back).to_be_in_viewport()


@pytest.mark.parametrize("game", GAMES)
def test_letters_twice_as_big_leave_room_for_the_board(seat_player: Seated, game: str) -> None:
    """Rather than a board too small to touch, there is one to scroll to."""
    player = seat_player(finger=True, locale="fi")
    start = {"start": "13/13/13/5tF6/4O8/13/13/13 R play - g4 134/156 0-0 22 -"}
    seats = dict.fromkeys({"kalamala": "AB", "kahmate": "RB"}.get(game, "RBYG"), "me")
    player.opens_by_api(game=game, seats=seats, **(start if game == "kahmate" else {}))
    player.page.evaluate("document.documentElement.style.fontSize = '200%'")
    player.page.set_viewport_size({"width": 320, "height": 740})
    box = player.page.locator("#stage svg.board .l-ground").bounding_box()
    assert box
    assert box["width"] > 220
    assert not player.scrolls_sideways()
    expect(player.page.locator("#open-menu")).to_be_in_viewport(ratio=1)


def test_a_move_by_keyboard_alone(player: Player) -> None:
    player.sits_down("device")
    keyboard, page = player.page.keyboard, player.page
    focused = "document.activeElement.dataset.el ?? ''"
    for _ in range(10):
        keyboard.press("Tab")
        if page.evaluate(focused):
            break
    first = page.evaluate(focused)
    assert first
    expect(page.locator("#stage .cursor")).to_be_attached()
    keyboard.press("Tab")
    assert not page.evaluate(focused), "the board is one stop"
    keyboard.press("Shift+Tab")
    assert page.evaluate(focused) == first

    while page.evaluate(focused) != "sq-d3":
        keyboard.press("n")
    keyboard.press("Enter")
    expect(player.prompt).to_contain_text("Choose where this piece goes, or")
    keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "sq-e3"
    keyboard.press("Enter")
    keyboard.press("ArrowRight")
    keyboard.press("ArrowDown")
    assert page.evaluate(focused) == "sq-f2"
    keyboard.press("k")
    expect(page.locator(".bubble")).to_contain_text("e3 can only move on its line")
    keyboard.press("Escape")
    keyboard.press("Backspace")
    expect(player.prompt).to_contain_text("Choose where this piece goes, or")
    keyboard.press("Escape")
    expect(player.prompt).to_contain_text("Rings to play")

    keyboard.press("w")
    rows = page.get_by_role("dialog").get_by_role("button").filter(has_text="d3, ring")
    number = rows.locator(".kbd").inner_text()
    keyboard.press(number)
    expect(page.get_by_role("dialog")).to_contain_text("e3, block")
    keyboard.press("Escape")
    page.locator('#stage [data-el="sq-e3"]').focus()
    keyboard.press("Enter")
    keyboard.press("ArrowRight")
    keyboard.press("Enter")
    expect(player.moves).to_have_text(["1Rings pushed e3 to f3e3:E1"])
    expect(page.locator("#polite")).to_contain_text("Rings pushed e3 to f3")
