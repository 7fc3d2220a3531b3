"""AS-Kimble: the chances of all four teams, by the judgement that its mind goes by."""

from __future__ import annotations

from typing import Any

from kibitz.analysis.evaluation import AnyGame, Budget, Chances, evened, shared
from kibitz.bots.as_kimble.levels import desk_of
from kibitz.bots.as_kimble.search import in_tries, judge
from kibitz.games.as_kimble import kernel
from kibitz.games.as_kimble.state import Choosing, Colours, Lots, State

EVEN: Chances = (0.25,) * 4


def judged(game: AnyGame, state: State, budget: Budget) -> Chances:
    """Whoever has a number to use does with it what is best for them."""
    if isinstance(state.phase, Lots | Colours):
        return EVEN
    if not isinstance(state.phase, Choosing) or state.die.wanted or state.is_break:
        return _standing(game, state)
    team = state.phase.team
    mine = game.seats.index(team)
    ahead = (game.resolve(state, team, each).state for each in game.turn_actions(state, team))
    return max((_standing(game, each) for each in ahead), key=lambda found: found[mine])


def _standing(game: AnyGame, state: State) -> Chances:
    """While the die is to fall; what is pending is taken to come to its likely end."""
    if over := game.outcome(state):
        return shared(over.payoffs)
    if isinstance(state.phase, Lots | Colours):
        return EVEN
    packed: Any = kernel.blank()
    kernel.pack(state, packed)
    packed.owing, packed.said, packed.is_break = 0, 0, 0
    desk = desk_of(True)
    judge(in_tries(kernel.house(game.options)), desk, packed)
    return evened([float(each) for each in desk.worth])
