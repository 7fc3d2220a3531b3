"""Ready line-ups can be placed, by either side."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kahmate.touching import SAY, after, at
from kibitz.games.kahmate.actions import Placement
from kibitz.games.kahmate.board import NAMES, square
from kibitz.games.kahmate.line_ups import LINE_UPS, LineUp
from kibitz.games.kahmate.notation import write_action
from kibitz.games.kahmate.state import SEATS, TEAM


@pytest.mark.parametrize("side", SEATS)
@pytest.mark.parametrize("line_up", LINE_UPS, ids=lambda each: each.id)
def test_a_ready_line_up_can_be_placed(line_up: LineUp, side: str) -> None:
    table = at("start")
    offer = next(o for o in table.offers(side) if o.label.id == line_up.id)
    assert (offer.path, offer.kind, offer.needs_confirmation) == (("btn-lineup",), "lineup", True)
    assert offer.actions == tuple(map(write_action, line_up.placements(side)))
    table = after(table, *(f"{side} {text}" for text in offer.actions))
    assert not table.is_committing(side)
    assert SAY(offer.label)
    assert SAY(offer.prompts[0])


def test_line_ups_differ_and_blue_mirrors_red() -> None:
    assert len({each.placements("R") for each in LINE_UPS}) == len(LINE_UPS) >= 5
    for each in LINE_UPS:
        for red, blue in zip(each.placements("R"), each.placements("B"), strict=True):
            assert NAMES[red.square].translate(str.maketrans("bc", "lk")) == NAMES[blue.square]


def test_a_ready_line_up_is_for_whoever_is_left_to_place() -> None:
    table = after(at("start"), "R S@b1", "R T@b2")
    first = LINE_UPS[0]
    offer = next(o for o in table.offers("R") if o.label.id == first.id)
    assert offer.actions == tuple(map(write_action, first.placements("R")[2:]))
    assert SAY(offer.prompts[0]) == (
        "Place the rest as in Balanced. The men you have already placed stay where they are."
    )
    table = after(table, *(f"R {text}" for text in offer.actions))
    assert not table.is_committing("R")


def test_whoever_finds_his_square_taken_goes_where_the_other_would_have_stood() -> None:
    """Strong stands where Tough should, and Tough where Fast should: Fast goes to Strong's."""
    strong, tough, fast, *rest = (each.square for each in LINE_UPS[0].placements("R"))
    placed = Placement("S", tough), Placement("T", fast)
    left = LINE_UPS[0].remaining_placements("R", placed)
    assert [each.square for each in left] == [strong, *rest]


@given(st.permutations([square(f"{file}{rank}") for file in "bc" for rank in range(1, 9)]))
def test_a_line_up_always_has_room_for_the_others(squares: list[int]) -> None:
    for line_up, count in itertools.product(LINE_UPS, range(1, 6)):
        placed = tuple(map(Placement, TEAM[:count], squares))
        left = line_up.remaining_placements("R", placed)
        assert [each.kind for each in left] == list(TEAM[count:])
        assert len({each.square for each in (*placed, *left)}) == len(TEAM)


def test_a_line_up_shows_where_each_will_stand() -> None:
    offer = at("start").offers("R")[-1]
    squares = [f"sq-{text[2:]}" for text in offer.actions]
    trays = ["tray", *(f"tray-{number}" for number in range(2, 7))]
    assert [(m.kind, m.text, *m.places) for m in offer.marks] == [
        ("put", *pair) for pair in zip(trays, squares, strict=True)
    ]
