"""What happens is told in a line, marked on the board, and left to be read before more comes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Locator, expect

from support.browser.cut_words import cut_words
from support.browser.player import Player
from support.browser.touch import DECIDES_ITSELF
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

PULL = "8/8/1AA2B2/8/8/8/8/8 A 3,3 3,4 51 -"
"""Rings on b6 and c6 can pull the block on f6 to d6."""
RUNNING = "13/3C9/5S4f2/4o!1Fo1s3/4Ot7/5O!7/4T8/8c4 R play g4:3 g4 134/156 0-0 22 -"
ON_TRACK = "h3,t2/h3,t9/h3,t16/h3,t23 R:M3 d3 0+0/0+0/0+0/0+0 1:- ---- -"
"""Whatever a team pops, it has a piece to move."""
MEAL = "h2,t4x2/h1,t9x3/h4/h4 R:M5 d5 0+0/0+0/0+0/0+0 1:- ---- -"
LONG_MS = 60_000


def line(player: Player) -> Locator:
    return player.page.locator("#stage-line")


def acts(player: Player, *actions: str) -> None:
    """Without the way there, which others test."""
    table = player.page.url.rsplit("/", 1)[1]
    wish = {"key": "-".join((table, *actions)), "actions": actions}
    answer = player.page.request.post(f"{player.address}/api/v1/tables/{table}/actions", data=wish)
    assert answer.ok, answer.text()


def two(
    seat_player: Seated, game: str, start: str, marc: dict[str, Any], **aino: Any
) -> tuple[Player, Player]:
    """Aino at a phone, by touch, and Marc, at a table from this position on."""
    one, other = seat_player(**{"finger": True, **aino}), seat_player(**marc)
    one.page.add_init_script(DECIDES_ITSELF)
    one.page.request.put(f"{one.address}/api/v1/me", data={"name": "Aino"})
    bots = {"Y": "level-1", "G": "level-1"} if game == "as-kimble" else {}
    first, second = ("A" if game == "kalamala" else "R"), "B"
    one.opens_by_api(game=game, start=start, seats={first: "me", second: "free", **bots})
    other.comes_by(one.link(second), "Marc")
    return one, other


def test_both_phones_say_what_was_done_by_names_and_you(seat_player: Seated) -> None:
    aino, marc = two(seat_player, "kalamala", PULL, {"finger": True})
    stage = marc.page.locator("#stage").bounding_box()
    aino.touches("sq-c6", "sq-f6", "sq-d6")
    aino.presses(aino.primary)
    expect(line(aino)).to_have_text("You pulled Marc's block to d6")
    expect(line(marc)).to_have_text("Aino pulled your block to d6")
    assert marc.page.locator("#stage").bounding_box() == stage
    expect(marc.page.locator("#polite")).to_have_text("Aino pulled your block to d6")
    assert marc.page.locator("#stage-line [aria-live], #stage-line[role=status]").count() == 0


def test_who_looks_on_reads_both_names(seat_player: Seated) -> None:
    aino, _ = two(seat_player, "kalamala", PULL, {})
    guest = seat_player(finger=True)
    guest.comes_by(aino.link("watch"), "Gast")
    acts(aino, "f6:W2")
    expect(line(guest)).to_have_text("Aino pulled Marc's block to d6")


@pytest.mark.parametrize(
    ("size", "is_reading"),
    [((1280, 800), False), ((1280, 800), True), ((1000, 700), True), ((800, 1000), False)],
)
def test_the_line_stands_between_board_and_dock(
    seat_player: Seated, size: tuple[int, int], is_reading: bool
) -> None:
    """Also beside a chat and the rules, which have columns of their own."""
    aino, _ = two(seat_player, "kalamala", PULL, {}, finger=False)
    aino.page.set_viewport_size({"width": size[0], "height": size[1]})
    expect(aino.page.locator("#chat")).to_be_visible()
    if is_reading:
        aino.page.locator("#open-rules").click()
        expect(aino.page.locator(".reading")).to_be_visible()
    boxes = [
        aino.page.locator(each).bounding_box() for each in ("#stage", "#stage-line", "#prompt")
    ]
    board, told, dock = (each for each in boxes if each)
    assert board["y"] + board["height"] <= told["y"] + 1 <= dock["y"] + 1 - told["height"] + 1
    assert abs(told["x"] - dock["x"]) < 2
    assert abs(told["width"] - dock["width"]) < 2
    assert not aino.scrolls_sideways()


def test_the_last_lines_are_a_touch_away(seat_player: Seated) -> None:
    aino, marc = two(seat_player, "kalamala", PULL, {})
    acts(aino, "f6:W2")
    expect(line(aino)).to_contain_text("You pulled")
    acts(marc, "@h1")
    expect(line(aino)).to_have_text("Marc placed a piece on h1")
    aino.presses(line(aino).get_by_role("button", name=sentence("page.book-what")))
    told = aino.page.get_by_role("dialog", name=sentence("page.book-what")).get_by_role("listitem")
    expect(told).to_have_text(["You pulled Marc's block to d6", "Marc placed a piece on h1"])


def test_the_moves_of_a_turn_have_one_heading(seat_player: Seated) -> None:
    aino, marc = two(seat_player, "kahmate", RUNNING, {"finger": True})
    acts(aino, "g4-g3")
    acts(aino, "g3-h3")
    acts(aino, "end")
    expect(line(marc)).to_contain_text("Aino's Fast man")
    marc.presses(marc.page.locator("#turn"))
    rows = marc.page.locator("#sheet #log li:not(.note)")
    expect(rows).to_have_count(3)
    expect(marc.page.locator("#log .turn-head")).to_have_count(1)
    expect(rows.first.locator(".turn-head")).to_be_visible()
    expect(rows.first).to_contain_text("turn 23 of 200")


def test_what_bots_did_meanwhile_is_told_at_ones_turn(seat_player: Seated) -> None:
    player = seat_player(finger=True)
    bots = dict.fromkeys("BYG", "level-1")
    player.opens_by_api(game="as-kimble", start=ON_TRACK, seats={"R": "me", **bots})
    acts(player, "R t2-t5")
    expect(line(player)).to_contain_text("Since your turn: ", timeout=30_000)
    # The latest is there to its end; what has no room is a touch away.
    expect(line(player)).to_contain_text("Green")
    assert cut_words(player.page) == []
    player.presses(line(player).get_by_role("button", name=sentence("page.book-what")))
    sheet = player.page.get_by_role("dialog", name=sentence("page.book-what"))
    told = sheet.get_by_role("listitem")
    for team in ("Blue", "Yellow", "Green"):
        expect(told.filter(has_text=team)).not_to_have_count(0)


def test_the_whole_turn_of_the_other_stays_marked(seat_player: Seated) -> None:
    aino, marc = two(seat_player, "kahmate", RUNNING, {"finger": True})
    acts(aino, "g4-g3")
    acts(aino, "g3-h3")
    acts(aino, "end")
    told = "Since your turn: Aino's Fast man carried the ball from g4 to h3"
    expect(line(marc)).to_have_text(told)
    way = marc.page.locator("#stage .l-last path")
    expect(way).to_have_count(1)
    corners = [marc.middle(f"sq-{square}") for square in ("g4", "g3", "h3")]
    drawn = way.evaluate(
        """path => path.getAttribute('d').slice(1).split('L').map(point => {
          const [x, y] = point.split(' ').map(Number);
          const at = new DOMPoint(x, y).matrixTransform(path.ownerSVGElement.getScreenCTM());
          return [at.x, at.y];
        })"""
    )
    assert [pytest.approx(corner, abs=1.5) for corner in corners] == drawn


def test_the_anchor_that_pulled_is_marked(seat_player: Seated) -> None:
    aino, marc = two(seat_player, "kalamala", PULL, {"finger": True})
    acts(aino, "f6:W2")
    expect(line(marc)).to_contain_text("Aino pulled")
    expect(marc.page.locator("#stage .l-last line")).to_have_count(2)
    marc.page.reload()
    marc.sees_the_board()
    expect(marc.page.locator("#stage .l-last line")).to_have_count(2)
    expect(line(marc)).to_have_text("Aino pulled your block to d6")


def test_a_turn_is_shown_again_and_then_the_present(seat_player: Seated) -> None:
    aino, marc = two(seat_player, "kalamala", PULL, {"finger": True})
    again = marc.page.get_by_role("button", name=sentence("page.show-again"))
    expect(again).to_be_hidden()
    acts(aino, "f6:W2")
    expect(marc.piece("sq-d6")).to_be_attached()
    seen = marc.page.evaluate_handle(
        """() => {
          const seen = [];
          new MutationObserver(() => {
            const isOn = (square) => document.querySelector(`#stage #pc-sq-${square}`);
            const at = ["f6", "d6"].filter(isOn).join();
            if (document.body.classList.contains("in-past") && seen.at(-1) !== at) seen.push(at);
          }).observe(document.body, { subtree: true, childList: true, attributes: true });
          return seen;
        }"""
    )
    marc.presses(again)
    marc.page.wait_for_function("seen => seen.join('-').endsWith('f6-d6')", arg=seen)
    expect(marc.page.locator("body")).not_to_have_class("in-past")
    expect(marc.prompt).to_contain_text(sentence("page.your-turn"))


def test_the_board_stays_where_it_is_while_a_turn_is_shown_again(seat_player: Seated) -> None:
    aino, marc = two(seat_player, "kahmate", RUNNING, {"finger": True})
    acts(aino, "g4-g3")
    acts(aino, "end")
    again = marc.page.get_by_role("button", name=sentence("page.show-again"))
    expect(again).to_be_visible()
    stage = marc.page.locator("#stage").bounding_box()
    marc.presses(again)
    expect(marc.page.locator("body")).to_have_class(re.compile("in-past"))
    expect(marc.prompt).to_contain_text("Fast man")
    expect(marc.page.locator("#replay")).to_be_hidden()
    assert marc.page.locator("#stage").bounding_box() == stage
    marc.presses(marc.page.get_by_role("button", name=sentence("page.replay-now")))
    expect(marc.page.locator("body")).not_to_have_class(re.compile("in-past"))


def test_a_cost_flies_to_the_plate_and_stays_for_a_turn(seat_player: Seated) -> None:
    aino, marc = two(seat_player, "as-kimble", MEAL, {"finger": True})
    acts(aino, "R t4-t9")
    expect(line(marc)).to_contain_text("Aino's double ate your triple: +6")
    expect(line(aino)).to_contain_text("Your double ate Marc's triple: Marc +6")
    amount = marc.page.locator("#stage .amount[data-seat=B]")
    expect(amount).to_have_text("+6")
    plate = marc.page.locator("#stage [data-count][data-seat=B]").bounding_box()
    box = amount.bounding_box()
    assert plate
    assert box
    assert 0 < box["x"] - plate["x"] < 185  # beside the number, on the same plate
    assert abs(plate["y"] - box["y"]) < 40


def held_spectator(seat_player: Seated, pace: str) -> tuple[Player, Player, Player]:
    """Somebody who looks on while time stands still, and two who play."""
    aino, marc = two(seat_player, "kalamala", PULL, {})
    guest = seat_player(finger=True, pace=pace)
    guest.page.clock.install()
    guest.comes_by(aino.link("watch"), "Gast")
    guest.page.clock.pause_at("2100-01-01")
    return aino, marc, guest


def test_what_comes_next_waits_until_the_line_could_be_read(seat_player: Seated) -> None:
    aino, marc, guest = held_spectator(seat_player, "calm")
    acts(aino, "f6:W2")
    expect(line(guest)).to_contain_text("Aino pulled")
    acts(marc, "@h1")
    expect(aino.page.locator("#stage #pc-sq-h1")).to_be_attached()
    expect(guest.piece("sq-h1")).to_have_count(0)
    expect(line(guest)).to_contain_text("Aino pulled")
    guest.page.clock.run_for(LONG_MS)
    expect(guest.piece("sq-h1")).to_be_attached()
    expect(line(guest)).to_contain_text("Marc placed")


def test_a_touch_goes_on_at_once(seat_player: Seated) -> None:
    aino, marc, guest = held_spectator(seat_player, "calm")
    acts(aino, "f6:W2")
    expect(line(guest)).to_contain_text("Aino pulled")
    acts(marc, "@h1")
    expect(aino.page.locator("#stage #pc-sq-h1")).to_be_attached()
    expect(guest.piece("sq-h1")).to_have_count(0)
    guest.touches("sq-a1")
    expect(guest.piece("sq-h1")).to_be_attached()


def test_instant_waits_for_nothing(seat_player: Seated) -> None:
    aino, marc, guest = held_spectator(seat_player, "instant")
    acts(aino, "f6:W2")
    acts(marc, "@h1")
    expect(guest.piece("sq-h1")).to_be_attached()


def test_the_pace_is_a_setting(seat_player: Seated) -> None:
    player = seat_player(finger=True, pace="calm")
    player.sits_down("bot")
    player.presses(player.page.locator("#open-menu"))
    player.presses(player.page.get_by_role("button", name=sentence("page.settings")))
    pace = player.page.get_by_label(sentence("page.pace"))
    expect(pace).to_have_value("calm")
    pace.select_option("brisk")
    player.page.reload()
    player.sees_the_board()
    assert player.page.evaluate("localStorage.getItem('pace')") == "brisk"
