"""Mistakes, rulings and what the board says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from support.browser.companion_player import Keeper
from support.browser.companion_positions import MEAL, START
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


def test_undo_says_what_it_undoes_and_deletes_nothing(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.pops(4)
    keeper.is_in_the_book("R pop 4")
    keeper.turns_to("book")
    undo = keeper.page.locator("[data-key=undo]")
    expect(undo).to_contain_text("Red popped 4")
    undo.tap()
    keeper.sheet.get_by_role("button", name=sentence("page.book-undo-this")).tap()
    expect(undo).to_have_count(0)
    assert keeper.actions == []
    keeper.turns_to("turn")
    keeper.pops(5)
    keeper.presses(sentence("page.book-pop-again"))
    keeper.sheet.get_by_label(sentence("page.reason")).fill("a six, really")
    keeper.sheet.get_by_role("button", name=sentence("page.book-undo-this")).tap()
    keeper.is_asked("Red to pop")
    notes = [note["text"] for note in keeper.asks("view")["table"]["notes"]]
    assert any("a six, really" in note for note in notes)


def test_the_book_goes_back_to_any_point(keeper: Keeper) -> None:
    keeper.opens(START)
    for face in (1, 2, 3):
        keeper.pops(face)
        keeper.is_in_the_book(f"R pop {face}")
    keeper.turns_to("book")
    keeper.page.locator('[data-to="1"]').tap()
    expect(keeper.sheet.locator(".gone li")).to_have_text(["Red popped 3", "Red popped 2"])
    keeper.sheet.get_by_role("button", name=sentence("page.book-go-back")).tap()
    expect(keeper.page.locator(".last li")).to_have_count(1)
    assert keeper.actions == ["R pop 1"]


def test_the_referee_gives_and_takes_with_a_reason(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.turns_to("referee")
    write = keeper.page.locator("[data-key=rule]")
    expect(write).to_be_disabled()
    keeper.page.locator("[data-team=Y]").tap()
    keeper.button_named(sentence("page.book-fewer")).tap()
    expect(keeper.page.locator(".counted")).to_contain_text("4 becomes 3")
    keeper.button_named(sentence("page.book-reason-bumped")).tap()
    write.tap()
    keeper.is_in_the_book('ref pen Y -1 "board bumped"')
    keeper.button_named(sentence("page.book-rule-completed")).tap()
    keeper.page.get_by_label(sentence("page.reason")).fill("two at once")
    write.tap()
    keeper.is_in_the_book('ref done Y +1 "two at once"')
    keeper.button_named(sentence("page.book-rule-words")).tap()
    keeper.page.get_by_label(sentence("page.reason")).fill("no phones in the sauna")
    write.tap()
    keeper.is_in_the_book('ref rule "no phones in the sauna"')
    assert keeper.position[3] == "2+5/1+3/3+3/0+6"


def test_the_board_says_otherwise(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.turns_to("referee")
    keeper.button_named(sentence("page.book-rule-pieces")).tap()
    keeper.button_named(sentence("page.book-edit-board")).tap()
    keeper.puts("t-20", "Empty")
    keeper.puts("t-21", "Red heart, single")
    keeper.page.locator("#board-dock .pri").tap()
    expect(keeper.page.locator("#board-page")).to_be_hidden()
    assert keeper.position[0].startswith("h1,t4x2,t21/")
    assert keeper.actions[-1].startswith('ref set "h1,t4x2,t21/')


def test_what_others_enter_while_the_board_is_set_is_not_lost(
    keeper: Keeper, seat_player: Seated
) -> None:
    keeper.opens(MEAL)
    phone = Keeper(seat_player(finger=True))
    phone.joins(keeper, "Y")
    keeper.turns_to("referee")
    keeper.button_named(sentence("page.book-rule-pieces")).tap()
    keeper.button_named(sentence("page.book-edit-board")).tap()
    keeper.puts("t-20", "Empty")
    phone.does_one("Y").tap()
    keeper.is_in_the_book("Y done 1")
    keeper.page.locator("#board-dock .pri").tap()
    expect(keeper.page.locator("#banner")).to_contain_text("in the meantime")
    keeper.sets_the_board()
    assert keeper.position[0].startswith("h2,t4x2/")
    assert keeper.position[3] == "2+5/1+3/3+3/0+6"


def test_a_ruling_is_about_penalties_where_there_is_no_board(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.turns_to("referee")
    keeper.button_named(sentence("page.book-rule-pieces")).tap()
    keeper.button_named(sentence("page.book-depth-ledger")).tap()
    keeper.sheet.get_by_role("button", name=sentence("page.book-depth-ledger")).tap()
    expect(keeper.button_named(sentence("page.night-ledger"))).to_have_attribute(
        "aria-pressed", "true"
    )
    keeper.button_named(sentence("page.book-reason-bumped")).tap()
    keeper.page.locator("[data-key=rule]").tap()
    keeper.is_in_the_book('ref pen R +1 "board bumped"')


def test_teams_are_renamed_and_the_game_is_ended(keeper: Keeper) -> None:
    keeper.opens(MEAL)
    keeper.turns_to("referee")
    keeper.button_named(sentence("page.book-teams")).tap()
    keeper.sheet.get_by_label("Name of Red").fill("Owls")
    keeper.sheet.get_by_label("Players of Red").fill("Aino, Otso")
    keeper.sheet.get_by_role("button", name=sentence("page.book-save")).tap()
    keeper.turns_to("turn")
    keeper.is_asked("Owls to pop")
    keeper.turns_to("referee")
    keeper.button_named(sentence("page.book-end")).tap()
    keeper.sheet.get_by_label(sentence("page.reason")).fill("the sun is up")
    keeper.sheet.get_by_role("button", name=sentence("page.book-end")).tap()
    keeper.turns_to("turn")
    expect(keeper.page.locator(".ended")).to_contain_text("the sun is up")
