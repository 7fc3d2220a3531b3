"""One gesture by a finger on a phone: what is touched, in how many taps, and what no tap does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from support.browser.player import Player
from support.browser.tutorial_player import Pupil
from support.words import sentence

if TYPE_CHECKING:
    from web.conftest import Seated

PHONES = [(390, 844), (360, 740)]
LANDSCAPE: ViewportSize = {"width": 844, "height": 390}
ALONE = {"R": "me", "B": "me"}
FOUR = dict.fromkeys("RBYG", "me")
TURN = "13/13/5S4f2/6F2os2/4Ot7/13/13/13 R play - g4 123456/123456 0-0 22 -"
LOOSE = "13/11s1/10t2/8Oo3/5S7/8F4/13/13 R play i4:0 k6 123456/123456 0-0 14 -"
"""The tutorial's runner: the ball lies on his way to the far in-goal."""
SPENT = "13/13/5S4f2/6F2os2/4O8/13/13/13 R play f3:0,g4:1 e5 123456/123456 0-0 22 -"
POP = "h4/t26x3,g4/t20,t8,g2,g4/h3,g1 R:N3 d4 0+1/2+0/0+0/1+0 1:- ---- -"
FORCED = "h3,t5/t26x3,g4/t20,t8,g2,g4/h3,g1 R:M4 d4 0+1/2+0/0+0/1+0 1:- ---- -"
MEAL = "t3,t5x2,g3/t9x3,g4/t20,t8,g2,g4/h3,g1 R:M4 d4 0+1/2+0/0+0/1+0 1:- ---- -"
WINNING = "g1,g2,g3,g4/h3,g4/h2,t20,g4/h3,g1 R:N3 d2 1+5/0+3/0+0/0+0 1:R ---- -"
"""Red is in its goal and owes one."""
VOTE = "t0,t12,g1,g3/t13,g1,g2,g3/t20,t8,g2,g4/t1,g2,g3,g4 R:M6 d6 0+1/2+0/0+0/1+0 1:RBYG ---- -"
PULLS = "8/8/4B3/4B3/8/4A3/4A3/4A3 A 0,0 5,6 51 -"


IS_WHOLE = """element => {
  const text = document.createRange();
  text.selectNodeContents(element);
  return text.getBoundingClientRect().width <= element.getBoundingClientRect().width;
}"""


@pytest.fixture
def phone(seat_player: Seated) -> Player:
    player = seat_player(finger=True)
    player.page.set_viewport_size({"width": 390, "height": 844})
    return player


def sits_at(player: Player, game: str, start: str, seats: dict[str, str]) -> None:
    player.opens_by_api(game=game, start=start, seats=seats)
    player.takes_the_device()


def sent_actions(page: Page) -> list[list[str]]:
    """All that goes to the server from now on."""
    told: list[list[str]] = []

    def hear(frame: str | bytes) -> None:
        message: dict[str, Any] = json.loads(frame)
        if message.get("type") == "act":
            told.append(message["actions"])

    page.on("websocket", lambda socket: socket.on("framesent", hear))
    return told


def box(locator: Locator) -> dict[str, float]:
    found = locator.bounding_box()
    assert found
    return {side: found[side] for side in ("x", "y", "width", "height")}


def overlaps(one: dict[str, float], other: dict[str, float]) -> bool:
    across = one["x"] < other["x"] + other["width"] and other["x"] < one["x"] + one["width"]
    down = one["y"] < other["y"] + other["height"] and other["y"] < one["y"] + one["height"]
    return across and down


# The dome


def test_the_dome_is_one_press(phone: Player) -> None:
    sits_at(phone, "as-kimble", POP, FOUR)
    phone.touches("dome")
    expect(phone.moves).to_have_count(1)


def test_a_double_tap_pops_once(phone: Player) -> None:
    """Three pops are left: the second half of the tap is not the second of them."""
    phone.page.add_init_script("localStorage.setItem('kibitz-only', 'off')")
    sits_at(phone, "as-kimble", POP, FOUR)
    phone.page.evaluate(
        """() => new MutationObserver((_, watch) => {
          if (!document.querySelector("#log li:not(.none, .note)")) return;
          watch.disconnect();
          const dome = document.querySelector('[data-el="dome"]');
          const { left, top, width, height } = dome.getBoundingClientRect();
          const at = { clientX: left + width / 2, clientY: top + height / 2 };
          setTimeout(() => dome.dispatchEvent(
            new PointerEvent("click", { bubbles: true, pointerType: "touch", ...at })), 60);
        }).observe(document.getElementById("log"), { childList: true })"""
    )
    phone.touches("dome")
    expect(phone.moves).to_have_count(1)
    phone.page.wait_for_timeout(800)
    expect(phone.moves).to_have_count(1)


