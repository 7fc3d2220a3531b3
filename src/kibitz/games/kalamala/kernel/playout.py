"""Whole matches without leaving compiled code: at random, and all of them to a depth."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.bits import bit, mix_bits, next_die, nth_bit, number_below, popcount
from kibitz.core.jit import Numbers, i64, jit, jit_inline, u64
from kibitz.games.kalamala.kernel.dispatch import (
    copy,
    count_choices,
    is_limit_reached,
    is_repetition,
    legal_actions,
    pay_loss,
    resolve,
)
from kibitz.games.kalamala.kernel.encoding import (
    MAX_ACTIONS,
    NO_ACTION,
    A,
    B,
    OptionCodes,
    Packed,
    pool,
)
from kibitz.games.kalamala.kernel.slides import slides
from kibitz.games.kalamala.kernel.successors import listed_action

# Random play


@jit
def playout(
    options: OptionCodes, p: Packed, die: int, most: int, payoffs: Numbers
) -> tuple[int, int]:
    """Play at random until the match ends or `most` actions are played, and say how many were.

    Every legal action is as likely as any other. A match that has not ended pays nothing. The
    state of the die comes back too, for the next match.
    """
    payoffs[A] = payoffs[B] = 0
    played = i64(0)
    while True:
        action, die = random_action(options, p, die)
        if action == NO_ACTION:
            pay_loss(p.side[0], payoffs)
            break
        if played >= most or is_limit_reached(options, p):
            break
        resolve(options, p, p.side[0], action)
        played = i64(played + 1)
    return played, die


@jit
def pick(options: OptionCodes, p: Packed, die: int) -> tuple[int, int]:
    """The next action of `playout`, as `turn_actions` lists it, and the die after it."""
    action, die = random_action(options, p, die)
    side = p.side[0]
    if action == NO_ACTION:
        return action, die
    return listed_action(p.stones[side], p.stones[1 - side], action), die


@jit_inline
def random_action(options: OptionCodes, p: Packed, die: int) -> tuple[int, int]:
    """A legal action at random, or NO_ACTION.

    Of all that is not a repetition only what is drawn is looked up in the past: what is barred is
    taken out, and another is drawn.
    """
    side = p.side[0]
    own, others = p.stones[side], p.stones[1 - side]
    _, found = slides(own, others, p.kinds, p.rears)
    empty = u64(~u64(own | others)) if p.reserve[side] > 0 else u64(0)
    placements = popcount(empty)
    choices = i64(placements + found)
    while choices > 0:
        die = next_die(die)
        number = number_below(mix_bits(die), choices)
        if number < placements:
            return nth_bit(empty, number), die
        number = i64(number - placements)
        kind = i64(0)
        while number >= popcount(p.rears[kind]):
            number = i64(number - popcount(p.rears[kind]))
            kind = i64(kind + 1)
        rear = nth_bit(p.rears[kind], number)
        action = i64(p.kinds[kind] + rear)
        if not is_repetition(options, p, action):
            return action, die
        p.rears[kind] ^= bit(rear)
        choices = i64(choices - 1)
    return i64(NO_ACTION), die


# Counts


def perft(options: OptionCodes, p: Packed, depth: int) -> int:
    """The number of sequences of so many actions (9)."""
    saved, lists = pool(depth), np.zeros((depth, MAX_ACTIONS), np.int64)
    return int(count_sequences(options, p, i64(depth), saved, lists))


@jit
def count_sequences(options: OptionCodes, p: Packed, depth: int, saved: Any, lists: Numbers) -> int:
    if is_limit_reached(options, p):
        return i64(0)
    if depth == 1:
        return count_choices(options, p, i64(MAX_ACTIONS))
    actions, found = lists[depth - 1], i64(0)
    for place in range(legal_actions(options, p, actions)):
        copy(p, saved[depth - 1])
        resolve(options, p, p.side[0], actions[place])
        found = i64(found + count_sequences(options, p, i64(depth - 1), saved, lists))
        copy(saved[depth - 1], p)
    return found
