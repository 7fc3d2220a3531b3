"""A standing as tables for people, and as JSON for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from kibitz.arena.plan import ArenaPlan
from kibitz.arena.ranking import Ranking, Score
from kibitz.core.message import Say, fixed_decimal, message


def print_ranking(plan: ArenaPlan, found: Ranking, say: Say, console: Console) -> None:
    if found.pairings:
        console.print(_pairings_table(plan, found, say))
    console.print(_bots_table(plan, found, say))
    notes = [
        message("arena.note-score", n=found.openings, games=found.games),
        message("arena.note-rating"),
        message("arena.note-length", actions=fixed_decimal(found.actions, 1)),
    ]
    if found.unfinished_games:
        notes.append(message("arena.note-broken-off", n=found.unfinished_games))
    for (bot, why), n in found.forfeits.items():
        notes.append(message("arena.note-forfeit", bot=plan.bots[bot], n=n, why=why))
    for note in notes:
        console.print(say(note), markup=False, highlight=False)


def ranking_json(plan: ArenaPlan, found: Ranking) -> dict[str, Any]:
    names = plan.bots
    return {
        "plan": plan.json,
        "games": found.games,
        "openings": found.openings,
        "pairings": [
            {**asdict(each), "first": names[each.first], "other": names[each.other]}
            for each in found.pairings
        ],
        "bots": [{**asdict(row), "bot": names[row.bot]} for row in found.rows],
        "actions": found.actions,
        "broken_off": found.unfinished_games,
        "forfeits": [
            {"bot": names[bot], "why": why, "games": n} for (bot, why), n in found.forfeits.items()
        ],
    }


def _pairings_table(plan: ArenaPlan, found: Ranking, say: Say) -> Table:
    table = _new_table(say, "first", "other", "wins", "draws", "losses", "score")
    for each in found.pairings:
        copies = plan.seat_count - 1
        other = plan.bots[each.other] if copies == 1 else f"{copies} x {plan.bots[each.other]}"
        counts = map(str, (each.wins, each.draws, each.losses))
        table.add_row(
            escape(plan.bots[each.first]), escape(other), *counts, _share_text(each.score, say)
        )
    return table


def _bots_table(plan: ArenaPlan, found: Ranking, say: Say) -> Table:
    forfeits = ("forfeits",) if found.forfeits else ()
    table = _new_table(say, "bot", "games", "score", "rating", "seconds", "slowest", *forfeits)
    for row in found.rows:
        rating = say(
            message(
                "report.mean", value=fixed_decimal(row.mu, 1), error=fixed_decimal(2 * row.sigma, 1)
            )
        )
        table.add_row(
            escape(plan.bots[row.bot]),
            str(row.games),
            _share_text(row.score, say),
            rating,
            say(message("report.number", value=fixed_decimal(row.seconds, 4))),
            say(message("report.number", value=fixed_decimal(row.slowest, 3))),
            *(str(row.forfeits) for _ in forfeits),
        )
    return table


def _new_table(say: Say, *columns: str) -> Table:
    table = Table(box=SIMPLE_HEAD)
    for each in columns:
        words = each in ("first", "other", "bot")
        head = say(message(f"arena.column-{each}"))
        table.add_column(head, justify="left" if words else "right", overflow="fold")
    return table


def _share_text(score: Score, say: Say) -> str:
    parts = {"value": score.value, "low": score.low, "high": score.high}
    return say(
        message("report.share", **{k: fixed_decimal(100 * part, 1) for k, part in parts.items()})
    )
