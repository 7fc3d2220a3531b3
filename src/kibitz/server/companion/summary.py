"""The summary of an evening whose book was kept here, in words and pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from babel.dates import format_skeleton, format_timedelta
from babel.numbers import format_decimal
from markupsafe import Markup

from kibitz.core.game import REFEREE, Seat
from kibitz.core.message import message
from kibitz.core.night import DebtPoint, DieStatistics, NightSummary, PenaltyAccount
from kibitz.server.chart import PlotLine, plot_svg
from kibitz.server.phrases import Phrases
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.companion import Team
from kibitz.table.highlights import ScorePoint as Point
from kibitz.table.table import BACK, split_reason

MAX_COURSE_ROWS = 12
"""Of the course, where it is a table."""
DEFAULT_COLOUR = "accent"


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    name: str
    shares: str
    litres: str


@dataclass(frozen=True, slots=True)
class TeamSummary:
    seat: Seat
    name: str
    colour: str
    """What its seat is called, where the team has a name of its own."""
    glyph: Markup
    is_winner: bool
    is_moral_winner: bool
    owed: str
    done: str
    shares: str
    litres: str
    players: Sequence[PlayerSummary]


@dataclass(frozen=True, slots=True)
class SummaryRow:
    label: str
    cells: Sequence[str]


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    picture: Markup


@dataclass(frozen=True, slots=True)
class SummaryMoment:
    """Something at a time of the evening."""

    time: str
    text: str
    badge: str = ""
    title: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class FaceCount:
    face: int
    count: int
    share: int
    """Of the most frequent one, in hundredths."""


@dataclass(frozen=True, slots=True)
class DiceSummary:
    faces: Sequence[FaceCount]
    level: int
    """Where all would be if they were even, likewise."""
    sentences: Sequence[str]


@dataclass(frozen=True, slots=True)
class SummaryPage:
    title: str
    verdict: str
    rule: str
    is_over: bool
    is_true_victory: bool
    winners: Sequence[TeamSummary]
    moral_winners: str
    facts: Sequence[str]
    teams: Sequence[TeamSummary]
    unit: str
    has_litres: bool
    charts: Sequence[Chart]
    start_time: str
    end_time: str
    course: Sequence[SummaryRow]
    highlights: Sequence[SummaryMoment]
    counts: Sequence[SummaryRow]
    log: Sequence[SummaryMoment]
    dice: DiceSummary | None
    """None where nobody has popped."""
    is_replayable: bool


def summary_of(live: LiveTable) -> NightSummary | None:
    """None where nobody keeps a book."""
    table = live.table
    if live.game.companion is None:
        return None
    return live.game.companion.summary(table.first, table.history, table.times)


def summary_page(live: LiveTable, night: NightSummary, say: Phrases) -> SummaryPage:
    teams = [_team_summary(live, each, night, say) for each in night.accounts]
    winners = [each for each in teams if each.is_winner]
    marks = [f"{i}" for i in range(1, len(night.highlights) + 1)]
    return SummaryPage(
        title=_title(night, winners, say),
        verdict=say(night.verdict),
        rule=night.verdict.paragraph,
        is_over=night.is_over,
        is_true_victory=night.is_true_victory,
        winners=winners,
        moral_winners=", ".join(each.name for each in teams if each.is_moral_winner)
        if night.is_over
        else "",
        facts=list(_facts(night, say)),
        teams=teams,
        unit=say.t("page.night-unit", unit=say(night.unit)),
        has_litres=night.has_litres,
        charts=list(_charts(live, night, marks, say)),
        start_time=_time_of_day(live, night.course[0].at, say),
        end_time=_time_of_day(live, night.course[-1].at, say),
        course=[_course_row(live, each, say) for each in _sample_course(night.course)],
        highlights=[
            SummaryMoment(
                time=_time_of_day(live, each.event.at, say),
                text=say(each.event.message),
                badge=badge,
                title=say.t(f"{live.game.name}.night-{each.kind}"),
                url=f"/t/{live.id}#{each.event.n}" if night.is_replayable else "",
            )
            for each, badge in zip(night.highlights, marks, strict=True)
        ],
        counts=list(_counts(live, night, say)),
        log=[
            SummaryMoment(_time_of_day(live, at, say), text)
            for at, text in sorted(_log_lines(live, night, say))
        ],
        dice=_dice_summary(night.die_statistics, say),
        is_replayable=night.is_replayable,
    )


# Who won


def _title(night: NightSummary, winners: Sequence[TeamSummary], say: Phrases) -> str:
    if winners:
        return say.t("page.night-winner", name=winners[0].name)
    return say.t("page.no-winner" if night.is_over else "page.night-so-far")


def _facts(night: NightSummary, say: Phrases) -> Iterator[str]:
    """How long it was, and how much of that was a rest."""
    if night.length_s:
        yield _duration_text(night.length_s, say)
    if night.pauses:
        end = night.course[-1].at
        rested = sum((each.end_s or end) - each.start_s for each in night.pauses)
        lasted = _duration_text(rested, say)
        yield say.t("page.night-breaks", n=len(night.pauses), lasted=lasted)


# The book


def _team_summary(
    live: LiveTable, account: PenaltyAccount, night: NightSummary, say: Phrases
) -> TeamSummary:
    book, seat = live.table.book, account.seat
    team, colour = (book.team(seat) if book else Team()), str(say.plain_names[seat])
    parts = len(team.players) or account.players
    each = _amount(account.shares / parts, say), _litres(account.litres / parts, say)
    return TeamSummary(
        seat=seat,
        name=team.name or colour,
        colour=colour if team.name else "",
        glyph=Markup(live.game.ui.glyph(seat)),
        is_winner=seat == night.winner,
        is_moral_winner=seat in night.moral,
        owed=_amount(account.owed, say),
        done=_amount(account.done, say),
        shares=_amount(account.shares, say),
        litres=_litres(account.litres, say),
        players=[PlayerSummary(name, *each) for name in _players(team, account, say)],
    )


def _players(team: Team, account: PenaltyAccount, say: Phrases) -> tuple[str, ...]:
    """By their names; where nobody said them, one line for each of several."""
    if team.players or account.players == 1:
        return team.players
    return (say.t("page.night-each", n=account.players),)


def _counts(live: LiveTable, night: NightSummary, say: Phrases) -> Iterator[SummaryRow]:
    """What nobody did is left out."""
    accounts, game = night.accounts, live.game.name
    received = [_amount(each.total_penalties, say) for each in accounts]
    yield SummaryRow(say.t(f"{game}.tally-penalties"), received)
    for name in accounts[0].tallies:
        counts = [each.tallies[name] for each in accounts]
        if any(counts):
            yield SummaryRow(say.t(f"{game}.tally-{name}"), [_amount(each, say) for each in counts])


# The course


def _charts(
    live: LiveTable, night: NightSummary, badges: Sequence[str], say: Phrases
) -> Iterator[Chart]:
    """What was owed and what was done, over the time; what never changed is not drawn."""
    game, begun = live.game, night.course[0].at
    threads = [
        PlotLine(s, game.ui.colours.get(s, DEFAULT_COLOUR), game.ui.glyph(s)) for s in game.seats
    ]
    marks = {
        round(each.event.at - begun): badge
        for each, badge in zip(night.highlights, badges, strict=True)
    }
    for word, values in (
        ("page.night-owed", [each.owed for each in night.course]),
        ("page.night-done", [each.done for each in night.course]),
    ):
        if len(set(values)) > 1:
            points = [
                Point(round(each.at - begun), tuple(map(float, value)))
                for each, value in zip(night.course, values, strict=True)
            ]
            yield Chart(say.t(word), plot_svg(say.t(word), points, threads, marks))


def _course_row(live: LiveTable, standing: DebtPoint, say: Phrases) -> SummaryRow:
    pairs = zip(standing.owed, standing.done, strict=True)
    return SummaryRow(
        _time_of_day(live, standing.at, say), [f"{owed} + {done}" for owed, done in pairs]
    )


def _sample_course(course: Sequence[DebtPoint]) -> list[DebtPoint]:
    """A few of them from the first to the last, evenly."""
    count = min(MAX_COURSE_ROWS, len(course))
    return [course[round(i * (len(course) - 1) / (count - 1))] for i in range(count)]


# The dome


def _dice_summary(strip: DieStatistics, say: Phrases) -> DiceSummary | None:
    most = max(strip.counts)
    if not most:
        return None
    return DiceSummary(
        faces=[FaceCount(i, n, round(100 * n / most)) for i, n in enumerate(strip.counts, 1)],
        level=round(100 * sum(strip.counts) / len(strip.counts) / most),
        sentences=[say(each) for each in strip.remarks],
    )


# What was said


def _log_lines(live: LiveTable, night: NightSummary, say: Phrases) -> Iterator[tuple[float, str]]:
    """Rulings, notes and breaks; where the referee went back is in the rows only."""
    for each in (*night.rulings, *night.notes):
        yield each.at, say(each.message)
    for pause in night.pauses:
        if pause.end_s is None:
            yield pause.start_s, say.t("page.night-in-break")
        else:
            lasted = _duration_text(pause.end_s - pause.start_s, say)
            yield pause.start_s, say.t("page.night-break", lasted=lasted)
    for row in live.table.rows:
        ruling = split_reason(row.text) if row.actor == REFEREE else None
        if ruling and ruling[0].startswith(BACK):
            text, reason = ruling
            yield row.at, say(message("table.ruling", text=text, reason=reason))


# Numbers and times


def _time_of_day(live: LiveTable, at: float, say: Phrases) -> str:
    """The time of day, as the server's clock had it."""
    moment = datetime.fromtimestamp(live.stored.created + at).astimezone()
    return format_skeleton("Hm", moment, locale=say.language)


def _duration_text(seconds: float, say: Phrases) -> str:
    took = timedelta(seconds=max(1, round(seconds)))
    return format_timedelta(took, threshold=2, locale=say.language)


def _amount(value: float, say: Phrases) -> str:
    return format_decimal(round(value, 2), locale=say.language)


def _litres(value: float, say: Phrases) -> str:
    return say.t("page.night-litres", litres=_amount(value, say))
