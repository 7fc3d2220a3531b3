"""What a drawing holds, read from its SVG: places to touch, pieces, ground, writing.

So the terminal draws any game that the page can draw, and knows none. It reads what drawings
are made of: rects, circles, paths, texts, `use`, and translate and scale. A colour is its
name among the colours of the themes; what has no such name is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple
from xml.etree import ElementTree

from kibitz.core.drawing import LAYERS, Drawing
from kibitz.core.game import Place, Seat

PIECE_PREFIX, PLATE_ATTRIBUTE = "pc-", "data-seat"
LETTERS_ATTRIBUTE = "data-letters"
"""How a piece is told apart where there is no room for shapes."""
MIN_PANEL_UNITS = 80
"""Units that a panel has at least, more than any piece."""
_VARIABLE_PATTERN = re.compile(r"var\(--([\w-]+)\)")
_NUMBER_PATTERN = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_TRANSFORM_PATTERN = re.compile(r"(\w+)\(([^)]*)\)")


class Box(NamedTuple):
    left: float
    top: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.left + self.width / 2, self.top + self.height / 2

    def contains(self, x: float, y: float) -> bool:
        across, down = x - self.left, y - self.top
        return 0 <= across <= self.width and 0 <= down <= self.height


@dataclass(frozen=True, slots=True)
class Figure:
    """A piece in short: its outline, its main colour, the colour of its middle, its letters."""

    is_round: bool
    colour: str
    inner: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    place: Place
    at: tuple[float, float]
    figure: Figure


@dataclass(frozen=True, slots=True)
class Writing:
    text: str
    at: tuple[float, float]
    anchor: str
    colour: str


@dataclass(frozen=True, slots=True)
class Picture:
    places: Mapping[Place, Box]
    names: Mapping[Place, str]
    """What a screen reader would say of a place."""
    ground: tuple[tuple[Box, str], ...]
    """Areas and their colours, the later ones above."""
    pieces: tuple[Piece, ...]
    writings: tuple[Writing, ...]
    panels: tuple[Box, ...]
    """What is laid over the board."""
    seat_notes: Mapping[Seat, tuple[str, ...]]
    """What is written on the plate of a seat, if it has one, by lines."""


class _Frame(NamedTuple):
    """Where an element is and what it inherits."""

    x: float = 0
    y: float = 0
    scale: float = 1
    is_turned: bool = False
    """Writing that does not run from left to right is not legible in characters."""
    fill: str = ""
    stroke: str = ""
    anchor: str = "start"
    is_faint: bool = False

    def child_frame(self, element: ElementTree.Element) -> _Frame:
        x, y, scale, turned = self.x, self.y, self.scale, self.is_turned
        for name, numbers in _TRANSFORM_PATTERN.findall(element.get("transform", "")):
            first, *rest = (float(number) for number in _NUMBER_PATTERN.findall(numbers))
            if name == "translate":
                x, y = x + scale * first, y + scale * (rest[0] if rest else 0)
            if name == "scale":
                scale *= first
            turned = turned or (name == "rotate" and bool(first))
        if element.tag == "use":
            x, y = x + scale * _number(element, "x"), y + scale * _number(element, "y")
        return _Frame(
            x,
            y,
            scale,
            turned,
            _colour(element, "fill", self.fill),
            _colour(element, "stroke", self.stroke),
            element.get("text-anchor", self.anchor),
            self.is_faint or _number(element, "opacity", 1) < 0.5,
        )

    def to_box(self, left: float, top: float, width: float, height: float) -> Box:
        scale = self.scale
        return Box(self.x + scale * left, self.y + scale * top, scale * width, scale * height)


class _Shape(NamedTuple):
    tag: str
    box: Box
    fill: str
    stroke: str


def read_picture(drawing: Drawing) -> Picture:
    layers = {name: _parse_markup(drawing.layers.get(name, "")) for name in LAYERS}
    known = {
        element.get("id", ""): element for layer in layers.values() for element in layer.iter()
    }
    places, names = {}, {}
    for element, frame in _elements(layers["hit"], _Frame()):
        if place := element.get("data-el"):
            boxes = [shape.box for shape in _shapes(element, frame, known)]
            places[place], names[place] = _bounding_box(boxes), _place_name(element, known)
    prefix = drawing.prefix + PIECE_PREFIX
    pieces, panels = _pieces_and_panels(layers, known, prefix)
    return Picture(
        places,
        names,
        (*_ground_areas(layers, known), *panels),
        tuple(pieces),
        tuple(_writings(layers, prefix, [box for box, _ in panels])),
        tuple(box for box, _ in panels),
        {
            plate.get(PLATE_ATTRIBUTE, ""): tuple(_texts(plate))
            for plate in _plates(layers.values())
        },
    )


def figure_of(markup: str) -> Figure | None:
    """The figure in a small picture that stands for a seat; letters only if they are the seat's."""
    (root,) = _parse_markup(re.sub(r' xmlns="[^"]*"', "", markup))
    figure = _figure(root, [*_shapes(root, _Frame(), {})])
    return replace(figure, text=root.get(LETTERS_ATTRIBUTE, "")) if figure else None


