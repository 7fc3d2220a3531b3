"""Marks drawn over a position: the last action, and what may be chosen next.

The page draws these by itself while somebody chooses (web/static/board/marks.js); this is the same
for pictures that leave the page. What marks look like is in `mark_shapes`, for both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from msgspec.structs import replace

from kibitz.core.drawing import FONT, Box, Drawing, Point, Spot
from kibitz.core.game import Mark, Motion, Offer, Place
from kibitz.core.mark_shapes import (
    HALO,
    ICONS,
    KINDS_INSTEAD_OF_RING,
    LABELLED_KINDS,
    LOOKS,
    MARK,
    OUTLINES,
    SIZES,
    STRIPES,
    UNITS,
)
from kibitz.core.values import FrozenValue


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
        return _elements("last-ring", _circle(spot, "last-ring"), spot.size)
    corner = f'rx="{spot.size * SIZES["last-corner"]:g}"'
    return _elements("last", f"rect {_box(spot, 'last-box')} {corner}")


def with_marks(drawing: Drawing, offers: Sequence[Offer], touched: tuple[Place, ...]) -> Drawing:
    """The drawing with what may be chosen once these places have been touched."""
    spots, count = drawing.places, len(touched)
    figures = {piece.place: piece.figure for piece in drawing.pieces}
    loose = {_touchable_place(place, spots) for place in figures if place not in spots}
    left = [offer for offer in offers if offer.path[:count] == touched]
    marks = list(dict.fromkeys(m for o in left for m in o.marks if m.after == count))
    following = dict.fromkeys(o.path[count] for o in left if len(o.path) > count)
    anchors = {place for m in marks if m.kind == "anchor" for place in m.places}
    given = {m.places[-1] for m in marks if m.kind in KINDS_INSTEAD_OF_RING}
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
    for mark in (m for m in marks if m.kind in LABELLED_KINDS):
        is_covered = mark.kind == "dot" and mark.places[-1] in loose - figures.keys()
        targets.append(
            _target_ring(spots[mark.places[-1]], True) if is_covered else _label(spots, mark)
        )
    for place in following:
        if place not in given and place in spots:
            targets.append(_target_ring(spots[place], place in figures))
    for mark in marks:
        targets += _signs(spots, mark, {*following, *touched})
    layers = {**drawing.layers, "hints": "".join(hints), "targets": "".join(targets)}
    return replace(drawing, layers=layers)


class Signs(FrozenValue, frozen=True, kw_only=True):
    """Signs for a reader, beside the marks of the game."""

    arrows: Sequence[Sequence[Place]] = ()
    """Ways from place to place."""
    beams: Sequence[tuple[Place, Place]] = ()
    dots: Sequence[Place] = ()
    """Places to go to."""
    crosses: Sequence[Place] = ()
    """Places where something is not allowed."""
    tags: Sequence[str] = ()
    """Numbered from 1: a place, or one and how far right of it and below: `sq-a1 0 24`."""
    unit: float = 1
    """The scale of crosses and tags, which must be read on small screens."""


def with_signs(drawing: Drawing, signs: Signs) -> Drawing:
    """The drawing with signs for a reader over it."""
    spots, layers, unit = drawing.places, dict(drawing.layers), signs.unit
    figures = {piece.place for piece in drawing.pieces}
    added = {
        "hints": [_beam(spots, Mark("beam", ends), False) for ends in signs.beams],
        "targets": [_target_ring(spots[place], place in figures) for place in signs.dots],
        "best": [_advice_arrow([spots[each] for each in way]) for way in signs.arrows],
        "refuse": [
            *(_cross(spots[place], place in figures, unit) for place in signs.crosses),
            *(_tag(_point(drawing, at), n, unit) for n, at in enumerate(signs.tags, 1)),
        ],
    }
    for name, parts in added.items():
        layers[name] = layers.get(name, "") + "".join(parts)
    return replace(drawing, layers=layers)


def _point(drawing: Drawing, at: str) -> Point:
    """The middle of a place, or of a piece that lies on none, and how far from there."""
    place, *shift = at.split()
    pieces = {piece.place: piece.at for piece in drawing.pieces}
    x, y = spot.box.middle if (spot := drawing.places.get(place)) else pieces[place]
    right, down = map(float, shift or (0, 0))
    return x + right, y + down


def _tag(at: Point, number: int, unit: float) -> str:
    (x, y), radius = at, UNITS["tag"] * unit
    disc = _elements("tag", f'circle cx="{x:g}" cy="{y:g}" r="{radius:g}"')
    return disc + _words(str(number), x, y, "var(--paper)", radius * 1.35)


def _cross(spot: Spot, has_piece: bool, unit: float) -> str:
    """At the corner of a piece, or in the middle of a place without one."""
    aside = spot.size * SIZES["badge-at"] if has_piece else 0
    x, y, radius = spot.x + aside, spot.y - aside, UNITS["cross"] * unit
    arm = radius * 0.46
    path = (
        f"M{x - arm:g} {y - arm:g}l{2 * arm:g} {2 * arm:g}m0 {-2 * arm:g}l{-2 * arm:g} {2 * arm:g}"
    )
    disc = _elements("cross", f'circle cx="{x:g}" cy="{y:g}" r="{radius:g}"')
    return disc + _elements("cross-arms", f'path d="{path}"')


def _advice_arrow(way: Sequence[Spot]) -> str:
    """Along these places; its head ends in the middle of the last one."""
    before, last = way[-2:]
    turn = math.atan2(last.y - before.y, last.x - before.x)
    head = last.size * SIZES["advice-head"]

    def point(back: float, aside: float) -> str:
        x = last.x - head * (back * math.cos(turn) + aside * math.sin(turn))
        y = last.y - head * (back * math.sin(turn) - aside * math.cos(turn))
        return f"{x:.1f} {y:.1f}"

    shaft = "L".join([*(f"{each.x:g} {each.y:g}" for each in way[:-1]), point(0.8, 0)])
    line = f'path d="M{shaft}" stroke-linecap="round" stroke-linejoin="round"'
    tip = f'path d="M{point(0, 0)}L{point(1, 0.55)}L{point(1, -0.55)}Z"'
    return _elements("advice", line) + _elements("advice-head", tip)


def _touchable_place(place: Place, spots: Mapping[Place, Spot]) -> Place:
    """The square of something that cannot be touched itself, such as a ball: ball-g4, sq-g4."""
    return place if place in spots else f"sq-{place.partition('-')[2]}"


def _elements(look: str, shape: str, size: float = 0, after: str = "") -> str:
    """A shape once for each part of its look; `size` where strokes are as wide as a place."""
    return "".join(
        f"<{shape} "
        + " ".join(
            f'stroke-width="{size * float(value):g}"' if name == "width" else f'{name}="{value}"'
            for name, value in part.items()
        )
        + f"{after}/>"
        for part in LOOKS[look]
    )


def _circle(spot: Spot, size: str) -> str:
    return f'circle cx="{spot.x:g}" cy="{spot.y:g}" r="{spot.size * SIZES[size]:g}"'


def _box(spot: Spot, size: str) -> Box:
    """A square around squares; around anything longer a box of its shape."""
    width, height = spot.box[2:] if spot.is_long else (spot.size, spot.size)
    width, height = width * SIZES[size], height * SIZES[size]
    return Box(spot.x - width / 2, spot.y - height / 2, width, height)


def _target_ring(spot: Spot, has_piece: bool) -> str:
    if spot.is_long:
        box = f'rect {_box(spot, "target-box")} rx="{UNITS["box-corner"]}"'
        return _elements("target-box", box)
    look = "target" if has_piece else "free"
    return _elements(look, _circle(spot, look))


def _selection(spot: Spot, is_round: bool) -> str:
    """A ring around a round piece, a box around everything else."""
    if is_round and not spot.is_long:
        return _elements("selection", _circle(spot, "target"))
    box = f'rect {_box(spot, "selection-box")} rx="{UNITS["box-corner"]}"'
    return _elements("selection", box)


def _line(a: Spot, b: Spot) -> str:
    """A line of no length draws no round ends everywhere, so it has a little."""
    ends = f'x1="{a.x:g}" y1="{a.y:g}" x2="{b.x + 0.01:g}" y2="{b.y:g}"'
    return f'line {ends} stroke-linecap="round"'


def _beam(spots: Mapping[Place, Spot], mark: Mark, chosen: bool) -> str:
    ends = (spots[place] for place in mark.places)
    return _elements("beam-chosen" if chosen else "beam", _line(*ends))


def _capsule(spots: Mapping[Place, Spot], mark: Mark) -> str:
    a, b = (spots[place] for place in mark.places)
    return _elements("anchor", _line(a, b), a.size)


def _path(points: Iterable[Spot]) -> str:
    return f'path d="M{"L".join(f"{p.x:g} {p.y:g}" for p in points)}" stroke-linecap="round"'


def _run_path(spots: Mapping[Place, Spot], mark: Mark) -> str:
    """The way of a run, under the pieces."""
    path = _path(spots[place] for place in mark.places)
    return _elements("way", f'{path} stroke-linejoin="round"')


def _flight(spots: Mapping[Place, Spot], mark: Mark) -> str:
    """A ball through the air: dashed, or dotted in orange where somebody could jump in."""
    return _elements(mark.kind, _path(spots[place] for place in mark.places[:2]))


def _striped_areas(spots: Mapping[Place, Spot], places: Sequence[Place]) -> Iterator[str]:
    if places:
        yield f"<defs>{STRIPES}</defs>"
    inset = UNITS["area-inset"]
    for place in places:
        x, y, width, height = spots[place].box
        box = Box(x + inset, y + inset, width - 2 * inset, height - 2 * inset)
        yield _elements("area", f'rect {box} rx="{UNITS["area-corner"]}"')


def _signs(spots: Mapping[Place, Spot], mark: Mark, chosen: set[Place]) -> Iterator[str]:
    """The signs over the pieces: who is attacked, who gets a pass, who could jump in."""
    if mark.kind == "attack":
        spot = spots[mark.places[-1]]
        yield _corners(spot)
        yield _badge(spot, SIZES["attack-badge-at"], SIZES["attack-badge"], mark.text)
    if mark.kind == "arrow":
        yield _arrow(*(spots[place] for place in mark.places))
    if mark.kind in ("pass", "risk") and mark.places[1] in chosen:
        yield _badge(spots[mark.places[1]], -SIZES["badge-at"], SIZES["badge"], "pass")
    if mark.kind == "risk":
        yield from (_warning(spots[place]) for place in mark.places[2:])


def _corners(spot: Spot) -> str:
    far, arm = spot.size * SIZES["attack-far"], spot.size * SIZES["attack-arm"]
    path = "".join(
        f"M{spot.x + dx * far:g} {spot.y + dy * arm:g}V{spot.y + dy * far:g}H{spot.x + dx * arm:g}"
        for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
    return _elements("attack", f'path d="{path}" stroke-linecap="round" stroke-linejoin="round"')


def _badge(spot: Spot, aside: float, share: float, icon: str) -> str:
    """An icon on a disc, at an upper corner."""
    x, y, size = spot.x + spot.size * aside, spot.y - spot.size * abs(aside), spot.size * share
    side = size * SIZES["icon"]
    at = f"translate({x - side / 2:.2f} {y - side / 2:.2f}) scale({side / 24:.3f})"
    path = f'path d="{ICONS.get(icon, ICONS["act"])}"'
    disc = _elements("badge", f'circle cx="{x:g}" cy="{y:g}" r="{size / 2:g}"')
    return disc + _elements("icon", path, after=f' transform="{at}"')


def _arrow(a: Spot, b: Spot) -> str:
    """From rim to rim: who goes for whom."""
    turn = math.degrees(math.atan2(b.y - a.y, b.x - a.x))
    at = f"translate({(a.x + b.x) / 2:g} {(a.y + b.y) / 2:g})"
    scale = max(a.size, b.size) / UNITS["square"]
    transform = f' transform="{at} rotate({turn:g}) scale({scale:.3f})"'
    return _elements("arrow", f'path d="{OUTLINES["arrow"]}"', after=transform)


def _warning(spot: Spot) -> str:
    aside = spot.size * SIZES["badge-at"]
    at = f"translate({spot.x + aside:g} {spot.y - aside:g})"
    parts = (_elements(name, f'path d="{OUTLINES[name]}"') for name in ("warning", "warning-sign"))
    return f'<g transform="{at} scale({spot.size / UNITS["square"]:.3f})">{"".join(parts)}</g>'


def _label(spots: Mapping[Place, Spot], mark: Mark) -> str:
    if mark.kind == "off":
        return _exit(spots[mark.places[0]], spots[mark.places[1]], mark.text)
    spot, size = spots[mark.places[-1]], float(UNITS["text"])
    look = "push" if mark.kind == "push" else "pull"
    share = look if look == "push" or not mark.text else "labelled"
    if mark.kind == "dot" and mark.text:
        look, share = "count", "count-none" if mark.text == "0" else "count"
        size = spot.size * SIZES[share] * SIZES["count-text"]
    disc = _elements(look, _circle(spot, share))
    return disc + _words(mark.text, spot.x, spot.y, HALO if look == "push" else MARK, size)


def _exit(a: Spot, b: Spot, text: str) -> str:
    """An arrow over the edge; where there is little room outside, its foot stands inside."""
    turn = round(math.degrees(math.atan2(b.y - a.y, b.x - a.x)) / 45) * 45
    dx, dy = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    inwards = max(0, UNITS["exit"] - b.size / 2)
    x, y = b.x - dx * inwards, b.y - dy * inwards
    transform = f'transform="translate({x:.1f} {y:.1f}) rotate({turn})"'
    arrow = _elements("exit", f'path d="{OUTLINES["exit"]}" {transform}')
    return arrow + _words(text, x - dx * 3, y - dy * 3, HALO, UNITS["text"])


def _words(text: str, x: float, y: float, fill: str, size: float) -> str:
    if not text:
        return ""
    look = f'text-anchor="middle" font-size="{size:g}" font-weight="800" fill="{fill}"'
    at = f'x="{x:.1f}" y="{y + size * SIZES["baseline"]:.1f}"'
    return f"<text {at} {FONT} {look}>{escape(text)}</text>"
