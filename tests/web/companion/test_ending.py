"""The end of a night, and the time after it: a checked winner, a rematch, the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from support.browser.companion_player import Keeper
from support.browser.companion_positions import PLACED, START
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

TEAMS = {"Y": {"name": "Keltanokat", "players": ["Aino", "Otso"]}}


def test_a_team_that_owes_something_wins_by_a_ruling_and_says_whether_it_raised(
    keeper: Keeper, seat_player: Seated
) -> None:
    """One headline everywhere, with the team's name; then another match with the same teams."""
    keeper.opens(START.replace("0+0/0+0 1:-", "22+0/0+0 1:-"), depth="ledger", teams=TEAMS)
    wall = seat_player().page
    wall.set_viewport_size({"width": 1920, "height": 1080})
    wall.goto(keeper.address + keeper.links()["party"])
    wall.locator("main .btn.pri").click()
    wins(keeper, "Y")
    owing = sentence("page.book-won-owing", team="Keltanokat", n=22)
    expect(keeper.sheet).to_contain_text(owing)
    keeper.sheet.get_by_role("button", name=sentence("page.book-won-anyway")).tap()
    assert not keeper.actions, "it needs a reason"
    keeper.sheet.get_by_label(sentence("page.book-why")).fill("the host says so")
    keeper.sheet.get_by_role("button", name=sentence("page.book-won-anyway")).tap()
    keeper.sheet.get_by_role("button", name=sentence("page.book-raised-yes")).tap()
    keeper.is_in_the_book("led raise Y", 'led won Y "the host says so"')
    headline = keeper.page.locator(".ended h2")
    expect(headline).to_contain_text("Keltanokat")
    expect(keeper.page.locator(".ended")).to_contain_text("true victory")
    expect(wall.locator("#duty.won b").first).to_have_text(headline.inner_text())
    expect(wall.locator(".team.won")).to_contain_text("Keltanokat")
    expect(wall.locator(".team.won .crown")).to_be_attached()
    # Another match, and its own end.
    before = keeper.table
    keeper.presses(sentence("page.book-rematch"))
    keeper.page.get_by_role("link", name=sentence("page.book-rematch-on")).tap()
    keeper.page.wait_for_url(lambda url: "/book/" in url and before not in url)
    keeper.is_ready()
    wins(keeper, "B")
    keeper.sheet.get_by_role("button", name=sentence("page.book-raised-no")).tap()
    keeper.is_in_the_book("led won B")
    expect(keeper.page.locator("[data-wins=Y]")).to_contain_text("Keltanokat")
    for team, won in (("R", "0"), ("B", "1"), ("Y", "1")):
        expect(keeper.page.locator(f"[data-wins={team}] .num")).to_have_text(won)


def test_the_last_penalty_asks_before_it_wins(keeper: Keeper) -> None:
    """Also when the second touch comes before the page has seen what the first one did."""
    keeper.opens(PLACED)
    keeper.turns_to("book")
    keeper.sees_only = '"type":"done"'
    keeper.does_one("R").tap()
    keeper.is_in_the_book("R done 1")
    expect(keeper.page.locator(".waits")).to_have_count(0)
    keeper.does_one("R").tap()
    expect(keeper.sheet).to_contain_text(sentence("page.book-last-done-hint", team="Red"))
    keeper.page.go_back()
    expect(keeper.sheet).to_be_hidden()
    assert keeper.actions == ["R done 1"]
    keeper.does_one("R").tap()
    keeper.sheet.get_by_role("button", name=sentence("page.book-last-done-yes")).tap()
    keeper.is_in_the_book("R done 1", "R done 1")
    expect(keeper.does_one("R")).to_be_disabled()


def wins(keeper: Keeper, team: str) -> None:
    """Somebody says in a book without a board that a team has won."""
    keeper.presses(sentence("page.book-has-won"))
    keeper.sheet.locator(f".btn.team-{team}").tap()
