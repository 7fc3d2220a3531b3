"""The measured ratings of the levels, by game, as docs/strength.md has them.

`tools/level_ratings.py` writes the file; ratings compare only the bots of one game.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

RATINGS_FILE = Path(__file__).with_name("ratings.json")


class MeasuredRating(NamedTuple):
    rating: float
    sure: float
    """The truth is within that, with 95 % certainty."""


def measured_rating(game: str, level: str) -> MeasuredRating | None:
    """None where a level was not measured."""
    found = _read_ratings().get(game, {}).get(level)
    return MeasuredRating(*found) if found else None


@cache
def _read_ratings() -> dict[str, dict[str, tuple[float, float]]]:
    found: dict[str, dict[str, tuple[float, float]]] = json.loads(RATINGS_FILE.read_text("utf-8"))
    return found
