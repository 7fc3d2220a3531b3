"""A bot's question: all that it has to know to choose, fit to travel to another process."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from kibitz.bots.api import SearchContext
from kibitz.core.game import Seat
from kibitz.games import GAMES

MIN_THINK_S = 0.02
"""Seconds to think for whoever has waited too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    bot: str
    game: str
    options: Mapping[str, Any]
    view: Any
    seat: Seat
    texts: tuple[str, ...]
    """The choices; PRESS_DIE may be among them."""
    seed: int
    match: str = ""
    """For a bot that plays in several and remembers."""
    deadline: float | None = None
    """When its answer has to be there, by the clock that all processes of a machine share."""

    def search_context(self) -> SearchContext:
        left = None if self.deadline is None else self.deadline - time.monotonic()
        return SearchContext(
            GAMES[self.game].game(self.options),
            self.seat,
            Random(self.seed),
            match=self.match,
            max_seconds=None if left is None else max(MIN_THINK_S, left),
        )
