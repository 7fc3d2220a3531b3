"""What travels, by itself, in the browser's own words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

SQUARES = "".join(
    f'<rect data-el="sq-{name}" x="{48 * x}" y="0" width="48" height="48"/>'
    for x, name in enumerate("abcdefghijklmnop")
)
TRAVEL = """async ([squares, told, man, ball]) => {
  const { Board } = await import("/static/board.js");
  const { Motion } = await import("/static/motion.js");
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


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    page = browser.new_page(reduced_motion="no-preference")
    page.goto(f"{address}/")
    yield page
    page.close()


def travel(page: Page, *way: str) -> Any:
    """A man carries the ball from square to square, one event for each step."""
    told = [
        {
            "motions": [
                {"from": f"sq-{a}", "to": f"sq-{b}", "via": ""},
                {"from": f"ball-{a}", "to": f"ball-{b}", "via": ""},
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


def test_a_long_run_is_seen_step_by_step(page: Page) -> None:
    legs = travel(page, *"abcdefgh")["man"]
    assert [delay for delay, *_ in legs] == [180 * step for step in range(7)]


def test_what_was_missed_is_not_made_up_for(page: Page) -> None:
    assert travel(page, *"abcdefghijklmnop")["man"] == []
