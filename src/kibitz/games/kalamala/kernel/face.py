"""The face that all kernels have (core/kernel.py), over this one."""

from __future__ import annotations

from kibitz.core.bits import bit, lowest_bit, popcount, without_lowest_bit
from kibitz.core.jit import Numbers, i64, jit, u64
from kibitz.core.kernel import OVER, Kernel
from kibitz.games.kalamala.kernel.dispatch import (
    copy,
    is_limit_reached,
    is_repetition,
    outcome,
    resolve,
    start,
    to_act,
)
from kibitz.games.kalamala.kernel.encoding import (
    HOUSE,
    NO_ACTION,
    STATE,
    OptionCodes,
    Packed,
    option_codes,
)
from kibitz.games.kalamala.kernel.moves import preferred_fall
from kibitz.games.kalamala.kernel.numbering import (
    ACTIONS,
    PLACEMENT_WORD,
    code_of,
    dense_number,
    number_of,
    text_of,
    word_of,
)
from kibitz.games.kalamala.kernel.observation import NUMBERS, PLANES, observe
from kibitz.games.kalamala.kernel.packing import pack, unpack
from kibitz.games.kalamala.kernel.playout import pick as pick_listed
from kibitz.games.kalamala.kernel.playout import playout
from kibitz.games.kalamala.kernel.slides import slides
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
    kinds, _ = slides(own, others, p.kinds, p.rears)
    found = i64(0)
    for kind in range(1, kinds):
        left = _playable_rears(options, p, i64(p.kinds[kind]), p.rears[kind])
        word = word_of(i64(p.kinds[kind]))
        words[word] = u64(words[word] | left)
        found = i64(found + popcount(left))
    falling = p.rears[0]
    while falling != u64(0):
        number = dense_number(preferred_fall(own, others, lowest_bit(falling)))
        words[number >> 6] = u64(words[number >> 6] | bit(number & 63))
        falling, found = without_lowest_bit(falling), i64(found + 1)
    if p.reserve[side] > 0:
        words[PLACEMENT_WORD] = u64(~u64(own | others))
        found = i64(found + popcount(words[PLACEMENT_WORD]))
    return found


@jit
def _playable_rears(options: OptionCodes, p: Packed, kind: int, rears: int) -> int:
    """Those whose move leads to no board that bars it (5)."""
    left = rears
    while p.length[0] > 0 and rears != u64(0):
        if is_repetition(options, p, i64(kind + lowest_bit(rears))):
            left = u64(left ^ bit(lowest_bit(rears)))
        rears = without_lowest_bit(rears)
    return left


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
    options=HOUSE,
    seats=len(SEATS),
    actions=ACTIONS,
    planes=PLANES,
    numbers=NUMBERS,
    start=start,
    actor=actor,
    legal=legal,
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