def test_the_first_lesson_is_solved_by_one_press(seat_player: Seated) -> None:
    pupil = Pupil(seat_player(finger=True), "as-kimble")
    pupil.player.touches("dome")
    expect(pupil.task).to_contain_text(pupil.steps[0]["praise"])


# What plays itself


def test_a_forced_move_is_seen_and_then_plays_itself(phone: Player) -> None:
    """As is usual for this game: the pop was the one tap of the turn."""
    sits_at(phone, "as-kimble", FORCED, FOUR)
    expect(phone.prompt).to_contain_text(sentence("page.one-way"))
    expect(phone.primary).to_have_count(0)
    expect(phone.moves).to_have_count(1)
    expect(phone.piece("t-9")).to_be_attached()


def test_a_forced_move_can_be_left_to_oneself(phone: Player) -> None:
    phone.page.add_init_script("localStorage.setItem('kibitz-only', 'off')")
    sits_at(phone, "as-kimble", FORCED, FOUR)
    phone.page.wait_for_timeout(1500)
    expect(phone.moves).to_have_count(0)
    phone.presses(phone.page.locator("#open-menu"))
    phone.presses(phone.page.get_by_role("button", name=sentence("page.settings")))
    expect(phone.page.get_by_label(sentence("page.only"))).not_to_be_checked()


def test_a_forced_move_of_kalamala_waits(phone: Player) -> None:
    only = "8/8/8/8/8/8/8/AB6 A 0,0 7,7 51 -"
    sits_at(phone, "kalamala", only, {"A": "me", "B": "me"})
    phone.page.wait_for_timeout(1500)
    expect(phone.moves).to_have_count(0)


# Kalamala


def test_what_moves_is_touched_first(phone: Player) -> None:
    """A block that two rings can move: two taps and a confirmation."""
    phone.sits_down()
    phone.touches("sq-c5")
    assert phone.lit() == {"sq-b5", "sq-c6", "sq-d5"}
    expect(phone.page.locator("#stage .l-hints line")).to_have_count(4)
    phone.touches("sq-b5")
    expect(phone.primary).to_have_text("Push to b5")
    phone.presses(phone.primary)
    expect(phone.piece("sq-b5")).to_be_attached()


def test_an_own_piece_moves_or_moves_others(phone: Player) -> None:
    phone.sits_down()
    phone.touches("sq-e6")
    expect(phone.prompt).to_contain_text("Choose where this piece goes, or a highlighted piece")
    assert {"sq-d5", "sq-d6"} <= phone.lit()


def test_the_anchor_first_stays_possible(phone: Player) -> None:
    phone.sits_down()
    phone.touches("sq-c4", "sq-c5", "sq-c6")
    phone.presses(phone.primary)
    expect(phone.piece("sq-c6")).to_be_attached()


def test_what_moves_is_dragged_by_a_finger(phone: Player) -> None:
    phone.sits_down()
    client = phone.page.context.new_cdp_session(phone.page)
    (x, y), goal = phone.middle("sq-c5"), phone.middle("sq-b5")

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": left, "y": top} for left, top in points]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", (x, y))
    touch("touchMove", (x - 10, y))
    touch("touchMove", ((x + goal[0]) / 2, y))
    expect(phone.page.locator("#stage .l-hints line").first).to_be_attached()
    touch("touchMove", goal)
    touch("touchEnd")
    phone.presses(phone.primary)
    expect(phone.piece("sq-b5")).to_be_attached()


def test_a_chooser_covers_none_of_the_pieces_in_question(phone: Player) -> None:
    sits_at(phone, "kalamala", PULLS, {"A": "me", "B": "me"})
    phone.touches("sq-e5", "sq-e4")
    bubble = phone.page.locator(".bubble")
    expect(bubble.get_by_role("button", name="Pull one piece to e4")).to_be_visible()
    for square in ("e1", "e2", "e3", "e4", "e5", "e6"):
        assert not overlaps(box(bubble), box(phone.page.locator(f"#hit-sq-{square}")))
    phone.presses(bubble.get_by_role("button", name="Pull 2 pieces to e4"))
    expect(phone.piece("sq-e4")).to_be_attached()


