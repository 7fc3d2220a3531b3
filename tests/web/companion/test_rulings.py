"""Mistakes, rulings and what the board says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from support.browser.companion_player import CompanionPlayer
from support.browser.companion_positions import MEAL, START
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


def test_undo_says_what_it_undoes_and_deletes_nothing(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(MEAL)
    bookkeeper.pops(4)
    bookkeeper.is_in_the_book("R pop 4")
    bookkeeper.turns_to("book")
    undo = bookkeeper.page.locator("[data-key=undo]")
    expect(undo).to_contain_text("Red popped 4")
    undo.tap()
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-undo-this")).tap()
    expect(undo).to_have_count(0)
    assert bookkeeper.actions == []
    bookkeeper.turns_to("turn")
    bookkeeper.pops(5)
    bookkeeper.presses(sentence("page.book-pop-again"))
    bookkeeper.sheet.get_by_label(sentence("page.reason")).fill("a six, really")
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-undo-this")).tap()
    bookkeeper.is_asked("Red to pop")
    notes = [note["text"] for note in bookkeeper.asks("view")["table"]["notes"]]
    assert any("a six, really" in note for note in notes)


def test_the_book_goes_back_to_any_point(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(START)
    for face in (1, 2, 3):
        bookkeeper.pops(face)
        bookkeeper.is_in_the_book(f"R pop {face}")
    bookkeeper.turns_to("book")
    bookkeeper.page.locator('[data-to="1"]').tap()
    expect(bookkeeper.sheet.locator(".gone li")).to_have_text(["Red popped 3", "Red popped 2"])
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-go-back")).tap()
    expect(bookkeeper.page.locator(".last li")).to_have_count(1)
    assert bookkeeper.actions == ["R pop 1"]


def test_the_referee_gives_and_takes_with_a_reason(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(MEAL)
    bookkeeper.turns_to("referee")
    write = bookkeeper.page.locator("[data-key=rule]")
    expect(write).to_be_disabled()
    bookkeeper.page.locator("[data-team=Y]").tap()
    bookkeeper.button_named(sentence("page.book-fewer")).tap()
    expect(bookkeeper.page.locator(".counted")).to_contain_text("4 becomes 3")
    bookkeeper.button_named(sentence("page.book-reason-bumped")).tap()
    write.tap()
    bookkeeper.is_in_the_book('ref pen Y -1 "board bumped"')
    bookkeeper.button_named(sentence("page.book-rule-completed")).tap()
    bookkeeper.page.get_by_label(sentence("page.reason")).fill("two at once")
    write.tap()
    bookkeeper.is_in_the_book('ref done Y +1 "two at once"')
    bookkeeper.button_named(sentence("page.book-rule-words")).tap()
    bookkeeper.page.get_by_label(sentence("page.reason")).fill("no phones in the sauna")
    write.tap()
    bookkeeper.is_in_the_book('ref rule "no phones in the sauna"')
    assert bookkeeper.position[3] == "2+5/1+3/3+3/0+6"


def test_the_board_says_otherwise(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(MEAL)
    bookkeeper.turns_to("referee")
    bookkeeper.button_named(sentence("page.book-rule-pieces")).tap()
    bookkeeper.button_named(sentence("page.book-edit-board")).tap()
    bookkeeper.puts("t-20", "Empty")
    bookkeeper.puts("t-21", "Red heart, single")
    bookkeeper.page.locator("#board-dock .pri").tap()
    expect(bookkeeper.page.locator("#board-page")).to_be_hidden()
    assert bookkeeper.position[0].startswith("h1,t4x2,t21/")
    assert bookkeeper.actions[-1].startswith('ref set "h1,t4x2,t21/')


def test_what_others_enter_while_the_board_is_set_is_not_lost(
    bookkeeper: CompanionPlayer, seat_player: Seated
) -> None:
    bookkeeper.opens(MEAL)
    phone = CompanionPlayer(seat_player(finger=True))
    phone.joins(bookkeeper, "Y")
    bookkeeper.turns_to("referee")
    bookkeeper.button_named(sentence("page.book-rule-pieces")).tap()
    bookkeeper.button_named(sentence("page.book-edit-board")).tap()
    bookkeeper.puts("t-20", "Empty")
    phone.does_one("Y").tap()
    bookkeeper.is_in_the_book("Y done 1")
    bookkeeper.page.locator("#board-dock .pri").tap()
    expect(bookkeeper.page.locator("#banner")).to_contain_text("in the meantime")
    bookkeeper.sets_the_board()
    assert bookkeeper.position[0].startswith("h2,t4x2/")
    assert bookkeeper.position[3] == "2+5/1+3/3+3/0+6"


def test_a_ruling_is_about_penalties_where_there_is_no_board(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(MEAL)
    bookkeeper.turns_to("referee")
    bookkeeper.button_named(sentence("page.book-rule-pieces")).tap()
    bookkeeper.button_named(sentence("page.book-depth-ledger")).tap()
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-depth-ledger")).tap()
    expect(bookkeeper.button_named(sentence("page.night-ledger"))).to_have_attribute(
        "aria-pressed", "true"
    )
    bookkeeper.button_named(sentence("page.book-reason-bumped")).tap()
    bookkeeper.page.locator("[data-key=rule]").tap()
    bookkeeper.is_in_the_book('ref pen R +1 "board bumped"')


def test_teams_are_renamed_and_the_game_is_ended(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(MEAL)
    bookkeeper.turns_to("referee")
    bookkeeper.button_named(sentence("page.book-teams")).tap()
    bookkeeper.sheet.get_by_label("Name of Red").fill("Owls")
    bookkeeper.sheet.get_by_label("Players of Red").fill("Aino, Otso")
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-save")).tap()
    bookkeeper.turns_to("turn")
    bookkeeper.is_asked("Owls to pop")
    bookkeeper.turns_to("referee")
    bookkeeper.button_named(sentence("page.book-end")).tap()
    bookkeeper.sheet.get_by_label(sentence("page.reason")).fill("the sun is up")
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-end")).tap()
    bookkeeper.turns_to("turn")
    expect(bookkeeper.page.locator(".ended")).to_contain_text("the sun is up")
