"""The book for everybody: languages, water, access."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.browser.axe import serious
from support.browser.companion_player import CompanionPlayer
from support.browser.companion_positions import MEAL, OWES, START

if TYPE_CHECKING:
    from web.conftest import Seated


def test_water_is_suggested_only_to_those_who_want_it(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.page.clock.install()
    bookkeeper.opens(MEAL)
    banner = bookkeeper.page.locator("#banner")
    bookkeeper.page.clock.fast_forward("50:00")
    bookkeeper.is_ready()
    expect(banner).to_be_hidden()
    bookkeeper.turns_to("screen")
    bookkeeper.page.get_by_label("Suggest water").check()
    bookkeeper.page.clock.fast_forward("45:00")
    expect(banner).to_contain_text("A glass of water")
    bookkeeper.page.get_by_label("Suggest water").uncheck()
    bookkeeper.page.clock.fast_forward("00:30")
    expect(banner).to_be_hidden()
    bookkeeper.page.clock.fast_forward("50:00")
    bookkeeper.is_ready()
    expect(banner).to_be_hidden()


@pytest.mark.parametrize(
    ("language", "pops", "book"),
    [
        ("fr", "À Rouge de lancer", "Pénalités"),
        ("fi", "Punainen naksauttaa", "Sakot"),
        ("sv", "Röd knäpper", "Straff"),
    ],
)
def test_the_book_speaks_other_languages(
    seat_player: Seated, language: str, pops: str, book: str
) -> None:
    bookkeeper = CompanionPlayer(seat_player(finger=True, locale=language))
    bookkeeper.opens(MEAL)
    bookkeeper.is_asked(pops)
    bookkeeper.turns_to("book")
    expect(bookkeeper.page.locator(".page h2").first).to_have_text(book)
    for tab in ("turn", "book", "referee", "screen"):
        bookkeeper.turns_to(tab)
        assert not bookkeeper.player.scrolls_sideways(), tab


@pytest.mark.parametrize("theme", [pytest.param("light", marks=pytest.mark.long), "dark"])
def test_axe_finds_nothing_serious_in_the_book(seat_player: Seated, theme: str) -> None:
    bookkeeper = CompanionPlayer(seat_player(finger=True, color_scheme=theme))
    page = bookkeeper.page
    page.goto(f"{bookkeeper.address}/book")
    is_fine(bookkeeper, "set-up")
    bookkeeper.opens(
        OWES, teams={"B": {"name": "The foxes of the third floor", "players": ["Aino"]}}
    )
    for tab in ("turn", "book", "referee", "screen"):
        bookkeeper.turns_to(tab)
        page.wait_for_load_state("networkidle")
        is_fine(bookkeeper, tab)
    bookkeeper.turns_to("turn")
    bookkeeper.page.locator("[data-key=hembo]").tap()
    is_fine(bookkeeper, "hembo")
    page.keyboard.press("Escape")
    bookkeeper.page.locator("#pause").tap()
    expect(bookkeeper.page.locator("#cover")).to_be_visible()
    is_fine(bookkeeper, "break")
    bookkeeper.opens(START, depth="ledger")
    bookkeeper.pick(0, "R2").tap()
    is_fine(bookkeeper, "ledger")


def is_fine(bookkeeper: CompanionPlayer, name: str) -> None:
    page = bookkeeper.page
    assert not serious(page), name
    assert not bookkeeper.player.scrolls_sideways(), name
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, summary, .btn')].filter((each) => {
          const { width, height } = each.getBoundingClientRect();
          return each.checkVisibility() && (width < 43.5 || height < 43.5);
        }).map((each) => each.outerHTML.slice(0, 120))"""
    )
    assert not small, name
