"""Layers of parts: joined where their markup is wanted, and compared part by part."""

from __future__ import annotations

from kibitz.core.drawing import (
    Box,
    Drawing,
    Figure,
    Look,
    Part,
    Piece,
    Spot,
    changing_chunks,
    cropped_to_squares,
    svg,
    with_layers,
)

STONE = Piece("sq-a", (0, 0), Figure(True, "ink"))
LAYERS = {
    "ground": (Part("<rect/>"),),
    "pieces": (Part('<g id="pc-sq-a"/>', pieces=(STONE,)), Part(), Part("<use/>")),
    "hit": (Part("<a/>", {"sq-a": Spot(Box(0, 0, 1, 1))}), Part("<b/>")),
}


def drawing() -> Drawing:
    blank = Drawing(view_box="0 0 1 1", static_layers=frozenset({"ground", "hit"}))
    return with_layers(blank, LAYERS, Look(say=str))


def test_layers_are_the_markup_of_their_parts() -> None:
    assert drawing().layers == {
        "ground": "<rect/>",
        "pieces": '<g id="pc-sq-a"/><use/>',
        "hit": "<a/><b/>",
    }
    assert '<g class="l-pieces"><g id="pc-sq-a"/><use/></g>' in svg(drawing())


def test_a_drawing_fills_its_room_in_another_picture() -> None:
    """By attributes of its own element alone; those within stay as they are."""
    alone, placed = svg(drawing()), svg(drawing(), placement=str(Box(4, 3.5, 7, 6)))
    assert alone.startswith('<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox=')
    assert placed == alone.replace("<svg ", '<svg x="4" y="3.5" width="7" height="6" ', 1)


def test_what_is_in_parts_is_in_the_drawing() -> None:
    assert [*drawing().pieces] == [STONE]
    assert (len(drawing().pieces), drawing().pieces[0]) == (1, STONE)
    assert drawing().places == {"sq-a": Spot(Box(0, 0, 1, 1))}


def test_only_layers_that_may_change_come_in_chunks_and_nothing_empty() -> None:
    assert changing_chunks(drawing()) == {"pieces": ('<g id="pc-sq-a"/>', "<use/>")}
    plain = Drawing(layers={"pieces": "<g/>", "ball": ""})
    assert changing_chunks(plain) == {"pieces": ("<g/>",), "ball": ()}


def test_a_small_picture_has_the_squares_alone() -> None:
    places = {"sq-a": Spot(Box(10, 20, 50, 50)), "sq-b": Spot(Box(60, 20, 50, 60))}
    whole = Drawing(view_box="0 0 900 900", places={**places, "tray": Spot(Box(0, 0, 900, 90))})
    assert cropped_to_squares(whole).view_box == "5.5 15.5 109 69"


def test_a_drawing_without_squares_is_not_cropped() -> None:
    ring = Drawing(view_box="0 0 9 9", places={"t-1": Spot(Box(1, 1, 2, 2), is_round=True)})
    assert cropped_to_squares(ring) == ring
