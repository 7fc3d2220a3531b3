"""Kalamala to look at: the board as SVG and as text.

In the drawing a square is 50 units wide and the corner of a8 is at 0, 0. The shapes of stones
are in `ground`, once, and used from there. What a screen reader says of a square changes with
its piece, so it is on the piece; the cells of `hit` stay and point to the piece on them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from html import escape
from typing import NamedTuple, TypeAlias

from kibitz.core.drawing import (
    FONT,
    LAYERS,
    Box,
    Drawing,
    Figure,
    Fill,
    Look,
    Part,
    Piece,
    Point,
    Spot,
    filled_box,
    group,
    join_parts,
    shape_data,
    text_part,
    with_layers,
    writing,
)
from kibitz.core.game import Place, Seat
from kibitz.core.message import Say, message
from kibitz.games.kalamala.board import (
    EXITS,
    LINE_SETS,
    NEIGHBOUR_SETS,
    OPPOSITE,
    PLACE_ROWS,
    RAYS,
    SIZE,
    SQUARES,
    name_of,
    span,
    square,
    square_place,
)
from kibitz.games.kalamala.rules import row
from kibitz.games.kalamala.state import PIECES, RESERVE, SEATS, State, Stones, other_side

STONES = {
    "A": '<circle cy="3" r="20" fill="#000" opacity=".25"/>'
    '<circle r="20" fill="var(--KA)" stroke="#1B1328" stroke-width="2"/>'
    '<circle r="13.5" fill="none" stroke="var(--KA-3)" stroke-width="3"/>'
    '<circle r="6" fill="var(--KA-2)" stroke="var(--KA-3)" stroke-width="2.5"/>'
    '<path d="M-15.5-7A17 17 0 0 1-5-16" fill="none" stroke="#fff" stroke-width="2.6"'
    ' stroke-linecap="round" opacity=".7"/>',
    "B": '<rect x="-18.5" y="-15.5" width="37" height="37" rx="11" fill="#000" opacity=".25"/>'
    '<rect x="-18.5" y="-18.5" width="37" height="37" rx="11" fill="var(--KB)" stroke="#1B1328"'
    ' stroke-width="2"/>'
    '<rect x="-14.5" y="-14.5" width="29" height="29" rx="7.5" fill="none" stroke="var(--KB-2)"'
    ' stroke-width="2"/>'
    '<path d="M0-8V8M-8 0H8" stroke="var(--KB-3)" stroke-width="5" stroke-linecap="round"/>',
}
"""Rings and blocks of radius 20, with their shadows."""
FIGURES = {"A": Figure(True, "KA", "KA-2"), "B": Figure(False, "KB", "KB-3")}
"""The same in short."""
STONE_NAMES = {side: message(f"kalamala.piece-{side}") for side in SEATS}

SQUARE_CENTRES = {
    square_place(each): (each % 8 * 50 + 25.0, 375.0 - each // 8 * 50) for each in SQUARES
}
"""The middle of every square."""
SQUARES_BY_NAME = sorted(SQUARES, key=name_of)
STAR_SETS = [sum(1 << at for ray in RAYS.values() for at in ray[square]) for square in SQUARES]
"""The squares in all directions from each."""
STONE_SCALE = 0.85
"""The size of a stone on the board."""
STATIC_LAYERS = frozenset(LAYERS) - {"homes", "pieces"}
MAX_PANEL_LETTERS = 13
"""So many letters of a name have room on a panel."""
Pair: TypeAlias = tuple[int, int]


class Layout(NamedTuple):
    """The places and sizes of everything beside the board."""

    view_box: str
    spots: Mapping[str, Point]
    """The middle of every place beside the board where a piece can lie: rs-A1, dz-B8."""
    counts: Mapping[str, tuple[float, float, str]]
    """Where the numbers of rs-A, dz-A and so on stand, and which end of the text is there."""
    slot: int
    scales: Mapping[str, float]
    """The size of a stone beside the board by the first letters of its place."""
    edge: tuple[int, int]
    """The distance of the places beyond the edge from the squares, and their depth."""
    panels: Mapping[Seat, int]
    """The top of each side's panel, where it has one."""


