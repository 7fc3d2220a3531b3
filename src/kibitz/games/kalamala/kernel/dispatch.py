"""The rules: who may act, the actions, and what they lead to (2 to 5)."""

from __future__ import annotations

from kibitz.core.bits import bit, lowest_bit, popcount, without_lowest_bit
from kibitz.core.jit import Numbers, i64, jit, jit_inline, u64
from kibitz.games.kalamala.kernel.encoding import (
    ANY_REPETITION,
    HINT_WORDS,
    KO,
    LENGTH_UNIT,
    PAST_CAPACITY,
    SITUATIONAL,
    TURN,
    A,
    B,
    OptionCodes,
    Packed,
)
from kibitz.games.kalamala.kernel.moves import is_fall, moves, stones_after
from kibitz.games.kalamala.kernel.slides import slides
from kibitz.games.kalamala.options import DEFAULT
from kibitz.games.kalamala.rules import start as first_state
from kibitz.games.kalamala.state import RESERVE

FIRST_A, FIRST_B = first_state(DEFAULT).stones
NOBODY = 0


@jit
def copy(source: Packed, target: Packed) -> None:
    for side in range(2):
        target.stones[side], target.reserve[side] = source.stones[side], source.reserve[side]
    target.side[0], target.turn[0] = source.side[0], source.turn[0]
    target.length[0] = source.length[0]
    for word in range(HINT_WORDS):
        target.hints[word] = source.hints[word]
    for place in range(source.length[0]):
        for column in range(3):
            target.past[place, column] = source.past[place, column]


# 2  The start


@jit
def start(options: OptionCodes, p: Packed) -> None:
    p.stones[A], p.stones[B] = FIRST_A, FIRST_B
    p.reserve[A] = p.reserve[B] = RESERVE
    p.side[0] = options.first
    p.turn[0] = 1
    forget_past(p)


@jit
def to_act(options: OptionCodes, p: Packed) -> int:
    if is_limit_reached(options, p) or not can_act(options, p):
        return i64(NOBODY)
    return i64(1 << p.side[0])


@jit
def turn_actions(options: OptionCodes, p: Packed, actor: int, out: Numbers) -> int:
    if to_act(options, p) != 1 << actor:
        return i64(0)
    return legal_actions(options, p, out)


@jit
def anytime_actions(options: OptionCodes, p: Packed, seat: int, out: Numbers) -> int:
    return i64(0)


# 3  Actions


@jit
def legal_actions(options: OptionCodes, p: Packed, out: Numbers) -> int:
    """Fill `out` with what the side to act may do, also where the match has ended another way."""
    return playable_moves(options, p, out, placements(p, out))


# 3.1  Placement


@jit
def placements(p: Packed, out: Numbers) -> int:
    end = i64(0)
    if p.reserve[p.side[0]] > 0:
        empty = u64(~u64(p.stones[A] | p.stones[B]))
        while empty != u64(0):
            out[end] = lowest_bit(empty)
            end, empty = i64(end + 1), without_lowest_bit(empty)
    return end


# 4  End of the game


@jit
def outcome(options: OptionCodes, p: Packed, payoffs: Numbers) -> bool:
    payoffs[A] = payoffs[B] = 0
    if not can_act(options, p):
        pay_loss(p.side[0], payoffs)
        return True
    return is_limit_reached(options, p)


@jit_inline
def pay_loss(side: int, payoffs: Numbers) -> None:
    payoffs[side], payoffs[1 - side] = -1, 1


@jit_inline
def is_limit_reached(options: OptionCodes, p: Packed) -> bool:
    """Only where the side to act can act is the match a draw (6)."""
    return options.turn_limit > 0 and p.turn[0] > options.turn_limit


@jit
def can_act(options: OptionCodes, p: Packed) -> bool:
    """A side with a piece in reserve always can."""
    return p.reserve[p.side[0]] > 0 or count_choices(options, p, i64(1)) > 0


@jit
def count_choices(options: OptionCodes, p: Packed, enough: int) -> int:
    """The number of legal actions, counted no further than `enough`."""
    side = p.side[0]
    own, others = p.stones[side], p.stones[1 - side]
    kinds, moves = slides(own, others, p.kinds, p.rears)
    placements = popcount(u64(~u64(own | others))) if p.reserve[side] > 0 else i64(0)
    if p.length[0] == 0:
        return i64(placements + moves)
    legal = i64(placements + popcount(p.rears[0]))
    for kind in range(1, kinds):
        rears = p.rears[kind]
        while rears != u64(0) and legal < enough:
            if not is_repetition(options, p, i64(p.kinds[kind] + lowest_bit(rears))):
                legal = i64(legal + 1)
            rears = without_lowest_bit(rears)
    return legal


