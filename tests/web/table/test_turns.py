"""Somebody who looks elsewhere hears of their turn from the list of their tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, Page, expect

from support.words import sentence
from web.lib.test_settings import HIDE, SHOWN
from web.table.test_people import two

if TYPE_CHECKING:
    from web.conftest import Seated

MINUTE = 60_000


@pytest.fixture(scope="module")
def browser(whole_browser: Browser) -> Browser:
    return whole_browser


def wait_for_notifications(page: Page, *titles: str) -> None:
    page.wait_for_function(
        f"wanted => ({SHOWN})().then(shown => shown.map(each => each[0]).join() === wanted)",
        arg=",".join(titles),
    )


def test_the_list_of_tables_tells_of_turns_where_that_is_wished_for(seat_player: Seated) -> None:
    aino, marc = two(seat_player)
    aino.touches("rs-A", "sq-a1")
    expect(marc.prompt).to_contain_text(sentence("page.your-turn"))
    page = aino.page
    page.context.grant_permissions(["notifications"])
    page.clock.install()
    page.goto(aino.address)
    switch = page.get_by_role("switch", name=sentence("page.notify"))
    expect(switch).not_to_be_checked()
    page.evaluate(HIDE, True)
    marc.touches("rs-B", "sq-h8")
    expect(marc.moves).to_have_count(2)
    page.clock.fast_forward(2 * MINUTE)
    expect(page.locator(".yours")).to_have_attribute("data-waiting", "0")

    page.evaluate(HIDE, False)
    expect(page.locator(".yours")).to_have_attribute("data-waiting", "1")
    marc.page.goto(marc.page.url)
    switch.check()
    expect(switch).to_be_checked()
    page.evaluate(HIDE, True)
    marc.opens_by_api(game="kalamala", seats={"A": "free", "B": "me"})
    token = marc.link("A").rsplit("/", 1)[1]
    table = marc.page.url.rsplit("/", 1)[1]
    joined = page.request.post(f"{aino.address}/api/v1/tables/{table}/join", data={"token": token})
    assert joined.ok
    page.clock.fast_forward(2 * MINUTE)
    expect(page.locator(".yours")).to_have_attribute("data-waiting", "2")
    wait_for_notifications(page, "Your turn")
    page.evaluate(HIDE, False)
    wait_for_notifications(page)
    expect(switch).to_be_checked()


def test_the_switch_is_not_there_without_tables(seat_player: Seated) -> None:
    aino = seat_player()
    aino.page.goto(aino.address)
    expect(aino.page.get_by_role("switch", name="Tell me")).to_have_count(0)
