"""The summary of an evening in a browser, and on paper."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from kibitz.games import GAMES
from support.browser.axe import serious
from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

OPTIONS = {"mode": "companion", "pace": "free", "team_size": [2, 2, 2, 2], "unit": "cans"}
TEAMS = {
    "R": {"name": "Foxes", "players": ["Aino", "Otso"]},
    "B": {"name": "Kumpulan kumikumpparit ja muut", "players": ["Maximilian-Alexander", "Bo"]},
}
PAPER, INK = "rgb(255, 255, 255)", "rgb(37, 27, 53)"


def evening(player: Player, actions: int = 60) -> str:
    """Some turns of a night with everything in it; where it is told."""
    page, address = player.page, player.address
    answer = page.request.post(
        f"{address}/api/v1/tables",
        data={"game": "as-kimble", "options": OPTIONS, "settings": {"teams": TEAMS}},
    )
    table = answer.json()["url"]
    game, rng = GAMES["as-kimble"].game(OPTIONS), Random(3)
    state = game.rules.start()
    texts = ["ref pen B +6 \"Red's double ate Blue's triple (R 7.2)\"", "B done 2", "break"]
    texts += ["resume", 'note "pizza"', 'ref rule "the floor counts"']
    while len(texts) < actions:
        actor = min(game.rules.to_act(state))
        action = rng.choice(game.rules.turn_actions(state, actor))
        state = game.rules.resolve(state, actor, action).state
        texts.append(game.notation.write_action(action))
    for text in texts:
        sent = page.request.post(
            f"{address}{table.replace('/t/', '/api/v1/tables/')}/actions",
            data={"key": uuid4().hex, "actions": [text]},
        )
        assert sent.ok, sent.text()
    return f"{address}{table}/night"


@pytest.mark.parametrize("theme", [pytest.param("light", marks=pytest.mark.long), "dark"])
def test_it_fits_a_phone_and_is_in_nobodys_way(seat_player: Seated, theme: str) -> None:
    player = seat_player(finger=True, color_scheme=theme)
    player.page.goto(evening(player))
    for closed in player.page.locator("main summary").all():
        closed.tap()
    assert not player.scrolls_sideways()
    assert serious(player.page) == []
    small = player.page.evaluate(
        "[...document.querySelectorAll('main .btn, main summary, .moment a')]"
        ".filter((each) => each.getBoundingClientRect().height < 44).length"
    )
    assert small == 0


def test_it_reads_well_on_a_desk(player: Player) -> None:
    page = player.page
    page.goto(evening(player))
    expect(page.get_by_role("heading", level=1)).to_have_text(sentence("page.night-so-far"))
    expect(page.get_by_role("img", name=sentence("page.night-owed"))).to_be_visible()
    expect(page.get_by_role("img", name=sentence("page.done"))).to_be_visible()
    book = page.get_by_role("region", name=sentence("page.night-ledger"))
    row = book.get_by_role("row", name="Kumpulan kumikumpparit")
    expect(row.get_by_role("cell")).to_have_text(["4", "2", "4", "0.66 l"])
    expect(page.get_by_role("region", name=sentence("page.night-dome"))).to_contain_text("pops: ")
    assert serious(page) == []
    page.get_by_role("link", name=sentence("as-kimble.night-dearest")).click()
    player.sees_the_board()


def test_on_paper_it_is_light_and_without_buttons_on_one_sheet(seat_player: Seated) -> None:
    player = seat_player(color_scheme="dark")
    page = player.page
    page.goto(evening(player))
    page.get_by_role("radio", name=sentence("page.theme-dark")).check(force=True)
    page.evaluate("void (window.print = () => document.body.append('printed'))")
    page.get_by_role("button", name=sentence("page.night-print")).click()
    expect(page.locator("body")).to_contain_text("printed")
    page.emulate_media(media="print")
    colours = page.evaluate(
        "[getComputedStyle(document.querySelector('.ledger')).backgroundColor,"
        " getComputedStyle(document.body).color]"
    )
    assert colours == [PAPER, INK]
    expect(page.get_by_role("button", name=sentence("page.share"))).to_be_hidden()
    expect(page.get_by_role("heading", name=sentence("page.night-ledger"))).to_be_visible()
    assert page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1


def test_the_link_to_it_is_copied(seat_player: Seated) -> None:
    player = seat_player(permissions=["clipboard-read", "clipboard-write"])
    player.page.goto(evening(player, 8))
    player.page.get_by_role("button", name=sentence("page.share")).click()
    expect(player.page.get_by_role("button", name=sentence("page.copied"))).to_be_visible()
    friend = seat_player()
    friend.page.goto(player.page.evaluate("navigator.clipboard.readText()"))
    friend.page.get_by_role("button", name=sentence("page.watch")).click()
    expect(friend.page).to_have_url(player.page.url)
    expect(friend.page.get_by_role("heading", level=1)).to_have_text(sentence("page.night-so-far"))
