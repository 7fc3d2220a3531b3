"""Teams of a night: how many they are, what that comes to, and who has something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from support.browser.companion_player import CompanionPlayer
from support.browser.companion_positions import LOTS, OWES
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


def test_a_team_is_counted_at_the_start_and_mended_during_the_night(
    bookkeeper: CompanionPlayer, seat_player: Seated
) -> None:
    """The sentence and the litres follow, on every screen."""
    page = bookkeeper.page
    page.goto(f"{bookkeeper.address}/book")
    green = page.locator(".team-card.team-G")
    green.get_by_label("Players of Green").fill("Ben, Bea,")
    expect(green.locator("output")).to_have_text("2")
    green.get_by_role("button", name=sentence("page.book-more")).tap()
    expect(green.locator("output")).to_have_text("3")
    for _ in range(3):
        green.get_by_role("button", name=sentence("page.book-fewer")).tap()
    expect(green.locator("output")).to_have_text("2")
    page.locator("[name=unit][value=cans] + span").tap()
    page.locator(".start .btn").tap()
    bookkeeper.is_ready()
    assert bookkeeper.asks("record")["options"]["team_size"] == [1, 1, 1, 2]
    # In the middle of it
    bookkeeper.opens(OWES, options={"unit": "cans"})
    bookkeeper.turns_to("referee")
    bookkeeper.button_named(sentence("page.book-teams")).tap()
    blue = bookkeeper.sheet.get_by_role("group", name="Blue")
    blue.get_by_label("Players of Blue").fill("Väinö, Aino")
    blue.get_by_role("button", name="Aino").tap()
    blue.get_by_role("button", name=sentence("page.book-more")).tap()
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-save")).tap()
    bookkeeper.turns_to("book")
    row = page.locator(".ledger .lr.team-B")
    expect(row).to_contain_text(f"Aino ({sentence('page.book-something-else')})")
    bookkeeper.does_one("B").tap()
    expect(row.locator(".litres")).to_have_text("0.33 l so far, 0.17 l each")
    wall = seat_player().page
    wall.goto(bookkeeper.address + bookkeeper.links()["party"])
    wall.locator("main .btn.pri").click()
    expect(wall.locator(".team-B .litres")).to_have_text("0.17 l each")
    bookkeeper.turns_to("turn")
    bookkeeper.says_hembo("Blue", "Vi bor i hembo")
    bookkeeper.is_in_the_book("B hembo vi")


def test_chairs_wear_no_colour_and_a_tie_is_explained(bookkeeper: CompanionPlayer) -> None:
    bookkeeper.opens(LOTS)
    bookkeeper.is_asked("Chair a to pop for the start")
    for text in ("a lot 3", "b lot 2", "c lot 2", "d lot 5"):
        bookkeeper.enters(text)
    lots = bookkeeper.page.locator(".lots-card")
    level = sentence("page.book-lots-level", teams="Chair b and Chair c")
    expect(lots.get_by_role("status")).to_have_text(level)
    expect(lots.locator("[data-chair=d] .die")).to_have_count(1)
    bookkeeper.enters("b lot 4")
    bookkeeper.enters("c lot 1")
    bookkeeper.is_asked("Chair c to choose a colour")
    expect(lots.locator("[data-chair=c] .die")).to_have_count(2)
    signs = [row.inner_html() for row in bookkeeper.page.locator(".move .peg").all()]
    assert len({*signs}) == len("RBYG"), "each wears its own"
    bookkeeper.touches_the_board("h-Y")
    bookkeeper.page.locator("[data-key=sure]").tap()
    bookkeeper.is_in_the_book("c colour Y")