# 5  Repetition


@jit
def playable_moves(options: OptionCodes, p: Packed, out: Numbers, first: int) -> int:
    side = p.side[0]
    found = moves(p.stones[side], p.stones[1 - side], out, first)
    end = first
    for place in range(first, found):
        if not is_repetition(options, p, out[place]):
            out[end] = out[place]
            end = i64(end + 1)
    return end


@jit_inline
def is_repetition(options: OptionCodes, p: Packed, move: int) -> bool:
    """True if a move leads to a board that bars it; a death is always new."""
    if p.length[0] == 0 or is_fall(move):
        return False
    side = p.side[0]
    own, others = stones_after(p.stones[side], p.stones[1 - side], move)
    if side == A:
        return is_barred(options, p, own, others)
    return is_barred(options, p, others, own)


@jit_inline
def is_barred(options: OptionCodes, p: Packed, a: int, b: int) -> bool:
    """True if this board may not stand on the next turn, having stood before.

    Sides act by turns, so the same side was to act on every second one.
    """
    place = hint_bit(a, b)
    if u64(u64(p.hints[place >> 6] >> u64(place & 63)) & u64(1)) == u64(0):
        return False
    for latest in range(p.length[0] - 1, -1, -1):
        if p.past[latest, A] == a and p.past[latest, B] == b:
            odd = u64(u64(p.past[latest, TURN] ^ u64(p.turn[0])) & u64(1)) != u64(0)
            if odd or options.repetition != SITUATIONAL:
                return True
    return False


HINT_A, HINT_B = u64(0x9E3779B97F4A7C15), u64(0xC2B2AE3D27D4EB4F)


@jit_inline
def hint_sum(a: int, b: int) -> int:
    """A number of a board, to which every piece adds its own."""
    return u64(u64(a * HINT_A) + u64(b * HINT_B))


@jit_inline
def hint_bit(a: int, b: int) -> int:
    """The place of a board's bit among the hints."""
    return i64(hint_sum(a, b) >> u64(52))


@jit_inline
def remember_board(options: OptionCodes, p: Packed) -> None:
    """The past with the present board, as far as the repetition option needs it (7.1)."""
    if options.repetition == ANY_REPETITION:
        return
    if options.repetition == KO:
        forget_past(p)
    append_board(p, p.stones[A], p.stones[B], p.turn[0])


@jit_inline
def append_board(p: Packed, a: int, b: int, turn: int) -> None:
    """Append a board to the past; where there is no room left the oldest is forgotten."""
    if p.length[0] == PAST_CAPACITY:
        for place in range(1, p.length[0]):
            for column in range(3):
                p.past[place - 1, column] = p.past[place, column]
        p.length[0] -= 1
    end, place = p.length[0], hint_bit(a, b)
    p.past[end, A], p.past[end, B], p.past[end, TURN] = a, b, u64(turn)
    p.hints[place >> 6] |= bit(place & 63)
    p.length[0] = end + 1


@jit_inline
def forget_past(p: Packed) -> None:
    p.length[0] = 0
    for word in range(HINT_WORDS):
        p.hints[word] = u64(0)


# What may be done, and what it leads to


@jit
def odds(options: OptionCodes, p: Packed, out: Numbers, weights: Numbers) -> int:
    """There is no chance in this game."""
    return i64(0)


@jit_inline
def resolve(options: OptionCodes, p: Packed, actor: int, action: int) -> None:
    """The action is legal, in any spelling, or a FALL."""
    if action < LENGTH_UNIT:
        _place(p, action)
    else:
        _move(options, p, action)
    p.side[0] = 1 - p.side[0]
    p.turn[0] += 1


@jit_inline
def _place(p: Packed, square: int) -> None:
    side = p.side[0]
    p.stones[side] |= bit(square)
    p.reserve[side] -= 1
    forget_past(p)


@jit_inline
def _move(options: OptionCodes, p: Packed, move: int) -> None:
    side = p.side[0]
    own, others = stones_after(p.stones[side], p.stones[1 - side], move)
    if is_fall(move):
        forget_past(p)
    else:
        remember_board(options, p)
    p.stones[side], p.stones[1 - side] = own, others
