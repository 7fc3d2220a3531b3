"""Kahmaté: runs for the ball and the line, tackles where it pays, and mixes its cards.

A turn is many actions with duels in between, so actions are not judged one at a time: the whole
turn is planned, anew after each of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from kibitz.bots.evaluations.kahmate.contests import card_mix, worth_in_turn
from kibitz.bots.evaluations.kahmate.judging import TRY
from kibitz.bots.evaluations.kahmate.lining_up import placement
from kibitz.bots.evaluations.kahmate.planning import planned
from kibitz.core.game import Game, Seat
from kibitz.games.kahmate.actions import Action, Card, Decline, Placement
from kibitz.games.kahmate.options import Options
from kibitz.games.kahmate.state import SEATS, Duelling, Passing, Playing, State, View
from kibitz.games.kahmate.view import as_state

SPARED = 15.0
"""An interception that gains so much is tried every other time: it takes a card."""


def position_value(game: Game[Any, Any, Any], state: State, seat: Seat) -> float:
    mine, theirs = state.score if seat == SEATS[0] else reversed(state.score)
    value = worth_in_turn(Options(**game.options), state)
    return TRY * (mine - theirs) + (value if seat == state.turn else -value)


def choose(
    game: Game[Any, Any, Any], view: View, seat: Seat, actions: Sequence[Action], rng: Random
) -> Action | None:
    """Nothing here looks at what is hidden: `as_seen` leaves it out."""
    options, state = Options(**game.options), as_state(view)
    match state.phase:
        case Playing():
            return planned(options, state)
        case Duelling() as duel:
            mix = card_mix(options, state, duel, seat)
            return Card(rng.choices(list(mix), [float(chance) for chance in mix.values()])[0])
        case Passing():
            return _jump(game, state, seat, actions, rng)
    if isinstance(actions[0], Placement):
        return placement(view, seat, [each for each in actions if isinstance(each, Placement)], rng)
    return None


def _jump(
    game: Game[Any, Any, Any], state: State, seat: Seat, actions: Sequence[Action], rng: Random
) -> Action:
    """The more an interception promises, the more often it is tried."""
    values = {
        each: position_value(game, game.rules.resolve(state, seat, each).state, seat)
        for each in actions
    }
    best = max(actions, key=lambda each: values[each])
    gain = values[best] - values[Decline()]
    return best if gain > 0 and rng.random() < gain / (gain + SPARED) else Decline()
