"""The worth of a Kalamala position without a search: by weights, or by the net."""

from __future__ import annotations

from kibitz.bots.kalamala.buffers import WIN, Node, SearchBuffers
from kibitz.bots.kalamala.net import net_value
from kibitz.bots.kalamala.weights import (
    KILL,
    MASKS,
    MOVE,
    PAIR,
    RESERVE,
    RINGS,
    THREAT,
    TURN,
)
from kibitz.core.bits import popcount
from kibitz.core.jit import i64, jit, jit_inline, u64
from kibitz.games.kalamala.kernel.encoding import AXES
from kibitz.games.kalamala.kernel.moves import step_squares
from kibitz.games.kalamala.kernel.slides import slides


@jit_inline
def evaluate_position(
    d: SearchBuffers, own: int, others: int, reserve: int, reserve_others: int, ply: int
) -> tuple[int, int]:
    """The value for the side to act, and the set of others that one piece alone pushes off.

    A side that can do nothing has lost.
    """
    moves, kills = moves_and_kills(d, own, others)
    if moves == 0 and reserve == 0:
        return i64(ply - WIN), u64(0)
    if d.settings.uses_net != 0:
        found = net_value(d.net, own, others, reserve, reserve_others, moves, popcount(kills))
        return found, kills
    return _weighed_value(d, own, others, reserve, reserve_others, moves, kills), kills


@jit
def _weighed_value(
    d: SearchBuffers,
    own: int,
    others: int,
    reserve: int,
    reserve_others: int,
    moves: int,
    kills: int,
) -> int:
    moves_others, threats = moves_and_kills(d, others, own)
    here, there = popcount(own), popcount(others)
    w = d.weights
    value = i64(d.pieces[here + reserve] - d.pieces[there + reserve_others] + w[TURN])
    value = i64(value + w[RESERVE] * (reserve - reserve_others))
    value = i64(value + w[MOVE] * (moves - moves_others))
    value = i64(value + w[KILL] * min(popcount(kills), 2) - w[THREAT] * min(popcount(threats), 2))
    value = i64(value + w[PAIR] * (count_pairs(own) - count_pairs(others)))
    for ring in range(3):
        inside = popcount(u64(own & MASKS[ring])) - popcount(u64(others & MASKS[ring]))
        value = i64(value + w[RINGS + ring] * inside)
    return value


@jit
def static_value(d: SearchBuffers, n: Node, ply: int) -> int:
    return evaluate_position(d, n.own, n.others, n.reserve, n.reserve_others, ply)[0]


@jit
def moves_and_kills(d: SearchBuffers, own: int, others: int) -> tuple[int, int]:
    """The number of moves, and the set of others that one piece alone pushes off."""
    _, moves = slides(own, others, d.kinds, d.rears)
    return moves, u64(d.rears[0] & others)


@jit
def count_pairs(stones: int) -> int:
    """The number of neighbours in a row, in all four lines: what makes an anchor strong."""
    found = i64(0)
    for direction in AXES:
        found = i64(found + popcount(u64(stones & step_squares(stones, i64(direction)))))
    return found
