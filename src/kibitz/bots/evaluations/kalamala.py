"""What a Kalamala position is worth: pieces, what can be pushed off, room to move, the middle.

The weights are those that won most of some hundred matches of greedy against itself.
"""

from __future__ import annotations

from typing import Any

from kibitz.core.game import Game, Seat
from kibitz.games.kalamala.board import RAYS, SIZE, SQUARES, squares_of
from kibitz.games.kalamala.rules import Hold, holds
from kibitz.games.kalamala.state import SEATS, State, other_side

PIECE = 100.0
"""On the board or in reserve: holding pieces back was neither better nor worse."""
KILL = 80.0
"""A piece that the side to act can push off at once."""
THREAT = 30.0
"""A piece that the other side could push off, were it its turn."""
MOVE = 2.0
MIDDLE = 12.0
"""For each square between a piece and the edge."""

FROM_EDGE = [min(s % SIZE, SIZE - 1 - s % SIZE, s // SIZE, SIZE - 1 - s // SIZE) for s in SQUARES]


def position_value(game: Game[Any, Any, Any], state: State, seat: Seat) -> float:
    return _side_value(state, seat) - _side_value(state, other_side(seat))


def _side_value(state: State, seat: Seat) -> float:
    index = SEATS.index(seat)
    own, enemy, reserve = state.stones[index], state.stones[1 - index], state.reserve[index]
    ways = kills = 0
    for hold in holds(state.stones, seat):
        pushes, pushed_off = _push_counts(hold, own | enemy)
        ways += pushes + sum(
            min(len(hold.anchor) // length, hold.gap) for length in range(1, len(hold.seen_row) + 1)
        )
        if enemy >> hold.seen_row[0] & 1:
            kills = max(kills, pushed_off)
    return (
        PIECE * (own.bit_count() + reserve)
        + (KILL if seat == state.side else THREAT) * kills
        + MOVE * ways
        + MIDDLE * sum(FROM_EDGE[square] for square in squares_of(own))
    )


def _push_counts(hold: Hold, occupied: int) -> tuple[int, int]:
    """How many distances this hold can push, and how many pieces fall at the greatest."""
    power, way = len(hold.anchor) // len(hold.seen_row), RAYS[hold.direction][hold.seen_row[-1]]
    for distance, ahead in enumerate(way[:power]):
        if occupied >> ahead & 1:
            return distance, 0
    return power, min(len(hold.seen_row), max(0, power - len(way)))
