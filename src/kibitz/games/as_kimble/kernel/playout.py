"""Whole matches inside the kernel: choices at random, and counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import (
    lowest_bit,
    mix_bits,
    next_die,
    nth_bit,
    number_below,
    popcount,
    without_lowest_bit,
)
from kibitz.core.jit import i64, jit, u64
from kibitz.games.as_kimble.kernel.book import outcome
from kibitz.games.as_kimble.kernel.dispatch import action_at, face_share, resolve, to_act, turn_set
from kibitz.games.as_kimble.kernel.encoding import (
    ALL_SHARES,
    CHANCE,
    FACES,
    POPPING,
    SEATS,
    OptionCodes,
    Packed,
)
from kibitz.games.as_kimble.kernel.packing import blanks
from kibitz.games.as_kimble.kernel.sides import copy


@jit
def actor_at(options: OptionCodes, p: Packed, shown: int) -> int:
    """The actor who is next, as what a die shows decides, or -1.

    Where chance may speak it does: nobody passes who may let the die fall. Of several seats each
    is as likely.
    """
    actors = to_act(options, p)
    if not actors:
        return i64(-1)
    if (actors >> CHANCE) & 1:
        return i64(CHANCE)
    return nth_bit(u64(actors), number_below(u64(u64(shown) << u64(32)), popcount(actors)))


@jit
def pick(options: OptionCodes, p: Packed, actor: int, shown: int) -> int:
    """One of the actor's turn actions, each as likely as the others; chance's by its odds."""
    if actor == CHANCE and p.phase == POPPING:
        return action_at(p, actor, random_face(options, p, shown) - 1)
    found = turn_set(options, p, actor)
    return action_at(p, actor, nth_bit(u64(found), number_below(shown, popcount(found))))


@jit
def random_face(options: OptionCodes, p: Packed, shown: int) -> int:
    if not options.naksu or not p.face:
        return i64(number_below(shown, FACES) + 1)
    left, face = number_below(shown, ALL_SHARES), i64(1)
    while left >= face_share(options, p, face):
        left -= face_share(options, p, face)
        face += 1
    return face


@jit
def playout(
    options: OptionCodes, p: Packed, die: int, most: int, payoffs: NDArray[np.int64]
) -> tuple[int, int]:
    """Play at random until nobody may act; how many actions that took, and the die after them.

    Nobody says anything out of turn: without pace=turn penalties stay, and there may be no end.
    """
    played = i64(0)
    while played < most:
        die = next_die(die)
        shown = mix_bits(die)
        actor = actor_at(options, p, shown)
        if actor < 0:
            break
        resolve(options, p, actor, pick(options, p, actor, shown))
        played += 1
    for team in range(SEATS):
        payoffs[team] = 0
    outcome(options, p, payoffs)
    return played, die


def perft(options: OptionCodes, p: Packed, depth: int) -> int:
    """The number of sequences of so many turn actions, chance's included."""
    row = blanks(depth + 1)
    copy(p, row[0])
    return _count_sequences(options, row, i64(0), i64(depth))


@jit
def _count_sequences(options: OptionCodes, row: NDArray[np.void], level: int, depth: int) -> int:
    """Each level of the tree has a record of its own in the row."""
    if level == depth:
        return i64(1)
    total = i64(0)
    for actor in range(SEATS + 1):
        found = turn_set(options, row[level], actor)
        if level + 1 == depth:
            total += popcount(found)
            continue
        while found:
            copy(row[level], row[level + 1])
            action = action_at(row[level], actor, lowest_bit(found))
            resolve(options, row[level + 1], actor, action)
            total += _count_sequences(options, row, level + 1, depth)
            found = i64(without_lowest_bit(found))
    return total
