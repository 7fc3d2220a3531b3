"""The path picker by itself, in the browser's own words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

OFFERS = [
    {"actions": ["step"], "path": ["man", "near"]},
    {"actions": ["kick"], "path": ["man", "near"]},
    {"actions": ["run"], "path": ["man", "near", "far"]},
    {"actions": ["push"], "path": ["anchor", "stone", "edge"]},
    {"actions": ["push"], "path": ["other", "stone", "edge"]},
    {"actions": ["pull"], "path": ["other", "stone", "back"]},
    {"actions": ["end"], "path": ["button"]},
]
LOOK = """async ([offers, steps]) => {
  const { Picker } = await import("/static/board/picker.js");
  const picker = new Picker();
  picker.reset(offers);
  const fits = steps.map((step) => picker.touch(step));
  return {
    fits,
    path: picker.path,
    next: [...picker.next()],
    chosen: picker.chosenOffer?.actions[0] ?? null,
    complete: picker.isComplete,
    choice: picker.choice?.offers.map(({ actions }) => actions[0]) ?? [],
    goesOn: picker.choice?.goesOn,
    drops: Object.fromEntries([...picker.drops("stone")].map(([k, v]) => [k, v.length])),
  };
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Iterator[Page]:
    page = browser.new_page()
    page.goto(f"{address}/")
    yield page
    page.close()


def pick(page: Page, *steps: str) -> Any:
    return page.evaluate(LOOK, [OFFERS, steps])


def test_the_first_elements_are_lit(page: Page) -> None:
    assert pick(page)["next"] == ["man", "anchor", "other", "button"]


def test_one_action_left_is_chosen_before_its_path_is_whole(page: Page) -> None:
    seen = pick(page, "anchor")
    assert (seen["chosen"], seen["complete"], seen["next"]) == ("push", False, ["stone"])
    assert pick(page, "button")["complete"]


def test_what_does_not_fit_is_not_taken(page: Page) -> None:
    seen = pick(page, "other", "far")
    assert (seen["fits"], seen["path"]) == ([True, False], ["other"])


def test_what_fits_further_up_goes_back_there(page: Page) -> None:
    assert pick(page, "other", "stone", "edge", "back")["path"] == ["other", "stone", "back"]
    assert pick(page, "other", "stone", "anchor")["path"] == ["anchor"]


def test_what_was_touched_last_counts_where_nothing_else_fits(page: Page) -> None:
    """An anchor and a stone, and then a place where only the stone can go by another's help."""
    offers = [
        {"actions": ["push"], "path": ["anchor", "stone", "edge"]},
        {"actions": ["pull"], "path": ["stone", "back"]},
        {"actions": ["move"], "path": ["anchor", "back"]},
    ]
    seen = page.evaluate(LOOK, [offers, ["anchor", "stone", "back"]])
    assert (seen["path"], seen["chosen"]) == (["stone", "back"], "pull")
    seen = page.evaluate(LOOK, [offers, ["anchor", "stone", "edge", "back"]])
    assert (seen["path"], seen["chosen"]) == (["anchor", "back"], "move")


def test_paths_that_end_alike_or_go_on_ask(page: Page) -> None:
    seen = pick(page, "man", "near")
    assert (seen["choice"], seen["goesOn"], seen["chosen"]) == (["step", "kick"], True, None)


def test_a_stone_can_be_dragged_before_its_anchor_is_named(page: Page) -> None:
    assert pick(page)["drops"] == {"edge": 2, "back": 1}
    assert pick(page, "anchor")["drops"] == {"edge": 1}
