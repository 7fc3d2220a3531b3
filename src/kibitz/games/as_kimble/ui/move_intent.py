"""The move that somebody had in mind who has a number and touched what is not offered."""

from __future__ import annotations

import re

from kibitz.core.message import Message, message
from kibitz.games.as_kimble.actions import Action, Choice, Double, Enter, Move, Raise
from kibitz.games.as_kimble.board import (
    RING,
    SIX,
    grid_at,
    home_place,
    progress_at,
    ring_place,
    start_grid,
)
from kibitz.games.as_kimble.options import Options
from kibitz.games.as_kimble.rules.moves import END_PROGRESS, LAST_PROGRESS, has_piece_at, place_of
from kibitz.games.as_kimble.rules.turn import choices
from kibitz.games.as_kimble.state import Choosing, Side, State, grid_occupant, piece_at, side_of
from kibitz.games.as_kimble.ui.phrases import place_message
from kibitz.games.as_kimble.ui.turn_offers import chosen_message, chosen_start_message

OPPONENT_PLACE = re.compile("g-[RBYG][1-4]|h-[RBYG]")
"""A goal or a home; asked only of what is not the team's own."""


def number_intent(options: Options, state: State, first: str, second: str) -> Action | Message:
    team, _, side = _turn_parts(state)
    if first == home_place(team):
        return _home_intent(options, state, second)
    origin = _progress_of(team, first)
    if origin is None:
        if not OPPONENT_PLACE.fullmatch(first):
            return message("as-kimble.start", "6")
        return message("as-kimble.not-your-piece", "6", seat=first[2], at=first)
    if not has_piece_at(side, origin):
        return _elsewhere_message(options, state, origin, first)
    if origin > LAST_PROGRESS:
        return _goal_intent(options, state, origin, second)
    return _track_intent(options, state, origin, second)


def _turn_parts(state: State) -> tuple[str, int, Side]:
    """The team whose number it is, the number, and the team's side."""
    assert isinstance(state.phase, Choosing)
    return state.phase.team, state.phase.number, side_of(state, state.phase.team)


def _number_choices(options: Options, state: State) -> list[Choice]:
    assert isinstance(state.phase, Choosing)
    phase = state.phase
    return choices(options, state, phase.team, phase.number, phase.is_refused)


def _progress_of(team: str, place: str) -> int | None:
    """The progress of a place along the team's own way; None for what is not on it."""
    if found := re.fullmatch("t-([0-9]|1[0-9]|2[0-7])", place):
        return progress_at(team, int(found[1]))
    if found := re.fullmatch(f"g-{team}([1-4])", place):
        return LAST_PROGRESS + int(found[1])
    return None


def _elsewhere_message(options: Options, state: State, target: int, place: str) -> Message:
    """None of ours is there; perhaps one of ours was to go there."""
    team, _, _ = _turn_parts(state)
    met = grid_occupant(state, grid_at(team, target)) if target <= LAST_PROGRESS else None
    for choice in _number_choices(options, state):
        if isinstance(choice, Move) and choice.target == target:
            id = "as-kimble.eat-from" if met else "as-kimble.go-from"
            origin = place_message(team, choice.origin)
            return message(id, "6", target=place_message(team, target), origin=origin, at=place)
        if isinstance(choice, Enter) and target == 0:
            return message("as-kimble.enter-from", "6", grid=start_grid(team), at=place)
    if met:
        return message("as-kimble.not-your-piece", "6", seat=met[0], at=place)
    return message("as-kimble.start", "6", at=place)


# From home


def _home_intent(options: Options, state: State, second: str) -> Action | Message:
    """Onto the start grid, alone or to join a piece there."""
    team, _, side = _turn_parts(state)
    start, target = ring_place(start_grid(team)), _progress_of(team, second)
    own = piece_at(side, 0)
    leaves = Double(team) if own else Enter(team)
    joins = target is not None and piece_at(side, target) is not None
    if leaves not in _number_choices(options, state) or (joins and not own):
        return Double(team) if joins else Enter(team)
    if second == start:
        return leaves
    if second == home_place(team) or (target is None and not OPPONENT_PLACE.fullmatch(second)):
        return chosen_message(state, leaves) or leaves
    return message("as-kimble.enter-where", "6", grid=start_grid(team), at=second)


# On the track


def _track_intent(options: Options, state: State, origin: int, second: str) -> Action | Message:
    team, number, _ = _turn_parts(state)
    target = _progress_of(team, second)
    if second == home_place(team):
        if origin == 0:
            return Double(team)
        return message("as-kimble.no-way-home", "7.1", at=place_of(team, origin))
    if target is None:
        return _off_path_intent(options, state, origin, second)
    if target == origin or (target > LAST_PROGRESS and origin + number > END_PROGRESS):
        return _piece_intent(options, state, origin)
    if target <= LAST_PROGRESS < origin + number and (target - origin) % RING == number:
        last = grid_at(team, LAST_PROGRESS)
        return message("as-kimble.round-again", "6", grid=last, at=second)
    return Move(team, origin, target)


def _off_path_intent(options: Options, state: State, origin: int, second: str) -> Action | Message:
    if OPPONENT_PLACE.fullmatch(second):
        return message("as-kimble.not-your-goal", "6", seat=second[2], at=second)
    return _piece_intent(options, state, origin)


def _piece_intent(options: Options, state: State, origin: int) -> Action | Message:
    """The action of a piece, or why it has none; with a six it leaves the goal only by a raise."""
    team, number, _ = _turn_parts(state)
    choice: Choice = Move(team, origin, origin + number)
    if origin > LAST_PROGRESS and number == SIX:
        choice = Raise(team, origin - LAST_PROGRESS)
    found = _number_choices(options, state)
    if origin == 0 and Double(team) in found:
        return chosen_start_message(state, team)
    return chosen_message(state, choice) or choice if choice in found else choice


# In the goal


def _goal_intent(options: Options, state: State, origin: int, second: str) -> Action | Message:
    team, _, _ = _turn_parts(state)
    target = _progress_of(team, second)
    if second == home_place(team):
        return message("as-kimble.return-later", "9.2", at=place_of(team, origin))
    if target == 0:
        return Raise(team, origin - LAST_PROGRESS)
    if target is None:
        return _off_path_intent(options, state, origin, second)
    if target == origin:
        return _piece_intent(options, state, origin)
    if target <= LAST_PROGRESS:
        return message("as-kimble.goal-stays", "9.1", grid=start_grid(team), at=second)
    return Move(team, origin, target)
