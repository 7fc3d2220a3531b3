"""All that a tutorial shows on the ways that solve it, to be taken without a network."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
from litestar import MediaType, Response, get

from kibitz.core.message import message
from kibitz.core.tutorial import Lesson
from kibitz.server.analysis.board import Line, line_after, open_line, render_line
from kibitz.server.analysis.dependencies import AnalysisServices
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnyRequest, Injected, request_language
from kibitz.server.pages.lessons import has_lessons, load_tutorial, paths_to_steps, solutions
from kibitz.server.tables.live_table import LiveTable

GZIP = "gzip"


@get("/learn/{game:str}/steps", sync_to_thread=True)
def lesson_steps(
    request: AnyRequest, services: Injected[AnalysisServices], game: str, is_tall: bool = False
) -> Response[bytes]:
    """For each step the answers of `/api/v1/analysis` by the actions that lead there: where it
    begins, drawn anew, and after every action on a way that solves it, what has changed."""
    services.context.count(request, "analysis")
    if not has_lessons(game):
        raise HttpError(404, message("server.no-page"))
    content = _lesson_views(game, request_language(request), is_tall)
    if GZIP not in request.headers.get("accept-encoding", ""):
        return Response(gzip.decompress(content), media_type=MediaType.JSON)
    return Response(content, media_type=MediaType.JSON, headers={"Content-Encoding": GZIP})


@lru_cache(maxsize=32)
def _lesson_views(game: str, language: str, is_tall: bool) -> bytes:
    told = load_tutorial(game)
    steps = []
    for lesson, (start, before) in zip(told.steps, paths_to_steps(game), strict=True):
        line = Line(game, dict(told.options), start, is_tall=is_tall, seat=lesson.seat)
        live = open_line(line)
        for n, text in enumerate(before):
            live = line_after(live, text, n)
        views = {"\n".join(before): render_line(live, language, line)}
        steps.append(views | dict(views_on(live, before, lesson, 0, line, language)))
    return gzip.compress(msgspec.json.encode(steps), mtime=0)


def views_on(
    live: LiveTable, actions: tuple[str, ...], lesson: Lesson, point: int, line: Line, language: str
) -> Iterator[tuple[str, Any]]:
    """The views from a position on, each with the actions that lead there."""
    last = len(lesson.solves) + len(lesson.then)
    if point == last:
        return
    is_solved = point >= len(lesson.solves)
    texts = (
        [lesson.then[point - len(lesson.solves)]]
        if is_solved
        else solutions(live.table, lesson, point)
    )
    for text in texts:
        following = line_after(live, text, len(actions))
        since = msgspec.structs.replace(line, since=live.seq)
        after = tuple(map(live.game.notation.write_action, _actions_at(following)))
        yield "\n".join(after), render_line(following, language, since)
        yield from views_on(following, after, lesson, point + 1, line, language)


def _actions_at(live: LiveTable) -> Iterator[Any]:
    return (played.step.action for played in live.table.history)
