"""A Kalamala position changed by hand.

Every side keeps its eight stones: one that is put down comes from the lost ones, or else from the
reserve, and one that is taken off is lost. So a stone that is taken from here and put there leaves
the counts as they were. Earlier boards mean nothing after a change, so they are forgotten; the
number of the turn stays.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from kibitz.core.editing import Changes, valid_edits
from kibitz.core.game import Edit, Place, Seat
from kibitz.core.message import message
from kibitz.games.kalamala.board import SQUARE_AT
from kibitz.games.kalamala.notation import read_state, write_state
from kibitz.games.kalamala.options import Options
from kibitz.games.kalamala.rules import start
from kibitz.games.kalamala.state import NO_PAST, RESERVE, SEATS, State, other_side

_RESERVES = {f"rs-{side}": side for side in SEATS}


def edits(options: Options, state: State, place: Place) -> tuple[Edit, ...]:
    """A square, a reserve, or the whole; a match that an event has ended goes on."""
    bare = replace(state, past=NO_PAST, end=None)
    if not place:
        return _possible_edits(options, state, _general_changes(options, bare))
    return _possible_edits(options, bare, _changes_at(bare, place))


def _possible_edits(options: Options, state: State, changes: Changes[State]) -> tuple[Edit, ...]:
    return valid_edits(write_state, partial(read_state, options), state, changes)


def _changes_at(state: State, place: Place) -> Changes[State]:
    if place in SQUARE_AT:
        return _square_changes(state, SQUARE_AT[place])
    return _reserve_changes(state, _RESERVES[place]) if place in _RESERVES else ()


def _square_changes(state: State, square: int) -> Changes[State]:
    empty = _without_stone(state, square)
    for side in SEATS:
        yield message(f"kalamala.edit-{side}"), _with_stone(empty, side, square)
    yield message("kalamala.edit-empty"), empty


def _without_stone(state: State, square: int) -> State:
    a, b = state.stones
    return replace(state, stones=(a & ~(1 << square), b & ~(1 << square)))


def _with_stone(state: State, side: Seat, square: int) -> State:
    index = SEATS.index(side)
    stones = list(state.stones)
    stones[index] |= 1 << square
    after = replace(state, stones=(stones[0], stones[1]))
    return after if after.dead[index] >= 0 else _with_reserve(after, side, -1)


def _reserve_changes(state: State, side: Seat) -> Changes[State]:
    yield message("kalamala.edit-reserve-more"), _with_reserve(state, side, 1)
    yield message("kalamala.edit-reserve-fewer"), _with_reserve(state, side, -1)


def _with_reserve(state: State, side: Seat, change: int) -> State:
    a, b = state.reserve
    return replace(state, reserve=(a + change, b) if side == "A" else (a, b + change))


def _general_changes(options: Options, state: State) -> Changes[State]:
    next = other_side(state.side)
    yield message("kalamala.edit-side", seat=next), replace(state, side=next)
    yield message("kalamala.edit-forget"), state
    yield message("kalamala.edit-clear"), replace(state, stones=(0, 0), reserve=(RESERVE, RESERVE))
    yield message("kalamala.edit-start"), start(options)
