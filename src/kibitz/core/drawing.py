"""A picture of a position: layers of SVG in one fixed order, and what is in it as data.

A drawing holds no colours, only the names of colours (`var(--ink)`), so a theme needs no
new drawing; `with_theme_colours` writes them out for pictures that leave the page. It has no
`style` attributes and no script. Places a finger can touch are in the last layer, with `data-el`.
Whoever wants to know where things are reads `places` and `pieces`; nobody reads the markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from html import escape
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, overload

from msgspec import field
from msgspec.structs import replace

from kibitz.core.colours import THEMES
from kibitz.core.message import Say
from kibitz.core.values import FrozenValue

if TYPE_CHECKING:
    from kibitz.core.game import Place, Seat

Point: TypeAlias = tuple[float, float]
FONT_FAMILY = "system-ui,'Segoe UI',Roboto,'Noto Sans',Ubuntu,'DejaVu Sans',sans-serif"
"""As on the page, for pictures that leave it."""
FONT = f'font-family="{FONT_FAMILY}"'

LAYERS = (
    "ground",
    "grid",
    "homes",
    "last",
    "dome",
    "hints",
    "under",
    "pieces",
    "targets",
    "best",
    "refuse",
    "ball",
    "labels",
    "hit",
)
"""From the ground up. `under` is for targets below the pieces; the page draws hints and targets."""
PIECE_LAYERS = frozenset({"pieces", "ball"})
"""Where pieces are, and nowhere else."""
SQUARE = "sq-"
"""The names of squares begin like this."""
CROP_MARGIN = 4.5


class Look(FrozenValue, frozen=True):
    """The wishes of whoever looks at a drawn position."""

    say: Say
    is_tall: bool = False
    """For a phone held upright."""
    has_labels: bool = True
    """Names of files and ranks."""
    prefix: str = ""
    """Put before ids, where several drawings share a page."""
    is_coarse: bool = False
    """For characters, and never tall: what is written and coloured is wanted as data."""
    near: str = ""
    """The seat of whoever looks, where it matters what is nearest."""
    names: tuple[tuple[str, str], ...] = ()
    """The names of those who play, by their seats, as far as they are known."""
    tell: Say | None = None
    """The same words, in which those who play go by their names, and the viewer is you."""

    @property
    def say_by_name(self) -> Say:
        """Puts messages into words by names, where they are known; else by seats."""
        return self.tell or self.say

    def name_of(self, seat: str) -> str:
        """The name of whoever plays a seat; nothing where it is not known."""
        return next((name for each, name in self.names if each == seat), "")


class Box(NamedTuple):
    """A rectangle in the units of its drawing; as text, the attributes of an SVG element."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def middle(self) -> Point:
        return self.x + self.width / 2, self.y + self.height / 2

    def contains(self, point: Point) -> bool:
        across, down = point[0] - self.x, point[1] - self.y
        return 0 <= across <= self.width and 0 <= down <= self.height

    def __str__(self) -> str:
        x, y, width, height = self
        return f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'


class Spot(NamedTuple):
    """A place to touch."""

    box: Box
    name: str = ""
    """A screen reader's name for it while nothing is there."""
    is_round: bool = False

    @property
    def x(self) -> float:
        """The middle."""
        return self.box.middle[0]

    @property
    def y(self) -> float:
        return self.box.middle[1]

    @property
    def size(self) -> float:
        return min(self.box.width, self.box.height)

    @property
    def is_long(self) -> bool:
        return max(self.box.width, self.box.height) > self.size * 1.3


def shape_data(is_round: bool) -> str:
    """The attribute by which a page knows round places and pieces; others have none."""
    return ' data-shape="round"' if is_round else ""


class Figure(NamedTuple):
    """A piece in short, for where there is no room for its shape."""

    is_round: bool
    colour: str
    inner: str = ""
    """The colour of its middle, where that is another."""
    letters: str = ""


class Piece(NamedTuple):
    """Something that stands on a place; its markup has the id `pc-` and that place."""

    place: Place
    at: Point
    figure: Figure
    seat: Seat = ""
    size: int = 1
    """The number of pieces that are one."""
    name: str = ""
    """A screen reader's words for it, and for its place."""
    is_raised: bool = False
    """True if it lies on a panel and not below it."""


class Fill(NamedTuple):
    """A box of one colour, by its name."""

    box: Box
    colour: str


class Writing(NamedTuple):
    text: str
    at: Point
    """Where the middle of the letters is, or of the first, or of the last."""
    anchor: str = "start"
    ink: str = ""


