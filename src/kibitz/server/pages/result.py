"""The result of a match that is over, in words and pictures, the same for everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from babel.dates import format_timedelta
from babel.numbers import format_decimal
from litestar import MediaType, Response, get
from markupsafe import Markup

from kibitz.core.drawing import Look, svg
from kibitz.core.game import SPECTATOR, Seat
from kibitz.core.marks import with_last_move
from kibitz.server.accounts.ladder import rating_data
from kibitz.server.chart import FigureRow, PlotLine, plot_svg
from kibitz.server.http.requests import AnyRequest, Injected, request_language
from kibitz.server.pages.table_labels import clock_text
from kibitz.server.phrases import Phrases, date_time_text
from kibitz.server.tables import protocol
from kibitz.server.tables.dependencies import TableServices
from kibitz.server.tables.invitations import WATCH
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.ratings import RatingChange, changes_at
from kibitz.server.tables.records import seal_fault
from kibitz.server.tables.view import ending
from kibitz.server.tables.viewers import ViewerSettings, phrases_at
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
MAX_TABLE_ROWS = 12
"""Of the course, where it is a table."""
DEFAULT_COLOUR = "accent"
"""Of seats that have no colour."""
DASH, GLUE = "\N{EN DASH}", "\N{WORD JOINER}"
"""A score stays on one line."""
HIDDEN_LAYERS = ("hit",)
"""Layers that a picture has no use for."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    seat: Seat
    player_name: str
    """By their names, where people said them."""
    note: str
    glyph: Markup
    has_won: bool


@dataclass(frozen=True, slots=True)
class SceneView:
    n: int
    text: str
    leads: str
    url: str
    badge: str
    """Which of the big ones it is."""
    picture: Markup


@dataclass(frozen=True, slots=True)
class ScoreChart:
    title: str
    picture: Markup
    rows: Sequence[FigureRow]


@dataclass(frozen=True, slots=True)
class MatchResult:
    ending: protocol.Ending
    why: str
    rule_url: str
    seats: Sequence[SeatResult]
    scenes: Sequence[SceneView]
    course: ScoreChart | None
    figures: Sequence[FigureRow]


@get("/t/{table_id:str}/result", media_type=MediaType.HTML)
async def result(
    request: AnyRequest, services: Injected[TableServices], table_id: str
) -> Response[str]:
    live, member, cookies = await services.visit_table(request, table_id)
    watcher = await services.tables.viewer_settings(live, member, request_language(request))
    links = await services.tables.links_of(live, member)
    say, table = phrases_at(live, watcher.language), live.table
    url = f"/t/{live.id}"
    # Others see a table that is not open by a link only.
    shared = f"{url}/result" if live.stored.open else links.get(WATCH, "")
    return services.templates.page(
        "result.html",
        say,
        cookies,
        result=match_result(live, say),
        id=live.id,
        url=url,
        share=shared,
        game=live.game.name,
        game_title=say.t(f"{live.game.name}.title"),
        adjourned=table.is_adjourned,
        facts=_match_facts(live, say),
        rated=_rating_changes(live, await changes_at(services.tables.store, live.id), say),
        sealed=_seal_note(live, say),
        has_seal=bool(live.stored.seed),
        has_night=live.game.companion is not None,
        moves=len(table.history),
        seated=bool(watcher.seats) and table.rematch is None,
        alone=len(live.people.all_members) == 1,
        next=_rematch_url(live, watcher),
        back=f"{url}/result",
    )


def match_result(live: LiveTable, say: Phrases) -> MatchResult | None:
    """None while the match goes on."""
    ended = ending(live.table, say)
    if ended is None:
        return None
    found = biggest_highlights(match_highlights(live.game, live.table.history), MAX_SCENES)
    badges = {scene.n: str(i) for i, scene in enumerate(biggest_highlights(found, MAX_PICTURES), 1)}
    rule_url = f"/rules/{live.game.name}#{ended.rule}" if ended.rule else ""
    standings = score_course(live.game, live.table.history)
    return MatchResult(
        ending=ended,
        why=ended.why.replace(DASH, f"{GLUE}{DASH}{GLUE}"),
        rule_url=rule_url,
        seats=[_seat_result(live, seat, ended, say) for seat in live.game.seats],
        scenes=[_scene_view(live, scene, badges.get(scene.n, ""), say) for scene in found],
        course=_score_chart(live, standings, badges, say) if _has_changed(standings) else None,
        figures=_figure_rows(live, standings, say),
    )


def _duration_text(live: LiveTable, say: Phrases) -> str:
    """From the first action to the last."""
    times = live.table.times
    if len(times) < 2:
        return ""
    took = timedelta(seconds=max(1, round(times[-1] - times[0])))
    return format_timedelta(took, threshold=2, locale=say.language)