# Kahmaté


def test_a_step_is_two_taps_and_can_be_undone(phone: Player) -> None:
    sits_at(phone, "kahmate", TURN, ALONE)
    phone.touches("sq-g4", "sq-g5")
    expect(phone.piece("sq-g5")).to_be_attached()
    phone.presses(phone.page.get_by_role("button", name=sentence("page.take-back")))
    expect(phone.piece("sq-g4")).to_be_attached()


def test_a_forward_run_asks_nothing_and_kicks_have_a_button(phone: Player) -> None:
    sits_at(phone, "kahmate", TURN, ALONE)
    phone.touches("sq-g4", "sq-i5")
    expect(phone.piece("sq-i5")).to_be_attached()
    expect(phone.page.locator(".bubble")).to_have_count(0)


def test_a_run_picks_up_the_ball_on_its_way_to_a_try(phone: Player) -> None:
    sits_at(phone, "kahmate", LOOSE, ALONE)
    phone.touches("sq-i6", "sq-m6")
    expect(phone.primary).to_have_text(sentence("kahmate.offer-try"))
    phone.presses(phone.primary)
    expect(phone.page.get_by_role("dialog")).to_contain_text(sentence("page.won"))


def test_the_loose_ball_in_reach_is_ringed(phone: Player) -> None:
    sits_at(phone, "kahmate", LOOSE, ALONE)
    phone.touches("sq-i6")
    square, ball = box(phone.page.locator("#hit-sq-k6")), box(phone.piece("ball-k6"))
    rings = phone.page.locator("#stage .l-targets circle")
    around = [
        each for each in (box(rings.nth(i)) for i in range(rings.count())) if overlaps(each, square)
    ]
    assert any(each["width"] > max(ball["width"], ball["height"]) for each in around)


def test_a_double_tap_on_a_confirmation_does_not_end_the_turn(phone: Player) -> None:
    """However quick it is; and the button is not even there."""
    told = sent_actions(phone.page)
    sits_at(phone, "kahmate", TURN, ALONE)
    phone.touches("sq-g4", "sq-f3")  # a pass
    place = box(phone.primary)
    phone.page.wait_for_timeout(450)
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    for _ in range(4):
        phone.page.touchscreen.tap(x, y)
        phone.page.wait_for_timeout(120)
    end = phone.button("btn-end")
    expect(end).to_be_visible()
    assert not overlaps(place, box(end))
    assert told == [["g4~f3"]]


def test_the_end_of_a_turn_is_no_primary_button_while_something_can_be_done(phone: Player) -> None:
    sits_at(phone, "kahmate", TURN, ALONE)
    expect(phone.button("btn-end")).to_be_visible()
    expect(phone.primary).to_have_count(0)


def test_the_end_of_a_turn_stays_while_a_man_is_chosen(phone: Player) -> None:
    """And it ends the turn, whatever else was begun; there is a way back beside it."""
    told = sent_actions(phone.page)
    sits_at(phone, "kahmate", TURN, ALONE)
    end = phone.button("btn-end")
    place = box(end)
    phone.touches("sq-g4")
    expect(phone.page.get_by_role("button", name=sentence("page.back"))).to_be_visible()
    assert overlaps(place, box(end))
    assert box(end)["x"] == place["x"]
    phone.touches("sq-f3")  # a pass, to be confirmed
    expect(phone.primary).to_be_visible()
    assert box(end)["x"] == place["x"]
    assert not overlaps(box(end), box(phone.primary))
    phone.presses(end)
    expect(phone.prompt).to_contain_text("Nobody has moved yet. End your turn anyway?")
    phone.presses(phone.primary)
    expect(phone.moves).to_have_count(1)
    assert told == [["end"]]


def test_a_turn_in_which_nobody_moved_is_asked_about(phone: Player) -> None:
    told = sent_actions(phone.page)
    sits_at(phone, "kahmate", TURN, ALONE)
    end = phone.button("btn-end")
    place = box(end)
    phone.presses(end)
    expect(phone.prompt).to_contain_text("Nobody has moved yet. End your turn anyway?")
    assert not overlaps(place, box(phone.primary))
    assert told == []
    phone.presses(phone.primary)
    expect(phone.moves).to_have_count(1)


