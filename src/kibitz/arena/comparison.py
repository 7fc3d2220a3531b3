"""The best level against the one below it, at equal time: `kibitz strength`.

Each comparison is an arena with a folder of its own, so it goes on where it was cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from statistics import fmean
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from kibitz.arena.cli import ArenaInterrupted, default_folder, play_missing
from kibitz.arena.levels import Interval, wilson_interval
from kibitz.arena.plan import ArenaPlan, check_plan, default_plies
from kibitz.arena.ranking import MatchEntry
from kibitz.arena.store import open_folder
from kibitz.bots.registry import LEVELS
from kibitz.core.message import Say, fixed_decimal, message
from kibitz.games import GAMES

BETTER, OTHER = LEVELS[-1], LEVELS[-2]
MIN_SHARE = 0.001
"""A score is taken as no further than this from none or all, so that it has an Elo difference."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The results of the games of one game; `score` is the better level's share of the points."""

    plan: ArenaPlan
    wins: int
    draws: int
    losses: int
    score: Interval
    elo: Interval
    seconds: tuple[float, float]
    """To a decision of each, on average."""

    @property
    def json(self) -> dict[str, Any]:
        return {
            "game": self.plan.game,
            "bots": list(self.plan.bots),
            "games": self.wins + self.draws + self.losses,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score._asdict(),
            "elo": self.elo._asdict(),
            "seconds": list(self.seconds),
        }


def comparison_plan(name: str, seconds: float, games: int, seed: int) -> ArenaPlan:
    """The plan of so many games, or a few more to make up whole openings."""
    rules = GAMES[name].game(GAMES[name].bots_preset)
    return ArenaPlan(
        game=name,
        options=dict(rules.options),
        bots=(f"{BETTER}@{seconds:g}s", f"{OTHER}@{seconds:g}s"),
        games=games,
        seed=seed,
        gauntlet=True,
        plies=default_plies(rules),
    )


def play_comparison(plan: ArenaPlan, workers: int, say: Say) -> Comparison:
    """Play what is missing of a plan, and compare."""
    check_plan(plan)
    console, path = Console(stderr=True), default_folder(plan)
    with open_folder(path, plan) as folder:
        try:
            entries = play_missing(plan, folder, workers, None, say, console)
        except KeyboardInterrupt:
            console.print(say(message("arena.stopped", folder=str(path))), highlight=False)
            raise ArenaInterrupted from None
    return compare_levels(plan, entries)


def compare_levels(plan: ArenaPlan, entries: Sequence[MatchEntry]) -> Comparison:
    scores = [entry.scores[entry.lineup.index(0)] for entry in entries]
    wins, losses, score = scores.count(1.0), scores.count(0.0), wilson_interval(scores)
    elo = Interval(*(elo_difference(share, plan.seat_count) for share in score))
    seconds = (mean_seconds(entries, 0), mean_seconds(entries, 1))
    return Comparison(plan, wins, len(scores) - wins - losses, losses, score, elo, seconds)


def elo_difference(share: float, seats: int = 2) -> float:
    """By how many Elo points who gets this share of the points is better than each of the others.

    With more than two seats a player who is no better gets an equal share, and the odds are
    compared with those.
    """
    share = min(max(share, MIN_SHARE), 1 - MIN_SHARE)
    return 400 * log10((seats - 1) * share / (1 - share))


def mean_seconds(entries: Sequence[MatchEntry], bot: int) -> float:
    """To a decision of this bot."""
    seats = [(entry, n) for entry in entries for n, who in enumerate(entry.lineup) if who == bot]
    decisions = sum(entry.decisions[n] for entry, n in seats)
    return sum(entry.seconds[n] for entry, n in seats) / max(1, decisions)


def print_comparisons(found: Sequence[Comparison], say: Say, console: Console) -> None:
    table = Table(box=SIMPLE_HEAD)
    names = ("game", "first", "other", "games", "wins", "draws", "losses", "score", "elo")
    for name in (*names, "seconds"):
        is_text = name in ("game", "first", "other")
        head = say(message(f"arena.column-{name}"))
        table.add_column(head, justify="left" if is_text else "right", overflow="fold")
    for each in found:
        copies, (first, other) = each.plan.seat_count - 1, each.plan.bots
        counts = (each.wins + each.draws + each.losses, each.wins, each.draws, each.losses)
        table.add_row(
            say(message(f"{each.plan.game}.title")),
            first,
            other if copies == 1 else f"{copies} x {other}",
            *map(str, counts),
            _interval_text("report.share", Interval(*(100 * n for n in each.score)), 1, say),
            _interval_text("arena.elo", each.elo, 0, say),
            say(message("report.number", value=fixed_decimal(fmean(each.seconds), 2))),
        )
    console.print(table)
    console.print(say(message("arena.note-strength")), markup=False, highlight=False)


def _interval_text(id: str, found: Interval, digits: int, say: Say) -> str:
    values = {name: fixed_decimal(each, digits) for name, each in found._asdict().items()}
    return say(message(id, **values))
