"""A stranger with a phone: from the first page to a legal move by what is written and lit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, expect

from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

MOST_TAPS = {"Kahmaté": 3, "Kalamala": 4, "AS-Kimble": 2}
"""The button on the first page is one of them."""


class Stranger:
    """Taps what calls itself *Play*, then what is lit, then the button that stands out."""

    def __init__(self, player: Player) -> None:
        self.player, self.page, self.taps = player, player.page, list[str]()

    def arrives(self, title: str) -> None:
        self.page.goto(f"{self.player.address}/")
        button = self.player.card(title).locator(".btn.pri")
        expect(button).to_contain_text(sentence("page.play"))
        self.presses(button)
        self.player.sees_the_board()

    def presses(self, button: Locator) -> None:
        self.taps.append(button.inner_text())
        self.player.presses(button)

    def goes_on(self) -> None:
        """The button that stands out, else the first lit place that was not touched yet."""
        if self.player.primary.is_visible():
            self.presses(self.player.primary)
            return
        expect(self.page.locator("#stage .hit.lit").first).to_be_attached()
        place = min(self.player.lit() - set(self.taps))
        self.taps.append(place)
        self.player.touches(place)

    @property
    def has_moved(self) -> bool:
        return self.player.moves.count() > 0


@pytest.mark.parametrize("title", MOST_TAPS)
def test_a_stranger_makes_a_legal_move_in_a_few_taps(seat_player: Seated, title: str) -> None:
    player = seat_player(finger=True)
    stranger = Stranger(player)
    stranger.arrives(title)
    while not stranger.has_moved and len(stranger.taps) < MOST_TAPS[title]:
        stranger.goes_on()
        player.page.wait_for_timeout(300)
    expect(player.moves.first).to_be_attached()
    assert len(stranger.taps) <= MOST_TAPS[title], stranger.taps
