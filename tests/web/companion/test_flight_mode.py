"""A night on three phones and a projector, one of the phones reloaded in flight mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import Locator, Page, expect

from support.browser.companion_player import TEAMS, CompanionPlayer
from support.words import sentence
from web.lib.test_offline import wait_until_kept

if TYPE_CHECKING:
    from web.conftest import Seated

OWING = "h4/h4/h4/h4 R:N3 d- 0+0/3+0/0+0/2+0 1:- ---- -"


def test_a_phone_in_flight_mode_is_reloaded_and_the_night_goes_on(seat_player: Seated) -> None:
    """All come by the one link of the room, and all screens say the same in the end."""
    host = CompanionPlayer(seat_player(finger=True), wired=True)
    blue = CompanionPlayer(seat_player(finger=True, rough=True, keeps=True), wired=True)
    green = CompanionPlayer(seat_player(finger=True), wired=True)
    wall = seat_player().page
    host.opens(OWING, depth="ledger")
    link = host.address + host.links()["room"]
    for phone, team in ((blue, "B"), (green, "G")):
        comes_in(phone, link, team)
    wall.goto(host.address + host.links()["party"])
    wall.locator("main .btn.pri").click()
    expect(owed_on(wall, "B")).to_have_text("3")

    wait_until_kept(blue.page, "/offline/book")
    blue.page.context.set_offline(True)
    blue.page.reload()
    blue.is_ready()
    expect(blue.page.locator(".ours")).to_be_visible()
    blue.does_one("B").tap()
    blue.writes_a_note("no line on the balcony")
    blue.page.reload()
    blue.is_ready()
    expect(blue.page.locator(".waits-card")).to_contain_text("2 entries are waiting")

    host.eats("Eaten", "R2", "B1")
    host.is_in_the_book("led eat R2 B1")
    green.does_one("G").tap()
    host.is_in_the_book("led eat R2 B1", "G done 1")
    expect(owed_on(wall, "B")).to_have_text("5")
    expect(owed_on(wall, "G")).to_have_text("1")

    blue.page.context.set_offline(False)
    written = ("B done 1", 'note "no line on the balcony"')
    host.is_in_the_book("led eat R2 B1", "G done 1", *written)
    expect(blue.page.locator(".waits-card")).to_have_count(0)
    expect(owed_on(wall, "B")).to_have_text("4")
    expect(wall.locator("#events")).to_contain_text("no line on the balcony")
    books = [phone.ledger() for phone in (host, blue, green)]
    assert books[0] == books[1] == books[2]
    assert books[0] == {"R": (0, 0), "B": (4, 1), "Y": (0, 0), "G": (1, 1)}
    for team in TEAMS:
        expect(owed_on(wall, team)).to_have_text(str(books[0][team][0]))


def comes_in(phone: CompanionPlayer, link: str, team: str) -> None:
    phone.page.goto(link)
    phone.page.locator(f"[name=place][value={team}]").check()
    phone.page.get_by_role("button", name=sentence("page.come-in")).tap()
    phone.is_ready()


def owed_on(wall: Page, team: str) -> Locator:
    return wall.locator(f'[data-owed="{team}"]')
