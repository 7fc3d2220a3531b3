"""Time on the page: it counts down, it ends, and the die is left alone for a while."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.browser.cut_words import cut_words
from support.browser.player import TIMEOUT_MS, Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

DUE = "h2,t9x2/h4/h4/h4 R:N3 d- 0+0/6+0/0+0/0+0 1:- -!-- -"
"""Blue has all its pieces at home and has not said so; Red is to pop."""
DUE_TO_NOBODY = DUE.replace("-!--", "----")
ABOUT_TO_EAT = "h2,t9x2/h3,t24/h4/h2,t22,t26 G:M2 d2 0+0/0+0/0+0/0+0 1:- ---- -"
"""Green can send Blue's last piece home; then Red is to pop."""
CLOSE = "t0,t12,g1,g3/t13,g1,g2,g3/t20,t8,g2,g4/t1,g2,g3,g4 R:M6 d6 0+1/2+0/0+0/1+0 1:RBYG ---- -"
"""Red may ask for a new round of raising."""
AN_HOUR_MS = 60 * 60 * 1000
BEAT_MS = 50


def seconds_on(player: Player, seat: str) -> float:
    """What a clock says, in seconds."""
    text = player.page.locator(f'[data-clock="{seat}"]').inner_text()
    minutes, _, seconds = text.rpartition(":")
    return 60 * float(minutes or 0) + float(seconds)


def stop_time(player: Player) -> None:
    """From now on time passes on this page by the test's hand alone, however busy the machine is.

    Playwright stops it at some moment to come: an hour is later than any page can have become.
    """
    player.page.clock.pause_at(player.page.evaluate("Date.now()") + AN_HOUR_MS)


def let_pass(player: Player, seconds: float) -> None:
    player.page.clock.run_for(int(seconds * 1000))


def test_a_clock_counts_down(seat_player: Seated) -> None:
    aino, marc = seat_player(), seat_player()
    aino.page.clock.install()
    aino.opens_by_api(
        game="kalamala", settings={"clock": {"kind": "fischer", "minutes": 15, "seconds": 1}}
    )
    marc.comes_by(aino.link("B"), "Marc")
    expect(aino.seat("Marc")).to_contain_text(sentence("page.here"))
    stop_time(aino)
    assert seconds_on(aino, "A") == seconds_on(aino, "B") == 900, (
        "nobody's time runs before the first action"
    )
    aino.touches("rs-A", "sq-a1")
    running = aino.page.locator('[data-clock="B"]')
    expect(running).to_have_class(re.compile("runs"))
    since, first = time.monotonic(), seconds_on(aino, "B")
    let_pass(aino, 7)
    later = seconds_on(aino, "B")
    # A page that is told meanwhile how much is left counts on from there.
    rounding = 1
    told = time.monotonic() - since + rounding
    assert first - 7 - told <= later <= first - 7
    assert seconds_on(aino, "A") == 900
    expect(running).not_to_have_class(re.compile("low"))
    let_pass(aino, later - 5)
    assert seconds_on(aino, "B") <= 5
    expect(running).to_have_class(re.compile("low"))


@pytest.mark.parametrize("locale", ["fr-FR", "fi-FI", "sv-SE"])
def test_a_clock_leaves_room_for_words_at_a_desk(seat_player: Seated, locale: str) -> None:
    aino = seat_player(locale=locale)
    aino.opens_by_api(
        game="kahmate", settings={"clock": {"kind": "fischer", "minutes": 10, "seconds": 5}}
    )
    expect(aino.page.locator('[data-clock="R"]')).to_have_text("10:00")
    assert not aino.scrolls_sideways()
    assert cut_words(aino.page) == []


def test_the_end_of_a_clock_is_told_to_all(seat_player: Seated) -> None:
    aino, marc = seat_player(), seat_player()
    aino.opens_by_api(
        game="kalamala", settings={"clock": {"kind": "fischer", "minutes": 0.02, "seconds": 1}}
    )
    marc.comes_by(aino.link("B"), "Marc")
    expect(aino.prompt).to_contain_text(sentence("page.your-turn"))
    aino.touches("rs-A", "sq-a1")
    for player, winner, loser in ((aino, "You", "Marc"), (marc, "Rings", "You")):
        player.page.get_by_role("dialog", name=f"{winner} won").wait_for()
        expect(player.notes.last).to_have_text(f"{loser} ran out of time")
        expect(player.page.locator("#banner")).to_contain_text(f"{loser} ran out of time")


