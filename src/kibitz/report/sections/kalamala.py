"""What is shown of Kalamala: length, winners, ends, stones lost, what is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from kibitz.report.plots import Bar, bar_chart
from kibitz.report.run import ReportRun, seat_tint
from kibitz.report.section import ReportTable, Section
from kibitz.report.sections.every_game import (
    deeds_section,
    ends_section,
    length_section,
    winners_section,
)
from kibitz.report.statistics import mean_of
from kibitz.report.summaries.kalamala import DEEDS, Summary


def sections(run: ReportRun) -> list[Section]:
    matches = cast(Sequence[Summary], run.summaries)
    done = {deed: [match.deeds[i] for match in matches] for i, deed in enumerate(DEEDS)}
    parts = [
        length_section(run, {"turns": [match.turns for match in matches]}),
        winners_section(run),
    ]
    return [
        *parts,
        ends_section(run, [m.why for m in matches]),
        lost_section(run, matches),
        deeds_section(run, done),
    ]


def lost_section(run: ReportRun, matches: Sequence[Summary]) -> Section:
    rows, lines = [], []
    for index, seat in enumerate(run.game.seats):
        found = mean_of([match.stones_lost[index] for match in matches])
        left = mean_of([match.reserve_left[index] for match in matches])
        assert found is not None
        rows.append(Bar(run.names[seat], found, run.mean_text(found), seat_tint(run.game, seat)))
        lines.append((run.names[seat], run.mean_text(found), run.mean_text(left)))
    both = mean_of([sum(match.stones_lost) for match in matches])
    assert both is not None
    title = run.say("report.lost-title", mean=f"{both.value:.1f}")
    return Section(
        name="lost",
        title=title,
        says=(run.say("report.lost-says"),),
        figure=bar_chart("lost", title, rows, run.say("report.lost-axis")),
        tables=(ReportTable(run.column_heads("side", "lost", "reserve"), tuple(lines)),),
        headlines=((run.say("report.lost-both"), run.mean_text(both)),),
    )
