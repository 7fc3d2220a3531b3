"""Pages of the analysis: the board to try things out on, the evaluation of a match, and what can be
learnt from it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from litestar import MediaType, Response, get
from litestar.response import Redirect

from kibitz.analysis.match import Entry
from kibitz.core.message import message
from kibitz.games import GAMES
from kibitz.server.analysis.dependencies import AnalysisServices
from kibitz.server.analysis.lesson import has_puzzles, match_lesson
from kibitz.server.analysis.page import evaluation_summary
from kibitz.server.http.errors import HttpError
from kibitz.server.http.link_preview import LinkPreview
from kibitz.server.http.requests import AnyRequest, Injected, address_of, request_language
from kibitz.server.option_form import option_fields, preset_fields
from kibitz.server.phrases import Phrases, phrases_for
from kibitz.server.tables.telling.previews import game_preview
from kibitz.server.tables.viewers import phrases_at


@get("/t/{table_id:str}/chances", media_type=MediaType.HTML)
async def match_evaluation(
    request: AnyRequest, services: Injected[AnalysisServices], table_id: str
) -> Response[Any]:
    """The evaluation of a match, as a part of its pages; how far it has come until then."""
    live, _ = await services.find_table(request, table_id, "think")
    if live.table.is_aborted:
        raise HttpError(409, message("table.aborted"))
    entries, moves = (
        await services.analyst.entries(live, address_of(request)),
        len(live.table.history),
    )
    if len(entries) < moves:
        done = {"done": len(entries), "of": moves}
        return Response(done, status_code=202, media_type=MediaType.JSON)
    say = phrases_at(live, request_language(request))
    seats = live.seats_of(services.context.member(request))
    return services.templates.page(
        "chances.html",
        say,
        story=evaluation_summary(live, entries, say),
        moves=moves,
        lesson_url=f"/t/{live.id}/lesson" if has_puzzles(live, entries, seats) else "",
    )


@get("/t/{table_id:str}/lesson", media_type=MediaType.HTML)
async def match_mistakes(
    request: AnyRequest, services: Injected[AnalysisServices], table_id: str
) -> Response[Any]:
    """The mistakes of whoever asks, as puzzles on the page of a lesson. Until the match is
    evaluated, and for everybody else, it leads to the result."""
    live, member = await services.find_table(request, table_id, "think")
    seats, entries = live.seats_of(member), list[Entry]()
    if seats and live.table.is_over and not live.table.is_aborted:
        entries = await services.analyst.entries(live, address_of(request))
    is_complete = len(entries) == len(live.table.history)
    if not is_complete or not has_puzzles(live, entries, seats):
        return Redirect(f"/t/{live.id}/result", status_code=303)
    say = phrases_at(live, request_language(request))
    return services.templates.page(
        "learn.html",
        say,
        course=match_lesson(live, entries, seats, say),
        title=say.t(f"{live.game.name}.title"),
        heading=say.t("page.lesson"),
        others=[],
        level="",
        back=f"/t/{live.id}/lesson",
    )


@get("/analysis/{game:str}", media_type=MediaType.HTML)
async def analysis_board(
    request: AnyRequest, services: Injected[AnalysisServices], game: str
) -> Response[str]:
    _, cookies = services.visit(request)
    if game not in GAMES:
        raise HttpError(404, message("server.no-page"))
    rulebook = GAMES[game]
    say = phrases_for(request_language(request), game, rulebook.game(rulebook.preset).seats)
    shown = {
        "game": game,
        "title": say.t(f"{game}.title"),
        "rules_url": f"/rules/{game}",
        "options": list(option_fields(rulebook, say)),
        "presets": list(preset_fields(rulebook, say)),
        "rules": {
            "book": {each.name: each.default for each in fields(rulebook.options)},
            "preset": dict(rulebook.preset),
        },
    }
    return services.templates.page(
        "analysis.html",
        say,
        cookies,
        analysis=shown,
        preview=_board_preview(request, services, game, say),
        back=f"/analysis/{game}",
    )


def _board_preview(
    request: AnyRequest, services: AnalysisServices, game: str, say: Phrases
) -> LinkPreview:
    """With the position that the address holds; what it only names at a table stays there."""
    asked = request.query_params
    line = {name: asked.get(name, "") for name in ("position", "options", "moves")}
    title = f"{say.t(f'{game}.title')} · {say.t('page.analysis')}"
    return game_preview(services.context, request, game, say, title, **line)
