"""Numbers that stand for states and boards."""

from __future__ import annotations

from kibitz.core.bits import mix_bits
from kibitz.core.jit import i64, jit, u64
from kibitz.games.kalamala.kernel.encoding import TURN, A, B, OptionCodes, Packed


@jit
def key(options: OptionCodes, p: Packed) -> int:
    """A number for all that matters: the same for equal states, and as good as never for others."""
    past = u64(0)
    for place in range(p.length[0]):
        board = board_key(p.past[place, A], p.past[place, B])
        past = u64(past + mix_bits(u64(board + u64(p.past[place, TURN]))))
    kept = reserve_key(p.reserve[A], p.reserve[B], p.side[0])
    now = mix_bits(u64(u64(board_key(p.stones[A], p.stones[B]) ^ kept) + u64(p.turn[0])))
    return u64(now ^ past)


@jit
def board_key(a: int, b: int) -> int:
    """One part for each side, so that a move changes one of them: the key is what `^` gives."""
    return u64(stones_key(i64(A), a) ^ stones_key(i64(B), b))


@jit
def stones_key(side: int, stones: int) -> int:
    return mix_bits(u64(stones + u64(u64(side + 1) * u64(0xD6E8FEB86659FD93))))


@jit
def reserve_key(reserve_a: int, reserve_b: int, side: int) -> int:
    """The part of a key for the reserves and the side to act."""
    return mix_bits(u64(side + 2 * (reserve_a + 8 * reserve_b)))
