"""The report on Kalamala: the numbers kept of a match, and the sections made of many.

Sections: length, winners, ends, stones lost, what is done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from kibitz.core.game import Game
from kibitz.core.message import fixed_decimal
from kibitz.core.record import ReplayStep
from kibitz.report.every_game import (
    deeds_section,
    ends_section,
    length_section,
    winners_section,
)
from kibitz.report.plots import Bar, bar_chart
from kibitz.report.run import ReportRun, seat_tint
from kibitz.report.section import ReportTable, Section
from kibitz.report.statistics import mean_of

DEEDS = ("placed", "pushed", "pulled", "pushed-off")


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Pairs are in the order of seats."""

    result: str
    """A, B or draw; empty for a match that was broken off."""
    why: str
    """The id of the sentence that says how it ended."""
    turns: int
    stones_lost: tuple[int, int]
    reserve_left: tuple[int, int]
    """The rest of it."""
    deeds: tuple[int, ...]
    """The number of each of DEEDS."""


def summary(game: Game[Any, Any, Any], played: Sequence[ReplayStep[Any, Any]]) -> Summary:
    state = played[-1].step.state
    over = game.rules.outcome(state)
    ids = Counter(event.message.id for each in played for event in each.step.events)
    return Summary(
        result=over.result if over else "",
        why=over.why.id if over else "",
        turns=len(played),
        stones_lost=state.dead,
        reserve_left=state.reserve,
        deeds=tuple(ids[f"kalamala.{deed}"] for deed in DEEDS),
    )


# Sections


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
    title = run.say("report.lost-title", mean=fixed_decimal(both.value, 1))
    return Section(
        name="lost",
        title=title,
        says=(run.say("report.lost-says"),),
        figure=bar_chart("lost", title, rows, run.say("report.lost-axis")),
        tables=(ReportTable(run.column_heads("side", "lost", "reserve"), tuple(lines)),),
        headlines=((run.say("report.lost-both"), run.mean_text(both)),),
    )
