"""A state into numbers and out of them: the only place that knows both worlds."""

from __future__ import annotations

import numpy as np

from kibitz.core.jit import i64, u64
from kibitz.games.kalamala.kernel.dispatch import append_board, forget_past
from kibitz.games.kalamala.kernel.encoding import MAX_TURN, PAST_CAPACITY, Packed
from kibitz.games.kalamala.state import NO_PAST, SEATS, Past, State, Stones


def pack(state: State, into: Packed) -> None:
    """Refused are a match that an event by a role has ended, a past that has boards with other
    numbers of pieces, and turns that nobody will reach. Of a past that is longer than the room
    the latest boards are packed, as a match inside the kernel forgets the oldest ones."""
    if state.end:
        raise ValueError(f"ended by a role: {state.end}")
    stood = sorted((turn, stones) for stones, turns in state.past.items() for turn in turns)
    if any(_piece_counts(stones) != _piece_counts(state.stones) for _, stones in stood):
        raise ValueError("an earlier board has other numbers of pieces")
    if state.turn >= MAX_TURN:
        raise ValueError(f"turn {state.turn} is too far")
    into.stones[:] = state.stones
    into.reserve[:] = state.reserve
    into.side[0] = SEATS.index(state.side)
    into.turn[0] = state.turn
    forget_past(into)
    for turn, (a, b) in stood[-PAST_CAPACITY:]:
        append_board(into, u64(a), u64(b), i64(turn))


def unpack(packed: Packed) -> State:
    past: Past = NO_PAST
    for a, b, turn in packed.past[: packed.length[0]].tolist():
        turns = (*past.get((a, b), ()), int(np.uint64(turn).astype(np.int64)))
        past = past.insert((a, b), turns)
    a, b = packed.stones.tolist()
    reserve_a, reserve_b = packed.reserve.tolist()
    side = SEATS[packed.side[0]]
    return State((a, b), side, (reserve_a, reserve_b), int(packed.turn[0]), past)


def _piece_counts(stones: Stones) -> tuple[int, int]:
    return stones[0].bit_count(), stones[1].bit_count()
