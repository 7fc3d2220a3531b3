"""What is asked of every game: how long, who wins, how it ends, what happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from kibitz.report.plots import NOBODY, Bar, Words, bars, bins, histogram
from kibitz.report.run import Run, tint_of
from kibitz.report.section import Section, Table
from kibitz.report.statistics import evenness, mean_of, quantile, share_of

SURE, SOME = 0.001, 0.05
"""How rare counts as uneven as these must be to be a clear sign, or some sign."""


def length(run: Run, measures: Mapping[str, Sequence[int]]) -> Section:
    """How long games are, in the first of these measures; the table has all of them."""
    unit, values = next(iter(measures.items()))
    mean = mean_of(values)
    assert mean is not None
    half = {f: f"{quantile(values, p):.0f}" for f, p in (("low", 0.25), ("high", 0.75))}
    title = run.say(f"report.length-{unit}-title", mean=f"{mean.value:.0f}", **half)
    words = Words(
        run.say(f"report.length-{unit}"),
        run.say("report.games"),
        run.say("report.length-mean", mean=run.mean(mean)),
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
    counts = tuple((f"{low} \N{EN DASH} {high - 1}", str(n)) for low, high, n in bins(values))
    return Section(
        name="length",
        title=title,
        says=(run.say("report.length-says"),),
        figure=histogram("length", title, values, mean, words),
        tables=(
            Table(run.heads(*columns), rows),
            Table(
                (run.say(f"report.length-{unit}"), run.say("report.games")),
                counts,
                run.say("report.length-fold"),
            ),
        ),
        headlines=tuple(
            (run.say(f"report.length-{unit}"), run.mean(mean_of(values)))
            for unit, values in measures.items()
        ),
    )


def _length_row(run: Run, unit: str, values: Sequence[int]) -> tuple[str, ...]:
    mean = mean_of(values)
    assert mean is not None
    spread = (sum((v - mean.value) ** 2 for v in values) / max(1, len(values) - 1)) ** 0.5
    parts = (0, 0.25, 0.5, 0.75, 1)
    ranks = tuple(f"{quantile(values, part):.0f}" for part in parts)
    return (run.say(f"report.length-{unit}"), run.mean(mean), f"{spread:.1f}", *ranks)


def winners(run: Run) -> Section:
    """Who wins how often, and whether the seats differ more than chance would have it."""
    counts = Counter(match.result for match in run.summaries)
    seats, total = run.game.seats, len(run.summaries)
    wins = [counts[seat] for seat in seats]
    p = evenness(wins)
    best = seats[wins.index(max(wins))]
    sign = "clear" if p < SURE else "some" if p < SOME else "none"
    title_id = f"report.winners-{sign}-title" if run.plan.is_even else "report.winners-title"
    share = share_of(max(wins), total)
    assert share is not None
    title = run.say(title_id, seat=best, share=f"{100 * share.value:.0f}")
    labels = {seat: run.names[seat] for seat in seats}
    labels |= {each: run.say(f"report.result-{each or 'none'}") for each in ("draw", "")}
    shown = [*seats, *(each for each in ("draw", "") if counts[each])]
    rows, lines = [], []
    for each in shown:
        found = share_of(counts[each], total)
        assert found is not None
        tint = tint_of(run.game, each) if each in seats else NOBODY
        rows.append(Bar(labels[each], found, run.share(found), tint))
        bot = run.plan.bots[seats.index(each)] if each in seats else ""
        lines.append((labels[each], bot, str(counts[each]), run.share(found)))
    equal = sum(wins) / total / len(seats)
    mark = (equal, run.say("report.winners-equal", share=f"{100 * equal:.1f}"))
    advantage = run.say(
        f"report.winners-{sign}" if run.plan.is_even else "report.winners-uneven",
        chance=run.chance(p),
    )
    return Section(
        name="winners",
        title=title,
        says=(run.say("report.winners-says"), run.say("report.winners-test", found=advantage)),
        figure=bars("winners", title, rows, run.say("report.winners-axis"), mark, is_share=True),
        tables=(Table(run.heads("side", "bot", "wins", "share"), tuple(lines)),),
        headlines=(
            *(
                (run.say("report.won-by", seat=s), run.share(share_of(counts[s], total)))
                for s in seats
            ),
            *((line[0], line[3]) for line in lines[len(seats) :]),
            (run.say("report.winners-sign"), advantage),
        ),
    )


def ends(run: Run, reasons: Sequence[str]) -> Section:
    """How matches end, by the last part of the sentence that says why."""
    counts = Counter(reason.rpartition(".")[2] or "unfinished" for reason in reasons)
    rows, lines = [], []
    for reason, count in counts.most_common():
        label, found = run.say(f"report.end-{reason}"), share_of(count, len(reasons))
        assert found is not None
        rows.append(Bar(label, found, run.share(found)))
        lines.append((label, str(count), run.share(found)))
    title = run.say("report.ends-title", share=lines[0][2], reason=lines[0][0])
    return Section(
        name="ends",
        title=title,
        says=(run.say("report.ends-says"),),
        figure=bars("ends", title, rows, run.say("report.share-axis"), is_share=True),
        tables=(Table(run.heads("end", "games", "share"), tuple(lines)),),
        headlines=tuple((line[0], line[2]) for line in lines),
    )


def deeds(run: Run, counts: Mapping[str, Sequence[int]]) -> Section:
    """How often this and that happens in a game."""
    rows, lines = [], []
    for deed, values in counts.items():
        label, found = run.say(f"report.deed-{deed}"), mean_of(values)
        assert found is not None
        rows.append(Bar(label, found, run.mean(found)))
        lines.append((label, str(sum(values)), run.mean(found)))
    most = max(rows, key=lambda row: row.estimate.value)
    title = run.say("report.deeds-title", deed=most.label, mean=f"{most.estimate.value:.1f}")
    return Section(
        name="deeds",
        title=title,
        says=(run.say("report.deeds-says"),),
        figure=bars("deeds", title, rows, run.say("report.a-game-axis")),
        tables=(Table(run.heads("deed", "in-all", "a-game"), tuple(lines)),),
        headlines=tuple((line[0], line[2]) for line in lines),
    )
