"""The book for everybody: languages, water, access."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.browser.axe import serious
from support.browser.companion_player import Keeper
from support.browser.companion_positions import MEAL, OWES, START

if TYPE_CHECKING:
    from web.conftest import Seated


def test_water_is_suggested_only_to_those_who_want_it(keeper: Keeper) -> None:
    keeper.page.clock.install()
    keeper.opens(MEAL)
    banner = keeper.page.locator("#banner")
    keeper.page.clock.fast_forward("50:00")
    keeper.is_ready()
    expect(banner).to_be_hidden()
    keeper.turns_to("screen")
    keeper.page.get_by_label("Suggest water").check()
    keeper.page.clock.fast_forward("45:00")
    expect(banner).to_contain_text("A glass of water")
    keeper.page.get_by_label("Suggest water").uncheck()
    keeper.page.clock.fast_forward("00:30")
    expect(banner).to_be_hidden()
    keeper.page.clock.fast_forward("50:00")
    keeper.is_ready()
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
    keeper = Keeper(seat_player(finger=True, locale=language))
    keeper.opens(MEAL)
    keeper.is_asked(pops)
    keeper.turns_to("book")
    expect(keeper.page.locator(".page h2").first).to_have_text(book)
    for tab in ("turn", "book", "referee", "screen"):
        keeper.turns_to(tab)
        assert not keeper.player.scrolls_sideways(), tab


@pytest.mark.parametrize("theme", [pytest.param("light", marks=pytest.mark.long), "dark"])
def test_axe_finds_nothing_serious_in_the_book(seat_player: Seated, theme: str) -> None:
    keeper = Keeper(seat_player(finger=True, color_scheme=theme))
    page = keeper.page
    page.goto(f"{keeper.address}/book")
    is_fine(keeper, "set-up")
    keeper.opens(OWES, teams={"B": {"name": "The foxes of the third floor", "players": ["Aino"]}})
    for tab in ("turn", "book", "referee", "screen"):
        keeper.turns_to(tab)
        page.wait_for_load_state("networkidle")
        is_fine(keeper, tab)
    keeper.turns_to("turn")
    keeper.page.locator("[data-key=hembo]").tap()
    is_fine(keeper, "hembo")
    page.keyboard.press("Escape")
    keeper.page.locator("#pause").tap()
    expect(keeper.page.locator("#cover")).to_be_visible()
    is_fine(keeper, "break")
    keeper.opens(START, depth="ledger")
    keeper.pick(0, "R2").tap()
    is_fine(keeper, "ledger")


def is_fine(keeper: Keeper, name: str) -> None:
    page = keeper.page
    assert not serious(page), name
    assert not keeper.player.scrolls_sideways(), name
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, summary, .btn')].filter((each) => {
          const { width, height } = each.getBoundingClientRect();
          return each.checkVisibility() && (width < 43.5 || height < 43.5);
        }).map((each) => each.outerHTML.slice(0, 120))"""
    )
    assert not small, name
