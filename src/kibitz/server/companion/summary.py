"""The summary of an evening whose book was kept here, in words and pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from markupsafe import Markup

from kibitz.core.evening import DebtPoint, DieStatistics, NightSummary, PenaltyAccount
from kibitz.core.game import REFEREE
from kibitz.core.message import message
from kibitz.i18n.formats import decimal_text, time_text
from kibitz.i18n.grammar import join_names
from kibitz.server.chart import figure_row, plot_svg, sample_evenly, seat_lines
from kibitz.server.phrases import Phrases, duration_text
from kibitz.server.tables.live_table import LiveTable
from kibitz.table.companion import Team
from kibitz.table.highlights import ScorePoint as Point
from kibitz.table.table import BACK, split_reason


def summary_of(live: LiveTable) -> NightSummary | None:
    """None where nobody keeps a book."""
    table = live.table
    if live.game.companion is None:
        return None
    return live.game.companion.summary(table.first, table.history, table.times)


def summary_page(live: LiveTable, night: NightSummary, say: Phrases) -> Mapping[str, Any]:
    """All that the page of an evening shows."""
    teams = [_team_summary(live, each, night, say) for each in night.accounts]
    winners = [each for each in teams if each["is_winner"]]
    moral = [each["name"] for each in teams if each["is_moral_winner"]]
    marks = [f"{i}" for i in range(1, len(night.highlights) + 1)]
    return {
        "title": night_title(live, night, say),
        "verdict": say(night.verdict),
        "rule": night.verdict.paragraph,
        "is_over": night.is_over,
        "raises": night.raises,
        "winners": winners,
        "moral_winners": join_names(moral) if night.is_over else "",
        "facts": list(_facts(night, say)),
        "teams": teams,
        "unit": say.t("page.night-unit", unit=say(night.unit)),
        "has_litres": night.has_litres,
        "charts": list(_charts(live, night, marks, say)),
        "start_time": _time_of_day(live, night.course[0].at, say),
        "end_time": _time_of_day(live, night.course[-1].at, say),
        "course": [_course_row(live, each, say) for each in sample_evenly(night.course)],
        "highlights": [
            {
                "time": _time_of_day(live, each.event.at, say),
                "text": say(each.event.message),
                "badge": badge,
                "title": say.t(f"{live.game.name}.night-{each.kind}"),
                "n": each.event.n if night.is_replayable else None,
            }
            for each, badge in zip(night.highlights, marks, strict=True)
        ],
        "counts": list(_counts(live, night, say)),
        "log": [
            {"time": _time_of_day(live, at, say), "text": text}
            for at, text in sorted(_log_lines(live, night, say))
        ],
        "dice": _dice_summary(night.die_statistics, say),
        "is_replayable": night.is_replayable,
    }


# Who won


def night_title(live: LiveTable, night: NightSummary, say: Phrases) -> str:
    """The winner of an evening, by the name of the team."""
    if winner := night.winner:
        team = live.table.book.team(winner) if live.table.book else Team()
        return say.t("page.night-winner", name=team.name or str(say.plain_names[winner]))
    return say.t("page.no-winner" if night.is_over else "page.night-so-far")


def _facts(night: NightSummary, say: Phrases) -> Iterator[str]:
    """The length of the evening, and the part of it that was a break."""
    if night.length_s:
        yield duration_text(night.length_s, say)
    if night.pauses:
        end = night.course[-1].at
        rested = sum((each.end_s or end) - each.start_s for each in night.pauses)
        lasted = duration_text(rested, say)
        yield say.t("page.night-breaks", n=len(night.pauses), lasted=lasted)


# The book


def _team_summary(
    live: LiveTable, account: PenaltyAccount, night: NightSummary, say: Phrases
) -> Mapping[str, Any]:
    book, seat = live.table.book, account.seat
    team, colour = (book.team(seat) if book else Team()), str(say.plain_names[seat])
    parts = len(team.players) or account.players
    shares, litres = account.shares / parts, account.litres / parts
    each = {"shares": _amount(shares, say), "litres": _litres(litres, say)}
    other = {**each, "litres": say.t("page.book-something-else")}
    return {
        "name": team.name or colour,
        "colour": colour if team.name else "",
        "glyph": Markup(live.game.ui.glyph(seat)),
        "is_winner": seat == night.winner,
        "is_moral_winner": seat in night.moral,
        "owed": _amount(account.owed, say),
        "done": _amount(account.done, say),
        "shares": _amount(account.shares, say),
        "litres": _litres(account.litres, say),
        "players": [
            {"name": name, **(other if name in team.abstainers else each)}
            for name in _players(team, account, say)
        ],
    }


def _players(team: Team, account: PenaltyAccount, say: Phrases) -> tuple[str, ...]:
    """By their names; where nobody said them, one line for each of several."""
    if team.players or account.players == 1:
        return team.players
    return (say.t("page.night-each", n=account.players),)


def _counts(live: LiveTable, night: NightSummary, say: Phrases) -> Iterator[Mapping[str, Any]]:
    """Rows of what was counted; a row that nobody has anything in is left out."""
    accounts, game = night.accounts, live.game.name
    received = [_amount(each.total_penalties, say) for each in accounts]
    yield figure_row(say.t(f"{game}.tally-penalties"), received)
    for name in accounts[0].tallies:
        counts = [each.tallies[name] for each in accounts]
        if any(counts):
            yield figure_row(say.t(f"{game}.tally-{name}"), [_amount(each, say) for each in counts])


# The course


def _charts(
    live: LiveTable, night: NightSummary, badges: Sequence[str], say: Phrases
) -> Iterator[Mapping[str, Any]]:
    """Charts of what was owed and what was done; one that never changed is left out."""
    begun, lines = night.course[0].at, seat_lines(live.game)
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
            title = say.t(word)
            yield {"title": title, "picture": plot_svg(title, points, lines, marks)}


def _course_row(live: LiveTable, point: DebtPoint, say: Phrases) -> Mapping[str, Any]:
    pairs = zip(point.owed, point.done, strict=True)
    return figure_row(_time_of_day(live, point.at, say), (f"{a} + {b}" for a, b in pairs))


# The dome


def _dice_summary(strip: DieStatistics, say: Phrases) -> Mapping[str, Any] | None:
    """The falls of the die as shares of the most frequent one, in hundredths, and the `level`
    where all would be if they were even; None where nobody has popped."""
    most = max(strip.counts)
    if not most:
        return None
    return {
        "faces": [
            {"face": face, "count": count, "share": round(100 * count / most)}
            for face, count in enumerate(strip.counts, 1)
        ],
        "level": round(100 * sum(strip.counts) / len(strip.counts) / most),
        "sentences": [say(each) for each in strip.remarks],
    }


# What was said


def _log_lines(live: LiveTable, night: NightSummary, say: Phrases) -> Iterator[tuple[float, str]]:
    """Rulings, notes, breaks and who ignored them; where the referee went back is in the rows."""
    for each in (*night.rulings, *night.notes, *night.ignored_pauses):
        yield each.at, say(each.message)
    for pause in night.pauses:
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


def _amount(value: float, say: Phrases) -> str:
    return decimal_text(say.language, round(value, 2))


def _litres(value: float, say: Phrases) -> str:
    return say.t("page.night-litres", litres=_amount(value, say))
