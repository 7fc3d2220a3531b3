"""What is kept of a match of Kalamala."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.core.game import Game
from kibitz.core.record import ReplayStep

DEEDS = ("placed", "pushed", "pulled", "pushed-off")


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Pairs are in the order of seats."""

    result: str
    """A, B or draw; empty for a match that was broken off."""
    why: str
    """The id of the sentence that says how it ended."""
    turns: int
    stones_lost: tuple[int, int]
    reserve_left: tuple[int, int]
    """What was left of it."""
    deeds: tuple[int, ...]
    """How often each of DEEDS was done."""


def summary(game: Game[Any, Any, Any], played: Sequence[ReplayStep[Any, Any]]) -> Summary:
    state = played[-1].step.state
    over = game.rules.outcome(state)
    ids = Counter(event.message.id for each in played for event in each.step.events)
    return Summary(
        result=over.result if over else "",
        why=over.why.id if over else "",
        turns=len(played),
        stones_lost=state.dead,
        reserve_left=state.reserve,
        deeds=tuple(ids[f"kalamala.{deed}"] for deed in DEEDS),
    )
