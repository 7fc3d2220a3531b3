"""Tutorials as a page shows them: in the reader's language, each step with a way to its start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from litestar import MediaType, Response, get

from kibitz.bots.registry import SUGGESTED_LEVEL, has_engine
from kibitz.core.game import CHANCE
from kibitz.core.message import message
from kibitz.core.tutorial import Lesson, Tutorial, read_tutorial
from kibitz.games import GAMES
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnyRequest, request_language
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.phrases import Phrases, phrases_for
from kibitz.server.tables.dependencies import InjectedTables
from kibitz.server.tables.telling.previews import game_preview
from kibitz.table import open_table
from kibitz.table.table import AnyTable


@get("/learn/{game:str}", media_type=MediaType.HTML)
async def learn(request: AnyRequest, services: InjectedTables, game: str) -> Response[str]:
    _, cookies = services.visit(request)
    if not has_lessons(game):
        raise HttpError(404, message("server.no-page"))
    language = request_language(request)
    say = phrases_for(language)
    return services.templates.page(
        "learn.html",
        say,
        cookies,
        preview=game_preview(
            services.context,
            request,
            game,
            say,
            say.t("page.learn", title=say.t(f"{game}.title")),
        ),
        course=tutorial_data(game, language),
        heading=say.t("page.learn", title=say.t(f"{game}.title")),
        title=say.t(f"{game}.title"),
        others=[{"name": each, "title": say.t(f"{each}.title")} for each in _other_tutorials(game)],
        level=SUGGESTED_LEVEL if has_engine(game) else "",
        back=f"/learn/{game}",
    )


def has_lessons(game: str) -> bool:
    return game in GAMES and GAMES[game].tutorial is not None


@lru_cache
def tutorial_data(game: str, language: str) -> Mapping[str, Any]:
    """All steps of the tutorial of a game that has one."""
    told = load_tutorial(game)
    played = GAMES[game].game(told.options)
    say = phrases_for(language, game, played.seats)
    steps = zip(told.steps, paths_to_steps(game), strict=True)
    return {
        "game": game,
        "options": told.options,
        "match": "",
        "steps": [_step_data(game, lesson, *way, say) for lesson, way in steps],
    }


def _step_data(
    game: str, lesson: Lesson, start: str, before: tuple[str, ...], say: Phrases
) -> Mapping[str, Any]:
    return {
        "id": lesson.id,
        "title": say(lesson.title(game)),
        "task": say(lesson.task(game)),
        "praise": say(lesson.praise(game)),
        "seat": lesson.seat,
        "start": start,
        "before": before,
        "goes_on": lesson.start is None,
        "solves": [expression.pattern for expression in lesson.solves],
        "then": lesson.then,
        "rule": lesson.rule,
        "rule_url": prefixed_path(f"/rules/{game}#{lesson.rule}"),
    }


@lru_cache
def load_tutorial(game: str) -> Tutorial:
    """The tutorial of a game that has one."""
    file = GAMES[game].tutorial
    assert file
    return read_tutorial(file.read_text("utf-8"))


@lru_cache
def paths_to_steps(game: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """For each step a position and what to play there, to come to where the step begins.

    Whoever solves a step goes on from what they found; this is for whoever comes from elsewhere.
    """
    return tuple(_walk_lessons(load_tutorial(game), game))


def _walk_lessons(told: Tutorial, game: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    start, line = "", list[str]()
    for lesson in told.steps:
        if lesson.start is not None:
            start, line = lesson.start, []
            table: AnyTable = open_table(GAMES[game].game(told.options), start)
        yield start, tuple(line)
        for point in range(len(lesson.solves)):
            line.append(solutions(table, lesson, point)[0])
            table = _table_after(table, line[-1])
        for text in lesson.then:
            line.append(text)
            table = _table_after(table, text)


def solutions(table: AnyTable, lesson: Lesson, point: int) -> list[str]:
    """All actions that solve it."""
    game, state, seat = table.game, table.state, lesson.seat
    listed = [
        *table.actions(seat),
        *game.rules.anytime_actions(state, seat),
        *table.actions(CHANCE),
    ]
    texts = dict.fromkeys(map(game.notation.write_action, listed))
    return [text for text in texts if lesson.is_solved(point, text)]


def _table_after(table: AnyTable, text: str) -> AnyTable:
    actor = table.game.rules.actor_of(table.state, table.game.notation.read_action(text))
    return table.act(actor, text)[0]


def _other_tutorials(game: str) -> list[str]:
    """The other games that can be learnt, the one that comes next on the shelf first."""
    names = [*GAMES, *GAMES]
    at = names.index(game)
    return [each for each in names[at + 1 : at + len(GAMES)] if has_lessons(each)]
