"""What a picture of a position is: layers of SVG in one fixed order.

A drawing holds no colours, only the names of colours (`var(--ink)`), so a theme needs no
new drawing; `painted` writes them out for pictures that leave the page. It has no `style`
attributes and no script. Places a finger can touch are in the last layer, with `data-el`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

from kibitz.core.colours import THEMES
from kibitz.core.message import Say

LAYERS = (
    "ground",
    "grid",
    "homes",
    "last",
    "dome",
    "hints",
    "under",
    "pieces",
    "targets",
    "best",
    "refuse",
    "ball",
    "labels",
    "hit",
)
"""From the ground up. `under` is for targets below the pieces; the page draws hints and targets."""


@dataclass(frozen=True, slots=True)
class Look:
    """How somebody wants a position drawn."""

    say: Say
    is_tall: bool = False
    """For a phone held upright."""
    has_labels: bool = True
    """Names of files and ranks."""
    prefix: str = ""
    """Put before ids, where several drawings share a page."""
    is_coarse: bool = False
    """In rows and columns of equal cells where that helps, as for characters."""
    near: str = ""
    """The seat of whoever looks, where it matters what is nearest."""


@dataclass(frozen=True, slots=True)
class Drawing:
    view_box: str
    title: str
    layers: Mapping[str, str]
    """Markup by the name of its layer."""
    static_layers: frozenset[str]
    """The layers that stay the same for a whole match under one look."""
    role: str = "grid"
    """A grid is one of places to touch, in rows of cells; pieces are beside it."""
    prefix: str = ""


def svg(drawing: Drawing, paper: bool = False) -> str:
    """The whole drawing as one SVG element; on paper, where no page is behind it."""
    title = escape(drawing.title, quote=True)
    role, grid = drawing.role, ""
    if role == "grid":
        role, grid = "group", f' role="grid" aria-label="{title}"'
    layers = "".join(
        f'<g class="l-{name}"{grid if name == "hit" else ""}>{drawing.layers.get(name, "")}</g>'
        for name in LAYERS
    )
    if paper:
        x, y, width, height = drawing.view_box.split()
        box = f'x="{x}" y="{y}" width="{width}" height="{height}"'
        layers = f'<rect {box} fill="var(--paper)"/>{layers}'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="{drawing.view_box}"'
        f' role="{role}" aria-label="{title}"><title>{title}</title>{layers}</svg>'
    )


def with_theme_colours(markup: str, theme: str) -> str:
    """The same SVG with its colours written out."""
    colours = THEMES[theme]
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], markup)
