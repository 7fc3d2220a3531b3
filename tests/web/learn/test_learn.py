"""The tutorials, gone through in a real browser."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Browser, expect

from kibitz.bots.registry import SUGGESTED_LEVEL
from support.browser.axe import serious_but_drawings
from support.browser.player import Player
from support.browser.tutorial_player import Pupil, fits
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

LEARNT = [
    pytest.param("kalamala", "en", True, marks=pytest.mark.long),
    pytest.param("kahmate", "fr", False, marks=pytest.mark.long),
    pytest.param("as-kimble", "fi", True, marks=pytest.mark.long),
    pytest.param("kahmate", "fi", True, marks=pytest.mark.long),
    pytest.param("as-kimble", "fr", False, marks=pytest.mark.long),
    pytest.param("as-kimble", "sv", True, marks=pytest.mark.long),
    pytest.param("kahmate", "sv", True, marks=pytest.mark.long),
    pytest.param("kalamala", "sv", False, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("game", "language", "finger"), LEARNT)
def test_a_tutorial_can_be_gone_through(
    seat_player: Seated, game: str, language: str, finger: bool
) -> None:
    pupil = Pupil(seat_player(finger=finger, locale=language), game)
    for number in range(1, len(pupil.steps) + 1):
        assert pupil.number == number
        pupil.solves()
        assert not pupil.player.scrolls_sideways(), number
        pupil.goes_on()
    sheet = pupil.page.locator("#sheet")
    expect(sheet.locator("a[href^='/learn/']")).to_have_count(1)
    pupil.player.presses(sheet.locator("button[value=bot]"))
    pupil.page.wait_for_url("**/t/*")
    pupil.player.sees_the_board()


def wrong(pupil: Pupil) -> None:
    """Something that is allowed, but not what is asked for."""
    expressions = pupil.step["solves"]
    pupil.chooses(pupil.offer(lambda texts: not fits(texts, expressions)))


@pytest.mark.parametrize("finger", [pytest.param(False, marks=pytest.mark.long), True])
def test_what_is_not_asked_for_is_taken_back(seat_player: Seated, finger: bool) -> None:
    pupil = Pupil(seat_player(finger=finger), "kalamala")
    player, rings = pupil.player, pupil.page.locator(".rings rect")
    wrong(pupil)
    expect(pupil.task).to_contain_text("That is allowed")
    expect(pupil.task).to_contain_text(pupil.step["task"])
    expect(player.piece("sq-h4")).to_be_attached()
    expect(rings).to_have_count(0)
    wrong(pupil)
    expect(pupil.task).to_contain_text("orange rings")
    expect(rings.first).to_be_attached()
    pupil.solves()
    expect(rings).to_have_count(0)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param("as-kimble", marks=pytest.mark.long),
        pytest.param("kahmate", marks=pytest.mark.long),
        "kalamala",
    ],
)
def test_whoever_touches_what_is_ringed_solves_every_step(seat_player: Seated, game: str) -> None:
    pupil = Pupil(seat_player(finger=True), game)
    for step in pupil.steps:
        expect(pupil.task).to_contain_text(step["task"])
        pupil.player.presses(pupil.page.get_by_role("button", name=sentence("page.learn-hint")))
        pupil.follows_rings()
        expect(pupil.task).to_contain_text(step["praise"])
        pupil.goes_on()
    pupil.player.presses(pupil.page.locator("#sheet button[value=bot]"))
    pupil.page.wait_for_url("**/t/*")
    table = pupil.page.request.get(pupil.page.url.replace("/t/", "/api/v1/tables/")).json()
    assert {seat["bot"] for seat in table["seats"] if not seat["is_mine"]} == {SUGGESTED_LEVEL}


@pytest.mark.parametrize("finger", [False, pytest.param(True, marks=pytest.mark.long)])
def test_what_is_not_allowed_is_refused_as_at_a_table(seat_player: Seated, finger: bool) -> None:
    pupil = Pupil(seat_player(finger=finger), "kalamala")
    pupil.player.touches("sq-e4", "sq-a1")
    where = pupil.page.locator("#prompt.refused" if finger else ".bubble")
    expect(where).to_contain_text("Rule 3")
    pupil.player.presses(where.get_by_role("button"))
    pupil.player.presses(pupil.player.prompt.get_by_role("button", name=sentence("page.back")))
    pupil.solves()


def test_what_was_found_is_found_again(player: Player) -> None:
    """A step can be done once more, from its middle or from its end."""
    pupil = Pupil(player, "kahmate")
    for _ in range(2):
        pupil.page.locator("#after").click()
    pupil.solves()
    pupil.page.get_by_role("button", name=sentence("page.learn-again")).click()
    expect(player.piece("sq-g4")).to_be_attached()
    pupil.solves()


def test_whoever_comes_back_goes_on_where_they_were(player: Player) -> None:
    pupil = Pupil(player, "as-kimble")
    for _ in range(2):
        pupil.solves()
        pupil.goes_on()
    pupil.page.reload()
    pupil.looks()
    assert pupil.number == 3
    expect(pupil.page.locator("#dots .done")).to_have_count(2)
    pupil.solves()
    pupil.page.locator("#at").click()
    pupil.page.get_by_role("button", name=sentence("page.learn-over")).click()
    expect(pupil.page.locator("#dots .done")).to_have_count(0)
    assert pupil.number == 1
    pupil.solves()


def test_a_step_can_be_gone_to(player: Player) -> None:
    pupil = Pupil(player, "kahmate")
    pupil.page.locator("#at").click()
    pupil.page.get_by_role("button", name=pupil.steps[7]["title"]).click()
    assert pupil.number == 8
    pupil.solves()
    pupil.page.locator("#before").click()
    assert pupil.number == 7
    expect(pupil.task).to_contain_text(pupil.step["task"])


@pytest.mark.long
def test_a_tutorial_can_be_gone_through_by_keyboard(player: Player) -> None:
    pupil = Pupil(player, "kalamala")
    page = pupil.page
    while page.evaluate("!document.activeElement.closest('#stage')"):
        page.keyboard.press("Tab")
    for step in pupil.steps:
        expect(pupil.task).to_contain_text(step["task"])
        offer = pupil.offer(partial(fits, expressions=step["solves"]))
        for place in offer["path"]:
            tries = 80
            while page.evaluate("document.activeElement.dataset.el") != place and tries:
                page.keyboard.press("n")
                tries -= 1
            page.keyboard.press("Enter")
        rows = page.locator(".bubble .choices button")
        if rows.count():
            rows.get_by_text(offer["label"], exact=True).press("Enter")
        expect(pupil.next).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator("#sheet")).to_contain_text("Now you know Kalamala")


def test_the_rule_is_read_beside_the_board(player: Player) -> None:
    pupil = Pupil(player, "kalamala")
    pupil.task.get_by_role("link", name="Rule 4").click()
    expect(pupil.page.locator("#reading .hl")).to_contain_text("4 ")
    pupil.solves()


def test_there_are_ways_to_a_tutorial(player: Player) -> None:
    player.page.goto(f"{player.address}/")
    player.card("AS-Kimble").get_by_role("link", name=sentence("page.learn-button")).click()
    expect(player.page.get_by_role("heading", name="Learn AS-Kimble")).to_be_visible()
    player.page.goto(f"{player.address}/rules/kahmate")
    player.page.get_by_role("link", name=sentence("page.learn-quickly")).click()
    expect(player.page.get_by_role("heading", name="Learn Kahmaté")).to_be_visible()


def test_what_was_tried_is_not_lost_with_the_connection(browser: Browser, address: str) -> None:
    page = browser.new_context(reduced_motion="reduce").new_page()
    pupil = Pupil(Player(page, address), "kalamala")
    offer = pupil.offer(lambda texts: fits(texts, pupil.step["solves"]))
    page.context.set_offline(True)
    pupil.player.touches(*offer["path"])
    expect(page.locator("#banner")).to_contain_text("Connection lost")
    page.context.set_offline(False)
    expect(pupil.next).to_be_visible()
    expect(page.locator("#banner")).to_be_hidden()
    page.context.close()


@pytest.mark.parametrize("theme", [pytest.param("light", marks=pytest.mark.long), "dark"])
@pytest.mark.parametrize("finger", [pytest.param(False, marks=pytest.mark.long), True])
def test_nothing_serious_is_in_the_way_of_a_learner(
    seat_player: Seated, theme: str, finger: bool
) -> None:
    """By axe: names, contrast, roles."""
    pupil = Pupil(seat_player(color_scheme=theme, finger=finger), "kalamala")
    wrong(pupil)
    expect(pupil.task).to_contain_text("That is allowed")
    assert not serious_but_drawings(pupil.page)
    pupil.solves()
    assert not serious_but_drawings(pupil.page)
    pupil.player.presses(pupil.page.locator("#at"))
    assert not serious_but_drawings(pupil.page)
    pupil.player.presses(pupil.page.locator("#sheet .numbered button").last)
    pupil.solves()
    pupil.goes_on()
    assert not serious_but_drawings(pupil.page)
