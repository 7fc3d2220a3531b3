"""AS-Kimble in a browser: four teams on one device, to the end, every action through the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.browser.player import Player
from support.browser.touch import DECIDES_ITSELF
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

RAISE = "t0,t12,g1,g3/h3,g4/t20,t8,g2,g4/h3,g1 R:M6 d6 0+1/2+0/0+0/1+0 1:- ---- -"
CLOSE = "t0,t12,g1,g3/t13,g1,g2,g3/t20,t8,g2,g4/t1,g2,g3,g4 R:M6 d6 0+1/2+0/0+0/1+0 1:RBYG ---- -"
"""All have raised once, and everybody is close to the end."""
LAST = "t26,g2,g3,g4/t5,g2,g3,g4/t12,g2,g3,g4/t19,g2,g3,g4 R:N1 d2 1+0/0+0/0+0/0+0 2:- ---- -"
"""Everybody needs a two."""
READY = """() => document.querySelector('#stage .hit.lit, #sheet[open] .result,'
  + '#prompt [data-button=btn-yes], #prompt [data-button=btn-pass]')"""


BLUE = "/Blue popped/.test(document.querySelector('#log').textContent)"


@pytest.fixture
def player(seat_player: Seated) -> Player:
    player = seat_player()
    player.page.add_init_script(DECIDES_ITSELF)
    player.sits_down(game="as-kimble")
    return player


def position(player: Player) -> list[str]:
    return player.page.request.get(f"{player.page.url}/position").text().split()


def types(player: Player, text: str) -> None:
    """Typed by whoever opened the table, who is the referee too."""
    played = player.moves.count()
    player.page.locator("#open-menu").click()
    player.page.get_by_role("button", name=sentence("page.type")).click()
    player.page.locator("input.typed").fill(text)
    player.page.keyboard.press("Enter")
    expect(player.moves).not_to_have_count(played)


def does(player: Player, *touches: str) -> None:
    """Touches these, and is sure if asked."""
    played = player.moves.count()
    for place in touches:
        if place.startswith("btn-"):
            player.button(place).click()
        else:
            # The dome is left alone while somebody may say the sentence.
            expect(player.page.locator("#stage .die-delay")).to_have_count(0, timeout=8000)
            player.touches(place)
    is_sure(player, played)


def is_sure(player: Player, played: int) -> None:
    """Says so if the page asks; then something has been played."""
    asks = "document.querySelector('#prompt.sure .btn.pri')"
    done = f"document.querySelectorAll('#log li:not(.none)').length !== {played}"
    player.page.wait_for_function(f"() => {done} || {asks}")
    if player.moves.count() == played:
        player.presses(player.primary)
    expect(player.moves).not_to_have_count(played)


def says_hembo(player: Player, team: str) -> None:
    """On one device anybody's call is under the same button."""
    played = player.moves.count()
    player.button("btn-hembo").click()
    player.page.locator(".choices button", has_text=f"{team}:").first.click()
    expect(player.moves).not_to_have_count(played)


def plays_on(player: Player) -> None:
    """Whatever leads to the end: the dome, a piece and where it goes, a vote, a pass."""
    lit = player.lit()
    if "dome" in lit:
        does(player, "dome")
        return
    for button in ("btn-yes", "btn-pass"):
        if player.button(button).count():
            does(player, button)
            return
    played, first = player.moves.count(), sorted(lit)[-1]
    player.touches(first)
    following = sorted(player.lit() - {first})
    player.touches(following[0])
    if player.page.locator(".choices button").count():
        player.page.locator(".choices button").first.click()
    is_sure(player, played)


