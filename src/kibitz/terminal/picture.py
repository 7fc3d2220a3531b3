"""The part of a drawing that characters show: all of it but what a panel covers.

So the terminal draws any game that the page can draw, and knows none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kibitz.core.drawing import Box, Drawing, Fill, Piece, Point, Writing
from kibitz.core.game import Place, Seat


@dataclass(frozen=True, slots=True)
class Picture:
    places: Mapping[Place, Box]
    names: Mapping[Place, str]
    """A screen reader's words for a place."""
    ground: tuple[Fill, ...]
    """The later ones above."""
    pieces: tuple[Piece, ...]
    writings: tuple[Writing, ...]
    panels: tuple[Box, ...]
    """The marks laid over the board."""
    seat_notes: Mapping[Seat, tuple[str, ...]]


def picture_of(drawing: Drawing) -> Picture:
    panels = tuple(panel.box for panel in drawing.panels)

    def is_covered(point: Point) -> bool:
        return any(box.contains(point) for box in panels)

    names = {place: spot.name for place, spot in drawing.places.items()}
    names |= {piece.place: piece.name for piece in drawing.pieces if piece.name}
    return Picture(
        {place: spot.box for place, spot in drawing.places.items()},
        {**names, **drawing.names},
        (*drawing.fills, *(Fill(panel.box, panel.colour) for panel in drawing.panels)),
        tuple(each for each in drawing.pieces if each.is_raised or not is_covered(each.at)),
        (
            *(each for each in drawing.writings if not is_covered(each.at)),
            *(each for panel in drawing.panels for each in panel.writings),
        ),
        panels,
        drawing.seat_notes,
    )
