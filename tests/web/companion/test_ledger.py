"""The book without a board: only what costs something."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from support.browser.companion_player import CompanionPlayer
from support.browser.companion_positions import MEAL, START
from support.words import sentence


def test_an_eating_takes_three_touches_without_the_board(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(START, depth="ledger")
    bookkeeper.taps_on(bookkeeper.pick(0, "R2"))
    bookkeeper.taps_on(bookkeeper.pick(1, "B3"))
    expect(bookkeeper.page.locator(".told")).to_have_text(
        re.compile(r"^Red .2 ate Blue .3: Blue \+6$")
    )
    bookkeeper.taps_on(bookkeeper.page.locator("[data-key=write]"))
    expect(bookkeeper.page.locator(".strip li").nth(1)).to_contain_text("6")
    assert bookkeeper.taps == 3
    assert bookkeeper.position[3] == "0+0/6+0/0+0/0+0"


def test_a_mine_a_raise_and_the_sentence_without_the_board(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(START, depth="ledger")
    bookkeeper.button_named(sentence("page.book-kind-mine")).tap()
    bookkeeper.pick(0, "Y2").tap()
    bookkeeper.pick(1, "G1").tap()
    bookkeeper.page.locator("[data-key=write]").tap()
    expect(bookkeeper.page.locator(".strip li").nth(2)).to_contain_text("2")
    bookkeeper.button_named(sentence("page.book-kind-raise")).tap()
    bookkeeper.pick(0, "R1").tap()
    bookkeeper.pick(1, "G3").tap()
    bookkeeper.page.locator("[data-key=write]").tap()
    expect(bookkeeper.page.locator(".strip li").nth(3)).to_contain_text("3")
    for how, owed in (("Said in time", "0"), ("Missed", "1"), ("Not said right in time", "2")):
        bookkeeper.page.locator("[data-key=hembo]").tap()
        blue = bookkeeper.page.get_by_role("group", name="Blue")
        blue.get_by_role("button", name=how).tap()
        expect(bookkeeper.page.locator(".strip li").nth(1)).to_contain_text(owed)
    bookkeeper.button_named(sentence("page.book-has-won")).tap()
    bookkeeper.sheet.get_by_role("button", name="Red").tap()
    expect(bookkeeper.page.locator(".ended")).to_be_visible()


def test_nobody_has_to_remember_whose_mine_it_was(bookkeeper: CompanionPlayer) -> None:
    """12.6."""
    bookkeeper.opens(START, depth="ledger")
    bookkeeper.eats("Mine", "R2", "-3")
    bookkeeper.is_in_the_book("led mine R2 -3")
    expect(bookkeeper.page.locator(".strip li").first).to_contain_text("6")
    bookkeeper.button_named(sentence("page.book-kind-eaten")).tap()
    bookkeeper.pick(0, "R2").tap()
    expect(bookkeeper.pick(1, "B3")).to_be_visible()
    expect(bookkeeper.pick(1, "-3")).to_have_count(0)


def test_going_back_to_the_board_asks_where_things_are(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(MEAL)
    bookkeeper.turns_to("referee")
    bookkeeper.button_named(sentence("page.book-depth-ledger")).tap()
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-depth-ledger")).tap()
    bookkeeper.turns_to("turn")
    expect(bookkeeper.page.locator(".who")).to_have_count(1)
    bookkeeper.turns_to("referee")
    bookkeeper.button_named(sentence("page.book-depth-full")).tap()
    bookkeeper.puts("t-9", "Empty")
    bookkeeper.page.locator("#board-dock .pri").tap()
    expect(bookkeeper.page.locator("#board-page")).to_be_hidden()
    bookkeeper.turns_to("turn")
    expect(bookkeeper.page.locator(".face")).to_have_count(6)
    assert bookkeeper.position[0] == "h1,t4x2,t20/h4/h4/h4"
    assert bookkeeper.position[3] == "2+5/1+3/4+2/0+6"
