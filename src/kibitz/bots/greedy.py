"""Takes the action that leads to the best position, and looks no further.

What positions are worth a game's engine knows (its `greedy`). In a game without one it goes by the
score that its story tells; a win is worth more than any score, and ties are broken by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from kibitz.bots.api import Bot, SearchContext
from kibitz.core.game import PRESS_DIE, Game, Seat
from kibitz.core.message import Refused
from kibitz.games import extra_of

WIN_VALUE = 1_000_000.0
"""The value of a payoff of one: more than any score."""


MAX_NODES = 20_000
"""It looks at no more, and no clock hurries it: the same dice give the same choice."""


def choose(view: Any, actions: Sequence[Any], think: SearchContext) -> Any:
    engine = extra_of(think.game.name, "bots")
    bot: Bot = engine.greedy if engine else choose_by_score
    return bot(view, actions, replace(think, nodes=MAX_NODES))


def choose_by_score(view: Any, actions: Sequence[Any], think: SearchContext) -> Any:
    """Needs nothing but the game itself."""
    game, seat, rng = think.game, think.seat, think.rng
    state = game.rules.imagine(view, rng)
    return max(actions, key=lambda each: (_value_after(game, state, seat, each), rng.random()))


def _value_after(game: Game[Any, Any, Any], state: Any, seat: Seat, action: Any) -> float:
    """The score after an action; a press, or what is committed early, changes nothing yet."""
    if action != PRESS_DIE:
        with suppress(Refused):
            state = game.rules.resolve(state, seat, action).state
    mine = game.seats.index(seat)
    if over := game.rules.outcome(state):
        return WIN_VALUE * over.payoffs[mine]
    score = game.story.score(state)
    return score[mine] - max(score[:mine] + score[mine + 1 :]) if score else 0.0