def test_a_clock_gains_what_a_turn_brings(seat_player: Seated) -> None:
    aino, marc = seat_player(), seat_player()
    aino.opens_by_api(
        game="kalamala", settings={"clock": {"kind": "fischer", "minutes": 10, "seconds": 300}}
    )
    marc.comes_by(aino.link("B"), "Marc")
    aino.touches("rs-A", "sq-a1")
    expect(marc.prompt).to_contain_text(sentence("page.your-turn"))
    marc.touches("rs-B", "sq-h8")
    expect(aino.moves).to_have_count(2)
    expect(marc.moves).to_have_count(2)
    assert 600 < seconds_on(marc, "B") <= 900, "he had 600 when he began"
    expect(marc.page.locator('[data-clock="B"]')).not_to_have_class("low")


def test_days_are_shown_as_days(player: Player) -> None:
    player.opens_by_api(game="kalamala", settings={"clock": {"kind": "days", "days": 3.5}})
    expect(player.page.locator(".clock").first).to_have_text("3 d 12 h")


def test_the_dome_waits_while_somebody_may_say_the_sentence(seat_player: Seated) -> None:
    """The page counts from when it was told, so a page whose time stands still waits for ever."""
    red, blue = seat_player(), seat_player(finger=True)
    red.page.clock.install()
    seats = {"R": "me", "B": "free", "Y": "greedy", "G": "me"}
    red.opens_by_api(game="as-kimble", seats=seats, start=ABOUT_TO_EAT)
    blue.comes_by(red.link("B"))
    expect(red.prompt).to_contain_text(sentence("as-kimble.seat-G"))
    stop_time(red)
    red.touches("t-22", "t-24")
    expect(red.moves).to_have_count(1)
    ring = red.page.locator("#stage .die-delay")
    expect(ring).to_have_text(re.compile("^[1-5]$"))
    red.touches("dome")
    let_pass(red, 0.3)
    expect(ring).to_be_attached()
    expect(red.moves).to_have_count(1)
    hembo = blue.button("btn-hembo")
    expect(hembo).to_have_class(re.compile("spark"))
    assert "spark" not in (red.button("btn-hembo").get_attribute("class") or "")
    let_pass(red, 5)
    expect(ring).to_have_count(0)
    red.touches("dome")
    expect(red.moves).not_to_have_count(1)


def test_the_button_of_the_sentence_looks_the_same_whether_or_not_it_is_due(
    seat_player: Seated,
) -> None:
    players = [seat_player(), seat_player()]
    for player, start in zip(players, (DUE, DUE_TO_NOBODY), strict=True):
        seats = dict.fromkeys("RBYG", "me")
        player.opens_by_api(
            game="as-kimble", seats=seats, start=start, settings={"reminders": "nobody"}
        )
        expect(player.button("btn-hembo").first).to_be_visible()
    # One page may be slower than the other to come to rest.
    for _ in range(TIMEOUT_MS // BEAT_MS):
        if looks(players[0]) == looks(players[1]):
            break
        players[0].page.wait_for_timeout(BEAT_MS)
    assert looks(players[0]) == looks(players[1])
    for player in players:
        assert "hembo!" not in player.page.locator("#stage").inner_html().lower()


def looks(player: Player) -> tuple[str, str, str]:
    """The button, what is asked, and all words of the page."""
    button = player.button("btn-hembo").first.evaluate("each => each.outerHTML")
    return button, player.prompt.inner_text(), player.page.locator("main").inner_text()


def test_an_answer_that_does_not_come_is_given_by_the_rules(seat_player: Seated) -> None:
    """The one who is asked reads how long there is; the rules answer when that is over."""
    for answer_seconds, is_awaited in ((600, False), (1, True)):
        player, other = seat_player(), seat_player()
        seats = {"R": "me", "B": "free", "Y": "me", "G": "me"}
        settings = {"answer_seconds": answer_seconds}
        player.opens_by_api(game="as-kimble", seats=seats, start=CLOSE, settings=settings)
        other.comes_by(player.link("B"))
        player.button("btn-propose").click()
        if player.prompt.locator(".btn.pri").count():
            player.primary.click()
        if is_awaited:
            expect(other.moves.last).to_contain_text("You said no")
        else:
            counts = re.compile(r"No answer counts as “No” in [45]\d\d s")
            expect(other.prompt).to_contain_text(counts)
            expect(other.requests).to_be_hidden()
