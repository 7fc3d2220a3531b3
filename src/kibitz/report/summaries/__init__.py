"""What is kept of a game: plain numbers, one module a game.

A summary is made of the lines of a match, so it can be made of a replayed record as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from kibitz.core.game import Game
from kibitz.core.record import ReplayStep
from kibitz.report.summaries import as_kimble, kahmate, kalamala

Summary: TypeAlias = as_kimble.Summary | kahmate.Summary | kalamala.Summary

SUMMARIES: dict[str, Callable[[Game[Any, Any, Any], Sequence[ReplayStep[Any, Any]]], Summary]] = {
    "as-kimble": as_kimble.summary,
    "kahmate": kahmate.summary,
    "kalamala": kalamala.summary,
}
