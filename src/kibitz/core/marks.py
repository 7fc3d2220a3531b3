"""What is drawn over a position: the last action, and what may be chosen next.

The page draws these by itself while somebody chooses (web/static/board/marks.js); this is the same
for pictures that leave the page. Where things are is read from the drawing's own hit areas.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape

from kibitz.core.drawing import Box, Drawing, Spot
from kibitz.core.game import Mark, Motion, Offer, Place

LABEL_MARKS = ("push", "pull", "off", "dot")
MARKS_INSTEAD_OF_RING = (*LABEL_MARKS, "attack", "area", "quiet")
"""What takes the place of the ring or disc by which a place shows that it may be chosen."""
ICONS = {
    "tackle": "M3 12h7M21 12h-7M8 8l3 4-3 4M16 8l-3 4 3 4",
    "force": "M3 12h12M11 6l6 6-6 6M21 4v16",
    "pass": "M20 18C18 9 12 6 5 7M10 3L4.5 7 10 12",
    "kick": "M3 19c5 0 7-12 18-13M15 4l6 2-3.5 5",
}
"""24 by 24; the page has the same (web/templates/icons.html)."""
FONT = "font-family=\"system-ui,'Segoe UI',Roboto,'Noto Sans',Ubuntu,'DejaVu Sans',sans-serif\""


def with_last_move(drawing: Drawing, motions: Iterable[Motion]) -> Drawing:
    """The drawing with the places a move came from and went to in yellow."""
    spots = drawing.places
    places = dict.fromkeys(
        _touchable_place(p, spots) for m in motions for p in (m.origin, m.target)
    )
    last = "".join(_last_move_mark(spots[place]) for place in places if place in spots)
    return replace(drawing, layers={**drawing.layers, "last": last})


def _last_move_mark(spot: Spot) -> str:
    """A ring around a round place, else a square under it."""
    if spot.is_round:
        ring = f'cx="{spot.x:g}" cy="{spot.y:g}" r="{spot.size * 0.46:g}" fill="none"'
        return f'<circle {ring} stroke="var(--last)" stroke-width="{spot.size * 0.1:g}"/>'
    corner = f'rx="{spot.size * 0.18:g}"'
    return f'<rect {_box(spot, 0.94)} {corner} fill="var(--last)" opacity=".8"/>'


def with_marks(drawing: Drawing, offers: Sequence[Offer], touched: tuple[Place, ...]) -> Drawing:
    """The drawing with what may be chosen once these places have been touched."""
    spots, count = drawing.places, len(touched)
    figures = {piece.place: piece.figure for piece in drawing.pieces}
    left = [offer for offer in offers if offer.path[:count] == touched]
    marks = list(dict.fromkeys(m for o in left for m in o.marks if m.after == count))
    following = dict.fromkeys(o.path[count] for o in left if len(o.path) > count)
    anchors = {place for m in marks if m.kind == "anchor" for place in m.places}
    given = {m.places[-1] for m in marks if m.kind in MARKS_INSTEAD_OF_RING}
    hints = [_beam(spots, m, m.places[1] in touched) for m in marks if m.kind == "beam"]
    hints += [_capsule(spots, m) for m in marks if m.kind == "anchor"]
    hints += [_run_path(spots, m) for m in marks if m.kind == "way"]
    hints += [_flight(spots, m) for m in marks if m.kind in ("pass", "risk")]
    hints += _striped_areas(spots, [m.places[-1] for m in marks if m.kind == "area"])
    targets = [
        _selection(spots[place], place in figures and figures[place].is_round)
        for place in touched
        if place not in anchors and place in spots
    ]
    targets += [_label(spots, m) for m in marks if m.kind in LABEL_MARKS]
    for place in following:
        if place not in given and place in spots:
            targets.append(_target_ring(spots[place], place in figures))
    for mark in marks:
        targets += _signs(spots, mark, {*following, *touched})
    layers = {**drawing.layers, "hints": "".join(hints), "targets": "".join(targets)}
    return replace(drawing, layers=layers)


def _touchable_place(place: Place, spots: Mapping[Place, Spot]) -> Place:
    """The square of something that cannot be touched itself, such as a ball: ball-g4, sq-g4."""
    return place if place in spots else f"sq-{place.partition('-')[2]}"


def _box(spot: Spot, scale: float = 1.0) -> str:
    """A square around squares; around anything longer a box of its shape."""
    width, height = spot.box[2:] if spot.is_long else (spot.size, spot.size)
    width, height = width * scale, height * scale
    corner = f'x="{spot.x - width / 2:g}" y="{spot.y - height / 2:g}"'
    return f'{corner} width="{width:g}" height="{height:g}"'


def _with_halo(shape: str, halo: str, mark: str) -> str:
    """The halo and the mark itself, so that it shows on any ground."""
    return (
        f'<{shape} fill="none" stroke="var(--mark-halo)" {halo}/>'
        f'<{shape} fill="none" stroke="var(--mark)" {mark}/>'
    )


def _target_ring(spot: Spot, has_piece: bool) -> str:
    dashes = 'stroke-width="3" stroke-dasharray="9 5.4"'
    if spot.is_long:
        return _with_halo(f'rect {_box(spot, 0.98)} rx="13"', 'stroke-width="5"', dashes)
    middle = f'cx="{spot.x:g}" cy="{spot.y:g}"'
    if has_piece:
        return _with_halo(f'circle {middle} r="{spot.size * 0.48:g}"', 'stroke-width="6"', dashes)
    look = 'fill="var(--mark-halo)" stroke="var(--mark)" stroke-width="3"'
    return f'<circle {middle} r="{spot.size * 0.15:g}" {look}/>'


def _selection(spot: Spot, is_round: bool) -> str:
    """A ring around a round piece, a box around everything else."""
    widths = 'stroke-width="7"', 'stroke-width="4"'
    if is_round and not spot.is_long:
        return _with_halo(
            f'circle cx="{spot.x:g}" cy="{spot.y:g}" r="{spot.size * 0.48:g}"', *widths
        )
    return _with_halo(f'rect {_box(spot, 0.96)} rx="13"', *widths)


def _line(a: Spot, b: Spot) -> str:
    """A line of no length draws no round ends everywhere, so it has a little."""
    ends = f'x1="{a.x:g}" y1="{a.y:g}" x2="{b.x + 0.01:g}" y2="{b.y:g}"'
    return f'line {ends} stroke-linecap="round"'


def _beam(spots: Mapping[Place, Spot], mark: Mark, chosen: bool) -> str:
    dots = 'stroke-width="5"' if chosen else 'stroke-width="3" stroke-dasharray="2 8"'
    ends = (spots[place] for place in mark.places)
    return _with_halo(_line(*ends), 'stroke-width="13" opacity=".75"', dots)


def _capsule(spots: Mapping[Place, Spot], mark: Mark) -> str:
    a, b = (spots[place] for place in mark.places)
    widths = (f'stroke-width="{a.size * scale:g}"' for scale in (1.06, 0.96))
    inside = f'stroke="var(--accent-soft)" stroke-width="{a.size * 0.8:g}"'
    return _with_halo(_line(a, b), *widths) + f"<{_line(a, b)} {inside}/>"


def _path(points: Iterable[Spot]) -> str:
    return f'path d="M{"L".join(f"{p.x:g} {p.y:g}" for p in points)}" stroke-linecap="round"'


def _run_path(spots: Mapping[Place, Spot], mark: Mark) -> str:
    """The way of a run, under the pieces."""
    path = f'{_path(spots[place] for place in mark.places)} stroke-linejoin="round"'
    return _with_halo(path, 'stroke-width="9"', 'stroke-width="4.5"')


def _flight(spots: Mapping[Place, Spot], mark: Mark) -> str:
    """A ball through the air: dashed, or dotted in orange where somebody could jump in."""
    path = _path(spots[place] for place in mark.places[:2])
    risky = mark.kind == "risk"
    dashes = f'stroke-width="4" stroke-dasharray="{"3 7" if risky else "10 6"}"'
    drawn = _with_halo(path, 'stroke-width="8"', dashes)
    return drawn.replace("var(--mark)", "var(--warn)") if risky else drawn


def _striped_areas(spots: Mapping[Place, Spot], places: Sequence[Place]) -> Iterator[str]:
    if places:
        yield (
            '<defs><pattern id="stripes" width="8" height="8" patternUnits="userSpaceOnUse"'
            ' patternTransform="rotate(45)"><rect width="8" height="8" fill="var(--mark-halo)"'
            ' opacity=".35"/><rect width="3" height="8" fill="var(--mark)" opacity=".75"/>'
            "</pattern></defs>"
        )
    for place in places:
        x, y, width, height = spots[place].box
        box = Box(x + 2, y + 2, width - 4, height - 4)
        yield f'<rect {box} rx="9" fill="url(#stripes)" stroke="var(--mark)" stroke-width="2"/>'


def _signs(spots: Mapping[Place, Spot], mark: Mark, chosen: set[Place]) -> Iterator[str]:
    """What lies over the pieces: who is attacked, who gets a pass, who could jump in."""
    if mark.kind == "attack":
        yield _corners(spots[mark.places[-1]])
        yield _badge(spots[mark.places[-1]], 0.375, 0.46, mark.text)
    if mark.kind == "arrow":
        yield _arrow(*(spots[place] for place in mark.places))
    if mark.kind in ("pass", "risk") and mark.places[1] in chosen:
        yield _badge(spots[mark.places[1]], -0.355, 0.4, "pass")
    if mark.kind == "risk":
        yield from (_warning(spots[place]) for place in mark.places[2:])


def _corners(spot: Spot) -> str:
    far, arm = spot.size * 0.54, spot.size * 0.27
    path = "".join(
        f"M{spot.x + dx * far:g} {spot.y + dy * arm:g}V{spot.y + dy * far:g}H{spot.x + dx * arm:g}"
        for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
    ends = 'stroke-linecap="round" stroke-linejoin="round"'
    return _with_halo(f'path d="{path}" {ends}', 'stroke-width="8"', 'stroke-width="4"')


def _badge(spot: Spot, aside: float, share: float, icon: str) -> str:
    """An icon on a disc, at an upper corner."""
    x, y, size = spot.x + spot.size * aside, spot.y - spot.size * abs(aside), spot.size * share
    scale = size * 0.68 / 24
    look = 'fill="none" stroke="var(--mark-halo)" stroke-width="3"'
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{size / 2:g}" fill="var(--mark)"'
        ' stroke="var(--mark-halo)" stroke-width="2"/>'
        f'<path d="{ICONS.get(icon, "M4 12h14M12 6l6 6-6 6")}" {look} stroke-linecap="round"'
        f' stroke-linejoin="round" transform="translate({x - size * 0.34:.2f}'
        f' {y - size * 0.34:.2f}) scale({scale:.3f})"/>'
    )


def _arrow(a: Spot, b: Spot) -> str:
    """From rim to rim: who goes for whom."""
    turn = math.degrees(math.atan2(b.y - a.y, b.x - a.x))
    at = f"translate({(a.x + b.x) / 2:g} {(a.y + b.y) / 2:g})"
    return (
        '<path d="M-13-6H0V-13L15 0L0 13V6H-13Z" fill="var(--mark)" stroke="var(--mark-halo)"'
        f' stroke-width="3" stroke-linejoin="round" transform="{at} rotate({turn:g})'
        f' scale({max(a.size, b.size) / 48:.3f})"/>'
    )


def _warning(spot: Spot) -> str:
    x, y = spot.x + spot.size * 0.355, spot.y - spot.size * 0.355
    return (
        f'<g transform="translate({x:g} {y:g}) scale({spot.size / 48:.3f})">'
        '<path d="M0-10L10.5 8.5H-10.5Z" fill="var(--warn)" stroke="var(--mark-halo)"'
        ' stroke-width="2" stroke-linejoin="round"/><path d="M0-3.5V2.5M0 5.6V5.7"'
        ' stroke="var(--mark-halo)" stroke-width="2.4" stroke-linecap="round"/></g>'
    )


def _label(spots: Mapping[Place, Spot], mark: Mark) -> str:
    if mark.kind == "off":
        return _exit(spots[mark.places[0]], spots[mark.places[1]], mark.text)
    spot, push = spots[mark.places[-1]], mark.kind == "push"
    counts = mark.kind == "dot" and bool(mark.text)
    share = 0.3 if push else 0.28 if mark.text else 0.2
    radius = spot.size * ((0.18 if mark.text == "0" else 0.22) if counts else share)
    fill, edge = ("mark", "mark-halo") if push else ("mark-halo", "mark")
    width = 2.5 if push else 3 if counts else 3.5
    disc = f'fill="var(--{fill})" stroke="var(--{edge})" stroke-width="{width}"'
    circle = f'<circle cx="{spot.x:g}" cy="{spot.y:g}" r="{radius:g}" {disc}/>'
    return circle + _words(mark.text, spot.x, spot.y, edge, radius * 1.25 if counts else 14)


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


def _words(text: str, x: float, y: float, colour: str, size: float = 14) -> str:
    if not text:
        return ""
    look = f'text-anchor="middle" font-size="{size:g}" font-weight="800" fill="var(--{colour})"'
    return f'<text x="{x:.1f}" y="{y + size * 0.36:.1f}" {FONT} {look}>{escape(text)}</text>'
