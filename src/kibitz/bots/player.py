"""One seat's player for one match: a built-in bot, a Python function or a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from kibitz.bots.api import Bot
from kibitz.core.message import Message

WitnessedAction: TypeAlias = Mapping[str, Any]
"""An action and its events as one seat witnessed them, as JSON (docs/bots.md)."""
Ending: TypeAlias = Mapping[str, Any]
"""The end of a match, as JSON (docs/bots.md)."""

MAX_MATCH_ACTIONS = 20_000
"""A match of bots that is not over after so many actions is broken off: under some options none
ends."""


class Forfeit(Exception):
    """A bot did not answer with an action it was offered; `why` says what it did instead."""

    def __init__(self, why: Message) -> None:
        super().__init__(why)
        self.why = why


def _no_lines(ending: Ending | None) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Player:
    choose: Bot
    """Raises Forfeit."""
    observe: Callable[[Sequence[WitnessedAction]], None] | None = None
    """To be told what its seat witnesses, before it chooses; None where it only looks at views."""
    end: Callable[[Ending | None], tuple[str, ...]] = _no_lines
    """It is over, or broken off: gives the lines that it wrote for its author. Once."""
