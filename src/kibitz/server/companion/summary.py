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
from kibitz.core.night import Account, Night, Standing, Strip
from kibitz.server.pages.chart import Thread, plot
from kibitz.server.phrases import Speech
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.companion import Team
from kibitz.table.highlights import Standing as Point
from kibitz.table.table import BACK, reasoned

ROWS = 12
"""Of the course, where it is a table."""
TINT = "accent"


@dataclass(frozen=True, slots=True)
class PlayerTold:
    name: str
    shares: str
    litres: str


@dataclass(frozen=True, slots=True)
class TeamTold:
    seat: Seat
    called: str
    colour: str
    """What its seat is called, where the team has a name of its own."""
    glyph: Markup
    won: bool
    moral: bool
    owed: str
    done: str
    shares: str
    litres: str
    players: Sequence[PlayerTold]


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    cells: Sequence[str]


@dataclass(frozen=True, slots=True)
class Chart:
    title: str
    picture: Markup


@dataclass(frozen=True, slots=True)
class Moment:
    """Something at a time of the evening."""

    time: str
    text: str
    badge: str = ""
    title: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Face:
    face: int
    count: int
    share: int
    """Of the most frequent one, in hundredths."""


@dataclass(frozen=True, slots=True)
class StripTold:
    faces: Sequence[Face]
    level: int
    """Where all would be if they were even, likewise."""
    told: Sequence[str]


@dataclass(frozen=True, slots=True)
class NightTold:
    title: str
    verdict: str
    rule: str
    is_over: bool
    true_victory: bool
    winners: Sequence[TeamTold]
    moral: str
    facts: Sequence[str]
    teams: Sequence[TeamTold]
    unit: str
    has_litres: bool
    charts: Sequence[Chart]
    begun: str
    ended: str
    course: Sequence[Row]
    highlights: Sequence[Moment]
    counts: Sequence[Row]
    log: Sequence[Moment]
    strip: StripTold | None
    """None where nobody has popped."""
    is_replayable: bool


def night_of(live: LiveTable) -> Night | None:
    """None where nobody keeps a book."""
    table = live.table
    if live.game.night is None:
        return None
    return live.game.night(table.first, table.played, table.times)


def told(live: LiveTable, night: Night, say: Speech) -> NightTold:
    teams = [_team(live, each, night, say) for each in night.accounts]
    winners = [each for each in teams if each.won]
    marks = [f"{i}" for i in range(1, len(night.highlights) + 1)]
    return NightTold(
        title=_title(night, winners, say),
        verdict=say(night.verdict),
        rule=night.verdict.paragraph,
        is_over=night.is_over,
        true_victory=night.true_victory,
        winners=winners,
        moral=", ".join(each.called for each in teams if each.moral) if night.is_over else "",
        facts=list(_facts(night, say)),
        teams=teams,
        unit=say.t("page.night-unit", unit=say(night.unit)),
        has_litres=night.has_litres,
        charts=list(_charts(live, night, marks, say)),
        begun=_clock(live, night.course[0].at, say),
        ended=_clock(live, night.course[-1].at, say),
        course=[_row(live, each, say) for each in _some(night.course)],
        highlights=[
            Moment(
                time=_clock(live, each.told.at, say),
                text=say(each.told.message),
                badge=badge,
                title=say.t(f"{live.game.name}.night-{each.kind}"),
                url=f"/t/{live.id}#{each.told.n}" if night.is_replayable else "",
            )
            for each, badge in zip(night.highlights, marks, strict=True)
        ],
        counts=list(_counts(live, night, say)),
        log=[Moment(_clock(live, at, say), text) for at, text in sorted(_log(live, night, say))],
        strip=_strip(night.strip, say),
        is_replayable=night.is_replayable,
    )


# Who won


def _title(night: Night, winners: Sequence[TeamTold], say: Speech) -> str:
    if winners:
        return say.t("page.night-winner", name=winners[0].called)
    return say.t("page.no-winner" if night.is_over else "page.night-so-far")


def _facts(night: Night, say: Speech) -> Iterator[str]:
    """How long it was, and how much of that was a rest."""
    if night.length:
        yield _lasted(night.length, say)
    if night.pauses:
        end = night.course[-1].at
        rested = sum((each.ended or end) - each.begun for each in night.pauses)
        lasted = _lasted(rested, say)
        yield say.t("page.night-breaks", n=len(night.pauses), lasted=lasted)


