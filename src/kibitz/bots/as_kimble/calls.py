"""Statements of bots out of turn: the sentence, where they remember it, and completed penalties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from kibitz.core.game import Game, Seat
from kibitz.games.as_kimble.actions import Action, Completion, Hembo
from kibitz.games.as_kimble.board import previous_team
from kibitz.games.as_kimble.options import Options, options_from_json
from kibitz.games.as_kimble.rules.hembo import OWING_MARK, form_of
from kibitz.games.as_kimble.state import Popping, State, mark_of, side_of

FORGETFULNESS: Mapping[str, float] = {
    "greedy": 0.10,
    "level-1": 0.25,
    "level-2": 0.15,
    "level-3": 0.08,
    "level-4": 0.03,
    "level-5": 0.01,
}
"""The share of its duties that a bot forgets (10.5); others forget none."""


def choose_anytime(
    game: Game[Any, Any, Any],
    view: Any,
    seat: Seat,
    actions: Sequence[Action],
    rng: Random,
    bot: str = "",
) -> Action | None:
    """Says the sentence before the pop that is its deadline, and completes a penalty as an own
    turn begins (11.4)."""
    state: State = view.state
    said: Action = Completion(seat, 1)
    if mark_of(state, seat) == OWING_MARK and _remembers(state, seat, bot):
        said = Hembo(seat, form_of(Options(**options_from_json(game.options)), seat))
    elif not _has_turn_come(state, seat, game.options["finished"] == "skip"):
        return None
    return said if said in actions else None


def _remembers(state: State, seat: Seat, bot: str) -> bool:
    """True once it is time, unless it is forgotten: by the board, so that somebody else's word
    in between is no second chance."""
    if not isinstance(state.phase, Popping) or not state.phase.is_new:
        return False
    memory = Random(f"{bot} {seat} {state.sides} {state.phase}")
    return memory.random() >= FORGETFULNESS.get(bot, 0.0)


def _has_turn_come(state: State, seat: Seat, skips: bool) -> bool:
    """True if the turn has just come to a seat, or gone past it because it has placed all."""
    if not isinstance(state.phase, Popping) or not state.phase.is_new:
        return False
    team = state.phase.team
    while skips and team != seat and side_of(state, previous_team(team)).is_placed:
        team = previous_team(team)
    return team == seat
