"""What positions are worth to a seat: one module a game, found by the game's name."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any, TypeAlias, cast

from kibitz.core.game import Game, Seat

Worth: TypeAlias = Callable[[Game[Any, Any, Any], Any, Seat], float]
"""(game, state, seat): more is better for the seat; well within a million either way."""


@lru_cache
def worth_in(game: str) -> Worth | None:
    """How to judge positions of a game; None where nobody has written it down."""
    name = f"{__name__}.{game.replace('-', '_')}"
    try:
        return cast(Worth, import_module(name).worth)
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        return None
