"""The ratings that pages show are those of docs/strength.md."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.bots.ratings import RATINGS_FILE, measured_rating
from kibitz.games import GAMES

TOOL = Path(__file__).parents[2] / "tools" / "level_ratings.py"


def test_the_ratings_are_those_that_were_measured(tmp_path: Path) -> None:
    """Else run `tools/level_ratings.py`."""
    made = tmp_path / "ratings.json"
    subprocess.run([sys.executable, TOOL, made], check=True)
    assert RATINGS_FILE.read_text("utf-8") == made.read_text("utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_each_level_that_was_measured_is_rated_above_the_one_below(game: str) -> None:
    found = [measured_rating(game, f"level-{n}") for n in range(1, 6)]
    ratings = [each.rating for each in found if each]
    assert len(ratings) == 5
    assert ratings == sorted(ratings)
    assert measured_rating(game, "level-7") is None
