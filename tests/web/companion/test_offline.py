"""The book without a network: nothing is lost, and the order holds."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from support.browser.companion_player import CompanionPlayer
from support.browser.companion_positions import START
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


def test_twenty_entries_without_a_line_arrive_in_order(
    bookkeeper: CompanionPlayer, seat_player: Seated
) -> None:
    bookkeeper.opens("h4/h4/h4/h4 R:N3 d- 0+0/30+0/0+0/0+0 1:- ---- -")
    phone = CompanionPlayer(seat_player(finger=True))
    phone.joins(bookkeeper, "B")
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
    assert bookkeeper.actions == []
    bookkeeper.pops(2)
    bookkeeper.is_in_the_book("R pop 2")
    phone.is_cut_off = False
    phone.is_ready()
    bookkeeper.is_in_the_book("R pop 2", *wanted)
    expect(phone.page.locator(".waits-card")).to_have_count(0)
    expect(phone.debt_of("B")).to_have_text("18")
    assert all(one < two for one, two in pairwise(bookkeeper.asks("record")["times"]))


def test_what_has_not_left_the_phone_is_taken_out_first(bookkeeper: CompanionPlayer) -> None:
    """By the button that undoes, and by its own line: no ruling is needed."""
    bookkeeper.opens("h4/h4/h4/h4 R:N3 d- 0+0/0+0/0+0/0+0 1:- ---- -", depth="ledger")
    bookkeeper.eats("Eaten", "R1", "B1")
    bookkeeper.is_in_the_book("led eat R1 B1")
    expect(bookkeeper.page.locator(".strip .coming")).to_have_count(0)
    bookkeeper.is_left_without_a_line()
    bookkeeper.eats("Eaten", "R2", "B3")
    bookkeeper.eats("Eaten", "G1", "Y2")
    undo = bookkeeper.page.locator(".undo-last")
    expect(undo).to_contain_text("Yellow +2")
    expect(bookkeeper.page.locator(".strip li").nth(1).locator(".coming")).to_have_text("+6")
    undo.tap()
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-take-out")).tap()
    expect(undo).to_contain_text("Blue +6")
    bookkeeper.turns_to("book")
    bookkeeper.page.locator("[data-unsent]").tap()
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-take-out")).tap()
    expect(bookkeeper.page.locator(".waits")).to_have_count(0)
    bookkeeper.does_one("B").tap()
    bookkeeper.has_a_line_again()
    bookkeeper.is_in_the_book("led eat R1 B1", "B done 1")


def test_a_line_that_has_gone_silent_is_given_up(bookkeeper: CompanionPlayer) -> None:
    """Nobody tells a phone in a cellar that its line is dead."""
    bookkeeper.page.clock.install()
    bookkeeper.opens("h4/h4/h4/h4 R:N3 d- 0+0/2+0/0+0/0+0 1:- ---- -")
    bookkeeper.turns_to("book")
    bookkeeper.is_deaf = True
    bookkeeper.does_one("B").tap()
    bookkeeper.does_one("B").tap()
    bookkeeper.is_in_the_book("B done 1")
    bookkeeper.is_cut_off = True
    bookkeeper.page.clock.fast_forward(9000)
    expect(bookkeeper.page.locator("#chips")).to_have_text(sentence("page.book-offline"))
    expect(bookkeeper.page.locator(".waits")).to_have_count(2)
    bookkeeper.is_cut_off = bookkeeper.is_deaf = False
    bookkeeper.page.clock.fast_forward(9000)
    bookkeeper.is_in_the_book("B done 1", "B done 1")
    expect(bookkeeper.debt_of("B")).to_have_text("0")
    assert len(bookkeeper.actions) == 2


def test_without_a_line_turns_wait_and_ledger_entries_are_kept(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(START)
    bookkeeper.is_left_without_a_line()
    bookkeeper.pops(3)
    expect(bookkeeper.page.locator("#banner")).to_contain_text(sentence("page.book-offline"))
    bookkeeper.has_a_line_again()
    assert bookkeeper.actions == []
    bookkeeper.opens(START, depth="ledger")
    bookkeeper.is_left_without_a_line()
    for first, second in (("R2", "B3"), ("G1", "R1")):
        bookkeeper.pick(0, first).tap()
        bookkeeper.pick(1, second).tap()
        bookkeeper.page.locator("[data-key=write]").tap()
    bookkeeper.turns_to("book")
    expect(bookkeeper.page.locator(".waits")).to_have_count(2)
    bookkeeper.has_a_line_again()
    expect(bookkeeper.debt_of("B")).to_have_text("6")
    expect(bookkeeper.debt_of("R")).to_have_text("1")


def conflicting(bookkeeper: CompanionPlayer, seat_player: Seated) -> CompanionPlayer:
    """A phone that says, cut off, that both of Blue's penalties are done; one was already."""
    bookkeeper.opens("h4/h4/h4/h4 R:N3 d- 0+0/2+0/0+0/0+0 1:- ---- -")
    phone = CompanionPlayer(seat_player(finger=True))
    phone.joins(bookkeeper, "B")
    phone.is_left_without_a_line()
    phone.does_one("B").tap()
    phone.does_one("B").tap()
    phone.writes_a_note("that was all")
    bookkeeper.turns_to("book")
    bookkeeper.does_one("B").tap()
    bookkeeper.is_in_the_book("B done 1")
    phone.has_a_line_again()
    expect(phone.conflict).to_contain_text("Blue: 1 done")
    expect(phone.conflict).to_contain_text("Blue: 0 owed, 2 done")
    expect(phone.conflict).to_contain_text("Still waiting behind it: 1")
    assert bookkeeper.actions == ["B done 1", "B done 1"]
    return phone


