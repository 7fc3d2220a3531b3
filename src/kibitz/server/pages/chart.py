"""The course of a match as a picture: one line a seat, over the actions.

Places in it are shares of its width and height, so it fills whatever room a page has and what is
written in it keeps its size. Each line has a rim, so that it shows on any ground, and ends in the
seat's own glyph: colour never stands alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10

from markupsafe import Markup

from kibitz.core.game import Seat
from kibitz.table.highlights import Standing

LEFT, TOP, WIDTH, HEIGHT = 9.0, 13.0, 81.0, 77.0
"""The room for the lines, in hundredths."""
APART = 4
"""So many pixels lines are drawn apart, as seats are often level."""
DRAWN, SMALL = 28, 0.8
"""The size of a glyph, and how much smaller it is here."""
CLOSE = 13.0
"""Glyphs are no nearer to each other, in hundredths of the height."""
BADGE = 8.0
"""Nor are the badges over the lines, in hundredths of the width."""
TICKS = 4


@dataclass(frozen=True, slots=True)
class Thread:
    """What is drawn of a seat."""

    seat: Seat
    tint: str
    glyph: str


def plot(
    title: str,
    course: Sequence[Standing],
    threads: Sequence[Thread],
    marks: Mapping[int, str],
    ticks: Sequence[float] = (),
) -> Markup:
    """`marks` are what is written over some of the actions; `ticks` what is written beside the
    lines, where that is not to follow from them."""
    ticks = ticks or _ticks([value for standing in course for value in standing.score])
    last = max(1, course[-1].n)
    parts = [_tick(value, ticks) for value in ticks]
    parts += _marks({n / last: text for n, text in marks.items()})
    lines = list(zip(*(standing.score for standing in course), strict=True))
    steps = [standing.n for standing in course]
    for index, (thread, values) in enumerate(zip(threads, lines, strict=True)):
        aside = APART * (index - (len(threads) - 1) / 2)
        parts.append(_line(thread, steps, values, ticks, aside))
    ends = _spread([_height(values[-1], ticks) for values in lines], CLOSE, TOP + HEIGHT)
    parts += [_end(thread, at) for thread, at in zip(threads, ends, strict=True)]
    label = Markup("<title>{}</title>").format(title)
    return Markup('<svg class="plot" role="img">{}{}</svg>').format(label, Markup("").join(parts))


def _ticks(values: Sequence[float]) -> list[float]:
    """A few round numbers that have all values between them."""
    low, high = min(values), max(values)
    width = max(1.0, _round(max(high - low, 1) / TICKS))
    first, last = floor(low / width), max(ceil(high / width), floor(low / width) + 1)
    return [width * each for each in range(first, last + 1)]


def _round(least: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50 and so on."""
    power = 10.0 ** floor(log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def _height(value: float, ticks: Sequence[float]) -> float:
    return TOP + HEIGHT * (1 - (value - ticks[0]) / (ticks[-1] - ticks[0]))


def _tick(value: float, ticks: Sequence[float]) -> Markup:
    at = f"{_height(value, ticks):.2f}%"
    line = Markup('<line class="tick" x1="{}%" x2="{}%" y1="{}" y2="{}"/>').format(
        LEFT, LEFT + WIDTH, at, at
    )
    text = Markup('<text class="at" x="{}%" y="{}" dx="-8" dy="4">{}</text>').format(
        LEFT, at, f"{value:g}"
    )
    return line + text


def _marks(marks: Mapping[float, str]) -> list[Markup]:
    """Over shares of the width; what would lie upon each other is moved aside."""
    places = [LEFT + WIDTH * share for share in marks]
    badges = _spread(places, BADGE, LEFT + WIDTH)
    return [
        Markup(
            '<line class="when" x1="{0:.2f}%" x2="{1:.2f}%" y1="{2}%" y2="{3}%"/>'
            '<circle class="badge" cx="{0:.2f}%" cy="{2}%" r="10"/>'
            '<text class="badge" x="{0:.2f}%" y="{2}%" dy="4">{4}</text>'
        ).format(badge, at, TOP / 2, TOP + HEIGHT, text)
        for badge, at, text in zip(badges, places, marks.values(), strict=True)
    ]


def _line(
    thread: Thread,
    steps: Sequence[int],
    values: Sequence[float],
    ticks: Sequence[float],
    aside: float,
) -> Markup:
    """By steps: a score holds until it changes."""
    points = [f"{steps[0]},{_depth(values[0], ticks)}"]
    for n, before, value in zip(steps[1:], values, values[1:], strict=False):
        points.append(f"{n},{_depth(before, ticks)}")
        if value != before:
            points.append(f"{n},{_depth(value, ticks)}")
    return Markup(
        '<g transform="translate(0 {})"><svg x="{}%" y="{}%" width="{}%" height="{}%"'
        ' viewBox="0 0 {} {}" preserveAspectRatio="none" overflow="visible">'
        '<polyline class="rim" points="{}"/><polyline class="of" stroke="var(--{})" points="{}"/>'
        "</svg></g>"
    ).format(
        f"{aside:g}",
        *(LEFT, TOP, WIDTH, HEIGHT),
        *(max(1, steps[-1]), f"{ticks[-1] - ticks[0]:g}"),
        *(" ".join(points), thread.tint, " ".join(points)),
    )


def _depth(value: float, ticks: Sequence[float]) -> str:
    return f"{ticks[-1] - value:g}"


def _end(thread: Thread, at: float) -> Markup:
    return Markup(
        '<svg x="{}%" y="{}%" overflow="visible"><g transform="translate(6 {}) scale({})">{}'
        "</g></svg>"
    ).format(
        *(LEFT + WIDTH, f"{at:.2f}"),
        *(-DRAWN * SMALL / 2, SMALL),
        Markup(thread.glyph),
    )


def _spread(places: Sequence[float], apart: float, most: float) -> list[float]:
    """The same places, moved as far apart as need be, and none beyond the last one."""
    order = sorted(range(len(places)), key=lambda index: places[index])
    placed = list(places)
    for first, second in pairwise(order):
        placed[second] = max(placed[second], placed[first] + apart)
    if order:
        placed[order[-1]] = min(placed[order[-1]], most)
    for second, first in pairwise(order[::-1]):
        placed[first] = min(placed[first], placed[second] - apart)
    return placed
