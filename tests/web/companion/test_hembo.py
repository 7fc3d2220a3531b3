"""The sentence in the book (10.5, 12.6)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.browser.companion_player import CompanionPlayer
from support.browser.companion_positions import LOTS, OWES
from support.words import sentence


def test_hembo_in_time_and_for_nothing(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(OWES)
    bookkeeper.page.locator("[data-key=hembo]").tap()
    blue = bookkeeper.page.get_by_role("group", name="Blue")
    expect(blue.get_by_role("button")).to_have_text(["Jag bor i hembo"])
    bookkeeper.page.keyboard.press("Escape")
    bookkeeper.turns_to("book")
    expect(bookkeeper.page.locator(".head-card.due")).to_contain_text("Sentence due: Blue")
    bookkeeper.presses(sentence("page.book-said-it"))
    bookkeeper.is_in_the_book("B hembo jag")
    expect(bookkeeper.page.locator(".head-card.due")).to_have_count(0)
    bookkeeper.turns_to("turn")
    bookkeeper.page.locator("[data-key=hembo]").tap()
    expect(bookkeeper.sheet).to_contain_text("costs 1 penalty")
    bookkeeper.page.get_by_role("group", name="Green").get_by_role("button").first.tap()
    bookkeeper.is_in_the_book("G hembo jag")
    expect(bookkeeper.page.locator(".strip li").last).to_contain_text("1")


@pytest.mark.parametrize(
    ("answer", "entered", "owed"),
    [("Yes, in time", ["B hembo jag", "B pop 2"], "6"), ("No, too late", ["B pop 2"], "7")],
)
def test_before_a_missed_sentence_is_booked_the_page_asks_once_whether_they_said_it(
    bookkeeper: CompanionPlayer, answer: str, entered: list[str], owed: str
) -> None:
    """K56."""
    bookkeeper.opens(OWES)
    bookkeeper.pops(2)
    expect(bookkeeper.sheet).to_contain_text(sentence("page.book-hembo-asked"))
    bookkeeper.sheet.get_by_role("button", name=answer).tap()
    bookkeeper.is_in_the_book(*entered)
    expect(bookkeeper.page.locator(".strip li").nth(1)).to_contain_text(owed)
    bookkeeper.pops(3)
    bookkeeper.is_in_the_book(*entered, "B pop 3")


def test_a_screen_that_reminds_nobody_asks_once_the_dome_has_been_popped(
    bookkeeper: CompanionPlayer,
) -> None:
    """K56: by then it reminds nobody, and a pop must not book what was said."""
    bookkeeper.opens(OWES, reminders="nobody")
    expect(bookkeeper.page.locator(".hembo")).to_be_visible()
    expect(bookkeeper.page.locator(".due")).to_have_count(0)
    bookkeeper.pops(2)
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-hembo-yes-said")).tap()
    bookkeeper.is_in_the_book("B hembo jag", "B pop 2")


def test_popping_the_die_back_is_not_yet_too_late_for_the_sentence(
    bookkeeper: CompanionPlayer,
) -> None:
    """K56: so the page asks at the pop that is, and only then."""
    bookkeeper.opens(OWES.replace("d5", "d2>5"))
    bookkeeper.enters("fix 5")
    bookkeeper.pops(2)
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-hembo-not-said")).tap()
    bookkeeper.is_in_the_book("fix 5", "B pop 2")


def test_nobody_is_offered_the_sentence_while_lots_are_drawn(bookkeeper: CompanionPlayer) -> None:
    """K55."""
    bookkeeper.opens(LOTS)
    expect(bookkeeper.page.locator(".face").first).to_be_visible()
    expect(bookkeeper.page.locator("[data-key=hembo]")).to_have_count(0)
    bookkeeper.opens(LOTS.replace("S:-/-/-/-", "K:dc"))
    expect(bookkeeper.page.locator(".move").first).to_be_visible()
    expect(bookkeeper.page.locator("[data-key=hembo]")).to_have_count(0)


def test_the_wrong_form_is_no_button_while_there_is_time(bookkeeper: CompanionPlayer) -> None:
    """K55, R14: it costs nothing and may be corrected, also by those who have said it already."""
    for marks in ("-!--", "-+--"):
        bookkeeper.opens(OWES.replace("-!--", marks))
        bookkeeper.page.locator("[data-key=hembo]").tap()
        blue = bookkeeper.sheet.get_by_role("group", name="Blue").get_by_role("button")
        expect(blue).to_have_text(["Jag bor i hembo"])
    bookkeeper.opens(OWES, depth="ledger")
    bookkeeper.page.locator("[data-key=hembo]").tap()
    blue = bookkeeper.sheet.get_by_role("group", name="Blue").get_by_role("button")
    expect(blue).to_have_text(
        ["Said in time", "Missed", "Not said right in time", "Said when not due"]
    )
