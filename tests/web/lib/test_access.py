"""Everybody can use every page: axe finds nothing serious, drawings included."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from playwright.sync_api import Route

from kibitz.games import GAMES
from support.browser.axe import serious
from support.browser.player import Player
from web.conftest import Seated


def pages(player: Player) -> Iterator[str]:
    """Every kind of page there is, one after the other; each is ready when it is given."""
    page, address = player.page, player.address
    for game in GAMES:
        player.sits_down("device", game)
        yield f"a table of {game}"
        if player.curtain.is_visible():
            player.takes_the_device()
            yield f"a board of {game}"
        for path in ("learn", "analysis", "rules"):
            page.goto(f"{address}/{path}/{game}")
            if path != "rules":
                player.sees_the_board()
            yield f"{path} of {game}"
    player.sits_down("friend")
    table, link = page.url, player.link("B")
    yield "a table that waits"
    page.route("**/t/nothing", show_as_found)
    for where in (table + "/seal", link, table + "/result", address, address + "/t/nothing"):
        page.goto(where)
        yield where.removeprefix(address).split("/")[-1] or "home"


def show_as_found(route: Route) -> None:
    """A page that says that there is no such table, without the complaint of the browser."""
    route.fulfill(response=route.fetch(), status=200)


def test_axe_finds_nothing_serious_in_a_sample(seat_player: Seated) -> None:
    """Every other page in the light at a desk, the rest in the dark on a phone."""
    is_fine(seat_player, "light", finger=False, which=slice(0, None, 2))
    is_fine(seat_player, "dark", finger=True, which=slice(1, None, 2))


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("finger", [False, True])
def test_axe_finds_nothing_serious(seat_player: Seated, theme: str, finger: bool) -> None:
    is_fine(seat_player, theme, finger, slice(None))


def is_fine(seat_player: Seated, theme: str, finger: bool, which: slice) -> None:
    player = seat_player(finger=finger, color_scheme=theme, bypass_csp=True)
    for name in islice(pages(player), which.start, which.stop, which.step):
        assert not serious(player.page), name
        assert not player.scrolls_sideways(), name
