"""Every step of a tutorial can be done by what its text says, by whoever does just that."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.browser.tutorial_player import BUTTON, PLAYED_OUT, Pupil

if TYPE_CHECKING:
    from web.conftest import Seated

ROW = "row:"
"""Before a word of what is to be chosen from a few."""
SECOND_TAP_MS = 450
"""So soon after another a tap is taken for its second half."""
READ = {
    "kahmate": {
        "goal": "sq-l4 sq-m4",
        "walk": "sq-f4 sq-g4",
        "run": "sq-g4 sq-i4",
        "pass": "sq-i4 sq-g5",
        "relay": "sq-g5 sq-k5",
        "end": "btn-end",
        "defend": "card-6",
        "score": "sq-k5 sq-m5",
        "tackle": "sq-f5 sq-g5",
        "perfect": "card-5",
        "risky": "sq-h4 sq-f3",
        "nerve": "card-6",
        "kick": "btn-kick sq-j6 sq-i6 sq-m6",
        "force": "sq-j3 sq-k3 card-4",
        "exit": "sq-l3 sq-l3 sq-m3",
    },
    "kalamala": {
        "goal": "sq-h4 off-E4",
        "push": "sq-c5 sq-c6",
        "pull": "sq-e5 sq-d4",
        "power": "sq-e5 sq-g5",
        "pair": "sq-d2 sq-d3 row:2",
        "tease": "sq-b4 sq-e4 sq-d4",
        "own": "sq-d4 sq-f4",
        "place": "rs-A sq-d4",
        "edge": "sq-g4 off-E4",
        "both": "sq-f7 off-Nf",
        "ko": "sq-e3 sq-e1 off-Se",
        "win": "sq-f6 sq-d6",
    },
    "as-kimble": {
        "pop": "dome",
        "in": "h-R t-0",
        "move": "dome t-0 t-4",
        "eat": "dome t-4 t-9",
        "hembo": "btn-hembo row:Jag",
        "done": "btn-done",
        "double": "t-0 h-R",
        "bite": "t-0 t-3",
        "mine": "t-12 t-18",
        "goal": "t-25 g-R2",
        "raise": "g-R1 t-0",
        "vote": "btn-yes",
        "last": "dome t-26 g-R1",
        "win": "btn-done",
    },
}
"""Of each step, what its text tells one to touch, in its order."""


def follow(pupil: Pupil, reading: str) -> None:
    """Touches one thing after the other, and says that it is meant where the page asks."""
    player, page = pupil.player, pupil.page
    rows = page.locator(".bubble .choices button")
    sure = page.locator("#prompt.sure .btn.pri")
    for place in reading.split():
        if place.startswith(ROW):
            player.presses(rows.filter(has_text=re.compile(place.removeprefix(ROW))).first)
        elif place.startswith(BUTTON):
            player.presses(player.button(place))
        else:
            lit = page.locator(f'#stage .hit.lit[data-el="{place}"]')
            expect(lit, f"{pupil.step['id']}: {place}").to_be_attached()
            player.touches(place)
        page.wait_for_timeout(SECOND_TAP_MS)
        if sure.count():
            player.presses(sure)
            page.wait_for_timeout(SECOND_TAP_MS)
        if pupil.next.is_visible():
            return  # The one thing that was left has played itself.


@pytest.mark.parametrize(
    "game",
    [
        "kahmate",
        pytest.param("kalamala", marks=pytest.mark.long),
        pytest.param("as-kimble", marks=pytest.mark.long),
    ],
)
def test_each_step_is_solved_by_what_its_text_says(seat_player: Seated, game: str) -> None:
    pupil = Pupil(seat_player(finger=True), game)
    assert [step["id"] for step in pupil.steps] == list(READ[game])
    for step in pupil.steps:
        follow(pupil, READ[game][step["id"]])
        expect(pupil.next, step["id"]).to_be_visible(timeout=PLAYED_OUT)
        pupil.goes_on()
