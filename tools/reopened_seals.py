"""Play matches that end, are corrected, go on and are restored, and try to predict their draws.

    .venv/bin/python tools/reopened_seals.py            20 matches of each game with sealed dice
    .venv/bin/python tools/reopened_seals.py 100

Every draw after a reopening is guessed from every seed that was published before it, and from what
was drawn in the time that a restored backup has undone. The exit status is 1 if a draw was made
from a published seed, if guesses were better than luck, or if `kibitz verify` refused a record.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.reopened_seals import play_reopened


def main() -> int:
    parser = argparse.ArgumentParser(description="try to predict the dice of reopened matches")
    parser.add_argument("matches", type=int, nargs="?", default=20, help="of each game")
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        games = play_reopened(Path(folder), asked.matches, say=print)
    for game, found in games.items():
        print(
            f"{game}: draws {found.draws}, from a published seed {found.published_seeds};"
            f" guesses {found.guesses}, right {found.right}, by luck {found.lucky:.0f};"
            f" records {found.records}, refused {len(found.refused)}"
        )
    return 0 if all(found.is_well for found in games.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
