"""Kalamala to look at: the board as SVG and as text.

In the drawing a square is 50 units wide and the corner of a8 is at 0, 0. The shapes of stones
are in `ground`, once, and used from there. What a screen reader says of a square changes with
its piece, so it is on the piece; the cells of `hit` stay and point to the piece on them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from html import escape
from typing import NamedTuple, TypeAlias

from kibitz.core.drawing import LAYERS, Drawing, Look
from kibitz.core.game import Seat
from kibitz.core.message import Say, message
from kibitz.games.kalamala.board import (
    EXITS,
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
FONT = """font-family="system-ui,'Segoe UI',Roboto,'Noto Sans',Ubuntu,'DejaVu Sans',sans-serif\""""
"""As on the page, for pictures that leave it."""


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
Pair: TypeAlias = tuple[int, int]


class Layout(NamedTuple):
    """Where everything beside the board is, and how large."""

    view_box: str
    spots: Mapping[str, tuple[float, float]]
    """The middle of every place beside the board where a piece can lie: rs-A1, dz-B8."""
    counts: Mapping[str, tuple[float, float, str]]
    """Where the numbers of rs-A, dz-A and so on stand, and which end of the text is there."""
    slot: int
    scales: Mapping[str, float]
    """The size of a stone beside the board by the first letters of its place."""
    edge: tuple[int, int]
    """How far from the squares the places beyond the edge begin, and how deep they are."""
    panels: Mapping[Seat, int]
    """The top of each side's panel, where it has one."""


def _spots(
    spare: Callable[[Seat, int], tuple[float, float]],
    lost: Callable[[Seat, int], tuple[float, float]],
) -> dict[str, tuple[float, float]]:
    spares = {f"rs-{s}{i + 1}": spare(s, i) for s in SEATS for i in range(RESERVE)}
    return spares | {f"dz-{s}{i + 1}": lost(s, i) for s in SEATS for i in range(PIECES)}


@lru_cache
def layout_for(tall: bool, near: Seat) -> Layout:
    """Whoever looks has their own zones below, or nearest, and the other's above."""
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
            spare=lambda side, i: (33 * i + 85, middle[side]),
            lost=lambda side, i: (17.5 * i + 282, middle[side]),
        ),
        counts={f"rs-{side}": (-8, middle[side] + 5, "start") for side in SEATS}
        | {f"dz-{side}": (268, middle[side] + 5, "end") for side in SEATS},
        slot=30,
        scales={"rs": 0.54, "dz": 0.4},
        edge=(0, 14),
        panels={},
    )


def _near_seat(look: Look) -> Seat:
    return look.near or SEATS[0]


class Words(NamedTuple):
    """What is written or said in the layers that stay."""

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
    return Drawing(
        view_box=layout.view_box,
        title=words.board,
        layers={
            "ground": _ground(tall, near, look.has_labels, prefix, words),
            "homes": _counts(view.reserve, view.dead, tall, near, prefix, words, say),
            "pieces": "".join(_pieces(view, look)),
            "hit": _hit_layer(tall, near, prefix, words),
        },
        static_layers=STATIC_LAYERS,
        prefix=look.prefix,
    )


@lru_cache
def glyph(seat: Seat) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="28" height="28" viewBox="-22 -22 44 46"'
        f' aria-hidden="true"><g transform="scale(.95)">{STONES[seat]}</g></svg>'
    )


@lru_cache(maxsize=64)
def _ground(tall: bool, near: Seat, labels: bool, prefix: str, words: Words) -> str:
    layout = layout_for(tall, near)
    slots = ("rs",) if tall else ("rs", "dz")
    return "".join(
        (
            _shapes(layout.slot, prefix),
            *(_panel(side, top, prefix, words) for side, top in layout.panels.items()),
            *(
                f'<use href="#{prefix}slot" x="{x}" y="{y}"/>'
                for place, (x, y) in layout.spots.items()
                if place.startswith(slots)
            ),
            '<rect x="-8" y="-8" width="416" height="416" rx="18" fill="var(--sand-edge)"/>',
            '<rect x="-2" y="-2" width="404" height="404" rx="12" fill="var(--sand-line)"/>',
            _squares(prefix, 1),
            _squares(prefix, 2),
            _labels(tall) if labels else "",
        )
    )


