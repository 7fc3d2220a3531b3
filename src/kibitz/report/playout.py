"""Plays games with bots: the same games for the same seed, however many processes share them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from kibitz.bots.api import SearchContext
from kibitz.bots.player import MAX_MATCH_ACTIONS
from kibitz.bots.pool import process_pool
from kibitz.bots.registry import BOTS, bots_for_game
from kibitz.core.game import PRESS_DIE, Game, Seat
from kibitz.core.message import Refused, message
from kibitz.core.record import ReplayStep
from kibitz.games import GAMES
from kibitz.report.habits import Habits, preferred_actions, side_actions
from kibitz.report.summaries import SUMMARIES, Summary
from kibitz.table import open_table
from kibitz.table.autoplay import BotTurn, next_action


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPlan:
    """What is to be played. Everything in it can travel to another process."""

    game: str
    options: Mapping[str, Any]
    bots: tuple[str, ...]
    """One for each seat."""
    games: int = 200
    seed: int = 1
    habits: Habits = field(default_factory=Habits)

    def build_game(self) -> Game[Any, Any, Any]:
        return GAMES[self.game].game(self.options)

    @property
    def is_even(self) -> bool:
        """Whether all seats are played alike, so that a difference is the seat's own."""
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


def check_habits(game: Game[Any, Any, Any], habits: Habits) -> None:
    """Habits are AS-Kimble's, and a buffer that nobody empties would never let a game end."""
    if game.name != "as-kimble":
        if habits != Habits():
            raise Refused(message("report.habits-elsewhere", game=game.name))
        return
    if game.options["mode"] != "digital":
        raise Refused(message("report.digital"))
    is_free = game.options["pace"] == "free"
    if is_free and not habits.done:
        raise Refused(message("report.done-rate-needed"))
    if habits.done is not None and not is_free:
        raise Refused(message("report.done-rate-unneeded"))


def summaries(plan: ReportPlan, processes: int = 1) -> Iterator[Summary]:
    """One for each game, in order."""
    one = partial(game_summary, plan)
    if processes == 1 or plan.games == 1:
        yield from map(one, range(plan.games))
        return
    chunk = max(1, min(10, plan.games // (4 * processes)))
    with process_pool(processes) as pool:
        yield from pool.map(one, range(plan.games), chunksize=chunk)


def game_summary(plan: ReportPlan, index: int) -> Summary:
    return SUMMARIES[plan.game](plan.build_game(), list(play_game(plan, index)))


def play_game(plan: ReportPlan, index: int) -> Iterator[ReplayStep[Any, Any]]:
    """One game, action by action. Its chances depend on the seed and its number alone."""
    game, rng = plan.build_game(), Random(f"{plan.seed}/{index}")
    bots = dict(zip(game.seats, plan.bots, strict=True))
    table = open_table(game)

    def draw(state: Any) -> str:
        odds = game.rules.odds(state)
        (drawn,) = rng.choices(list(odds), [float(chance) for chance in odds.values()])
        return game.notation.write_action(drawn)

    def choose(turn: BotTurn) -> Any:
        """Where chance may speak it does."""
        if PRESS_DIE in turn.actions:
            return PRESS_DIE
        actions = preferred_actions(plan.habits, turn.actions, rng)
        think = SearchContext(game, turn.seat, rng)
        return BOTS[bots[turn.seat]](table.view(turn.seat), actions, think)

    for _ in range(MAX_MATCH_ACTIONS):
        following = next_action(table, bots, draw, choose)
        if following is None:
            return
        table, _ = table.act(*following)
        yield table.history[-1]
        for seat, aside in _side_actions(plan, game, table.history[-1].step, rng):
            if game.rules.why_not(table.state, seat, aside) is None:
                table, _ = table.act(seat, game.notation.write_action(aside))
                yield table.history[-1]


def _side_actions(
    plan: ReportPlan, game: Game[Any, Any, Any], step: Any, rng: Random
) -> Iterable[tuple[Seat, Any]]:
    return side_actions(plan.habits, game, step, rng) if game.name == "as-kimble" else ()
