"""The looks, sizes and outlines of marks, once for the page and for pictures.

Both build their elements from these tables: `marks` here, `web/static/board/marks.js` from the
same as JSON. So a mark that is changed here changes on the page, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from kibitz.core.drawing import FONT_FAMILY

Look: TypeAlias = Mapping[str, str | float]
"""Attributes of an element. `width` is a stroke's, as a share of the size of the place."""

MARK, HALO, WARN, BAD, LAST = (
    f"var(--{name})" for name in ("mark", "mark-halo", "warn", "bad", "last")
)


def _line(stroke: str, width: float, **more: str) -> Look:
    others = {name.replace("_", "-"): value for name, value in more.items()}
    return {"fill": "none", "stroke": stroke, "stroke-width": width, **others}


def _disc(fill: str, stroke: str, width: float) -> Look:
    return {"fill": fill, "stroke": stroke, "stroke-width": width}


DASHES = "9 5.4"
LOOKS: Mapping[str, tuple[Look, ...]] = {
    "target": (_line(HALO, 6), _line(MARK, 3, stroke_dasharray=DASHES)),
    "target-box": (_line(HALO, 5), _line(MARK, 3, stroke_dasharray=DASHES)),
    "free": (_disc(HALO, MARK, 3),),
    "selection": (_line(HALO, 7), _line(MARK, 4)),
    "beam": (_line(HALO, 13, opacity=".75"), _line(MARK, 3, stroke_dasharray="2 8")),
    "beam-chosen": (_line(HALO, 13, opacity=".75"), _line(MARK, 5)),
    "anchor": (
        {"fill": "none", "stroke": HALO, "width": 1.06},
        {"fill": "none", "stroke": MARK, "width": 0.96},
        {"stroke": "var(--accent-soft)", "width": 0.8},
    ),
    "way": (_line(HALO, 9), _line(MARK, 4.5)),
    "pass": (_line(HALO, 8), _line(MARK, 4, stroke_dasharray="10 6")),
    "risk": (_line(HALO, 8), _line(WARN, 4, stroke_dasharray="3 7")),
    "area": (_disc("url(#stripes)", MARK, 2),),
    "attack": (_line(HALO, 8), _line(MARK, 4)),
    "badge": (_disc(MARK, HALO, 2),),
    "icon": (_line(HALO, 3, stroke_linecap="round", stroke_linejoin="round"),),
    "arrow": ({**_disc(MARK, HALO, 3), "stroke-linejoin": "round"},),
    "exit": ({**_disc(MARK, HALO, 2.5), "stroke-linejoin": "round"},),
    "warning": ({**_disc(WARN, HALO, 2), "stroke-linejoin": "round"},),
    "warning-sign": ({"stroke": HALO, "stroke-width": 2.4, "stroke-linecap": "round"},),
    "push": (_disc(MARK, HALO, 2.5),),
    "pull": (_disc(HALO, MARK, 3.5),),
    "count": (_disc(HALO, MARK, 3),),
    "advice": (_line(HALO, 11, opacity=".85"), _line(MARK, 6)),
    "advice-head": ({**_disc(MARK, HALO, 3), "stroke-linejoin": "round"},),
    "last": ({"fill": LAST, "opacity": ".8"},),
    "last-ring": ({"fill": "none", "stroke": LAST, "width": 0.1},),
    "last-way": ({"fill": "none", "stroke": LAST, "width": 0.16, "opacity": ".9"},),
    "last-beam": ({"fill": "none", "stroke": LAST, "width": 0.1, "opacity": ".9"},),
    "last-anchor": ({"fill": "none", "stroke": LAST, "width": 0.94, "opacity": ".8"},),
    "refused": (_line(HALO, 7), _line(BAD, 4)),
    "reason": (_line(HALO, 7), _line(BAD, 4, stroke_dasharray="6 5")),
    "cross": (_disc("var(--card)", BAD, 3),),
    "cross-arms": (_line(BAD, 4, stroke_linecap="round"),),
    "tag": (_disc("var(--ink)", "var(--paper)", 2),),
}
"""By what they are for. Each part is drawn over the one before: the halo shows on any ground."""
SIZES = {
    "target": 0.48,
    "target-box": 0.98,
    "free": 0.15,
    "selection-box": 0.96,
    "last-box": 0.94,
    "last-corner": 0.18,
    "last-ring": 0.46,
    "attack-far": 0.54,
    "attack-arm": 0.27,
    "attack-badge": 0.46,
    "attack-badge-at": 0.375,
    "advice-head": 0.42,
    "badge": 0.4,
    "badge-at": 0.355,
    "icon": 0.68,
    "push": 0.3,
    "pull": 0.2,
    "labelled": 0.28,
    "count": 0.22,
    "count-none": 0.18,
    "count-text": 1.25,
    "baseline": 0.36,
}
"""As shares of the size of a place, or of the badge, disc or letter that they are a part of."""
UNITS = {
    "square": 48,
    "box-corner": 13,
    "area-inset": 2,
    "area-corner": 9,
    "text": 14,
    "exit": 16,
    "cross": 8,
    "tag": 11,
}
"""Lengths: outlines are drawn for places as large as `square`."""
OUTLINES = {
    "arrow": "M-13-6H0V-13L15 0L0 13V6H-13Z",
    "exit": "M-16-15H2L16 0L2 15H-16Z",
    "warning": "M0-10L10.5 8.5H-10.5Z",
    "warning-sign": "M0-3.5V2.5M0 5.6V5.7",
}
ICONS = {
    "tackle": "M3 12h7M21 12h-7M8 8l3 4-3 4M16 8l-3 4 3 4",
    "force": "M3 12h12M11 6l6 6-6 6M21 4v16",
    "pass": "M20 18C18 9 12 6 5 7M10 3L4.5 7 10 12",
    "kick": "M3 19c5 0 7-12 18-13M15 4l6 2-3.5 5",
    "act": "M4 12h14M12 6l6 6-6 6",
}
"""24 by 24, and `act` for all others."""
LABELLED_KINDS = ("push", "pull", "off", "dot")
KINDS_INSTEAD_OF_RING = (*LABELLED_KINDS, "attack", "area", "quiet")
"""The shape in place of the ring or disc by which a place shows that it may be chosen."""
STRIPES = (
    '<pattern id="stripes" width="8" height="8" patternUnits="userSpaceOnUse"'
    f' patternTransform="rotate(45)"><rect width="8" height="8" fill="{HALO}" opacity=".35"/>'
    f'<rect width="3" height="8" fill="{MARK}" opacity=".75"/></pattern>'
)
"""The fill of an area."""
MARK_SHAPES = {
    "looks": LOOKS,
    "sizes": SIZES,
    "units": UNITS,
    "outlines": OUTLINES,
    "labelled": LABELLED_KINDS,
    "insteadOfRing": KINDS_INSTEAD_OF_RING,
    "stripes": STRIPES,
    "font": FONT_FAMILY,
}
"""All that the page needs, as JSON; the icons are in it already."""
