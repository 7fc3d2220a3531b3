"""The layout of a picture on a grid of characters.

Places of the commonest size become cells of whole characters; what lies around them is drawn
closer together, as a terminal has little room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor
from typing import NamedTuple

from kibitz.core.drawing import Box, Writing
from kibitz.core.game import Place
from kibitz.terminal.picture import Picture

CELL_SIZES = ((11, 5), (9, 4), (7, 3), (5, 2), (4, 2), (3, 1))
"""Characters and lines of a cell; characters are about twice as high as wide."""
OUTSIDE_SCALE = 0.65
"""The scale outside the cells."""


class Area(NamedTuple):
    """Some characters, by their first column and line."""

    x: int
    y: int
    width: int
    height: int

    def contains(self, x: int, y: int) -> bool:
        return 0 <= x - self.x < self.width and 0 <= y - self.y < self.height

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + (self.width - 1) / 2, self.y + (self.height - 1) / 2


@dataclass(frozen=True, slots=True)
class Axis:
    """From units of the drawing to characters and back, along one direction."""

    low: float
    high: float
    per_unit: float
    offset: int = 0

    def to_characters(self, units: float) -> float:
        inside = min(max(units, self.low), self.high)
        return (inside - self.low + (units - inside) * OUTSIDE_SCALE) * self.per_unit - self.offset

    def to_units(self, characters: float) -> float:
        along = (characters + self.offset) / self.per_unit
        inside = min(max(along, 0), self.high - self.low)
        return self.low + inside + (along - inside) / OUTSIDE_SCALE


@dataclass(frozen=True, slots=True)
class Layout:
    width: int
    height: int
    cell_width: int
    """The width of a cell in characters."""
    across: Axis
    down: Axis
    areas: Mapping[Place, Area]

    def character_at(self, point: tuple[float, float]) -> tuple[int, int]:
        """The character at a point of the drawing."""
        return floor(self.across.to_characters(point[0])), floor(self.down.to_characters(point[1]))

    def writing_start(self, writing: Writing) -> tuple[int, int]:
        """The column and row of the first letter of a writing."""
        return _start_column(writing, self.across), floor(self.down.to_characters(writing.at[1]))

    def place_at(self, x: int, y: int) -> Place | None:
        """The place there, the smallest where several are."""
        found = [place for place, area in self.areas.items() if area.contains(x, y)]
        return min(
            found, key=lambda place: self.areas[place][2] * self.areas[place][3], default=None
        )


def fit_layout(picture: Picture, width: int, height: int) -> Layout:
    """The picture with the largest cells that fit, or the smallest there are."""
    for columns, lines in CELL_SIZES:
        layout = _with_cells(picture, columns, lines)
        if layout.width <= width and layout.height <= height:
            break
    return layout


def usual_size(picture: Picture) -> tuple[float, float]:
    """The commonest width and height of a place: that of a square."""
    sizes = Counter((box.width, box.height) for box in picture.places.values())
    ((size, _),) = sizes.most_common(1)
    return size


def _with_cells(picture: Picture, columns: int, lines: int) -> Layout:
    wide, high = usual_size(picture)
    cells = [box for box in picture.places.values() if (box.width, box.height) == (wide, high)]
    across = Axis(min(box.x for box in cells), max(box.x + wide for box in cells), columns / wide)
    down = Axis(min(box.y for box in cells), max(box.y + high for box in cells), lines / high)
    areas = {place: _area_of(box, across, down) for place, box in picture.places.items()}
    starts = [(_start_column(each, across), len(each.text)) for each in picture.writings]
    lefts = [area.x for area in areas.values()] + [start for start, _ in starts]
    rights = [area.x + area.width for area in areas.values()] + [sum(each) for each in starts]
    points = [each.at for each in picture.writings] + [each.at for each in picture.pieces]
    lines_used = [floor(down.to_characters(y)) for _, y in points]
    tops = [area.y for area in areas.values()] + lines_used
    bottoms = [area.y + area.height for area in areas.values()] + [y + 1 for y in lines_used]
    left, top = min(lefts), min(tops)
    across = Axis(across.low, across.high, across.per_unit, left)
    down = Axis(down.low, down.high, down.per_unit, top)
    areas = {
        place: Area(x - left, y - top, width, height)
        for place, (x, y, width, height) in areas.items()
    }
    return Layout(max(rights) - left, max(bottoms) - top, columns, across, down, areas)


def _area_of(box: Box, across: Axis, down: Axis) -> Area:
    left, right = (round(across.to_characters(box.x)), round(across.to_characters(box.right)))
    top, bottom = (round(down.to_characters(box.y)), round(down.to_characters(box.y + box.height)))
    return Area(left, top, max(1, right - left), max(1, bottom - top))


def _start_column(writing: Writing, across: Axis) -> int:
    share = {"middle": 0.5, "end": 1.0}.get(writing.anchor, 0.0)
    return floor(
        across.to_characters(writing.at[0]) - share * len(writing.text) + (0.5 if share == 1 else 0)
    )
