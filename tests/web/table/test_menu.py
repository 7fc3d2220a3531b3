"""The menu of a table: what this table needs, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

SEATS = {"A": "me", "B": "greedy"}
FIRST = (
    *("page.take-back", "page.hint", "page.plan"),
    *("page.new-game", "page.level", "page.rules"),
)
HOSTS = ("page.invite", "page.menu-adjourn", "page.menu-abort", "page.menu-void")


def plays_a_bot(player: Player, **more: object) -> None:
    player.opens_by_api(game="kalamala", seats=SEATS, **more)
    expect(player.prompt).to_contain_text(sentence("page.your-turn"))


def menu_rows(player: Player) -> list[str]:
    player.presses(player.page.locator("#open-menu"))
    rows = player.page.locator("#sheet .menu > .btn").all_inner_texts()
    player.page.keyboard.press("Escape")
    return [row.strip() for row in rows]


def test_against_a_bot_the_menu_begins_with_what_one_wants(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    plays_a_bot(player)
    player.touches("rs-A", "sq-a1")
    player.presses(player.primary)
    expect(player.moves).to_have_count(2)
    expect(player.prompt).to_contain_text(sentence("page.your-turn"))
    rows = menu_rows(player)
    assert rows[:6] == [sentence(id) for id in FIRST]
    assert rows[6:8] == [sentence("page.settings"), sentence("page.menu-resign")]
    assert not {sentence(id) for id in HOSTS} & {*rows}


def test_the_hint_at_lessons_goes_with_the_first_move(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    plays_a_bot(player)
    hint = player.page.locator(".learn-hint")
    expect(hint).to_be_visible()
    player.touches("rs-A", "sq-a1")
    player.presses(player.primary)
    expect(hint).to_have_count(0)


def test_another_level_is_a_fresh_table_with_the_same_settings(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    plays_a_bot(player, settings={"clock": {"kind": "fischer", "minutes": 9, "seconds": 2}})
    before = player.page.url
    player.chooses(sentence("page.level"))
    player.presses(player.page.locator("#sheet").get_by_role("button", name="level 3"))
    player.page.wait_for_url(lambda url: url != before)
    player.sees_the_board()
    expect(player.seat("Level 3")).to_be_visible()
    expect(player.page.locator(".clock").first).to_have_text("9:00")


def test_a_search_says_so_and_is_cancelled(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    answer = player.page.request.post(
        f"{player.address}/seeks",
        form={"game": "kalamala", "clock": '{"kind": "days", "days": 13}'},
        max_redirects=0,
    )
    player.page.goto(player.address + answer.headers["location"])
    player.sees_the_board()
    panel = player.page.locator("#invite")
    expect(panel.get_by_role("heading")).to_have_text(sentence("page.seeking"))
    expect(panel.locator(".qr")).to_have_count(0)
    bots = player.page.get_by_role("button", name="Let a bot play")
    expect(bots).to_have_count(0)
    player.presses(panel.get_by_role("button", name=sentence("page.seeking-cancel")))
    player.page.wait_for_url(f"{player.address}/")


def test_a_referee_online_has_the_rulings_of_the_book(seat_player: Seated) -> None:
    sanni, teppo = seat_player(finger=True), seat_player(finger=True)
    seats = {"R": "me", "B": "greedy", "Y": "greedy", "G": "greedy"}
    sanni.opens_by_api(game="as-kimble", seats=seats, start="R")
    teppo.comes_by(sanni.link("referee"), "Teppo")
    sanni.presses(sanni.requests.get_by_role("button", name=sentence("page.agree")))
    teppo.presses(teppo.prompt.get_by_role("button", name=sentence("page.rulings")))
    page = teppo.page
    page.wait_for_url("**/rulings")
    page.get_by_label(sentence("page.ruling-why")).fill("sang too loudly")
    teppo.presses(page.get_by_role("button", name=sentence("page.book-write-ruling")))
    expect(page.locator("#banner")).to_contain_text(sentence("page.book-ruled"))
    expect(sanni.page.locator("#plate-R")).to_contain_text("1")
    expect(sanni.page.locator("#log")).to_contain_text("sang too loudly")
