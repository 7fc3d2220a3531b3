"""The pictures an installed Kibitz goes by, drawn from its mark: `.venv/bin/python tools/icons.py`.

Run it after a change of `favicon.svg`, and commit what it writes.
"""

from __future__ import annotations

import re
from pathlib import Path

from resvg_py import svg_to_bytes

from kibitz.core.colours import LIGHT
from kibitz.server.static_files import WEB_FOLDER

FOLDER = WEB_FOLDER / "static" / "icons"
MARK_SIDE_UNITS = 48
"""The side of the mark's own square."""
ICONS = {
    "icon-192.png": (192, 1.0, False),
    "icon-512.png": (512, 1.0, False),
    "icon-maskable-512.png": (512, 0.72, True),
    "icon-apple-180.png": (180, 0.82, True),
}
"""The side, how much of it the mark takes, and whether paper fills the rest.

A launcher may cut a maskable icon to a circle four fifths as wide; iOS paints what is
transparent black.
"""


def main() -> None:
    for name, (side, share, on_paper) in ICONS.items():
        picture = bytes(svg_to_bytes(svg_string=icon_svg(share, on_paper), width=side, height=side))
        (FOLDER / name).write_bytes(picture)
        print(f"{name}: {len(picture)} bytes")


def icon_svg(share: float, on_paper: bool) -> str:
    edge = MARK_SIDE_UNITS * (1 / share - 1) / 2
    whole = MARK_SIDE_UNITS + 2 * edge
    paper = f'<rect width="{whole}" height="{whole}" fill="{LIGHT["paper"]}"/>' if on_paper else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}">'
        f'{paper}<g transform="translate({edge} {edge})">'
        f"{_mark_svg(FOLDER / 'favicon.svg')}</g></svg>"
    )


def _mark_svg(file: Path) -> str:
    found = re.search(r"<svg[^>]*>(.*)</svg>", file.read_text(), re.DOTALL)
    assert found, "the mark is an SVG"
    return found[1]


if __name__ == "__main__":
    main()
