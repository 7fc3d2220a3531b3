"""The report on any game: its length and winners. Others make their sections of the same parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from kibitz.core.game import Game
from kibitz.core.message import fixed_decimal
from kibitz.core.record import ReplayStep
from kibitz.report.plots import NOBODY, Bar, HistogramLabels, bar_chart, histogram, histogram_bins
from kibitz.report.run import ReportRun, seat_tint
from kibitz.report.section import ReportTable, Section
from kibitz.report.statistics import evenness_p_value, mean_of, quantile, share_of

CLEAR_P_VALUE, SOME_P_VALUE = 0.001, 0.05
"""The rareness that makes uneven counts a clear sign, or some sign."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    result: str
    """The seat that won, or draw; empty for a game that was broken off."""
    actions: int


def summary(game: Game[Any, Any, Any], played: Sequence[ReplayStep[Any, Any]]) -> Summary:
    over, result = game.rules.outcome(played[-1].step.state), ""
    if over:
        best = [n for n, payoff in enumerate(over.payoffs) if payoff == max(over.payoffs)]
        result = game.seats[best[0]] if len(best) == 1 else "draw"
    return Summary(result=result, actions=len(played))


def sections(run: ReportRun) -> list[Section]:
    games = cast(Sequence[Summary], run.summaries)
    return [length_section(run, {"actions": [g.actions for g in games]}), winners_section(run)]


def length_section(run: ReportRun, measures: Mapping[str, Sequence[int]]) -> Section:
    """The length of games, in the first of these measures; the table has all of them."""
    unit, values = next(iter(measures.items()))
    mean = mean_of(values)
    assert mean is not None
    half = {f: fixed_decimal(quantile(values, p)) for f, p in (("low", 0.25), ("high", 0.75))}
    title = run.say(f"report.length-{unit}-title", mean=fixed_decimal(mean.value), **half)
    words = HistogramLabels(
        run.say(f"report.length-{unit}"),
        run.say("report.games"),
        run.say("report.length-mean", mean=run.mean_text(mean)),
        run.say("report.length-half", **half),
    )
    columns = (
        "measure",
        "mean",
        "deviation",
        "least",
        "quarter",
        "median",
        "three-quarters",
        "most",
    )
    rows = tuple(_length_row(run, unit, values) for unit, values in measures.items())
    counts = tuple(
        (f"{low} \N{EN DASH} {high - 1}", str(n)) for low, high, n in histogram_bins(values)
    )
    return Section(
        name="length",
        title=title,
        says=(run.say("report.length-says"),),
        figure=histogram("length", title, values, mean, words),
        tables=(
            ReportTable(run.column_heads(*columns), rows),
            ReportTable(
                (run.say(f"report.length-{unit}"), run.say("report.games")),
                counts,
                run.say("report.length-fold"),
            ),
        ),
        headlines=tuple(
            (run.say(f"report.length-{unit}"), run.mean_text(mean_of(values)))
            for unit, values in measures.items()
        ),
    )


def _length_row(run: ReportRun, unit: str, values: Sequence[int]) -> tuple[str, ...]:
    mean = mean_of(values)
    assert mean is not None
    spread = (sum((v - mean.value) ** 2 for v in values) / max(1, len(values) - 1)) ** 0.5
    parts = (0, 0.25, 0.5, 0.75, 1)
    ranks = tuple(run.number_text(quantile(values, part)) for part in parts)
    return (
        run.say(f"report.length-{unit}"),
        run.mean_text(mean),
        run.number_text(spread, 1),
        *ranks,
    )