def _spots(
    spare: Callable[[Seat, int], Point], lost: Callable[[Seat, int], Point]
) -> dict[str, Point]:
    spares = {f"rs-{s}{i + 1}": spare(s, i) for s in SEATS for i in range(RESERVE)}
    return spares | {f"dz-{s}{i + 1}": lost(s, i) for s in SEATS for i in range(PIECES)}


@lru_cache
def layout_for(tall: bool, near: Seat) -> Layout:
    """The layout in which the viewer's own zones are below, or nearest, and the other's above."""
    return _tall_layout(near) if tall else _wide_layout(near)


def _wide_layout(near: Seat) -> Layout:
    """A panel for each side left of the board."""
    top = {near: 212, other_side(near): -8}
    return Layout(
        view_box="-208 -44 652 488",
        spots=_spots(
            spare=lambda side, i: (32 * i - 177, top[side] + 78),
            lost=lambda side, i: (32 * (i % 4) - 177, top[side] + 138 + 32 * (i // 4)),
        ),
        counts={f"rs-{side}": (-67, top[side] + 56, "end") for side in SEATS}
        | {f"dz-{side}": (-67, top[side] + 116, "end") for side in SEATS},
        slot=28,
        scales={"rs": 0.52, "dz": 0.52},
        edge=(8, 32),
        panels=top,
    )


def _tall_layout(near: Seat) -> Layout:
    """A strip for each side above and below the board."""
    middle = {near: 438, other_side(near): -38}
    return Layout(
        view_box="-14 -62 428 524",
        spots=_spots(
            spare=lambda side, i: (30 * i + 82, middle[side]),
            lost=lambda side, i: (16.5 * i + 287, middle[side]),
        ),
        counts={f"rs-{side}": (-8, middle[side] + 5, "start") for side in SEATS}
        | {f"dz-{side}": (275, middle[side] + 5, "end") for side in SEATS},
        slot=28,
        scales={"rs": 0.52, "dz": 0.4},
        edge=(0, 14),
        panels={},
    )


def _near_seat(look: Look) -> Seat:
    return look.near or SEATS[0]


class Words(NamedTuple):
    """The words in the layers that stay."""

    board: str
    seats: tuple[str, str]
    reserve: str
    lost: str
    beyond: str


@lru_cache(maxsize=64)
def _words(say: Say) -> Words:
    return Words(
        say(message("kalamala.board")),
        (say(message("kalamala.seat-A")), say(message("kalamala.seat-B"))),
        say(message("kalamala.reserve")),
        say(message("kalamala.lost-zone")),
        say(message("kalamala.beyond")),
    )


def draw(view: State, look: Look) -> Drawing:
    tall, prefix, say, near = look.is_tall, look.prefix, look.say, _near_seat(look)
    layout, words = layout_for(tall, near), _words(say)
    counts, names = _counts(view.reserve, view.dead, tall, near, prefix, words, say)
    blank = Drawing(
        view_box=layout.view_box, title=words.board, static_layers=STATIC_LAYERS, names=names
    )
    return with_layers(
        blank,
        {
            "ground": (_ground(tall, near, look.has_labels, prefix, words),),
            "homes": (_panel_names(look.names, tall, near, words), counts),
            "pieces": _pieces(view, look),
            "hit": (_hit_layer(tall, near, prefix, words),),
        },
        look,
    )


@lru_cache
def glyph(seat: Seat) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="28" height="28" viewBox="-22 -22 44 46"'
        f' aria-hidden="true"><g transform="scale(.95)">{STONES[seat]}</g></svg>'
    )


@lru_cache(maxsize=64)
def _ground(tall: bool, near: Seat, labels: bool, prefix: str, words: Words) -> Part:
    layout = layout_for(tall, near)
    slots = ("rs",) if tall else ("rs", "dz")
    return join_parts(
        _shapes(layout.slot, prefix),
        *(_panel(side, top, prefix, words) for side, top in layout.panels.items()),
        *(
            f'<use href="#{prefix}slot" x="{x}" y="{y}"/>'
            for place, (x, y) in layout.spots.items()
            if place.startswith(slots)
        ),
        filled_box(Box(-8, -8, 416, 416), "sand-edge", ' rx="18"'),
        filled_box(Box(-2, -2, 404, 404), "sand-line", ' rx="12"'),
        _squares(prefix, 1),
        _squares(prefix, 2),
        _labels(tall) if labels else "",
    )


def _shapes(slot: int, prefix: str) -> str:
    """The shapes that the drawing uses: the stones, a square, an empty slot."""
    stones = "".join(f'<g id="{prefix}stone-{side}">{STONES[side]}</g>' for side in SEATS)
    return (
        f'<defs>{stones}<rect id="{prefix}q" x="1.5" y="1.5" width="47" height="47" rx="9"/>'
        f'<rect id="{prefix}slot" x="{-slot // 2}" y="{-slot // 2}" width="{slot}" height="{slot}"'
        ' rx="8.5" fill="var(--sunk)" stroke="var(--line)" stroke-dasharray="3 2"/></defs>'
    )


def _panel(side: Seat, top: int, prefix: str, words: Words) -> Part:
    zones = group(
        'font-size="10" letter-spacing=".6" fill="var(--ink-2)"',
        text_part(words.reserve.upper(), -191, top + 56, ink="ink-2"),
        text_part(words.lost.upper(), -191, top + 116, ink="ink-2"),
    )
    return join_parts(
        f'<rect {Box(-204, top + 2, 150, 196)} rx="12" fill="#000" opacity=".07"/>',
        filled_box(Box(-204, top, 150, 196), "card", ' rx="12"', ' stroke="var(--line)"'),
        f'<use href="#{prefix}stone-{side}" transform="translate(-179 {top + 23}) scale(.52)"/>',
        group(f'aria-hidden="true" {FONT} font-weight="700"', zones),
    )


@lru_cache(maxsize=256)
def _panel_names(names: tuple[tuple[Seat, str], ...], tall: bool, near: Seat, words: Words) -> Part:
    """The names of those who play, each on the panel of their side, if there is one."""
    layout = layout_for(tall, near)
    players = [dict(names).get(side) or name for side, name in zip(SEATS, words.seats, strict=True)]
    look = f' aria-hidden="true" {FONT} font-weight="700" font-size="14" fill="var(--ink)"'
    return join_parts(
        *(
            text_part(_fitting(name), -162, layout.panels[side] + 28, look, "ink")
            for side, name in zip(SEATS, players, strict=True)
            if side in layout.panels
        )
    )


def _fitting(name: str) -> str:
    return name if len(name) <= MAX_PANEL_LETTERS else f"{name[: MAX_PANEL_LETTERS - 1].rstrip()}…"


def _squares(prefix: str, shade: int) -> Part:
    corners = {
        square_place(each): (each % SIZE * 50, 350 - each // SIZE * 50)
        for each in SQUARES
        if (each % SIZE + each // SIZE - shade) % 2 == 0
    }
    uses = "".join(
        f'<use id="{prefix}{place}" href="#{prefix}q" x="{x}" y="{y}"/>'
        for place, (x, y) in corners.items()
    )
    boxes = (Box(x + 1.5, y + 1.5, 47, 47) for x, y in corners.values())
    return Part(
        f'<g class="sq" fill="var(--sand-{shade})">{uses}</g>',
        fills=tuple(Fill(box, f"sand-{shade}") for box in boxes),
    )


def _labels(tall: bool) -> Part:
    """Beside the board; in the corners of squares where there is no room beside it.

    They are on the ground so that the arrows of the page, which come there too, cover them.
    """
    ink, size = ("ink", 9) if tall else ("ink-2", 12)
    file_x, file_y, rank_x, rank_y = (44, 395, 6, 12) if tall else (25, 422, -16, 29)
    labels = [
        label
        for i, file in enumerate("abcdefgh")
        for label in (
            text_part(file, i * 50 + file_x, file_y, "", ink, "middle"),
            text_part(str(SIZE - i), rank_x, i * 50 + rank_y, "", ink, "middle"),
        )
    ]
    look = f'font-size="{size}" font-weight="600" fill="var(--{ink})" text-anchor="middle"'
    return group(f'class="coordinates" aria-hidden="true" {FONT} {look}', *labels)


@lru_cache(maxsize=256)
def _counts(
    reserve: Pair, dead: Pair, tall: bool, near: Seat, prefix: str, words: Words, say: Say
) -> tuple[Part, Mapping[Place, str]]:
    """The counts in reserve and lost, which are also what the zones are called aloud."""
    ink = "ink-2" if tall else "ink"
    texts, writings, names = [], [], {}
    for zone, word, numbers in (("rs", words.reserve, reserve), ("dz", words.lost, dead)):
        for side, count in zip(SEATS, numbers, strict=True):
            x, y, end = layout_for(tall, near).counts[f"{zone}-{side}"]
            kind = message(f"kalamala.pieces-{side}")
            said = say(message(f"kalamala.count-{zone}", kind=kind, count=count))
            text = f"{word} {count}" if tall else str(count)
            texts.append(
                f'<text id="{prefix}n-{zone}-{side}" role="img" aria-label="{escape(said)}"'
                f' x="{x}" y="{y}" text-anchor="{end}">{escape(text)}</text>'
            )
            writings.append(writing(text, x, y, ink, end))
            names[f"{zone}-{side}"] = said
    size = 'font-size="14"' if tall else 'font-size="13" font-weight="800"'
    markup = f'<g {FONT} {size} fill="var(--{ink})">{"".join(texts)}</g>'
    return Part(markup, writings=tuple(writings)), names


def _pieces(view: State, look: Look) -> list[Part]:
    """In a lasting order: by side, and by place within a side."""
    near, prefix, found = _near_seat(look), look.prefix, list[Part]()
    for side, stones, spare, lost in zip(SEATS, view.stones, view.reserve, view.dead, strict=True):
        found.append(_stones_beside(look.is_tall, near, prefix, side, spare, lost))
        found += _stones_on_board(stones, side, prefix, look.say)
    return found


@lru_cache(maxsize=512)
def _stones_beside(tall: bool, near: Seat, prefix: str, side: Seat, spare: int, lost: int) -> Part:
    """The pieces that are not on the board."""
    layout, zones = layout_for(tall, near), (("dz", lost), ("rs", spare))
    return join_parts(
        *(
            _stone(prefix, side, spot, layout.spots[spot], layout.scales[zone], "")
            for zone, count in zones
            for spot in (f"{zone}-{side}{i + 1}" for i in range(count))
        )
    )


@lru_cache(maxsize=512)
def _stones_on_board(stones: int, side: Seat, prefix: str, say: Say) -> list[Part]:
    """The pieces on the board, which everybody sees in the same place."""
    return [
        _stone_on_board(
            at, stones & NEIGHBOUR_SETS[at] and stones & STAR_SETS[at], side, prefix, say
        )
        for at in SQUARES_BY_NAME
        if stones >> at & 1
    ]


@lru_cache(maxsize=1 << 13)
def _stone_on_board(at: int, seen: int, side: Seat, prefix: str, say: Say) -> Part:
    """A piece; of its own side it matters only what is on its lines."""
    return _stone(
        prefix,
        side,
        square_place(at),
        SQUARE_CENTRES[square_place(at)],
        STONE_SCALE,
        _stone_label(seen, side, at, say),
    )


@lru_cache(maxsize=1 << 12)
def _stone(prefix: str, side: Seat, spot: str, at: Point, scale: float, said: str) -> Part:
    (x, y), name = at, f' role="img" aria-label="{escape(said)}"' if said else ""
    # A block of a ring's radius would look smaller.
    scale *= 1.03 if side == "B" else 1
    faded = ' opacity=".8"' if spot.startswith("dz") else ""
    markup = (
        f'<g id="{prefix}pc-{spot}" class="pc stone side-{side}"{name}'
        f'{shape_data(FIGURES[side].is_round)} transform="translate({x:g} {y:g})"'
        f'><use href="#{prefix}stone-{side}"'
        f' transform="scale({scale:.3g})"{faded}/></g>'
    )
    return Part(markup, pieces=(Piece(spot, at, FIGURES[side], side, name=said),))


def _stone_label(stones: int, side: Seat, square: int, say: Say) -> str:
    """A piece to somebody who does not see it: d3, ring, in row c3-d3."""
    parts = [name_of(square), say(STONE_NAMES[side])]
    for way in ("N", "E", "NE", "SE") if stones & NEIGHBOUR_SETS[square] else ():
        parts.append(_row_words(stones & LINE_SETS[way][square], square, way, say))
    return ", ".join(filter(None, parts))


@lru_cache(maxsize=1 << 13)
def _row_words(stones: int, square: int, direction: str, say: Say) -> str:
    """The row that a piece is part of in a direction and its opposite, if it is in one."""
    pieces = {*row(stones, square, direction), *row(stones, square, OPPOSITE[direction])}
    return say(message("kalamala.in-row", chain=span(pieces))) if len(pieces) > 1 else ""


@lru_cache(maxsize=64)
def _hit_layer(tall: bool, near: Seat, prefix: str, words: Words) -> Part:
    """A grid of cells: the reserves, and between them the board with all ways off it."""
    layout = layout_for(tall, near)
    begin, deep = layout.edge
    across = {-1: (-begin - deep, deep), SIZE: (50 * SIZE + begin, deep)}
    across |= {i: (50 * i, 50) for i in range(SIZE)}
    rows = []
    for places in PLACE_ROWS:
        cells = []
        for place, file, rank in places:
            (x, width), (y, height) = across[file], across[SIZE - 1 - rank]
            is_exit, box = place in EXITS, Box(x, y, width, height)
            name = f"{words.beyond}, {place[4:]}" if is_exit else place[3:]
            cells.append(_cell(prefix, place, Spot(box, name), "" if is_exit else f"pc-{place}"))
        rows.append(join_parts(*cells))
    for side, where in ((other_side(near), 0), (near, len(rows) + 1)):
        (left, middle), (right, _) = layout.spots[f"rs-{side}1"], layout.spots[f"rs-{side}4"]
        half = layout.slot / 2 + 4
        box = Box(left - half, middle - half, right - left + 2 * half, 2 * half)
        cell = _cell(prefix, f"rs-{side}", Spot(box, words.reserve), f"n-rs-{side}")
        rows.insert(where, cell)
    return group('fill="none" pointer-events="all"', *(group('role="row"', row) for row in rows))


def _cell(prefix: str, place: Place, spot: Spot, named_by: str) -> Part:
    by = f' aria-labelledby="{prefix}{named_by}"' if named_by else ""
    markup = (
        f'<rect id="{prefix}hit-{place}" class="hit" data-el="{place}" role="gridcell"'
        f' aria-label="{escape(spot.name)}"{by} {spot.box}/>'
    )
    return Part(markup, {place: spot})


# The board as text


def draw_text(view: State, say: Say) -> str:
    lines = []
    for rank in reversed(range(SIZE)):
        squares = range(SIZE * rank, SIZE * rank + SIZE)
        lines.append(f"{rank + 1}  " + " ".join(_letter(view.stones, each) for each in squares))
    lines += ["   a b c d e f g h", ""]
    for index, side in enumerate(SEATS):
        values = {"reserve": view.reserve[index], "lost": view.dead[index]}
        lines.append(say(message("kalamala.text-side", side=side, seat=side, **values)))
    if view.end:
        lines.append(say(message("kalamala.over", "4")))
    else:
        lines.append(say(message("kalamala.text-turn", seat=view.side, turn=view.turn)))
    return "\n".join(lines)


def _letter(stones: Stones, square: int) -> str:
    return "A" if stones[0] >> square & 1 else "B" if stones[1] >> square & 1 else "."


def read_text(drawn: str) -> Stones:
    """The stones of a drawn board; a row that is left out is empty."""
    stones = {"A": 0, "B": 0, ".": 0}
    for found in re.finditer(r"^\s*([1-8]) +([.AB](?: [.AB]){7})(?!\S)", drawn, re.MULTILINE):
        for file, letter in zip("abcdefgh", found[2].split(), strict=True):
            stones[letter] |= 1 << square(file + found[1])
    return stones["A"], stones["B"]
