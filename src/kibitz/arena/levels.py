"""What `kibitz strength` does: measures the levels of each game, and writes the page about it.

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

from kibitz.arena.cli import Stopped, all_played
from kibitz.arena.plan import Plan, check, usual_plies
from kibitz.arena.ranking import Entry, Row, Z, standing
from kibitz.arena.store import GAMES as GAMES_FILE
from kibitz.arena.store import opened
from kibitz.bots.registry import LEVELS, MCTS, has_mind
from kibitz.core.message import message
from kibitz.games import GAMES
from kibitz.i18n import say_in

PAGE = Path(__file__).with_suffix(".md")
PART = "\n## "
RANDOM, GREEDY, BEST = "random", "greedy", LEVELS[-1]
QUICK = LEVELS[:-1]
SANITY = 100
"""Games of the first level against chance, which say little."""
TWO, FOUR = 2, 4


@dataclass(frozen=True, slots=True)
class Course:
    """How a game is measured: what a decision may cost each bot, and how many games are played."""

    budgets: Mapping[str, str]
    """As they are typed after a bot. The plain search gets a fifth of the time of the best."""
    levels: int
    """Of each level against the one below."""
    greedy: int
    mcts: int

    def bot(self, name: str) -> str:
        return f"{name}@{self.budgets[name]}" if name in self.budgets else name


COURSES = {
    "kalamala": Course(
        {**dict.fromkeys(QUICK, "40000n"), BEST: "150000n", MCTS: "1600n"}, 200, 100, 100
    ),
    "kahmate": Course(
        {**dict.fromkeys(QUICK, "20000n"), BEST: "500000n", MCTS: "110n"}, 200, 100, 100
    ),
    "as-kimble": Course(
        {**dict.fromkeys(QUICK, "100n"), BEST: "500n", MCTS: "60n"}, 2000, 2000, 200
    ),
}
BY_THE_CLOCK = Course(
    {**dict.fromkeys(QUICK, "0.01s"), BEST: "0.05s", MCTS: "0.01s"}, 100, 100, 100
)
"""Of a game that is not among them: a hundredth of what each has at a table."""
AIMS: dict[int, dict[str, float]] = {
    TWO: {**dict.fromkeys(LEVELS, 0.65), GREEDY: 0.95, MCTS: 0.80},
    FOUR: {GREEDY: 0.33},
}
"""By seats: what the best is to score against a plain bot, and any level against the one below."""


class Pairing(NamedTuple):
    """One bot against another, or against as many of that other as there are seats left."""

    first: str
    other: str
    plan: Plan
    aim: float | None


class Scored(NamedTuple):
    pairing: Pairing
    entries: Sequence[Entry]

    @property
    def scores(self) -> list[float]:
        """Of the first one, in each game."""
        return [entry.scores[entry.lineup.index(0)] for entry in self.entries]


class Interval(NamedTuple):
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Ask:
    """What somebody wants to be measured."""

    games: Sequence[str]
    records: Path
    count: int | None = None
    """Of each pairing, in place of what is usual."""
    seed: int = 1
    workers: int = 0


def measure(ask: Ask, command: str, page: str = "") -> str:
    """Play what is missing; the page about all of it. `command` is what was typed.

    What `page`, an earlier one, says of other games stays.
    """
    measured = {name: list(_scored(name, ask)) for name in ask.games if has_mind(name)}
    left_out = [name for name in ask.games if name not in measured]
    dates = {name: _latest(ask, scored).date().isoformat() for name, scored in measured.items()}
    return merged(page, page_of(measured, left_out, command, dates, _machine()))


def pairings(name: str, count: int | None = None, seed: int = 1) -> Iterator[Pairing]:
    """Who plays whom at a game: the ladder from chance to the best, then the best and others."""
    course = COURSES.get(name, BY_THE_CLOCK)
    ladder = [
        (level, below, SANITY if below == RANDOM else course.levels)
        for below, level in pairwise((RANDOM, *LEVELS))
    ]
    for first, other, usual in (
        *ladder,
        (BEST, GREEDY, course.greedy),
        (BEST, MCTS, course.mcts),
    ):
        plan = _plan(name, (course.bot(first), course.bot(other)), count or usual, seed)
        yield Pairing(first, other, plan, AIMS[plan.seats].get(other))


def wilson(scores: Sequence[float]) -> Interval:
    """The mean, and where the true one lies with 95 % certainty, were all games independent."""
    n = len(scores)
    share = sum(scores) / n
    middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    return Interval(share, min(share, middle - half), max(share, middle + half))


def rated(measured: Iterable[Scored]) -> tuple[tuple[str, ...], tuple[Row, ...]]:
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
    return names, standing(replace(games[0].pairing.plan, bots=names), entries).rows


def _plan(name: str, bots: tuple[str, str], games: int, seed: int) -> Plan:
    rules = GAMES[name].game(GAMES[name].bots_preset)
    return Plan(
        game=name,
        options=dict(rules.options),
        bots=bots,
        games=games,
        seed=seed,
        gauntlet=True,
        plies=usual_plies(rules),
    )


def _scored(name: str, ask: Ask) -> Iterator[Scored]:
    say, console = say_in("en"), Console(stderr=True)
    for pairing in pairings(name, ask.count, ask.seed):
        check(pairing.plan)
        path = folder_of(ask.records, pairing)
        with opened(path, pairing.plan) as folder:
            try:
                workers = ask.workers or os.cpu_count() or 1
                entries = all_played(pairing.plan, folder, workers, None, say, console)
            except KeyboardInterrupt:
                console.print(say(message("arena.stopped", folder=str(path))), highlight=False)
                raise Stopped from None
        yield Scored(pairing, entries)


def folder_of(records: Path, pairing: Pairing) -> Path:
    return records / pairing.plan.game / f"{pairing.first}-{pairing.other}"


# The page


def page_of(
    measured: Mapping[str, Sequence[Scored]],
    left_out: Sequence[str],
    command: str,
    dates: Mapping[str, str],
    machine: str,
) -> str:
    titles = _titles()
    maker = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return maker.from_string(PAGE.read_text("utf-8")).render(
        command=command,
        machine=machine,
        games=[
            {"title": titles[name], "date": dates[name], **_told(scored)}
            for name, scored in measured.items()
        ],
        left_out=[titles[name] for name in left_out],
    )


def merged(old: str, new: str) -> str:
    """The new page, with what the old one says of games that the new one is silent about."""
    head, *_ = new.split(PART)
    parts = {part.partition("\n")[0]: part for page in (old, new) for part in page.split(PART)[1:]}
    kept = (parts[title] for title in _titles().values() if title in parts)
    return PART.join(part.rstrip("\n") + "\n" for part in (head, *kept))


def _titles() -> dict[str, str]:
    say = say_in("en")
    return {name: say(message(f"{name}.title")) for name in GAMES}


def _told(measured: Sequence[Scored]) -> dict[str, Any]:
    """What the page tells of a game."""
    names, rows = rated(measured)
    plan = measured[0].pairing.plan
    return {
        "seats": plan.seats,
        "by_nodes": all("n" in name.partition("@")[2] for name in names if "@" in name),
        "games": sum(len(scored.entries) for scored in measured),
        "minutes": sum(sum(entry.seconds) for s in measured for entry in s.entries) / 60,
        "rows": [{"bot": names[row.bot], "row": row} for row in rows],
        "pairings": [_pairing_told(scored) for scored in measured],
        "overlaps": list(_overlaps(names, rows)),
        "commands": [command_of(scored.pairing) for scored in measured],
    }


def _pairing_told(scored: Scored) -> dict[str, Any]:
    first, other, plan, aim = scored.pairing
    scores = scored.scores
    copies = plan.seats - 1
    return {
        "first": first,
        "other": f"{copies} x {other}" if copies > 1 else other,
        "games": len(scores),
        "wins": scores.count(1.0),
        "losses": scores.count(0.0),
        "score": wilson(scores),
        "aim": aim,
    }


def _overlaps(names: Sequence[str], rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
    """Neighbouring levels whose ratings could be the same, as far as is known."""
    found = {names[row.bot].partition("@")[0]: row for row in rows}
    for below, level in pairwise(LEVELS):
        one, other = found[below], found[level]
        if one.mu + 2 * one.sigma >= other.mu - 2 * other.sigma:
            yield below, level


def command_of(pairing: Pairing) -> str:
    """What plays it again, and nothing else."""
    plan = pairing.plan
    more = f" --seed {plan.seed}" if plan.seed != 1 else ""
    return f"kibitz arena {plan.game} {' '.join(plan.bots)} --gauntlet -n {plan.games}{more}"


def _latest(ask: Ask, measured: Iterable[Scored]) -> datetime:
    """When the last game was played, and not when the page was written."""
    files = (folder_of(ask.records, scored.pairing) / GAMES_FILE for scored in measured)
    return datetime.fromtimestamp(max(file.stat().st_mtime for file in files), UTC)


def _machine() -> str:
    known = Path("/proc/cpuinfo")
    lines = known.read_text("utf-8").splitlines() if known.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    chip = next(iter(named), platform.processor() or platform.machine())
    return f"{os.cpu_count() or 1} x {chip}, Python {platform.python_version()}"
