"""A break around a real board (12.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.browser.companion_player import Keeper
from support.browser.companion_positions import MEAL, START
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


def test_a_break_covers_every_phone(keeper: Keeper, seat_player: Seated) -> None:
    keeper.opens(MEAL)
    other = Keeper(seat_player(finger=True))
    other.joins(keeper, "B")
    other.page.locator("#pause").tap()
    for each in (keeper, other):
        expect(each.page.locator("#cover")).to_contain_text(sentence("page.book-break"))
    keeper.presses(sentence("page.book-go-on"))
    for each in (keeper, other):
        expect(each.page.locator("#cover")).to_be_hidden()
    assert keeper.actions == ["break", "resume"]


def test_ignoring_the_break_results_in_added_penalties(keeper: Keeper, seat_player: Seated) -> None:
    """K105: one action of the book; every screen says what it costs, and then who paid."""
    keeper.opens(MEAL, options={"break_penalty": 2})
    phone, watcher = Keeper(seat_player(finger=True)), Keeper(seat_player(finger=True))
    phone.joins(keeper, "B")
    watcher.joins(keeper, "watch")
    wall = seat_player().page
    wall.goto(keeper.address + keeper.links()["party"])
    wall.locator("main .btn.pri").click()
    keeper.page.locator("#pause").tap()
    for cover in (keeper.page.locator("#cover"), phone.page.locator("#cover")):
        expect(cover).to_contain_text("Ignoring it costs 2 penalties.")
    expect(watcher.page.locator(".break-strip")).to_contain_text("Ignoring it costs 2 penalties.")
    expect(wall.locator("#rest")).to_contain_text("Ignoring it costs 2 penalties.")
    expect(phone.button_named(sentence("page.book-ignored"))).to_have_count(0)
    keeper.tells_who_ignored_it("G", sentence("page.book-ignored-moved"))
    keeper.is_in_the_book("break", "G ignored")
    told = "Green ignored the break: 2 penalties"
    expect(keeper.page.locator("#cover")).to_contain_text(told)
    expect(phone.page.locator("#cover")).to_contain_text(told)
    expect(watcher.page.locator(".break-strip")).to_contain_text(told)
    expect(wall.locator("#rest")).to_contain_text(told)
    for tab in ("book", "referee", "screen"):
        keeper.turns_to(tab)
        expect(keeper.page.locator(".break-strip")).to_contain_text(told)
    keeper.turns_to("turn")
    keeper.tells_who_ignored_it("G", sentence("page.book-ignored-drank"))
    keeper.is_in_the_book("break", "G ignored", "G ignored")
    expect(wall.locator("#rest .blame")).to_have_count(2)
    keeper.presses(sentence("page.book-go-on"))
    expect(keeper.page.locator(".strip li").last).to_contain_text("4")
    expect(wall.locator('[data-owed="G"]')).to_have_text("4")
    wall.goto(f"{keeper.address}/t/{keeper.table}/night")
    expect(wall.locator("main")).to_contain_text(told)


@pytest.mark.parametrize(
    ("more", "ruled", "owed"),
    [(2, "+2", "3"), (-1, "-1", "0")],
)
def test_the_referee_may_make_it_more_or_waive_it_on_the_cover(
    keeper: Keeper, more: int, ruled: str, owed: str
) -> None:
    """K105, R23: who, what and how many; what differs from the price agreed is a ruling."""
    keeper.opens(START)
    keeper.page.locator("#pause").tap()
    keeper.tells_who_ignored_it("B", sentence("page.book-ignored-moved"), more)
    keeper.is_in_the_book("B ignored", f'ref pen B {ruled} "ignored the break"')
    expect(keeper.page.locator("#cover .ignored p")).to_have_count(2)
    keeper.presses(sentence("page.book-go-on"))
    expect(keeper.page.locator(".strip li").nth(1)).to_contain_text(owed)


def test_a_bookkeeper_beside_a_referee_enters_what_was_agreed(
    keeper: Keeper, seat_player: Seated
) -> None:
    """K105, R23: how many else is the referee's to say."""
    keeper.opens(START)
    referee = Keeper(seat_player(finger=True))
    referee.joins(keeper, "referee")
    keeper.presses(sentence("page.agree"))
    expect(keeper.page.locator("#tab-referee")).to_have_count(0)
    keeper.page.locator("#pause").tap()
    keeper.presses(sentence("page.book-ignored"))
    keeper.sheet.locator(".btn.team-B").tap()
    expect(keeper.sheet.locator(".stepper")).to_have_count(0)
    keeper.sheet.get_by_role("button", name=sentence("page.book-ignored-moved")).tap()
    keeper.is_in_the_book("break", "B ignored")


def test_a_pop_while_a_break_is_in_session_is_reset_when_it_ends(keeper: Keeper) -> None:
    """K107: it costs as any other way to ignore the break, and the die is turned back."""
    keeper.opens(MEAL)
    keeper.page.locator("#pause").tap()
    keeper.tells_who_ignored_it("B", "5")
    keeper.is_in_the_book("break", "B stray 5")
    expect(keeper.page.locator("#cover")).to_contain_text("Blue ignored the break: 1 penalty")
    expect(keeper.page.locator("#cover")).to_contain_text("The die must show 3 again")
    keeper.presses(sentence("page.book-go-on"))
    keeper.is_asked("Pop the die back to 3")
    keeper.enters("fix 3")
    keeper.is_asked("Red to pop")
    assert keeper.position[3] == "2+5/2+3/4+2/0+6"


def test_where_nothing_was_agreed_the_referee_decides_what_it_costs(keeper: Keeper) -> None:
    """K105, R23."""
    keeper.opens(MEAL, options={"break_penalty": 0})
    keeper.page.locator("#pause").tap()
    expect(keeper.page.locator("#cover")).to_contain_text("costs what the referee decides")
    keeper.tells_who_ignored_it("B", sentence("page.book-ignored-moved"))
    expect(keeper.page.locator("#cover")).to_contain_text("ignored the break: the referee decides")
    assert keeper.position[3] == "2+5/1+3/4+2/0+6"


def test_without_the_board_a_pop_in_a_break_costs_and_asks_for_no_face(keeper: Keeper) -> None:
    """K107: nobody knows what the die showed, so nothing is turned back."""
    keeper.opens(START, depth="ledger")
    keeper.page.locator("#pause").tap()
    keeper.tells_who_ignored_it("Y", sentence("page.book-ignored-popped"))
    keeper.is_in_the_book("break", "Y ignored")
    keeper.presses(sentence("page.book-go-on"))
    expect(keeper.page.locator(".strip li").nth(2)).to_contain_text("1")


def test_a_break_is_not_kept_for_later(keeper: Keeper) -> None:
    """It has to reach everybody at once."""
    keeper.opens(MEAL)
    keeper.is_left_without_a_line()
    keeper.page.locator("#pause").tap()
    expect(keeper.page.locator("#banner")).to_contain_text("Say it out loud")
    keeper.has_a_line_again()
    expect(keeper.page.locator("#cover")).to_be_hidden()
    assert keeper.actions == []
