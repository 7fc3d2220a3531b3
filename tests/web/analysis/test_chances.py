"""Chances in a browser: on an analysis board, after a match, and while looking back at it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, expect

from support.browser.axe import serious_but_drawings
from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

FORCED = "8/8/1AA2BB1/8/8/8/8/8 A 0,0 6,6 51 -"
THINKING = 30_000
"""The bots' process may have to start first."""


def opens_board(player: Player) -> None:
    player.page.goto(f"{player.address}/analysis/kalamala?position={FORCED}")
    player.sees_the_board()


def blunders(player: Player) -> str:
    """A match that is over; where its table is."""
    player.opens_by_api(game="kalamala", seats={"A": "me", "B": "me"}, start=FORCED)
    table = player.page.url
    for text in ("f6:W2", "d6:E1", "resign A"):
        player.page.request.post(
            f"{table.replace('/t/', '/api/v1/tables/')}/actions",
            data={"key": text, "actions": [text]},
        )
    return table


def sees_what_was_better(player: Player) -> None:
    """An arrow on the board of the match before the mistake; it is gone after it."""
    arrow = player.page.locator("#stage .l-advice path")
    expect(player.prompt).to_contain_text(sentence("page.replay-better"))
    expect(arrow).to_have_count(3)
    player.page.get_by_role("button", name=sentence("page.replay-after")).click()
    expect(player.prompt).to_contain_text("After move 1 of 3")
    expect(player.prompt).not_to_contain_text(sentence("page.replay-better"))
    expect(arrow).to_have_count(0)


def test_a_board_says_who_is_ahead_and_plays_what_is_best(player: Player) -> None:
    page = player.page
    opens_board(player)
    toggle = page.get_by_role("button", name=sentence("page.evaluate"))
    expect(toggle).to_have_attribute("aria-pressed", "false")
    toggle.focus()
    page.keyboard.press("Enter")
    expect(toggle).to_have_attribute("aria-pressed", "true")
    panel = page.get_by_role("region", name=sentence("page.evaluation"))
    expect(panel).to_contain_text("Rings in the lead", timeout=THINKING)
    expect(panel.get_by_role("listitem").first).to_have_text(re.compile(r"^Rings\d+%$"))
    best = panel.get_by_role("button").first
    expect(best).to_have_text("100%Push c6 one square to d6")
    assert not serious_but_drawings(page)
    best.click()
    expect(page.locator("#log .jump")).to_have_count(2)
    expect(page.locator("#log [aria-current]")).to_contain_text("Rings pushed c6")
    toggle.click()
    expect(panel).to_be_hidden()
    expect(page.locator(".l-advice > *")).to_have_count(0)


def test_an_arrow_shows_what_is_best_and_what_is_pointed_at(player: Player) -> None:
    page = player.page
    opens_board(player)
    arrow = page.locator(".l-advice path").last
    page.get_by_role("button", name=sentence("page.evaluate")).click()
    rows = page.locator("#evaluation .best button")
    expect(rows.first).to_be_visible(timeout=THINKING)
    assert page.locator(".l-advice path").count() == 3, "a shaft with a halo, and a head"
    first = arrow.get_attribute("d")
    rows.nth(1).hover()
    expect(arrow).not_to_have_attribute("d", first or "")
    rows.first.focus()
    expect(arrow).to_have_attribute("d", first or "")
    target = page.locator('[data-el="sq-d6"]').bounding_box()
    head = arrow.bounding_box()
    assert target
    assert head
    assert target["x"] <= head["x"] + head["width"] <= target["x"] + target["width"]
    player.touches("sq-c6")
    expect(player.prompt).to_contain_text(sentence("kalamala.anchor-or-piece"))


@pytest.mark.parametrize(
    ("theme", "tongue"), [("dark", "fi"), pytest.param("light", "fr", marks=pytest.mark.long)]
)
def test_on_a_phone_it_fits(seat_player: Seated, theme: str, tongue: str) -> None:
    player = seat_player(finger=True, color_scheme=theme, locale=tongue)
    page = player.page
    opens_board(player)
    page.locator("#open-menu").tap()
    assert page.locator("#sheet .menu [href='#i-flag']").count() == 0, "nobody resigns here"
    page.locator("#sheet .menu button").first.tap()
    rows = page.locator("#evaluation .best button")
    expect(rows.first).to_be_visible(timeout=THINKING)
    assert not player.scrolls_sideways()
    assert all(box and box["height"] >= 44 for box in (row.bounding_box() for row in rows.all()))
    walk = page.locator("#walk").bounding_box()
    assert walk
    assert walk["y"] + walk["height"] <= 740
    assert not serious_but_drawings(page)
    rows.first.tap()
    expect(page.get_by_role("slider")).to_have_attribute("max", "1")


