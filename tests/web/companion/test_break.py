"""A break around a real board (12.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.browser.companion_player import CompanionPlayer
from support.browser.companion_positions import MEAL, START
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


def test_a_break_covers_every_phone(bookkeeper: CompanionPlayer, seat_player: Seated) -> None:
    bookkeeper.opens(MEAL)
    other = CompanionPlayer(seat_player(finger=True))
    other.joins(bookkeeper, "B")
    other.page.locator("#pause").tap()
    for each in (bookkeeper, other):
        expect(each.page.locator("#cover")).to_contain_text(sentence("page.book-break"))
    bookkeeper.presses(sentence("page.book-go-on"))
    for each in (bookkeeper, other):
        expect(each.page.locator("#cover")).to_be_hidden()
    assert bookkeeper.actions == ["break", "resume"]


def test_ignoring_the_break_results_in_added_penalties(
    bookkeeper: CompanionPlayer, seat_player: Seated
) -> None:
    """K105: one action of the book; every screen says what it costs, and then who paid."""
    bookkeeper.opens(MEAL, options={"break_penalty": 2})
    phone, spectator = (
        CompanionPlayer(seat_player(finger=True)),
        CompanionPlayer(seat_player(finger=True)),
    )
    phone.joins(bookkeeper, "B")
    spectator.joins(bookkeeper, "watch")
    wall = seat_player().page
    wall.goto(bookkeeper.address + bookkeeper.links()["party"])
    wall.locator("main .btn.pri").click()
    bookkeeper.page.locator("#pause").tap()
    for cover in (bookkeeper.page.locator("#cover"), phone.page.locator("#cover")):
        expect(cover).to_contain_text("Ignoring it costs 2 penalties.")
    expect(spectator.page.locator(".break-strip")).to_contain_text("Ignoring it costs 2 penalties.")
    expect(wall.locator("#rest")).to_contain_text("Ignoring it costs 2 penalties.")
    expect(phone.button_named(sentence("page.book-ignored"))).to_have_count(0)
    bookkeeper.tells_who_ignored_it("G", sentence("page.book-ignored-moved"))
    bookkeeper.is_in_the_book("break", "G ignored")
    told = "Green ignored the break: 2 penalties"
    expect(bookkeeper.page.locator("#cover")).to_contain_text(told)
    expect(phone.page.locator("#cover")).to_contain_text(told)
    expect(spectator.page.locator(".break-strip")).to_contain_text(told)
    expect(wall.locator("#rest")).to_contain_text(told)
    for tab in ("book", "referee", "screen"):
        bookkeeper.turns_to(tab)
        expect(bookkeeper.page.locator(".break-strip")).to_contain_text(told)
    bookkeeper.turns_to("turn")
    bookkeeper.tells_who_ignored_it("G", sentence("page.book-ignored-drank"))
    bookkeeper.is_in_the_book("break", "G ignored", "G ignored")
    expect(wall.locator("#rest .blame")).to_have_count(2)
    bookkeeper.presses(sentence("page.book-go-on"))
    expect(bookkeeper.page.locator(".strip li").last).to_contain_text("4")
    expect(wall.locator('[data-owed="G"]')).to_have_text("4")
    wall.goto(f"{bookkeeper.address}/t/{bookkeeper.table}/night")
    expect(wall.locator("main")).to_contain_text(told)


@pytest.mark.parametrize(
    ("more", "ruled", "owed"),
    [(2, "+2", "3"), (-1, "-1", "0")],
)
def test_the_referee_may_make_it_more_or_waive_it_on_the_cover(
    bookkeeper: CompanionPlayer, more: int, ruled: str, owed: str
) -> None:
    """K105, R23: who, what and how many; what differs from the price agreed is a ruling."""
    bookkeeper.opens(START)
    bookkeeper.page.locator("#pause").tap()
    bookkeeper.tells_who_ignored_it("B", sentence("page.book-ignored-moved"), more)
    bookkeeper.is_in_the_book("B ignored", f'ref pen B {ruled} "ignored the break"')
    expect(bookkeeper.page.locator("#cover .ignored p")).to_have_count(2)
    bookkeeper.presses(sentence("page.book-go-on"))
    expect(bookkeeper.page.locator(".strip li").nth(1)).to_contain_text(owed)


def test_a_bookkeeper_beside_a_referee_enters_what_was_agreed(
    bookkeeper: CompanionPlayer, seat_player: Seated
) -> None:
    """K105, R23: how many else is the referee's to say."""
    bookkeeper.opens(START)
    referee = CompanionPlayer(seat_player(finger=True))
    referee.joins(bookkeeper, "referee")
    bookkeeper.presses(sentence("page.agree"))
    expect(bookkeeper.page.locator("#tab-referee")).to_have_count(0)
    bookkeeper.page.locator("#pause").tap()
    bookkeeper.presses(sentence("page.book-ignored"))
    bookkeeper.sheet.locator(".btn.team-B").tap()
    expect(bookkeeper.sheet.locator(".stepper")).to_have_count(0)
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-ignored-moved")).tap()
    bookkeeper.is_in_the_book("break", "B ignored")


