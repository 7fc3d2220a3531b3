"""Static files and templates: ours, and those that come with a game.

A game on the shelf may bring pages of its own. Its folders lie behind ours as if they were one, so
a script of a game and one of ours reach each other by relative addresses; no two folders hold the
same path.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from posixpath import dirname, join, normpath

import kibitz
from kibitz.games import GAMES

WEB_FOLDER = Path(kibitz.__file__).parent / "web"


def static_folders() -> tuple[Path, ...]:
    """The folders that are served together below `/static`."""
    return (WEB_FOLDER / "static", *(each.web for each in GAMES.values() if each.web))


def template_folders() -> tuple[Path, ...]:
    """The folders in which a page's template is looked for."""
    theirs = [each.templates for each in GAMES.values() if each.templates]
    return (WEB_FOLDER / "templates", *theirs)


def static_file(path: str) -> Path | None:
    """The file at an address below `/static`; None where there is none."""
    for folder in static_folders():
        file = (folder / path.lstrip("/")).resolve()
        try:
            if file.is_relative_to(folder.resolve()) and file.is_file():
                return file
        except OSError:  # a name too long for any file
            return None
    return None


@lru_cache
def script_modules(script: str) -> tuple[str, ...]:
    """All that a script imports, and what that imports: paths below `/static`, as its own."""
    found: set[str] = set()
    left = [script]
    while left:
        here = left.pop()
        file = static_file(here)
        assert file is not None, here
        imported = re.findall(
            r'^(?:import|export) (?:.* from )?"(\.{1,2}/[\w./]+)"', file.read_text("utf-8"), re.M
        )
        new = {normpath(join(dirname(here), each)) for each in imported} - found
        found |= new
        left += new
    return tuple(sorted(found))
