"""A scene painted in characters. No mark is told by its colour alone.

▟▀▙  ███   a round and a square piece, here in five by two characters
▜▄▛  ███   (or their letters in brackets, on terminals that have only ASCII)
╎ ╎        may be chosen next; on an empty place a dot, or a disc with a number
█ █        chosen
┏ ┓        the cursor
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from kibitz.core.colours import THEMES
from kibitz.core.drawing import Figure, Fill
from kibitz.core.game import Mark, Place
from kibitz.terminal.grid import Area, Layout
from kibitz.terminal.picture import Picture

COLOURS = THEMES["dark"]
QUADRANTS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""By which quarters are filled: 1 upper left, 2 upper right, 4 lower left, 8 lower right."""
MIN_CONTRAST = 80
"""The least difference in brightness between a letter and what is below it, of 255."""
LINE_MARKS = ("beam", "way", "pass", "risk")
"""Marks that run from place to place."""
ARROWS = {
    (0, -1): "↑^",
    (1, -1): "↗/",
    (1, 0): "→>",
    (1, 1): "↘\\",
    (0, 1): "↓v",
    (-1, 1): "↙/",
    (-1, 0): "←<",
    (-1, -1): "↖\\",
}
"""By direction, in Unicode and in ASCII."""
SIGNS = {
    "lit": "╎╎",
    "chosen": "██",
    "both": "▌▐",
    "because": "!!",
    "attack": "»«",
    "risk": "!!",
    "cursor": "[]",
    "top": "┏┓",
    "middle": "┃┃",
    "bottom": "┗┛",
}
ASCII_SIGNS = {
    "lit": "::",
    "chosen": "##",
    "both": "#]",
    "because": "!!",
    "attack": "><",
    "risk": "!!",
    "cursor": "[]",
    "top": "[]",
    "middle": "[]",
    "bottom": "[]",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A character; its colours are names."""

    char: str = " "
    ink: str = "ink"
    paper: str = "paper"
    bold: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardScene:
    """All that is on the board, for one moment."""

    picture: Picture
    layout: Layout
    next_places: tuple[Place, ...] = ()
    chosen_places: tuple[Place, ...] = ()
    marks: tuple[Mark, ...] = ()
    last_places: frozenset[Place] = frozenset()
    """Where pieces came from and went to."""
    refused_place: Place = ""
    reason_place: Place = ""
    cursor: Place = ""
    is_ascii: bool = False
    """ASCII only."""


def paint_scene(scene: BoardScene) -> list[list[Cell]]:
    canvas = _Canvas(scene)
    canvas.paint_ground()
    canvas.paint_writings()
    canvas.paint_last()
    canvas.paint_beams()
    canvas.paint_pieces()
    canvas.paint_choices()
    canvas.paint_refusal()
    canvas.paint_cursor()
    return canvas.cells


def hex_colour(colour: str) -> str:
    """A colour by its name as #RRGGBB."""
    found = COLOURS[colour]
    return found if len(found) == 7 else "#" + "".join(2 * digit for digit in found[1:])


def symbol(figure: Figure | None, plain: bool) -> str:
    """A piece as one character."""
    if figure is None:
        return " "
    if figure.letters:
        return figure.letters
    if plain:
        return "o" if figure.is_round else "#"
    return "◉" if figure.is_round else "◼"


def clearer_colour(figure: Figure, paper: str) -> str:
    """Of the two colours of a figure the one that stands out more; ink if neither does."""

    def contrast(colour: str) -> float:
        return abs(_brightness(colour) - _brightness(paper))

    best = max((figure.colour, figure.inner or figure.colour), key=contrast)
    return best if contrast(best) > 40 else "ink"


def arrow(origin: tuple[float, float], goal: tuple[float, float], plain: bool) -> str:
    across, down = goal[0] - origin[0], goal[1] - origin[1]
    longer = max(abs(across), abs(down)) or 1
    # Characters are twice as high as wide, so what is level is wide.
    direction = round(across / longer), round(down / longer)
    return ARROWS.get(direction, "•*")[plain]


class _Canvas:
    def __init__(self, scene: BoardScene) -> None:
        self.scene, self.layout = scene, scene.layout
        self.signs = ASCII_SIGNS if scene.is_ascii else SIGNS
        self.cells = [[Cell()] * self.layout.width for _ in range(self.layout.height)]
        self.occupied: set[Place] = set()
        """Where something stands or is written."""

    def put_cell(self, x: int, y: int, **changes: str | bool) -> None:
        if 0 <= x < self.layout.width and 0 <= y < self.layout.height:
            # `replace` cannot be told which changes are texts and which are not.
            self.cells[y][x] = replace(self.cells[y][x], **changes)  # type: ignore[arg-type]

    def write_text(self, x: int, y: int, text: str, **changes: str | bool) -> None:
        for step, char in enumerate(text):
            self.put_cell(x + step, y, char=char, **changes)

    def area(self, place: Place) -> Area | None:
        return self.layout.areas.get(place)

    def paint_ground(self) -> None:
        for y, line in enumerate(ground_colours(self.scene.picture, self.layout)):
            for x, colour in enumerate(line):
                self.cells[y][x] = Cell(paper=colour)

    def paint_writings(self) -> None:
        """Paint the writings; of two that overlap the shorter one stays: numbers, not headings."""
        taken: set[tuple[int, int]] = set()
        for writing in sorted(self.scene.picture.writings, key=lambda each: len(each.text)):
            x, y = self.layout.writing_start(writing)
            cells = {(x + step, y) for step in range(-1, len(writing.text) + 1)}
            if taken & cells:
                continue
            taken |= {(x + step, y) for step in range(len(writing.text))}
            self.write_text(x, y, writing.text, ink=writing.ink or "ink-2")
            self.occupied.update(p for p, area in self.layout.areas.items() if area.contains(x, y))

    def paint_last(self) -> None:
        for place in self.scene.last_places:
            for x, y in self._cells_of(place):
                self.put_cell(x, y, paper="last")

    def paint_pieces(self) -> None:
        for piece in self.scene.picture.pieces:
            area = self.area(piece.place)
            self.occupied.add(piece.place)
            if area and area.width >= 3:
                self._paint_figure(_inner_area(area), piece.figure)
            else:
                x, y = self.layout.character_at(piece.at)
                self._paint_symbol(x, y, piece.figure)

    def paint_beams(self) -> None:
        """Dots from one place to the next, where nothing else will be."""
        for mark in self.scene.marks:
            if mark.kind not in LINE_MARKS:
                continue
            ends = mark.places if mark.kind == "way" else mark.places[:2]
            areas = [area for place in ends if (area := self.area(place))]
            for a, b in pairwise(areas):
                for x, y in _line_points(a.middle, b.middle):
                    if not (areas[0].contains(x, y) or areas[-1].contains(x, y)):
                        ink = "warn" if mark.kind == "risk" else "mark"
                        self.put_cell(
                            x, y, char="." if self.scene.is_ascii else "·", ink=ink, bold=True
                        )

    def paint_choices(self) -> None:
        drawn = {mark.places[-1]: mark for mark in self.scene.marks if mark.kind not in LINE_MARKS}
        for place in self.scene.next_places:
            self._paint_choice(place, drawn.get(place))
        for mark in self.scene.marks:
            for place in mark.places[2:] if mark.kind == "risk" else ():
                self._paint_sides(place, self.signs["risk"], ink="paper", paper="warn", bold=True)
            if mark.kind == "arrow":
                self._paint_arrow(*mark.places)
        held = [mark.places for mark in self.scene.marks if mark.kind == "anchor"]
        for place in (
            *self.scene.chosen_places,
            *(p for ends in held for p in self._places_between(ends)),
        ):
            self._paint_sides(place, self.signs["chosen"], ink="mark", paper="mark-halo")

    def paint_refusal(self) -> None:
        self._paint_sides(self.scene.reason_place, self.signs["because"], ink="paper", paper="bad")
        if area := self.area(self.scene.refused_place):
            x, y = _centre(area)
            self.put_cell(x, y, char="X" if self.scene.is_ascii else "✗", ink="paper", paper="bad")

    def paint_cursor(self) -> None:
        place, area = self.scene.cursor, self.area(self.scene.cursor)
        if not area or (place not in self.scene.next_places and self._is_covered(place)):
            return
        chosen = place in self.scene.chosen_places
        for line in range(area.height):
            edge = "top" if line == 0 else "bottom" if line == area.height - 1 else "middle"
            sign = self.signs["both" if chosen else edge if area.height > 1 else "cursor"]
            for x, char in zip((area.x, area.x + area.width - 1), sign, strict=True):
                shown = self.cells[area.y + line][x].char
                changes = {} if place in self.scene.next_places and shown != " " else {"char": char}
                self.put_cell(x, area.y + line, ink="on-Y", paper="spark", bold=True, **changes)

    def _is_covered(self, place: Place) -> bool:
        middle = self.scene.picture.places[place].middle
        return any(panel.contains(middle) for panel in self.scene.picture.panels)

    def _cells_of(self, place: Place) -> Iterator[tuple[int, int]]:
        if area := self.area(place):
            for y in range(area.y, area.y + area.height):
                yield from ((x, y) for x in range(area.x, area.x + area.width))

    def _paint_sides(self, place: Place, sign: str, **changes: str | bool) -> None:
        """A sign left and right of a place; all over it where it is too small for sides."""
        area = self.area(place)
        if area and area.width >= 3:
            for y in range(area.y, area.y + area.height):
                self.put_cell(area.x, y, char=sign[0], **changes)
                self.put_cell(area.x + area.width - 1, y, char=sign[1], **changes)
        elif area:
            for x, y in self._cells_of(place):
                self.put_cell(x, y, **changes)

    def _paint_choice(self, place: Place, mark: Mark | None) -> None:
        area = self.area(place)
        if not area:
            return
        if mark and mark.kind == "off" and (origin := self.area(mark.places[0])):
            text = arrow(origin.middle, area.middle, self.scene.is_ascii) + mark.text
            x, y = _centre(area)
            self.write_text(
                x - (len(text) - 1) // 2, y, text, ink="mark-halo", paper="mark", bold=True
            )
            return
        kind = mark.kind if mark else ""
        if kind == "quiet":
            return
        if kind == "area":
            self._paint_stripes(place)
            return
        free = place not in self.occupied and area.width <= 2 * area.height + 2
        if not free or kind == "attack":
            sign = self.signs["attack" if kind == "attack" else "lit"]
            self._paint_sides(place, sign, ink="mark", paper="mark-halo", bold=True)
        elif mark and mark.text:
            self._paint_disc(area, mark.text, filled=mark.kind != "pull")
        else:
            self._paint_dot(area)
        if mark and mark.text and not free and kind != "attack":
            self._paint_disc(Area(*_centre(area), 1, 1), mark.text, filled=mark.kind != "pull")

    def _paint_stripes(self, place: Place) -> None:
        for x, y in self._cells_of(place):
            if place not in self.occupied:
                self.put_cell(x, y, char="/" if self.scene.is_ascii else "░", ink="mark")

    def _paint_arrow(self, origin: Place, target: Place) -> None:
        """At the rim where the two meet."""
        a, b = self.area(origin), self.area(target)
        if a and b:
            (x, y), (to_x, to_y) = a.middle, b.middle
            char = arrow((x, y), (to_x, to_y), self.scene.is_ascii)
            self.put_cell(
                round((x + to_x) / 2), round((y + to_y) / 2), char=char, ink="mark", bold=True
            )

    def _paint_dot(self, area: Area) -> None:
        x, y = _centre(area)
        if area.height % 2 or self.scene.is_ascii:
            middle = "o" if self.scene.is_ascii else "●"
            text = f" {middle} " if area.width > 4 else middle
            self.write_text(x - len(text) // 2, y, text, ink="mark", paper="mark-halo")
        else:
            for line, dot in ((y, "▗▄▖"), (y + 1, "▝▀▘")):
                self.write_text(x - 1, line, dot, ink="mark-halo")
                self.put_cell(x, line, ink="mark")

    def _paint_disc(self, area: Area, text: str, filled: bool) -> None:
        inner = _inner_area(area)
        x, y = _centre(area)
        if inner.width >= 3 and (self.scene.is_ascii or inner.height < 2):
            text = f"({text})" if filled else f"<{text}>"
            x -= (len(text) - 1) // 2
        elif inner.width >= 3:
            self._paint_figure(inner, Figure(True, "mark", "" if filled else "mark-halo"))
        ink, paper = ("mark-halo", "mark") if filled else ("mark", "mark-halo")
        self.write_text(x, y, text, ink=ink, paper=paper, bold=True)

    def _paint_symbol(self, x: int, y: int, figure: Figure) -> None:
        inside = 0 <= x < self.layout.width and 0 <= y < self.layout.height
        ink = clearer_colour(figure, self.cells[y][x].paper) if inside else figure.colour
        for i, char in enumerate(figure.letters or symbol(figure, self.scene.is_ascii)):
            self.put_cell(x + i, y, char=char, ink=ink)

    def _paint_figure(self, area: Area, figure: Figure) -> None:
        x, y = _centre(area)
        if self.scene.is_ascii and area.width >= 3:
            letters = figure.letters or symbol(figure, plain=True)
            text = f"({letters})" if figure.is_round else f"[{letters}]"
            text = text if len(text) <= area.width else letters
            self.write_text(
                x - (len(text) - 1) // 2,
                y,
                text,
                ink=figure.inner or figure.colour,
                paper=figure.colour,
            )
        elif area.width < 3 or area.height < 2:
            self._paint_symbol(x, y, figure)
        else:
            for line in range(area.height):
                for column in range(area.width):
                    self._paint_quarters(area, column, line, figure)
            if figure.letters:
                paper = figure.inner or figure.colour
                left = x - (len(figure.letters) - 1) // 2
                ink = _readable_colour(figure.colour, paper)
                self.write_text(left, y, figure.letters, ink=ink, paper=paper, bold=True)

    def _paint_quarters(self, area: Area, column: int, line: int, figure: Figure) -> None:
        """One character of a figure, from what each of its quarters shows."""
        shown = [
            _figure_part(
                figure,
                (2 * column + i + 0.5) / area.width - 1,
                (2 * line + j + 0.5) / area.height - 1,
            )
            for j in (0, 1)
            for i in (0, 1)
        ]
        if not any(shown):
            return
        filled = sum(1 << bit for bit, part in enumerate(shown) if part == "body")
        changes = {"ink": figure.colour}
        if "middle" in shown:
            changes["paper"] = figure.inner
        self.put_cell(area.x + column, area.y + line, char=QUADRANTS[filled], **changes)

    def _places_between(self, ends: Iterable[Place]) -> Iterator[Place]:
        """The occupied places in a row from one end to the other."""
        first, last = (self.scene.picture.places[place].middle for place in ends)
        for place in self.occupied & self.scene.picture.places.keys():
            (x, y) = self.scene.picture.places[place].middle
            around = abs(
                (x - first[0]) * (last[1] - first[1]) - (y - first[1]) * (last[0] - first[0])
            )
            within = all(
                min(pair) <= at <= max(pair)
                for at, pair in ((x, (first[0], last[0])), (y, (first[1], last[1])))
            )
            if within and around < 1:
                yield place


def ground_colours(picture: Picture, layout: Layout) -> list[list[str]]:
    """The colour under each character: that of the uppermost area there.

    Areas much smaller than a cell are left out: they would look torn.
    """
    to_characters, least = layout.across.to_characters, layout.cell_width / 2
    fills = [
        fill
        for fill in reversed(picture.ground)
        if to_characters(fill.box.right) - to_characters(fill.box.x) > least
    ]
    lines = []
    for y in range(layout.height):
        down = layout.down.to_units(y + 0.5)
        there = [fill for fill in fills if fill.box.y <= down]
        lines.append(
            [
                _colour_under(there, layout.across.to_units(x + 0.5), down)
                for x in range(layout.width)
            ]
        )
    return lines


def _colour_under(fills: list[Fill], x: float, y: float) -> str:
    return next((colour for box, colour in fills if box.contains((x, y))), "paper")


def _brightness(colour: str) -> float:
    """The brightness of a colour."""
    red, green, blue = bytes.fromhex(hex_colour(colour)[1:])
    return 0.3 * red + 0.6 * green + 0.1 * blue


def _readable_colour(colour: str, paper: str) -> str:
    """This colour where it stands out, otherwise black or white."""
    if abs(_brightness(colour) - _brightness(paper)) > MIN_CONTRAST:
        return colour
    return "paper" if _brightness(paper) > 128 else "ink"


def _inner_area(area: Area) -> Area:
    """An area less its sides, where the signs go."""
    return Area(area.x + 1, area.y, area.width - 2, area.height) if area.width > 2 else area


def _centre(area: Area) -> tuple[int, int]:
    return area.x + (area.width - 1) // 2, area.y + (area.height - 1) // 2


def _figure_part(figure: Figure, x: float, y: float) -> str:
    """The part of a figure at a point: its body, its middle, or nothing. Edges are at -1 and 1."""
    away = (x * x + y * y) ** 0.5 if figure.is_round else max(abs(x), abs(y))
    if away > 1:
        return ""
    return "middle" if figure.inner and away < 0.45 else "body"


def _line_points(start: tuple[float, float], end: tuple[float, float]) -> Iterator[tuple[int, int]]:
    steps = int(max(abs(end[0] - start[0]) / 2, abs(end[1] - start[1]))) or 1
    for step in range(1, steps):
        share = step / steps
        x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
        yield round(x), round(y)
