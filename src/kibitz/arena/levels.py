"""A measurement of the levels of each game, and the page about it: `kibitz arena levels`.

Each level plays the one below it, and the best one plays the plain bots. Every pairing is an
arena like any other, with a folder of its own, and can be played again by a command on the page.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, StrictUndefined
from rich.console import Console

from kibitz.arena.cli import ArenaInterrupted, play_missing
from kibitz.arena.plan import ArenaPlan, check_plan, default_plies
from kibitz.arena.ranking import BotRow, MatchEntry, Z, compute_ranking
from kibitz.arena.store import GAMES_FILE as GAMES_FILE
from kibitz.arena.store import open_folder
from kibitz.bots.api import MeasurePlan
from kibitz.bots.registry import LEVELS, MCTS, has_engine
from kibitz.core.message import Say, message
from kibitz.games import GAMES, extra_of
from kibitz.i18n import FALLBACK, say_in

PAGE_TEMPLATE = Path(__file__).with_suffix(".md")
SECTION_MARK = "\n## "
RANDOM, GREEDY, BEST_LEVEL = "random", "greedy", LEVELS[-1]
QUICK_LEVELS, SLOW_LEVELS = LEVELS[:4], LEVELS[4:]
SANITY_GAMES = 100
"""Games of the first level against chance, which say little."""
TWO_SEATS, FOUR_SEATS = 2, 4


DEFAULT_MEASURE_PLAN = MeasurePlan(
    {**dict.fromkeys((*QUICK_LEVELS, MCTS), "0.01s"), **dict.fromkeys(SLOW_LEVELS, "0.05s")}
)
"""Of a game whose engine has none: a hundredth of what each has at a table."""
TARGET_SCORES: dict[int, dict[str, float]] = {
    TWO_SEATS: {**dict.fromkeys(LEVELS, 0.65), GREEDY: 0.95, MCTS: 0.80},
    FOUR_SEATS: {GREEDY: 0.33},
}
"""By seats: what the best is to score against a plain bot, and any level against the one below."""


class Pairing(NamedTuple):
    """One bot against another, or against as many of that other as there are seats left."""

    first: str
    other: str
    plan: ArenaPlan
    target_score: float | None


class PairingResult(NamedTuple):
    pairing: Pairing
    entries: Sequence[MatchEntry]

    @property
    def scores(self) -> list[float]:
        """Of the first one, in each game."""
        return [entry.scores[entry.lineup.index(0)] for entry in self.entries]


class Interval(NamedTuple):
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class StrengthRequest:
    """A wish of somebody to have levels measured."""

    games: Sequence[str]
    records: Path
    count: int | None = None
    """Of each pairing, in place of what is usual."""
    seed: int = 1
    workers: int = 0


def measure_strength(ask: StrengthRequest, say: Say, command: str, page: str = "") -> str:
    """Play what is missing; the page about all of it. `command` is what was typed.

    What `page`, an earlier one, says of other games stays.
    """
    measured = {
        name: list(_play_pairings(name, ask, say)) for name in ask.games if has_engine(name)
    }
    left_out = [name for name in ask.games if name not in measured]
    dates = {
        name: _last_played_at(ask, scored).date().isoformat() for name, scored in measured.items()
    }
    return merge_pages(page, render_page(measured, left_out, command, dates, _machine_text()))


def pairings(name: str, count: int | None = None, seed: int = 1) -> Iterator[Pairing]:
    """The pairings of a game: the ladder from chance to the best, then the best and others."""
    course = measure_plan(name)
    ladder = [
        (level, below, SANITY_GAMES if below == RANDOM else course.level_games)
        for below, level in pairwise((RANDOM, *LEVELS))
    ]
    for first, other, usual in (
        *ladder,
        (BEST_LEVEL, GREEDY, course.greedy_games),
        (BEST_LEVEL, MCTS, course.mcts_games),
    ):
        plan = _gauntlet_plan(
            name, (course.bot_spec(first), course.bot_spec(other)), count or usual, seed
        )
        yield Pairing(first, other, plan, TARGET_SCORES[plan.seat_count].get(other))


def measure_plan(name: str) -> MeasurePlan:
    plan: MeasurePlan = getattr(extra_of(name, "bots"), "MEASURE_PLAN", DEFAULT_MEASURE_PLAN)
    return plan


def wilson_interval(scores: Sequence[float]) -> Interval:
    """The mean, and where the true one lies with 95 % certainty, were all games independent."""
    n = len(scores)
    share = sum(scores) / n
    middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    return Interval(share, min(share, middle - half), max(share, middle + half))


def rate_together(measured: Iterable[PairingResult]) -> tuple[tuple[str, ...], tuple[BotRow, ...]]:
    """All bots of all pairings, rated together, opening by opening."""
    games = list(measured)
    names = tuple(dict.fromkeys(bot for scored in games for bot in scored.pairing.plan.bots))
    numbered = [
        ((entry.opening, at, entry.number), scored.pairing.plan.bots, entry)
        for at, scored in enumerate(games)
        for entry in scored.entries
    ]
    entries = [
        replace(entry, number=number, lineup=tuple(names.index(bots[i]) for i in entry.lineup))
        for number, (_, bots, entry) in enumerate(sorted(numbered, key=lambda each: each[0]))
    ]
    return names, compute_ranking(replace(games[0].pairing.plan, bots=names), entries).rows


def _gauntlet_plan(name: str, bots: tuple[str, str], games: int, seed: int) -> ArenaPlan:
    rules = GAMES[name].game(GAMES[name].bots_preset)
    return ArenaPlan(
        game=name,
        options=dict(rules.options),
        bots=bots,
        games=games,
        seed=seed,
        gauntlet=True,
        plies=default_plies(rules),
    )


def _play_pairings(name: str, ask: StrengthRequest, say: Say) -> Iterator[PairingResult]:
    console = Console(stderr=True)
    for pairing in pairings(name, ask.count, ask.seed):
        check_plan(pairing.plan)
        path = pairing_folder(ask.records, pairing)
        with open_folder(path, pairing.plan) as folder:
            try:
                workers = ask.workers or os.cpu_count() or 1
                entries = play_missing(pairing.plan, folder, workers, None, say, console)
            except KeyboardInterrupt:
                console.print(say(message("arena.stopped", folder=str(path))), highlight=False)
                raise ArenaInterrupted from None
        yield PairingResult(pairing, entries)


def pairing_folder(records: Path, pairing: Pairing) -> Path:
    return records / pairing.plan.game / f"{pairing.first}-{pairing.other}"


# The page


def render_page(
    measured: Mapping[str, Sequence[PairingResult]],
    left_out: Sequence[str],
    command: str,
    dates: Mapping[str, str],
    machine: str,
) -> str:
    titles = _game_titles()
    maker = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return maker.from_string(PAGE_TEMPLATE.read_text("utf-8")).render(
        command=command,
        machine=machine,
        games=[
            {
                "title": titles[name],
                "date": dates[name],
                "note": measure_plan(name).note.strip(),
                **_game_context(scored),
            }
            for name, scored in measured.items()
        ],
        left_out=[titles[name] for name in left_out],
    )


def merge_pages(old: str, new: str) -> str:
    """The new page, with what the old one says of games that the new one is silent about."""
    head, *_ = new.split(SECTION_MARK)
    parts = {
        part.partition("\n")[0]: part
        for page in (old, new)
        for part in page.split(SECTION_MARK)[1:]
    }
    kept = (parts[title] for title in _game_titles().values() if title in parts)
    return SECTION_MARK.join(part.rstrip("\n") + "\n" for part in (head, *kept))


def _game_titles() -> dict[str, str]:
    say = say_in(FALLBACK)
    return {name: say(message(f"{name}.title")) for name in GAMES}


def _game_context(measured: Sequence[PairingResult]) -> dict[str, Any]:
    """The part of the page about a game."""
    names, rows = rate_together(measured)
    plan = measured[0].pairing.plan
    return {
        "seats": plan.seat_count,
        "by_nodes": all("n" in name.partition("@")[2] for name in names if "@" in name),
        "games": sum(len(scored.entries) for scored in measured),
        "minutes": sum(sum(entry.seconds) for s in measured for entry in s.entries) / 60,
        "rows": [{"bot": names[row.bot], "row": row} for row in rows],
        "pairings": [_pairing_context(scored) for scored in measured],
        "overlaps": list(_overlaps(names, rows)),
        "commands": [arena_command(scored.pairing) for scored in measured],
    }


def _pairing_context(scored: PairingResult) -> dict[str, Any]:
    first, other, plan, aim = scored.pairing
    scores = scored.scores
    copies = plan.seat_count - 1
    return {
        "first": first,
        "other": f"{copies} x {other}" if copies > 1 else other,
        "games": len(scores),
        "wins": scores.count(1.0),
        "losses": scores.count(0.0),
        "score": wilson_interval(scores),
        "aim": aim,
    }


def _overlaps(names: Sequence[str], rows: Iterable[BotRow]) -> Iterator[tuple[str, str]]:
    """Neighbouring levels whose ratings could be the same, as far as is known."""
    found = {names[row.bot].partition("@")[0]: row for row in rows}
    for below, level in pairwise(LEVELS):
        one, other = found[below], found[level]
        if one.mu + 2 * one.sigma >= other.mu - 2 * other.sigma:
            yield below, level


def arena_command(pairing: Pairing) -> str:
    """The command that plays it again, and nothing else."""
    plan = pairing.plan
    more = f" --seed {plan.seed}" if plan.seed != 1 else ""
    return f"kibitz arena {plan.game} {' '.join(plan.bots)} --gauntlet -n {plan.games}{more}"


def _last_played_at(ask: StrengthRequest, measured: Iterable[PairingResult]) -> datetime:
    """When the last game was played, and not when the page was written."""
    files = (pairing_folder(ask.records, scored.pairing) / GAMES_FILE for scored in measured)
    return datetime.fromtimestamp(max(file.stat().st_mtime for file in files), UTC)


def _machine_text() -> str:
    known = Path("/proc/cpuinfo")
    lines = known.read_text("utf-8").splitlines() if known.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    chip = next(iter(named), platform.processor() or platform.machine())
    return f"{os.cpu_count() or 1} x {chip}, Python {platform.python_version()}"
