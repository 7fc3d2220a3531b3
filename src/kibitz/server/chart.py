"""The course of a match as a picture: one line a seat, over the actions.

Places in it are shares of its width and height, so it fills whatever room a page has and what is
written in it keeps its size. Each line has a rim, so that it shows on any ground, and ends in the
seat's own glyph: colour never stands alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10
from typing import Any, TypeVar

from markupsafe import Markup

from kibitz.core.game import Game
from kibitz.table.highlights import ScorePoint

LEFT_PERCENT, TOP_PERCENT, WIDTH_PERCENT, HEIGHT_PERCENT = 9.0, 13.0, 81.0, 77.0
"""The room for the lines, in hundredths."""
LINE_OFFSET_PX = 4
"""So many pixels lines are drawn apart, as seats are often level."""
GLYPH_SIZE_PX, GLYPH_SCALE = 28, 0.8
"""The size of a glyph, and how much smaller it is here."""
MIN_GLYPH_GAP_PERCENT = 13.0
"""Glyphs are no nearer to each other, in hundredths of the height."""
MIN_BADGE_GAP_PERCENT = 8.0
"""Nor are the badges over the lines, in hundredths of the width."""
TARGET_TICKS = 4
MAX_TABLE_ROWS = 12
"""Of a table that says what a picture shows."""
DEFAULT_COLOUR = "accent"
"""Of seats that have no colour."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PlotLine:
    """The line of a seat: its colour, and the glyph at its end."""

    colour: str
    glyph: str


def seat_lines(game: Game[Any, Any, Any]) -> list[PlotLine]:
    """A line for each seat of a game, in its colour."""
    return [
        PlotLine(game.ui.colours.get(seat, DEFAULT_COLOUR), game.ui.glyph(seat))
        for seat in game.seats
    ]


def sample_evenly(values: Sequence[T], most: int = MAX_TABLE_ROWS) -> list[T]:
    """A few of several values from the first to the last, for a table beside a picture."""
    count = min(most, len(values))
    picked = {round(i * (len(values) - 1) / max(1, count - 1)) for i in range(count)}
    return [values[i] for i in sorted(picked)]


def figure_row(label: str, cells: Iterable[str]) -> Mapping[str, Any]:
    """A row of a table that says what a picture shows."""
    return {"label": label, "cells": list(cells)}


def plot_svg(
    title: str,
    course: Sequence[ScorePoint],
    threads: Sequence[PlotLine],
    marks: Mapping[int, str],
    ticks: Sequence[float] = (),
) -> Markup:
    """`marks` are what is written over some of the actions; `ticks` what is written beside the
    lines, where that is not to follow from them."""
    ticks = ticks or _tick_values([value for point in course for value in point.score])
    last = max(1, course[-1].n)
    parts = [_tick_svg(value, ticks) for value in ticks]
    parts += _badge_svgs({n / last: text for n, text in marks.items()})
    lines = list(zip(*(point.score for point in course), strict=True))
    steps = [point.n for point in course]
    for index, (thread, values) in enumerate(zip(threads, lines, strict=True)):
        aside = LINE_OFFSET_PX * (index - (len(threads) - 1) / 2)
        parts.append(_line_svg(thread, steps, values, ticks, aside))
    ends = _spread_apart(
        [_y_percent(values[-1], ticks) for values in lines],
        MIN_GLYPH_GAP_PERCENT,
        TOP_PERCENT + HEIGHT_PERCENT,
    )
    parts += [_glyph_svg(thread, at) for thread, at in zip(threads, ends, strict=True)]
    label = Markup("<title>{}</title>").format(title)
    return Markup('<svg class="plot" role="img">{}{}</svg>').format(label, Markup("").join(parts))


def _tick_values(values: Sequence[float]) -> list[float]:
    """A few round numbers that have all values between them."""
    low, high = min(values), max(values)
    width = max(1.0, _round_step(max(high - low, 1) / TARGET_TICKS))
    first, last = floor(low / width), max(ceil(high / width), floor(low / width) + 1)
    return [width * each for each in range(first, last + 1)]


