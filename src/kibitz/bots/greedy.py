"""Looks one action ahead and takes what is worth most; a win is worth more than anything.

A game may have a policy of its own, which then goes first.

Before it settles on an action it looks whether somebody could answer with a win, and if so
takes the next best. Ties are broken by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.bots.api import SearchContext
from kibitz.bots.evaluations import ValueFunction, policy_for, value_function_for
from kibitz.core.game import CHANCE, Action, Game, Outcome, Seat, State, View
from kibitz.core.message import Refused

WIN_VALUE = 1_000_000.0
"""What a payoff of one is worth: more than any position."""
MAX_REPLIES = 400
"""How many answers it looks at in all, so that a decision stays quick."""


def choose(view: Any, actions: Sequence[Any], think: SearchContext) -> Any:
    game, seat, rng = think.game, think.seat, think.rng
    policy = policy_for(game.name)
    if policy and (action := policy(game, view, seat, actions, rng)) is not None:
        return action
    worth, state = value_function_for(game.name), game.rules.imagine(view, rng)
    ahead = [_state_after(game, state, seat, action) for action in actions]
    values = [_value(game, after, seat, worth) for after in ahead]
    ranked = sorted(range(len(actions)), key=lambda i: (values[i], rng.random()), reverse=True)
    left = MAX_REPLIES
    for index in ranked:
        replies = _replies(game, ahead[index], seat)
        left -= len(replies)
        if left < 0:
            break
        if not any(_is_losing_reply(game, ahead[index], seat, *reply) for reply in replies):
            return actions[index]
    return actions[ranked[0]]


def _state_after(
    game: Game[State, Action, View], state: State, seat: Seat, action: Action
) -> State:
    """Where an action leads; what is committed before its turn leads nowhere yet."""
    try:
        return game.rules.resolve(state, seat, action).state
    except Refused:
        return state


def _value(
    game: Game[State, Action, View], state: State, seat: Seat, worth: ValueFunction | None
) -> float:
    if over := game.rules.outcome(state):
        return WIN_VALUE * _payoff(game, over, seat)
    return worth(game, state, seat) if worth else 0.0


def _payoff(game: Game[State, Action, View], over: Outcome, seat: Seat) -> int:
    return over.payoffs[game.seats.index(seat)]


def _replies(
    game: Game[State, Action, View], state: State, seat: Seat
) -> list[tuple[Seat, Action]]:
    others = sorted(game.rules.to_act(state) - {CHANCE, seat})
    return [(other, action) for other in others for action in game.rules.turn_actions(state, other)]


def _is_losing_reply(
    game: Game[State, Action, View], state: State, seat: Seat, other: Seat, reply: Action
) -> bool:
    over = game.rules.outcome(game.rules.resolve(state, other, reply).state)
    return over is not None and _payoff(game, over, seat) < max(over.payoffs)
