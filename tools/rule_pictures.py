"""The pictures of the rules pages as files, for the documentation site.

    .venv/bin/python tools/rule_pictures.py docs/rules

`make docs` writes them before it builds the site: into `pictures` beside each page, in the language
of the page and in both themes. The server draws them into its pages itself.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from kibitz.core.rule_pictures import draw_picture, read_pictures, themed_svg
from kibitz.games import GAMES
from kibitz.i18n import FALLBACK, LANGUAGES, name_in, say_in

IMAGE = re.compile(r"^!\[([^\]]*)\]\((pictures/[\w-]+\.svg)\)", re.M)


def pages(rules: Path) -> Iterator[tuple[str, str, Path]]:
    """Each rules page, with its game and its language."""
    for game in GAMES:
        for language in LANGUAGES:
            folder = rules if language == FALLBACK else rules / language
            yield game, language, folder / f"{game}.md"


def write_pictures(game: str, language: str, page: Path) -> None:
    rulebook = GAMES[game]
    assert rulebook.pictures
    pictures = read_pictures(rulebook.pictures.read_text("utf-8"))
    seats = rulebook.game({}).seats
    say = say_in(language, {seat: name_in(language, f"{game}.seat-{seat}") for seat in seats})
    (page.parent / "pictures").mkdir(exist_ok=True)
    for title, address in IMAGE.findall(page.read_text("utf-8")):
        id = Path(address).stem.removeprefix(f"{game}-")
        drawn = draw_picture(rulebook.game, pictures[id], say, title)
        (page.parent / address).write_text(themed_svg(drawn), "utf-8")


if __name__ == "__main__":
    for each in pages(Path(sys.argv[1])):
        write_pictures(*each)
