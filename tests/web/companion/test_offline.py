"""The book without a network: nothing is lost, and the order holds."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from support.browser.companion_player import Keeper
from support.browser.companion_positions import START
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


def test_twenty_entries_without_a_line_arrive_in_order(keeper: Keeper, seat_player: Seated) -> None:
    keeper.opens("h4/h4/h4/h4 R:N3 d- 0+0/30+0/0+0/0+0 1:- ---- -")
    phone = Keeper(seat_player(finger=True))
    phone.joins(keeper, "B")
    phone.is_left_without_a_line()
    wanted = []
    for n in range(6):
        phone.does_one("B").tap()
        phone.does_one("B").tap()
        phone.writes_a_note(f"round {n}")
        wanted += ["B done 1", "B done 1", f'note "round {n}"']
    phone.page.locator(".hembo").tap()
    phone.sheet.get_by_role("button", name="Jag bor i hembo").tap()
    phone.does_one("B").tap()
    wanted += ["B hembo jag", "B done 1"]
    assert len(wanted) == 20
    expect(phone.page.locator(".waits-card")).to_contain_text("20 entries are waiting")
    phone.page.reload()
    expect(phone.page.locator("#tabs button")).to_have_count(0)
    assert keeper.actions == []
    keeper.pops(2)
    keeper.is_in_the_book("R pop 2")
    phone.is_cut_off = False
    phone.is_ready()
    keeper.is_in_the_book("R pop 2", *wanted)
    expect(phone.page.locator(".waits-card")).to_have_count(0)
    expect(phone.debt_of("B")).to_have_text("18")
    assert all(one < two for one, two in pairwise(keeper.asks("record")["times"]))


def test_what_has_not_left_the_phone_is_taken_out_first(keeper: Keeper) -> None:
    """By the button that undoes, and by its own line: no ruling is needed."""
    keeper.opens("h4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -", depth="ledger")
    keeper.eats("Eaten", "R1", "B1")
    keeper.is_in_the_book("led eat R1 B1")
    expect(keeper.page.locator(".strip .coming")).to_have_count(0)
    keeper.is_left_without_a_line()
    keeper.eats("Eaten", "R2", "B3")
    keeper.eats("Eaten", "G1", "Y2")
    undo = keeper.page.locator(".undo-last")
    expect(undo).to_contain_text("Yellow +2")
    expect(keeper.page.locator(".strip li").nth(1).locator(".coming")).to_have_text("+6")
    undo.tap()
    keeper.sheet.get_by_role("button", name=sentence("page.book-take-out")).tap()
    expect(undo).to_contain_text("Blue +6")
    keeper.turns_to("book")
    keeper.page.locator("[data-unsent]").tap()
    keeper.sheet.get_by_role("button", name=sentence("page.book-take-out")).tap()
    expect(keeper.page.locator(".waits")).to_have_count(0)
    keeper.does_one("B").tap()
    keeper.has_a_line_again()
    keeper.is_in_the_book("led eat R1 B1", "B done 1")


def test_a_line_that_has_gone_silent_is_given_up(keeper: Keeper) -> None:
    """Nobody tells a phone in a cellar that its line is dead."""
    keeper.page.clock.install()
    keeper.opens("h4/h4/h4/h4 R:N3 d- 0+0/2+0/0+0/0+0 1:- ---- -")
    keeper.turns_to("book")
    keeper.is_deaf = True
    keeper.does_one("B").tap()
    keeper.does_one("B").tap()
    keeper.is_in_the_book("B done 1")
    keeper.is_cut_off = True
    keeper.page.clock.fast_forward(9000)
    expect(keeper.page.locator("#chips")).to_have_text(sentence("page.book-offline"))
    expect(keeper.page.locator(".waits")).to_have_count(2)
    keeper.is_cut_off = keeper.is_deaf = False
    keeper.page.clock.fast_forward(9000)
    keeper.is_in_the_book("B done 1", "B done 1")
    expect(keeper.debt_of("B")).to_have_text("0")
    assert len(keeper.actions) == 2


def test_without_a_line_turns_wait_and_ledger_entries_are_kept(keeper: Keeper) -> None:
    keeper.opens(START)
    keeper.is_left_without_a_line()
    keeper.pops(3)
    expect(keeper.page.locator("#banner")).to_contain_text(sentence("page.book-offline"))
    keeper.has_a_line_again()
    assert keeper.actions == []
    keeper.opens(START, depth="ledger")
    keeper.is_left_without_a_line()
    for first, second in (("R2", "B3"), ("G1", "R1")):
        keeper.pick(0, first).tap()
        keeper.pick(1, second).tap()
        keeper.page.locator("[data-key=write]").tap()
    keeper.turns_to("book")
    expect(keeper.page.locator(".waits")).to_have_count(2)
    keeper.has_a_line_again()
    expect(keeper.debt_of("B")).to_have_text("6")
    expect(keeper.debt_of("R")).to_have_text("1")


def conflicting(keeper: Keeper, seat_player: Seated) -> Keeper:
    """A phone that says, cut off, that both of Blue's penalties are done; one was already."""
    keeper.opens("h4/h4/h4/h4 R:N3 d- 0+0/2+0/0+0/0+0 1:- ---- -")
    phone = Keeper(seat_player(finger=True))
    phone.joins(keeper, "B")
    phone.is_left_without_a_line()
    phone.does_one("B").tap()
    phone.does_one("B").tap()
    phone.writes_a_note("that was all")
    keeper.turns_to("book")
    keeper.does_one("B").tap()
    keeper.is_in_the_book("B done 1")
    phone.has_a_line_again()
    expect(phone.conflict).to_contain_text("Blue: 1 done")
    expect(phone.conflict).to_contain_text("Blue: 0 owed, 2 done")
    expect(phone.conflict).to_contain_text("Still waiting behind it: 1")
    assert keeper.actions == ["B done 1", "B done 1"]
    return phone


