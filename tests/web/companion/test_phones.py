"""Several phones at one book."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from support.browser.companion_player import CompanionPlayer
from support.browser.companion_positions import MEAL, OWES
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


def test_a_teams_phone_shows_its_own_side_first(
    bookkeeper: CompanionPlayer, seat_player: Seated
) -> None:
    bookkeeper.opens(
        OWES, teams={"B": {"name": "Foxes", "players": ["Aino"]}}, reminders="everybody"
    )
    phone = CompanionPlayer(seat_player(finger=True))
    phone.joins(bookkeeper, "B")
    expect(bookkeeper.page.locator("#chips")).to_have_text("2 phones")
    expect(phone.page.locator(".ours h2")).to_have_text("Foxes")
    expect(phone.debt_of("B")).to_have_text("6")
    phone.does_one("B").tap()
    expect(phone.debt_of("B")).to_have_text("5")
    phone.presses(sentence("page.book-said-it"))
    expect(phone.button_named(sentence("page.book-said-it"))).to_have_count(0)
    phone.writes_a_note("pizza is here")
    bookkeeper.is_in_the_book("B done 1", "B hembo jag", 'note "pizza is here"')
    expect(phone.page.locator("#tab-referee")).to_have_count(0)
    expect(phone.page.locator(".face")).to_have_count(0)
    phone.turns_to("book")
    expect(phone.does_one("R")).to_have_count(0)
    expect(phone.page.locator("[data-key=undo]")).to_have_count(0)


def test_only_the_bookkeepers_phone_shows_who_owes_the_sentence(
    bookkeeper: CompanionPlayer, seat_player: Seated
) -> None:
    """10.5: the usual rule around a real board."""
    bookkeeper.opens(OWES)
    phone = CompanionPlayer(seat_player(finger=True))
    phone.joins(bookkeeper, "B")
    expect(bookkeeper.page.locator(".hembo.due")).to_have_count(1)
    expect(phone.page.locator(".hembo")).to_have_count(1)
    expect(phone.page.locator(".spark, .due")).to_have_count(0)
    expect(phone.button_named(sentence("page.book-said-it"))).to_have_count(0)
    phone.page.locator(".hembo").tap()
    expect(phone.sheet).not_to_contain_text("costs 1 penalty")
    expect(phone.page.locator(".spark, .due")).to_have_count(0)
    phone.sheet.get_by_role("group", name="Blue").get_by_role("button").tap()
    bookkeeper.is_in_the_book("B hembo jag")


def test_who_may_enter_what_is_a_setting(bookkeeper: CompanionPlayer, seat_player: Seated) -> None:
    bookkeeper.opens(MEAL)
    phone = CompanionPlayer(seat_player(finger=True))
    phone.joins(bookkeeper, "R")
    bookkeeper.turns_to("referee")
    bookkeeper.button_named(sentence("page.book-entry-all")).tap()
    phone.pops(5)
    phone.moves("R t20-t25")
    bookkeeper.is_in_the_book("R pop 5", "R t20-t25")
    bookkeeper.button_named(sentence("page.book-entry-book")).tap()
    expect(phone.does_one("R")).to_have_count(0)
    expect(phone.page.locator(".hembo")).to_have_count(0)
    expect(phone.page.locator("#pause")).to_be_hidden()
    expect(phone.debt_of("R")).to_have_text("2")


def test_a_bookkeeper_enters_everything_once_the_teams_agree(
    bookkeeper: CompanionPlayer, seat_player: Seated
) -> None:
    bookkeeper.opens(MEAL)
    other = CompanionPlayer(seat_player(finger=True))
    other.joins(bookkeeper, "bookkeeper")
    expect(other.page.locator(".face")).to_have_count(0)
    bookkeeper.presses(sentence("page.agree"))
    other.turns_to("turn")
    other.pops(5)
    other.moves("R t4-t9")
    bookkeeper.is_in_the_book("R pop 5", "R t4-t9")
    expect(bookkeeper.page.locator(".asked")).to_have_count(0)


def test_a_watcher_reads_the_book_and_enters_nothing(
    bookkeeper: CompanionPlayer, seat_player: Seated
) -> None:
    bookkeeper.opens(MEAL)
    guest = CompanionPlayer(seat_player(finger=True))
    guest.joins(bookkeeper, "watch")
    expect(guest.debt_of("Y")).to_have_text("4")
    expect(guest.page.locator("[data-one-done]")).to_have_count(0)
    expect(guest.page.locator("#tabs button")).to_have_count(2)


def test_codes_for_every_phone_and_the_party_screen(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(MEAL)
    bookkeeper.turns_to("screen")
    code = bookkeeper.page.locator(".code")
    origin = bookkeeper.player.lets_phones_in(bookkeeper.page.locator("#page"))
    shown, places = set(), ("room", "referee", "bookkeeper", "watch", "party")
    for place in places:
        bookkeeper.page.locator(f'[data-place="{place}"]').tap()
        expect(code.locator("img")).to_have_attribute(
            "src", re.compile(rf"^/t/{bookkeeper.table}/qr/{place}\?")
        )
        shown.add(code.locator("input").input_value())
    links = bookkeeper.links()
    assert shown == {origin + links[place] for place in places}
    party = bookkeeper.page.get_by_role("link", name=sentence("page.party"))
    expect(party).to_have_attribute("href", f"/party/{bookkeeper.table}")