def test_a_button_that_has_just_come_does_nothing_yet(phone: Player) -> None:
    """Whatever it is, and whether it is tapped or pressed by a key."""
    told = sent_actions(phone.page)
    sits_at(phone, "kahmate", TURN, ALONE)
    phone.page.evaluate(
        """() => new MutationObserver((_, watch) => {
          const button = document.querySelector("#prompt .pri");
          if (!button) return;
          watch.disconnect();
          button.click();
          setTimeout(() => button.click(), 200);
        }).observe(document.getElementById("prompt-buttons"), { childList: true, subtree: true })"""
    )
    phone.presses(phone.button("btn-end"))
    expect(phone.primary).to_be_visible()
    phone.page.wait_for_timeout(600)
    assert told == []
    phone.presses(phone.primary)
    expect(phone.moves).to_have_count(1)


@pytest.mark.parametrize("size", PHONES)
def test_an_in_goal_is_high_enough_for_a_finger(phone: Player, size: tuple[int, int]) -> None:
    """What is less high takes what is just beside it."""
    phone.page.set_viewport_size({"width": size[0], "height": size[1]})
    sits_at(phone, "kahmate", LOOSE, ALONE)
    phone.touches("sq-i6")
    x, y = phone.middle("sq-m6")
    for way in (-1, 1):
        phone.page.touchscreen.tap(x, y + way * 18)
        expect(phone.primary).to_have_text(sentence("kahmate.offer-try"))
        phone.presses(phone.prompt.get_by_role("button", name=sentence("page.back")))
        expect(phone.primary).to_have_count(0)


# Coordinates


@pytest.mark.parametrize(
    ("game", "start", "seats"),
    [("kahmate", TURN, ALONE), ("kalamala", PULLS, {"A": "me", "B": "me"})],
)
def test_coordinates_are_drawn_on_a_phone_unless_switched_off(
    phone: Player, game: str, start: str, seats: dict[str, str]
) -> None:
    sits_at(phone, game, start, seats)
    letters = phone.page.locator("#stage .coordinates text")
    expect(letters.filter(has_text="b").first).to_be_visible()
    expect(letters.filter(has_text="8").first).to_be_visible()
    phone.presses(phone.page.locator("#open-menu"))
    phone.presses(phone.page.get_by_role("button", name=sentence("page.settings")))
    phone.presses(phone.page.get_by_label(sentence("page.coordinates")))
    expect(letters.first).to_be_hidden()
    phone.page.reload()
    phone.sees_the_board()
    expect(letters.first).to_be_hidden()


# What is said, and what stays where it is


def test_the_cost_of_a_meal_is_said_as_soon_as_a_piece_is_chosen(phone: Player) -> None:
    sits_at(phone, "as-kimble", MEAL, FOUR)
    phone.touches("t-5")
    expect(phone.prompt).to_contain_text("Eats Blue's triple: Blue +6.")


def test_a_vote_says_in_the_dock_what_silence_counts_as(seat_player: Seated) -> None:
    red, blue = seat_player(finger=True), seat_player(finger=True)
    red.opens_by_api(
        game="as-kimble", start=VOTE, seats={**dict.fromkeys("RBYG", "free"), "R": "me"}
    )
    blue.comes_by(red.link("B"), "Bea")
    other = seat_player()
    for seat in "YG":
        other.comes_by(red.link(seat), seat)
        other = seat_player()
    red.presses(red.button("btn-propose"))
    expect(blue.prompt).to_contain_text("No answer counts as “No” in")
    expect(blue.requests).to_be_hidden()
    expect(red.page.locator("#prompt-title")).to_have_text("Waiting for Bea, Y, G")
    expect(red.prompt).to_contain_text("No answer counts as “No” in")


def test_the_penalty_that_wins_is_asked_about_and_its_button_goes(phone: Player) -> None:
    phone.opens_by_api(game="as-kimble", start=WINNING, seats=FOUR, options={"pace": "free"})
    phone.presses(phone.button("btn-done"))
    expect(phone.prompt).to_contain_text("That wins the match.")
    assert phone.moves.count() == 0
    phone.presses(phone.primary)
    expect(phone.page.get_by_role("dialog", name="Red won")).to_be_visible()
    expect(phone.button("btn-done")).to_have_count(0)


