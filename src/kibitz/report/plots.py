"""The plots, as SVG to be put into a page: every bar, line and point says itself what it is.

All words come from outside. Nothing in a plot depends on when or where it is made.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

import matplotlib
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from kibitz.core.colours import LIGHT
from kibitz.report.statistics import Estimate, quantile

WIDTH_INCHES = 8.0
ROW_INCHES = 0.42
"""The height of a bar and the space around it, in inches."""
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "kibitz",
    "font.size": 12.0,
    "axes.edgecolor": LIGHT["line-2"],
    "axes.labelcolor": LIGHT["ink"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": LIGHT["ink"],
    "xtick.color": LIGHT["ink-2"],
    "ytick.color": LIGHT["ink"],
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}
TEXT_BOX = {"facecolor": LIGHT["card"], "edgecolor": "none", "pad": 1.0}
"""Behind words, so that no line runs through them."""
QUIET_INK = LIGHT["ink-2"]
TARGET_BINS = 24


@dataclass(frozen=True, slots=True)
class Tint:
    """A colour to fill with, and one of the same kind that can be read on white."""

    fill: str
    ink: str


NEUTRAL = Tint(LIGHT["accent"], LIGHT["accent-2"])
NOBODY = Tint(LIGHT["line-2"], LIGHT["ink-2"])


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    estimate: Estimate
    text: str
    """The numbers, printed at its end."""
    tint: Tint = NEUTRAL


@dataclass(frozen=True, slots=True)
class Point:
    at: int
    estimate: Estimate
    text: str


def bar_chart(
    name: str,
    title: str,
    rows: Sequence[Bar],
    axis: str,
    mark: tuple[float, str] | None = None,
    is_share: bool = False,
) -> Markup:
    """One bar below the other with its interval; `mark` is a value to compare them with."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _new_figure(len(rows) * ROW_INCHES + (1.2 if mark else 0.9))
        ends = [row.estimate.high for row in rows] + ([mark[0]] if mark else [])
        widest = max(ends) or 1.0
        for place, row in enumerate(rows):
            found = row.estimate
            whisker = [[found.value - found.low], [found.high - found.value]]
            axes.barh(place, found.value, height=0.72, color=row.tint.fill)
            axes.errorbar(found.value, place, xerr=whisker, color=LIGHT["ink"], capsize=3)
            start = found.high + widest * 0.015
            axes.text(start, place, row.text, va="center", color=row.tint.ink, bbox=TEXT_BOX)
        if mark:
            axes.axvline(mark[0], color=LIGHT["ink-2"], linestyle="--", linewidth=1)
            axes.text(mark[0], -0.7, mark[1], ha="center", va="bottom", color=LIGHT["ink-2"])
        axes.set_yticks(range(len(rows)), [row.label for row in rows])
        axes.set_ylim(len(rows) - 0.4, -0.7)
        axes.set_xlim(0, widest * 1.5)
        axes.set_xlabel(axis)
        axes.tick_params(axis="y", length=0)
        axes.locator_params(axis="x", nbins=6)
        if is_share:
            axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))
            axes.set_xticks([tick for tick in axes.get_xticks() if tick <= 1])
        return _figure_svg(name, title, figure)


@dataclass(frozen=True, slots=True)
class HistogramLabels:
    """The words of a histogram."""

    axis: str
    count: str
    mean: str
    half: str