# The book


def _team(live: LiveTable, account: Account, night: Night, say: Speech) -> TeamTold:
    book, seat = live.table.book, account.seat
    team, colour = (book.team(seat) if book else Team()), str(say.plain[seat])
    parts = len(team.players) or account.players
    each = _amount(account.shares / parts, say), _litres(account.litres / parts, say)
    return TeamTold(
        seat=seat,
        called=team.name or colour,
        colour=colour if team.name else "",
        glyph=Markup(live.game.glyph(seat)),
        won=seat == night.winner,
        moral=seat in night.moral,
        owed=_amount(account.owed, say),
        done=_amount(account.done, say),
        shares=_amount(account.shares, say),
        litres=_litres(account.litres, say),
        players=[PlayerTold(name, *each) for name in _players(team, account, say)],
    )


def _players(team: Team, account: Account, say: Speech) -> tuple[str, ...]:
    """By their names; where nobody said them, one line for each of several."""
    if team.players or account.players == 1:
        return team.players
    return (say.t("page.night-each", n=account.players),)


def _counts(live: LiveTable, night: Night, say: Speech) -> Iterator[Row]:
    """What nobody did is left out."""
    accounts, game = night.accounts, live.game.name
    received = [_amount(each.received, say) for each in accounts]
    yield Row(say.t(f"{game}.tally-penalties"), received)
    for name in accounts[0].tallies:
        counts = [each.tallies[name] for each in accounts]
        if any(counts):
            yield Row(say.t(f"{game}.tally-{name}"), [_amount(each, say) for each in counts])


# The course


def _charts(live: LiveTable, night: Night, badges: Sequence[str], say: Speech) -> Iterator[Chart]:
    """What was owed and what was done, over the time; what never changed is not drawn."""
    game, begun = live.game, night.course[0].at
    threads = [Thread(s, game.tints.get(s, TINT), game.glyph(s)) for s in game.seats]
    marks = {
        round(each.told.at - begun): badge
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
            yield Chart(say.t(word), plot(say.t(word), points, threads, marks))


def _row(live: LiveTable, standing: Standing, say: Speech) -> Row:
    pairs = zip(standing.owed, standing.done, strict=True)
    return Row(_clock(live, standing.at, say), [f"{owed} + {done}" for owed, done in pairs])


def _some(course: Sequence[Standing]) -> list[Standing]:
    """A few of them from the first to the last, evenly."""
    count = min(ROWS, len(course))
    return [course[round(i * (len(course) - 1) / (count - 1))] for i in range(count)]


# The dome


def _strip(strip: Strip, say: Speech) -> StripTold | None:
    most = max(strip.counts)
    if not most:
        return None
    return StripTold(
        faces=[Face(i, n, round(100 * n / most)) for i, n in enumerate(strip.counts, 1)],
        level=round(100 * sum(strip.counts) / len(strip.counts) / most),
        told=[say(each) for each in strip.told],
    )


# What was said


def _log(live: LiveTable, night: Night, say: Speech) -> Iterator[tuple[float, str]]:
    """Rulings, notes and breaks; where the referee went back is in the rows only."""
    for each in (*night.rulings, *night.notes):
        yield each.at, say(each.message)
    for pause in night.pauses:
        if pause.ended is None:
            yield pause.begun, say.t("page.night-in-break")
        else:
            lasted = _lasted(pause.ended - pause.begun, say)
            yield pause.begun, say.t("page.night-break", lasted=lasted)
    for row in live.table.rows:
        ruling = reasoned(row.text) if row.actor == REFEREE else None
        if ruling and ruling[0].startswith(BACK):
            text, reason = ruling
            yield row.at, say(message("table.ruling", text=text, reason=reason))


# Numbers and times


def _clock(live: LiveTable, at: float, say: Speech) -> str:
    """The time of day, as the server's clock had it."""
    moment = datetime.fromtimestamp(live.stored.created + at).astimezone()
    return format_skeleton("Hm", moment, locale=say.language)


def _lasted(seconds: float, say: Speech) -> str:
    took = timedelta(seconds=max(1, round(seconds)))
    return format_timedelta(took, threshold=2, locale=say.language)


def _amount(value: float, say: Speech) -> str:
    return format_decimal(round(value, 2), locale=say.language)


def _litres(value: float, say: Speech) -> str:
    return say.t("page.night-litres", litres=_amount(value, say))
