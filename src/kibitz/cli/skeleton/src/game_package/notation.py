"""Positions and actions as text.

12 A        twelve stones are left, and it is A's turn
take 2      whose turn it is takes two
"""

from __future__ import annotations

import re

from game_package.options import Options
from game_package.state import State, Take
from kibitz.core.message import Refused, message

_STATE = re.compile(r"(0|[1-9]\d?) ([AB])")
_TAKE = re.compile(r"take ([1-9])")


def write_state(state: State) -> str:
    return f"{state.left} {state.turn}"


def read_state(options: Options, text: str) -> State:
    found = _STATE.fullmatch(text)
    if not found or int(found[1]) > options.stones:
        raise Refused(message("game-name.not-a-position", text=text[:60]))
    return State(int(found[1]), found[2])


def write_action(action: Take) -> str:
    return f"take {action.count}"


def read_action(text: str) -> Take:
    if not (found := _TAKE.fullmatch(text)):
        raise Refused(message("game-name.not-an-action", text=text[:60]))
    return Take(int(found[1]))
