"""Pages are light and fit a thumb: how much is fetched, from where, and how big its targets are."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from kibitz.games import GAMES
from support.browser.touch import Hand
from web.lib.test_access import pages

if TYPE_CHECKING:
    from web.conftest import Seated

MOST = 110_000
"""Of bytes, compressed, until a table can be played; pictures are left out."""
MOST_REQUESTS = 8
"""The page, its sheet, its script, its theme, its icon; and what is asked for once it is there."""
THUMB = 44
SMALL = """(least) => {
  const wanted = "button, .btn, summary, select, input:not([type=hidden]), [role=button]";
  const shown = { opacityProperty: true, visibilityProperty: true };
  const reach = least / 2 - 1;
  const found = new Set();
  for (const each of document.querySelectorAll(wanted)) {
    const target = each.matches("input") ? each.closest("label") ?? each : each;
    if (!target.checkVisibility(shown) || target.closest("[inert], svg")) continue;
    target.scrollIntoView({ block: "center" });
    const { left, top, width, height } = target.getBoundingClientRect();
    if (width >= least - 0.5 && height >= least - 0.5) continue;
    const isNear = ([dx, dy]) => target.contains(
      document.elementFromPoint(left + width / 2 + dx, top + height / 2 + dy));
    if ([[-reach, 0], [reach, 0], [0, -reach], [0, reach]].every(isNear)) continue;
    const named = [each.tagName, each.id || each.className, each.textContent.trim().slice(0, 30)];
    found.add([...named, `${Math.round(width)} by ${Math.round(height)}`].join(" "));
  }
  return [...found];
}"""
"""What a thumb could miss: smaller than it, and not made larger by what surrounds it."""


@pytest.mark.parametrize("game", GAMES)
def test_a_table_weighs_little(seat_player: Seated, game: str) -> None:
    """Weighed as gzip makes it, file by file."""
    hand = Hand(seat_player(finger=True))
    hand.player.sits_down(game=game)
    hand.looks_on()
    fetched = [
        answer.body()
        for answer in hand.wire.answers
        if answer.ok and answer.request.resource_type != "image"
    ]
    asked = [each.url for each in hand.wire.answers if each.request.method == "GET"]
    assert 4 <= len(asked) <= MOST_REQUESTS, asked
    sent = [*fetched, *(frame.encode() for frame in hand.wire.frames)]
    assert sum(len(gzip.compress(each)) for each in sent) < MOST
    assert {f"http://{host}" for host in hand.wire.hosts} == {hand.player.address}


def test_buttons_fit_a_thumb_on_every_page(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    small = {name: player.page.evaluate(SMALL, THUMB) for name in pages(player)}
    assert {name: found for name, found in small.items() if found} == {}


@pytest.mark.parametrize(
    ("game", "square", "least"), [("kahmate", "sq-g4", 38), ("kalamala", "sq-e4", 41)]
)
def test_squares_fit_a_thumb(seat_player: Seated, game: str, square: str, least: float) -> None:
    """On a phone of 360 by 740: Kahmaté is as long as it is, with a line that tells below."""
    player = seat_player(finger=True)
    player.sits_down(game=game)
    player.takes_the_device()
    box = player.page.locator(f'#stage [data-el="{square}"]').bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= least
