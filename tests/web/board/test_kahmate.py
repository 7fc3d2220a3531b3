"""Kahmaté in a browser: a match to its last try on one device, all of it by touching the page."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.browser.captains import EVERYTHING, OPTIONS, Captains, say
from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

READY = """() => document.querySelector(
  '#curtain button:enabled, #stage .hit.lit, #prompt [data-button], #sheet[open] .result')"""


@pytest.fixture
def player(seat_player: Seated) -> Player:
    player = seat_player()
    player.sits_down(game="kahmate", options=json.dumps(OPTIONS))
    return player


def position(player: Player) -> str:
    return player.page.request.get(f"{player.page.url}/position").text().strip()


def find_in_page(player: Player, pattern: str) -> list[str]:
    """What is in the page of such things, seen or not."""
    return re.findall(pattern, player.page.evaluate("document.documentElement.outerHTML"))


def is_veiled(player: Player, codes: list[str]) -> list[str]:
    """No hand, no tray, and none of the secrets that the one before has committed.

    Given what was open before that, gives back what is open now.
    """
    assert find_in_page(player, r"(?:pc|hit)-(?:card|tray)") == []
    now = find_in_page(player, r"card=\d|[STFCO]@[a-m]\d")
    if "?" in position(player) or "place:B" in position(player):
        assert now == codes
    return now


def men(player: Player) -> int:
    return player.page.locator("#stage .pc.man").count()


def plays(player: Player, captains: Captains) -> None:
    """One action of whoever acts; what a duel came to is put away before it."""
    if player.page.locator("#reveal-card").is_visible():
        player.page.keyboard.press("Escape")
    lit = player.lit()
    hand = [int(place[-1]) for place in lit if place.startswith("card-")]
    if hand:
        card = f"card-{captains.card(position(player), hand)}"
        player.touches(card)
        expect(player.primary).to_have_text(f"Play the {card[-1]}")
        player.touches(card)
        return
    if "tray" in lit:
        lines_up(player, captains)
        return
    offer = captains.choose(position(player))
    if offer.path[0].startswith("btn-"):
        player.button(offer.path[0]).click()
    else:
        player.touches(*offer.path)
    choices = player.page.locator(".choices button")
    if choices.count():
        choices.get_by_text(say(offer.label), exact=True).first.click()
    if offer.needs_confirmation:
        expect(player.primary).to_have_text(say(offer.label))
        player.primary.click()


def lines_up(player: Player, captains: Captains) -> None:
    """Red takes a line-up; Blue places man by man the first time, with a second thought."""
    if captains.done["placed"] or "Blue" not in player.prompt.inner_text():
        captains.done["line-up"] += 1
        player.button("btn-lineup").click()
        player.page.locator(".choices button").nth(captains.done["line-up"] % 3).click()
        player.primary.click()
        return
    captains.done["placed"] += 1
    before = player.moves.count()
    player.touches("sq-l1")
    expect(player.moves).to_have_count(before + 1)
    player.page.get_by_role("button", name=sentence("page.take-back")).click()
    expect(player.moves).to_have_count(before)
    player.drags("tray", "sq-k4")
    expect(player.moves).to_have_count(before + 1)
    for number, square in enumerate(("k3", "k5", "k6", "l4"), 2):
        player.touches(f"sq-{square}")
        expect(player.moves).to_have_count(before + number)
    player.touches("sq-l5", "sq-l5")  # the last one is asked for


ALWAYS = frozenset(("hand-over", "line-up", "placed", "end", "try"))
"""What also a short match shows, wherever the ball is drawn."""
NEARLY_ALL = EVERYTHING - {"pass"}
"""The first pass there is, is passed; in one match of three hundred there is none."""


@pytest.mark.parametrize(
    ("tries", "shown"), [(1, ALWAYS), pytest.param(3, NEARLY_ALL, marks=pytest.mark.long)]
)
def test_a_match_to_its_last_try(seat_player: Seated, tries: int, shown: frozenset[str]) -> None:
    player, captains, codes = seat_player(), Captains(), list[str]()
    player.sits_down(game="kahmate", options=json.dumps({**OPTIONS, "tries": tries}))
    for _ in range(300):
        player.page.wait_for_function(READY)
        if player.page.locator("#sheet .result").is_visible():
            break
        if player.curtain.is_visible():
            codes = is_veiled(player, codes)
            captains.done["hand-over"] += 1
            player.takes_the_device()
            continue
        played = player.moves.count()
        plays(player, captains)
        expect(player.moves).not_to_have_count(played)
    expect(player.page.get_by_role("dialog", name="Red won")).to_contain_text(f"{tries}")
    assert shown - captains.done.keys() == set()


def test_set_up_in_secret(player: Player) -> None:
    """Nothing of Red's men is left in the page when the device goes to Blue, nor on its way."""
    assert men(player) == 0
    player.takes_the_device()
    player.touches("sq-b2")
    expect(player.piece("sq-b2")).to_be_attached()
    expect(player.moves).to_have_count(1)
    expect(player.curtain).to_be_hidden()
    player.page.get_by_role("button", name=sentence("page.take-back")).click()
    player.button("btn-lineup").click()
    player.page.locator(".choices button").first.click()
    expect(player.moves).to_have_count(0)
    player.primary.click()
    expect(player.curtain).to_contain_text("Pass the device to Blue")
    assert is_veiled(player, []) == []
    assert men(player) == 0
    assert player.page.locator('#stage [tabindex="0"]').get_attribute("data-el") == "sq-a1"
    expect(player.moves.locator("visible=true")).to_have_count(1)
    player.takes_the_device()
    assert player.page.locator("#stage .pc.man.side-R").count() == 0


