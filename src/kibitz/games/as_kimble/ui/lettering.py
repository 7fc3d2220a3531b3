"""Writing on the drawing, kept within the room there is for it."""

from __future__ import annotations

from functools import lru_cache
from html import escape

NARROW_LETTERS, BROAD_LETTERS = "fijlrtI.,:;!|'()[]1 ", "mwMWQO@%…"
MIN_SHRINK = 0.84
"""The least size of letters, as a share, before words are cut."""


@lru_cache(maxsize=1 << 10)
def text_width(text: str, size: float) -> float:
    """About how wide a text is: letters have widths of their own, which are not known here."""
    narrow = sum(letter in NARROW_LETTERS for letter in text)
    broad = sum(letter in BROAD_LETTERS for letter in text)
    return size * (0.58 * len(text) - 0.24 * narrow + 0.28 * broad)


def fit_text(text: str, size: float, room: float) -> tuple[str, float]:
    """A text and its size in so much room: smaller where it must be, then cut."""
    if (wide := text_width(text, size)) <= room:
        return text, size
    size *= max(MIN_SHRINK, room / wide)
    if text_width(text, size) <= room * 1.001:
        return text, size
    while len(text) > 1 and text_width(text + "…", size) > room:
        text = text[:-1].rstrip()
    return text + "…", size


@lru_cache(maxsize=1 << 10)
@lru_cache(maxsize=1 << 10)
def text_markup(
    text: str,
    x: float,
    y: float,
    size: float,
    ink: str,
    *,
    room: float = 1000,
    weight: int = 600,
    anchor: str = "start",
    after: tuple[str, str] = ("", ""),
) -> str:
    """By the left end of its line, or by its middle; lighter words may follow in another ink."""
    text, size = fit_text(text, size, room)
    at = f'x="{x:g}" y="{y:g}"' + ("" if anchor == "start" else f' text-anchor="{anchor}"')
    words, light = after
    tail = (
        f'<tspan font-weight="600" fill="var(--{light})"> {escape(words)}</tspan>' if words else ""
    )
    return (
        f'<text {at} font-size="{size:.3g}" font-weight="{weight}" fill="var(--{ink})">'
        f"{escape(text)}{tail}</text>"
    )
