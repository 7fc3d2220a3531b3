"""Everybody can use every page: axe finds nothing serious, drawings included."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

import pytest
from playwright.sync_api import Route

from kibitz.games import GAMES
from web.conftest import Seated
from web.player import Player

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
BAD = ("serious", "critical")


def pages(player: Player) -> Iterator[str]:
    """Every kind of page there is, one after the other; each is ready when it is given."""
    page, address = player.page, player.address
    for game in GAMES:
        player.sits_down("device", game)
        yield f"a table of {game}"
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


@pytest.mark.parametrize(
    ("theme", "finger"),
    [
        ("light", False),
        ("dark", True),
        pytest.param("dark", False, marks=pytest.mark.long),
        pytest.param("light", True, marks=pytest.mark.long),
    ],
)
def test_axe_finds_nothing_serious(seated: Seated, theme: str, finger: bool) -> None:
    player = seated(finger=finger, color_scheme=theme, bypass_csp=True)
    for name in pages(player):
        player.page.wait_for_timeout(350)  # What changes its colour just now is not looked at.
        player.page.evaluate(AXE)
        found = player.page.evaluate("axe.run(document)")["violations"]
        assert not [
            (each["id"], node["html"][:200], node["failureSummary"])
            for each in found
            for node in each["nodes"]
            if each["impact"] in BAD
        ], name
        assert not player.scrolls_sideways(), name
