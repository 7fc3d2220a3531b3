"""The sentence in the book (10.5, 12.6)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.browser.companion_player import Keeper
from support.browser.companion_positions import LOTS, OWES
from support.words import sentence


def test_hembo_in_time_and_for_nothing(keeper: Keeper) -> None:
    keeper.opens(OWES)
    keeper.page.locator("[data-key=hembo]").tap()
    blue = keeper.page.get_by_role("group", name="Blue")
    expect(blue.get_by_role("button")).to_have_text(["Jag bor i hembo"])
    keeper.page.keyboard.press("Escape")
    keeper.turns_to("book")
    expect(keeper.page.locator(".head-card.due")).to_contain_text("Sentence due: Blue")
    keeper.presses(sentence("page.book-said-it"))
    keeper.is_in_the_book("B hembo jag")
    expect(keeper.page.locator(".head-card.due")).to_have_count(0)
    keeper.turns_to("turn")
    keeper.page.locator("[data-key=hembo]").tap()
    expect(keeper.sheet).to_contain_text("costs 1 penalty")
    keeper.page.get_by_role("group", name="Green").get_by_role("button").first.tap()
    keeper.is_in_the_book("G hembo jag")
    expect(keeper.page.locator(".strip li").last).to_contain_text("1")


@pytest.mark.parametrize(
    ("answer", "entered", "owed"),
    [("Yes, in time", ["B hembo jag", "B pop 2"], "6"), ("No, too late", ["B pop 2"], "7")],
)
def test_before_a_missed_sentence_is_booked_the_page_asks_once_whether_they_said_it(
    keeper: Keeper, answer: str, entered: list[str], owed: str
) -> None:
    """K56."""
    keeper.opens(OWES)
    keeper.pops(2)
    expect(keeper.sheet).to_contain_text(sentence("page.book-hembo-asked"))
    keeper.sheet.get_by_role("button", name=answer).tap()
    keeper.is_in_the_book(*entered)
    expect(keeper.page.locator(".strip li").nth(1)).to_contain_text(owed)
    keeper.pops(3)
    keeper.is_in_the_book(*entered, "B pop 3")


def test_a_screen_that_reminds_nobody_asks_once_the_dome_has_been_popped(keeper: Keeper) -> None:
    """K56: by then it reminds nobody, and a pop must not book what was said."""
    keeper.opens(OWES, reminders="nobody")
    expect(keeper.page.locator(".hembo")).to_be_visible()
    expect(keeper.page.locator(".due")).to_have_count(0)
    keeper.pops(2)
    keeper.sheet.get_by_role("button", name=sentence("page.book-hembo-yes-said")).tap()
    keeper.is_in_the_book("B hembo jag", "B pop 2")


def test_popping_the_die_back_is_not_yet_too_late_for_the_sentence(keeper: Keeper) -> None:
    """K56: so the page asks at the pop that is, and only then."""
    keeper.opens(OWES.replace("d5", "d2>5"))
    keeper.enters("fix 5")
    keeper.pops(2)
    keeper.sheet.get_by_role("button", name=sentence("page.book-hembo-not-said")).tap()
    keeper.is_in_the_book("fix 5", "B pop 2")


def test_nobody_is_offered_the_sentence_while_lots_are_drawn(keeper: Keeper) -> None:
    """K55."""
    keeper.opens(LOTS)
    expect(keeper.page.locator(".face").first).to_be_visible()
    expect(keeper.page.locator("[data-key=hembo]")).to_have_count(0)
    keeper.opens(LOTS.replace("S:-/-/-/-", "K:dc"))
    expect(keeper.page.locator(".move").first).to_be_visible()
    expect(keeper.page.locator("[data-key=hembo]")).to_have_count(0)


def test_the_wrong_form_is_no_button_while_there_is_time(keeper: Keeper) -> None:
    """K55, R14: it costs nothing and may be corrected, also by those who have said it already."""
    for marks in ("-!--", "-+--"):
        keeper.opens(OWES.replace("-!--", marks))
        keeper.page.locator("[data-key=hembo]").tap()
        blue = keeper.sheet.get_by_role("group", name="Blue").get_by_role("button")
        expect(blue).to_have_text(["Jag bor i hembo"])
    keeper.opens(OWES, depth="ledger")
    keeper.page.locator("[data-key=hembo]").tap()
    blue = keeper.sheet.get_by_role("group", name="Blue").get_by_role("button")
    expect(blue).to_have_text(
        ["Said in time", "Missed", "Not said right in time", "Said when not due"]
    )
