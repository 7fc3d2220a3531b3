"""A puzzle, a game's collection of them, and the puzzle of a day.

A collection is a text file. Its first line is JSON: the options of the game, the paragraph of the
rules that puzzles rest on, and the seed to go on with. Each further line is a puzzle, with tabs
between its fields:

    id theme seat rating start solution then figures

`solution` is the one action to find, and `then` how it goes on, as a record spells them; `figures`
are the numbers that prove it. Several of them have semicolons in between.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from kibitz.core.game import Game, Seat
from kibitz.core.message import Message, Refused, fixed_decimal, message
from kibitz.core.tutorial import Lesson
from kibitz.core.values import FrozenValue
from kibitz.games import GAMES

DATA = Path(__file__).parent / "data"
ID_BYTES = 4
FIRST_DAY = date(2026, 1, 1)
"""Days of puzzles are counted from here."""


class Puzzle(FrozenValue, frozen=True):
    """A position and the one action to find there."""

    id: str
    theme: str
    seat: Seat
    rating: int
    """Its difficulty as it was made, on the scale of players."""
    start: str
    solution: str
    then: tuple[str, ...] = ()
    """The line after it, both sides at their best."""
    figures: tuple[str, ...] = ()
    """Decimal numbers: what the solution brings and, where that is compared, the next best."""

    @property
    def values(self) -> dict[str, Any]:
        """The figures as values of a message."""
        digits = (len(each.partition(".")[2]) for each in self.figures)
        numbers = (
            fixed_decimal(float(each), n) for each, n in zip(self.figures, digits, strict=True)
        )
        return dict(zip(("best", "second"), numbers, strict=False))


class Collection(FrozenValue, frozen=True):
    """The puzzles of a game, in the order in which they were made."""

    game: str
    rule: str
    """The paragraph of the rules that they rest on."""
    options: Mapping[str, Any]
    puzzles: tuple[Puzzle, ...] = ()
    next_seed: int = 0

    def rules(self) -> Game[Any, Any, Any]:
        return GAMES[self.game].game(self.options)

    def lesson(self, puzzle: Puzzle) -> Lesson:
        """A puzzle as a step of a tutorial."""
        solves = (re.compile(re.escape(puzzle.solution)),)
        start, then = puzzle.start, puzzle.then
        return Lesson(
            id=puzzle.id, seat=puzzle.seat, solves=solves, rule=self.rule, start=start, then=then
        )

    @property
    def themes(self) -> dict[str, int]:
        """The number of puzzles of each theme."""
        return dict(sorted(Counter(each.theme for each in self.puzzles).items()))

    def title(self, theme: str) -> Message:
        return message(f"{self.game}.puzzle-theme-{theme}")

    def task(self, puzzle: Puzzle) -> Message:
        return message(f"{self.game}.puzzle-task", self.rule, **puzzle.values)

    def why(self, puzzle: Puzzle) -> Message:
        """The message that says why there is nothing as good."""
        return message(f"{self.game}.puzzle-why", self.rule, **puzzle.values)


def puzzle_id(start: str) -> str:
    """The id of the puzzle at a position: the same wherever it is made."""
    return blake2b(start.encode(), digest_size=ID_BYTES).hexdigest()


# Files


def collection_file(game: str) -> Path:
    return DATA / f"{game}.tsv"


def write_collection(collection: Collection) -> str:
    """A collection as the text of its file."""
    head = {
        "options": collection.options,
        "rule": collection.rule,
        "next_seed": collection.next_seed,
    }
    lines = [json.dumps(head), *map(_puzzle_line, collection.puzzles)]
    return "".join(f"{line}\n" for line in lines)


def _puzzle_line(puzzle: Puzzle) -> str:
    fields = (puzzle.id, puzzle.theme, puzzle.seat, str(puzzle.rating), puzzle.start)
    return "\t".join((*fields, puzzle.solution, ";".join(puzzle.then), ";".join(puzzle.figures)))


def read_collection(game: str, text: str) -> Collection:
    """A collection from the text of its file; raises Refused with the number of a bad line."""
    number = 1
    try:
        first, *lines = text.splitlines()
        head = json.loads(first)
        puzzles = list[Puzzle]()
        for line in lines:
            number += 1
            puzzles.append(_read_puzzle(line))
        options, rule, seed = dict(head["options"]), str(head["rule"]), int(head["next_seed"])
        return Collection(game, rule, options, tuple(puzzles), seed)
    except (ValueError, KeyError, TypeError):
        raise Refused(message("puzzles.bad-line", number=number)) from None


def _read_puzzle(line: str) -> Puzzle:
    id, theme, seat, rating, start, solution, then, figures = line.split("\t")
    return Puzzle(
        id, theme, seat, int(rating), start, solution, _read_list(then), _read_list(figures)
    )


def _read_list(text: str) -> tuple[str, ...]:
    return tuple(text.split(";")) if text else ()


# What comes with Kibitz


@lru_cache
def collection_of(game: str) -> Collection | None:
    """The collection that comes with Kibitz; None where a game has none."""
    file = collection_file(game)
    if game not in GAMES or not file.exists():
        return None
    return read_collection(game, file.read_text("utf-8"))


def games_with_puzzles() -> list[str]:
    return [game for game in GAMES if (found := collection_of(game)) and found.puzzles]


@lru_cache
def _by_id(game: str) -> dict[str, Puzzle]:
    found = collection_of(game)
    return {each.id: each for each in found.puzzles} if found else {}


def find_puzzle(game: str, id: str) -> Puzzle | None:
    return _by_id(game).get(id)


def puzzle_of_day(day: date, games: Sequence[str]) -> tuple[str, Puzzle]:
    """The game and the puzzle of a day: games take turns, and each goes through its collection."""
    number = (day - FIRST_DAY).days
    game = games[number % len(games)]
    found = collection_of(game)
    assert found
    return game, found.puzzles[number // len(games) % len(found.puzzles)]
