"""The board in cells is sound, has all places, and none of them shares ground with another."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from kibitz.core.colours import THEMES
from kibitz.core.drawing import Drawing, Look, svg
from kibitz.games.as_kimble.board import GOALS, RING, TEAMS
from kibitz.games.as_kimble.notation import read_state
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.ui.drawing import draw
from kibitz.games.as_kimble.ui.text_grid import CELL, text_grid_layout
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


def drawn(position: str, prefix: str = "") -> Drawing:
    look = Look(say_in("en"), is_coarse=True, prefix=prefix)
    return draw(OPTIONS, read_state(OPTIONS, position), look)


def parts(drawing: Drawing, layer: str) -> list[ElementTree.Element]:
    return [*ElementTree.fromstring(f"<g>{drawing.layers[layer]}</g>").iter()]


def lettered(position: str) -> dict[str, str]:
    """The letters given with what stands on each place."""
    pieces = parts(drawn(position), "pieces")
    found = {each.get("id", ""): each.get("data-letters", "") for each in pieces}
    return {id.removeprefix("pc-"): text for id, text in found.items() if text}


def plate(position: str, team: str) -> list[str]:
    homes = parts(drawn(position), "homes")
    (found,) = (each for each in homes if each.get("data-seat") == team)
    return ["".join(text.itertext()) for text in found.iter("text")]


@pytest.mark.parametrize("position", SCENES)
def test_it_is_a_sound_drawing(position: str) -> None:
    markup = svg(drawn(position, prefix="x-"))
    ids = re.findall(r'\bid="([^"]*)"', markup)
    assert len(set(ids)) == len(ids)
    assert all(id.startswith("x-") for id in ids)
    assert {*re.findall(r"var\(--([\w-]+)\)", markup)} <= THEMES["dark"].keys()
    first, later = drawn(SCENES[0]), drawn(position)
    assert all(first.layers.get(name) == later.layers.get(name) for name in first.static_layers)


def test_all_places_can_be_touched_and_lie_apart() -> None:
    hits = [each for each in parts(drawn(MID), "hit") if each.get("data-el")]
    names = [each.get("data-el") for each in hits]
    goals = [f"g-{team}{goal}" for team in TEAMS for goal in GOALS]
    grids = [f"t-{grid}" for grid in range(RING)]
    assert sorted(filter(None, names)) == sorted(
        [*grids, *goals, *(f"h-{team}" for team in TEAMS), "dome"]
    )
    boxes = [[float(each.get(k, "")) for k in ("x", "y", "width", "height")] for each in hits]
    for (x, y, wide, high), (left, top, width, height) in combinations(boxes, 2):
        apart = x + wide <= left or left + width <= x or y + high <= top or top + height <= y
        assert apart


def test_the_ring_goes_round_step_by_step() -> None:
    spots = [text_grid_layout().spots[f"t-{grid % RING}"] for grid in range(RING + 1)]
    assert all(abs(a - c) + abs(b - d) == CELL for (a, b), (c, d) in pairwise(spots))
    corners = [spots[grid] for grid in range(0, RING, RING // 4)]
    assert [(x > 0, y > 0) for x, y in corners] == [(0, 0), (1, 0), (1, 1), (0, 1)]


def test_pieces_are_told_by_letters() -> None:
    shown = lettered(MID)
    assert shown["t-0"] == "R2*", "a double that is a mine"
    assert shown["t-21"] == "G*"
    assert shown["t-20"] == "Y"
    assert shown["g-Y1w1"] == "Y"


@pytest.mark.parametrize(
    ("position", "letters"), [(MID, "6"), (SCENES[3], "2>5"), (SCENES[5], "R")]
)
def test_the_dome_has_the_face_of_the_die_or_the_winner(position: str, letters: str) -> None:
    assert lettered(position)["dome"] == letters


def test_plates_are_lines() -> None:
    assert plate(MID, "Y") == ["owes 4, done 2", "raised"]
    assert plate(MID, "R") == ["owes 2, done 5"]
    assert plate(SCENES[0], "Y") == ["pops: 2 6"]
    assert plate(SCENES[1], "G") == ["colour?"]
