"""Looking back while a match goes on, and after it."""

from __future__ import annotations

from playwright.sync_api import expect

from support.browser.player import Player
from support.words import sentence
from web.conftest import Seated


def after_three(player: Player) -> None:
    player.opens("device")
    for stone, square in (("rs-A", "sq-a1"), ("rs-B", "sq-h8"), ("rs-A", "sq-a2")):
        player.touches(stone, square)
        expect(player.piece(square)).to_be_attached()


def test_keys_slider_and_list_go_back_and_forth(player: Player) -> None:
    after_three(player)
    page = player.page
    page.keyboard.press("[")
    expect(player.prompt).to_contain_text("After move 2 of 3")
    expect(player.piece("sq-a2")).to_have_count(0)
    expect(player.piece("sq-h8")).to_be_attached()
    player.moves.nth(0).get_by_role("button").click()
    expect(player.prompt).to_contain_text("After move 1 of 3")
    expect(player.piece("sq-h8")).to_have_count(0)
    assert not player.lit()
    page.get_by_role("slider").fill("3")
    expect(player.piece("sq-a2")).to_be_attached()
    page.get_by_role("button", name=sentence("page.replay-first")).click()
    expect(player.prompt).to_contain_text(sentence("page.keep-start"))
    expect(player.piece("sq-a1")).to_have_count(0)
    page.keyboard.press("]")
    expect(player.piece("sq-a1")).to_be_attached()
    player.presses(player.primary)
    expect(page.locator("#replay")).to_be_hidden()
    expect(player.piece("sq-a2")).to_be_attached()
    player.touches("rs-B", "sq-b8")
    expect(player.moves).to_have_count(4)


def test_the_score_is_the_one_of_the_position_on_a_phone_too(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    start = "13/13/13/11T1/13/9o3/13/13 R play - l4 123456/123456 0-0 9 -"
    seats = {"R": "me", "B": "me"}
    player.opens_by_api(game="kahmate", seats=seats, start=start, options={"tries": 1})
    player.touches("sq-l4", "sq-m4")
    player.presses(player.primary)
    expect(player.page.get_by_role("dialog")).to_contain_text("Red won")
    player.page.keyboard.press("Escape")
    score = player.page.locator("#seats .between")
    expect(score).to_contain_text("1\N{EN DASH}0")
    player.page.evaluate("location.hash = '#0'")
    expect(score).to_contain_text("0\N{EN DASH}0")
    player.presses(player.primary)
    expect(score).to_contain_text("1\N{EN DASH}0")


def test_nothing_can_be_played_in_the_past(player: Player) -> None:
    after_three(player)
    player.page.keyboard.press("[")
    expect(player.prompt).to_contain_text("After move 2 of 3")
    player.touches("rs-B", "sq-c8")
    player.page.keyboard.press("Escape")
    expect(player.piece("sq-a2")).to_be_attached()
    expect(player.moves).to_have_count(3)


def test_the_match_goes_on_while_somebody_looks_back(seat_player: Seated) -> None:
    one, two = seat_player(), seat_player(finger=True)
    one.sits_down("friend")
    two.comes_by(one.link("B"))
    one.touches("rs-A", "sq-a1")
    expect(two.piece("sq-a1")).to_be_attached()
    expect(one.moves).to_have_count(1)
    one.page.keyboard.press("[")
    expect(one.prompt).to_contain_text(sentence("page.keep-start"))
    two.touches("rs-B", "sq-h8")
    two.presses(two.primary)
    expect(one.moves).to_have_count(2)
    expect(one.prompt).to_contain_text(sentence("page.keep-start"))
    expect(one.piece("sq-a1")).to_have_count(0)
    one.presses(one.primary)
    expect(one.piece("sq-h8")).to_be_attached()
    one.touches("rs-A", "sq-b1")
    expect(two.piece("sq-b1")).to_be_attached()


def test_after_the_end_nothing_is_hidden_any_more(player: Player) -> None:
    player.sits_down("device", "kahmate")
    player.takes_the_device()
    for man, square in zip("STFCOO", ("b1", "b2", "b3", "b4", "b5", "b6"), strict=True):
        player.page.evaluate(PLACE, f"{man}@{square}")
    expect(player.curtain).to_be_visible()
    player.takes_the_device()
    player.picks(sentence("page.menu-resign"))
    expect(player.page.locator("#sheet")).to_be_visible()
    player.page.keyboard.press("Escape")
    player.page.keyboard.press("[")
    expect(player.prompt).to_contain_text("After move")
    men = player.page.locator("#stage .side-R.pc:not([id*=tray])")
    hidden = men.count()
    player.page.get_by_label(sentence("page.replay-full")).check()
    expect(player.page.locator("#stage #pc-sq-b1")).to_be_attached()
    assert men.count() > hidden


PLACE = """async (text) => {
  const id = document.getElementById("table").dataset.id;
  const body = JSON.stringify({ key: text, actions: [text], seat: "R" });
  const headers = { "Content-Type": "application/json" };
  await fetch(`/api/v1/tables/${id}/actions`, { method: "POST", headers, body });
}"""
