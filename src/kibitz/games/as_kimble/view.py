"""The view of a viewer. The game is open: all see the whole of it, each from their own seat."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from kibitz.core.game import Viewer
from kibitz.core.values import FrozenValue
from kibitz.games.as_kimble.actions import Action
from kibitz.games.as_kimble.state import NO_MARKS, State


class View(FrozenValue, frozen=True):
    viewer: Viewer
    """The seat whose dome and penalties these are: the state alone does not tell."""
    state: State
    is_reminded: bool = True
    """False for somebody who has to remember hembo without help: then no mark is in the state."""


def view(state: State, viewer: Viewer, held: tuple[Action, ...]) -> View:
    return View(viewer, state)


def without_reminders(seen: View) -> View:
    """The view of somebody who is not told who owes the sentence, or has said it (10.5)."""
    return View(seen.viewer, replace(seen.state, hembo=NO_MARKS), is_reminded=False)


def imagine(seen: View, rng: Random) -> State:
    return seen.state