def winners_section(run: ReportRun) -> Section:
    """The shares of wins, and whether the seats differ more than chance would have it."""
    counts = Counter(match.result for match in run.summaries)
    seats, total = run.game.seats, len(run.summaries)
    wins = [counts[seat] for seat in seats]
    p = evenness_p_value(wins)
    best = seats[wins.index(max(wins))]
    sign = "clear" if p < CLEAR_P_VALUE else "some" if p < SOME_P_VALUE else "none"
    title_id = f"report.winners-{sign}-title" if run.plan.is_even else "report.winners-title"
    share = share_of(max(wins), total)
    assert share is not None
    title = run.say(title_id, seat=best, share=fixed_decimal(100 * share.value))
    labels = {seat: run.names[seat] for seat in seats}
    labels |= {each: run.say(f"report.result-{each or 'none'}") for each in ("draw", "")}
    shown = [*seats, *(each for each in ("draw", "") if counts[each])]
    rows, lines = [], []
    for each in shown:
        found = share_of(counts[each], total)
        assert found is not None
        tint = seat_tint(run.game, each) if each in seats else NOBODY
        rows.append(Bar(labels[each], found, run.share_text(found), tint))
        bot = run.plan.bots[seats.index(each)] if each in seats else ""
        lines.append((labels[each], bot, str(counts[each]), run.share_text(found)))
    equal = sum(wins) / total / len(seats)
    mark = (equal, run.say("report.winners-equal", share=fixed_decimal(100 * equal, 1)))
    advantage = run.say(
        f"report.winners-{sign}" if run.plan.is_even else "report.winners-uneven",
        chance=run.chance_text(p),
    )
    return Section(
        name="winners",
        title=title,
        says=(run.say("report.winners-says"), run.say("report.winners-test", found=advantage)),
        figure=bar_chart(
            "winners", title, rows, run.say("report.winners-axis"), mark, is_share=True
        ),
        tables=(ReportTable(run.column_heads("side", "bot", "wins", "share"), tuple(lines)),),
        headlines=(
            *(
                (run.say("report.won-by", seat=s), run.share_text(share_of(counts[s], total)))
                for s in seats
            ),
            *((line[0], line[3]) for line in lines[len(seats) :]),
            (run.say("report.winners-sign"), advantage),
        ),
    )


def ends_section(run: ReportRun, reasons: Sequence[str]) -> Section:
    """The ends of matches, by the last part of the sentence that says why."""
    counts = Counter(reason.rpartition(".")[2] or "unfinished" for reason in reasons)
    rows, lines = [], []
    for reason, count in counts.most_common():
        label, found = run.say(f"report.end-{reason}"), share_of(count, len(reasons))
        assert found is not None
        rows.append(Bar(label, found, run.share_text(found)))
        lines.append((label, str(count), run.share_text(found)))
    title = run.say("report.ends-title", share=lines[0][2], reason=lines[0][0])
    return Section(
        name="ends",
        title=title,
        says=(run.say("report.ends-says"),),
        figure=bar_chart("ends", title, rows, run.say("report.share-axis"), is_share=True),
        tables=(ReportTable(run.column_heads("end", "games", "share"), tuple(lines)),),
        headlines=tuple((line[0], line[2]) for line in lines),
    )


def deeds_section(run: ReportRun, counts: Mapping[str, Sequence[int]]) -> Section:
    """The mean number of each kind of event in a game."""
    rows, lines = [], []
    for deed, values in counts.items():
        label, found = run.say(f"report.deed-{deed}"), mean_of(values)
        assert found is not None
        rows.append(Bar(label, found, run.mean_text(found)))
        lines.append((label, str(sum(values)), run.mean_text(found)))
    most = max(rows, key=lambda row: row.estimate.value)
    title = run.say(
        "report.deeds-title", deed=most.label, mean=fixed_decimal(most.estimate.value, 1)
    )
    return Section(
        name="deeds",
        title=title,
        says=(run.say("report.deeds-says"),),
        figure=bar_chart("deeds", title, rows, run.say("report.a-game-axis")),
        tables=(ReportTable(run.column_heads("deed", "in-all", "a-game"), tuple(lines)),),
        headlines=tuple((line[0], line[2]) for line in lines),
    )
