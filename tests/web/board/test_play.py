"""Kalamala in a browser, by mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import WebSocketRoute, expect

from support.browser.player import Player
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated


OPENING = {"rs-A", "sq-c4", "sq-c5", "sq-d3", "sq-d6", "sq-e3", "sq-e6", "sq-f4", "sq-f5"}
"""All pieces of both sides can be moved."""


def test_a_short_game_on_one_device(player: Player) -> None:
    player.opens("device")
    assert player.lit() == OPENING

    player.touches("rs-A", "sq-a1")
    expect(player.moves).to_have_text(["1Rings placed a piece on a1@a1"])
    expect(player.piece("sq-a1")).to_be_attached()

    player.touches("sq-c5", "sq-c4", "sq-c3")
    expect(player.moves.last).to_contain_text("Blocks pushed c4 to c3")

    player.touches("sq-d3")
    expect(player.prompt).to_contain_text("or a highlighted piece for it to push or pull")
    player.touches("sq-e3", "sq-f3")
    expect(player.moves.last).to_contain_text("Rings pushed e3 to f3")

    player.touches("sq-c5", "sq-c3", "sq-c4")
    expect(player.moves.last).to_contain_text("Blocks pulled c3 to c4")
    assert player.lit() == {"rs-A", *OPENING} - {"sq-e3"} | {"sq-f3"}

    player.page.get_by_role("button", name=sentence("page.take-back")).click()
    expect(player.moves).to_have_count(3)
    expect(player.piece("sq-c3")).to_be_attached()
    expect(player.piece("sq-c4")).not_to_be_attached()

    player.page.reload()
    player.sees_the_board()
    expect(player.moves).to_have_count(3)
    expect(player.piece("sq-f3")).to_be_attached()
    expect(player.prompt).to_contain_text("Blocks to play")


def test_a_click_that_is_not_allowed_says_why(player: Player) -> None:
    player.sits_down("device")
    player.touches("sq-d3", "sq-e3", "sq-e5")
    bubble = player.page.locator(".bubble")
    expect(bubble).to_contain_text("e3 can only move on its line with d3")
    expect(player.page.locator("#urgent")).to_contain_text("e3 can only move on its line")
    expect(player.page.locator("#stage .l-refuse path")).to_be_attached()

    bubble.get_by_role("link", name="Rule 3.3").click()
    marked = player.page.locator("#reading .hl")
    expect(marked.locator("h3")).to_have_text("3.3 Moves")
    expect(marked.locator("h3")).to_be_in_viewport()

    player.page.keyboard.press("Escape")
    expect(bubble).not_to_be_attached()
    expect(player.prompt).to_contain_text("1 against 1: up to one square")
    expect(player.moves).to_have_count(0)


def test_the_ko_refusal_shows_the_earlier_position(player: Player) -> None:
    player.sits_down("device")
    for number, path in enumerate((("d3", "e3", "f3"), ("c5", "c4", "c3"), ("d3", "f3", "e3")), 1):
        player.touches(*(f"sq-{square}" for square in path))
        expect(player.moves).to_have_count(number)
    player.touches("sq-c5", "sq-c3", "sq-c4")
    expect(player.page.locator(".bubble")).to_contain_text("repeat the starting position")
    expect(player.page.locator(".bubble svg.board .pc").first).to_be_attached()


def test_two_actions_with_one_path_open_a_chooser(player: Player) -> None:
    player.sits_down("device")
    for number, path in enumerate((("rs-A", "sq-a1"), ("rs-B", "sq-d1")), 1):
        player.touches(*path)
        expect(player.moves).to_have_count(number)
    for number, path in enumerate((("rs-A", "sq-b1"), ("rs-B", "sq-e1")), 3):
        player.touches(*path)
        expect(player.moves).to_have_count(number)
    player.touches("sq-b1", "sq-d1", "sq-c1")
    choices = player.page.locator(".choices button")
    expect(choices).to_have_text(["Pull one piece to c1", "Pull 2 pieces to c1"])
    choices.last.click()
    expect(player.moves.last).to_contain_text("Rings pulled d1-e1 to c1")
    expect(player.piece("sq-e1")).not_to_be_attached()


def test_the_last_way_left_waits_for_its_place(player: Player) -> None:
    """One possible end is no reason to play at once: the player may only be looking."""
    player.sits_down("device")
    player.touches("sq-d3", "sq-e3")
    assert player.lit() == {"sq-f3"}
    expect(player.moves).to_have_count(0)
    player.page.get_by_role("button", name="Push to f3").click()
    expect(player.moves).to_have_count(1)


def test_another_stone_of_mine_becomes_the_anchor(player: Player) -> None:
    player.sits_down("device")
    player.touches("sq-d3", "sq-e3", "sq-e6")
    assert "sq-d7" in player.lit(), "where it goes itself"
    player.touches("sq-e6")
    expect(player.prompt).to_contain_text("Rings to play")


def test_dragging_is_the_same_as_touching(player: Player) -> None:
    player.sits_down("device")
    player.drags("sq-e3", "sq-f3")
    expect(player.moves).to_have_text(["1Rings pushed e3 to f3e3:E1"])
    player.drags("sq-c4", "sq-g7")
    expect(player.moves).to_have_count(1)
    player.drags("rs-B", "sq-h1")
    expect(player.moves.last).to_contain_text("Blocks placed a piece on h1")


def test_a_move_is_a_transform_of_one_element(seat_player: Seated) -> None:
    player = seat_player(moving=True)
    player.sits_down("device")
    player.piece("sq-e3").evaluate(
        "piece => { piece.same = true; piece.began = 0; const animate = piece.animate.bind(piece);"
        " piece.animate = (...how) => { piece.began += 1; return animate(...how); }; }"
    )
    player.touches("sq-d3", "sq-e3", "sq-f3")
    moved = player.piece("sq-f3")
    expect(moved).to_be_attached()
    assert moved.evaluate("piece => piece.same")
    assert moved.evaluate("piece => piece.began") == 1
    expect(player.prompt).to_contain_text("Blocks to play")
    player.touches("sq-a8")  # finishes it
    expect(player.page.locator(".bubble")).to_be_visible()
    assert moved.evaluate("piece => piece.getAnimations().length") == 0


def test_the_bot_answers(seat_player: Seated) -> None:
    player = seat_player(moving=True)
    player.opens("level-2")
    expect(player.prompt).to_contain_text(sentence("page.your-turn"))
    player.touches("rs-A", "sq-e5")
    expect(player.moves).to_have_count(2)
    expect(player.moves.last).to_contain_text("Level 2")
    expect(player.prompt).to_contain_text(sentence("page.your-turn"))
    player.page.get_by_role("button", name=sentence("page.take-back")).click()
    expect(player.moves).to_have_count(0)


def test_giving_up_is_asked_twice_and_ends_in_another_game(player: Player) -> None:
    player.sits_down("bot")
    table = player.page.url
    player.page.get_by_role("button", name=sentence("page.menu")).click()
    player.page.get_by_role("button", name=sentence("page.menu-resign")).click()
    expect(player.page.get_by_role("dialog")).to_contain_text(sentence("page.menu-resign-sure"))
    player.page.get_by_role("dialog").get_by_role(
        "button", name=sentence("page.menu-resign")
    ).click()
    result = player.page.get_by_role("dialog", name="Greedy bot won")
    expect(result).to_contain_text("You resigned")
    result.get_by_role("button", name=sentence("page.play-again")).click()
    player.page.wait_for_url(lambda url: url != table)
    player.sees_the_board()
    expect(player.page.locator("#seats .seat", has_text=sentence("page.you"))).to_contain_text(
        "Blocks"
    )


def test_somebody_else_only_watches(seat_player: Seated) -> None:
    player, other = seat_player(), seat_player()
    player.sits_down("device")
    other.comes_by(player.link("watch"))
    assert other.lit() == set()
    player.touches("rs-A", "sq-a1")
    expect(other.moves).to_have_count(1)
    other.touches("rs-B")
    expect(other.page.locator(".bubble")).to_contain_text("You are a spectator")


def test_a_line_that_breaks_comes_back_with_what_was_sent(player: Player) -> None:
    broken, lines = False, []

    def answer(line: WebSocketRoute) -> None:
        lines.append(line)
        if broken:
            line.close(code=1001)
        else:
            line.connect_to_server()

    player.page.route_web_socket("**/live*", answer)
    player.sits_down("device")
    broken = True
    lines[-1].close(code=1001)
    player.touches("rs-A", "sq-a1")
    banner = player.page.locator("#banner")
    expect(banner).to_contain_text("will be sent again")
    expect(player.moves).to_have_count(0)
    broken = False
    expect(player.moves).to_have_text(["1Rings placed a piece on a1@a1"])
    expect(banner).to_be_hidden()
