"""Puzzles that people with an account have tried, their ratings and those of the puzzles.

A first answer is a match between whoever gives it and the puzzle, rated once (queries/ratings.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import sqlalchemy as sql

from kibitz.server.db.engine import dialect_insert
from kibitz.server.db.queries.ratings import (
    MODEL,
    NEWCOMER_POINTS,
    POINTS_PER_MU,
    Rating,
    RatingChange,
    ratings_after,
)
from kibitz.server.db.schema import ACCOUNT, PUZZLE_ATTEMPT, PUZZLE_RATING, PUZZLE_STRENGTH
from kibitz.server.db.store import Store
from kibitz.table.seating import Member

PUZZLE_SIGMA = MODEL.sigma / 2
"""The error that the rating may have that a puzzle was made with."""
SOLVER, PUZZLE = "solver", "puzzle"


class PuzzleAnswer(NamedTuple):
    """An answer to a puzzle, or a hint, which is none that is right."""

    member: Member
    game: str
    puzzle: str
    points: int
    """The rating that the puzzle was made with."""
    is_right: bool
    day: str | None
    """The date, where it is the puzzle of that day."""
    at: float


def made_rating(points: int) -> Rating:
    """The rating of a puzzle that nobody has tried."""
    return Rating(MODEL.mu + (points - NEWCOMER_POINTS) / POINTS_PER_MU, PUZZLE_SIGMA)


def ratings_after_answer(solver: Rating, puzzle: Rating, is_right: bool) -> tuple[Rating, Rating]:
    """Of whoever answers, and of the puzzle: one of them has won."""
    before = {SOLVER: solver, PUZZLE: puzzle}
    after = ratings_after(before, [[SOLVER], [PUZZLE]], [int(is_right), int(not is_right)])
    return after[SOLVER], after[PUZZLE]


class WrittenAnswer(NamedTuple):
    has_account: bool
    """Nothing is written of guests."""
    change: RatingChange | None = None
    """The change of a rating, if it was the first answer."""


async def write_answer(store: Store, answer: PuzzleAnswer) -> WrittenAnswer:
    """Write an answer of somebody with an account down, and rate it if it is their first."""

    def write(connection: sql.Connection) -> WrittenAnswer:
        have = sql.select(ACCOUNT.c.member).where(ACCOUNT.c.member == answer.member)
        if connection.execute(have).first() is None:
            return WrittenAnswer(has_account=False)
        change = _rate_first(connection, answer) if _is_first(connection, answer) else None
        if answer.is_right:
            solved = PUZZLE_ATTEMPT.update().where(_attempt(answer))
            connection.execute(solved.values(is_solved=True))
            if answer.day:
                connection.execute(solved.values(day=answer.day))
        return WrittenAnswer(has_account=True, change=change)

    return await store.write(write)


def _attempt(answer: PuzzleAnswer) -> Any:
    return (
        (PUZZLE_ATTEMPT.c.member == answer.member)
        & (PUZZLE_ATTEMPT.c.game == answer.game)
        & (PUZZLE_ATTEMPT.c.puzzle == answer.puzzle)
    )


def _is_first(connection: sql.Connection, answer: PuzzleAnswer) -> bool:
    once = dialect_insert(connection, PUZZLE_ATTEMPT).values(
        member=answer.member,
        game=answer.game,
        puzzle=answer.puzzle,
        is_first_right=answer.is_right,
        is_solved=False,
        at=answer.at,
    )
    made = once.on_conflict_do_nothing().returning(PUZZLE_ATTEMPT.c.member)
    return connection.execute(made).first() is not None


def _rate_first(connection: sql.Connection, answer: PuzzleAnswer) -> RatingChange:
    game = answer.game
    mine = {"member": answer.member, "game": game}
    its = {"game": game, "puzzle": answer.puzzle}
    before = _lock_rating(connection, PUZZLE_RATING, mine, Rating(), answer.at)
    puzzle = _lock_rating(connection, PUZZLE_STRENGTH, its, made_rating(answer.points), answer.at)
    after, harder = ratings_after_answer(before, puzzle, answer.is_right)
    for table, whose, rating in ((PUZZLE_RATING, mine, after), (PUZZLE_STRENGTH, its, harder)):
        change = table.update().where(_is_whose(table, whose))
        connection.execute(change.values(**rating._asdict(), rated_at=answer.at))
    return RatingChange(before, after)


def _lock_rating(
    connection: sql.Connection, table: sql.Table, whose: Mapping[str, str], new: Rating, at: float
) -> Rating:
    """A rating, which nobody else changes meanwhile."""
    values = {**whose, **new._asdict(), "rated_at": at}
    connection.execute(dialect_insert(connection, table).values(values).on_conflict_do_nothing())
    query = sql.select(*(table.c[name] for name in Rating._fields)).where(_is_whose(table, whose))
    return Rating(*connection.execute(query.with_for_update()).one())


def _is_whose(table: sql.Table, whose: Mapping[str, str]) -> Any:
    return sql.and_(*(table.c[name] == value for name, value in whose.items()))


async def puzzle_ratings_of(store: Store, member: Member) -> dict[str, Rating]:
    """By game."""
    columns = PUZZLE_RATING.c.game, *(PUZZLE_RATING.c[name] for name in Rating._fields)
    query = sql.select(*columns).where(PUZZLE_RATING.c.member == member)
    return {game: Rating(*rest) for game, *rest in await store.read(query)}


async def attempts_of(store: Store, member: Member, game: str) -> dict[str, bool]:
    """The puzzles of a game that somebody has tried, and whether they are solved."""
    columns = PUZZLE_ATTEMPT.c.puzzle, PUZZLE_ATTEMPT.c.is_solved
    mine = (PUZZLE_ATTEMPT.c.member == member) & (PUZZLE_ATTEMPT.c.game == game)
    return {row.puzzle: row.is_solved for row in await store.read(sql.select(*columns).where(mine))}


async def days_solved_by(store: Store, member: Member) -> set[str]:
    """The dates on which somebody solved the puzzle of the day."""
    mine = (PUZZLE_ATTEMPT.c.member == member) & PUZZLE_ATTEMPT.c.day.is_not(None)
    return {day for (day,) in await store.read(sql.select(PUZZLE_ATTEMPT.c.day).where(mine))}


async def all_attempts_of(store: Store, member: Member) -> list[dict[str, Any]]:
    """All that is kept of somebody's attempts, the latest last."""
    columns = [column for column in PUZZLE_ATTEMPT.c if column.name != "member"]
    query = sql.select(*columns).where(PUZZLE_ATTEMPT.c.member == member)
    found = await store.read(query.order_by(PUZZLE_ATTEMPT.c.at))
    return [dict(row._mapping) for row in found]