def test_on_a_phone_all_of_it_has_its_place(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    player.sits_down(game="kahmate", options=json.dumps(OPTIONS))
    for _ in range(2):
        expect(player.curtain).to_be_visible()
        player.takes_the_device()
        player.presses(player.button("btn-lineup"))
        player.presses(player.page.locator(".choices button").first)
        player.presses(player.primary)
    expect(player.button("btn-end")).to_be_visible()
    assert not player.scrolls_sideways()
    assert player.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    square = player.page.locator('#stage [data-el="sq-g4"]').bounding_box()
    assert square
    assert square["width"] > 38
    man = sorted(player.lit())[0]
    player.touches(man)
    expect(player.page.locator("#stage .l-targets text").first).to_be_attached()
    expect(player.prompt.get_by_role("button", name=sentence("page.back"))).to_be_in_viewport()
    assert not player.scrolls_sideways()


BEHIND = "13/13/13/5tF6/4O8/13/13/13 R play - g4 134/156 0-0 22 -"
"""Blue's man can be forced through, and could jump in on a pass."""
BOXES = """shapes => shapes.map(shape => {
  const { left, right, top, bottom } = shape.getBoundingClientRect();
  return [left, right, top, bottom];
})"""


def test_a_warning_leaves_the_sign_of_an_attack_readable(seat_player: Seated) -> None:
    player = seat_player()
    player.opens_by_api(game="kahmate", seats={"R": "me", "B": "me"}, start=BEHIND)
    player.touches("sq-g4")
    targets = player.page.locator("#stage .l-targets")
    attack = targets.locator('use[href="#i-force"]')
    expect(attack).to_be_visible()
    (sign,) = attack.evaluate_all(BOXES)
    (warning,) = targets.locator('path[d^="M0-10"]').evaluate_all(BOXES)
    assert warning[1] <= sign[0]


def test_a_ready_line_up_is_seen_before_it_is_taken(player: Player) -> None:
    """Also when some men are placed already: they stay."""
    player.takes_the_device()
    player.touches("sq-b2")
    expect(player.moves).to_have_count(1)
    player.button("btn-lineup").click()
    player.page.locator(".choices button").first.click()
    expect(player.page.locator("#stage .l-targets .man")).to_have_count(5)
    expect(player.prompt).to_contain_text("men you have already placed stay")
    player.primary.click()
    expect(player.curtain).to_contain_text("Pass the device to Blue")


def test_a_row_says_all_that_a_square_may_mean(seat_player: Seated) -> None:
    player = seat_player()
    pulls = "8/8/4B3/4B3/8/4A3/4A3/4A3 A 0,0 5,6 51 -"
    player.opens_by_api(game="kalamala", start=pulls, seats={"A": "me", "B": "me"})
    player.touches("sq-e5")
    player.page.keyboard.press("w")
    rows = player.page.get_by_role("dialog", name=sentence("page.what")).get_by_role("listitem")
    both = re.compile("Pull one piece to e4 · Pull 2 pieces to e4")
    expect(rows.filter(has_text="Pull 2 pieces")).to_have_text([both])