def test_the_first_one_refused_stops_the_rest_and_is_left_out(
    keeper: Keeper, seat_player: Seated
) -> None:
    phone = conflicting(keeper, seat_player)
    phone.page.reload()
    expect(phone.conflict).to_contain_text("Blue: 1 done")
    phone.presses(sentence("page.book-leave-out"))
    keeper.is_in_the_book("B done 1", "B done 1", 'note "that was all"')
    expect(phone.conflict).to_have_count(0)


def test_what_was_refused_is_tried_again(keeper: Keeper, seat_player: Seated) -> None:
    phone = conflicting(keeper, seat_player)
    phone.presses(sentence("page.learn-again"))
    expect(phone.conflict).to_be_visible()
    keeper.turns_to("referee")
    keeper.page.locator("[data-team=B]").tap()
    keeper.button_named(sentence("page.book-reason-wrong")).tap()
    keeper.page.locator("[data-key=rule]").tap()
    phone.presses(sentence("page.learn-again"))
    keeper.is_in_the_book('ref pen B +1 "wrong entry"', "B done 1", 'note "that was all"')


def test_what_was_refused_is_changed(keeper: Keeper) -> None:
    keeper.opens("h4/h4/h4/h4 R:N3 d- 0+0/3+0/0+0/0+0 1:- ---- -")
    entry = '{"kind": "done", "team": "B", "n": 5, "key": "typed-too-much", "at": 0}'
    keeper.page.evaluate(
        "([name, entry]) => localStorage.setItem(name, `[${entry}]`)",
        [f"kibitz-book-{keeper.table}", entry],
    )
    keeper.page.reload()
    expect(keeper.conflict).to_contain_text("Blue: 5 done")
    keeper.presses(sentence("page.book-change"))
    for _ in range(3):
        keeper.sheet.get_by_role("button", name=sentence("page.book-fewer")).tap()
    keeper.sheet.get_by_role("button", name=sentence("page.book-write")).tap()
    keeper.is_in_the_book("B done 2")
    expect(keeper.conflict).to_have_count(0)