def test_whoever_plays_is_told_why_there_is_none(browser: Browser, address: str) -> None:
    """On pages of their own: browsers complain of what is refused. The match is named, and there
    is a link to it; before it has begun nothing is refused."""
    player, other = (
        Player(browser.new_page(viewport={"width": 1280, "height": 800}), address) for _ in "AB"
    )
    player.opens_by_api(game="kalamala", seats={"A": "me", "B": "free"})
    table = player.page.url
    api = table.replace("/t/", "/api/v1/tables/")
    link = player.page.request.get(f"{api}/links").json()["B"]
    other.page.goto(f"{address}/")
    other.page.request.post(
        f"{api}/join", data={"token": link.rsplit("/", 1)[1]}, headers={"Origin": address}
    )
    opens_board(player)
    player.page.get_by_role("button", name=sentence("page.evaluate")).click()
    expect(player.page.locator("#evaluation .best button").first).to_be_visible(timeout=THINKING)
    player.page.request.post(f"{api}/actions", data={"key": "x", "actions": ["@a1"]})
    opens_board(player)
    player.page.get_by_role("button", name=sentence("page.evaluate")).click()
    told = player.page.locator("#evaluation").get_by_role("alert")
    expect(told).to_contain_text("You are playing Kalamala against")
    told.get_by_role("link", name=sentence("page.evaluate-go")).click()
    player.page.wait_for_url(table)
    for each in (player, other):
        each.page.close()


def test_a_match_against_a_bot_closes_nothing(player: Player) -> None:
    player.opens_by_api(game="kalamala", seats={"A": "me", "B": "level-1"})
    api = player.page.url.replace("/t/", "/api/v1/tables/")
    player.page.request.post(f"{api}/actions", data={"key": "x", "actions": ["@a1"]})
    opens_board(player)
    player.page.get_by_role("button", name=sentence("page.evaluate")).click()
    expect(player.page.locator("#evaluation .best button").first).to_be_visible(timeout=THINKING)


@pytest.mark.parametrize("is_phone", [False, True])
def test_one_tries_it_oneself_where_a_match_was_lost(seat_player: Seated, is_phone: bool) -> None:
    """The position before the mistake, evaluated, with an arrow; another action is played."""
    player = seat_player(finger=is_phone)
    table, page = blunders(player), player.page
    page.goto(f"{table}/result")
    page.get_by_role("button", name=sentence("page.chances-look")).click()
    part = page.get_by_role("region", name=sentence("page.chances"))
    part.get_by_role("link", name=sentence("analysis.try-it")).first.click(timeout=THINKING)
    player.sees_the_board()
    expect(page.locator(".l-advice path")).not_to_have_count(0)
    best = page.locator("#evaluation .best button").first
    expect(best).to_contain_text("Push c6 one square to d6", timeout=THINKING)
    expect(page.locator("#log .jump")).to_have_count(4)
    assert not player.scrolls_sideways()
    best.click()
    expect(page.locator("#log .branch .jump, #log .now .jump").last).to_contain_text("c6")
    page.wait_for_url("**moves=c6:E1")


@pytest.mark.parametrize("theme", [pytest.param("light", marks=pytest.mark.long), "dark"])
def test_after_a_match_its_chances_are_drawn(seat_player: Seated, theme: str) -> None:
    player = seat_player(finger=theme == "dark", color_scheme=theme)
    table, page = blunders(player), player.page
    page.goto(f"{table}/result")
    page.get_by_role("button", name=sentence("page.chances-look")).click()
    part = page.get_by_role("region", name=sentence("page.chances"))
    expect(part.get_by_role("img", name="Rings: chance of winning")).to_be_visible(timeout=THINKING)
    expect(part.get_by_role("heading", name=sentence("analysis.mistakes"))).to_be_visible()
    worst = part.get_by_role("link").first
    expect(worst).to_contain_text("Better: Push c6 one square to d6")
    part.get_by_text(sentence("page.course-table")).click()
    expect(part.get_by_role("row").last.get_by_role("cell")).to_have_text(["0%", "100%"])
    assert not player.scrolls_sideways()
    assert not serious_but_drawings(page)
    worst.click()
    player.sees_the_board()
    sees_what_was_better(player)


def test_looking_back_one_jumps_along_the_chances(player: Player) -> None:
    page, table = player.page, blunders(player)
    page.goto(f"{table}/result")
    page.goto(f"{table}#3")
    expect(player.prompt).to_contain_text("After move 3 of 3")
    page.get_by_role("button", name=sentence("page.chances")).click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator("svg.plot")).to_be_visible(timeout=THINKING)
    assert not serious_but_drawings(page)
    sheet.get_by_role("link", name="Move 1").click()
    expect(sheet).to_be_hidden()
    sees_what_was_better(player)


def test_there_are_none_while_a_match_goes_on(player: Player) -> None:
    player.opens_by_api(game="kalamala", seats={"A": "me", "B": "me"})
    player.page.request.post(
        f"{player.page.url.replace('/t/', '/api/v1/tables/')}/actions",
        data={"key": "x", "actions": ["@a1"]},
    )
    expect(player.moves).to_have_count(1)
    player.page.keyboard.press("[")
    expect(player.prompt).to_contain_text(sentence("page.keep-start"))
    expect(player.page.get_by_role("button", name=sentence("page.chances"))).to_be_hidden()
