"""Puzzles, for programs."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.params import Parameter
from msgspec import Meta, Struct

from kibitz.core.message import message
from kibitz.puzzles.puzzle import (
    Collection,
    Puzzle,
    collection_of,
    find_puzzle,
    games_with_puzzles,
)
from kibitz.server.db.queries.puzzles import attempts_of, days_solved_by, puzzle_ratings_of
from kibitz.server.http.errors import HttpError, error_specs
from kibitz.server.http.requests import AnyRequest, request_language
from kibitz.server.phrases import phrases_for
from kibitz.server.puzzles.days import streak_length, today, todays_puzzle
from kibitz.server.puzzles.solving import is_right, solution_path
from kibitz.server.puzzles.verdicts import (
    GuestRating,
    Verdict,
    explanation_of,
    hint_places,
    rate_answer,
)
from kibitz.server.puzzles.views import PuzzleInfo, puzzle_info
from kibitz.server.tables.dependencies import InjectedTables

PUZZLES_PER_PAGE = 100


class PuzzleTheme(Struct):
    """A theme of a game's puzzles."""

    theme: str
    title: str
    count: int


class PuzzleSet(Struct):
    """The puzzles of a game."""

    game: str
    count: int
    themes: list[PuzzleTheme]


class PuzzleList(Struct):
    """A page of puzzles."""

    puzzles: list[PuzzleInfo]
    next: int | None
    """The `after` of the next page."""


class Answer(Struct, forbid_unknown_fields=True):
    """An answer to a puzzle."""

    actions: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=20)] = ()
    """None: you give up, and are told the solution."""
    rating: GuestRating | None = None
    """A guest's rating, if this is their first answer to this puzzle: it comes back changed."""


class HintRequest(Struct, forbid_unknown_fields=True):
    """A hint that is asked for."""

    step: Annotated[int, Meta(ge=1, le=2)] = 1
    """1: the first place to choose; 2: all of them."""
    rating: GuestRating | None = None
    """As in an answer: after a hint it counts as not found."""


class Hint(Struct):
    """Places to choose, in order."""

    path: list[str]
    verdict: Verdict


class MyPuzzles(Struct):
    """Your progress, if you have an account."""

    ratings: dict[str, int]
    """By game."""
    streak: int
    """Days in a row on which you solved the puzzle of the day."""
    attempts: dict[str, dict[str, bool]]
    """By game, the puzzles that you have tried, and whether you solved them."""


def _find(game: str, id: str) -> tuple[Collection, Puzzle]:
    collection, puzzle = collection_of(game), find_puzzle(game, id)
    if collection is None or puzzle is None:
        raise HttpError(404, message("server.no-puzzle"))
    return collection, puzzle


@get("/puzzles", tags=["puzzles"], summary="List the games that have puzzles, and their themes")
async def list_puzzle_sets(request: AnyRequest, services: InjectedTables) -> list[PuzzleSet]:
    services.context.count(request, "ask")
    say = phrases_for(request_language(request))
    found = [each for game in games_with_puzzles() if (each := collection_of(game))]
    return [
        PuzzleSet(
            each.game,
            len(each.puzzles),
            [PuzzleTheme(theme, say(each.title(theme)), n) for theme, n in each.themes.items()],
        )
        for each in found
    ]


@get(
    "/puzzles/today",
    tags=["puzzles"],
    summary="Get the puzzle of today",
    responses=error_specs(404),
)
async def puzzle_of_today(request: AnyRequest, services: InjectedTables) -> PuzzleInfo:
    """The same for everybody; a day is a date of UTC."""
    services.context.count(request, "ask")
    found = todays_puzzle()
    if found is None:
        raise HttpError(404, message("server.no-puzzle"))
    return puzzle_info(*_find(found[0], found[1].id), request_language(request))


@get(
    "/puzzles/{game:str}",
    tags=["puzzles"],
    summary="List the puzzles of a game",
    responses=error_specs(404),
)
async def list_puzzles(
    request: AnyRequest,
    services: InjectedTables,
    game: str,
    theme: Annotated[str, Parameter(description="Only those of a theme")] = "",
    after: Annotated[int, Parameter(ge=0, description="How many to leave out")] = 0,
) -> PuzzleList:
    services.context.count(request, "ask")
    collection = collection_of(game)
    if collection is None:
        raise HttpError(404, message("server.no-puzzle"))
    wanted = [each for each in collection.puzzles if theme in ("", each.theme)]
    end, language = after + PUZZLES_PER_PAGE, request_language(request)
    shown = [puzzle_info(collection, each, language) for each in wanted[after:end]]
    return PuzzleList(shown, end if end < len(wanted) else None)


@get(
    "/puzzles/{game:str}/{puzzle:str}",
    tags=["puzzles"],
    summary="Get a puzzle",
    responses=error_specs(404),
)
async def get_puzzle(
    request: AnyRequest, services: InjectedTables, game: str, puzzle: str
) -> PuzzleInfo:
    """Its solution is told by an answer."""
    services.context.count(request, "ask")
    return puzzle_info(*_find(game, puzzle), request_language(request))


@post(
    "/puzzles/{game:str}/{puzzle:str}/answers",
    tags=["puzzles"],
    summary="Answer a puzzle, or give up",
    status_code=200,
    responses=error_specs(404, 422),
)
async def answer_puzzle(
    request: AnyRequest, services: InjectedTables, game: str, puzzle: str, data: Answer
) -> Verdict:
    """Your first answer is rated as a match against the puzzle. A right one, or none at all, is
    told the solution and why."""
    services.context.count(request, "act")
    collection, found = _find(game, puzzle)
    right = bool(data.actions) and is_right(collection, found, data.actions)
    rating, streak = await rate_answer(
        services.tables.store, services.context.member(request), game, found, right, data.rating
    )
    told = right or not data.actions
    language = request_language(request)
    explanation = explanation_of(collection, found, language) if told else None
    return Verdict(right, explanation, rating, streak)


@post(
    "/puzzles/{game:str}/{puzzle:str}/hints",
    tags=["puzzles"],
    summary="Ask for a hint",
    status_code=200,
    responses=error_specs(404),
)
async def ask_for_hint(
    request: AnyRequest, services: InjectedTables, game: str, puzzle: str, data: HintRequest
) -> Hint:
    """If you had not answered yet, it is rated as a wrong answer."""
    services.context.count(request, "act")
    collection, found = _find(game, puzzle)
    path = solution_path(collection, found)
    rating, _ = await rate_answer(
        services.tables.store, services.context.member(request), game, found, False, data.rating
    )
    return Hint(hint_places(path, data.step), Verdict(is_right=False, rating=rating))


@get("/me/puzzles", tags=["puzzles"], summary="Get your puzzle ratings, streak and attempts")
async def my_puzzles(request: AnyRequest, services: InjectedTables) -> MyPuzzles:
    """Guests have none here: their device keeps them."""
    services.context.count(request, "ask")
    store, member = services.tables.store, services.context.member(request)
    ratings = await puzzle_ratings_of(store, member)
    days = await days_solved_by(store, member)
    return MyPuzzles(
        {game: rating.points for game, rating in ratings.items()},
        streak_length(days, today()),
        {game: await attempts_of(store, member, game) for game in ratings},
    )
