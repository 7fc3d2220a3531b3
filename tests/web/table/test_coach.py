"""The coach of whoever plays alone, by touch: hints in three steps, plans, warnings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from kibitz.games import GAMES
from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

STARTS = {
    "kalamala": "8/8/1AA2BB1/8/8/8/8/8 A 0,0 6,6 51 -",
    "kahmate": "13/8o4/13/13/5Soc5/3O9/13/13 R play - g5 123456/123456 0-0 9 -",
    "as-kimble": "h2,t0,t9/h4/h4/h4 R:M6 d6 0+0/0+0/0+0/0+0 1:- ---- -",
}
LOSING = ("sq-f6", "sq-d6")


def plays_alone(player: Player, game: str, bot: str = "level-2") -> None:
    first, *others = GAMES[game].game({}).seats
    seats = {first: "me", **dict.fromkeys(others, bot)}
    player.opens_by_api(game=game, seats=seats, start=STARTS[game])
    expect(player.prompt).to_contain_text(sentence("page.your-turn"))


def presses_in_prompt(player: Player, id: str) -> None:
    player.presses(player.prompt.get_by_role("button", name=sentence(id), exact=True))


def takes_a_hint(player: Player) -> None:
    """In its three steps, and closes what was told."""
    rings = player.page.locator("#stage .rings rect")
    player.chooses(sentence("page.hint"))
    expect(player.prompt).to_contain_text(re.compile("orange ring|would choose"))
    if sentence("page.hint-piece") in player.prompt.inner_text():
        first = rings.count()
        presses_in_prompt(player, "page.hint-move")
        assert rings.count() >= first > 0
    expect(player.prompt).to_contain_text("Level 5 would choose:")
    presses_in_prompt(player, "page.hint-why")
    reasons = player.page.locator("#sheet .reasons")
    expect(reasons).to_contain_text("Your chance of winning is then")
    player.presses(player.page.locator("#sheet-close"))
    presses_in_prompt(player, "page.close")
    expect(rings).to_have_count(0)


def test_a_hint_tells_the_piece_then_the_move_then_why(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    plays_alone(player, "kalamala")
    player.chooses(sentence("page.hint"))
    expect(player.prompt).to_contain_text(sentence("page.hint-piece"))
    rings = player.page.locator("#stage .rings rect")
    expect(rings).to_have_count(2)
    presses_in_prompt(player, "page.hint-move")
    expect(player.prompt).to_contain_text("Level 5 would choose: Push c6 one square to d6")
    expect(rings).to_have_count(4)
    presses_in_prompt(player, "page.hint-why")
    expect(player.page.locator("#sheet .reasons")).to_contain_text("100%")
    assert player.moves.count() == 0, "a hint plays nothing"


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_each_game_is_coached_by_touch(seat_player: Seated, game: str) -> None:
    player = seat_player(finger=True)
    plays_alone(player, game)
    takes_a_hint(player)
    player.page.keyboard.press("Escape")


def test_a_bot_is_asked_what_it_wanted(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    player.opens_by_api(game="kalamala", seats={"A": "me", "B": "level-2"})
    player.touches("rs-A", "sq-a1")
    player.presses(player.primary)
    expect(player.moves).to_have_count(2)
    expect(player.prompt).to_contain_text(sentence("page.your-turn"))
    player.chooses(sentence("page.plan"))
    reasons = player.page.locator("#sheet .reasons")
    expect(reasons).to_contain_text("Level 2 expected this:")
    expect(reasons.locator("li").first).to_contain_text("Level 2")


def test_a_large_mistake_waits_for_a_second_word_if_one_wishes(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    plays_alone(player, "kalamala")
    player.chooses(sentence("page.settings"))
    player.page.locator("#sheet").get_by_label(sentence("page.warn-setting")).check()
    player.page.keyboard.press("Escape")
    player.touches(*LOSING)
    player.presses(player.primary)
    expect(player.prompt).to_contain_text(
        "of your chance of winning.".replace("of your", "off your")
    )
    assert player.moves.count() == 0
    presses_in_prompt(player, "page.warn-again")
    expect(player.prompt).to_contain_text(sentence("page.your-turn"))
    player.touches(*LOSING)
    player.presses(player.primary)
    presses_in_prompt(player, "page.warn-anyway")
    expect(player.moves).not_to_have_count(0)


def test_two_on_one_device_have_hints_if_they_wish(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    player.opens_by_api(game="kalamala", seats={"A": "me", "B": "me"})
    player.presses(player.page.locator("#open-menu"))
    sheet = player.page.locator("#sheet")
    hint = sheet.get_by_role("button", name=sentence("page.hint"), exact=True)
    expect(hint).to_have_count(0)
    player.presses(sheet.get_by_role("button", name=sentence("page.settings"), exact=True))
    sheet.get_by_label(sentence("page.hint-setting")).check()
    player.page.keyboard.press("Escape")
    takes_a_hint(player)
