"""The book without a board: only what costs something."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from support.browser.companion_player import Keeper
from support.browser.companion_positions import MEAL, START
from support.words import sentence


def test_an_eating_takes_three_touches_without_the_board(keeper: Keeper) -> None:
    keeper.opens(START, depth="ledger")
    keeper.taps_on(keeper.pick(0, "R2"))
    keeper.taps_on(keeper.pick(1, "B3"))
    expect(keeper.page.locator(".told")).to_have_text(re.compile(r"^Red .2 ate Blue .3: Blue \+6$"))
    keeper.taps_on(keeper.page.locator("[data-key=write]"))
    expect(keeper.page.locator(".strip li").nth(1)).to_contain_text("6")
    assert keeper.taps == 3
    assert keeper.position[3] == "0+0/6+0/0+0/0+0"


def test_a_mine_a_raise_and_the_sentence_without_the_board(keeper: Keeper) -> None:
    keeper.opens(START, depth="ledger")
    keeper.button_named(sentence("page.book-kind-mine")).tap()
    keeper.pick(0, "Y2").tap()
    keeper.pick(1, "G1").tap()
    keeper.page.locator("[data-key=write]").tap()
    expect(keeper.page.locator(".strip li").nth(2)).to_contain_text("2")
    keeper.button_named(sentence("page.book-kind-raise")).tap()
    keeper.pick(0, "R1").tap()
    keeper.pick(1, "G3").tap()
    keeper.page.locator("[data-key=write]").tap()
    expect(keeper.page.locator(".strip li").nth(3)).to_contain_text("3")
    for how, owed in (("Said in time", "0"), ("Missed", "1"), ("Not said right in time", "2")):
        keeper.page.locator("[data-key=hembo]").tap()
        blue = keeper.page.get_by_role("group", name="Blue")
        blue.get_by_role("button", name=how).tap()
        expect(keeper.page.locator(".strip li").nth(1)).to_contain_text(owed)
    keeper.button_named(sentence("page.book-has-won")).tap()
    keeper.sheet.get_by_role("button", name="Red").tap()
    expect(keeper.page.locator(".ended")).to_be_visible()


def test_nobody_has_to_remember_whose_mine_it_was(keeper: Keeper) -> None:
    """12.6."""
    keeper.opens(START, depth="ledger")
    keeper.eats("Mine", "R2", "-3")
    keeper.is_in_the_book("led mine R2 -3")
    expect(keeper.page.locator(".strip li").first).to_contain_text("6")
    keeper.button_named(sentence("page.book-kind-eaten")).tap()
    keeper.pick(0, "R2").tap()
    expect(keeper.pick(1, "B3")).to_be_visible()
    expect(keeper.pick(1, "-3")).to_have_count(0)


def test_going_back_to_the_board_asks_where_things_are(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.turns_to("referee")
    keeper.button_named(sentence("page.book-depth-ledger")).tap()
    keeper.sheet.get_by_role("button", name=sentence("page.book-depth-ledger")).tap()
    keeper.turns_to("turn")
    expect(keeper.page.locator(".who")).to_have_count(1)
    keeper.turns_to("referee")
    keeper.button_named(sentence("page.book-depth-full")).tap()
    keeper.puts("t-9", "Empty")
    keeper.page.locator("#board-dock .pri").tap()
    expect(keeper.page.locator("#board-page")).to_be_hidden()
    keeper.turns_to("turn")
    expect(keeper.page.locator(".face")).to_have_count(6)
    assert keeper.position[0] == "h1,t4x2,t20/h4/h4/h4"
    assert keeper.position[3] == "2+5/1+3/4+2/0+6"