def _seat_result(live: LiveTable, seat: Seat, ended: protocol.Ending, say: Phrases) -> SeatResult:
    """Somebody at a seat goes by their name, if they have one."""
    people, name = live.people, str(say.names[seat])
    names = [called for each in people.members[seat] if (called := live.names.get(each))]
    bot = people.bots.get(seat, "")
    notes = [name if names else "", (say.first(f"page.bot-{bot}") or bot) if bot else ""]
    return SeatResult(
        seat=seat,
        player_name=", ".join(names) or name,
        note=", ".join(filter(None, notes)),
        glyph=Markup(live.game.ui.glyph(seat)),
        has_won=seat in ended.winners,
    )


def _scene_view(live: LiveTable, scene: Highlight, badge: str, say: Phrases) -> SceneView:
    return SceneView(
        n=scene.n,
        text="; ".join(map(say, scene.messages)),
        leads=say.t("page.story-leads", seat=scene.new_leader) if scene.new_leader else "",
        url=f"/t/{live.id}#{scene.n}",
        badge=badge,
        picture=_scene_svg(live, scene, say) if badge else Markup(""),
    )


def _scene_svg(live: LiveTable, scene: Highlight, say: Phrases) -> Markup:
    look = Look(say=say, has_labels=False, prefix=f"m{scene.n}-")
    drawing = live.game.ui.draw(live.game.rules.view(scene.state, SPECTATOR, ()), look)
    marked = with_last_move(drawing, scene.motions)
    layers = {name: made for name, made in marked.layers.items() if name not in HIDDEN_LAYERS}
    return Markup(svg(replace(marked, role="img", layers=layers)))


def _score_chart(
    live: LiveTable, standings: Sequence[ScorePoint], badges: Mapping[int, str], say: Phrases
) -> ScoreChart:
    game, title = live.game, say.t(f"{live.game.name}.course")
    threads = [
        PlotLine(s, game.ui.colours.get(s, DEFAULT_COLOUR), game.ui.glyph(s)) for s in game.seats
    ]
    rows = [
        FigureRow(
            say.t("page.story-move", n=each.n), [_number_text(score, say) for score in each.score]
        )
        for each in _sample_points(standings)
    ]
    return ScoreChart(title, plot_svg(title, standings, threads, badges), rows)


def _has_changed(standings: Sequence[ScorePoint]) -> bool:
    return len({each.score for each in standings}) > 1


def _sample_points(standings: Sequence[ScorePoint]) -> list[ScorePoint]:
    """A few of them from the first to the last, evenly."""
    count = min(MAX_TABLE_ROWS, len(standings))
    return [standings[round(i * (len(standings) - 1) / (count - 1))] for i in range(count)]


def _figure_rows(live: LiveTable, standings: Sequence[ScorePoint], say: Phrases) -> list[FigureRow]:
    """How it stood, what each seat did, and the time they had left."""
    game, rows = live.game, []
    if standings:
        scores = [_number_text(score, say) for score in standings[-1].score]
        rows.append(FigureRow(say.t(f"{game.name}.course"), scores))
    for name, counts in seat_tallies(game, live.table.history).items():
        if any(counts.values()):
            cells = [_number_text(counts[seat], say) for seat in game.seats]
            rows.append(FigureRow(say.t(f"{game.name}.tally-{name}"), cells))
    if live.table.clock and live.table.history and not live.table.clock.control.is_per_turn:
        left = live.table.clock.seconds_left
        cells = [_minutes_text(left[seat]) for seat in game.seats]
        rows.append(FigureRow(say.t("page.time-left"), cells))
    return rows


def _minutes_text(seconds: float) -> str:
    minutes, rest = divmod(max(0, int(seconds)), 60)
    return f"{minutes}:{rest:02}"


def _number_text(value: float, say: Phrases) -> str:
    return format_decimal(value, locale=say.language)


def _match_facts(live: LiveTable, say: Phrases) -> list[Mapping[str, str]]:
    """When a match was played, for how long, and by which clock."""
    table, times = live.table, live.table.times
    ended = live.stored.created + (times[-1] if times else 0.0)
    told = [
        ("", date_time_text(ended, say)),
        ("", _duration_text(live, say)),
        ("list", say.t("page.result-moves", n=len(table.history)) if times else ""),
        ("clock", clock_text(live.settings.clock, say)),
    ]
    return [{"icon": icon, "text": text} for icon, text in told if text]


def _rematch_url(live: LiveTable, watcher: ViewerSettings) -> str:
    """The match that came of this one, for those who may see it."""
    following, may_see = (
        live.table.rematch,
        live.stored.open or watcher.seats or watcher.stand_in_seats,
    )
    return f"/t/{following}" if following and may_see else ""


def _seal_note(live: LiveTable, say: Phrases) -> str:
    """That all draws agree, where there were any."""
    drawn = len(live.table.recorded_draws)
    if not (live.table.is_over and live.stored.seed and drawn) or seal_fault(live):
        return ""
    return say.t("page.result-sealed", n=drawn)


def _rating_changes(
    live: LiveTable, changes: Mapping[Member, RatingChange], say: Phrases
) -> list[Mapping[str, Any]]:
    """What a rated match changed for those who played it."""
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
