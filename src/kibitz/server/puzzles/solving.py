"""A puzzle on a board: an answer played out, the places of a hint, the line with sentences."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.core.message import Refused, message
from kibitz.puzzles.puzzle import Collection, Puzzle
from kibitz.server.analysis.board import Line, line_after, open_line
from kibitz.server.phrases import event_text
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.viewers import phrases_at


def puzzle_line(collection: Collection, puzzle: Puzzle) -> Line:
    """The line on a board that begins where the puzzle does."""
    return Line(collection.game, dict(collection.options), puzzle.start, seat=puzzle.seat)


def is_right(collection: Collection, puzzle: Puzzle, actions: Sequence[str]) -> bool:
    """True if these actions are the one to find, however it is spelled; raises Refused where the
    rules do not allow them."""
    live = open_line(puzzle_line(collection, puzzle))
    for n, text in enumerate(actions):
        live = line_after(live, text, n)
    return _played_texts(live) == [puzzle.solution]


def _played_texts(live: LiveTable) -> list[str]:
    write = live.game.notation.write_action
    return [write(played.step.action) for played in live.table.history]


def solution_path(collection: Collection, puzzle: Puzzle) -> tuple[str, ...]:
    """The places to choose for the solution, in order, on the shortest way there."""
    table = open_line(puzzle_line(collection, puzzle)).table
    ways = [
        offer.path for offer in table.offers(puzzle.seat) if offer.actions == (puzzle.solution,)
    ]
    if not ways:
        raise Refused(message("server.no-hint"))
    return min(ways, key=len)


def told_line(collection: Collection, puzzle: Puzzle, language: str) -> list[str]:
    """The solution and how it goes on, a sentence or two for each action."""
    live = open_line(puzzle_line(collection, puzzle))
    for n, text in enumerate((puzzle.solution, *puzzle.then)):
        live = line_after(live, text, n)
    say = phrases_at(live, language)
    return [event_text(each.step.events, each.actor, say) for each in live.table.history]
