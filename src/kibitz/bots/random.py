"""Plays anything, all actions alike."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from kibitz.core.game import Action, Game, Seat, State, View


def play(
    game: Game[State, Action, View],
    view: View,
    seat: Seat,
    actions: Sequence[Action],
    rng: Random,
) -> Action:
    return rng.choice(actions)
