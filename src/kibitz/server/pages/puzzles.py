"""Pages of puzzles: the lists, one on a board, and those of days to come without a network."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

import msgspec
from litestar import MediaType, Response, get
from litestar.response import Redirect

from kibitz.core.message import message
from kibitz.puzzles.puzzle import (
    Collection,
    Puzzle,
    collection_of,
    find_puzzle,
    games_with_puzzles,
    puzzle_of_day,
)
from kibitz.server.analysis.board import open_line, render_line
from kibitz.server.db.queries.puzzles import attempts_of, days_solved_by, puzzle_ratings_of
from kibitz.server.db.queries.ratings import Rating
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnyRequest, request_language
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.option_form import json_text
from kibitz.server.pages.lesson_views import GZIP, views_on
from kibitz.server.phrases import Phrases, phrases_for
from kibitz.server.puzzles.days import streak_length, today, todays_puzzle
from kibitz.server.puzzles.solving import puzzle_line, solution_path
from kibitz.server.puzzles.verdicts import explanation_of
from kibitz.server.puzzles.views import puzzle_path, step_data
from kibitz.server.tables.dependencies import InjectedTables
from kibitz.server.tables.telling.previews import game_preview

KEPT_DAYS = 31
"""An installed app knows the puzzles of so many days, from the beginning of a week on."""
TODAY_PATH = "/puzzles/today"
KEPT_PATH = f"{TODAY_PATH}/steps"


@get("/puzzles", media_type=MediaType.HTML)
async def puzzle_sets(request: AnyRequest, services: InjectedTables) -> Response[str]:
    return await _list_page(request, services, games_with_puzzles(), "/puzzles")


@get("/puzzles/{game:str}", media_type=MediaType.HTML)
async def puzzle_set(request: AnyRequest, services: InjectedTables, game: str) -> Response[str]:
    if game not in games_with_puzzles():
        raise HttpError(404, message("server.no-page"))
    return await _list_page(request, services, [game], f"/puzzles/{game}")


async def _list_page(
    request: AnyRequest, services: InjectedTables, games: list[str], path: str
) -> Response[str]:
    """The page of some games' puzzles; of a game alone, with a link to each of them."""
    member, cookies = services.visit(request)
    store, say = services.tables.store, phrases_for(request_language(request))
    ratings = await puzzle_ratings_of(store, member)
    is_alone, found = len(games) == 1, todays_puzzle()
    tried = {game: await attempts_of(store, member, game) for game in games}
    streak = streak_length(await days_solved_by(store, member), today())
    return services.templates.page(
        "puzzles.html",
        say,
        cookies,
        sets=[_set_data(game, say, ratings.get(game), tried[game], is_alone) for game in games],
        is_alone=is_alone,
        title=say.t(f"{games[0]}.title") if is_alone else "",
        today=_day_data(*found, say) if found else None,
        day=today().isoformat(),
        streak=say.t("page.puzzle-streak", n=streak) if streak else "",
        back=path,
    )


def _set_data(
    game: str, say: Phrases, rating: Rating | None, tried: Mapping[str, bool], is_alone: bool
) -> Mapping[str, Any]:
    collection = collection_of(game)
    assert collection
    return {
        "name": game,
        "title": say.t(f"{game}.title"),
        "rating": rating.points if rating else None,
        "themes": [
            {
                "name": theme,
                "title": say(collection.title(theme)),
                "count": count,
                "puzzles": _links(collection, theme, tried) if is_alone else [],
            }
            for theme, count in collection.themes.items()
        ],
    }


def _links(
    collection: Collection, theme: str, tried: Mapping[str, bool]
) -> list[Mapping[str, Any]]:
    """A link to each puzzle of a theme, the easiest first."""
    chosen = [each for each in collection.puzzles if each.theme == theme]
    return [
        {"id": each.id, "is_solved": tried.get(each.id, False), "rating": each.rating}
        for each in sorted(chosen, key=lambda each: each.rating)
    ]


def _day_data(game: str, puzzle: Puzzle, say: Phrases) -> Mapping[str, str]:
    collection = collection_of(game)
    assert collection
    return {"title": say.t(f"{game}.title"), "theme": say(collection.title(puzzle.theme))}


# One puzzle


@get(TODAY_PATH, media_type=MediaType.HTML)
async def puzzle_of_today(request: AnyRequest, services: InjectedTables) -> Response[str]:
    found = todays_puzzle()
    if found is None:
        raise HttpError(404, message("server.no-page"))
    return await _puzzle_page(request, services, *found, day=today())


