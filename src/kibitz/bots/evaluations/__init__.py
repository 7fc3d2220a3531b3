"""What a game's bots know of it: one module a game, found by the game's name.

It says what positions are worth; it may have a policy of its own, and a voice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib import import_module
from random import Random
from types import ModuleType
from typing import Any, TypeAlias, cast

from kibitz.core.game import Game, Seat

ValueFunction: TypeAlias = Callable[[Game[Any, Any, Any], Any, Seat], float]
"""(game, state, seat): more is better for the seat; well within a million either way."""
Policy: TypeAlias = Callable[[Game[Any, Any, Any], Any, Seat, Sequence[Any], Random], Any]
"""(game, view, seat, actions, rng) -> one of the actions; None to go by worth alone."""
AnytimePolicy: TypeAlias = Callable[[Game[Any, Any, Any], Any, Seat, Sequence[Any], Random], Any]
"""(game, view, seat, actions, rng) -> one of the anytime actions; None to stay silent."""


def value_function_for(game: str) -> ValueFunction | None:
    """How to judge positions of a game; None where nobody has written it down."""
    module = _evaluation_module(game)
    return cast(ValueFunction, module.position_value) if module else None


def policy_for(game: str) -> Policy | None:
    """How to choose in a game whose actions cannot be judged one at a time."""
    return cast("Policy | None", getattr(_evaluation_module(game), "choose", None))


def anytime_policy_for(game: str) -> AnytimePolicy | None:
    """What to say whoever's turn it is; None in a game where bots only take their turns."""
    return cast("AnytimePolicy | None", getattr(_evaluation_module(game), "choose_anytime", None))


@lru_cache
def _evaluation_module(game: str) -> ModuleType | None:
    name = f"{__name__}.{game.replace('-', '_')}"
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        return None
