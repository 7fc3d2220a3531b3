"""The board in cells is sound, has all places, and none of them shares ground with another."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from kibitz.core.colours import THEMES
from kibitz.core.drawing import Drawing, Look
from kibitz.games.as_kimble.board import GOALS, RING, TEAMS
from kibitz.games.as_kimble.notation import read_state
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.ui.drawing import draw
from kibitz.games.as_kimble.ui.text_grid import CELL, SPOTS
from kibitz.i18n import say_in

OPTIONS = Options(mode="companion")
BOOK = "0+0/0+0/0+0/0+0 1:- ---- -"
MID = "h1,t0x2,t15/h1,t10,t6,g1/t20,t2,g1w1/h1,t21,t25,g4 R:M6 d6 2+5/1+3/4+2/0+6 1:Y ---- -"
SCENES = [
    f"h4/h4/h4/h4 S:2/3/26/5 d6 {BOOK}",
    f"h4/h4/h4/h4 K:dc d6 {BOOK}",
    MID,
    f"h3,t5/h4/h4/h4 B:N3 d2>5 {BOOK}",
    MID[:-1] + "b",
    "g1,g2,g3,g4/h3,g4/h2,t20,g4/h3,g1 R:E d2 0+7/0+13/0+0/1+0 1:B ---- -",
]


def drawing_of(position: str) -> Drawing:
    return draw(OPTIONS, read_state(OPTIONS, position), Look(say_in("en"), is_coarse=True))


def letters_on(position: str) -> dict[str, str]:
    """The letters of what stands on each place."""
    return {piece.place: piece.figure.letters for piece in drawing_of(position).pieces}


@pytest.mark.parametrize("position", SCENES)
def test_all_its_colours_are_known(position: str) -> None:
    drawing = drawing_of(position)
    colours = {fill.colour for fill in drawing.fills} | {each.ink for each in drawing.writings}
    for piece in drawing.pieces:
        colours |= {piece.figure.colour, piece.figure.inner}
    assert colours - {""} <= THEMES["dark"].keys()


def test_all_places_can_be_touched_and_lie_apart() -> None:
    places = drawing_of(MID).places
    goals = [f"g-{team}{goal}" for team in TEAMS for goal in GOALS]
    grids = [f"t-{grid}" for grid in range(RING)]
    assert sorted(places) == sorted([*grids, *goals, *(f"h-{team}" for team in TEAMS), "dome"])
    boxes = [spot.box for spot in places.values()]
    for (x, y, wide, high), (left, top, width, height) in combinations(boxes, 2):
        apart = x + wide <= left or left + width <= x or y + high <= top or top + height <= y
        assert apart


def test_the_ring_goes_round_step_by_step() -> None:
    spots = [SPOTS[f"t-{grid % RING}"] for grid in range(RING + 1)]
    assert all(abs(a - c) + abs(b - d) == CELL for (a, b), (c, d) in pairwise(spots))
    corners = [spots[grid] for grid in range(0, RING, RING // 4)]
    assert [(x > 0, y > 0) for x, y in corners] == [(0, 0), (1, 0), (1, 1), (0, 1)]


def test_pieces_are_told_by_letters() -> None:
    shown = letters_on(MID)
    assert shown["t-0"] == "R2*", "a double that is a mine"
    assert shown["t-21"] == "G*"
    assert shown["t-20"] == "Y"
    assert shown["g-Y1w1"] == "Y"


@pytest.mark.parametrize(
    ("position", "letters"), [(MID, "6"), (SCENES[3], "2>5"), (SCENES[5], "R")]
)
def test_the_dome_has_the_face_of_the_die_or_the_winner(position: str, letters: str) -> None:
    assert letters_on(position)["dome"] == letters


def test_plates_are_lines() -> None:
    middle = drawing_of(MID).seat_notes
    assert middle["Y"] == ("owes 4, done 2", "raised")
    assert middle["R"] == ("owes 2, done 5",)
    assert drawing_of(SCENES[0]).seat_notes["Y"] == ("pops: 2 6",)
    assert drawing_of(SCENES[1]).seat_notes["G"] == ("colour?",)


def test_a_home_is_called_what_is_on_its_plate() -> None:
    assert "2" in drawing_of(MID).names["h-R"]
