"""A picture as one SVG element: its panels, the names of their squares, and their marks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from kibitz.core.colours import DARK, LIGHT
from kibitz.core.drawing import FONT, LAYERS, Box, Drawing, Look, Spot
from kibitz.core.game import Offer, Place, moves_in, visible_to
from kibitz.core.marks import Signs, with_last_move, with_marks, with_signs
from kibitz.core.message import Say
from kibitz.core.rule_pictures.declaration import Panel, RulePicture
from kibitz.core.rule_pictures.position import AnyGame, Position, panel_positions
from kibitz.core.rule_pictures.slim_svg import SlimSvg

NARROW_WIDTH = 330
"""The width that a picture has on a narrow phone: what is written must be legible there."""
SCALE = 1.1
"""Pixels for a unit of a drawing, where there is room."""
LETTERS, MARGIN, GAP = 13, 3, 26
"""In pixels on a narrow phone, but for the margin: names of files and ranks, the room around a
panel, the room for an arrow to the next."""
SQUARE = "sq-"
ARROW = "M-9-3H0V-9L10 0L0 9V3H-9Z"


class _Frame(NamedTuple):
    """A panel as it is drawn, the part of it that shows, and the room it takes."""

    drawing: Drawing
    goes_on: bool
    """True if its position came of the one before."""
    area: Box
    squares: Mapping[Place, Spot]
    """Those whose names are written beside the panel."""

    def size(self, letters: float) -> tuple[float, float]:
        room = letters * 1.4 if self.squares else 0
        return self.area.width + room, self.area.height + room


def draw_picture(
    make_game: Callable[[Mapping[str, Any]], AnyGame],
    picture: RulePicture,
    say: Say,
    title: str,
    slim: SlimSvg | None = None,
    prefix: str = "",
) -> str:
    """The picture with the names of colours in it; `title` says what there is to see.

    Pictures of one page share `slim`, and the prefix of their ids.
    """
    shown = [
        (panel, position, _draw_panel(panel, position, say, prefix))
        for panel, position in panel_positions(make_game, picture)
    ]
    areas = [_shown_area(panel, drawing) for panel, _, drawing in shown]
    widths = [area.width for area in areas]
    # What is written beside panels is a part of the width by which its own size is chosen.
    unit = max(1, (sum(widths) if picture.beside else max(widths)) * 1.06 / NARROW_WIDTH)
    frames = [
        _Frame(
            _with_panel_signs(panel, position, drawing, unit),
            not panel.start,
            area,
            _named_spots(panel, drawing, area),
        )
        for (panel, position, drawing), area in zip(shown, areas, strict=True)
    ]
    return _join_frames(frames, slim or SlimSvg(), picture.beside, unit, title)


def _draw_panel(panel: Panel, position: Position, say: Say, prefix: str) -> Drawing:
    game, state, events = position
    # What a drawing defines may depend on how it lies.
    prefix = f"{prefix}tall-" if panel.is_tall else prefix
    look = Look(say=say, is_tall=panel.is_tall, has_labels=not panel.area, prefix=prefix)
    drawing = game.ui.draw(game.rules.view(state, panel.viewer, ()), look)
    return with_last_move(drawing, moves_in(visible_to(events, panel.viewer)))


def _with_panel_signs(panel: Panel, position: Position, drawing: Drawing, unit: float) -> Drawing:
    game, state, _ = position
    if panel.touched:
        wanted = {*panel.shows}
        offers = [o for o in _offers_now(game, state) if not wanted or wanted & {*o.actions}]
        drawing = with_marks(drawing, offers, panel.touched)
    signs = Signs(
        arrows=panel.arrows,
        beams=panel.beams,
        dots=panel.dots,
        crosses=[each.place for each in panel.refuses if each.place],
        tags=panel.tags,
        unit=unit,
    )
    return with_signs(drawing, signs)


def _offers_now(game: AnyGame, state: Any) -> list[Offer]:
    rules = game.rules
    return [
        offer
        for seat in sorted(rules.to_act(state) & {*game.seats})
        for offer in game.ui.offers(rules.view(state, seat, ()), rules.turn_actions(state, seat))
    ]


def _shown_area(panel: Panel, drawing: Drawing) -> Box:
    if not panel.area:
        return Box(*map(float, drawing.view_box.split()))
    boxes = [_shifted_box(drawing, each) for each in panel.area]
    left, top = min(box.x for box in boxes) - MARGIN, min(box.y for box in boxes) - MARGIN
    right = max(box.right for box in boxes) + MARGIN
    bottom = max(box.y + box.height for box in boxes) + MARGIN
    return Box(left, top, right - left, bottom - top)


def _shifted_box(drawing: Drawing, at: str) -> Box:
    place, *shift = at.split()
    right, down = map(float, shift or (0, 0))
    x, y, width, height = drawing.places[place].box
    return Box(x + right, y + down, width, height)


def _named_spots(panel: Panel, drawing: Drawing, area: Box) -> Mapping[Place, Spot]:
    """The squares in the part that shows; none where the drawing itself has their names."""
    if not panel.area or not panel.has_names:
        return {}
    return {
        place: spot
        for place, spot in drawing.places.items()
        if place.startswith(SQUARE) and area.contains(spot.box.middle)
    }


def _join_frames(
    frames: Sequence[_Frame], slim: SlimSvg, beside: bool, unit: float, title: str
) -> str:
    has_arrows = any(frame.goes_on for frame in frames)
    letters, gap, x, y, made = LETTERS * unit, (GAP if has_arrows else GAP / 2) * unit, 0.0, 0.0, []
    sizes = [frame.size(letters) for frame in frames]
    width = sum(size[0] for size in sizes) + gap * (len(sizes) - 1)
    height = max(size[1] for size in sizes)
    if not beside:
        width = max(size[0] for size in sizes)
        height = sum(size[1] for size in sizes) + gap * (len(sizes) - 1)
    for frame, size in zip(frames, sizes, strict=True):
        if frame.goes_on:
            middle = (x - gap / 2, frame.area.height / 2) if beside else (width / 2, y - gap / 2)
            made.append(_next_arrow(*middle, 0 if beside else 90, unit))
        made.append(_frame_markup(frame, slim, x, y, letters))
        x, y = (x + size[0] + gap, 0) if beside else (0, y + size[1] + gap)
    pixels = f'width="{width * SCALE:.0f}" height="{height * SCALE:.0f}"'
    box = f'viewBox="0 0 {width:g} {height:g}" {pixels}'
    label = escape(title, quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" aria-label="{label}">'
        f"{''.join(made)}</svg>"
    )


def _next_arrow(x: float, y: float, turn: int, unit: float) -> str:
    at = f"translate({x:.1f} {y:.1f}) rotate({turn}) scale({unit:.2f})"
    return f'<path d="{ARROW}" fill="var(--ink-3)" transform="{at}"/>'


def _frame_markup(frame: _Frame, slim: SlimSvg, x: float, y: float, letters: float) -> str:
    drawing, _, (left, top, width, height), squares = frame
    drawn = "".join(drawing.layers.get(name, "") for name in LAYERS if name != "hit")
    inside = slim.slim_markup(drawn.replace("stripes", f"{drawing.prefix}stripes"), frame.area)
    across = x + (letters * 1.4 if squares else 0)
    window = f'x="{across:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    made = f'<svg {window} viewBox="{left:g} {top:g} {width:g} {height:g}">{inside}</svg>'
    if not squares:
        return made
    return made + _square_names(squares, across - left, y - top, (x, y + height), letters)


def _square_names(
    squares: Mapping[Place, Spot], dx: float, dy: float, edge: tuple[float, float], letters: float
) -> str:
    """The names of files and ranks, left of the panel and below it."""
    names = {place.removeprefix(SQUARE): spot for place, spot in squares.items()}
    columns, rows = dict[float, set[str]](), dict[float, set[str]]()
    for name, spot in names.items():
        columns.setdefault(spot.x, set()).add(name)
        rows.setdefault(spot.y, set()).add(name)
    # Files stand upright but on a field that does.
    has_upright_files = all(len({name[0] for name in here}) == 1 for here in columns.values())
    file_or_rank = (slice(0, 1), slice(1, None))
    across, down = file_or_rank if has_upright_files else file_or_rank[::-1]
    left, bottom = edge[0] + letters * 0.6, edge[1] + letters * 1.15
    made = [_letter(min(here)[across], x + dx, bottom) for x, here in columns.items()]
    made += [_letter(min(here)[down], left, y + dy + letters * 0.35) for y, here in rows.items()]
    look = f'font-size="{letters:.1f}" font-weight="600" text-anchor="middle" fill="var(--ink-2)"'
    return f"<g {FONT} {look}>{''.join(made)}</g>"


def _letter(text: str, x: float, y: float) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}">{text}</text>'


def themed_svg(markup: str) -> str:
    """A picture as a file of its own, in the theme of whoever looks at it."""
    names = [name for name in LIGHT if f"var(--{name})" in markup or name == "paper"]
    light = "".join(f"--{name}:{LIGHT[name]};" for name in names)
    dark = "".join(f"--{name}:{DARK[name]};" for name in names if DARK[name] != LIGHT[name])
    style = (
        f"<style>:root{{background:var(--paper);{light}}}"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}</style>"
    )
    return markup.replace(">", f">{style}", 1) + "\n"