def _parse_markup(markup: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<g>{markup}</g>")


def _number(element: ElementTree.Element, name: str, otherwise: float = 0) -> float:
    found = _NUMBER_PATTERN.match(element.get(name, ""))
    return float(found[0]) if found else otherwise


def _colour(element: ElementTree.Element, name: str, inherited: str) -> str:
    given = element.get(name)
    if given is None:
        return inherited
    found = _VARIABLE_PATTERN.search(given)
    return found[1] if found else ""


def _elements(
    element: ElementTree.Element, frame: _Frame
) -> Iterator[tuple[ElementTree.Element, _Frame]]:
    """All elements in the order they are painted, but for what is only defined."""
    if element.tag != "defs":
        yield element, frame
        for child in element:
            yield from _elements(child, frame.child_frame(child))


def _shapes(
    element: ElementTree.Element, frame: _Frame, known: Mapping[str, ElementTree.Element]
) -> Iterator[_Shape]:
    for each, at in _elements(element, frame):
        used = known.get(each.get("href", "").removeprefix("#")) if each.tag == "use" else None
        if used is not None:
            yield from _shapes(used, at.child_frame(used), known)
        elif not at.is_faint and (area := _element_box(each)):
            yield _Shape(each.tag, at.to_box(*area), at.fill, at.stroke)


def _element_box(element: ElementTree.Element) -> Box | None:
    match element.tag:
        case "rect":
            return Box(*(_number(element, name) for name in ("x", "y", "width", "height")))
        case "circle" | "ellipse":
            across = _number(element, "rx") or _number(element, "r")
            down = _number(element, "ry") or _number(element, "r")
            left, top = _number(element, "cx") - across, _number(element, "cy") - down
            return Box(left, top, 2 * across, 2 * down)
        case "path" | "polygon":
            text = element.get("d") or element.get("points") or ""
            numbers = [float(number) for number in _NUMBER_PATTERN.findall(text)]
            corners = zip(numbers[::2], numbers[1::2], strict=False)
            return _bounding_box([Box(x, y, 0, 0) for x, y in corners])
    return None


def _bounding_box(boxes: list[Box]) -> Box:
    if not boxes:
        return Box(0, 0, 0, 0)
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    right = max(box.left + box.width for box in boxes)
    return Box(left, top, right - left, max(box.top + box.height for box in boxes) - top)


def _place_name(element: ElementTree.Element, known: Mapping[str, ElementTree.Element]) -> str:
    better = known.get(element.get("aria-labelledby", ""))
    return better.get("aria-label", "") if better is not None else element.get("aria-label", "")


def _ground_areas(
    layers: Mapping[str, ElementTree.Element], known: Mapping[str, ElementTree.Element]
) -> Iterator[tuple[Box, str]]:
    for layer in ("ground", "grid", "homes"):
        for shape in _shapes(layers[layer], _Frame(), known):
            if shape.fill and shape.tag != "path":
                yield shape.box, shape.fill


def _pieces_and_panels(
    layers: Mapping[str, ElementTree.Element],
    known: Mapping[str, ElementTree.Element],
    prefix: str,
) -> tuple[list[Piece], list[tuple[Box, str]]]:
    """The pieces, less those below a panel that is laid over the board; and the panels."""
    pieces: list[Piece] = []
    panels: list[tuple[Box, str]] = []
    for layer in ("pieces", "ball"):
        inside: set[ElementTree.Element] = set()
        for element, frame in _elements(layers[layer], _Frame()):
            id = element.get("id", "")
            if id.startswith(prefix):
                inside.update(element.iter())
                shapes = [*_shapes(element, frame, known)]
                if figure := _figure(element, shapes):
                    middle = next(shape for shape in shapes if shape.fill).box.middle
                    pieces.append(Piece(id.removeprefix(prefix), middle, figure))
            elif element not in inside and (panel := _panel(element, frame)):
                pieces = [piece for piece in pieces if not panel.contains(*piece.at)]
                panels.append((panel, frame.fill))
    return pieces, panels


def _panel(element: ElementTree.Element, frame: _Frame) -> Box | None:
    """A large box of a colour among the pieces: something is laid out on it."""
    area = (
        _element_box(element)
        if element.tag == "rect" and frame.fill and not frame.is_faint
        else None
    )
    box = frame.to_box(*area) if area else None
    return box if box and min(box.width, box.height) > MIN_PANEL_UNITS else None


def _figure(element: ElementTree.Element, shapes: list[_Shape]) -> Figure | None:
    """The first shape with a colour is the body, the last colour is that of its middle."""
    body = next((shape for shape in shapes if shape.fill), None)
    if body is None:
        return None
    inner = [shape.fill or shape.stroke for shape in shapes if shape.fill or shape.stroke][-1]
    written = "".join("".join(each.itertext()) for each in element.iter("text"))
    text = element.get(LETTERS_ATTRIBUTE) or written[:1]
    return Figure(body.tag != "rect", body.fill, inner if inner != body.fill else "", text)


def _plates(layers: Iterable[ElementTree.Element]) -> Iterator[ElementTree.Element]:
    return (each for layer in layers for each in layer.iter() if each.get(PLATE_ATTRIBUTE))


def _texts(element: ElementTree.Element) -> Iterator[str]:
    return ("".join(each.itertext()) for each in element.iter("text"))


def _writings(
    layers: Mapping[str, ElementTree.Element], prefix: str, panels: list[Box]
) -> Iterator[Writing]:
    """What is written on the drawing, except on pieces and plates and below panels."""
    for name in LAYERS:
        inside: set[ElementTree.Element] = set()
        below = panels if LAYERS.index(name) < LAYERS.index("pieces") else []
        for element, frame in _elements(layers[name], _Frame()):
            if element.get("id", "").startswith(prefix) or element.get(PLATE_ATTRIBUTE):
                inside.update(element.iter())
            if element.tag != "text" or element in inside or frame.is_turned or frame.is_faint:
                continue
            text = "".join(element.itertext())
            # Letters stand on their line, so their middle is a little above it.
            box = frame.to_box(_number(element, "x"), _number(element, "y") - 4, 0, 0)
            if text and not any(panel.contains(box.left, box.top) for panel in below):
                yield Writing(text, (box.left, box.top), frame.anchor, frame.fill)
