"""Plays games with bots: the same games for the same seed, however many processes share them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

from kibitz.bots.api import SearchContext
from kibitz.bots.player import MAX_MATCH_ACTIONS
from kibitz.bots.pool import process_pool
from kibitz.bots.registry import BOTS, bots_for_game
from kibitz.core.game import PRESS_DIE, Game
from kibitz.core.message import Refused, message
from kibitz.core.record import ReplayStep
from kibitz.games import GAMES, extra_of
from kibitz.table import open_table
from kibitz.table.autoplay import BotTurn, next_action


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPlan:
    """The games to be played. Everything in it can travel to another process."""

    game: str
    options: Mapping[str, Any]
    bots: tuple[str, ...]
    """One for each seat."""
    games: int = 200
    seed: int = 1
    rates: Mapping[str, float] = field(default_factory=dict)
    """Chances of what seats do beside what bots choose, where the game's module knows of some."""

    def build_game(self) -> Game[Any, Any, Any]:
        return GAMES[self.game].game(self.options)

    @property
    def is_even(self) -> bool:
        """True if all seats are played alike, so that a difference is the seat's own."""
        return len(set(self.bots)) == 1


def bots_for(game: Game[Any, Any, Any], names: str) -> tuple[str, ...]:
    """`greedy` for all seats, or `greedy,random` for one after the other."""
    given = tuple(name.strip() for name in names.split(","))
    for name in given:
        if name not in bots_for_game(game.name):
            raise Refused(
                message("cli.bot", bot=name[:60], bots=", ".join(bots_for_game(game.name)))
            )
    if len(given) == 1:
        return given * len(game.seats)
    if len(given) != len(game.seats):
        seats = ", ".join(game.seats)
        raise Refused(message("report.bots", n=len(given), seats=seats))
    return given


def report_module(game: str) -> Any:
    """The module that makes the report on a game (see the package)."""
    return extra_of(game, "report") or import_module("kibitz.report.every_game")


def read_rates(game: Game[Any, Any, Any], texts: Sequence[str]) -> dict[str, float]:
    """Each `NAME=CHANCE`; raises Refused where a game knows no such rate, or needs another."""
    expert, rates = report_module(game.name), dict[str, float]()
    known = getattr(expert, "RATES", ())
    for text in texts:
        name, _, chance = text.partition("=")
        with suppress(ValueError):
            rates[name] = float(chance)
        if name not in known or not 0 <= rates.get(name, -1) <= 1:
            names = ", ".join(known) or "-"
            raise Refused(message("report.rate", text=text[:60], game=game.name, rates=names))
    if known:
        expert.check_rates(game, rates)
    return rates


def summaries(plan: ReportPlan, processes: int = 1) -> Iterator[Any]:
    """Return the summary of each game, in order."""
    one = partial(game_summary, plan)
    if processes == 1 or plan.games == 1:
        yield from map(one, range(plan.games))
        return
    chunk = max(1, min(10, plan.games // (4 * processes)))
    with process_pool(processes) as pool:
        yield from pool.map(one, range(plan.games), chunksize=chunk)


def game_summary(plan: ReportPlan, index: int) -> Any:
    return report_module(plan.game).summary(plan.build_game(), list(play_game(plan, index)))


def play_game(plan: ReportPlan, index: int) -> Iterator[ReplayStep[Any, Any]]:
    """One game, action by action. Its chances depend on the seed and its number alone."""
    game, rng = plan.build_game(), Random(f"{plan.seed}/{index}")
    bots = dict(zip(game.seats, plan.bots, strict=True))
    table, expert = open_table(game), report_module(plan.game)
    has_rates = hasattr(expert, "RATES")

    def draw(odds: Mapping[Any, Fraction]) -> str:
        (drawn,) = rng.choices(list(odds), [float(chance) for chance in odds.values()])
        return game.notation.write_action(drawn)

    def choose(turn: BotTurn) -> Any:
        """Return the next action; where chance may act, it does."""
        if PRESS_DIE in turn.actions:
            return PRESS_DIE
        actions = turn.actions
        if has_rates:
            actions = expert.preferred_actions(plan.rates, actions, rng)
        think = SearchContext(game, turn.seat, rng)
        return BOTS[bots[turn.seat]](table.view(turn.seat), actions, think)

    for _ in range(MAX_MATCH_ACTIONS):
        following = next_action(table, bots, draw, choose)
        if following is None:
            return
        table, _ = table.act(*following)
        yield table.history[-1]
        step = table.history[-1].step
        for seat, aside in expert.side_actions(plan.rates, game, step, rng) if has_rates else ():
            if game.rules.why_not(table.state, seat, aside) is None:
                table, _ = table.act(seat, game.notation.write_action(aside))
                yield table.history[-1]
