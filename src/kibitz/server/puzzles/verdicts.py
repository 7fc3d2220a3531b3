"""Verdicts: what an answer or a hint changes, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from kibitz.puzzles.puzzle import Collection, Puzzle
from kibitz.server import wall_clock
from kibitz.server.db.queries.puzzles import (
    PuzzleAnswer,
    days_solved_by,
    made_rating,
    ratings_after_answer,
    write_answer,
)
from kibitz.server.db.queries.ratings import Rating, RatingChange
from kibitz.server.db.store import Store
from kibitz.server.phrases import phrases_for
from kibitz.server.puzzles.days import is_of_today, streak_length, today
from kibitz.server.puzzles.solving import told_line
from kibitz.table.seating import Member


class GuestRating(Struct):
    """The rating that a guest's device keeps."""

    mu: Annotated[float, Meta(ge=-1000, le=1000)] = Rating().mu
    sigma: Annotated[float, Meta(gt=0, le=100)] = Rating().sigma
    matches: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class NewRating(GuestRating):
    """A rating after an answer."""

    points: int = 0
    """As it is shown."""
    change: int = 0
    """By how many points this answer changed it."""


class Explanation(Struct):
    """The solution of a puzzle, once it is solved or given up."""

    solution: str
    then: list[str]
    """The line after it, both sides at their best."""
    why: str
    told: list[str]
    """Both as sentences, an action each."""


class Verdict(Struct):
    """The answer to an answer, a hint or giving up."""

    is_right: bool
    explanation: Explanation | None = None
    rating: NewRating | None = None
    """After a first answer; later ones change nothing."""
    streak: int | None = None
    """Days in a row, for those with an account who solved the puzzle of today."""


def explanation_of(collection: Collection, puzzle: Puzzle, language: str) -> Explanation:
    say = phrases_for(language, collection.game, collection.rules().seats)
    return Explanation(
        solution=puzzle.solution,
        then=list(puzzle.then),
        why=say(collection.why(puzzle)),
        told=told_line(collection, puzzle, language),
    )


async def rate_answer(
    store: Store,
    member: Member,
    game: str,
    puzzle: Puzzle,
    is_right: bool,
    kept: GuestRating | None,
) -> tuple[NewRating | None, int | None]:
    """The rating after a first answer and the streak, written down for whoever has an account;
    `kept` is the rating that a guest wants changed."""
    now, is_todays = today(), is_of_today(game, puzzle)
    day = now.isoformat() if is_todays else None
    answer = PuzzleAnswer(member, game, puzzle.id, puzzle.rating, is_right, day, wall_clock.now())
    has_account, change = await write_answer(store, answer)
    streak = None
    if has_account and is_right and is_todays:
        streak = streak_length(await days_solved_by(store, member), now)
    if not has_account and kept is not None:
        before = Rating(kept.mu, kept.sigma, kept.matches)
        after, _ = ratings_after_answer(before, made_rating(puzzle.rating), is_right)
        change = RatingChange(before, after)
    return new_rating(change) if change else None, streak


def new_rating(change: RatingChange) -> NewRating:
    after = change.after
    return NewRating(after.mu, after.sigma, after.matches, after.points, change.points)


def hint_places(path: Sequence[str], step: int) -> list[str]:
    """The places of a hint: first the piece, then all of the way."""
    return list(path[:step] if step < 2 else path)
