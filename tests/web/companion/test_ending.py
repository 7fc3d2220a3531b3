"""The end of a night, and the time after it: a checked winner, a rematch, the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from support.browser.companion_player import CompanionPlayer
from support.browser.companion_positions import PLACED, START
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

TEAMS = {"Y": {"name": "Keltanokat", "players": ["Aino", "Otso"]}}


def test_a_team_that_owes_something_wins_by_a_ruling_and_says_whether_it_raised(
    bookkeeper: CompanionPlayer, seat_player: Seated
) -> None:
    """One headline everywhere, with the team's name; then another match with the same teams."""
    bookkeeper.opens(START.replace("0+0/0+0 1:-", "22+0/0+0 1:-"), depth="ledger", teams=TEAMS)
    wall = seat_player().page
    wall.set_viewport_size({"width": 1920, "height": 1080})
    wall.goto(bookkeeper.address + bookkeeper.links()["party"])
    wall.locator("main .btn.pri").click()
    wins(bookkeeper, "Y")
    owing = sentence("page.book-won-owing", team="Keltanokat", n=22)
    expect(bookkeeper.sheet).to_contain_text(owing)
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-won-anyway")).tap()
    assert not bookkeeper.actions, "it needs a reason"
    bookkeeper.sheet.get_by_label(sentence("page.book-why")).fill("the host says so")
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-won-anyway")).tap()
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-raised-yes")).tap()
    bookkeeper.is_in_the_book("led raise Y", 'led won Y "the host says so"')
    headline = bookkeeper.page.locator(".ended h2")
    expect(headline).to_contain_text("Keltanokat")
    expect(bookkeeper.page.locator(".ended")).to_contain_text("true victory")
    expect(wall.locator("#duty.won b").first).to_have_text(headline.inner_text())
    expect(wall.locator(".team.won")).to_contain_text("Keltanokat")
    expect(wall.locator(".team.won .crown")).to_be_attached()
    # Another match, and its own end.
    before = bookkeeper.table
    bookkeeper.presses(sentence("page.book-rematch"))
    bookkeeper.page.get_by_role("link", name=sentence("page.book-rematch-on")).tap()
    bookkeeper.page.wait_for_url(lambda url: "/book/" in url and before not in url)
    bookkeeper.is_ready()
    wins(bookkeeper, "B")
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-raised-no")).tap()
    bookkeeper.is_in_the_book("led won B")
    expect(bookkeeper.page.locator("[data-wins=Y]")).to_contain_text("Keltanokat")
    for team, won in (("R", "0"), ("B", "1"), ("Y", "1")):
        expect(bookkeeper.page.locator(f"[data-wins={team}] .num")).to_have_text(won)


def test_the_last_penalty_asks_before_it_wins(bookkeeper: CompanionPlayer) -> None:
    """Also when the second touch comes before the page has seen what the first one did."""
    bookkeeper.opens(PLACED)
    bookkeeper.turns_to("book")
    bookkeeper.sees_only = '"type":"done"'
    bookkeeper.does_one("R").tap()
    bookkeeper.is_in_the_book("R done 1")
    expect(bookkeeper.page.locator(".waits")).to_have_count(0)
    bookkeeper.does_one("R").tap()
    expect(bookkeeper.sheet).to_contain_text(sentence("page.book-last-done-hint", team="Red"))
    bookkeeper.page.go_back()
    expect(bookkeeper.sheet).to_be_hidden()
    assert bookkeeper.actions == ["R done 1"]
    bookkeeper.does_one("R").tap()
    bookkeeper.sheet.get_by_role("button", name=sentence("page.book-last-done-yes")).tap()
    bookkeeper.is_in_the_book("R done 1", "R done 1")
    expect(bookkeeper.does_one("R")).to_be_disabled()


def wins(bookkeeper: CompanionPlayer, team: str) -> None:
    """Somebody says in a book without a board that a team has won."""
    bookkeeper.presses(sentence("page.book-has-won"))
    bookkeeper.sheet.locator(f".btn.team-{team}").tap()
