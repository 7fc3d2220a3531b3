"""What one viewer may know of a duel."""

from __future__ import annotations

from random import Random

from duel.actions import Action, Choose
from duel.options import Options
from duel.rules import A, outcome
from duel.state import FACE_DOWN, State, View
from kibitz.core.game import Viewer


def view(options: Options, state: State, viewer: Viewer, held: tuple[Action, ...]) -> View:
    hidden = state.down is not None and viewer != A and not outcome(options, state)
    return View(
        viewer=viewer,
        steps=state.steps,
        hands=state.hands,
        down=FACE_DOWN if hidden else state.down,
        early=next((action.card for action in held if isinstance(action, Choose)), None),
        runner=state.runner,
        winds=state.winds,
        drawn=state.drawn,
    )


def imagine(seen: View, rng: Random) -> State:
    down = rng.choice(seen.hands[0]) if seen.down == FACE_DOWN else seen.down
    return State(seen.steps, seen.hands, down, seen.runner, seen.winds, seen.drawn)
