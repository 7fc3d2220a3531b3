"""Lots and a break on the pages of people at one table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

TEAMS = "RBYG"
TWO = {"R": "me", "B": "free", "Y": "me", "G": "free"}


def two_people(seat_player: Seated, **wish: object) -> tuple[Player, Player]:
    """A host at a desk with two seats and a friend with a phone who has the others."""
    host, friend = seat_player(), seat_player(finger=True)
    host.opens_by_api(game="as-kimble", seats=TWO, **wish)
    friend.comes_by(host.link("B"), "Otso")
    friend.comes_by(host.link("G"))
    return host, friend


def test_the_first_page_lets_one_choose_who_starts(seat_player: Seated) -> None:
    """K17: Red, another team, or lots; lots leave nobody a side to choose."""
    player = seat_player()
    player.page.goto(f"{player.address}/")
    card = player.card("AS-Kimble")
    player.unfolds(card.locator(".more"), card.locator(".settings"))
    begins = card.get_by_label(sentence("page.keep-begins"))
    assert begins.locator("option").all_inner_texts() == [
        *(f"{team} starts" for team in ("Red", "Blue", "Yellow", "Green")),
        "Draw lots with the dome",
    ]
    sides = card.get_by_role("group", name=sentence("page.you-play"))
    expect(sides).to_be_visible()
    begins.select_option("lots")
    expect(sides).to_be_hidden()
    expect(card.get_by_text("Everyone pops once")).to_be_visible()
    expect(card.locator("[data-summary]")).to_contain_text("Draw lots")
    begins.select_option("Y")
    expect(sides).to_be_visible()
    player.plays(card, "device")
    expect(player.prompt).to_contain_text("Yellow to play")


def test_four_chairs_on_one_device_pop_and_one_chooses_a_colour(seat_player: Seated) -> None:
    """K17, K20: from the first page to the first turn, with a finger."""
    player = seat_player(finger=True)
    player.page.goto(f"{player.address}/")
    card = player.card("AS-Kimble")
    player.unfolds(card.locator(".more"), card.locator(".settings"))
    card.get_by_label(sentence("page.keep-begins")).select_option("lots")
    player.plays(card, "device")
    expect(player.prompt).to_contain_text("Chair a to play")
    assert player.lit() == {"dome"}
    for count in range(1, 40):
        if not re.search("Press the dome|press the dome", player.prompt.inner_text()):
            break
        player.touches("dome")
        expect(player.moves).to_have_count(count)
    expect(player.prompt).to_contain_text("choose the home of the colour you want")
    assert player.lit() == {f"h-{team}" for team in TEAMS}
    player.touches("h-G")
    player.presses(player.primary)
    expect(player.page.locator("#prompt-title")).to_have_text(
        re.compile("^(Red|Blue|Yellow|Green) to play$")
    )
    expect(player.moves.last).to_contain_text("took Green")
    assert not player.scrolls_sideways()


def test_a_friend_who_came_by_a_link_goes_with_the_colour(seat_player: Seated) -> None:
    """K17: colours and who begins are told to all, by name."""
    start = "h4/h4/h4/h4 K:ac d6 0+0/0+0/0+0/0+0 1:- ---- -"
    host, friend = seat_player(), seat_player()
    host.opens_by_api(
        game="as-kimble",
        seats={**dict.fromkeys(TEAMS, "random"), "R": "me", "B": "free"},
        start=start,
    )
    friend.comes_by(host.link("B"), "Otso")
    expect(friend.seat("Chair b")).to_contain_text("Otso")
    expect(friend.prompt).to_contain_text("Chair a chooses a colour")
    host.touches("h-Y")
    expect(friend.seat("Green")).to_contain_text("Otso")
    expect(friend.notes.filter(has_text="Otso plays Green")).to_have_count(1)
    expect(friend.page.locator("#log")).to_contain_text("Chair a took Yellow")


def test_a_break_shows_who_still_has_to_agree(seat_player: Seated) -> None:
    """K101: on a desk and on a phone, until all have."""
    host, friend = two_people(seat_player, settings={"consent_seconds": 600})
    friend.chooses(sentence("page.menu-ask-break"))
    expect(friend.requests).to_contain_text("Still to agree: Red, Yellow, the host.")
    expect(host.requests).to_contain_text("asked for a break")
    expect(host.requests).to_contain_text(re.compile(r"Whoever says nothing agrees in \d+ s"))
    host.presses(host.requests.get_by_role("button", name=sentence("page.agree")))
    for player in (host, friend):
        expect(player.page.locator("#stage")).to_be_visible()
        expect(player.prompt).to_contain_text(sentence("as-kimble.status-break"))
        expect(player.requests).to_be_hidden()
    assert not friend.scrolls_sideways()


def test_silence_is_consent_to_a_break(seat_player: Seated) -> None:
    """K101: whoever does not answer in time agrees."""
    host, friend = two_people(seat_player, settings={"consent_seconds": 3})
    friend.chooses(sentence("page.menu-ask-break"))
    expect(host.requests).to_contain_text("asked for a break")
    for player in (host, friend):
        expect(player.prompt).to_contain_text(sentence("as-kimble.status-break"))