def _shapes(slot: int, prefix: str) -> str:
    """What the rest of the drawing uses: the stones, a square, an empty slot."""
    stones = "".join(f'<g id="{prefix}stone-{side}">{STONES[side]}</g>' for side in SEATS)
    return (
        f'<defs>{stones}<rect id="{prefix}q" x="1.5" y="1.5" width="47" height="47" rx="9"/>'
        f'<rect id="{prefix}slot" x="{-slot // 2}" y="{-slot // 2}" width="{slot}" height="{slot}"'
        ' rx="8.5" fill="var(--sunk)" stroke="var(--line)" stroke-dasharray="3 2"/></defs>'
    )


def _panel(side: Seat, top: int, prefix: str, words: Words) -> str:
    return (
        f'<rect x="-204" y="{top + 2}" width="150" height="196" rx="12" fill="#000" opacity=".07"/>'
        f'<rect x="-204" y="{top}" width="150" height="196" rx="12" fill="var(--card)"'
        f' stroke="var(--line)"/><use href="#{prefix}stone-{side}"'
        f' transform="translate(-179 {top + 23}) scale(.52)"/>'
        f'<g aria-hidden="true" {FONT} font-weight="700">'
        f'<text x="-162" y="{top + 28}" font-size="14" fill="var(--ink)">'
        f"{escape(words.seats[SEATS.index(side)])}</text>"
        f'<g font-size="10" letter-spacing=".6" fill="var(--ink-2)">'
        f'<text x="-191" y="{top + 56}">{escape(words.reserve.upper())}</text>'
        f'<text x="-191" y="{top + 116}">{escape(words.lost.upper())}</text></g></g>'
    )