def writing(text: str, x: float, y: float, ink: str = "", anchor: str = "start") -> Writing:
    """A text by the line it stands on: the middle of its letters is a little above it."""
    return Writing(text, (x, y - 4), anchor, ink)


class Panel(NamedTuple):
    """Something laid over the board, and what is written on it."""

    box: Box
    colour: str
    writings: tuple[Writing, ...] = ()


NOWHERE: Mapping[Place, Spot] = MappingProxyType({})


class Part(NamedTuple):
    """Some markup, and as data what is in it."""

    markup: str = ""
    places: Mapping[Place, Spot] = NOWHERE
    pieces: tuple[Piece, ...] = ()
    fills: tuple[Fill, ...] = ()
    writings: tuple[Writing, ...] = ()
    panels: tuple[Panel, ...] = ()


def join_parts(*parts: Part | str) -> Part:
    made = [Part(part) if isinstance(part, str) else part for part in parts]
    return Part(
        "".join([part.markup for part in made]),
        _join_places([part.places for part in made if part.places]),
        tuple(chain.from_iterable([part.pieces for part in made])),
        tuple(chain.from_iterable([part.fills for part in made])),
        tuple(chain.from_iterable([part.writings for part in made])),
        tuple(chain.from_iterable([part.panels for part in made])),
    )


def _join_places(found: Sequence[Mapping[Place, Spot]]) -> Mapping[Place, Spot]:
    """The same one, where there is but one: layers of many places stay, and are drawn often."""
    if len(found) < 2:
        return found[0] if found else NOWHERE
    return {place: spot for places in found for place, spot in places.items()}


def group(attributes: str, *parts: Part | str, at: Point = (0, 0), scale: float = 1) -> Part:
    """A `g` element around parts, with their data where its transform takes them."""
    inside = join_parts(*parts)
    markup = f"<g {attributes}>{inside.markup}</g>"
    if at == (0, 0) and scale == 1:
        return inside._replace(markup=markup)

    def place_point(x: float, y: float) -> Point:
        return at[0] + scale * x, at[1] + scale * y

    return inside._replace(
        markup=markup,
        pieces=tuple(each._replace(at=place_point(*each.at)) for each in inside.pieces),
        fills=tuple(
            Fill(Box(*place_point(x, y), scale * width, scale * height), colour)
            for (x, y, width, height), colour in inside.fills
        ),
        writings=tuple(each._replace(at=place_point(*each.at)) for each in inside.writings),
    )


def filled_box(box: Box, colour: str, corners: str = "", more: str = "") -> Part:
    markup = f'<rect {box}{corners} fill="var(--{colour})"{more}/>'
    return Part(markup, fills=(Fill(box, colour),))


def text_part(
    text: str, x: float, y: float, look: str = "", ink: str = "", anchor: str = "start"
) -> Part:
    """A text by its line; `look` are its attributes, of which ink and anchor may be its group's."""
    markup = f'<text x="{x:g}" y="{y:g}"{look}>{escape(text)}</text>'
    return Part(markup, writings=(writing(text, x, y, ink, anchor),))


def panel_part(box: Box, colour: str, inside: Part) -> Part:
    """A part that is laid over the board."""
    return Part(
        inside.markup,
        pieces=tuple(each._replace(is_raised=True) for each in inside.pieces),
        panels=(Panel(box, colour, inside.writings),),
    )


class Layers(Mapping[str, str]):
    """Markup by the name of its layer, as the parts that it is joined of when it is wanted.

    Parts are drawn once for as long as they look the same, so what changed in a layer can be told
    by its parts without any of its markup. The markup of a part is elements, or nothing.
    """

    def __init__(self, parts: Mapping[str, Sequence[Part]]) -> None:
        self.parts = parts
        self._joined: dict[str, str] = {}

    def __getitem__(self, name: str) -> str:
        made = self._joined.get(name)
        if made is None:
            made = self._joined[name] = "".join([part.markup for part in self.parts[name]])
        return made

    def __iter__(self) -> Iterator[str]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def __repr__(self) -> str:
        return repr(dict(self))


class _PiecesIn(Sequence[Piece]):
    """The pieces of many parts, found when they are wanted."""

    def __init__(self, parts: Mapping[str, Sequence[Part]]) -> None:
        self._parts = parts

    @cached_property
    def _pieces(self) -> tuple[Piece, ...]:
        return tuple([piece for each in self._parts.values() for p in each for piece in p.pieces])

    @overload
    def __getitem__(self, at: int) -> Piece: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Piece, ...]: ...
    def __getitem__(self, at: int | slice) -> Piece | tuple[Piece, ...]:
        return self._pieces[at]

    def __iter__(self) -> Iterator[Piece]:
        return iter(self._pieces)

    def __len__(self) -> int:
        return len(self._pieces)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._pieces == tuple(other)

    def __hash__(self) -> int:
        return hash(self._pieces)

    def __repr__(self) -> str:
        return repr(self._pieces)


