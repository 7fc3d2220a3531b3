"""SVG to look at only: without names for screen readers, without classes, without what lies beyond
its edges, and with no id or definition that nothing refers to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from kibitz.core.drawing import Box, Point

REACH = 60
"""No piece, square or letter is larger: one that begins farther away cannot be seen."""
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_PLACED = re.compile(r"translate\((\S+) (\S+)\)$")
_BOARD_ONLY = ("class", "role", "aria-label", "aria-labelledby", "aria-hidden", "pointer-events")


class SlimSvg:
    """Slims drawings that stand together: what one of them defines, those after it use."""

    def __init__(self) -> None:
        self._defined: dict[str, str] = {}

    def slim_markup(self, markup: str, area: Box) -> str:
        """The same elements as far as they are in this area; `markup` has none around them.

        Raises ValueError where two drawings define one id in two ways.
        """
        root = ElementTree.fromstring(f"<svg>{markup}</svg>")
        _drop_hidden(root, area)
        for element in root.iter():
            for name in _BOARD_ONLY:
                element.attrib.pop(name, None)
        while _drop_unused(root):
            pass
        self._drop_defined(root)
        return "".join(map(_write, root))

    def _drop_defined(self, root: Element) -> None:
        for parent in [*root.iter("defs")]:
            for child in [*parent]:
                id, markup = child.attrib["id"], _write(child)
                if id not in self._defined:
                    self._defined[id] = markup
                elif self._defined[id] == markup:
                    parent.remove(child)
                else:
                    raise ValueError(f"{id} is defined in two ways")
        _drop_unused(root)


def _write(element: Element) -> str:
    return ElementTree.tostring(element, encoding="unicode")


def _drop_hidden(parent: Element, area: Box) -> None:
    """Takes away what is placed beyond the area; inside of what is moved, nobody looks."""
    seen = Box(area.x - REACH, area.y - REACH, area.width + 2 * REACH, area.height + 2 * REACH)
    for child in [*parent]:
        at = _place_of(child)
        if at and not seen.contains(at):
            parent.remove(child)
        elif child.tag == "g" and not child.get("transform"):
            _drop_hidden(child, area)


def _place_of(element: Element) -> Point | None:
    """Where an element is that is small; None for all others."""
    if placed := _PLACED.match(element.get("transform", "")):
        return float(placed[1]), float(placed[2])
    if element.tag in ("use", "text") and "x" in element.attrib and not element.get("transform"):
        return float(element.attrib["x"]), float(element.attrib["y"])
    return None


def _drop_unused(root: Element) -> bool:
    """Takes away unused definitions, and groups without anything in them; True if there were."""
    used, dropped = {*_references(root)}, False
    for parent in [*root.iter()]:
        for child in [*parent]:
            is_unused = parent.tag == "defs" and child.get("id") not in used
            is_bare = child.tag in ("g", "defs") and not len(child)
            if is_unused or is_bare:
                parent.remove(child)
                dropped = True
    for element in root.iter():
        if element.get("id") not in used:
            element.attrib.pop("id", None)
    return dropped


def _references(root: Element) -> Iterator[str]:
    for element in root.iter():
        for name, value in element.attrib.items():
            if name == "href":
                yield value.removeprefix("#")
            yield from _REFERENCE.findall(value)
