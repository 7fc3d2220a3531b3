"""Plays anything, all actions alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.bots.api import SearchContext


def choose(view: Any, actions: Sequence[Any], think: SearchContext) -> Any:
    return think.rng.choice(actions)
