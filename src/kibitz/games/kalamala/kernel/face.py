"""The face that all kernels have (core/kernel.py), over this one."""

from __future__ import annotations

from kibitz.core.bits import bit, lowest_bit, popcount, without_lowest_bit
from kibitz.core.jit import Numbers, i64, jit, jit_inline, u64
from kibitz.core.kernel import OVER, Kernel
from kibitz.games.kalamala.kernel.dispatch import (
    HINT_A,
    HINT_B,
    copy,
    hint_sum,
    is_limit_reached,
    is_repetition,
    outcome,
    resolve,
    start,
    to_act,
)
from kibitz.games.kalamala.kernel.encoding import (
    NO_ACTION,
    OPTION_CODES,
    ROTATIONS,
    STATE,
    A,
    B,
    OptionCodes,
    Packed,
    option_codes,
)
from kibitz.games.kalamala.kernel.moves import preferred_fall, rotate_bits
from kibitz.games.kalamala.kernel.numbering import (
    ACTIONS,
    PLACEMENT_WORD,
    code_of,
    dense_number,
    number_of,
    text_of,
)
from kibitz.games.kalamala.kernel.observation import NUMBERS, PLANES, observe
from kibitz.games.kalamala.kernel.packing import pack, unpack
from kibitz.games.kalamala.kernel.playout import pick as pick_listed
from kibitz.games.kalamala.kernel.playout import playout
from kibitz.games.kalamala.kernel.slides import mark_slides
from kibitz.games.kalamala.state import SEATS


@jit
def actor(options: OptionCodes, p: Packed) -> int:
    return i64(p.side[0]) if to_act(options, p) != 0 else i64(OVER)


@jit
def legal(options: OptionCodes, p: Packed, seat: int, words: Numbers) -> int:
    for word in range(PLACEMENT_WORD + 1):
        words[word] = u64(0)
    side = p.side[0]
    if seat != side or is_limit_reached(options, p):
        return i64(0)
    own, others = p.stones[side], p.stones[1 - side]
    found, falling = mark_slides(own, others, words)
    if p.length[0] > 0:
        found = _bar_repetitions(options, p, words)
    while falling != u64(0):
        number = dense_number(preferred_fall(own, others, lowest_bit(falling)))
        words[number >> 6] = u64(words[number >> 6] | bit(number & 63))
        falling, found = without_lowest_bit(falling), i64(found + 1)
    if p.reserve[side] > 0:
        words[PLACEMENT_WORD] = u64(~u64(own | others))
        found = i64(found + popcount(words[PLACEMENT_WORD]))
    return found


@jit_inline
def _bar_repetitions(options: OptionCodes, p: Packed, words: Numbers) -> int:
    """Take out the moves that lead to a board that bars them; the number of those left."""
    found = i64(0)
    for word in range(PLACEMENT_WORD):
        rears = words[word]
        if rears != u64(0):
            left = _playable_rears(options, p, code_of(i64(64 * word)), rears)
            words[word] = left
            found = i64(found + popcount(left))
    return found


@jit_inline
def _playable_rears(options: OptionCodes, p: Packed, kind: int, rears: int) -> int:
    """Those whose move leads to no board that bars it (5).

    What the hints say of a board follows from those of the present one: only the pieces that move
    make a difference.
    """
    step, run = ROTATIONS[(kind >> 6) & 7], u64(1)
    for _ in range(1, (kind >> 9) & 7):
        run = u64(run | rotate_bits(run, step))
    way = u64(u64(step * u64(kind >> 12)) & u64(63))
    sum_before, left = hint_sum(p.stones[A], p.stones[B]), rears
    while rears != u64(0):
        rear = lowest_bit(rears)
        moved = _turn_bits(run, u64(rear))
        change = u64(_turn_bits(moved, way) - moved)
        is_of_a = u64(p.stones[A] & bit(rear)) != u64(0)
        place = i64(u64(sum_before + u64(change * (HINT_A if is_of_a else HINT_B))) >> u64(52))
        if u64(u64(p.hints[place >> 6] >> u64(place & 63)) & u64(1)) != u64(0) and is_repetition(
            options, p, i64(kind + rear)
        ):
            left = u64(left ^ bit(rear))
        rears = without_lowest_bit(rears)
    return left


@jit_inline
def _turn_bits(squares: int, places: int) -> int:
    """As `rotate_bits`, also by no place at all."""
    return u64(u64(squares << places) | u64(squares >> u64(u64(u64(64) - places) & u64(63))))


@jit
def legal_turn(options: OptionCodes, p: Packed, words: Numbers) -> tuple[int, int]:
    """Where there is nothing to do the match is over: moves are looked for once."""
    count = legal(options, p, p.side[0], words)
    return (i64(p.side[0]) if count > 0 else i64(OVER)), count


@jit
def act(options: OptionCodes, p: Packed, seat: int, number: int) -> None:
    resolve(options, p, seat, code_of(number))


@jit
def chance(options: OptionCodes, p: Packed, die: int) -> int:
    """There is none in this game."""
    return u64(die)


@jit
def pick(options: OptionCodes, p: Packed, die: int) -> tuple[int, int]:
    action, die = pick_listed(options, p, die)
    return (dense_number(action) if action != NO_ACTION else action), u64(die)


KERNEL = Kernel(
    name="kalamala-v1",
    state=STATE,
    options=OPTION_CODES,
    seats=len(SEATS),
    actions=ACTIONS,
    planes=PLANES,
    numbers=NUMBERS,
    start=start,
    actor=actor,
    legal=legal,
    legal_turn=legal_turn,
    act=act,
    chance=chance,
    pick=pick,
    payoffs=outcome,
    observe=observe,
    copy=copy,
    playout=playout,
    option_codes=option_codes,
    pack=pack,
    unpack=unpack,
    number_of=number_of,
    text_of=text_of,
)
