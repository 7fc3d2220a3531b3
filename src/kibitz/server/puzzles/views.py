"""A puzzle as it is shown to whoever is to solve it: without its solution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from kibitz.puzzles.puzzle import Collection, Puzzle
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.phrases import phrases_for


class PuzzleInfo(Struct):
    """A puzzle, without its solution."""

    game: str
    id: str
    url: str
    """Its page."""
    theme: str
    title: str
    """The theme in words."""
    task: str
    options: dict[str, Any]
    """The options of the game, and the position, for `POST /analysis`."""
    start: str
    seat: str
    """The side that is to find the action."""
    rating: int
    """Its difficulty as it was made, on the scale of players."""
    rule: str
    """The paragraph of the rules that it rests on."""


def puzzle_path(game: str, id: str) -> str:
    return f"/puzzles/{game}/{id}"


def puzzle_info(collection: Collection, puzzle: Puzzle, language: str) -> PuzzleInfo:
    game = collection.game
    say = phrases_for(language, game, collection.rules().seats)
    return PuzzleInfo(
        game=game,
        id=puzzle.id,
        url=prefixed_path(puzzle_path(game, puzzle.id)),
        theme=puzzle.theme,
        title=say(collection.title(puzzle.theme)),
        task=say(collection.task(puzzle)),
        options=dict(collection.options),
        start=puzzle.start,
        seat=puzzle.seat,
        rating=puzzle.rating,
        rule=collection.rule,
    )


def step_data(collection: Collection, puzzle: Puzzle, language: str) -> Mapping[str, Any]:
    """The puzzle as a step of a tutorial, of which the page does not know what solves it."""
    shown = puzzle_info(collection, puzzle, language)
    return {
        "id": shown.id,
        "title": shown.title,
        "task": shown.task,
        "seat": shown.seat,
        "start": shown.start,
        "before": [],
        "goes_on": False,
        "rule": shown.rule,
        "rule_url": prefixed_path(f"/rules/{shown.game}#{shown.rule}"),
    }
