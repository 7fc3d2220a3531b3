"""The back button of a phone: it closes what is open, and does not lose the book."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from support.browser.companion_player import CompanionPlayer
from support.words import sentence


def test_back_closes_a_sheet_then_the_tab_and_the_way_back_in_is_shown(
    bookkeeper: CompanionPlayer,
) -> None:
    page = bookkeeper.page
    page.goto(f"{bookkeeper.address}/book")
    goes_on = page.locator("#goes-on")
    expect(goes_on).to_be_hidden()
    page.locator(".start .btn").tap()
    bookkeeper.is_ready()
    table = bookkeeper.table
    bookkeeper.turns_to("book")
    bookkeeper.turns_to("referee")
    bookkeeper.button_named(sentence("page.book-teams")).tap()
    expect(bookkeeper.sheet).to_be_visible()
    page.go_back()
    expect(bookkeeper.sheet).to_be_hidden()
    expect(page.locator("#tab-referee")).to_have_attribute("aria-selected", "true")
    bookkeeper.button_named(sentence("page.book-teams")).tap()
    page.locator("#sheet-close").tap()
    page.go_back()
    expect(page.locator("#tab-turn")).to_have_attribute("aria-selected", "true")
    assert bookkeeper.table == table
    page.go_back()
    expect(goes_on).to_be_visible()
    goes_on.get_by_role("link").tap()
    expect(page).to_have_url(re.compile(f"/book/{table}"))
    bookkeeper.is_ready()
