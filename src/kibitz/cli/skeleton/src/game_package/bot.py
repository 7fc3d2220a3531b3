"""A bot that plays Game Title as well as can be."""

from __future__ import annotations

from collections.abc import Sequence

from game_package.state import State, Take
from kibitz.bots.api import SearchContext


def choose(view: State, actions: Sequence[Take], think: SearchContext) -> Take:
    """Leave a number of stones from which every answer can be made up for."""
    round_of_two = think.game.options["most"] + 1
    good = [each for each in actions if (view.left - each.count) % round_of_two == 0]
    return think.rng.choice(good or actions)
