"""A game the page has never heard of is playable in it, without a line of script: tests/duel, and
what `kibitz new-game` writes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from kibitz.cli.new_game import write_new_game
from support.packaging.installed import ROOT, declare_package, python_path
from support.server_process import Server
from support.words import sentence
from web.conftest import Seated


@pytest.fixture(scope="module")
def skeleton(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that finds the new game by its entry point."""
    data, site = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("site")
    folder = write_new_game("pebbles", site / "pebbles")
    declare_package(
        site,
        "pebbles",
        games={"pebbles": "pebbles.game:RULEBOOK"},
        bots={"pebbles.perfect": "pebbles.bot:choose"},
    )
    path = python_path(ROOT / "tests", folder / "src", site)
    with Server(data, PYTHONPATH=path) as server:
        yield server.address


def test_the_game_of_a_skeleton_is_played_to_its_end(seat_player: Seated, skeleton: str) -> None:
    player = seat_player(at=skeleton)
    page = player.page
    page.goto(skeleton)
    player.plays(page.locator("article", has_text="Pebbles"), "device")
    player.touches("st-3")
    expect(page.locator(".bubble")).to_contain_text("You may take 3 at most.")
    page.keyboard.press("Escape")
    for played, left in enumerate((12, 9, 6, 3), 1):
        player.touches(f"st-{left - 2}")
        expect(player.moves).to_have_count(played)
    expect(player.prompt).to_contain_text(sentence("page.won"))
    expect(page.get_by_text("took the last stone.").first).to_be_visible()
    page.goto(f"{skeleton}/rules/pebbles")
    expect(page.get_by_role("heading", name="Taking")).to_be_visible()


def test_the_sample_game_is_played_to_its_end(seat_player: Seated, shelf: str) -> None:
    player = seat_player(at=shelf)
    page = player.page
    page.goto(shelf)
    player.plays(page.locator("article", has_text="Two secret cards"), "device")
    player.takes_the_device()

    # What is not offered is answered with a reason.
    player.touches("die")
    expect(page.locator(".bubble")).to_contain_text("There is nothing to do there.")
    page.keyboard.press("Escape")

    # A second wind: a step out of the cards' turn, by touching one's own stone.
    player.touches("sq-A0")
    expect(player.piece("sq-A1")).to_be_attached()

    # Different cards, so that somebody runs; whoever does presses the die.
    lit = "#stage .hit.lit:is([data-el^=card], [data-el=die])"
    ready = f"() => document.querySelector('{lit}, #curtain button:enabled')"
    over = "/won/.test(document.querySelector('#prompt').textContent)"
    for _ in range(40):
        page.wait_for_function(f"{ready} || {over}")
        if "won" in player.prompt.inner_text():
            break
        player.takes_the_device()
        page.wait_for_selector(lit, state="attached")
        played = player.moves.count()
        if "die" in player.lit():
            player.touches("die")
        else:
            cards = sorted(place for place in player.lit() if place.startswith("card"))
            card = cards[-1 if "Amber" in player.prompt.inner_text() else 0]
            player.touches(card, card)  # chosen, and once more to be sure
        expect(player.moves).not_to_have_count(played)
    expect(player.prompt).to_contain_text(sentence("page.won"))
    expect(page.get_by_text("reached the line.").first).to_be_visible()