def test_a_double_tap_does_one_penalty(phone: Player) -> None:
    owing = POP.replace("0+1/2+0/0+0/1+0", "3+1/0+0/0+0/0+0")
    phone.opens_by_api(game="as-kimble", start=owing, seats=FOUR, options={"pace": "free"})
    phone.presses(phone.button("btn-done"))
    at = box(phone.page.get_by_role("button", name="1 done", exact=True))
    middle = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    phone.page.wait_for_timeout(450)
    phone.page.touchscreen.tap(*middle)
    phone.page.wait_for_timeout(200)
    phone.page.touchscreen.tap(*middle)
    expect(phone.moves).to_have_count(1)
    phone.page.wait_for_timeout(800)
    expect(phone.moves).to_have_count(1)


def test_a_banner_moves_nothing(phone: Player) -> None:
    phone.sits_down()
    board = phone.page.locator("#stage svg.board")
    before = box(board)
    phone.page.evaluate(
        """() => { const banner = document.getElementById("banner"); banner.hidden = false;
        banner.lastElementChild.textContent = "The connection is lost. ".repeat(4);
        const bar = document.getElementById("requests"); bar.hidden = false;
        bar.textContent = "Somebody asks for something."; }"""
    )
    expect(phone.page.locator("#banner")).to_be_visible()
    assert box(board) == before


def test_whoever_comes_to_look_moves_nothing(phone: Player, seat_player: Seated) -> None:
    phone.opens_by_api(game="kahmate", start=TURN, seats={"R": "me", "B": "free"})
    seat_player().comes_by(phone.link("B"), "Marc")
    board = phone.page.locator("#stage svg.board")
    expect(phone.button("btn-end")).to_be_visible()
    before = box(board)
    seat_player().comes_by(phone.link("watch"))
    phone.touches("sq-g4", "sq-g5")  # how many there are is told with what happens next
    expect(phone.page.locator("#seats .eyes")).to_have_text("1")
    assert box(board) == before


def sizes_in_languages() -> list[Any]:
    """Each size in each language; those that another one stands for are long."""
    return [
        pytest.param(size, locale, marks=pytest.mark.long if (i + j) % 3 else ())
        for i, size in enumerate([*PHONES, (1280, 800)])
        for j, locale in enumerate(("fi", "en", "fr", "sv"))
    ]


@pytest.mark.parametrize(("size", "locale"), sizes_in_languages())
def test_the_dock_of_a_turn_never_moves_the_board(
    seat_player: Seated, size: tuple[int, int], locale: str
) -> None:
    phone = seat_player(finger=True, locale=locale)
    phone.page.set_viewport_size({"width": size[0], "height": size[1]})
    sits_at(phone, "kahmate", TURN, ALONE)
    board = phone.page.locator("#stage svg.board")
    before = box(board)
    for place in ("sq-g4", "sq-g5"):
        phone.touches(place)
        back = phone.page.locator("#prompt-buttons .btn.only")  # and then take back
        expect(back).to_be_visible()
        expect(phone.button("btn-end")).to_be_visible()
        assert box(board) == before


@pytest.mark.parametrize(
    ("game", "start", "seats"),
    [("kahmate", LOOSE.replace("14 -", "14 R:3:i"), ALONE), ("as-kimble", POP, FOUR)],
)
def test_the_header_is_whole_on_a_phone_on_its_side(
    seat_player: Seated, game: str, start: str, seats: dict[str, str]
) -> None:
    player = seat_player(finger=True, locale="fi")
    player.page.set_viewport_size(LANDSCAPE)
    sits_at(player, game, start, seats)
    shown = player.page.locator(".top > :not(.sp, #turn):visible")  # the turn is below the title
    boxes = [box(shown.nth(i)) for i in range(shown.count())]
    for i, one in enumerate(boxes):
        assert one["x"] + one["width"] <= LANDSCAPE["width"]
        assert not any(overlaps(one, other) for other in boxes[i + 1 :])
    for name in (".top .crumb", "#turn"):
        assert player.page.locator(name).evaluate(IS_WHOLE), f"{name} is cut"


# Lessons


def test_the_task_stays_in_sight_while_it_is_being_tried(seat_player: Seated) -> None:
    pupil = Pupil(seat_player(finger=True), "kalamala")
    pupil.player.touches("sq-h4")
    expect(pupil.player.prompt).to_contain_text(pupil.steps[0]["task"])
