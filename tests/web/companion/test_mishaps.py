"""What happens to a real dome, entered by touch (12.2)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.browser.companion_player import TOUCH_MOMENT, CompanionPlayer
from support.browser.companion_positions import LOTS, MEAL, OWES
from support.words import sentence


def test_everything_that_happens_to_a_dome(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(MEAL)
    for text in ("R silent 2", "G stray 4"):
        bookkeeper.enters(text)
    bookkeeper.is_asked("Pop the die back to 2")
    bookkeeper.enters("fix 6")
    bookkeeper.enters("fix 2")
    bookkeeper.is_asked("Red to pop")
    bookkeeper.enters("R sticky")
    bookkeeper.is_asked("Red popped 2")
    # Somebody pops while the number is still to be played.
    bookkeeper.enters("R stray 2")


def test_the_same_face_in_answer_to_another_question_counts_at_once(
    bookkeeper: CompanionPlayer,
) -> None:
    """Only a face touched twice in a row is one touch."""
    bookkeeper.page.add_init_script(TOUCH_MOMENT)
    bookkeeper.opens(MEAL)
    bookkeeper.page.evaluate("window.touchMoment = 1000")
    bookkeeper.enters("R silent 2")
    bookkeeper.presses(sentence("page.book-silent"))
    bookkeeper.sheet.locator('.face[data-face="2"]').tap()
    bookkeeper.is_in_the_book("R silent 2", "R silent 2")


def test_the_dome_must_be_tapped_lightly_from_above_until_the_die_falls(
    bookkeeper: CompanionPlayer,
) -> None:
    """K91, K92: and any other tapping is forbidden. The face touched is the pop."""
    bookkeeper.opens(MEAL)
    bookkeeper.presses(sentence("page.book-church"))
    expect(bookkeeper.sheet).to_contain_text("Tap the dome lightly, straight from above")
    expect(bookkeeper.sheet).to_contain_text("any other knock is forbidden")
    assert bookkeeper.actions == [], "it is entered with what the die shows"
    bookkeeper.says_it_shows(5)
    bookkeeper.is_in_the_book("church", "R pop 5")
    bookkeeper.is_asked("Red popped 5")


def test_a_sheet_says_what_counts_and_who_pops_again(bookkeeper: CompanionPlayer) -> None:
    """12.2."""
    bookkeeper.opens(MEAL)
    bookkeeper.presses(sentence("page.book-silent"))
    expect(bookkeeper.sheet).to_contain_text("it does not count: Red to pop again")
    bookkeeper.says_it_shows(4)
    bookkeeper.is_in_the_book("R silent 4")
    bookkeeper.presses(sentence("page.book-sticky"))
    expect(bookkeeper.sheet).to_contain_text("it still shows 4, and that counts as Red's pop")
    assert bookkeeper.actions == ["R silent 4"]
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-sticky-counts")).tap()
    bookkeeper.is_in_the_book("R silent 4", "R sticky")


def test_mishaps_of_the_starting_pops_are_entered_by_the_chair(bookkeeper: CompanionPlayer) -> None:
    """K91, R31."""
    bookkeeper.opens(LOTS, depth="ledger")
    expect(bookkeeper.button_named(sentence("page.book-sticky"))).to_have_count(0)
    bookkeeper.enters("a silent 6")
    bookkeeper.is_asked("Chair a to pop for the start")
    expect(bookkeeper.page.locator(".head-card")).to_have_class("head-card team--")
    bookkeeper.sees_a_church("a lot 3")
    bookkeeper.presses(sentence("page.book-sticky"))
    expect(bookkeeper.sheet).to_contain_text("that counts as the pop of chair b")
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-sticky-counts")).tap()
    bookkeeper.is_in_the_book("a silent 6", "church", "a lot 3", "b sticky")
    expect(bookkeeper.button_named(sentence("page.book-stray"))).to_have_count(0)


@pytest.mark.parametrize(
    ("mishap", "entered"), [("Church", ["church", "B pop 2"]), ("Die didn't move", ["B sticky"])]
)
def test_an_odd_pop_makes_the_sentence_late_as_any_other_does(
    bookkeeper: CompanionPlayer, mishap: str, entered: list[str]
) -> None:
    """K56: so whoever enters it is asked whether they said it."""
    bookkeeper.opens(OWES)
    bookkeeper.presses(mishap)
    if mishap == "Church":
        bookkeeper.says_it_shows(2)
    else:
        bookkeeper.sheet.get_by_role("button", name=sentence("page.book-sticky-counts")).tap()
    expect(bookkeeper.sheet).to_contain_text(sentence("page.book-hembo-asked"))
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-hembo-yes-said")).tap()
    bookkeeper.is_in_the_book("B hembo jag", *entered)
    expect(bookkeeper.page.locator(".strip li").nth(1)).to_contain_text("6")
