"""An account from the first page to the ladder, in two browsers and on two devices."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.accounts import PASSWORD, new_name
from support.browser.axe import serious
from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

BAD = ("serious", "critical")


def fills(player: Player, heading: str, name: str) -> None:
    form = player.page.get_by_role("region", name=heading)
    form.get_by_label(sentence("page.ladder-name")).fill(name)
    form.get_by_label(sentence("page.password")).fill(PASSWORD)
    player.presses(form.get_by_role("button"))


def registers(player: Player, name: str) -> None:
    player.page.goto(f"{player.address}/account")
    fills(player, "Create an account", name)
    expect(player.page.get_by_role("status")).to_contain_text("Your account has been created")


def logs_in(player: Player, name: str) -> None:
    player.page.goto(f"{player.address}/")
    player.presses(player.page.get_by_label(sentence("page.name-and-account")))
    player.presses(player.page.get_by_role("link", name=sentence("page.log-in"), exact=True))
    fills(player, "Log in", name)
    expect(player.page.get_by_role("link", name=f"{name}, Account")).to_be_visible()


def fits(player: Player) -> bool:
    """Whether nothing has to be scrolled sideways."""
    return bool(player.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_from_a_guest_to_the_ladder(seat_player: Seated) -> None:
    aino, phone, marc = seat_player(), seat_player(finger=True), seat_player()
    one, other = new_name("Aino"), new_name("Marc")
    aino.sits_down("device")
    aino.touches("rs-A", "sq-a1")
    expect(aino.moves).to_have_count(1)
    begun = aino.page.url

    registers(aino, one)
    logs_in(phone, one)
    phone.presses(phone.page.get_by_role("link", name=re.compile("Kalamala on one device")))
    expect(phone.page).to_have_url(begun)
    expect(phone.moves).to_have_count(1)

    registers(marc, other)
    aino.page.goto(aino.address)
    card = aino.card()
    aino.unfolds(card.locator(".more"), card.locator(".settings"))
    card.get_by_label(sentence("page.rated-match")).check()
    aino.plays(card, "friend")
    table, link = aino.page.url, aino.link("B")

    stranger = seat_player(finger=True)
    stranger.page.goto(link)
    way_in = stranger.page.get_by_role("link", name=sentence("page.rated-log-in-to-sit"))
    expect(way_in).to_be_visible()
    assert stranger.page.get_by_role("button", name=sentence("page.sit-down")).count() == 0

    marc.page.goto(link)
    expect(marc.page.get_by_text("By sitting down you agree")).to_be_visible()
    marc.page.get_by_role("button", name=sentence("page.sit-down")).click()
    marc.sees_the_board()
    expect(marc.page.locator(".rated-chip")).to_contain_text(sentence("page.rated"))
    expect(marc.seat(one).locator(".has-account")).to_contain_text(sentence("page.has-account"))

    phone.page.goto(table)
    phone.sees_the_board()
    phone.touches("rs-A", "sq-a1", "sq-a1")
    expect(marc.moves).to_have_count(1)
    marc.page.request.post(
        f"{marc.address}/api/v1/tables/{table.rsplit('/', 1)[1]}/actions",
        data={"key": "end", "actions": ["resign B"]},
    )
    expect(aino.prompt).to_contain_text("You won")
    aino.page.goto(f"{table}/result")
    expect(aino.page.get_by_role("list", name=sentence("page.ratings"))).to_contain_text(
        re.compile(rf"{one}.*\(\+\d+\).*{other}.*\(\u2212\d+\)", re.S)
    )

    aino.page.goto(f"{aino.address}/ladder/kalamala")
    newcomers = aino.page.get_by_role("table", name=sentence("page.ladder-new"))
    for name in (one, other):
        expect(newcomers.get_by_role("row", name=name)).to_contain_text("1")
    expect(newcomers.locator("tr.mine")).to_contain_text(one)


def test_what_is_wrong_is_said_where_it_was_typed(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    player.page.route(
        "**/account/*", lambda route: route.fulfill(response=route.fetch(), status=200)
    )
    player.page.goto(f"{player.address}/account")
    form = player.page.get_by_role("region", name=sentence("page.register"))
    form.get_by_label(sentence("page.ladder-name")).fill("Somebody")
    form.get_by_label(sentence("page.password")).fill("short")
    player.presses(form.get_by_role("button"))
    expect(form.get_by_role("alert")).to_have_text("A password needs at least 8 characters.")
    expect(form.get_by_label(sentence("page.ladder-name"))).to_have_value("Somebody")
    expect(form.get_by_label(sentence("page.ladder-name"))).to_be_focused()


def test_a_token_is_shown_once_and_a_device_is_logged_out(seat_player: Seated) -> None:
    desktop, phone = seat_player(), seat_player(finger=True)
    registers(desktop, name := new_name("Otso"))
    logs_in(phone, name)
    desktop.page.reload()
    bots = desktop.page.get_by_role("region", name=sentence("page.bot-tokens"))
    bots.get_by_label(sentence("page.bot-token-name")).fill("my robot")
    bots.get_by_role("button", name=sentence("page.bot-token-make")).click()
    expect(bots.get_by_role("textbox", name="my robot")).to_have_value(re.compile("^kibitz_.{40,}"))
    expect(bots.get_by_role("button", name="Revoke my robot")).to_be_visible()
    desktop.page.goto(f"{desktop.address}/account")
    assert bots.locator("#token").count() == 0

    devices = desktop.page.get_by_role("region", name=sentence("page.devices"))
    expect(devices.get_by_role("listitem")).to_have_count(2)
    devices.get_by_role("button").click()
    expect(desktop.page.get_by_role("status")).to_contain_text("within ten seconds")
    expect(devices.get_by_role("listitem")).to_have_count(1)
    way_in = phone.page.get_by_label(sentence("page.name-and-account"))
    for _ in range(12):
        phone.page.goto(phone.address)
        if way_in.is_visible():
            break
        phone.page.wait_for_timeout(1000)
    expect(way_in).to_be_visible()


def test_deleting_says_what_goes_and_asks_for_the_password(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    registers(player, name := new_name("Lumi"))
    part = player.page.get_by_role("region", name=sentence("page.account-delete"))
    expect(part).to_contain_text("Deleted at once")
    expect(part).to_contain_text("Kept:")
    part.get_by_label(sentence("page.password")).fill(PASSWORD)
    player.presses(part.get_by_role("button"))
    expect(player.page.locator("#name")).to_have_value("")
    assert name not in player.page.content()


OTHER_LOOKS = [
    ("en", "dark", True),
    ("fi", "light", False),
    ("fr", "light", False),
    ("fr", "dark", True),
    ("sv", "dark", True),
]


@pytest.mark.parametrize(
    ("locale", "theme", "finger"),
    [
        ("en", "light", False),
        ("fi", "dark", True),
        *(pytest.param(*each, marks=pytest.mark.long) for each in OTHER_LOOKS),
    ],
)
def test_the_pages_are_for_everybody(
    seat_player: Seated, locale: str, theme: str, finger: bool
) -> None:
    player = seat_player(finger=finger, color_scheme=theme, locale=locale, bypass_csp=True)
    page = player.page

    def check(name: str) -> None:
        assert fits(player), name
        assert not serious(page), name

    page.goto(f"{player.address}/account")
    check("the way in")
    page.locator("form[action='/account/register'] [name=name]").fill(new_name("W" * 15))
    page.locator("form[action='/account/register'] [name=password]").fill(PASSWORD)
    player.presses(page.locator("form[action='/account/register'] button"))
    page.wait_for_url("**/account?done=registered")
    check("an account")
    for path in ("/", "/ladder/kalamala", "/ladder/as-kimble"):
        page.goto(player.address + path)
        check(path)
