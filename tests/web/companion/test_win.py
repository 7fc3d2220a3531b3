"""Every win says which kind it is, on every screen and as loudly (13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.browser.companion_player import CompanionPlayer
from support.browser.companion_positions import PLACED
from support.words import sentence as sentence_of

if TYPE_CHECKING:
    from web.conftest import Seated

JOKE = "Won without a raise, which is much like winning, only without raising."
OTHER_READING = "another reading of R19 would call it a true victory too"
UNRAISED, OTHERS_RAISED, RAISED_TWICE = (
    PLACED.replace("1:B", raises) for raises in ("1:-", "1:B", "2:R")
)


@pytest.mark.parametrize(
    ("start", "told", "untold", "chip"),
    [
        (UNRAISED, [JOKE], ["true victory", "R19"], "won without a raise"),
        (OTHERS_RAISED, [JOKE, OTHER_READING], [], "won without a raise"),
        (
            RAISED_TWICE,
            ["raised 2 times on the way: a true victory"],
            [JOKE, OTHER_READING],
            "true victory, 2 raises",
        ),
    ],
    ids=["unraised", "others-raised", "raised-twice"],
)
def test_at_least_one_raise_is_required_for_a_true_victory(
    bookkeeper: CompanionPlayer,
    seat_player: Seated,
    start: str,
    told: list[str],
    untold: list[str],
    chip: str,
) -> None:
    """K79, K112, K113: on the phone, the party screen, in the log, and on the page of the night."""
    bookkeeper.opens(start)
    wall = seat_player().page
    wall.set_viewport_size({"width": 1920, "height": 1080})
    wall.goto(bookkeeper.address + bookkeeper.links()["party"])
    wall.locator("main .btn.pri").click()
    bookkeeper.turns_to("book")
    bookkeeper.does_one("R").tap()
    bookkeeper.is_in_the_book("R done 1")
    bookkeeper.does_one("R").tap()
    bookkeeper.sheet.get_by_role("button", name=sentence_of("page.book-last-done-yes")).tap()
    bookkeeper.turns_to("turn")
    result, alert = bookkeeper.page.locator(".ended"), wall.locator("#duty.won")
    log = wall.locator("#events li").first
    for sentence in told:
        for place in (result, alert, log):
            expect(place).to_contain_text(sentence)
    for sentence in untold:
        for place in (result, alert, log):
            expect(place).not_to_contain_text(sentence)
    result.locator("a").tap()
    expect(bookkeeper.page.locator("#win-kind")).to_have_text(chip)
    expect(bookkeeper.page.locator("#win-kind")).to_have_class("chip ok")
    for sentence in told:
        expect(bookkeeper.page.locator(".why")).to_contain_text(sentence)
