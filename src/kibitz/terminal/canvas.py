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
from kibitz.core.game import Mark, Place
from kibitz.terminal.grid import Area, Layout
from kibitz.terminal.picture import Box, Figure, Picture

COLOURS = THEMES["dark"]
QUADRANTS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""By which quarters are filled: 1 upper left, 2 upper right, 4 lower left, 8 lower right."""
CLEAR = 80
"""How much brighter or darker than what is below it a letter has to be, of 255."""
LINES = ("beam", "way", "pass", "risk")
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
class Scene:
    """All that is on the board, for one moment."""

    picture: Picture
    layout: Layout
    lit: tuple[Place, ...] = ()
    chosen: tuple[Place, ...] = ()
    marks: tuple[Mark, ...] = ()
    last: frozenset[Place] = frozenset()
    """Where pieces came from and went to."""
    refused: Place = ""
    because: Place = ""
    cursor: Place = ""
    plain: bool = False
    """ASCII only."""


def paint(scene: Scene) -> list[list[Cell]]:
    canvas = _Canvas(scene)
    canvas.ground()
    canvas.writings()
    canvas.last()
    canvas.beams()
    canvas.pieces()
    canvas.choices()
    canvas.refusal()
    canvas.cursor()
    return canvas.cells


def hexadecimal(colour: str) -> str:
    """A colour by its name as #RRGGBB."""
    found = COLOURS[colour]
    return found if len(found) == 7 else "#" + "".join(2 * digit for digit in found[1:])


def symbol(figure: Figure | None, plain: bool) -> str:
    """A piece as one character."""
    if figure is None:
        return " "
    if figure.text:
        return figure.text
    if plain:
        return "o" if figure.is_round else "#"
    return "◉" if figure.is_round else "◼"


def clearer(figure: Figure, paper: str) -> str:
    """Of the two colours of a figure the one that stands out more; ink if neither does."""

    def contrast(colour: str) -> float:
        return abs(_light(colour) - _light(paper))

    best = max((figure.colour, figure.inner or figure.colour), key=contrast)
    return best if contrast(best) > 40 else "ink"


def arrow(origin: tuple[float, float], goal: tuple[float, float], plain: bool) -> str:
    across, down = goal[0] - origin[0], goal[1] - origin[1]
    longer = max(abs(across), abs(down)) or 1
    # Characters are twice as high as wide, so what is level is wide.
    direction = round(across / longer), round(down / longer)
    return ARROWS.get(direction, "•*")[plain]


