"""The drawing is sound, reads back as text, and everything in it can be said."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

from games.kalamala.play import at, positions
from kibitz.core.drawing import LAYERS, Drawing, Look, svg, with_theme_colours
from kibitz.core.message import Message, Refused
from kibitz.games.kalamala import Options, kalamala
from kibitz.games.kalamala.board import EXITS
from kibitz.games.kalamala.notation import read_board
from kibitz.games.kalamala.options import REPETITION
from kibitz.games.kalamala.state import SEATS, State
from kibitz.games.kalamala.ui.drawing import draw, draw_text, glyph, read_text
from kibitz.i18n import say_in

GAME = kalamala()
SAY = say_in("en", {"A": "Rings", "B": "Blocks"})
MARKS = {"anchor", "beam", "push", "pull", "off", "dot"}
PLACES = tuple(f"sq-{file}{rank}" for file in "abcdefgh" for rank in range(1, 9))
TOUCHABLE = {*PLACES, *EXITS, "rs-A", "rs-B"}


# The drawing

START = "8/8/3BA3/2B2A2/2A2B2/3AB3/8/8 A 4,4 0,0 1 -"
LATE = "3B4/1A6/3B4/1A3B2/8/2AA2B1/8/7B A 2,1 2,2 16 -"


def drawing_of(
    position: str, *, tall: bool = False, labels: bool = True, prefix: str = ""
) -> Drawing:
    return draw(at(position), Look(SAY, tall, labels, prefix))


def ids(markup: str) -> list[str]:
    return re.findall(r'\bid="([^"]*)"', markup)


@pytest.mark.parametrize("tall", [False, True])
@pytest.mark.parametrize("prefix", ["", "m1-"])
def test_the_drawing_is_sound(tall: bool, prefix: str) -> None:
    markup = svg(drawing_of(LATE, tall=tall, prefix=prefix))
    ElementTree.fromstring(markup)
    assert not re.search(r"style=|<style|<script|\bon\w+=", markup)
    names = ids(markup)
    assert len(set(names)) == len(names)
    assert all(name.startswith(prefix) for name in names)
    assert set(re.findall(r'href="#([^"]*)"', markup)) <= set(names)
    for theme in ("light", "dark"):
        assert "var(" not in with_theme_colours(markup, theme)


@pytest.mark.parametrize("tall", [False, True])
def test_everything_that_can_be_touched_is_there_once(tall: bool) -> None:
    hit = drawing_of(LATE, tall=tall).layers["hit"]
    touchable = re.findall(r'data-el="([^"]*)"', hit)
    assert sorted(touchable) == sorted(TOUCHABLE)
    assert ids(hit) == [f"hit-{place}" for place in touchable]
    assert len(EXITS) == 36


@pytest.mark.parametrize("tall", [False, True])
def test_only_counts_and_pieces_change(tall: bool) -> None:
    first, later = drawing_of(START, tall=tall), drawing_of(LATE, tall=tall)
    changing = set(LAYERS) - first.static_layers
    assert changing == {"homes", "pieces"}
    for layer in first.static_layers:
        assert first.layers.get(layer) == later.layers.get(layer)
    for drawing in (first, later):
        assert sum(len(drawing.layers[layer]) for layer in changing) < 6000


def test_pieces_are_named_by_their_place_and_moved_by_one_transform() -> None:
    pieces = drawing_of(LATE).layers["pieces"]
    assert ids(pieces) == [
        *("pc-dz-A1", "pc-dz-A2", "pc-rs-A1", "pc-rs-A2"),
        *("pc-sq-b5", "pc-sq-b7", "pc-sq-c3", "pc-sq-d3"),
        *("pc-dz-B1", "pc-dz-B2", "pc-rs-B1"),
        *("pc-sq-d6", "pc-sq-d8", "pc-sq-f5", "pc-sq-g3", "pc-sq-h1"),
    ]
    assert pieces.count("translate(") == len(ids(pieces))
    assert '<g id="pc-sq-d3" class="pc stone side-A" role="img"' in pieces
    assert 'transform="translate(175 275)"' in pieces


def test_cells_are_named_by_the_pieces_on_them() -> None:
    drawing = drawing_of(LATE)
    cells = {
        cell.get("data-el"): cell
        for cell in ElementTree.fromstring(f"<g>{drawing.layers['hit']}</g>").iter("rect")
    }
    assert cells["sq-d3"].get("aria-label") == "d3"
    assert cells["sq-d3"].get("aria-labelledby") == "pc-sq-d3"
    assert 'aria-label="d3, ring, in row c3-d3"' in drawing.layers["pieces"]
    assert cells["rs-B"].get("aria-labelledby") in ids(drawing.layers["homes"])
    assert 'aria-label="Blocks in reserve: 1"' in drawing.layers["homes"]
    assert cells["off-E4"].get("aria-label") == "off the board, E4"


def test_words_in_the_drawing_are_escaped() -> None:
    markup = svg(draw(GAME.rules.start(), Look(lambda message: f'<"{message.id}&>')))
    ElementTree.fromstring(markup)


@pytest.mark.parametrize("tall", [False, True])
def test_whoever_looks_has_their_own_reserve_below(tall: bool) -> None:
    for near, far in (("A", "B"), ("B", "A")):
        hit = draw(at(START), Look(SAY, tall, near=near)).layers["hit"]
        height = {
            side: float(re.findall(rf'data-el="rs-{side}"[^>]*? y="([-\d.]+)"', hit)[0])
            for side in SEATS
        }
        assert height[near] > height[far]


def test_a_panel_has_the_name_of_whoever_plays_the_side() -> None:
    """As far as there is room; upright there are no panels, and names are elsewhere."""
    names = (("B", "Maximilian of Nowhere"),)
    drawn = draw(at(START), Look(SAY, names=names))
    assert ">Rings<" in drawn.layers["homes"]
    assert ">Maximilian o…<" in drawn.layers["homes"]
    assert ">Blocks<" not in svg(drawn)
    assert "Maximilian" not in svg(draw(at(START), Look(SAY, True, names=names)))


def test_labels_can_be_left_out() -> None:
    assert ">e</text>" in drawing_of(START).layers["ground"]
    assert ">e</text>" not in drawing_of(START, labels=False).layers["ground"]


def test_each_side_has_a_glyph() -> None:
    ring, block = (ElementTree.fromstring(glyph(seat)) for seat in SEATS)
    assert ElementTree.tostring(ring) != ElementTree.tostring(block)


# The board as text

EXAMPLE = """
    7  . . . . B . . .
    6  . . . . . . A .
    5  . . . . . . . .
    4  . B B . A . . .       8/4B3/6A1/8/1BB1A3/8/8/8 A 0,0 6,5 51 -
       a b c d e f g h       (rows left out are empty)
