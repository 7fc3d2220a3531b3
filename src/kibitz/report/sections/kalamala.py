"""What is shown of Kalamala: length, winners, ends, stones lost, what is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from kibitz.report.plots import Bar, bars
from kibitz.report.run import Run, tint_of
from kibitz.report.section import Section, Table
from kibitz.report.sections.every_game import deeds, ends, length, winners
from kibitz.report.statistics import mean_of
from kibitz.report.summaries.kalamala import DEEDS, Summary


def sections(run: Run) -> list[Section]:
    matches = cast(Sequence[Summary], run.summaries)
    done = {deed: [match.deeds[i] for match in matches] for i, deed in enumerate(DEEDS)}
    parts = [length(run, {"turns": [match.turns for match in matches]}), winners(run)]
    return [*parts, ends(run, [m.why for m in matches]), lost(run, matches), deeds(run, done)]


def lost(run: Run, matches: Sequence[Summary]) -> Section:
    rows, lines = [], []
    for index, seat in enumerate(run.game.seats):
        found = mean_of([match.lost[index] for match in matches])
        left = mean_of([match.reserve[index] for match in matches])
        assert found is not None
        rows.append(Bar(run.names[seat], found, run.mean(found), tint_of(run.game, seat)))
        lines.append((run.names[seat], run.mean(found), run.mean(left)))
    both = mean_of([sum(match.lost) for match in matches])
    assert both is not None
    title = run.say("report.lost-title", mean=f"{both.value:.1f}")
    return Section(
        name="lost",
        title=title,
        says=(run.say("report.lost-says"),),
        figure=bars("lost", title, rows, run.say("report.lost-axis")),
        tables=(Table(run.heads("side", "lost", "reserve"), tuple(lines)),),
        headlines=((run.say("report.lost-both"), run.mean(both)),),
    )
