"""Writes the measured ratings of the levels, from docs/strength.md, to the file that pages read.

.venv/bin/python tools/level_ratings.py         # or to another file that is named here
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from kibitz.bots.ratings import RATINGS_FILE
from kibitz.games import GAMES

PAGE = Path(__file__).parents[1] / "docs" / "strength.md"
TITLES = {"Kahmaté": "kahmate", "Kalamala": "kalamala", "AS-Kimble": "as-kimble"}
ROW = re.compile(r"^\| `(level-\d)(?:@\w+)?` \| (-?[\d.]+) ± ([\d.]+) \|", re.MULTILINE)
"""A bot with its rating and how sure that is, in the first table of a game."""


def page_ratings(page: str) -> Mapping[str, Mapping[str, tuple[float, float]]]:
    """The ratings on the page, by game and level, each with its two sigma."""
    found = {}
    for section in page.split("\n## ")[1:]:
        title = section.partition("\n")[0]
        rows = ROW.findall(section)
        found[TITLES[title]] = {
            level: (float(rating), float(sure)) for level, rating, sure in sorted(rows)
        }
    assert found.keys() <= GAMES.keys()
    return found


def ratings_text(page: str) -> str:
    """The content of the data file."""
    return json.dumps(page_ratings(page), indent=1) + "\n"


if __name__ == "__main__":
    file = Path(sys.argv[1]) if sys.argv[1:] else RATINGS_FILE
    file.write_text(ratings_text(PAGE.read_text("utf-8")), "utf-8")
