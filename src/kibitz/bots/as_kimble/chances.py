"""The chances of the four teams in any position of AS-Kimble: exact in a race, else judged."""

from __future__ import annotations

from typing import Any

from kibitz.bots.as_kimble.levels import shared_buffers
from kibitz.bots.as_kimble.races import race_chances
from kibitz.bots.as_kimble.search import evaluate_position, options_for_tries
from kibitz.core.game import Game
from kibitz.games.as_kimble import kernel
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.state import Colours, Lots, State

EVEN_CHANCES = (1 / len(TEAMS),) * len(TEAMS)


def chances_of(game: Game[Any, Any, Any], state: State) -> tuple[float, ...]:
    """The chances while the die is to fall; what is pending comes to its likely end.

    The sentence is taken as said and a break as over.
    """
    if over := game.rules.outcome(state):
        is_won = max(over.payoffs) > 0
        return tuple(float(each > 0) for each in over.payoffs) if is_won else EVEN_CHANCES
    if isinstance(state.phase, Lots | Colours):
        return EVEN_CHANCES
    if exact := race_chances(game, state):
        return exact
    packed: Any = kernel.blank()
    kernel.pack(state, packed)
    packed.owing, packed.said, packed.is_break = 0, 0, 0
    buffers = shared_buffers(True)
    evaluate_position(options_for_tries(kernel.option_codes(game.options)), buffers, packed)
    return tuple(float(each) for each in buffers.values)