class Drawing(FrozenValue, frozen=True, kw_only=True):
    view_box: str = ""
    title: str = ""
    layers: Mapping[str, str] = field(default_factory=dict)
    """Markup by the name of its layer."""
    static_layers: frozenset[str] = frozenset()
    """The layers that stay the same for a whole match under one look."""
    role: str = "grid"
    """A grid is one of places to touch, in rows of cells; pieces are beside it."""
    prefix: str = ""
    places: Mapping[Place, Spot] = field(default_factory=dict)
    pieces: Sequence[Piece] = ()
    """From the ground up, those that are seen."""
    names: Mapping[Place, str] = field(default_factory=dict)
    """A screen reader's words for places named by something else than a piece of theirs."""
    fills: tuple[Fill, ...] = ()
    """The colours of the ground, the later ones above; this and the rest for a coarse look only."""
    writings: tuple[Writing, ...] = ()
    panels: tuple[Panel, ...] = ()
    seat_notes: Mapping[Seat, tuple[str, ...]] = field(default_factory=dict)
    """The state of a seat, in lines, where it has a plate beside the board."""


def with_layers(blank: Drawing, layers: Mapping[str, Sequence[Part]], look: Look) -> Drawing:
    """The drawing with these layers, part by part, and what is in them, for a look; places are in
    `hit`."""
    shown = Part()
    if look.is_coarse:
        shown = join_parts(*[part for parts in layers.values() for part in parts])
    return replace(
        blank,
        prefix=look.prefix,
        layers=Layers(layers),
        places=_join_places([part.places for part in layers["hit"] if part.places]),
        pieces=_PiecesIn(layers),
        fills=shown.fills,
        writings=shown.writings,
        panels=shown.panels,
    )


def cropped_to_squares(drawing: Drawing) -> Drawing:
    """As far as its squares go, where it has any: in a small picture the rest is unreadable."""
    boxes = [spot.box for place, spot in drawing.places.items() if place.startswith(SQUARE)]
    if not boxes:
        return drawing
    left, top = (min(each[i] for each in boxes) - CROP_MARGIN for i in (0, 1))
    right = max(each.right for each in boxes) + CROP_MARGIN
    bottom = max(each.y + each.height for each in boxes) + CROP_MARGIN
    return replace(drawing, view_box=f"{left:g} {top:g} {right - left:g} {bottom - top:g}")


def changing_chunks(drawing: Drawing) -> Mapping[str, tuple[str, ...]]:
    """The markup of the layers that may change, in the chunks that do so together."""
    layers, still = drawing.layers, drawing.static_layers
    if isinstance(layers, Layers):
        return {
            name: tuple([part.markup for part in parts if part.markup])
            for name, parts in layers.parts.items()
            if name not in still
        }
    return {name: (made,) if made else () for name, made in layers.items() if name not in still}


def svg(drawing: Drawing, paper: bool = False, placement: str = "") -> str:
    """The whole drawing as one SVG element; on paper, where no page is behind it.

    It has no size of its own and fills the room it is given; `placement` are the attributes that
    say where that is in another picture, and how it is filled.
    """
    title = escape(drawing.title, quote=True)
    role, grid = drawing.role, ""
    if role == "grid":
        role, grid = "group", f' role="grid" aria-label="{title}"'
    layers = "".join(
        f'<g class="l-{name}"{grid if name == "hit" else ""}>{drawing.layers.get(name, "")}</g>'
        for name in LAYERS
    )
    if paper:
        x, y, width, height = drawing.view_box.split()
        box = f'x="{x}" y="{y}" width="{width}" height="{height}"'
        layers = f'<rect {box} fill="var(--paper)"/>{layers}'
    return (
        f'<svg {placement}{" " if placement else ""}xmlns="http://www.w3.org/2000/svg"'
        f' class="board" viewBox="{drawing.view_box}"'
        f' role="{role}" aria-label="{title}"><title>{title}</title>{layers}</svg>'
    )


def with_theme_colours(markup: str, theme: str) -> str:
    """The same SVG with its colours written out."""
    colours = THEMES[theme]
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], markup)
