"""The answers of a coach about a position to one seat, as jobs for another process.

A position comes as the notation of a state that the seat's view could be of, so that nothing is
used which the seat cannot see.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from kibitz.analysis.duels import duel_of, is_card, solve_duel
from kibitz.analysis.evaluation import AnyGame, Evaluator, default_budget
from kibitz.analysis.findings import MAX_LINE_ACTIONS
from kibitz.analysis.jobs import PositionAnalysis, analyse_position
from kibitz.analysis.match import CHANCE_DIGITS, Alternative
from kibitz.bots.api import SearchContext
from kibitz.bots.registry import BOTS, LEVELS
from kibitz.core.game import (
    CHANCE,
    PRESS_DIE,
    Actor,
    Event,
    Seat,
    Viewer,
    visible_to,
    write_choice,
)
from kibitz.core.message import Refused
from kibitz.games import GAMES

MAX_ANSWERS = 2
"""So often a line that has come to its end goes on with the best answer."""
LARGE_LOSS, TOLD_LOSS = 0.15, 0.05
"""The losses, with two seats, that only a large mistake costs, and that are worth a word."""


class BotPlan(NamedTuple):
    """The expected line of a bot from a position on, its own turn first."""

    line: tuple[str, ...]
    chance: float
    """Of the bot to win, after its turn."""
    better: tuple[str, ...] = ()
    """The line that the best engine would have gone for, where that is worth more."""
    mix: tuple[Alternative, ...] = ()
    """The best mix, where it drew a card from one."""


def imagined_position(game: AnyGame, state: Any, seat: Seat, committed: Sequence[Any] = ()) -> str:
    """A position that this seat's view could be of: the same for all states that look alike."""
    view = game.rules.view(state, seat, tuple(committed))
    return game.notation.write_state(game.rules.imagine(view, Random(0)))


def advise(name: str, options: str, text: str, seat: Seat) -> PositionAnalysis:
    """The best actions of a seat; the best of all with the line that is expected, answers too."""
    found = analyse_position(name, options, text, seat)
    if not found.best or found.best[0].share:
        return found
    best, *others = found.best
    game = _game(name, options)
    line = _with_answers(game, options, text, best.line or (best.action,))
    return found._replace(best=(replace(best, line=line), *others))


def plan_of_bot(
    name: str, options: str, text: str, seat: Seat, bot: str, played: tuple[str, ...]
) -> BotPlan | None:
    """The plan behind what a bot played: its own line if it comes to the same again, else what the
    best engine expects from there on. None where actions are not compared."""
    game, analysis = _game(name, options), analyse_position(name, options, text, seat)
    state, judge = game.notation.read_state(text), Evaluator(game, default_budget(name))
    if not judge.is_weighed(state, seat) and not analysis.best:
        return None
    best = next(iter(analysis.best), None)
    if best and best.share:
        return BotPlan(played, best.chance, mix=analysis.best)
    line = _own_line(game, text, seat, bot, played)
    found = judge.chances(_state_after(game, state, played))
    chance = round(found[game.seats.index(seat)], CHANCE_DIGITS)
    is_outdone = best and even_loss(game, best.chance - chance) >= TOLD_LOSS
    return BotPlan(
        _with_answers(game, options, text, line),
        chance,
        better=best.line or (best.action,) if best and is_outdone else (),
    )


def loss_of(
    name: str, options: str, text: str, seat: Seat, actions: tuple[str, ...]
) -> float | None:
    """The chance that the seat loses by these actions; None where they are not compared."""
    game = _game(name, options)
    state, judge = game.notation.read_state(text), Evaluator(game, default_budget(name))
    listed = [game.notation.write_action(each) for each in game.rules.turn_actions(state, seat)]
    if len(listed) < 2 or not actions or not judge.is_weighed(state, seat):
        return None
    if is_card(game, game.notation.read_action(listed[0])):
        if actions[0] not in listed:
            return None
        return duel_of(solve_duel(game, state, judge.budget), seat, actions[0]).cost
    best = judge.rank_actions(state, seat)[0]
    mine, after = game.seats.index(seat), _state_after(game, state, actions)
    return max(0.0, judge.chances_with(state, seat, best.action)[mine] - judge.chances(after)[mine])


def even_loss(game: AnyGame, loss: float) -> float:
    """A loss as it would be with two seats: the more there are, the less each has to lose."""
    return loss * len(game.seats) / 2


def events_of_line(
    game: AnyGame, state: Any, line: Sequence[str], viewer: Viewer
) -> Iterator[tuple[Actor, tuple[Event, ...]]]:
    """The actors and events along a line that can be played, as this viewer would witness them."""
    for text in line:
        if text == PRESS_DIE:
            return
        try:
            action = game.notation.read_action(text)
            actor = game.rules.actor_of(state, action)
            step = game.rules.resolve(state, actor, action)
        except Refused:
            return
        state = step.state
        yield actor, visible_to(step.events, viewer)


def _own_line(
    game: AnyGame, text: str, seat: Seat, bot: str, played: tuple[str, ...]
) -> tuple[str, ...]:
    """The line that a bot of ours expects, if it begins with what it played; else only that."""
    state = game.notation.read_state(text)
    actions = game.rules.turn_actions(state, seat)
    if bot not in LEVELS or len(actions) < 2:
        return played
    think = SearchContext(game, seat, Random(0), nodes=default_budget(game.name).nodes)
    BOTS[bot](game.rules.view(state, seat, ()), actions, think)
    for each in think.evaluation.candidates:
        line = tuple(write_choice(game, action) for action in each.line)
        if line[: len(played)] == played:
            return line
    return played


def _with_answers(game: AnyGame, options: str, text: str, line: tuple[str, ...]) -> tuple[str, ...]:
    """A line and how it would go on, until it is long enough, or chance or cards decide."""
    for _ in range(MAX_ANSWERS):
        state = _state_after(game, game.notation.read_state(text), line)
        if PRESS_DIE in line or game.rules.outcome(state) or CHANCE in game.rules.to_act(state):
            break
        found = analyse_position(game.name, options, game.notation.write_state(state))
        if not found.best or found.best[0].share or len(line) >= MAX_LINE_ACTIONS:
            break
        line = (*line, *(found.best[0].line or (found.best[0].action,)))
    return line


def _state_after(game: AnyGame, state: Any, line: Sequence[str]) -> Any:
    """Raises Refused where the line cannot be played."""
    for text in filter(None, line):
        action = game.notation.read_action(text)
        state = game.rules.resolve(state, game.rules.actor_of(state, action), action).state
    return state


def _game(name: str, options: str) -> AnyGame:
    return GAMES[name].game(json.loads(options))