def _round_step(least: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50 and so on."""
    power = 10.0 ** floor(log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def _y_percent(value: float, ticks: Sequence[float]) -> float:
    return TOP_PERCENT + HEIGHT_PERCENT * (1 - (value - ticks[0]) / (ticks[-1] - ticks[0]))


def _tick_svg(value: float, ticks: Sequence[float]) -> Markup:
    at = f"{_y_percent(value, ticks):.2f}%"
    line = Markup('<line class="tick" x1="{}%" x2="{}%" y1="{}" y2="{}"/>').format(
        LEFT_PERCENT, LEFT_PERCENT + WIDTH_PERCENT, at, at
    )
    text = Markup('<text class="at" x="{}%" y="{}" dx="-8" dy="4">{}</text>').format(
        LEFT_PERCENT, at, f"{value:g}"
    )
    return line + text


def _badge_svgs(marks: Mapping[float, str]) -> list[Markup]:
    """Over shares of the width; what would lie upon each other is moved aside."""
    places = [LEFT_PERCENT + WIDTH_PERCENT * share for share in marks]
    badges = _spread_apart(places, MIN_BADGE_GAP_PERCENT, LEFT_PERCENT + WIDTH_PERCENT)
    return [
        Markup(
            '<line class="when" x1="{0:.2f}%" x2="{1:.2f}%" y1="{2}%" y2="{5}%"/>'
            '<line class="when" x1="{1:.2f}%" x2="{1:.2f}%" y1="{5}%" y2="{3}%"/>'
            '<circle class="badge" cx="{0:.2f}%" cy="{2}%" r="10"/>'
            '<text class="badge" x="{0:.2f}%" y="{2}%" dy="4">{4}</text>'
        ).format(badge, at, TOP_PERCENT / 2, TOP_PERCENT + HEIGHT_PERCENT, text, TOP_PERCENT)
        for badge, at, text in zip(badges, places, marks.values(), strict=True)
    ]


def _line_svg(
    thread: PlotLine,
    steps: Sequence[int],
    values: Sequence[float],
    ticks: Sequence[float],
    aside: float,
) -> Markup:
    """By steps: a score holds until it changes."""
    points = [f"{steps[0]},{_y_offset(values[0], ticks)}"]
    for n, before, value in zip(steps[1:], values, values[1:], strict=False):
        points.append(f"{n},{_y_offset(before, ticks)}")
        if value != before:
            points.append(f"{n},{_y_offset(value, ticks)}")
    return Markup(
        '<g transform="translate(0 {})"><svg x="{}%" y="{}%" width="{}%" height="{}%"'
        ' viewBox="0 0 {} {}" preserveAspectRatio="none" overflow="visible">'
        '<polyline class="rim" points="{}"/><polyline class="of" stroke="var(--{})" points="{}"/>'
        "</svg></g>"
    ).format(
        f"{aside:g}",
        *(LEFT_PERCENT, TOP_PERCENT, WIDTH_PERCENT, HEIGHT_PERCENT),
        *(max(1, steps[-1]), f"{ticks[-1] - ticks[0]:g}"),
        *(" ".join(points), thread.colour, " ".join(points)),
    )


def _y_offset(value: float, ticks: Sequence[float]) -> str:
    return f"{ticks[-1] - value:g}"


def _glyph_svg(thread: PlotLine, at: float) -> Markup:
    return Markup(
        '<svg x="{}%" y="{}%" overflow="visible"><g transform="translate(6 {}) scale({})">{}'
        "</g></svg>"
    ).format(
        *(LEFT_PERCENT + WIDTH_PERCENT, f"{at:.2f}"),
        *(-GLYPH_SIZE_PX * GLYPH_SCALE / 2, GLYPH_SCALE),
        Markup(thread.glyph),
    )


def _spread_apart(places: Sequence[float], apart: float, most: float) -> list[float]:
    """Places moved as far apart as need be, and none beyond `most`."""
    order = sorted(range(len(places)), key=lambda index: places[index])
    placed = list(places)
    for first, second in pairwise(order):
        placed[second] = max(placed[second], placed[first] + apart)
    if order:
        placed[order[-1]] = min(placed[order[-1]], most)
    for second, first in pairwise(order[::-1]):
        placed[first] = min(placed[first], placed[second] - apart)
    return placed