def _squares(prefix: str, shade: int) -> str:
    squares = "".join(
        f'<use id="{prefix}{square_place(each)}" href="#{prefix}q"'
        f' x="{each % SIZE * 50}" y="{350 - each // SIZE * 50}"/>'
        for each in SQUARES
        if (each % SIZE + each // SIZE - shade) % 2 == 0
    )
    return f'<g class="sq" fill="var(--sand-{shade})">{squares}</g>'


def _labels(tall: bool) -> str:
    """Beside the board; in the corners of squares where there is no room beside it.

    They are on the ground so that the arrows of the page, which come there too, cover them.
    """
    ink, size = ("ink", 9) if tall else ("ink-2", 12)
    file_x, file_y, rank_x, rank_y = (44, 395, 6, 12) if tall else (25, 422, -16, 29)
    labels = "".join(
        f'<text x="{i * 50 + file_x}" y="{file_y}">{file}</text>'
        f'<text x="{rank_x}" y="{i * 50 + rank_y}">{SIZE - i}</text>'
        for i, file in enumerate("abcdefgh")
    )
    return (
        f'<g aria-hidden="true" {FONT} font-size="{size}" font-weight="600" fill="var(--{ink})"'
        f' text-anchor="middle">{labels}</g>'
    )


@lru_cache(maxsize=256)
def _counts(
    reserve: Pair, dead: Pair, tall: bool, near: Seat, prefix: str, words: Words, say: Say
) -> str:
    """How many are in reserve and lost, which is also what the zones are called aloud."""
    texts = []
    for zone, word, numbers in (("rs", words.reserve, reserve), ("dz", words.lost, dead)):
        for side, count in zip(SEATS, numbers, strict=True):
            x, y, end = layout_for(tall, near).counts[f"{zone}-{side}"]
            kind = message(f"kalamala.note-{side}")
            said = say(message(f"kalamala.count-{zone}", kind=kind, count=count))
            texts.append(
                f'<text id="{prefix}n-{zone}-{side}" role="img" aria-label="{escape(said)}"'
                f' x="{x}" y="{y}" text-anchor="{end}">'
                f"{f'{escape(word)} {count}' if tall else count}</text>"
            )
    size = 'font-size="15"' if tall else 'font-size="13" font-weight="800"'
    return f'<g {FONT} {size} fill="var(--ink{"-2" if tall else ""})">{"".join(texts)}</g>'


def _pieces(view: State, look: Look) -> Iterator[str]:
    """In a lasting order: by side, and by place within a side."""
    near, prefix = _near_seat(look), look.prefix
    for side, stones, spare, lost in zip(SEATS, view.stones, view.reserve, view.dead, strict=True):
        yield _stones_beside(look.is_tall, near, prefix, side, spare, lost)
        yield _stones_on_board(stones, side, prefix, look.say)


@lru_cache(maxsize=512)
def _stones_beside(tall: bool, near: Seat, prefix: str, side: Seat, spare: int, lost: int) -> str:
    """The pieces that are not on the board."""
    layout, zones = layout_for(tall, near), (("dz", lost), ("rs", spare))
    return "".join(
        _stone(prefix, side, spot, layout.spots[spot], layout.scales[zone], "")
        for zone, count in zones
        for spot in (f"{zone}-{side}{i + 1}" for i in range(count))
    )


@lru_cache(maxsize=512)
def _stones_on_board(stones: int, side: Seat, prefix: str, say: Say) -> str:
    """The pieces on the board, which everybody sees in the same place."""
    return "".join(
        _stone_on_board(
            at, stones & NEIGHBOUR_SETS[at] and stones & STAR_SETS[at], side, prefix, say
        )
        for at in SQUARES_BY_NAME
        if stones >> at & 1
    )


@lru_cache(maxsize=1 << 13)
def _stone_on_board(at: int, seen: int, side: Seat, prefix: str, say: Say) -> str:
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
def _stone(
    prefix: str, side: Seat, spot: str, at: tuple[float, float], scale: float, said: str
) -> str:
    (x, y), name = at, f' role="img" aria-label="{escape(said)}"' if said else ""
    # A block of a ring's radius would look smaller.
    scale *= 1.03 if side == "B" else 1
    faded = ' opacity=".8"' if spot.startswith("dz") else ""
    return (
        f'<g id="{prefix}pc-{spot}" class="pc stone side-{side}"{name}'
        f' transform="translate({x:g} {y:g})"><use href="#{prefix}stone-{side}"'
        f' transform="scale({scale:.3g})"{faded}/></g>'
    )


def _stone_label(stones: int, side: Seat, square: int, say: Say) -> str:
    """A piece to somebody who does not see it: d3, ring, in row c3-d3."""
    parts = [name_of(square), say(message(f"kalamala.piece-{side}"))]
    for direction in ("N", "E", "NE", "SE") if stones & NEIGHBOUR_SETS[square] else ():
        pieces = {*row(stones, square, direction), *row(stones, square, OPPOSITE[direction])}
        if len(pieces) > 1:
            parts.append(say(message("kalamala.in-row", chain=span(pieces))))
    return ", ".join(parts)


@lru_cache(maxsize=64)
def _hit_layer(tall: bool, near: Seat, prefix: str, words: Words) -> str:
    """A grid of cells: the reserves, and between them the board with all ways off it."""
    layout = layout_for(tall, near)
    begin, deep = layout.edge
    across = {-1: (-begin - deep, deep), SIZE: (50 * SIZE + begin, deep)}
    across |= {i: (50 * i, 50) for i in range(SIZE)}
    rows = []
    for places in PLACE_ROWS:
        cells = []
        for spot, file, rank in places:
            (x, width), (y, height) = across[file], across[SIZE - 1 - rank]
            if spot in EXITS:
                said = f'aria-label="{escape(words.beyond)}, {spot[4:]}"'
            else:
                said = f'aria-label="{spot[3:]}" aria-labelledby="{prefix}pc-{spot}"'
            cells.append(_cell(prefix, spot, said, x, y, width, height))
        rows.append("".join(cells))
    for side, where in ((other_side(near), 0), (near, len(rows) + 1)):
        said = f'aria-label="{escape(words.reserve)}" aria-labelledby="{prefix}n-rs-{side}"'
        (left, middle), (right, _) = layout.spots[f"rs-{side}1"], layout.spots[f"rs-{side}4"]
        half = layout.slot / 2 + 4
        area = (left - half, middle - half, right - left + 2 * half, 2 * half)
        rows.insert(where, _cell(prefix, f"rs-{side}", said, *area))
    grid = "".join(f'<g role="row">{cells}</g>' for cells in rows)
    return f'<g fill="none" pointer-events="all">{grid}</g>'


def _cell(
    prefix: str, place: str, said: str, x: float, y: float, width: float, height: float
) -> str:
    return (
        f'<rect id="{prefix}hit-{place}" class="hit" data-el="{place}" role="gridcell" {said}'
        f' x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'
    )


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