def test_a_game_of_four_teams_to_its_end(player: Player) -> None:
    for _ in range(4):
        player.page.wait_for_function(READY)
        plays_on(player)

    # The referee sets the board, and rules.
    types(player, f'ref set "{RAISE}" "a later evening"')
    types(player, 'ref pen Y +2 "popped out of turn"')
    expect(player.moves.last).to_contain_text("popped out of turn")
    assert position(player)[3] == "0+1/2+0/2+0/1+0"

    # A raise: Blue and Green are back home and owe the sentence; Yellow chooses what it gives.
    does(player, "g-R1", "t-0")
    assert position(player)[1] == "R:CY"
    assert position(player)[5] == "-!-!"
    does(player, "g-Y2", "h-Y")
    says_hembo(player, "Blue")
    assert position(player)[5] == "-+-!"
    while position(player)[1].startswith("R"):
        player.page.wait_for_function(READY)
        plays_on(player)
    owed = position(player)[3].split("/")[3]
    player.page.wait_for_function(READY)
    does(player, "dome")
    assert position(player)[3].split("/")[3] == f"{int(owed.split('+')[0]) + 1}+0"
    assert position(player)[5][3] == "-"

    # A vote on a new round.
    types(player, f'ref set "{CLOSE}" "late already"')
    does(player, "btn-propose")
    for team in ("Blue", "Yellow", "Green"):
        expect(player.prompt).to_contain_text(team)
        does(player, "btn-yes")
    assert position(player)[4] == "2:-"

    # And on to the end, which is near.
    types(player, f'ref set "{LAST}" "the last tram"')
    for _ in range(200):
        player.page.wait_for_function(READY)
        if player.page.locator("#sheet .result").is_visible():
            break
        plays_on(player)
    expect(player.page.locator("#sheet .result")).to_contain_text(sentence("page.won"))
    assert position(player)[1].endswith(":E")


def test_the_only_choice_makes_itself_if_that_is_wished(player: Player) -> None:
    player.page.locator("#open-menu").click()
    player.page.get_by_role("button", name=sentence("page.settings")).click()
    player.page.get_by_label(sentence("page.only")).check()
    player.page.keyboard.press("Escape")
    types(player, 'ref set "h4/h4/h4/h4 R:M6 d6 0+0/0+0/0+0/0+0 1:- ---- -" "a six"')
    expect(player.piece("t-0")).to_be_attached()


def test_against_three_bots_on_a_phone(seat_player: Seated) -> None:
    """They take their turns, and nothing of it needs more room than there is."""
    player = seat_player(finger=True)
    player.page.add_init_script(DECIDES_ITSELF)
    player.sits_down("bot", game="as-kimble")
    fits = "scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth"
    player.page.wait_for_function(f"() => document.documentElement.{fits}")
    expect(player.button("btn-hembo")).to_be_in_viewport()
    popped = player.moves.filter(has_text="Blue popped")
    for _ in range(20):
        player.page.wait_for_function(f"{READY} || {BLUE}")
        if popped.count():
            break
        plays_on(player)
    expect(popped.first).to_be_attached(timeout=20_000)


def test_the_sentence_is_always_in_the_same_place(seat_player: Seated) -> None:
    """Whatever else there is to press, and while a piece is being chosen."""
    player = seat_player(finger=True)
    player.sits_down(game="as-kimble")
    places = [player.button("btn-hembo").bounding_box()]
    for start in (RAISE, CLOSE.replace("R:M6", "R:VBY"), LAST.replace("----", "!---")):
        types(player, f'ref set "{start}" "later"')
        places.append(player.button("btn-hembo").bounding_box())
    types(player, f'ref set "{RAISE}" "a choice"')
    for touched in ("t-12", "t-18"):
        player.touches(touched)
        places.append(player.button("btn-hembo").bounding_box())
    assert all(place == places[0] for place in places)


def test_what_has_no_room_is_behind_one_button(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    player.sits_down(game="as-kimble", options='{"mode": "companion", "pace": "free"}')
    vote = CLOSE.replace("R:M6", "R:VBY")
    types(player, f'ref set "{vote}" "a vote"')
    for button in ("btn-hembo", "btn-yes", "btn-no"):
        expect(player.button(button)).to_be_in_viewport()
    player.presses(player.button("more"))
    expect(player.page.locator(".choices button")).to_have_text(["Done", "Mishap", "Break"])
    player.presses(player.page.locator(".choices button", has_text=sentence("page.book-break")))
    expect(player.button("btn-resume")).to_be_visible()


def test_nobody_reads_the_die_while_it_rattles(seat_player: Seated) -> None:
    player = seat_player(moving=True)
    player.sits_down(game="as-kimble")
    slowly = player.page.context.new_cdp_session(player.page)
    slowly.send("Animation.enable")
    slowly.send("Animation.setPlaybackRate", {"playbackRate": 0.1})
    player.touches("dome")
    rattles = "() => document.querySelector('#die').getAnimations().length > 0"
    player.page.wait_for_function(rattles)
    expect(player.moves).to_have_count(0, timeout=100)
    player.touches("dome")  # which only finishes it
    expect(player.moves).to_have_count(1)
    expect(player.page.locator("#banner")).to_be_hidden()
