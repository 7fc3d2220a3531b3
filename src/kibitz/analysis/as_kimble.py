"""The analysis of AS-Kimble: the chances of all four teams, by the value that its engine uses.

Once nothing is left but to run home they are exact.
"""

from __future__ import annotations

from kibitz.analysis.evaluation import AnyGame, Budget, Chances, normalise_chances
from kibitz.bots.as_kimble.chances import chances_of
from kibitz.bots.as_kimble.races import race_chances
from kibitz.games.as_kimble.state import Choosing, State

DEFAULT_NODES = 400


def position_chances(game: AnyGame, state: State, budget: Budget) -> Chances:
    """The chances of the seats, if the one with a number to use takes the best for itself."""
    phase = state.phase
    is_held_up = state.die.wanted_face or state.is_break
    if not isinstance(phase, Choosing) or is_held_up or is_exact(game, state):
        return normalise_chances(chances_of(game, state))
    mine, rules = game.seats.index(phase.team), game.rules
    actions = rules.turn_actions(state, phase.team)
    ahead = (rules.resolve(state, phase.team, each).state for each in actions)
    found = (normalise_chances(chances_of(game, each)) for each in ahead)
    return max(found, key=lambda each: each[mine])


def is_exact(game: AnyGame, state: State) -> bool:
    """True if the chances follow from the die and the rules alone."""
    return race_chances(game, state) is not None
