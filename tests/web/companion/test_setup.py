"""Opening a book: everything has an answer already, and all of it can be said."""

from __future__ import annotations

from playwright.sync_api import expect

from support.browser.companion_player import CompanionPlayer
from support.words import sentence


def test_the_first_pop_is_three_touches_away(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.page.goto(f"{bookkeeper.address}/")
    bookkeeper.taps_on(bookkeeper.page.locator(".book-line"))
    bookkeeper.taps_on(bookkeeper.page.locator(".start .btn"))
    bookkeeper.is_ready()
    bookkeeper.pops(6)
    bookkeeper.is_in_the_book("R pop 6")
    assert bookkeeper.taps == 3


def test_what_one_needs_is_listed_where_people_choose_the_game(bookkeeper: CompanionPlayer) -> None:
    """K6."""
    bookkeeper.page.goto(f"{bookkeeper.address}/book")
    needs = bookkeeper.page.locator("#needs")
    for part in ("Kimble board", "sixteen pieces", "four teams", "enough", "keep the book"):
        expect(needs).to_contain_text(part)


def test_teams_players_and_house_rules_are_set_up(bookkeeper: CompanionPlayer) -> None:
    page = bookkeeper.page
    page.goto(f"{bookkeeper.address}/book")
    page.get_by_label("Name of Blue").fill("Foxes")
    page.get_by_label("Players of Blue").fill("Aino")
    page.keyboard.press("Enter")
    page.keyboard.type("Otso")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Remove Aino").tap()
    page.get_by_label("Players of Blue").fill("Ella")
    page.locator("[value=soft] + span").tap()
    page.get_by_label(sentence("page.keep-doubled")).check()
    page.locator("[name=begins][value=B] + span").tap()
    page.locator("summary").tap()
    page.get_by_label("Hembo").select_option(label="is left out")
    page.locator(".start .btn").tap()
    bookkeeper.is_ready()
    bookkeeper.is_asked("Foxes to pop")
    expect(page.locator(".head-card")).to_contain_text("Otso, Ella")
    expect(page.locator("[data-key=hembo]")).to_have_count(0)
    record = bookkeeper.asks("record")
    options = record["options"]
    assert (options["mode"], options["pace"]) == ("companion", "free")
    assert (options["team_size"], options["unit"], options["unit_factor"]) == (
        [1, 2, 1, 1],
        "soft",
        2,
    )
    assert options["hembo"] == "off"
    assert record["teams"]["B"] == {"name": "Foxes", "players": ["Otso", "Ella"]}
    bookkeeper.turns_to("book")
    expect(page.locator(".shares li").nth(1)).to_have_text(
        "1 = 4 half-cans of soft drink, team of 2"
    )


def test_the_age_is_eighteen_with_alcohol_and_fifteen_without(bookkeeper: CompanionPlayer) -> None:
    """K4, R32: where the unit is chosen, and with the other reading of the mark."""
    page = bookkeeper.page
    page.goto(f"{bookkeeper.address}/book")
    adults, minors = page.locator("#adults"), page.locator("#minors")
    for unit, age in (
        *(("units", "15+"), ("soft", "15+"), ("custom", "15+")),
        *(("cans", "18+"), ("wine", "18+")),
    ):
        choice = page.locator(f"[value={unit}] + span")
        expect(choice).to_contain_text(age)
        choice.tap()
        shown, hidden = (adults, minors) if age == "18+" else (minors, adults)
        expect(shown).to_contain_text(age)
        expect(hidden).to_be_hidden()
    page.locator("[value=units] + span").tap()
    expect(minors).to_contain_text("minutes of play")


def test_a_unit_of_ones_own_needs_a_name(bookkeeper: CompanionPlayer) -> None:
    page = bookkeeper.page
    page.goto(f"{bookkeeper.address}/book")
    page.locator("[value=custom] + span").tap()
    page.locator(".start .btn").tap()
    expect(page.get_by_label(sentence("page.keep-unit-name"))).to_be_focused()
    page.get_by_label(sentence("page.keep-unit-name")).fill("squats")
    page.locator(".start .btn").tap()
    bookkeeper.is_ready()
    bookkeeper.turns_to("book")
    expect(page.locator(".page .chip").first).to_have_text("1 = 1 squats, team of 1")


def test_lots_decide_who_begins_and_teams_keep_their_people(bookkeeper: CompanionPlayer) -> None:
    page = bookkeeper.page
    page.goto(f"{bookkeeper.address}/book")
    page.get_by_label("Name of Green").fill("Foxes")
    page.get_by_label("Players of Green").fill("Aino,Otso")
    page.locator("[value=lots] + span").tap()
    page.locator(".start .btn").tap()
    bookkeeper.is_ready()
    bookkeeper.enters("warm 4")
    for face, action in ((3, "a lot 3"), (5, "b lot 5"), (4, "c lot 4"), (2, "d lot 2")):
        bookkeeper.pops(face)
        bookkeeper.is_in_the_book(action)
    bookkeeper.is_asked("Foxes to choose a colour")
    bookkeeper.moves("d colour R")
    bookkeeper.is_in_the_book("d colour R")
    bookkeeper.is_asked("Yellow to pop")
    assert bookkeeper.asks("record")["teams"]["R"] == {"name": "Foxes", "players": ["Aino", "Otso"]}
