"""What happens to a real dome, entered by touch (12.2)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.browser.companion_player import TOUCH_MOMENT, Keeper
from support.browser.companion_positions import LOTS, MEAL, OWES
from support.words import sentence


def test_everything_that_happens_to_a_dome(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    for text in ("R silent 2", "G stray 4"):
        keeper.enters(text)
    keeper.is_asked("Pop the die back to 2")
    keeper.enters("fix 6")
    keeper.enters("fix 2")
    keeper.is_asked("Red to pop")
    keeper.enters("R sticky")
    keeper.is_asked("Red popped 2")
    # Somebody pops while the number is still to be played.
    keeper.enters("R stray 2")


def test_the_same_face_in_answer_to_another_question_counts_at_once(keeper: Keeper) -> None:
    """Only a face touched twice in a row is one touch."""
    keeper.page.add_init_script(TOUCH_MOMENT)
    keeper.opens(MEAL)
    keeper.page.evaluate("window.touchMoment = 1000")
    keeper.enters("R silent 2")
    keeper.presses(sentence("page.book-silent"))
    keeper.sheet.locator('.face[data-face="2"]').tap()
    keeper.is_in_the_book("R silent 2", "R silent 2")


def test_the_dome_must_be_tapped_lightly_from_above_until_the_die_falls(keeper: Keeper) -> None:
    """K91, K92: and any other tapping is forbidden. The face touched is the pop."""
    keeper.opens(MEAL)
    keeper.presses(sentence("page.book-church"))
    expect(keeper.sheet).to_contain_text("Tap the dome lightly, straight from above")
    expect(keeper.sheet).to_contain_text("any other knock is forbidden")
    assert keeper.actions == [], "it is entered with what the die shows"
    keeper.says_it_shows(5)
    keeper.is_in_the_book("church", "R pop 5")
    keeper.is_asked("Red popped 5")


def test_a_sheet_says_what_counts_and_who_pops_again(keeper: Keeper) -> None:
    """12.2."""
    keeper.opens(MEAL)
    keeper.presses(sentence("page.book-silent"))
    expect(keeper.sheet).to_contain_text("it does not count: Red to pop again")
    keeper.says_it_shows(4)
    keeper.is_in_the_book("R silent 4")
    keeper.presses(sentence("page.book-sticky"))
    expect(keeper.sheet).to_contain_text("it still shows 4, and that counts as Red's pop")
    assert keeper.actions == ["R silent 4"]
    keeper.sheet.get_by_role("button", name=sentence("page.book-sticky-counts")).tap()
    keeper.is_in_the_book("R silent 4", "R sticky")


def test_mishaps_of_the_starting_pops_are_entered_by_the_chair(keeper: Keeper) -> None:
    """K91, R31."""
    keeper.opens(LOTS, depth="ledger")
    expect(keeper.button_named(sentence("page.book-sticky"))).to_have_count(0)
    keeper.enters("a silent 6")
    keeper.is_asked("Chair a to pop for the start")
    expect(keeper.page.locator(".head-card")).to_have_class("head-card team--")
    keeper.sees_a_church("a lot 3")
    keeper.presses(sentence("page.book-sticky"))
    expect(keeper.sheet).to_contain_text("that counts as the pop of chair b")
    keeper.sheet.get_by_role("button", name=sentence("page.book-sticky-counts")).tap()
    keeper.is_in_the_book("a silent 6", "church", "a lot 3", "b sticky")
    expect(keeper.button_named(sentence("page.book-stray"))).to_have_count(0)


@pytest.mark.parametrize(
    ("mishap", "entered"), [("Church", ["church", "B pop 2"]), ("Die didn't move", ["B sticky"])]
)
def test_an_odd_pop_makes_the_sentence_late_as_any_other_does(
    keeper: Keeper, mishap: str, entered: list[str]
) -> None:
    """K56: so whoever enters it is asked whether they said it."""
    keeper.opens(OWES)
    keeper.presses(mishap)
    if mishap == "Church":
        keeper.says_it_shows(2)
    else:
        keeper.sheet.get_by_role("button", name=sentence("page.book-sticky-counts")).tap()
    expect(keeper.sheet).to_contain_text(sentence("page.book-hembo-asked"))
    keeper.sheet.get_by_role("button", name=sentence("page.book-hembo-yes-said")).tap()
    keeper.is_in_the_book("B hembo jag", *entered)
    expect(keeper.page.locator(".strip li").nth(1)).to_contain_text("6")
