"""What has to be told apart by colour can be: measured as WCAG does it, in both themes."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from kibitz.core.colours import THEMES

TEXT, GRAPHIC = 4.5, 3.0
READ = {
    "ink": ("paper", "card", "sunk"),
    "ink-2": ("paper", "card", "sunk"),
    "ink-3": ("card",),
    "on-accent": ("accent",),
    "accent": ("paper", "card"),
    "accent-2": ("accent-soft", "card"),
    "spark-ink": ("spark-soft",),
    "ok": ("ok-soft", "card"),
    "bad": ("bad-soft", "card"),
    "R-deep": ("card", "R-soft"),
    "B-deep": ("card", "B-soft"),
    "Y-deep": ("card", "Y-soft"),
    "G-deep": ("card", "G-soft"),
    "felt-ink": ("felt", "felt-2"),
    "felt-ink-2": ("felt",),
    "KB-3": ("KB",),
}
"""What is written in a colour, and what it is written on."""
SEEN = {
    "line-2": ("paper", "card"),
    "mark": ("mark-halo",),
    "plate": ("felt", "hole"),
    "KA": ("KB",),
}
"""What has to be seen for what it is, and beside what."""
SPARK_TEXT = "#251B35"
"""On the orange of the sentence it is dark in both themes."""


@pytest.mark.parametrize("theme", THEMES)
def test_what_is_to_be_read_can_be_read(theme: str) -> None:
    faint = too_faint(THEMES[theme], READ, TEXT)
    assert not faint
    assert contrast(SPARK_TEXT, THEMES[theme]["spark"]) >= TEXT


@pytest.mark.parametrize("theme", THEMES)
def test_what_is_to_be_seen_can_be_seen(theme: str) -> None:
    assert not too_faint(THEMES[theme], SEEN, GRAPHIC)


def test_both_themes_have_the_same_names() -> None:
    light, dark = THEMES["light"], THEMES["dark"]
    assert light.keys() == dark.keys()


def test_contrast_is_measured_as_everybody_does_it() -> None:
    assert contrast("#000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#767676", "#fff") == pytest.approx(4.54, abs=0.01)


def too_faint(
    colours: Mapping[str, str], pairs: Mapping[str, tuple[str, ...]], least: float
) -> dict[tuple[str, str], float]:
    found = {
        (front, back): contrast(colours[front], colours[back])
        for front, backs in pairs.items()
        for back in backs
    }
    return {pair: round(ratio, 2) for pair, ratio in found.items() if ratio < least}


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    digits = colour.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    red, green, blue = (linear(int(digits[i : i + 2], 16) / 255) for i in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
