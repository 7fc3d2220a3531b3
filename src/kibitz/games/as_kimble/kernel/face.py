"""The face that all kernels have (core/kernel.py), over this one: digital play alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.core.bits import (
    bit,
    lowest_bit,
    mix_bits,
    next_die,
    nth_bit,
    number_below,
    popcount,
)
from kibitz.core.jit import Numbers, i64, jit, u64
from kibitz.core.kernel import CHANCE as CHANCE_ACTS
from kibitz.core.kernel import OVER as NOBODY_ACTS
from kibitz.core.kernel import Kernel
from kibitz.games.as_kimble.board import PIECES
from kibitz.games.as_kimble.kernel.book import outcome
from kibitz.games.as_kimble.kernel.dispatch import resolve, to_act, turn_set
from kibitz.games.as_kimble.kernel.encoding import (
    CHANCE,
    LOTS,
    OPTION_CODES,
    POPPING,
    SEATS,
    STATE,
    YES,
    OptionCodes,
    Packed,
)
from kibitz.games.as_kimble.kernel.numbering import (
    ACTIONS,
    PRESS_NUMBER,
    code_of,
    first_number,
    number_of,
    text_of,
)
from kibitz.games.as_kimble.kernel.observation import NUMBERS, PLANES, observe
from kibitz.games.as_kimble.kernel.packing import option_codes, pack, unpack
from kibitz.games.as_kimble.kernel.playout import pick as pick_code
from kibitz.games.as_kimble.kernel.playout import playout
from kibitz.games.as_kimble.kernel.sides import copy, enter_popping, is_placed
from kibitz.games.as_kimble.kernel.turn import pops_granted


def digital_option_codes(options: Mapping[str, Any]) -> OptionCodes:
    """Refused is a real board: there the die is not the program's."""
    made = option_codes(options)
    if not made.dome:
        raise ValueError("the kernel's face is for digital play")
    return made


@jit
def start(options: OptionCodes, p: Packed) -> None:
    for team in range(SEATS):
        p.taken[team], p.ones[team], p.twos[team], p.home[team] = 0, 0, 0, PIECES
        p.owed[team], p.done[team], p.lots[team] = 0, 0, 0
    enter_popping(p, i64(0), pops_granted(p, i64(0)), YES)
    p.face, p.wanted_face, p.raise_round, p.raised, p.is_closed = 0, 0, 1, 0, 0
    p.owing, p.said, p.is_break, p.is_pressed = 0, 0, 0, 0


@jit
def actor(options: OptionCodes, p: Packed) -> int:
    actors = to_act(options, p)
    if not actors:
        return i64(NOBODY_ACTS)
    if not (actors >> CHANCE) & 1:
        return lowest_bit(actors)
    return i64(p.team) if _may_pass(p) else i64(CHANCE_ACTS)


@jit
def _may_pass(p: Packed) -> bool:
    """True if a team that has placed all has not let the die fall yet."""
    return p.phase == POPPING and not p.is_pressed and is_placed(p, p.team)


@jit
def legal(options: OptionCodes, p: Packed, seat: int, words: Numbers) -> int:
    words[0] = u64(0)
    if p.phase == LOTS or (p.phase == POPPING and (seat != p.team or not _may_pass(p))):
        return i64(0)
    found = u64(turn_set(options, p, seat))
    first = first_number(p)
    words[0] = u64(found << u64(first))
    if p.phase == POPPING:
        words[0] = u64(words[0] | bit(PRESS_NUMBER))
    return popcount(words[0])


@jit
def legal_turn(options: OptionCodes, p: Packed, words: Numbers) -> tuple[int, int]:
    seat = actor(options, p)
    return seat, legal(options, p, seat, words) if seat >= 0 else i64(0)


@jit
def act(options: OptionCodes, p: Packed, seat: int, number: int) -> None:
    if number == PRESS_NUMBER:
        p.is_pressed = 1
    else:
        resolve(options, p, seat, code_of(p, seat, number))


@jit
def chance(options: OptionCodes, p: Packed, die: int) -> int:
    """The die falls, if it is to."""
    if not (to_act(options, p) >> CHANCE) & 1:
        return u64(die)
    die = next_die(die)
    resolve(options, p, i64(CHANCE), pick_code(options, p, i64(CHANCE), mix_bits(die)))
    return u64(die)


@jit
def pick(options: OptionCodes, p: Packed, die: int) -> tuple[int, int]:
    """Nobody passes who may let the die fall, as in `playout`."""
    if _may_pass(p):
        return i64(PRESS_NUMBER), u64(die)
    die = next_die(die)
    found = u64(turn_set(options, p, actor(options, p)))
    place = nth_bit(found, number_below(mix_bits(die), popcount(found)))
    return i64(first_number(p) + place), u64(die)


KERNEL = Kernel(
    name="as-kimble-v1",
    state=STATE,
    options=OPTION_CODES,
    seats=SEATS,
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
    option_codes=digital_option_codes,
    pack=pack,
    unpack=unpack,
    number_of=number_of,
    text_of=text_of,
)
