"""The analysis of AS-Kimble: the chances of all four teams, by the value that its engine uses."""

from __future__ import annotations

from typing import Any

from kibitz.analysis.evaluation import AnyGame, Budget, Chances, normalise_chances, result_chances
from kibitz.bots.as_kimble.levels import shared_buffers
from kibitz.bots.as_kimble.search import evaluate_position, options_for_tries
from kibitz.games.as_kimble import kernel
from kibitz.games.as_kimble.state import Choosing, Colours, Lots, State

DEFAULT_NODES = 400
EVEN_CHANCES: Chances = (0.25,) * 4


def position_chances(game: AnyGame, state: State, budget: Budget) -> Chances:
    """The chances of the seats, if the one with a number to use takes the best for itself."""
    if isinstance(state.phase, Lots | Colours):
        return EVEN_CHANCES
    if not isinstance(state.phase, Choosing) or state.die.wanted_face or state.is_break:
        return _settled_chances(game, state)
    team = state.phase.team
    mine = game.seats.index(team)
    ahead = (
        game.rules.resolve(state, team, each).state for each in game.rules.turn_actions(state, team)
    )
    return max((_settled_chances(game, each) for each in ahead), key=lambda found: found[mine])


def _settled_chances(game: AnyGame, state: State) -> Chances:
    """While the die is to fall; what is pending is taken to come to its likely end."""
    if over := game.rules.outcome(state):
        return result_chances(over.payoffs)
    if isinstance(state.phase, Lots | Colours):
        return EVEN_CHANCES
    packed: Any = kernel.blank()
    kernel.pack(state, packed)
    packed.owing, packed.said, packed.is_break = 0, 0, 0
    buffers = shared_buffers(True)
    evaluate_position(options_for_tries(kernel.option_codes(game.options)), buffers, packed)
    return normalise_chances([float(each) for each in buffers.values])
