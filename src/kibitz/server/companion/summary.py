"""The summary of a match on a real board whose book was kept here, in words and pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from markupsafe import Markup

from kibitz.core.game import REFEREE, Seat
from kibitz.core.message import message
from kibitz.core.summary import (
    Column,
    CoursePoint,
    DieStatistics,
    Honour,
    SeatFigures,
    Summary,
)
from kibitz.i18n.formats import decimal_text, time_text
from kibitz.i18n.grammar import join_names
from kibitz.server.chart import figure_row, plot_svg, sample_evenly, seat_lines
from kibitz.server.phrases import Phrases, duration_text
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.companion import Team
from kibitz.table.highlights import ScorePoint as Point
from kibitz.table.table import BACK, split_reason


def summary_of(live: LiveTable) -> Summary | None:
    """None where nobody keeps a book."""
    table = live.table
    if live.game.companion is None:
        return None
    return live.game.companion.summary(table.first, table.history, table.times)


def summary_page(live: LiveTable, summary: Summary, say: Phrases) -> Mapping[str, Any]:
    """All that the page of a summary shows."""
    badges = [f"{i}" for i in range(1, len(summary.highlights) + 1)]
    course, teams = (
        summary.course,
        [_team_figures(live, summary, each, say) for each in summary.seats],
    )
    return {
        "title": summary_title(live, summary, say),
        "verdict": say(summary.verdict),
        "rule": summary.verdict.paragraph,
        "is_over": summary.is_over,
        "winners": [each for each in teams if each["is_winner"]],
        "honours": [_honour_text(live, each, say) for each in summary.honours],
        "facts": list(_facts(summary, say)),
        "teams": teams,
        "unit": say(summary.unit) if summary.unit else "",
        "columns": [say(each.heading) for each in summary.columns],
        "charts": list(_charts(live, summary, badges, say)),
        "start_time": _time_of_day(live, course.start, say),
        "end_time": _time_of_day(live, course.end, say),
        "course": [_course_row(live, each, say) for each in sample_evenly(course.points)],
        "highlights": [
            {
                "time": _time_of_day(live, each.event.at, say),
                "text": say(each.event.message),
                "badge": badge,
                "title": say(each.title),
                "n": each.event.n if summary.is_replayable else None,
            }
            for each, badge in zip(summary.highlights, badges, strict=True)
        ],
        "counts": [
            figure_row(say(each.label), [_number(count, say) for count in each.counts])
            for each in summary.tallies
            if each.is_always_shown or any(each.counts)
        ],
        "log": [
            {"time": _time_of_day(live, at, say), "text": text}
            for at, text in sorted(_log_lines(live, summary, say))
        ],
        "dice": _dice_summary(summary.die_statistics, say),
        "is_replayable": summary.is_replayable,
    }


# Who won


def summary_title(live: LiveTable, summary: Summary, say: Phrases) -> str:
    """The winner, by the name of the team."""
    if summary.winner:
        return say.t("page.night-winner", name=_team_name(live, summary.winner, say))
    return say.t("page.no-winner" if summary.is_over else "page.night-so-far")


def _team_name(live: LiveTable, seat: Seat, say: Phrases) -> str:
    return _team(live, seat).name or str(say.plain_names[seat])


def _team(live: LiveTable, seat: Seat) -> Team:
    return live.table.book.team(seat) if live.table.book else Team()


def _honour_text(live: LiveTable, honour: Honour, say: Phrases) -> str:
    if not honour.seats:
        return say(honour.message)
    names = join_names(_team_name(live, seat, say) for seat in honour.seats)
    return say.t(honour.message.id, **dict(honour.message.values), names=names)


def _facts(summary: Summary, say: Phrases) -> Iterator[str]:
    """The length of the match, and the part of it that was a break."""
    start, end = summary.course.start, summary.course.end
    if end > start:
        yield duration_text(end - start, say)
    if summary.pauses:
        rested = sum((each.end_s or end) - each.start_s for each in summary.pauses)
        lasted = duration_text(rested, say)
        yield say.t("page.night-breaks", n=len(summary.pauses), lasted=lasted)


# The book


def _team_figures(
    live: LiveTable, summary: Summary, figures: SeatFigures, say: Phrases
) -> Mapping[str, Any]:
    seat, columns = figures.seat, list(zip(summary.columns, figures.figures, strict=True))
    team, colour = _team(live, seat), str(say.plain_names[seat])
    parts = len(team.players) or figures.people
    return {
        "name": team.name or colour,
        "colour": colour if team.name else "",
        "glyph": Markup(live.game.ui.glyph(seat)),
        "is_winner": seat == summary.winner,
        "cells": [_figure_text(column, figure, say) for column, figure in columns],
        "players": [
            {
                "name": name,
                "cells": [
                    _share_text(column, figure / parts, name in team.abstainers, say)
                    for column, figure in columns
                ],
            }
            for name in _players(team, figures, say)
        ],
    }


def _figure_text(column: Column, figure: float, say: Phrases) -> str:
    number = _number(figure, say)
    return say.t(column.unit, amount=number) if column.unit else number


def _share_text(column: Column, share: float, is_abstainer: bool, say: Phrases) -> str:
    """The part of one player, where a column has parts."""
    if not column.is_shared:
        return ""
    if is_abstainer and column.abstainers:
        return say(column.abstainers)
    return _figure_text(column, share, say)


def _players(team: Team, figures: SeatFigures, say: Phrases) -> tuple[str, ...]:
    """By their names; where nobody said them, one line for each of several."""
    if team.players or figures.people == 1:
        return team.players
    return (say.t("page.night-each", n=figures.people),)


# The course


def _charts(
    live: LiveTable, summary: Summary, badges: Sequence[str], say: Phrases
) -> Iterator[Mapping[str, Any]]:
    """A chart of every figure; one that never changed is left out."""
    course, lines = summary.course, seat_lines(live.game)
    marks = {
        round(each.event.at - course.start): badge
        for each, badge in zip(summary.highlights, badges, strict=True)
    }
    for index, title in enumerate(course.titles):
        points = [
            Point(round(each.at - course.start), tuple(map(float, each.figures[index])))
            for each in course.points
        ]
        if len({point.score for point in points}) > 1:
            yield {"title": say(title), "picture": plot_svg(say(title), points, lines, marks)}


def _course_row(live: LiveTable, point: CoursePoint, say: Phrases) -> Mapping[str, Any]:
    cells = (" + ".join(map(str, each)) for each in zip(*point.figures, strict=True))
    return figure_row(_time_of_day(live, point.at, say), cells)


# The die


def _dice_summary(statistics: DieStatistics | None, say: Phrases) -> Mapping[str, Any] | None:
    """The falls of the die as shares of the most frequent one, in hundredths, and the `level`
    where all would be if they were even; None where nobody has rolled."""
    if statistics is None or not any(statistics.counts):
        return None
    counts, most = statistics.counts, max(statistics.counts)
    return {
        "faces": [
            {"face": face, "count": count, "share": round(100 * count / most)}
            for face, count in enumerate(counts, 1)
        ],
        "level": round(100 * sum(counts) / len(counts) / most),
        "sentences": [say(each) for each in statistics.remarks],
    }


# What was said


def _log_lines(live: LiveTable, summary: Summary, say: Phrases) -> Iterator[tuple[float, str]]:
    """The log of the game, and breaks; where the referee went back is in the rows."""
    for each in summary.log:
        yield each.at, say(each.message)
    for pause in summary.pauses:
        if pause.end_s is None:
            yield pause.start_s, say.t("page.night-in-break")
        else:
            lasted = duration_text(pause.end_s - pause.start_s, say)
            yield pause.start_s, say.t("page.night-break", lasted=lasted)
    for row in live.table.rows:
        ruling = split_reason(row.text) if row.actor == REFEREE else None
        if ruling and ruling[0].startswith(BACK):
            text, reason = ruling
            yield row.at, say(message("table.ruling", text=text, reason=reason))


# Numbers and times


def _time_of_day(live: LiveTable, at: float, say: Phrases) -> str:
    """The time of day, as the server's clock had it."""
    moment = datetime.fromtimestamp(live.stored.created_at + at).astimezone()
    return time_text(say.language, moment)


def _number(value: float, say: Phrases) -> str:
    return decimal_text(say.language, round(value, 2))
