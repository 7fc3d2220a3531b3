"""The law of the dock: no primary button ever comes where another one with another meaning was.

Whoever taps twice means the first button. It holds for every game, whatever is played.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from support.browser.touch import Hand

if TYPE_CHECKING:
    from web.conftest import Seated

WATCH = """
addEventListener("DOMContentLoaded", () => {
  window.broken = [];
  window.seen = new Set();
  let last = null;
  const dock = document.getElementById("prompt-buttons");
  const primary = () => {
    const button = dock.querySelector(".pri");
    return button && { label: button.textContent, box: button.getBoundingClientRect() };
  };
  addEventListener("pointerdown", ({ target }) => {
    if (!target.closest?.("#prompt-buttons .pri")) last = null;
  }, true);
  new MutationObserver(() => {
    const now = primary();
    if (!now) return;
    window.seen.add(now.label);
    const overlap = last && now.box.left < last.box.right && last.box.left < now.box.right
      && now.box.top < last.box.bottom && last.box.top < now.box.bottom;
    if (overlap && now.label !== last.label) window.broken.push([last.label, now.label]);
    last = now;
  }).observe(dock, { childList: true, subtree: true });
});
"""
"""A touch of anything else in between, and a button may mean what it likes."""
MIDGAME: dict[str, dict[str, Any]] = {
    "kalamala": {},
    "kahmate": {
        "start": "13/13/5S4f2/6F2os2/4Ot7/13/13/13 R play - g4 123456/123456 0-0 22 -",
        "options": {"tries": 2},
    },
    "as-kimble": {
        "start": "t0,t12,g1,g3/t13,g1,g2,g3/t20,t8,g2,g4/t1,g2,g3,g4 "
        "R:M6 d6 0+1/2+0/0+0/1+0 1:RBYG ---- -"
    },
}
SEATS = {"kalamala": "AB", "kahmate": "RB", "as-kimble": "RBYG"}
ACTIONS = 14


@pytest.mark.parametrize("game", MIDGAME)
def test_no_primary_button_comes_where_another_one_was(seat_player: Seated, game: str) -> None:
    hand, rng = Hand(seat_player(finger=True)), Random(3)
    hand.page.add_init_script(WATCH)
    hand.player.opens_by_api(game=game, seats=dict.fromkeys(SEATS[game], "me"), **MIDGAME[game])
    for _ in range(ACTIONS):
        hand.waits_until(lambda: bool(hand.view), "nothing is shown")
        hand.looks_on()
        if hand.is_over or not hand.choices:
            break
        hand.chooses(rng.choice(hand.choices))
    assert hand.page.evaluate("window.broken") == []
    assert hand.page.evaluate("window.seen.size"), "there was a primary button"


def test_the_last_confirmation_is_not_where_another_match_begins(seat_player: Seated) -> None:
    """Neither in the dock nor in the sheet that says who won."""
    player = seat_player(finger=True)
    start = "13/13/13/9o1F1/13/13/13/13 R play - l4 246/123 0-0 22 -"
    player.page.add_init_script(WATCH)
    player.opens_by_api(game="kahmate", seats={"R": "me", "B": "me"}, start=start)
    player.takes_the_device()
    player.touches("sq-l4", "sq-m4")
    place = player.primary.bounding_box()
    assert place
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    player.page.evaluate(
        """([x, y]) => new MutationObserver(() => {
          window.under = document.elementFromPoint(x, y)?.closest("button")?.textContent ?? "";
        }).observe(document.getElementById("sheet"), { attributeFilter: ["open"] })""",
        [x, y],
    )
    player.presses(player.primary)
    expect(player.page.locator("#sheet .result")).to_be_visible()
    assert player.page.evaluate("window.under") == ""
    assert player.page.evaluate("window.broken") == []
