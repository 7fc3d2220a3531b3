"""What is asked at a table: by name, with what would follow, and whoever asked may cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


def two_with_fingers(seat_player: Seated, game: str = "kalamala") -> tuple[Player, Player]:
    aino, marc = seat_player(finger=True), seat_player(finger=True)
    aino.page.request.put(f"{aino.address}/api/v1/me", data={"name": "Aino"})
    aino.opens_by_api(game=game)
    marc.comes_by(aino.link("B"), "Marc")
    return aino, marc


def places(player: Player, reserve: str, square: str) -> None:
    player.touches(reserve, square)
    player.presses(player.primary)


def live_region(player: Player) -> str:
    return " ".join(player.page.locator("[aria-live]").all_inner_texts())


def test_a_takeback_says_whose_moves_go_and_is_cancelled_by_whoever_asked(
    seat_player: Seated,
) -> None:
    aino, marc = two_with_fingers(seat_player)
    expect(marc.prompt).to_contain_text("Aino's turn")
    places(aino, "rs-A", "sq-a1")
    expect(aino.prompt).to_contain_text("Marc's turn")
    places(marc, "rs-B", "sq-h8")
    expect(aino.prompt).to_contain_text(sentence("page.your-turn"))
    aino.presses(aino.prompt.get_by_role("button", name=sentence("page.ask-back")))
    asked = "Aino asked to take back their last move, and your answer with it."
    expect(marc.requests).to_contain_text(asked)
    expect(marc.requests).to_contain_text("You placed a piece on h8")
    assert "back 0" not in live_region(marc), "no notation is read out"
    mine = "You asked to take back your last move, and Marc's answer with it."
    expect(aino.requests).to_contain_text(mine)
    aino.presses(aino.requests.get_by_role("button", name=sentence("page.cancel")))
    for player in (aino, marc):
        expect(player.requests).to_be_hidden()
    assert aino.moves.count() == 2


def test_whoever_offers_to_referee_is_named_and_may_think_again(seat_player: Seated) -> None:
    aino, marc = two_with_fingers(seat_player)
    teppo = seat_player(finger=True)
    teppo.comes_by(aino.link("referee"), "Teppo")
    for player in (aino, marc):
        expect(player.requests).to_contain_text("Teppo would like to be the referee.")
    expect(teppo.requests).to_contain_text("You would like to be the referee.")
    teppo.presses(teppo.requests.get_by_role("button", name=sentence("page.cancel")))
    for player in (aino, marc, teppo):
        expect(player.requests).to_be_hidden()


def test_plates_carry_names_on_a_phone_and_the_row_of_signs_goes(seat_player: Seated) -> None:
    sanni, teppo = seat_player(finger=True), seat_player(finger=True)
    sanni.page.request.put(f"{sanni.address}/api/v1/me", data={"name": "Sanni"})
    seats = {"R": "me", "B": "free", "Y": "level-2", "G": "greedy"}
    sanni.opens_by_api(game="as-kimble", seats=seats, start="R")
    teppo.comes_by(sanni.link("B"), "Teppo")
    expect(sanni.page.locator("#plate-B")).to_contain_text("Teppo")
    expect(sanni.page.locator("#plate-R")).to_contain_text(sentence("page.you-alone"))
    expect(teppo.page.locator("#plate-R")).to_contain_text("Sanni")
    expect(teppo.page.locator("#plate-Y")).to_contain_text(sentence("page.bot-name-level-2"))
    expect(teppo.prompt).to_contain_text("Sanni's turn")
    for player in (sanni, teppo):
        expect(player.page.locator("#seats")).to_be_hidden()


def test_a_break_is_one_tap_and_its_end_needs_no_reason(seat_player: Seated) -> None:
    sanni, teppo = seat_player(finger=True), seat_player(finger=True)
    sanni.page.request.put(f"{sanni.address}/api/v1/me", data={"name": "Sanni"})
    seats = {"R": "me", "B": "free", "Y": "greedy", "G": "greedy"}
    sanni.opens_by_api(game="as-kimble", seats=seats, start="R")
    teppo.comes_by(sanni.link("B"), "Teppo")
    expect(sanni.prompt).to_contain_text(sentence("page.your-turn"))
    sanni.chooses(sentence("page.menu-ask-break"))
    expect(teppo.requests).to_contain_text("Sanni asked for a break.")
    teppo.presses(teppo.requests.get_by_role("button", name=sentence("page.agree")))
    expect(teppo.notes.last).to_have_text("Sanni took a break")
    sanni.presses(sanni.prompt.get_by_role("button", name=sentence("page.menu-resume")))
    expect(teppo.notes.last).to_have_text("Sanni ended the break")
    expect(sanni.prompt).to_contain_text(sentence("page.your-turn"))


def test_a_rematch_is_asked_for_by_name_and_not_behind_the_result(seat_player: Seated) -> None:
    aino, marc = two_with_fingers(seat_player)
    aino.picks(sentence("page.menu-resign"))
    for player, said in ((aino, "Marc won"), (marc, "You won")):
        expect(player.page.get_by_role("dialog", name=said)).to_be_visible()
    sheet = aino.page.locator("#sheet")
    aino.presses(sheet.get_by_role("button", name=sentence("page.menu-rematch")))
    expect(marc.requests).to_contain_text("Aino asked for a rematch.")
    expect(marc.page.locator("#sheet")).to_be_hidden()
    expect(aino.requests).to_contain_text("You asked for a rematch.")
