"""Making a game's puzzles, and proving them again.

Puzzles come from matches of a bot with itself, numbered by seed, so that the same seeds give the
same puzzles. The file is written whole after each seed: whoever stops goes on there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from kibitz.core.message import Refused, message
from kibitz.games import GAMES
from kibitz.puzzles.puzzle import Collection, Puzzle, read_collection, write_collection

PART = "puzzles"
"""The name of a game's module here in its extras."""


def maker_of(game: str) -> Any:
    """The module that knows how puzzles of a game are made and proved."""
    name = GAMES[game].extras.get(PART)
    if not name:
        raise Refused(message("puzzles.no-maker", game=game))
    return import_module(name)


def make_puzzles(
    game: str,
    count: int,
    file: Path,
    first_seed: int = 0,
    on_progress: Callable[[Collection], None] = lambda made: None,
) -> Collection:
    """Add puzzles to a file until it has so many; a new file begins at the first seed."""
    maker = maker_of(game)
    made = Collection(game, maker.RULE, maker.OPTIONS, next_seed=first_seed)
    if file.exists():
        made = read_collection(game, file.read_text("utf-8"))
    while len(made.puzzles) < count:
        made = with_seed(made, maker)
        write_whole(file, write_collection(made))
        on_progress(made)
    return made


def with_seed(made: Collection, maker: Any) -> Collection:
    """The collection with the puzzles of its next seed."""
    rules = made.rules()
    known, found = {each.id for each in made.puzzles}, list[Puzzle]()
    for puzzle in maker.puzzles_of_match(rules, made.next_seed):
        if puzzle.id not in known:
            known.add(puzzle.id)
            found.append(puzzle)
    return replace(made, puzzles=(*made.puzzles, *found), next_seed=made.next_seed + 1)


def write_whole(file: Path, text: str) -> None:
    """Write a file so that nobody ever reads half of it."""
    beside = file.with_name(f"{file.name}.partial")
    beside.write_text(text, "utf-8")
    beside.replace(file)


def unproved_puzzles(collection: Collection) -> Iterator[tuple[Puzzle, bool]]:
    """Each puzzle with whether its position, proved anew, does not give just this puzzle."""
    maker, rules = maker_of(collection.game), collection.rules()
    for puzzle in collection.puzzles:
        yield puzzle, maker.puzzle_at(rules, rules.notation.read_state(puzzle.start)) != puzzle
