"""Whole matches without leaving compiled code: at random, and all of them to a depth."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.bits import mix_bits, next_die, number_below
from kibitz.core.jit import i64, jit, u64
from kibitz.games.kahmate.board import RANK_COUNT
from kibitz.games.kahmate.kernel.actions import action_of
from kibitz.games.kahmate.kernel.ball import interceptors, kicks, receivers
from kibitz.games.kahmate.kernel.board import (
    forward,
    has_square,
    intersection,
    is_in_goal,
    neighbours,
    nth_square,
    one_file_down,
    one_file_up,
    one_rank_down,
    one_rank_up,
    single_square,
    square_count,
    union,
)
from kibitz.games.kahmate.kernel.dispatch import (
    decider,
    resolve,
    turn_actions,
)
from kibitz.games.kahmate.kernel.encoding import (
    BALLS,
    CARDS_DOWN,
    DECLINES,
    DRAW,
    DROP,
    DROPS,
    DUEL,
    ENDS,
    EXIT,
    EXITS,
    FORCES,
    FULL_HAND,
    INTERCEPTS,
    KICKS,
    MAX_ACTIONS,
    NONE,
    OVER,
    PASSES,
    PLACES,
    PLAY,
    STEPS,
    TACKLES,
    OptionCodes,
    Packed,
    Squares,
    pool,
)
from kibitz.games.kahmate.kernel.force import exits, forceable_men
from kibitz.games.kahmate.kernel.match import outcome
from kibitz.games.kahmate.kernel.setup import next_kind, placements
from kibitz.games.kahmate.kernel.state import (
    copy,
    empty_squares,
    holder,
    mark_of,
    other_side,
    side_of,
)
from kibitz.games.kahmate.kernel.tackle import landings
from kibitz.games.kahmate.kernel.turn import movable_men

# At random


@jit
def pick(options: OptionCodes, p: Packed, shown: int) -> int:
    """One of the turn actions of whoever is to act, each as likely, by what a die shows.

    They are counted, not listed, and in an order of their own.
    """
    phase, turn = i64(p.phase), i64(p.turn)
    if phase == PLAY:
        return pick_play(options, p, shown)
    if phase == DUEL:
        hand = u64(p.hands[turn] if p.card == 0 else p.hands[other_side(turn)])
        return pick_target(shown, i64(CARDS_DOWN), i64(0), (hand, u64(0)))
    if phase < DRAW:
        return pick_target(shown, i64(PLACES), next_kind(p, phase), placements(p, phase))
    if phase == DRAW:
        return pick_target(shown, i64(BALLS), i64(0), (u64(FULL_HAND), u64(0)))
    if phase == EXIT:
        return pick_exit(options, p, shown)
    if phase == DROP:
        squares = landings(decider(p), i64(p.attacker), i64(p.defender))
        return pick_target(shown, i64(DROPS), i64(0), squares)
    return pick_interceptor(options, p, shown)


@jit
def pick_target(shown: int, kind: int, origin: int, targets: Squares) -> int:
    return action_of(kind, origin, nth_square(targets, number_below(shown, square_count(targets))))


@jit
def pick_interceptor(options: OptionCodes, p: Packed, shown: int) -> int:
    first, second = interceptors(options, p, i64(p.attacker), i64(p.receiver))
    if first == NONE:
        first, second = second, first
    k = number_below(shown, i64(2) if second == NONE else i64(3))
    if k == 0:
        return action_of(i64(DECLINES), i64(0), i64(0))
    return action_of(i64(INTERCEPTS), i64(0), first if k == 1 else second)


@jit
def pick_exit(options: OptionCodes, p: Packed, shown: int) -> int:
    squares = exits(p, i64(p.defender))
    ways = square_count(squares)
    k = number_below(shown, i64(ways + options.may_stay))
    if k == ways:
        return action_of(i64(DECLINES), i64(0), i64(0))
    return action_of(i64(EXITS), i64(0), nth_square(squares, k))


@jit
def pick_play(options: OptionCodes, p: Packed, shown: int) -> int:
    """Steps are counted for all men at once, a direction after the other."""
    men, to, man = movable_men(p), empty_squares(p), holder(p)
    if man == 0:
        to = union(to, single_square(i64(p.ball)))  # It may lie in-goal (5.4).
    up, down = intersection(one_file_up(men), to), intersection(one_file_down(men), to)
    right, left = intersection(one_rank_up(men), to), intersection(one_rank_down(men), to)
    ups, downs, rights, lefts = (
        square_count(up),
        square_count(down),
        square_count(right),
        square_count(left),
    )
    steps = i64(ups + downs + rights + lefts)
    more = i64(0)
    if man:
        more = count_ball_plays(options, p, man, men)
    k = number_below(shown, i64(steps + more + 1))
    if k < ups:
        return step_to(nth_square(up, k), i64(RANK_COUNT))
    k = i64(k - ups)
    if k < downs:
        return step_to(nth_square(down, k), i64(-RANK_COUNT))
    k = i64(k - downs)
    if k < rights:
        return step_to(nth_square(right, k), i64(1))
    k = i64(k - rights)
    if k < lefts:
        return step_to(nth_square(left, k), i64(-1))
    k = i64(k - lefts)
    if k < more:
        return pick_with_ball(options, p, man, men, k)
    return action_of(i64(ENDS), i64(0), i64(0))


@jit
def step_to(target: int, way: int) -> int:
    return action_of(i64(STEPS), target - way, target)


@jit
def count_ball_plays(options: OptionCodes, p: Packed, man: int, men: Squares) -> int:
    """The number of plays with the holder: tackling him, or what he can do."""
    ball = i64(p.ball)
    if side_of(man) != p.turn:
        return square_count(intersection(men, neighbours(ball)))
    if mark_of(man):
        return i64(0)
    n = square_count(receivers(options, p, ball)) + square_count(kicks(options, p, ball))
    return i64(n + square_count(forceable_men(options, p, ball)) + count_tries(p, men))


@jit
def count_tries(p: Packed, men: Squares) -> int:
    """1 where the holder can step into the far in-goal."""
    ball = i64(p.ball)
    return i64(is_in_goal(i64(ball + forward(i64(p.turn)))) and has_square(men, ball))


@jit
def pick_with_ball(options: OptionCodes, p: Packed, man: int, men: Squares, k: int) -> int:
    ball = i64(p.ball)
    if side_of(man) != p.turn:
        return action_of(i64(TACKLES), nth_square(intersection(men, neighbours(ball)), k), ball)
    if k < count_tries(p, men):
        return action_of(i64(STEPS), ball, i64(ball + forward(i64(p.turn))))
    k = i64(k - count_tries(p, men))
    targets = receivers(options, p, ball)
    if k < square_count(targets):
        return action_of(i64(PASSES), ball, nth_square(targets, k))
    k = i64(k - square_count(targets))
    targets = kicks(options, p, ball)
    if k < square_count(targets):
        return action_of(i64(KICKS), ball, nth_square(targets, k))
    k = i64(k - square_count(targets))
    return action_of(i64(FORCES), ball, nth_square(forceable_men(options, p, ball), k))


@jit
def playout(options: OptionCodes, p: Packed, die: int, most: int, payoffs: Any) -> tuple[int, int]:
    """Play on at random until the end, or `most` actions: how many it were, and the die after.

    `payoffs` are those of the outcome, and 0 in a match that is not over.
    """
    played = i64(0)
    while played < most and p.phase < OVER:
        die = next_die(die)
        resolve(options, p, i64(0), pick(options, p, mix_bits(die)))
        played = i64(played + 1)
    payoffs[0], payoffs[1] = 0, 0
    outcome(options, p, payoffs)
    return played, u64(die)


# To a depth


def perft(options: OptionCodes, p: Packed, depth: int) -> int:
    """The number of sequences of so many turn actions, whatever chance shows."""
    if depth == 0:
        return 1
    states = pool(depth)
    lists = np.zeros((depth, MAX_ACTIONS), np.int64)
    ends, nexts = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    copy(p, states[0])
    return int(count_sequences(options, states, lists, ends, nexts))


@jit
def count_sequences(options: OptionCodes, states: Any, lists: Any, ends: Any, nexts: Any) -> int:
    """Depth first: at each level a state, its actions, how many, and which comes next."""
    depth, level, total = i64(len(states)), i64(0), i64(0)
    ends[0], nexts[0] = list_choices(options, states[0], lists[0]), 0
    while level >= 0:
        if level == depth - 1:
            total = i64(total + ends[level])
            level = i64(level - 1)
        elif nexts[level] == ends[level]:
            level = i64(level - 1)
        else:
            action = i64(lists[level, nexts[level]])
            nexts[level] += 1
            copy(states[level], states[level + 1])
            level = i64(level + 1)
            resolve(options, states[level], i64(0), action)
            ends[level], nexts[level] = list_choices(options, states[level], lists[level]), 0
    return total


@jit
def list_choices(options: OptionCodes, p: Packed, out: Any) -> int:
    """The turn actions of whoever is to act."""
    return turn_actions(options, p, decider(p), out) if p.phase < OVER else i64(0)
