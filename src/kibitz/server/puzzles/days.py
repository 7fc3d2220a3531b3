"""The puzzle of today, and streaks: days in a row on which somebody solved it.

A day is a date of UTC, so that it is the same puzzle for everybody, and without a network, too.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta

from kibitz.puzzles.puzzle import Puzzle, games_with_puzzles, puzzle_of_day
from kibitz.server import wall_clock


def today() -> date:
    return datetime.fromtimestamp(wall_clock.now(), UTC).date()


def todays_puzzle() -> tuple[str, Puzzle] | None:
    """The game and the puzzle; None where no game has any."""
    games = games_with_puzzles()
    return puzzle_of_day(today(), games) if games else None


def is_of_today(game: str, puzzle: Puzzle) -> bool:
    found = todays_puzzle()
    return found is not None and (found[0], found[1].id) == (game, puzzle.id)


def streak_length(days: Collection[str], now: date) -> int:
    """The days in a row, up to today or, while today's is not solved, to yesterday."""
    last = now if now.isoformat() in days else now - timedelta(days=1)
    length = 0
    while (last - timedelta(days=length)).isoformat() in days:
        length += 1
    return length
