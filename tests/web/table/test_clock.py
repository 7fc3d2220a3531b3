"""Time on the page: it counts down, it ends, and the die is left alone for a while."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

DUE = "h2,t9x2/h4/h4/h4 R:N3 d- 0+0/6+0/0+0/0+0 1:- -!-- -"
"""Blue has all its pieces at home and has not said so; Red is to pop."""
DUE_TO_NOBODY = DUE.replace("-!--", "----")
CLOSE = "t0,t12,g1,g3/t13,g1,g2,g3/t20,t8,g2,g4/t1,g2,g3,g4 R:M6 d6 0+1/2+0/0+0/1+0 1:RBYG ---- -"
"""Red may ask for a new round of raising."""


def seconds_on(player: Player, seat: str) -> float:
    """What a clock says, in seconds."""
    text = player.page.locator(f'[data-clock="{seat}"]').inner_text()
    minutes, _, seconds = text.rpartition(":")
    return 60 * float(minutes or 0) + float(seconds)


def test_a_clock_counts_down_and_its_end_is_told_to_all(seat_player: Seated) -> None:
    aino, marc = seat_player(), seat_player()
    aino.opens_by_api(
        game="kalamala", settings={"clock": {"kind": "fischer", "minutes": 0.06, "seconds": 1}}
    )
    marc.comes_by(aino.link("B"), "Marc")
    time.sleep(0.5)
    assert seconds_on(aino, "A") == seconds_on(aino, "B") == 3.6, (
        "nobody's time runs before the first action"
    )
    aino.touches("rs-A", "sq-a1")
    expect(marc.prompt).to_contain_text(sentence("page.your-turn"))
    since, first = time.monotonic(), seconds_on(aino, "B")
    time.sleep(0.7)
    later = seconds_on(aino, "B")
    passed = time.monotonic() - since
    assert max(0.0, first - passed - 0.3) <= later < first - 0.4
    assert seconds_on(aino, "A") == 3.6
    running = marc.page.locator('[data-clock="B"]')
    assert "low" in (running.get_attribute("class") or "")
    for player, winner, loser in ((aino, "You", "Marc"), (marc, "Rings", "You")):
        player.page.get_by_role("dialog", name=f"{winner} won").wait_for()
        expect(player.notes.last).to_have_text(f"{loser} ran out of time")
        expect(player.page.locator("#banner")).to_contain_text(f"{loser} ran out of time")


def test_a_clock_gains_what_a_turn_brings(seat_player: Seated) -> None:
    aino, marc = seat_player(), seat_player()
    aino.opens_by_api(
        game="kalamala", settings={"clock": {"kind": "fischer", "minutes": 1, "seconds": 30}}
    )
    marc.comes_by(aino.link("B"), "Marc")
    aino.touches("rs-A", "sq-a1")
    expect(marc.prompt).to_contain_text(sentence("page.your-turn"))
    marc.touches("rs-B", "sq-h8")
    expect(aino.moves).to_have_count(2)
    assert 80 < seconds_on(marc, "B") <= 90
    expect(marc.page.locator('[data-clock="B"]')).not_to_have_class("low")


def test_days_are_shown_as_days(player: Player) -> None:
    player.opens_by_api(game="kalamala", settings={"clock": {"kind": "days", "days": 3.5}})
    expect(player.page.locator(".clock").first).to_have_text("3 d 12 h")


def test_the_dome_waits_while_somebody_may_say_the_sentence(seat_player: Seated) -> None:
    red, blue = seat_player(), seat_player(finger=True)
    red.opens_by_api(
        game="as-kimble", seats={"R": "me", "B": "free", "Y": "greedy", "G": "greedy"}, start=DUE
    )
    blue.comes_by(red.link("B"))
    ring = red.page.locator("#stage .die-delay")
    expect(ring).to_have_text(re.compile("^[1-5]$"))
    red.touches("dome")
    time.sleep(0.3)
    expect(red.moves).to_have_count(0)
    hembo = blue.button("btn-hembo")
    assert "spark" in (hembo.get_attribute("class") or "")
    assert "spark" not in (red.button("btn-hembo").get_attribute("class") or "")
    expect(ring).to_have_count(0, timeout=8000)
    red.touches("dome")
    expect(red.moves).not_to_have_count(0)


def test_the_button_of_the_sentence_looks_the_same_whether_or_not_it_is_due(
    seat_player: Seated,
) -> None:
    looks = list[tuple[str, str, str]]()
    for start in (DUE, DUE_TO_NOBODY):
        blue = seat_player()
        seats = dict.fromkeys("RBYG", "me")
        blue.opens_by_api(
            game="as-kimble", seats=seats, start=start, settings={"reminders": "nobody"}
        )
        button = blue.button("btn-hembo").first
        expect(button).to_be_visible()
        page = blue.page.locator("main").inner_text()
        looks.append((button.evaluate("each => each.outerHTML"), blue.prompt.inner_text(), page))
        stage = blue.page.locator("#stage").inner_html()
        assert "hembo!" not in stage.lower()
    assert looks[0] == looks[1]


def test_an_answer_that_does_not_come_is_given_by_the_rules(seat_player: Seated) -> None:
    player, other = seat_player(), seat_player()
    seats = {"R": "me", "B": "free", "Y": "me", "G": "me"}
    player.opens_by_api(game="as-kimble", seats=seats, start=CLOSE, settings={"answer_seconds": 3})
    other.comes_by(player.link("B"))
    player.button("btn-propose").click()
    if player.prompt.locator(".btn.pri").count():
        player.primary.click()
    expect(other.prompt).to_contain_text("No answer counts as “No” in 2 s")
    expect(other.requests).to_be_hidden()
    expect(other.moves.last).to_contain_text("You said no")
