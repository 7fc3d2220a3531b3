"""Whole matches without leaving compiled code: at random, and all of them to a depth."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.bits import below, mixed, rolled
from kibitz.core.jit import compiled, small, wide
from kibitz.games.kahmate.board import HIGH
from kibitz.games.kahmate.kernel.actions import action_of
from kibitz.games.kahmate.kernel.ball import interceptors, kicks, receivers
from kibitz.games.kahmate.kernel.board import (
    both,
    forward,
    has,
    how_many,
    is_in_goal,
    neighbours,
    nth,
    one_file_down,
    one_file_up,
    one_rank_down,
    one_rank_up,
)
from kibitz.games.kahmate.kernel.dispatch import (
    anytime_actions,
    decides,
    resolve,
    to_act,
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
    MOST_ACTIONS,
    NONE,
    OVER,
    PASSES,
    PLACES,
    PLAY,
    STEPS,
    TACKLES,
    House,
    Packed,
    Squares,
    blank,
    pool,
)
from kibitz.games.kahmate.kernel.encoding import house as house_of
from kibitz.games.kahmate.kernel.force import exits, forces
from kibitz.games.kahmate.kernel.match import outcome
from kibitz.games.kahmate.kernel.packing import pack
from kibitz.games.kahmate.kernel.setup import next_kind, odds, placements
from kibitz.games.kahmate.kernel.state import (
    copy,
    empty,
    holder,
    key,
    mark_of,
    other,
    side_of,
)
from kibitz.games.kahmate.kernel.tackle import landings
from kibitz.games.kahmate.kernel.turn import can_move
from kibitz.games.kahmate.options import DEFAULT
from kibitz.games.kahmate.rules import start

# At random


@compiled
def pick(house: House, p: Packed, shown: int) -> int:
    """One of the turn actions of whoever is to act, each as likely, by what a die shows.

    They are counted, not listed, and in an order of their own.
    """
    phase, turn = small(p.phase), small(p.turn)
    if phase == PLAY:
        return pick_play(house, p, shown)
    if phase == DUEL:
        hand = wide(p.hands[turn] if p.card == 0 else p.hands[other(turn)])
        return one_of(shown, small(CARDS_DOWN), small(0), (hand, wide(0)))
    if phase < DRAW:
        return one_of(shown, small(PLACES), next_kind(p, phase), placements(p, phase))
    if phase == DRAW:
        return one_of(shown, small(BALLS), small(0), (wide(FULL_HAND), wide(0)))
    if phase == EXIT:
        return one_of(shown, small(EXITS), small(0), exits(p, small(p.defender)))
    if phase == DROP:
        squares = landings(decides(p), small(p.attacker), small(p.defender))
        return one_of(shown, small(DROPS), small(0), squares)
    return pick_interceptor(house, p, shown)


@compiled
def one_of(shown: int, kind: int, origin: int, targets: Squares) -> int:
    return action_of(kind, origin, nth(targets, below(shown, how_many(targets))))


@compiled
def pick_interceptor(house: House, p: Packed, shown: int) -> int:
    first, second = interceptors(house, p, small(p.attacker), small(p.receiver))
    if first == NONE:
        first, second = second, first
    k = below(shown, small(2) if second == NONE else small(3))
    if k == 0:
        return action_of(small(DECLINES), small(0), small(0))
    return action_of(small(INTERCEPTS), small(0), first if k == 1 else second)


@compiled
def pick_play(house: House, p: Packed, shown: int) -> int:
    """Steps are counted for all men at once, a direction after the other."""
    men, to = can_move(p), empty(p)
    up, down = both(one_file_up(men), to), both(one_file_down(men), to)
    right, left = both(one_rank_up(men), to), both(one_rank_down(men), to)
    ups, downs, rights, lefts = how_many(up), how_many(down), how_many(right), how_many(left)
    steps = small(ups + downs + rights + lefts)
    man, more = holder(p), small(0)
    if man:
        more = with_ball(house, p, man, men)
    k = below(shown, small(steps + more + 1))
    if k < ups:
        return step_to(nth(up, k), small(HIGH))
    k = small(k - ups)
    if k < downs:
        return step_to(nth(down, k), small(-HIGH))
    k = small(k - downs)
    if k < rights:
        return step_to(nth(right, k), small(1))
    k = small(k - rights)
    if k < lefts:
        return step_to(nth(left, k), small(-1))
    k = small(k - lefts)
    if k < more:
        return pick_with_ball(house, p, man, men, k)
    return action_of(small(ENDS), small(0), small(0))


@compiled
def step_to(target: int, way: int) -> int:
    return action_of(small(STEPS), target - way, target)


@compiled
def with_ball(house: House, p: Packed, man: int, men: Squares) -> int:
    """How many plays there are with the holder: tackling him, or what he can do."""
    ball = small(p.ball)
    if side_of(man) != p.turn:
        return how_many(both(men, neighbours(ball)))
    if mark_of(man):
        return small(0)
    n = how_many(receivers(house, p, ball)) + how_many(kicks(house, p, ball))
    return small(n + how_many(forces(house, p, ball)) + tries(p, men))


@compiled
def tries(p: Packed, men: Squares) -> int:
    """1 where the holder can step into the far in-goal."""
    ball = small(p.ball)
    return small(is_in_goal(small(ball + forward(small(p.turn)))) and has(men, ball))


@compiled
def pick_with_ball(house: House, p: Packed, man: int, men: Squares, k: int) -> int:
    ball = small(p.ball)
    if side_of(man) != p.turn:
        return action_of(small(TACKLES), nth(both(men, neighbours(ball)), k), ball)
    if k < tries(p, men):
        return action_of(small(STEPS), ball, small(ball + forward(small(p.turn))))
    k = small(k - tries(p, men))
    targets = receivers(house, p, ball)
    if k < how_many(targets):
        return action_of(small(PASSES), ball, nth(targets, k))
    k = small(k - how_many(targets))
    targets = kicks(house, p, ball)
    if k < how_many(targets):
        return action_of(small(KICKS), ball, nth(targets, k))
    k = small(k - how_many(targets))
    return action_of(small(FORCES), ball, nth(forces(house, p, ball), k))


@compiled
def playout(house: House, p: Packed, die: int, most: int, payoffs: Any) -> tuple[int, int]:
    """Play on at random until the end, or `most` actions: how many it were, and the die after.

    `payoffs` are those of the outcome, and 0 in a match that is not over.
    """
    played = small(0)
    while played < most and p.phase < OVER:
        die = rolled(die)
        resolve(house, p, small(0), pick(house, p, mixed(die)))
        played = small(played + 1)
    payoffs[0], payoffs[1] = 0, 0
    outcome(house, p, payoffs)
    return played, wide(die)


# To a depth


def perft(house: House, p: Packed, depth: int) -> int:
    """How many sequences of so many turn actions there are, whatever chance shows."""
    if depth == 0:
        return 1
    states = pool(depth)
    lists = np.zeros((depth, MOST_ACTIONS), np.int64)
    ends, nexts = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    copy(p, states[0])
    return int(sequences(house, states, lists, ends, nexts))


@compiled
def sequences(house: House, states: Any, lists: Any, ends: Any, nexts: Any) -> int:
    """Depth first: at each level a state, its actions, how many, and which comes next."""
    depth, level, total = small(len(states)), small(0), small(0)
    ends[0], nexts[0] = choices(house, states[0], lists[0]), 0
    while level >= 0:
        if level == depth - 1:
            total = small(total + ends[level])
            level = small(level - 1)
        elif nexts[level] == ends[level]:
            level = small(level - 1)
        else:
            action = small(lists[level, nexts[level]])
            nexts[level] += 1
            copy(states[level], states[level + 1])
            level = small(level + 1)
            resolve(house, states[level], small(0), action)
            ends[level], nexts[level] = choices(house, states[level], lists[level]), 0
    return total


@compiled
def choices(house: House, p: Packed, out: Any) -> int:
    """The turn actions of whoever is to act."""
    return turn_actions(house, p, decides(p), out) if p.phase < OVER else small(0)


# For the set-up


def warm() -> None:
    """Call all that is compiled once, so that it is compiled and kept."""
    house, p = house_of(DEFAULT), blank()
    pack(start(DEFAULT), p)
    out, weights = np.zeros(MOST_ACTIONS, np.int64), np.zeros(MOST_ACTIONS, np.int64)
    to_act(house, p)
    turn_actions(house, p, small(0), out)
    anytime_actions(house, p, small(0), out)
    odds(house, p, out, weights)
    key(house, p)
    perft(house, p, small(2))
    resolve(house, p, small(0), small(pick(house, p, wide(1))))
    playout(house, p, wide(1), small(1000), weights)
    outcome(house, p, weights)