def test_the_first_one_refused_stops_the_rest_and_is_left_out(
    bookkeeper: CompanionPlayer, seat_player: Seated
) -> None:
    phone = conflicting(bookkeeper, seat_player)
    phone.page.reload()
    expect(phone.conflict).to_contain_text("Blue: 1 done")
    phone.presses(sentence("page.book-leave-out"))
    bookkeeper.is_in_the_book("B done 1", "B done 1", 'note "that was all"')
    expect(phone.conflict).to_have_count(0)


def test_what_was_refused_is_tried_again(bookkeeper: CompanionPlayer, seat_player: Seated) -> None:
    phone = conflicting(bookkeeper, seat_player)
    phone.presses(sentence("page.learn-again"))
    expect(phone.conflict).to_be_visible()
    bookkeeper.turns_to("referee")
    bookkeeper.page.locator("[data-team=B]").tap()
    bookkeeper.button_named(sentence("page.book-reason-wrong")).tap()
    bookkeeper.page.locator("[data-key=rule]").tap()
    phone.presses(sentence("page.learn-again"))
    bookkeeper.is_in_the_book('ref pen B +1 "wrong entry"', "B done 1", 'note "that was all"')


def test_what_was_refused_is_changed(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens("h4/h4/h4/h4 R:N3 d- 0+0/3+0/0+0/0+0 1:- ---- -")
    entry = '{"kind": "done", "team": "B", "n": 5, "key": "typed-too-much", "at": 0}'
    bookkeeper.page.evaluate(
        "([name, entry]) => localStorage.setItem(name, `[${entry}]`)",
        [f"kibitz-book-{bookkeeper.table}", entry],
    )
    bookkeeper.page.reload()
    expect(bookkeeper.conflict).to_contain_text("Blue: 5 done")
    bookkeeper.presses(sentence("page.book-change"))
    for _ in range(3):
        bookkeeper.sheet.get_by_role("button", name=sentence("page.book-fewer")).tap()
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-write")).tap()
    bookkeeper.is_in_the_book("B done 2")
    expect(bookkeeper.conflict).to_have_count(0)