def test_a_pop_while_a_break_is_in_session_is_reset_when_it_ends(
    bookkeeper: CompanionPlayer,
) -> None:
    """K107: it costs as any other way to ignore the break, and the die is turned back."""
    bookkeeper.opens(MEAL)
    bookkeeper.page.locator("#pause").tap()
    bookkeeper.tells_who_ignored_it("B", "5")
    bookkeeper.is_in_the_book("break", "B stray 5")
    expect(bookkeeper.page.locator("#cover")).to_contain_text("Blue ignored the break: 1 penalty")
    expect(bookkeeper.page.locator("#cover")).to_contain_text("The die must show 3 again")
    bookkeeper.presses(sentence("page.book-go-on"))
    bookkeeper.is_asked("Pop the die back to 3")
    bookkeeper.enters("fix 3")
    bookkeeper.is_asked("Red to pop")
    assert bookkeeper.position[3] == "2+5/2+3/4+2/0+6"


def test_where_nothing_was_agreed_the_referee_decides_what_it_costs(
    bookkeeper: CompanionPlayer,
) -> None:
    """K105, R23."""
    bookkeeper.opens(MEAL, options={"break_penalty": 0})
    bookkeeper.page.locator("#pause").tap()
    expect(bookkeeper.page.locator("#cover")).to_contain_text("costs what the referee decides")
    bookkeeper.tells_who_ignored_it("B", sentence("page.book-ignored-moved"))
    expect(bookkeeper.page.locator("#cover")).to_contain_text(
        "ignored the break: the referee decides"
    )
    assert bookkeeper.position[3] == "2+5/1+3/4+2/0+6"


def test_without_the_board_a_pop_in_a_break_costs_and_asks_for_no_face(
    bookkeeper: CompanionPlayer,
) -> None:
    """K107: nobody knows what the die showed, so nothing is turned back."""
    bookkeeper.opens(START, depth="ledger")
    bookkeeper.page.locator("#pause").tap()
    bookkeeper.tells_who_ignored_it("Y", sentence("page.book-ignored-popped"))
    bookkeeper.is_in_the_book("break", "Y ignored")
    bookkeeper.presses(sentence("page.book-go-on"))
    expect(bookkeeper.page.locator(".strip li").nth(2)).to_contain_text("1")


def test_a_break_is_not_kept_for_later(bookkeeper: CompanionPlayer) -> None:
    """It has to reach everybody at once."""
    bookkeeper.opens(MEAL)
    bookkeeper.is_left_without_a_line()
    bookkeeper.page.locator("#pause").tap()
    expect(bookkeeper.page.locator("#banner")).to_contain_text("Say it out loud")
    bookkeeper.has_a_line_again()
    expect(bookkeeper.page.locator("#cover")).to_be_hidden()
    assert bookkeeper.actions == []
