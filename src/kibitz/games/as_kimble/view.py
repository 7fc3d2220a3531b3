"""The view of a viewer. The game is open: all see the whole of it, each from their own seat."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from kibitz.core.game import Viewer
from kibitz.games.as_kimble.actions import Action
from kibitz.games.as_kimble.state import State


@dataclass(frozen=True, slots=True)
class View:
    viewer: Viewer
    """The seat whose dome and penalties these are: the state alone does not tell."""
    state: State


def view(state: State, viewer: Viewer, held: tuple[Action, ...]) -> View:
    return View(viewer, state)


def imagine(seen: View, rng: Random) -> State:
    return seen.state
