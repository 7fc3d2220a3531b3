"""The result of a match that is over, in words and pictures, the same for everybody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from litestar import MediaType, Response, get
from litestar.datastructures import Cookie
from markupsafe import Markup

from kibitz.core.drawing import Look, svg
from kibitz.core.game import SPECTATOR, Seat
from kibitz.core.marks import with_last_move
from kibitz.i18n.formats import decimal_text
from kibitz.i18n.grammar import join_names, join_sentences
from kibitz.server.accounts.ladder import rating_data
from kibitz.server.chart import figure_row, plot_svg, sample_evenly, seat_lines
from kibitz.server.db.queries.ratings import RatingChange, changes_at
from kibitz.server.http.link_preview import LinkPreview
from kibitz.server.http.requests import AnyRequest, request_language
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.pages.picture import still_picture
from kibitz.server.pages.table import record_file
from kibitz.server.pages.table_labels import clock_text
from kibitz.server.phrases import Phrases, date_time_text, duration_text
from kibitz.server.tables import protocol
from kibitz.server.tables.dependencies import InjectedTables, TableServices
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.people_view import play_on_items, rematch_url
from kibitz.server.tables.records import is_open, seal_fault
from kibitz.server.tables.telling.previews import ended_preview, phrases_of_host
from kibitz.server.tables.telling.results import ending
from kibitz.server.tables.viewers import ViewerSettings, phrases_at, telling_phrases_at
from kibitz.table.highlights import (
    Highlight,
    ScorePoint,
    biggest_highlights,
    match_highlights,
    score_course,
    seat_tallies,
)
from kibitz.table.seating import Member

MAX_SCENES = 12
"""So many moments make a story."""
MAX_PICTURES = 4
DASH, GLUE = "\N{EN DASH}", "\N{WORD JOINER}"
"""A score stays on one line."""


@get("/t/{table_id:str}/result", media_type=MediaType.HTML)
async def result(request: AnyRequest, services: InjectedTables, table_id: str) -> Response[str]:
    live, member, cookies = await services.visit_table(request, table_id)
    return await _result_page(request, services, live, member, cookies)


@get("/t/{table_id:str}/result/{token:str}", media_type=MediaType.HTML)
async def shared_result(
    request: AnyRequest, services: InjectedTables, table_id: str, token: str
) -> Response[str]:
    """The same for whoever has its address: they need no name and no seat, and get no cookie."""
    services.context.count(request, "pages")
    member = services.context.member(request)
    live = await services.tables.find_result(table_id, token)
    return await _result_page(request, services, live, member, ())


@get("/t/{table_id:str}/result/{token:str}/record")
async def shared_record(
    request: AnyRequest, services: InjectedTables, table_id: str, token: str
) -> Response[str]:
    """The record of a match that is over, as a stranger may have it."""
    services.context.count(request, "export")
    live = await services.tables.find_result(table_id, token)
    return record_file(live, "")


async def _result_page(
    request: AnyRequest,
    services: TableServices,
    live: LiveTable,
    member: Member,
    cookies: Sequence[Cookie],
) -> Response[str]:
    settings = await services.tables.viewer_settings(live, member, request_language(request))
    may_see = await services.tables.may_see(live, member)
    say, table = phrases_at(live, settings.language), live.table
    has_ended = table.is_over and not table.is_aborted
    page = services.tables.result_path(live) if has_ended else f"/t/{live.id}/result"
    told = match_result(live, telling_phrases_at(live, ViewerSettings((), say.language)))
    is_theirs = bool(settings.seats) or settings.is_host or not may_see
    may_share = live.stored.is_open or (has_ended and is_theirs)
    return services.templates.page(
        "result.html",
        say,
        cookies,
        # The address to share has a token that others do not know.
        is_secret=has_ended and not live.stored.is_open,
        result=told,
        preview=_ended_preview(request, services, live, page) if has_ended else None,
        id=live.id,
        may_see=may_see,
        urls=_result_urls(live, page, may_see),
        share=services.context.link_url(request, prefixed_path(page)) if may_share else "",
        game=live.game.name,
        game_title=say.t(f"{live.game.name}.title"),
        adjourned=table.is_adjourned,
        facts=_match_facts(live, say),
        rated=_rating_changes(live, await changes_at(services.tables.store, live.id), say),
        sealed=_seal_note(live, say),
        has_seal=bool(live.stored.seed),
        has_night=live.game.companion is not None,
        moves=len(table.history),
        seated=bool(settings.seats) and table.rematch is None,
        play_on=play_on_items(live, say) if settings.seats else [],
        alone=len(live.people.all_members) == 1,
        next=rematch_url(live, settings),
        back=request.scope["path"],
    )


def _result_urls(live: LiveTable, page: str, may_see: bool) -> Mapping[str, str]:
    """Where the page leads to: to the table, or where a stranger may not go there, to a board with
    its record."""
    url, board = f"/t/{live.id}", f"/analysis/{live.game.name}?table={live.id}"
    if may_see:
        return {
            "table": url,
            "move": f"{url}#",
            "analysis": board,
            "record": f"{url}/record",
            "night": f"{url}/night",
        }
    key = page.rpartition("/")[2]
    return {
        "table": url,
        "move": f"{board}&key={key}&n=",
        "analysis": f"{board}&key={key}",
        "record": f"{page}/record",
        "night": f"{url}/night/{key}",
    }


def _ended_preview(
    request: AnyRequest, services: TableServices, live: LiveTable, page: str
) -> LinkPreview | None:
    say = phrases_of_host(live, request)
    ended = ending(live.table, telling_phrases_at(live, ViewerSettings((), say.language)))
    if ended is None:
        return None
    return ended_preview(
        services.context,
        request,
        live,
        title=ended.title,
        description=ended.why,
        picture_path=f"/t/{live.id}/preview.png" if live.stored.is_open else f"{page}/preview.png",
    )


def match_result(live: LiveTable, say: Phrases) -> Mapping[str, Any] | None:
    """None while the match goes on."""
    ended = ending(live.table, say)
    if ended is None:
        return None
    found = biggest_highlights(match_highlights(live.game, live.table.history), MAX_SCENES)
    badges = {scene.n: str(i) for i, scene in enumerate(biggest_highlights(found, MAX_PICTURES), 1)}
    points = score_course(live.game, live.table.history)
    has_changed = len({each.score for each in points}) > 1
    return {
        "ending": ended,
        "why": ended.why.replace(DASH, f"{GLUE}{DASH}{GLUE}"),
        "rule_url": f"/rules/{live.game.name}#{ended.rule}" if ended.rule else "",
        "seats": [_seat_result(live, seat, ended, say) for seat in live.game.seats],
        "scenes": [_scene_view(live, scene, badges.get(scene.n, ""), say) for scene in found],
        "course": _score_chart(live, points, badges, say) if has_changed else None,
        "figures": _figure_rows(live, points, say),
    }


def _seat_result(
    live: LiveTable, seat: Seat, ended: protocol.OutcomeView, say: Phrases
) -> Mapping[str, Any]:
    """Somebody at a seat goes by their name, if they have one."""
    people, name = live.people, str(say.names[seat])
    side = str(say.plain_names[seat])
    names = [called for each in people.members[seat] if (called := live.names.get(each))]
    bot = people.bots.get(seat, "")
    notes = [
        side if name != side or names else "",
        (say.first(f"page.bot-{bot}") or bot) if bot else "",
    ]
    return {
        "player_name": join_names(names) or name,
        "note": ", ".join(filter(None, notes)),
        "glyph": Markup(live.game.ui.glyph(seat)),
        "has_won": seat in ended.winners,
    }


def _scene_view(live: LiveTable, scene: Highlight, badge: str, say: Phrases) -> Mapping[str, Any]:
    """A moment of the match; the big ones have a `badge` and a picture."""
    return {
        "n": scene.n,
        "text": join_sentences([say(each) for each in scene.messages]),
        "leads": say.t("page.story-leads", seat=scene.new_leader) if scene.new_leader else "",
        "badge": badge,
        "picture": _scene_svg(live, scene, say) if badge else "",
    }


def _scene_svg(live: LiveTable, scene: Highlight, say: Phrases) -> Markup:
    look = Look(say=say, has_labels=False, prefix=f"m{scene.n}-")
    drawing = live.game.ui.draw(live.game.rules.view(scene.state, SPECTATOR, ()), look)
    marked = with_last_move(drawing, scene.motions)
    return Markup(svg(still_picture(marked)))


def _score_chart(
    live: LiveTable, points: Sequence[ScorePoint], badges: Mapping[int, str], say: Phrases
) -> Mapping[str, Any]:
    title = say.t(f"{live.game.name}.course")
    rows = [
        figure_row(say.t("page.story-move", n=each.n), _number_texts(each.score, say))
        for each in sample_evenly(points)
    ]
    picture = plot_svg(title, points, seat_lines(live.game), badges)
    return {"title": title, "picture": picture, "rows": rows}


def _figure_rows(
    live: LiveTable, points: Sequence[ScorePoint], say: Phrases
) -> list[Mapping[str, Any]]:
    """The final score, the counts of each seat, and the time they had left."""
    game, rows = live.game, []
    if points:
        scores = _number_texts(points[-1].score, say)
        rows.append(figure_row(say.t(f"{game.name}.course"), scores))
    for name, counts in seat_tallies(game, live.table.history).items():
        if any(counts.values()):
            cells = _number_texts([counts[seat] for seat in game.seats], say)
            rows.append(figure_row(say.t(f"{game.name}.tally-{name}"), cells))
    if live.table.clock and live.table.history and not live.table.clock.control.is_per_turn:
        left = live.table.clock.seconds_left
        cells = [_minutes_text(left[seat]) for seat in game.seats]
        rows.append(figure_row(say.t("page.time-left"), cells))
    return rows


def _minutes_text(seconds: float) -> str:
    minutes, rest = divmod(max(0, int(seconds)), 60)
    return f"{minutes}:{rest:02}"


def _number_texts(values: Iterable[float], say: Phrases) -> list[str]:
    return [decimal_text(say.language, value) for value in values]


def _match_facts(live: LiveTable, say: Phrases) -> list[Mapping[str, str]]:
    """The date and length of a match, its number of actions, and its clock."""
    table, times = live.table, live.table.times
    ended = live.stored.created_at + (times[-1] if times else 0.0)
    told = [
        ("", date_time_text(ended, say)),
        ("", duration_text(times[-1] - times[0], say) if len(times) > 1 else ""),
        ("list", say.t("page.result-moves", n=len(table.history)) if times else ""),
        ("clock", clock_text(live.settings.clock, say)),
    ]
    return [{"icon": icon, "text": text} for icon, text in told if text]


def _seal_note(live: LiveTable, say: Phrases) -> str:
    """That all draws agree, where there were any."""
    drawn = len(live.table.recorded_draws)
    if not (is_open(live) and live.stored.seed and drawn) or seal_fault(live):
        return ""
    return say.t("page.result-sealed", n=drawn)


def _rating_changes(
    live: LiveTable, changes: Mapping[Member, RatingChange], say: Phrases
) -> list[Mapping[str, Any]]:
    """The changes of a rated match for those who played it."""
    playing = [(seat, member) for seat in live.game.seats for member in live.people.members[seat]]
    return [
        {
            **rating_data(changes[member].after),
            "glyph": Markup(live.game.ui.glyph(seat)),
            "name": live.names.get(member) or say.names[seat],
            "change": f"{changes[member].points:+d}".replace("-", "\u2212"),
        }
        for seat, member in playing
        if member in changes
    ]
