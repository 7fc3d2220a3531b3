"""Patches: what a page makes of them is the view that it would have been sent whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.games import GAMES
from kibitz.server.tables.connection import Subscription
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.telling.patches import refer_to_parts
from kibitz.server.tables.viewers import ViewerSettings
from server.tables.test_view_caching import do, do_something, open_live_table
from support.compared_views import compare_match
from support.page_patches import PageScript


def open_page(
    live: LiveTable, member: str, seats: tuple[str, ...] = (), is_first_shown: bool = True
) -> Subscription:
    page = Subscription(live, member, ViewerSettings(seats, "en"))
    page.is_patched = True
    if is_first_shown:
        page.pending_messages()
    return page


def next_message(page: Subscription) -> str:
    page.notify_change()
    return page.pending_messages()[0]


@pytest.mark.parametrize("game", GAMES)
def test_a_page_makes_the_views_that_would_have_been_sent_of_patches(game: str) -> None:
    with PageScript() as script:
        for seed in range(2):
            compare_match(game, Random(seed), 25, script.open_page)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_a_page_makes_the_views_of_a_hundred_matches(game: str) -> None:
    with PageScript() as script:
        for seed in range(2, 102):
            compare_match(game, Random(seed), 100, script.open_page)


@pytest.mark.parametrize("game", GAMES)
def test_a_page_makes_nothing_of_what_changes_something_else_than_it_has(game: str) -> None:
    live, rng = open_live_table(game), Random(1)
    page = open_page(live, "stranger", is_first_shown=False)
    view = next_message(page)
    patches = []
    for _ in range(3):
        do_something(live, rng)
        patches.append(next_message(page))
    live.names = {live.game.seats[0]: "Aino"}
    live.broadcast_people()
    page.notify_people()
    people = page.pending_messages()[0]
    page.seen_seq = None
    later_view = next_message(page)
    do_something(live, rng)
    later_patch = next_message(page)
    first, second, third = patches
    with PageScript() as script:

        def is_taken(*messages: str) -> bool:
            """Whether the last of them is, by a page that has had no others."""
            number = script.open_page().number
            taken = [script.take(number, json.loads(each))["taken"] for each in messages]
            return taken[-1] is not None

        assert is_taken(view, first, second, third, people, later_view, later_patch)
        assert not is_taken(first), "before everything"
        assert not is_taken(view, second), "one was lost"
        assert not is_taken(view, first, first), "one came twice"
        assert not is_taken(view, first, third, people), "what comes next is in doubt, too"
        assert not is_taken(view, first, second, third, later_patch), "a whole view was lost"
        assert not is_taken(view, first, later_view, people), "what came before a whole view"
        assert is_taken(view, first, third, later_view, later_patch), "a whole view mends it"


PARTS = st.lists(st.sampled_from(["<g>", "</g>", "<use/>", "<text>", "</text>"]), max_size=12)
"""Few different ones: markup has many equal parts."""


@given(PARTS, PARTS, st.integers(0, 3))
def test_parts_that_a_page_has_and_those_it_is_sent_make_the_whole(
    had: list[str], now: list[str], first: int
) -> None:
    assert put_together(had, refer_to_parts(had, now, first), first) == now


def put_together(had: Sequence[str], sent: Sequence[str | int], first: int) -> list[str]:
    made, parts = list[str](), iter(sent)
    for part in parts:
        if isinstance(part, str):
            made.append(part)
            continue
        start, count = part - first, next(parts)
        assert isinstance(count, int)
        assert 0 <= start < start + count <= len(had)
        made += had[start : start + count]
    return made


def test_what_stays_is_one_run_though_many_parts_are_equal() -> None:
    had = ["<a>", "</g>", "<b>", "</g>", "<c>", "</g>", "<d>"]
    assert refer_to_parts(had, ["<A>", *had[1:-1], "<D>"]) == ["<A>", 1, 5, "<D>"]


def test_only_what_changed_is_sent() -> None:
    live = open_live_table("kalamala")
    page = open_page(live, "B", ("B",))
    first, second = "@a1", "@b1"
    do(live, "A", first)
    told = json.loads(next_message(page))
    assert told["type"] == "patch"
    assert isinstance(told["layers"]["pieces"], str), "it had no markup of its own yet"
    assert not {"svg", "seats", "menu", "figures", "curtain"} & told.keys()
    do(live, "B", "@h8")
    do(live, "A", second)
    next_message(page)
    quiet = json.loads(next_message(page))
    assert quiet.keys() == {"type", "base", "version", "seq", "log_from", "layers"}, (
        "nothing has happened since"
    )
    assert set(quiet["layers"].values()) == {None}


def test_all_who_look_on_share_one_patch_whenever_they_came() -> None:
    live, rng = open_live_table("kahmate"), Random(1)
    pages = []
    for number in range(6):
        pages.append(open_page(live, f"stranger {number}"))
        do_something(live, rng)
        for page in pages:
            next_message(page)
    do_something(live, rng)
    shown = {id(next_message(page)) for page in pages}
    assert len(shown) == 1, "made and encoded once"
    assert len({id(page.shown_view) for page in pages}) == 1


def test_people_are_told_once_by_their_own_message_or_by_a_view() -> None:
    live = open_live_table("kalamala")
    early, late = open_page(live, "a", ("A",)), open_page(live, "a", ("A",))
    live.names = {"A": "Aino"}
    live.broadcast_people()
    early.notify_people()
    assert json.loads(early.pending_messages()[0])["type"] == "people"
    do(live, "A", "@a1")
    assert "seats" not in json.loads(next_message(early))
    assert "seats" in json.loads(next_message(late))
    do(live, "B", "@h8")
    assert next_message(early) == next_message(late)


def test_whoever_looks_in_another_way_is_shown_everything_again() -> None:
    live = open_live_table("kalamala")
    page = open_page(live, "A", ("A",))
    do(live, "A", "@a1")
    assert json.loads(next_message(page))["type"] == "patch"
    page.seen_seq = None
    whole = json.loads(next_message(page))
    assert whole["type"] == "view"
    assert whole["svg"]


@pytest.mark.parametrize("seen", [0, 1])
def test_whoever_comes_back_is_told_what_they_missed_and_then_patches(seen: int) -> None:
    live = open_live_table("kalamala")
    do(live, "A", "@a1")
    do(live, "B", "@h8")
    page = Subscription(live, "A", ViewerSettings(("A",), "en"), seen)
    page.is_patched = True
    back = json.loads(page.pending_messages()[0])
    assert (back["type"], back["svg"], len(back["log"])) == ("view", None, 2 - seen)
    do(live, "A", "@b1")
    assert json.loads(next_message(page))["type"] == "patch"
