"""What there is to tell once a match is over, in words and pictures, the same for everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from babel.dates import format_timedelta
from babel.numbers import format_decimal
from markupsafe import Markup

from kibitz.core.drawing import Look, svg
from kibitz.core.game import SPECTATOR, Seat
from kibitz.core.marks import with_last
from kibitz.server.pages.chart import Thread, plot
from kibitz.server.phrases import Speech
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.view import ending
from kibitz.table.highlights import Scene, Standing, biggest, course, scenes, tallied

TOLD = 12
"""So many moments make a story."""
PICTURED = 4
ROWS = 12
"""Of the course, where it is a table."""
TINT = "accent"
"""Of seats that have no colour."""
DASH, GLUE = "\N{EN DASH}", "\N{WORD JOINER}"
"""A score stays on one line."""
STILL = ("hit",)
"""Layers that a picture has no use for."""


@dataclass(frozen=True, slots=True)
class SeatTold:
    seat: Seat
    called: str
    """By their names, where people said them."""
    note: str
    glyph: Markup
    won: bool


@dataclass(frozen=True, slots=True)
class SceneTold:
    n: int
    text: str
    leads: str
    url: str
    badge: str
    """Which of the big ones it is."""
    picture: Markup


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    cells: Sequence[str]


@dataclass(frozen=True, slots=True)
class Course:
    title: str
    picture: Markup
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Result:
    ending: protocol.Ending
    why: str
    rule_url: str
    seats: Sequence[SeatTold]
    scenes: Sequence[SceneTold]
    course: Course | None
    figures: Sequence[Row]


def result(live: LiveTable, say: Speech) -> Result | None:
    """None while the match goes on."""
    ended = ending(live.table, say)
    if ended is None:
        return None
    found = biggest(scenes(live.game, live.table.played), TOLD)
    badges = {scene.n: str(i) for i, scene in enumerate(biggest(found, PICTURED), 1)}
    rule_url = f"/rules/{live.game.name}#{ended.rule}" if ended.rule else ""
    standings = course(live.game, live.table.played)
    return Result(
        ending=ended,
        why=ended.why.replace(DASH, f"{GLUE}{DASH}{GLUE}"),
        rule_url=rule_url,
        seats=[_seat(live, seat, ended, say) for seat in live.game.seats],
        scenes=[_scene(live, scene, badges.get(scene.n, ""), say) for scene in found],
        course=_course(live, standings, badges, say) if _has_changed(standings) else None,
        figures=_figures(live, standings, say),
    )


def lasted(live: LiveTable, say: Speech) -> str:
    """From the first action to the last."""
    times = live.table.times
    if len(times) < 2:
        return ""
    took = timedelta(seconds=max(1, round(times[-1] - times[0])))
    return format_timedelta(took, threshold=2, locale=say.language)


def _seat(live: LiveTable, seat: Seat, ended: protocol.Ending, say: Speech) -> SeatTold:
    """Somebody at a seat goes by their name, if they have one."""
    people, name = live.people, str(say.names[seat])
    names = [called for each in people.members[seat] if (called := live.names.get(each))]
    bot = people.bots.get(seat, "")
    notes = [name if names else "", (say.first(f"page.bot-{bot}") or bot) if bot else ""]
    return SeatTold(
        seat=seat,
        called=", ".join(names) or name,
        note=", ".join(filter(None, notes)),
        glyph=Markup(live.game.glyph(seat)),
        won=seat in ended.winners,
    )


def _scene(live: LiveTable, scene: Scene, badge: str, say: Speech) -> SceneTold:
    return SceneTold(
        n=scene.n,
        text="; ".join(map(say, scene.told)),
        leads=say.t("page.story-leads", seat=scene.leads) if scene.leads else "",
        url=f"/t/{live.id}#{scene.n}",
        badge=badge,
        picture=_picture(live, scene, say) if badge else Markup(""),
    )


def _picture(live: LiveTable, scene: Scene, say: Speech) -> Markup:
    look = Look(say=say, labels=False, prefix=f"m{scene.n}-")
    drawing = live.game.draw(live.game.view(scene.state, SPECTATOR, ()), look)
    marked = with_last(drawing, scene.motions)
    layers = {name: made for name, made in marked.layers.items() if name not in STILL}
    return Markup(svg(replace(marked, role="img", layers=layers)))


def _course(
    live: LiveTable, standings: Sequence[Standing], badges: Mapping[int, str], say: Speech
) -> Course:
    game, title = live.game, say.t(f"{live.game.name}.course")
    threads = [Thread(s, game.tints.get(s, TINT), game.glyph(s)) for s in game.seats]
    rows = [
        Row(say.t("page.story-move", n=each.n), [_number(score, say) for score in each.score])
        for each in _some(standings)
    ]
    return Course(title, plot(title, standings, threads, badges), rows)


def _has_changed(standings: Sequence[Standing]) -> bool:
    return len({each.score for each in standings}) > 1


def _some(standings: Sequence[Standing]) -> list[Standing]:
    """A few of them from the first to the last, evenly."""
    count = min(ROWS, len(standings))
    return [standings[round(i * (len(standings) - 1) / (count - 1))] for i in range(count)]


def _figures(live: LiveTable, standings: Sequence[Standing], say: Speech) -> list[Row]:
    """How it stood, what each seat did, and the time they had left."""
    game, rows = live.game, []
    if standings:
        scores = [_number(score, say) for score in standings[-1].score]
        rows.append(Row(say.t(f"{game.name}.course"), scores))
    for name, counts in tallied(game, live.table.played).items():
        if any(counts.values()):
            cells = [_number(counts[seat], say) for seat in game.seats]
            rows.append(Row(say.t(f"{game.name}.tally-{name}"), cells))
    if live.table.clock and live.table.played and not live.table.clock.control.is_per_turn:
        left = live.table.clock.left
        cells = [_time(left[seat]) for seat in game.seats]
        rows.append(Row(say.t("page.time-left"), cells))
    return rows


def _time(seconds: float) -> str:
    minutes, rest = divmod(max(0, int(seconds)), 60)
    return f"{minutes}:{rest:02}"


def _number(value: float, say: Speech) -> str:
    return format_decimal(value, locale=say.language)
