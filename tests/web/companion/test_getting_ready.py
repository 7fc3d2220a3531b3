"""The getting-ready card before the first pop (4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from support.browser.companion_player import CompanionPlayer
from support.browser.companion_positions import LOTS, MEAL, START
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

LINES = ("home", "dome", "supplies", "begins")


def test_the_dome_is_reset_by_popping_it_three_times(bookkeeper: CompanionPlayer) -> None:
    """K14, R3: the card counts, and nothing is written."""
    bookkeeper.opens(START)
    dots = bookkeeper.page.locator(".dot.on")
    for filled in range(1, 4):
        expect(bookkeeper.ready("dome")).not_to_be_checked()
        bookkeeper.ready("dome").tap()
        expect(dots).to_have_count(filled)
    expect(bookkeeper.ready("dome")).to_be_checked()
    assert bookkeeper.actions == []
    bookkeeper.ready("dome").tap()
    expect(dots).to_have_count(0)


def test_where_lots_are_drawn_the_pops_that_loosen_the_dome_are_recorded(
    bookkeeper: CompanionPlayer,
) -> None:
    """K14, R3."""
    bookkeeper.opens(LOTS)
    expect(bookkeeper.ready("begins")).to_contain_text("the lowest chooses a colour")
    for face in (4, 2, 1):
        bookkeeper.enters(f"warm {face}")
    expect(bookkeeper.page.locator(".dot.on")).to_have_count(3)
    expect(bookkeeper.ready("dome")).to_be_checked()
    assert bookkeeper.actions == ["warm 4", "warm 2", "warm 1"]
    bookkeeper.enters("a lot 3")
    expect(bookkeeper.page.locator(".ready")).to_have_count(0)


def test_it_is_good_to_check_that_there_are_enough_supplies(bookkeeper: CompanionPlayer) -> None:
    """K16: in the table's own unit, for teams of their sizes."""
    supplies = bookkeeper.ready("supplies")
    bookkeeper.opens(START)
    expect(supplies).to_contain_text("24 to 40 units")
    expect(supplies).to_contain_text("a team gets 6 to 10 penalties")
    expect(supplies).to_contain_text("one team in ten about twice as many")
    bookkeeper.opens(START, options={"unit": "cans", "team_size": [2, 1, 3, 2], "unit_factor": 2})
    expect(supplies).to_contain_text("96 to 160 half-cans")
    expect(supplies).to_contain_text("One penalty: 2 half-cans for a team of 1, 4 half-cans")
    expect(supplies).to_contain_text("and 6 half-cans for a team of 3.")
    bookkeeper.opens(START, options={"unit": "custom", "unit_name": "squats"})
    expect(supplies).to_contain_text("24 to 40 squats")


def test_each_line_is_ticked_by_a_touch_and_a_reload_keeps_it(bookkeeper: CompanionPlayer) -> None:
    """K14, K16."""
    bookkeeper.opens(START)
    expect(bookkeeper.ready("begins")).to_contain_text("Red to start")
    for line in LINES:
        for _ in range(3 if line == "dome" else 1):
            bookkeeper.ready(line).tap()
        expect(bookkeeper.ready(line)).to_be_checked()
    bookkeeper.ready("home").tap()
    expect(bookkeeper.ready("home")).not_to_be_checked()
    bookkeeper.page.reload()
    expect(bookkeeper.ready("home")).not_to_be_checked()
    expect(bookkeeper.ready("dome")).to_be_checked()
    bookkeeper.ready("home").tap()
    bookkeeper.presses(sentence("page.ready-done"))
    expect(bookkeeper.page.locator(".ready")).to_have_count(0)
    bookkeeper.page.reload()
    bookkeeper.is_asked("Red to pop")
    expect(bookkeeper.page.locator(".ready")).to_have_count(0)


def test_the_card_is_skipped_by_one_touch_or_by_the_first_pop(bookkeeper: CompanionPlayer) -> None:
    """K14."""
    bookkeeper.opens(START)
    bookkeeper.presses(sentence("page.ready-skip"))
    expect(bookkeeper.page.locator(".ready")).to_have_count(0)
    bookkeeper.opens(START)
    expect(bookkeeper.page.locator(".ready")).to_be_visible()
    bookkeeper.enters("R pop 2")
    expect(bookkeeper.page.locator(".ready")).to_have_count(0)
    bookkeeper.opens(MEAL)
    bookkeeper.is_asked("Red to pop")
    expect(bookkeeper.page.locator(".ready")).to_have_count(0)


def test_the_card_is_there_without_a_board_too_and_blocks_nobody(
    bookkeeper: CompanionPlayer, seat_player: Seated
) -> None:
    """K14, K16: other phones are not asked."""
    bookkeeper.opens(START, depth="ledger")
    expect(bookkeeper.page.locator(".ready")).to_be_visible()
    phone = CompanionPlayer(seat_player(finger=True))
    phone.joins(bookkeeper, "B")
    expect(phone.page.locator(".ours")).to_be_visible()
    expect(phone.page.locator(".ready")).to_have_count(0)
    bookkeeper.eats("Eaten", "R1", "B1")
    bookkeeper.is_in_the_book("led eat R1 B1")
    expect(bookkeeper.page.locator(".ready")).to_have_count(0)


def test_lots_are_entered_in_a_book_without_a_board(bookkeeper: CompanionPlayer) -> None:
    """K17: and then it is kept without one."""
    bookkeeper.opens(LOTS, depth="ledger")
    for text in ("a lot 3", "b lot 5", "c lot 4", "d lot 2", "d colour R"):
        bookkeeper.enters(text)
    expect(bookkeeper.page.locator(".who")).to_have_count(1)
