"""What is drawn over a position: the last action, and what may be chosen next.

The page draws these by itself while somebody chooses (web/static/marks.js); this is the same
for pictures that leave the page. Where things are is read from the drawing's own hit areas.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from html import escape
from typing import NamedTuple

from kibitz.core.drawing import Drawing
from kibitz.core.game import Mark, Motion, Offer, Place

LABELLED = ("push", "pull", "off", "dot")
FONT = "font-family=\"system-ui,'Segoe UI',Roboto,'Noto Sans',Ubuntu,'DejaVu Sans',sans-serif\""


class Spot(NamedTuple):
    """Where an element is: its middle, its extent."""

    x: float
    y: float
    width: float
    height: float

    @property
    def size(self) -> float:
        return min(self.width, self.height)

    @property
    def is_long(self) -> bool:
        return max(self.width, self.height) > self.size * 1.3


def with_last(drawing: Drawing, motions: Iterable[Motion]) -> Drawing:
    """The drawing with the places a move came from and went to in yellow."""
    spots = _spots(drawing.layers["hit"])
    places = dict.fromkeys(place for m in motions for place in (m.origin, m.target))
    squares = "".join(
        f'<rect {_box(spots[place], 0.94)} rx="{spots[place].size * 0.18:g}"'
        ' fill="var(--last)" opacity=".8"/>'
        for place in places
        if place in spots
    )
    return replace(drawing, layers={**drawing.layers, "last": squares})


def with_marks(drawing: Drawing, offers: Sequence[Offer], touched: tuple[Place, ...]) -> Drawing:
    """The drawing with what may be chosen once these places have been touched."""
    spots, count = _spots(drawing.layers["hit"]), len(touched)
    left = [offer for offer in offers if offer.path[:count] == touched]
    marks = list(dict.fromkeys(m for o in left for m in o.marks if m.after == count))
    following = dict.fromkeys(o.path[count] for o in left if len(o.path) > count)
    anchors = {place for m in marks if m.kind == "anchor" for place in m.places}
    labelled = {m.places[-1] for m in marks if m.kind in LABELLED}
    hints = [_beam(spots, m, m.places[1] in touched) for m in marks if m.kind == "beam"]
    hints += [_capsule(spots, m) for m in marks if m.kind == "anchor"]
    targets = [_selected(spots[place]) for place in touched if place not in anchors]
    targets += [_label(spots, m) for m in marks if m.kind in LABELLED]
    for place in following:
        if place not in labelled:
            has_piece = f'pc-{place}"' in drawing.layers.get("pieces", "")
            targets.append(_target(spots[place], has_piece))
    layers = {**drawing.layers, "hints": "".join(hints), "targets": "".join(targets)}
    return replace(drawing, layers=layers)


@lru_cache(maxsize=64)
def _spots(hit: str) -> dict[Place, Spot]:
    return dict(_areas(hit))


def _areas(hit: str) -> Iterator[tuple[Place, Spot]]:
    """The boxes of the rectangles that carry `data-el`."""
    for rect in re.findall(r"<rect [^>]*>", hit):
        given = dict(re.findall(r'([\w-]+)="([^"]*)"', rect))
        if "data-el" in given:
            x, y, width, height = (float(given[k]) for k in ("x", "y", "width", "height"))
            yield given["data-el"], Spot(x + width / 2, y + height / 2, width, height)


def _box(spot: Spot, scale: float = 1.0) -> str:
    """A square around squares; around anything longer a box of its shape."""
    width, height = (spot.width, spot.height) if spot.is_long else (spot.size, spot.size)
    width, height = width * scale, height * scale
    corner = f'x="{spot.x - width / 2:g}" y="{spot.y - height / 2:g}"'
    return f'{corner} width="{width:g}" height="{height:g}"'


def _twice(shape: str, halo: str, mark: str) -> str:
    """The halo and the mark itself, so that it shows on any ground."""
    return (
        f'<{shape} fill="none" stroke="var(--mark-halo)" {halo}/>'
        f'<{shape} fill="none" stroke="var(--mark)" {mark}/>'
    )


def _target(spot: Spot, has_piece: bool) -> str:
    dashes = 'stroke-width="3" stroke-dasharray="9 5.4"'
    if spot.is_long:
        return _twice(f'rect {_box(spot, 0.98)} rx="13"', 'stroke-width="5"', dashes)
    middle = f'cx="{spot.x:g}" cy="{spot.y:g}"'
    if has_piece:
        return _twice(f'circle {middle} r="{spot.size * 0.46:g}"', 'stroke-width="6"', dashes)
    look = 'fill="var(--mark-halo)" stroke="var(--mark)" stroke-width="3"'
    return f'<circle {middle} r="{spot.size * 0.15:g}" {look}/>'


def _selected(spot: Spot) -> str:
    return _twice(f'rect {_box(spot, 0.96)} rx="13"', 'stroke-width="7"', 'stroke-width="4"')


def _line(a: Spot, b: Spot) -> str:
    """A line of no length draws no round ends everywhere, so it has a little."""
    ends = f'x1="{a.x:g}" y1="{a.y:g}" x2="{b.x + 0.01:g}" y2="{b.y:g}"'
    return f'line {ends} stroke-linecap="round"'


def _beam(spots: dict[Place, Spot], mark: Mark, chosen: bool) -> str:
    dots = 'stroke-width="5"' if chosen else 'stroke-width="3" stroke-dasharray="2 8"'
    ends = (spots[place] for place in mark.places)
    return _twice(_line(*ends), 'stroke-width="13" opacity=".75"', dots)


def _capsule(spots: dict[Place, Spot], mark: Mark) -> str:
    a, b = (spots[place] for place in mark.places)
    widths = (f'stroke-width="{a.size * scale:g}"' for scale in (1.06, 0.96))
    inside = f'stroke="var(--accent-soft)" stroke-width="{a.size * 0.8:g}"'
    return _twice(_line(a, b), *widths) + f"<{_line(a, b)} {inside}/>"


def _label(spots: dict[Place, Spot], mark: Mark) -> str:
    if mark.kind == "off":
        return _exit(spots[mark.places[0]], spots[mark.places[1]], mark.text)
    spot, push = spots[mark.places[-1]], mark.kind == "push"
    radius = spot.size * (0.3 if push else 0.28 if mark.text else 0.2)
    fill, edge = ("mark", "mark-halo") if push else ("mark-halo", "mark")
    disc = f'fill="var(--{fill})" stroke="var(--{edge})" stroke-width="{2.5 if push else 3.5}"'
    circle = f'<circle cx="{spot.x:g}" cy="{spot.y:g}" r="{radius:g}" {disc}/>'
    return circle + _words(mark.text, spot.x, spot.y, edge)


def _exit(a: Spot, b: Spot, text: str) -> str:
    """An arrow over the edge; where there is little room outside, its foot stands inside."""
    turn = round(math.degrees(math.atan2(b.y - a.y, b.x - a.x)) / 45) * 45
    dx, dy = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    inwards = max(0, 16 - b.size / 2)
    x, y = b.x - dx * inwards, b.y - dy * inwards
    look = 'fill="var(--mark)" stroke="var(--mark-halo)" stroke-width="2.5"'
    arrow = (
        f'<path d="M-16-15H2L16 0L2 15H-16Z" transform="translate({x:.1f} {y:.1f}) rotate({turn})"'
        f' {look} stroke-linejoin="round"/>'
    )
    return arrow + _words(text, x - dx * 3, y - dy * 3, "mark-halo")


def _words(text: str, x: float, y: float, colour: str) -> str:
    if not text:
        return ""
    look = f'text-anchor="middle" font-size="14" font-weight="800" fill="var(--{colour})"'
    return f'<text x="{x:.1f}" y="{y + 5:.1f}" {FONT} {look}>{escape(text)}</text>'
