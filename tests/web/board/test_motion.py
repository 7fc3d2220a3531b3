"""What travels, by itself, in the browser's own words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from support.browser.player import Player

SQUARES = "".join(
    f'<rect data-el="sq-{name}" x="{48 * x}" y="0" width="48" height="48"/>'
    for x, name in enumerate("abcdefghijklmnop")
)
TRAVEL = """async ([squares, told, man, ball]) => {
  const { Board } = await import("/static/board/board.js");
  const { Motion } = await import("/static/board/events/motion.js");
  const stage = document.createElement("section");
  document.body.append(stage);
  const piece = (name, x, y) =>
    `<g id="pc-${name}" transform="translate(${x} ${y})"><circle r="9"/></g>`;
  const layers = ["last", "hints", "pieces", "targets", "ball", "hit"];
  const made = { pieces: piece("sq-a", 24, 24), ball: piece("ball-a", 40, 39), hit: squares };
  const board = new Board(stage);
  const drawn = layers.map((name) => `<g class="l-${name}">${made[name] ?? ""}</g>`);
  board.show(`<svg viewBox="0 0 144 48">${drawn.join("")}</svg>`);
  const motion = new Motion();
  const [carrier, carried] = [board.piece("sq-a"), board.exactPiece("ball-a")];
  const ways = motion.rekey(board, told);
  board.merge({ pieces: piece(...man), ball: piece(...ball) });
  motion.run(board, told, ways);
  const legs = (piece) => piece.getAnimations().map(({ effect }) => {
    const { delay, duration } = effect.getComputedTiming();
    const { transform } = effect.getKeyframes().at(-1);
    return [delay, duration, transform.match(/translate\\((.*?)\\)/)[1]];
  });
  const seen = { man: legs(carrier), ball: legs(carried), same: [carrier.id, carried.id] };
  motion.finish();
  stage.remove();
  return seen;
}"""


PLAY = """async ([squares, told, before, after, look]) => {
  const { Board } = await import("/static/board/board.js");
  const { UpdateQueue } = await import("/static/board/events/update_queue.js");
  const { Motion } = await import("/static/board/events/motion.js");
  const stage = document.createElement("section");
  document.body.append(stage);
  const piece = ([name, x, y, kind = "", count = 0]) =>
    `<g id="pc-${name}" class="pc ${kind}" data-count="${count}" transform="translate(${x} ${y})">`
    + `<circle r="9"/>`
    + `<g class="die"><rect width="9" height="9"/></g></g>`;
  const layers = ["last", "hints", "pieces", "targets", "ball", "hit"];
  const made = { pieces: before.map(piece).join(""), hit: squares };
  const board = new Board(stage);
  const drawn = layers.map((name) => `<g class="l-${name}">${made[name] ?? ""}</g>`);
  board.show(`<svg viewBox="0 0 144 48">${drawn.join("")}</svg>`);
  const motion = new Motion();
  const seen = [];
  const name = (element) => element.id || element.closest("[id]")?.id || "none";
  const shown = new Map();
  const watch = (when) => {
    for (const animation of document.getAnimations()) {
      if (shown.has(animation) || !stage.contains(animation.effect.target)) continue;
      shown.set(animation, true);
      const { delay, duration } = animation.effect.getComputedTiming();
      const frames = animation.effect.getKeyframes();
      seen.push([when, name(animation.effect.target), delay, duration, frames.length]);
    }
  };
  let still;
  const onMessage = () => {
    const ways = motion.rekey(board, told);
    board.merge({ pieces: after.map(piece).join("") });
    still = motion.run(board, told, ways);
    watch("then");
  };
  const queue = new UpdateQueue(motion, board, { onMessage, rolls() {}, isShown: () => true });
  queue.take({ type: "view", events: told });
  for (let i = 0; i < 10; i += 1) await null;
  watch("first");
  if (look === "tap") document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  const began = performance.now();
  while (!still && performance.now() - began < 3000) await new Promise(requestAnimationFrame);
  if (look === "tap") document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  await still;
  const took = performance.now() - began;
  const left = [...board.layer("pieces").children].map(({ id }) => id).sort();
  stage.remove();
  return { seen, took, left };
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    page = browser.new_page(reduced_motion="no-preference")
    Player(page, address).sits_down()
    yield page
    page.close()


def motion(origin: str, target: str, how: str = "step", *through: str, via: str = "") -> Any:
    return {"from": origin, "to": target, "via": via, "through": [*through], "how": how}


def travel(page: Page, *way: str) -> Any:
    """A man carries the ball from square to square, one event for each step."""
    told = [
        {
            "motions": [
                motion(f"sq-{a}", f"sq-{b}"),
                motion(f"ball-{a}", f"ball-{b}"),
            ]
        }
        for a, b in pairwise(way)
    ]
    x = 48 * (ord(way[-1]) - ord("a"))
    man, ball = [f"sq-{way[-1]}", x + 24, 24], [f"ball-{way[-1]}", x + 40, 39]
    return page.evaluate(TRAVEL, [SQUARES, told, man, ball])


def test_a_ball_travels_with_whoever_carries_it(page: Page) -> None:
    seen = travel(page, *"abc")
    assert seen["same"] == ["pc-sq-c", "pc-ball-c"]
    assert [leg[:2] for leg in seen["man"]] == [leg[:2] for leg in seen["ball"]]
    assert [leg[2] for leg in seen["man"]] == ["72px, 24px", "120px, 24px"]
    assert [leg[2] for leg in seen["ball"]] == ["88px, 39px", "136px, 39px"]


def test_what_walks_in_one_event_arrives_at_one_time(page: Page) -> None:
    walks = [motion("sq-a", "sq-d"), motion("sq-e", "sq-f")]
    before, after = (
        [[f"sq-{one}", 48 * "abcdef".index(one) + 24, 24] for one in both] for both in ("ae", "df")
    )
    seen = play(page, walks, before=before, after=after)["seen"]
    assert [leg[1:4] for leg in seen] == [["pc-sq-d", 0, 420], ["pc-sq-f", 0, 420]]


def test_a_long_run_is_seen_step_by_step(page: Page) -> None:
    legs = travel(page, *"abcdefgh")["man"]
    assert [delay for delay, *_ in legs] == [140 * step for step in range(7)]


def test_what_was_missed_is_not_made_up_for(page: Page) -> None:
    assert travel(page, *"abcdefghijklmnop")["man"] == []


def play(page: Page, *events: Any, before: Any, after: Any, look: str = "") -> Any:
    """What is animated, before the new drawing and then: whose, in how long, for how long."""
    told = [{"motions": [*each] if isinstance(each, list) else [each]} for each in events]
    return page.evaluate(PLAY, [SQUARES, told, before, after, look])


def test_a_piece_hops_from_place_to_place(page: Page) -> None:
    hop = motion("sq-a", "sq-e", "hop", "sq-b", "sq-c", "sq-d")
    seen = play(page, hop, before=[["sq-a", 24, 24]], after=[["sq-e", 216, 24]])["seen"]
    assert seen == [["then", "pc-sq-e", 0, 440, 12]]
    far = [f"sq-{name}" for name in "bcdefghijklmno"]
    hop = motion("sq-a", "sq-p", "hop", *far)
    (leg,) = play(page, hop, before=[["sq-a", 24, 24]], after=[["sq-p", 744, 24]])["seen"]
    assert leg[3] == 900


def test_who_was_eaten_goes_home_when_the_other_has_come(page: Page) -> None:
    hop, home = motion("sq-a", "sq-c", "hop", "sq-b"), motion("sq-c", "sq-p", "home")
    before, after = [["sq-a", 24, 24], ["sq-c", 120, 24]], [["sq-c", 120, 24], ["sq-p", 744, 24]]
    seen = play(page, hop, home, before=before, after=after)["seen"]
    assert [leg[1:4] for leg in seen] == [["pc-sq-c", 0, 220], ["pc-sq-p", 220, 400]]


def test_who_runs_into_a_mine_goes_home_from_there(page: Page) -> None:
    hop = motion("sq-a", "sq-p", "hop", "sq-b", via="sq-c")
    before, after = [["sq-a", 24, 24], ["sq-c", 120, 24]], [["sq-c", 120, 24], ["sq-p", 744, 24]]
    seen = play(page, hop, before=before, after=after)["seen"]
    assert seen == [["then", "pc-sq-p", 0, 220 + 400, 9]]


def test_who_joins_another_is_one_with_it_on_arrival(page: Page) -> None:
    fly = motion("sq-p", "sq-a", "fly")
    before, after = [["sq-a", 24, 24], ["sq-p", 744, 24]], [["sq-a", 24, 24, "x2"]]
    played = play(page, fly, before=before, after=after)
    assert [leg[1:4] for leg in played["seen"]] == [["none", 0, 320]]
    assert played["left"] == ["pc-sq-a"]


def test_by_how_much_a_number_has_changed_is_seen(page: Page) -> None:
    step, before = motion("sq-a", "sq-b"), [["sq-a", 24, 24], ["sq-c", 120, 24, "", 3]]
    after = [["sq-b", 72, 24], ["sq-c", 120, 24, "", 5]]
    seen = play(page, step, before=before, after=after)["seen"]
    assert [leg[1:4] for leg in seen] == [["pc-sq-b", 0, 140], ["none", 140, 1400]]


def test_a_stone_that_is_pushed_takes_longer_than_a_step(page: Page) -> None:
    slides = {}
    for how in ("step", "push", "fly", "home"):
        goes = motion("sq-a", "sq-c", how)
        (leg,) = play(page, goes, before=[["sq-a", 24, 24]], after=[["sq-c", 120, 24]])["seen"]
        slides[how] = leg[3]
    assert slides == {"step": 280, "push": 360, "fly": 320, "home": 400}


def test_whoever_is_knocked_out_falls(page: Page) -> None:
    step = motion("sq-a", "sq-b")
    before, after = ([["sq-a", 24, 24], ["sq-c", 120, 24, kind]] for kind in ("", "ko"))
    after[0] = ["sq-b", 72, 24]
    seen = play(page, step, before=before, after=after)["seen"]
    assert [leg[1:4] for leg in seen] == [["pc-sq-b", 0, 140], ["pc-sq-c", 140, 260]]


def test_what_comes_of_it_appears_when_it_has_arrived(page: Page) -> None:
    hop = motion("sq-a", "sq-b", "hop")
    before, after = [["sq-a", 24, 24]], [["sq-b", 72, 24], ["sq-c", 120, 24]]
    seen = play(page, hop, before=before, after=after)["seen"]
    assert [leg[1:4] for leg in seen] == [["pc-sq-b", 0, 110], ["pc-sq-c", 110, 160]]


def test_the_die_rattles_before_anybody_sees_what_it_shows(page: Page) -> None:
    dome = [["sq-a", 24, 24]]
    played = play(page, motion("sq-a", "sq-a", "roll"), before=dome, after=dome)
    assert [leg[0] for leg in played["seen"]] == ["first", "first", "then"]
    assert [leg[3] for leg in played["seen"]] == [90 + 450, 90 + 450, 200]
    assert played["took"] >= 700


def test_a_tap_finishes_all(page: Page) -> None:
    dome = [["sq-a", 24, 24]]
    played = play(page, motion("sq-a", "sq-a", "roll"), before=dome, after=dome, look="tap")
    assert played["took"] < 650


def test_where_nothing_shall_move_it_fades(browser: Browser, address: str) -> None:
    page = browser.new_page(reduced_motion="reduce")
    Player(page, address).sits_down()
    roll, hop = motion("sq-a", "sq-a", "roll"), motion("sq-b", "sq-d", "hop", "sq-c")
    before, after = (
        [["sq-a", 24, 24], [place, x, 24]] for place, x in (("sq-b", 72), ("sq-d", 168))
    )
    seen = play(page, roll, hop, before=before, after=after)["seen"]
    assert [leg[0] for leg in seen] == ["then", "then"]
    assert [leg[3] for leg in seen] == [80, 80]
    page.close()