def histogram(
    name: str, title: str, values: Sequence[int], mean: Estimate, words: HistogramLabels
) -> Markup:
    """A histogram of lengths; the middle half is darker, the mean is a line."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _new_figure(3.6)
        low, high = quantile(values, 0.25), quantile(values, 0.75)
        columns = histogram_bins(values)
        width, tallest = columns[0][1] - columns[0][0], max(count for _, _, count in columns)
        # A column for one number stands over it, one for several begins at the first of them.
        aside = 0.5 if width == 1 else 0.0
        for start, _, count in columns:
            axes.bar(start - aside, count, width, align="edge", color=NEUTRAL.fill, alpha=0.35)
        axes.axvspan(low, high, color=NEUTRAL.fill, alpha=0.12, linewidth=0)
        axes.axvline(mean.value, color=NEUTRAL.ink, linewidth=2)
        axes.set_ylim(0, tallest * 1.3)
        is_right = mean.value > (columns[0][0] + columns[-1][1]) / 2
        side: dict[str, Any] = {"ha": "right" if is_right else "left", "va": "top"}
        for height, text, ink in ((1.28, words.mean, NEUTRAL.ink), (1.15, words.half, QUIET_INK)):
            axes.text(mean.value, tallest * height, f" {text} ", color=ink, **side)
        axes.set_xlabel(words.axis)
        axes.set_ylabel(words.count)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        return _figure_svg(name, title, figure)


def point_chart(name: str, title: str, rows: Sequence[Point], axis: str, height: str) -> Markup:
    """Means over whole numbers, with their intervals."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _new_figure(3.8)
        for row in rows:
            found = row.estimate
            whisker = [[found.value - found.low], [found.high - found.value]]
            axes.errorbar(row.at, found.value, yerr=whisker, fmt="o", color=NEUTRAL.fill, capsize=3)
            axes.annotate(
                row.text,
                (row.at, found.value),
                xytext=(8, -13),
                textcoords="offset points",
                va="center",
                fontsize=11,
            )
        axes.plot([r.at for r in rows], [r.estimate.value for r in rows], color=LIGHT["line-2"])
        axes.set_xticks([row.at for row in rows])
        axes.set_xlim(min(r.at for r in rows) - 0.3, max(r.at for r in rows) + 1)
        axes.set_ylim(0, max(row.estimate.high for row in rows) * 1.1)
        axes.set_xlabel(axis)
        axes.set_ylabel(height)
        return _figure_svg(name, title, figure)


def reliability_plot(
    name: str, title: str, rows: Sequence[tuple[float, Estimate]], axis: str, height: str
) -> Markup:
    """Forecasts and what came of them, with their intervals; on the line they would be right."""
    with matplotlib.rc_context(STYLE):
        figure, axes = _new_figure(6.0)
        axes.plot((0, 1), (0, 1), color=LIGHT["ink-2"], linestyle="--", linewidth=1)
        for forecast, found in rows:
            whisker = [[found.value - found.low], [found.high - found.value]]
            axes.errorbar(
                forecast, found.value, yerr=whisker, fmt="o", color=NEUTRAL.fill, capsize=3
            )
        axes.plot([at for at, _ in rows], [found.value for _, found in rows], color=NEUTRAL.fill)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        for each in (axes.xaxis, axes.yaxis):
            each.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))
        axes.set_xlabel(axis)
        axes.set_ylabel(height)
        return _figure_svg(name, title, figure)


def histogram_bins(values: Sequence[int]) -> list[tuple[int, int, int]]:
    """From, up to and not including, and how many: about BINS of them, of a round width."""
    width = _round_width((max(values) - min(values)) / TARGET_BINS)
    start = floor(min(values) / width) * width
    count = (max(values) - start) // width + 1
    found = [0] * count
    for value in values:
        found[(value - start) // width] += 1
    return [(start + i * width, start + (i + 1) * width, n) for i, n in enumerate(found)]


def _round_width(least: float) -> int:
    """The next of 1, 2, 5, 10, 20, 50 and so on."""
    if least <= 1:
        return 1
    power = 10 ** floor(log10(least))
    return int(next(step * power for step in (1, 2, 5, 10) if step * power >= ceil(least)))


def _new_figure(height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(WIDTH_INCHES, height), layout="constrained")
    return figure, figure.add_subplot()


def _figure_svg(name: str, title: str, figure: Figure) -> Markup:
    """The markup that a page needs, its ids made the figure's own."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    drawn = file.getvalue()
    drawn = drawn[drawn.index("<svg") :]
    drawn = re.sub(r"\s*<metadata>.*?</metadata>", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r'\bid="', f'id="{name}-', drawn)
    drawn = re.sub(r"url\(#", f"url(#{name}-", drawn)
    drawn = re.sub(r'xlink:href="#', f'href="#{name}-', drawn)
    label = Markup('role="img" aria-label="{}"').format(title)
    return Markup(drawn.replace("<svg", f"<svg {label}", 1))