"""


def test_a_drawn_board_is_read() -> None:
    assert read_text(EXAMPLE) == read_board("8/4B3/6A1/8/1BB1A3/8/8/8")


@given(positions())
@settings(max_examples=100, deadline=None)
def test_a_board_drawn_as_text_reads_back(position: tuple[Options, State]) -> None:
    _, state = position
    assert read_text(draw_text(state, SAY)) == state.stones


def test_the_text_shows_all_there_is() -> None:
    assert draw_text(at(LATE), SAY).splitlines() == [
        "8  . . . B . . . .",
        "7  . A . . . . . .",
        "6  . . . B . . . .",
        "5  . A . . . B . .",
        "4  . . . . . . . .",
        "3  . . A A . . B .",
        "2  . . . . . . . .",
        "1  . . . . . . . B",
        "   a b c d e f g h",
        "",
        "A  reserve 2  lost 2  Rings",
        "B  reserve 1  lost 2  Blocks",
        "Turn 16, to play: Rings",
    ]


# Words


def test_the_shelf_and_the_options_have_words() -> None:
    shelf = ["title", "tagline", "size", "your-turn", "your-turn-no-reserve"]
    seats = [f"{kind}-{seat}" for kind in ("seat", "pieces") for seat in SEATS]
    names = [f"option-{name}" for name in GAME.options]
    values = [f"option-repetition-{word}" for word in REPETITION]
    for id in (*shelf, *seats, *names, *values):
        assert SAY(Message(f"kalamala.{id}"))


@given(positions())
@settings(max_examples=100, deadline=None)
def test_everything_that_happens_can_be_said(position: tuple[Options, State]) -> None:
    options, state = position
    game = kalamala(options)
    for action in game.rules.turn_actions(state, state.side):
        for event in game.rules.resolve(state, state.side, action).events:
            assert "{" not in SAY(event.message)
    for actor in (*SEATS, "referee"):
        for action in game.rules.role_actions(state, actor):
            for event in game.rules.resolve(state, actor, action).events:
                assert "{" not in SAY(event.message)


@pytest.mark.parametrize(
    "text",
    [
        "8/8 A 4,4 0,0 1 -",
        "x7/8/8/8/8/8/8/8 A 4,4 4,4 1 -",
        "7/8/8/8/8/8/8/8 A 4,4 4,4 1 -",
        "8/8/8/8/8/8/8/8 A 4,4 4,4 1",
        "8/8/8/8/8/8/8/8 C 4,4 4,4 1 -",
        "8/8/8/8/8/8/8/8 A 4 4,4 1 -",
        "8/8/8/8/8/8/8/8 A 5,4 3,4 1 -",
        "8/8/8/8/8/8/8/8 A 4,4 3,4 1 -",
        "8/8/8/8/8/8/8/8 A 4,4 4,4 0 -",
        "8/8/8/8/8/8/8/8 A 4,4 4,4 9 A7/8/8/8/8/8/8/8",
        "8/8/8/8/8/8/8/8 A 4,4 4,4 9 8/8/8/8/8/8/8/8",
    ],
)
def test_what_is_wrong_with_a_position_can_be_said(text: str) -> None:
    with pytest.raises(Refused) as caught:
        at(text)
    assert SAY(caught.value.refusal)


@pytest.mark.parametrize(
    "text",
    ["a1", "a1-b3:E1", "a1:N1", "e6-f5:SE1", "b4:N1", "e7:N3", "c4-b4:W1", "e7-f7:E1", "resign B"],
)
def test_what_is_wrong_with_an_action_can_be_said(text: str) -> None:
    state = at("8/4BA2/6A1/8/1BB1A3/8/8/8 A 0,0 5,5 51 -")
    with pytest.raises(Refused) as caught:
        GAME.rules.resolve(state, "A", GAME.notation.read_action(text))
    assert SAY(caught.value.refusal)
