"""Statements of bots out of turn: the sentence when it is owed, and completed penalties."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from kibitz.core.game import Game, Seat
from kibitz.games.as_kimble.actions import Action, Completion, Hembo
from kibitz.games.as_kimble.board import previous_team
from kibitz.games.as_kimble.options import Options, options_from_json
from kibitz.games.as_kimble.rules.hembo import OWING_MARK, form_of
from kibitz.games.as_kimble.state import Popping, State, mark_of, side_of


def choose_anytime(
    game: Game[Any, Any, Any], view: Any, seat: Seat, actions: Sequence[Action], rng: Random
) -> Action | None:
    """Says the sentence when it is owed, and completes a penalty as an own turn begins (11.4)."""
    state: State = view.state
    said: Action = Completion(seat, 1)
    if mark_of(state, seat) == OWING_MARK:
        said = Hembo(seat, form_of(Options(**options_from_json(game.options)), seat))
    elif not _has_turn_come(state, seat, game.options["finished"] == "skip"):
        return None
    return said if said in actions else None


def _has_turn_come(state: State, seat: Seat, skips: bool) -> bool:
    """True if the turn has just come to a seat, or gone past it because it has placed all."""
    if not isinstance(state.phase, Popping) or not state.phase.is_new:
        return False
    team = state.phase.team
    while skips and team != seat and side_of(state, previous_team(team)).is_placed:
        team = previous_team(team)
    return team == seat