class _Canvas:
    def __init__(self, scene: Scene) -> None:
        self.scene, self.layout = scene, scene.layout
        self.signs = ASCII_SIGNS if scene.plain else SIGNS
        self.cells = [[Cell()] * self.layout.width for _ in range(self.layout.height)]
        self.occupied: set[Place] = set()
        """Where something stands or is written."""

    def put(self, x: int, y: int, **changes: str | bool) -> None:
        if 0 <= x < self.layout.width and 0 <= y < self.layout.height:
            # `replace` cannot be told which changes are texts and which are not.
            self.cells[y][x] = replace(self.cells[y][x], **changes)  # type: ignore[arg-type]

    def write(self, x: int, y: int, text: str, **changes: str | bool) -> None:
        for step, char in enumerate(text):
            self.put(x + step, y, char=char, **changes)

    def area(self, place: Place) -> Area | None:
        return self.layout.areas.get(place)

    def ground(self) -> None:
        for y, line in enumerate(ground(self.scene.picture, self.layout)):
            for x, colour in enumerate(line):
                self.cells[y][x] = Cell(paper=colour)

    def writings(self) -> None:
        """Where two would overlap, the shorter one stays: numbers rather than headings."""
        taken: set[tuple[int, int]] = set()
        for writing in sorted(self.scene.picture.writings, key=lambda each: len(each.text)):
            x, y = self.layout.start(writing)
            cells = {(x + step, y) for step in range(-1, len(writing.text) + 1)}
            if taken & cells:
                continue
            taken |= {(x + step, y) for step in range(len(writing.text))}
            self.write(x, y, writing.text, ink=writing.colour or "ink-2")
            self.occupied.update(p for p, area in self.layout.areas.items() if area.holds(x, y))

    def last(self) -> None:
        for place in self.scene.last:
            for x, y in self._inside(place):
                self.put(x, y, paper="last")

    def pieces(self) -> None:
        for piece in self.scene.picture.pieces:
            area = self.area(piece.place)
            self.occupied.add(piece.place)
            if area and area.width >= 3:
                self._figure(_inner(area), piece.figure)
            else:
                x, y = self.layout.at(piece.at)
                self._symbol(x, y, piece.figure)

    def beams(self) -> None:
        """Dots from one place to the next, where nothing else will be."""
        for mark in self.scene.marks:
            if mark.kind not in LINES:
                continue
            ends = mark.places if mark.kind == "way" else mark.places[:2]
            areas = [area for place in ends if (area := self.area(place))]
            for a, b in pairwise(areas):
                for x, y in _line(a.middle, b.middle):
                    if not (areas[0].holds(x, y) or areas[-1].holds(x, y)):
                        ink = "warn" if mark.kind == "risk" else "mark"
                        self.put(x, y, char="." if self.scene.plain else "·", ink=ink, bold=True)

    def choices(self) -> None:
        drawn = {mark.places[-1]: mark for mark in self.scene.marks if mark.kind not in LINES}
        for place in self.scene.lit:
            self._lit(place, drawn.get(place))
        for mark in self.scene.marks:
            for place in mark.places[2:] if mark.kind == "risk" else ():
                self._sides(place, self.signs["risk"], ink="paper", paper="warn", bold=True)
            if mark.kind == "arrow":
                self._arrow(*mark.places)
        held = [mark.places for mark in self.scene.marks if mark.kind == "anchor"]
        for place in (*self.scene.chosen, *(p for ends in held for p in self._between(ends))):
            self._sides(place, self.signs["chosen"], ink="mark", paper="mark-halo")

    def refusal(self) -> None:
        self._sides(self.scene.because, self.signs["because"], ink="paper", paper="bad")
        if area := self.area(self.scene.refused):
            x, y = _centre(area)
            self.put(x, y, char="X" if self.scene.plain else "✗", ink="paper", paper="bad")

    def cursor(self) -> None:
        place, area = self.scene.cursor, self.area(self.scene.cursor)
        if not area or (place not in self.scene.lit and self._is_covered(place)):
            return
        chosen = place in self.scene.chosen
        for line in range(area.height):
            edge = "top" if line == 0 else "bottom" if line == area.height - 1 else "middle"
            sign = self.signs["both" if chosen else edge if area.height > 1 else "cursor"]
            for x, char in zip((area.x, area.x + area.width - 1), sign, strict=True):
                shown = self.cells[area.y + line][x].char
                changes = {} if place in self.scene.lit and shown != " " else {"char": char}
                self.put(x, area.y + line, ink="on-Y", paper="spark", bold=True, **changes)

    def _is_covered(self, place: Place) -> bool:
        middle = self.scene.picture.places[place].middle
        return any(panel.holds(*middle) for panel in self.scene.picture.panels)

    def _inside(self, place: Place) -> Iterator[tuple[int, int]]:
        if area := self.area(place):
            for y in range(area.y, area.y + area.height):
                yield from ((x, y) for x in range(area.x, area.x + area.width))

    def _sides(self, place: Place, sign: str, **changes: str | bool) -> None:
        """A sign left and right of a place; all over it where it is too small for sides."""
        area = self.area(place)
        if area and area.width >= 3:
            for y in range(area.y, area.y + area.height):
                self.put(area.x, y, char=sign[0], **changes)
                self.put(area.x + area.width - 1, y, char=sign[1], **changes)
        elif area:
            for x, y in self._inside(place):
                self.put(x, y, **changes)

    def _lit(self, place: Place, mark: Mark | None) -> None:
        area = self.area(place)
        if not area:
            return
        if mark and mark.kind == "off" and (origin := self.area(mark.places[0])):
            text = arrow(origin.middle, area.middle, self.scene.plain) + mark.text
            x, y = _centre(area)
            self.write(x - (len(text) - 1) // 2, y, text, ink="mark-halo", paper="mark", bold=True)
            return
        kind = mark.kind if mark else ""
        if kind == "quiet":
            return
        if kind == "area":
            self._striped(place)
            return
        free = place not in self.occupied and area.width <= 2 * area.height + 2
        if not free or kind == "attack":
            sign = self.signs["attack" if kind == "attack" else "lit"]
            self._sides(place, sign, ink="mark", paper="mark-halo", bold=True)
        elif mark and mark.text:
            self._disc(area, mark.text, filled=mark.kind != "pull")
        else:
            self._dot(area)
        if mark and mark.text and not free and kind != "attack":
            self._disc(Area(*_centre(area), 1, 1), mark.text, filled=mark.kind != "pull")

    def _striped(self, place: Place) -> None:
        for x, y in self._inside(place):
            if place not in self.occupied:
                self.put(x, y, char="/" if self.scene.plain else "░", ink="mark")

    def _arrow(self, origin: Place, target: Place) -> None:
        """At the rim where the two meet."""
        a, b = self.area(origin), self.area(target)
        if a and b:
            (x, y), (to_x, to_y) = a.middle, b.middle
            char = arrow((x, y), (to_x, to_y), self.scene.plain)
            self.put(round((x + to_x) / 2), round((y + to_y) / 2), char=char, ink="mark", bold=True)

    def _dot(self, area: Area) -> None:
        x, y = _centre(area)
        if area.height % 2 or self.scene.plain:
            middle = "o" if self.scene.plain else "●"
            text = f" {middle} " if area.width > 4 else middle
            self.write(x - len(text) // 2, y, text, ink="mark", paper="mark-halo")
        else:
            for line, dot in ((y, "▗▄▖"), (y + 1, "▝▀▘")):
                self.write(x - 1, line, dot, ink="mark-halo")
                self.put(x, line, ink="mark")

    def _disc(self, area: Area, text: str, filled: bool) -> None:
        inner = _inner(area)
        x, y = _centre(area)
        if inner.width >= 3 and (self.scene.plain or inner.height < 2):
            text = f"({text})" if filled else f"<{text}>"
            x -= (len(text) - 1) // 2
        elif inner.width >= 3:
            self._figure(inner, Figure(True, "mark", "" if filled else "mark-halo"))
        ink, paper = ("mark-halo", "mark") if filled else ("mark", "mark-halo")
        self.write(x, y, text, ink=ink, paper=paper, bold=True)

    def _symbol(self, x: int, y: int, figure: Figure) -> None:
        inside = 0 <= x < self.layout.width and 0 <= y < self.layout.height
        ink = clearer(figure, self.cells[y][x].paper) if inside else figure.colour
        for i, char in enumerate(figure.text or symbol(figure, self.scene.plain)):
            self.put(x + i, y, char=char, ink=ink)

    def _figure(self, area: Area, figure: Figure) -> None:
        x, y = _centre(area)
        if self.scene.plain and area.width >= 3:
            letters = figure.text or symbol(figure, plain=True)
            text = f"({letters})" if figure.is_round else f"[{letters}]"
            text = text if len(text) <= area.width else letters
            self.write(
                x - (len(text) - 1) // 2,
                y,
                text,
                ink=figure.inner or figure.colour,
                paper=figure.colour,
            )
        elif area.width < 3 or area.height < 2:
            self._symbol(x, y, figure)
        else:
            for line in range(area.height):
                for column in range(area.width):
                    self._quarters(area, column, line, figure)
            if figure.text:
                paper = figure.inner or figure.colour
                left = x - (len(figure.text) - 1) // 2
                ink = _legible(figure.colour, paper)
                self.write(left, y, figure.text, ink=ink, paper=paper, bold=True)

    def _quarters(self, area: Area, column: int, line: int, figure: Figure) -> None:
        """One character of a figure, from what each of its quarters shows."""
        shown = [
            _part(
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
        self.put(area.x + column, area.y + line, char=QUADRANTS[filled], **changes)

    def _between(self, ends: Iterable[Place]) -> Iterator[Place]:
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


def ground(picture: Picture, layout: Layout) -> list[list[str]]:
    """The colour under each character: that of the uppermost area there.

    Areas much smaller than a cell are left out: they would look torn.
    """
    areas = [
        (box, colour)
        for box, colour in reversed(picture.ground)
        if layout.across.at(box.left + box.width) - layout.across.at(box.left) > layout.cell / 2
    ]
    lines = []
    for y in range(layout.height):
        down = layout.down.back(y + 0.5)
        there = [(box, colour) for box, colour in areas if box.top <= down]
        lines.append(
            [_under(there, layout.across.back(x + 0.5), down) for x in range(layout.width)]
        )
    return lines


def _under(areas: list[tuple[Box, str]], x: float, y: float) -> str:
    return next((colour for box, colour in areas if box.holds(x, y)), "paper")


def _light(colour: str) -> float:
    """How bright a colour looks."""
    red, green, blue = bytes.fromhex(hexadecimal(colour)[1:])
    return 0.3 * red + 0.6 * green + 0.1 * blue


def _legible(colour: str, paper: str) -> str:
    """This colour where it stands out, otherwise black or white."""
    if abs(_light(colour) - _light(paper)) > CLEAR:
        return colour
    return "paper" if _light(paper) > 128 else "ink"


def _inner(area: Area) -> Area:
    """An area less its sides, where the signs go."""
    return Area(area.x + 1, area.y, area.width - 2, area.height) if area.width > 2 else area


def _centre(area: Area) -> tuple[int, int]:
    return area.x + (area.width - 1) // 2, area.y + (area.height - 1) // 2


def _part(figure: Figure, x: float, y: float) -> str:
    """What a figure shows at a point: its body, its middle, or nothing. Edges are at -1 and 1."""
    away = (x * x + y * y) ** 0.5 if figure.is_round else max(abs(x), abs(y))
    if away > 1:
        return ""
    return "middle" if figure.inner and away < 0.45 else "body"


def _line(start: tuple[float, float], end: tuple[float, float]) -> Iterator[tuple[int, int]]:
    steps = int(max(abs(end[0] - start[0]) / 2, abs(end[1] - start[1]))) or 1
    for step in range(1, steps):
        share = step / steps
        x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
        yield round(x), round(y)