@get("/puzzles/{game:str}/next", sync_to_thread=False)
def next_puzzle(
    request: AnyRequest, services: InjectedTables, game: str, theme: str = "", after: str = ""
) -> Redirect:
    """The puzzle after another one, in its theme if one is named."""
    services.context.count(request, "pages")
    collection = collection_of(game)
    if collection is None:
        raise HttpError(404, message("server.no-page"))
    ids = [each.id for each in collection.puzzles if theme in ("", each.theme)]
    if not ids:
        raise HttpError(404, message("server.no-page"))
    following = ids[(ids.index(after) + 1) % len(ids)] if after in ids else ids[0]
    path = puzzle_path(game, following)
    return Redirect(prefixed_path(f"{path}?theme={theme}" if theme else path), status_code=303)


@get("/puzzles/{game:str}/{puzzle:str}", media_type=MediaType.HTML)
async def puzzle_page(
    request: AnyRequest, services: InjectedTables, game: str, puzzle: str
) -> Response[str]:
    found = find_puzzle(game, puzzle)
    if found is None:
        raise HttpError(404, message("server.no-page"))
    return await _puzzle_page(request, services, game, found)


async def _puzzle_page(
    request: AnyRequest,
    services: InjectedTables,
    game: str,
    puzzle: Puzzle,
    day: date | None = None,
) -> Response[str]:
    _, cookies = services.visit(request)
    collection = collection_of(game)
    assert collection
    say = phrases_for(request_language(request))
    heading = say.t("page.puzzle-today") if day else say.t("page.puzzle")
    title = f"{say.t(f'{game}.title')} · {heading}"
    return services.templates.page(
        "puzzle.html",
        say,
        cookies,
        preview=game_preview(
            services.context,
            request,
            game,
            say,
            title,
            position=puzzle.start,
            options=json_text(collection.options),
        ),
        course=_course_data(collection, puzzle, say.language, day),
        title=title,
        back=f"/puzzles/{game}/{puzzle.id}" if day is None else TODAY_PATH,
    )


def _course_data(
    collection: Collection, puzzle: Puzzle, language: str, day: date | None
) -> Mapping[str, Any]:
    """A puzzle as the page of lessons takes one; nothing here tells what solves it."""
    theme = "" if day else puzzle.theme
    return {
        "game": collection.game,
        "options": collection.options,
        "steps": [step_data(collection, puzzle, language)],
        "puzzle": {
            "day": day.isoformat() if day else None,
            "rating": puzzle.rating,
            "next": prefixed_path(
                f"/puzzles/{collection.game}/next?after={puzzle.id}&theme={theme}"
            ),
        },
    }


# Without a network


def first_kept_day() -> date:
    return today() - timedelta(days=today().weekday())


@get(KEPT_PATH, sync_to_thread=True)
def kept_puzzles(
    request: AnyRequest, services: InjectedTables, is_tall: bool = False
) -> Response[bytes]:
    """The puzzles of the days to come, with their solutions and all that a board shows on the way:
    for an installed app, which has no server to ask."""
    services.context.count(request, "analysis")
    content = _kept_puzzles(first_kept_day(), request_language(request), is_tall)
    if GZIP not in request.headers.get("accept-encoding", ""):
        return Response(gzip.decompress(content), media_type=MediaType.JSON)
    return Response(content, media_type=MediaType.JSON, headers={"Content-Encoding": GZIP})


@lru_cache(maxsize=8)
def _kept_puzzles(first: date, language: str, is_tall: bool) -> bytes:
    games = games_with_puzzles()
    days = [first + timedelta(days=n) for n in range(KEPT_DAYS)] if games else []
    kept = {
        day.isoformat(): _kept_data(*puzzle_of_day(day, games), day, language, is_tall)
        for day in days
    }
    return gzip.compress(msgspec.json.encode(kept), mtime=0)


def _kept_data(
    game: str, puzzle: Puzzle, day: date, language: str, is_tall: bool
) -> Mapping[str, Any]:
    collection = collection_of(game)
    assert collection
    return {
        **_course_data(collection, puzzle, language, day),
        "explanation": explanation_of(collection, puzzle, language),
        "path": solution_path(collection, puzzle),
        "views": dict(_views(collection, puzzle, language, is_tall)),
    }


def _views(
    collection: Collection, puzzle: Puzzle, language: str, is_tall: bool
) -> Iterator[tuple[str, Any]]:
    line = msgspec.structs.replace(puzzle_line(collection, puzzle), is_tall=is_tall)
    live = open_line(line)
    yield "", render_line(live, language, line)
    yield from views_on(live, (), collection.lesson(puzzle), 0, line, language)
