"""A try, a meal, a death and a win are seen over the board before anything else is shown."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, WebSocketRoute, expect

from support.browser.player import Player
from support.words import sentence
from web.board.test_telling import MEAL, acts, line, two
from web.lib.test_sound import SPY

if TYPE_CHECKING:
    from web.conftest import Seated

AT_THE_LINE = "13/13/11s1/10F2/13/13/13/1CTSOOfct1oo1 R play k4:3 k4 123456/123456 0-0 4 -"
LAST_BLOCK = "8/8/1AA4B/8/8/8/8/8 A 0,0 6,7 51 -"
"""Rings push the last block off."""
MINE = "t1,g2,g3,g4/h3,t7/h4/h4 R:M6 d6 3+0/0+0/0+0/0+0 1:- ---- -"
RAISE = "t0,t12,g1,g3/h3,g4/t20,t8,g2,g4/h3,g1 R:M6 d6 0+1/2+0/0+0/1+0 1:- ---- -"
OWING = "h1,t9x2,t20/h4/h4/h4 R:N3 d5 0+0/6+0/0+0/0+0 1:- -!-- -"
"""Blue has not said the sentence, and Red may pop."""
LONG_MS = 60_000
"""Anything has been seen by then."""


HORNS = """() => {
  window.horns = [];
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (...given) {
    if (this.type === "sawtooth") window.horns.push(this.frequency.value);
    return start.apply(this, given);
  };
}"""
FANFARE = 700
"""Only a fanfare has so high a horn."""


def moment(player: Player) -> Locator:
    return player.page.locator("#stage .moment")


def goes_on_until_a_moment(player: Player) -> None:
    """Little by little: when its news come over the line is not in the hands of a test."""
    for _ in range(200):
        player.page.clock.run_for(50)
        if moment(player).count():
            return
    raise AssertionError("there was none")


def stands_still(player: Player) -> None:
    """Time does not go on by itself from now."""
    player.page.clock.pause_at("2100-01-01")


def test_a_try_is_seen_on_the_field_where_it_was_scored(seat_player: Seated) -> None:
    player = seat_player(finger=True, pace="calm")
    player.page.clock.install()
    seats = {"R": "me", "B": "level-1"}
    player.opens_by_api(game="kahmate", start=AT_THE_LINE, options={"tries": 2}, seats=seats)
    stands_still(player)
    acts(player, "k4-l4")
    acts(player, "l4-m4")
    goes_on_until_a_moment(player)
    expect(moment(player)).to_have_text("Try: 1\u20130")
    expect(line(player)).to_contain_text("Your Fast man scored a try: 1\u20130")
    assert player.page.locator("#stage .l-pieces .pc.man").count() == 12
    expect(player.piece("sq-m4")).to_be_attached()
    player.page.clock.run_for(LONG_MS)
    expect(moment(player)).to_have_count(0)
    expect(player.page.locator("#stage [data-el=tray]")).to_be_attached()


def test_the_last_try_is_seen_before_the_result(seat_player: Seated) -> None:
    player = seat_player(finger=True, pace="calm")
    player.page.clock.install()
    seats = {"R": "me", "B": "level-1"}
    player.opens_by_api(game="kahmate", start=AT_THE_LINE, options={"tries": 1}, seats=seats)
    stands_still(player)
    acts(player, "k4-l4")
    acts(player, "l4-m4")
    goes_on_until_a_moment(player)
    expect(moment(player)).to_have_text("Try: 1\u20130")
    result = player.page.get_by_role("dialog", name="You won")
    expect(result).to_be_hidden()
    player.touches("sq-a4")
    expect(moment(player)).to_have_text("You won")
    expect(result).to_be_hidden()
    player.page.clock.run_for(LONG_MS)
    expect(result).to_be_visible()


@pytest.mark.parametrize(
    ("start", "action", "title", "told"),
    [
        (MINE, "R t1-t7", "Mine: +1", "Aino's single ran into a mine, your single: Aino +1"),
        (RAISE, "R raise g1", "Raise", "Aino raised with the piece on goal 1"),
        (OWING, "", "Hembo forgotten: +1", "You forgot hembo: +1"),
    ],
    ids=["mine", "raise", "hembo"],
)
def test_a_mine_a_raise_and_a_forgotten_sentence_are_seen_heard_and_felt(
    seat_player: Seated, address: str, start: str, action: str, title: str, told: str
) -> None:
    is_waiting = {"name": "kibitz-only", "value": "off"}
    waits = {"origins": [{"origin": address, "localStorage": [is_waiting]}]}
    spectator = {"finger": True, "pace": "calm"}
    aino, marc = two(seat_player, "as-kimble", start, spectator, storage_state=waits)
    marc.page.clock.install()
    marc.page.add_init_script(SPY)
    marc.page.reload()
    marc.sees_the_board()
    marc.touches("t-20")  # from now on it may be heard
    stands_still(marc)
    marc.page.evaluate("heard.starts = []; buzzed.length = 0")
    if action:
        acts(aino, action)
    else:
        expect(aino.page.locator("#stage .die-delay")).to_have_count(0)
        aino.touches("dome")
    goes_on_until_a_moment(marc)
    expect(moment(marc)).to_have_text(title)
    expect(line(marc).locator(".words")).to_have_attribute("title", re.compile(re.escape(told)))
    assert marc.page.evaluate("heard.starts.length")
    assert any(isinstance(each, list) for each in marc.page.evaluate("buzzed"))


def test_whoever_comes_in_meanwhile_takes_no_result_away(seat_player: Seated) -> None:
    player = seat_player(finger=True, pace="calm")

    def answer(socket: WebSocketRoute) -> None:
        def pass_on(text: str | bytes) -> None:
            socket.send(text)
            view = json.loads(text)
            if view["type"] == "view" and view["outcome"]:
                people = {"type": "people", "seats": view["seats"], "table": view["table"]}
                socket.send(json.dumps(people))

        socket.connect_to_server().on_message(pass_on)

    player.page.route_web_socket("**/live*", answer)
    seats = {"A": "me", "B": "level-1"}
    player.opens_by_api(game="kalamala", start=LAST_BLOCK, seats=seats)
    acts(player, "h6:E1")
    expect(player.page.get_by_role("dialog", name="You won")).to_be_visible()


def test_a_touch_ends_a_moment_and_what_is_reduced_does_not_fly(seat_player: Seated) -> None:
    aino, marc = two(seat_player, "as-kimble", MEAL, {"finger": True, "pace": "calm"})
    marc.page.clock.install()
    marc.page.reload()
    marc.sees_the_board()
    stands_still(marc)
    acts(aino, "R t4-t9")
    expect(moment(marc)).to_have_text("+6")
    assert marc.page.locator("#stage .moment-bits").count() == 0
    marc.touches("t-20")
    expect(moment(marc)).to_have_count(0)


def test_a_moment_flies_where_motion_is_welcome(seat_player: Seated) -> None:
    player = seat_player(finger=True, moving=True, pace="calm")
    player.opens_by_api(
        game="kalamala",
        start=LAST_BLOCK.replace("6,7", "3,3").replace("0,0", "3,4"),
        seats={"A": "me", "B": "level-1"},
    )
    seen = player.page.evaluate_handle(
        """() => {
          const seen = new Set();
          new MutationObserver(() => {
            for (const each of document.querySelectorAll(".moment, .moment-bits > *")) {
              seen.add(each.textContent || each.localName);
            }
          }).observe(document.getElementById("stage"), { subtree: true, childList: true });
          return seen;
        }"""
    )
    acts(player, "h6:E1")
    player.page.wait_for_function(
        "seen => seen.has('Off the board') && seen.has('circle')", arg=seen
    )


def test_who_wins_reads_you_won_and_what_comes_next(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    seats = {"A": "me", "B": "level-2"}
    player.opens_by_api(game="kalamala", start=LAST_BLOCK, seats=seats)
    player.touches("sq-c6", "sq-h6", "off-E6")
    player.presses(player.primary)
    result = player.page.get_by_role("dialog", name="You won")
    expect(result).to_contain_text("Level 2 had no legal action left")
    expect(result).to_contain_text("Against Level 2: 1 won, 0 lost")
    table = player.page.url
    player.presses(result.get_by_role("button", name="Next: level 3"))
    player.page.wait_for_url(lambda url: url != table)
    player.sees_the_board()
    expect(player.seat("Blocks")).to_contain_text("Level 3")
    player.picks(sentence("page.menu-resign"))
    lost = player.page.get_by_role("dialog", name="Level 3 won")
    expect(lost).to_contain_text("You resigned")
    expect(lost).to_contain_text("Against Level 3: 0 won, 1 lost")


def test_wins_against_the_same_one_are_counted_once_each(seat_player: Seated) -> None:
    player = seat_player()
    for n in (1, 2):
        seats = {"A": "me", "B": "level-1"}
        player.opens_by_api(game="kalamala", start=LAST_BLOCK, seats=seats)
        acts(player, "h6:E1")
        result = player.page.get_by_role("dialog", name="You won")
        expect(result).to_contain_text(f"Against Level 1: {n} won, 0 lost")
    counts = json.loads(player.page.evaluate("localStorage.getItem('series')"))["counts"]
    assert counts == {"kalamala Level 1": {"won": 2, "lost": 0}}


def test_the_other_reads_who_won(seat_player: Seated) -> None:
    aino, marc = two(seat_player, "kalamala", LAST_BLOCK, {"finger": True})
    acts(aino, "h6:E1")
    result = marc.page.get_by_role("dialog", name="Aino won")
    expect(result).to_contain_text("You had no legal action left")
    expect(result.get_by_role("button", name=sentence("page.later"))).to_have_count(0)


def test_only_who_won_hears_the_fanfare(seat_player: Seated) -> None:
    both = aino, _ = two(seat_player, "kalamala", LAST_BLOCK, {"finger": True})
    for player in both:
        player.page.evaluate(HORNS)
        player.touches("sq-a1")  # nothing is heard before a touch
    acts(aino, "h6:E1")
    for player in both:
        expect(player.page.locator("#sheet .result")).to_be_visible()
        player.page.wait_for_function("() => horns.length > 0")
    highest = [max(player.page.evaluate("horns")) for player in both]
    assert highest[0] > FANFARE > highest[1]
