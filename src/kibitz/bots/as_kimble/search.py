"""Trying actions out at AS-Kimble, in compiled code.

A try takes an action, lets everybody play on for some turns as the judgement would have it, and
asks the judgement what came of it. Every action is tried with the same falls of the die, so that
luck counts for all alike, and what is clearly worse than another is not tried any more.

In a try everybody says the sentence in time and completes a penalty a turn, as bots do: see
`in_tries`.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple, cast

import numpy as np

from kibitz.bots.as_kimble.value import COLUMNS, Net, fill_chances
from kibitz.core.bits import (
    lowest_bit,
    mix_bits,
    next_die,
    number_below,
    popcount,
    without_lowest_bit,
)
from kibitz.core.jit import Numbers, i64, jit, u64
from kibitz.games.as_kimble.kernel.dispatch import action_at, resolve, to_act, turn_set
from kibitz.games.as_kimble.kernel.encoding import (
    CHOOSING,
    ENDED,
    MAX_ACTIONS,
    NOBODY,
    OPTION_CODES,
    POPPING,
    RETURNING,
    SEATS,
    VOTING,
    OptionCodes,
    Packed,
)
from kibitz.games.as_kimble.kernel.packing import blanks
from kibitz.games.as_kimble.kernel.playout import random_face
from kibitz.games.as_kimble.kernel.raising import give_back, raise_piece
from kibitz.games.as_kimble.kernel.sides import copy, goal_set
from kibitz.games.as_kimble.kernel.turn import (
    goals_to_give,
    may_raise,
    may_raise_at_all,
    pop,
    pop_again,
    voters,
)

BATCH_TRIES = 8
"""So many tries of each action at a time."""
MIN_TRIES = 40
"""Fewer tries tell nothing."""
GIVE_UP_ERRORS = 3.0
"""A candidate that is worse by so many standard errors is given up."""
CLOSE_MARGIN = 0.002
"""And what is hardly better, if at all, is not worth more time."""
MAX_TRY_ACTIONS = 4000
"""Actions in one try."""
ROOT, AFTER, AGREED, REFUSED, TRY = range(5)
"""Positions at hand: see Desk.row."""


class SearchBuffers(NamedTuple):
    """The memory of a search; the caller owns it."""

    net: Net
    row: Numbers
    """Of positions: where it starts, after an action, with a raise agreed or refused, in a try."""
    columns: Numbers
    values: Numbers
    """Of the position judged last, for each team."""
    other: Numbers
    tried: Numbers
    """By action: what the latest try was worth."""
    sums: Numbers
    """By action: all that its tries were worth."""
    tries: Numbers
    ahead: Numbers
    """By two actions: by how much the first was worth more, over all common tries."""
    squares: Numbers
    alive: Numbers


def new_buffers(net: Net) -> SearchBuffers:
    return SearchBuffers(
        net,
        blanks(5),
        np.zeros((SEATS, COLUMNS)),
        np.zeros(SEATS),
        np.zeros(SEATS),
        np.zeros(MAX_ACTIONS),
        np.zeros(MAX_ACTIONS),
        np.zeros(MAX_ACTIONS, np.int64),
        np.zeros((MAX_ACTIONS, MAX_ACTIONS)),
        np.zeros((MAX_ACTIONS, MAX_ACTIONS)),
        np.zeros(MAX_ACTIONS, np.int64),
    )


def options_for_tries(options: OptionCodes) -> OptionCodes:
    """The options as tries have them: a dome, penalties completed by turns, nothing to say."""
    made = cast(OptionCodes, np.zeros(1, OPTION_CODES).view(np.recarray)[0])
    for name in OPTION_CODES.names or ():
        setattr(made, name, getattr(options, name))
    made.dome, made.by_turns, made.hembo = 1, 1, 0
    return made


# What an action leads to


@jit
def evaluate_position(options: OptionCodes, d: SearchBuffers, p: Packed) -> None:
    """Fill `values`; what is pending comes to its likely end first, in `p` itself."""
    _settle_pending(options, d, p)
    _evaluate_settled(options, d, p)


@jit
def _evaluate_settled(options: OptionCodes, d: SearchBuffers, p: Packed) -> None:
    if p.phase == ENDED:
        for team in range(SEATS):
            d.values[team] = 0.25 if p.team == NOBODY else 0.0
        if p.team != NOBODY:
            d.values[p.team] = 1.0
    else:
        fill_chances(options, d.net, p, d.columns, d.values)


@jit
def _settle_pending(options: OptionCodes, d: SearchBuffers, p: Packed) -> None:
    if p.phase == VOTING:
        if p.teams == 0 and not _is_round_welcome(options, d, p):
            pop_again(options, p, p.team, i64(0))
        else:
            _start_new_round(options, p)
    elif p.phase == CHOOSING:
        if not p.flag and may_raise(options, p, p.team):
            _raise_rearmost(options, p)
        else:
            pop_again(options, p, p.team, i64(0))
    if p.phase == RETURNING:
        _return_rearmost(options, p)


@jit
def _start_new_round(options: OptionCodes, p: Packed) -> None:
    p.raised = 0
    if may_raise_at_all(options, p, p.team):
        _raise_rearmost(options, p)
    else:
        pop_again(options, p, p.team, i64(0))


@jit
def _raise_rearmost(options: OptionCodes, p: Packed) -> None:
    """With the rearmost goal piece."""
    raise_piece(options, p, p.team, lowest_bit(goal_set(p, p.team)) + 1)


@jit
def _return_rearmost(options: OptionCodes, p: Packed) -> None:
    """Everybody gives the rearmost piece back."""
    while p.phase == RETURNING:
        team = lowest_bit(p.teams)
        give_back(options, p, team, lowest_bit(goals_to_give(options, p, team)) + 1)


@jit
def _is_round_welcome(options: OptionCodes, d: SearchBuffers, p: Packed) -> bool:
    """True if all who are asked gain by a new round."""
    agreed, refused = d.row[AGREED], d.row[REFUSED]
    copy(p, agreed)
    copy(p, refused)
    _start_new_round(options, agreed)
    if agreed.phase == RETURNING:
        _return_rearmost(options, agreed)
    pop_again(options, refused, p.team, i64(0))
    _evaluate_settled(options, d, refused)
    for team in range(SEATS):
        d.other[team] = d.values[team]
    _evaluate_settled(options, d, agreed)
    asked = voters(p)
    against = i64(0)
    for team in range(SEATS):
        against += i64((asked >> team) & 1 and d.values[team] <= d.other[team])
    return against == 0


@jit
def best_action(options: OptionCodes, d: SearchBuffers, p: Packed, actor: int) -> int:
    """The turn action after which the actor's chance is judged best."""
    found = turn_set(options, p, actor)
    best, most = action_at(p, actor, lowest_bit(found)), -1.0
    if not found & (found - 1):
        return best
    while found:
        action = action_at(p, actor, lowest_bit(found))
        found = i64(without_lowest_bit(found))
        copy(p, d.row[AFTER])
        resolve(options, d.row[AFTER], actor, action)
        evaluate_position(options, d, d.row[AFTER])
        if d.values[actor] > most:
            best, most = action, d.values[actor]
    return best


@jit
def evaluate_actions(
    options: OptionCodes, d: SearchBuffers, seat: int, codes: Numbers, listed: int, out: Numbers
) -> None:
    """Fill `out` with the value of each action to a seat, one step ahead."""
    for number in range(listed):
        copy(d.row[ROOT], d.row[AFTER])
        resolve(options, d.row[AFTER], seat, codes[number])
        evaluate_position(options, d, d.row[AFTER])
        out[number] = d.values[seat]


# Tries


@jit
def play_on(
    options: OptionCodes, d: SearchBuffers, p: Packed, die: int, turns: int, whim: int
) -> int:
    """Everybody plays what is liked, until so many turns have begun; the die after that.

    Of 256 choices, `whim` are made at random.
    """
    for _ in range(MAX_TRY_ACTIONS):
        if p.phase == POPPING:
            if p.flag:
                if turns <= 0:
                    break
                turns -= 1
            die = next_die(die)
            pop(options, p, p.team, random_face(options, p, mix_bits(die)))
            continue
        actors = to_act(options, p)
        if not actors:
            break
        actor = lowest_bit(actors)
        if whim > 0:
            die = next_die(die)
            if number_below(mix_bits(die), i64(256)) < whim:
                resolve(options, p, actor, random_action(options, p, actor, mix_bits(u64(~die))))
                continue
        resolve(options, p, actor, best_action(options, d, p, actor))
    return u64(die)


@jit
def random_action(options: OptionCodes, p: Packed, actor: int, shown: int) -> int:
    found = turn_set(options, p, actor)
    chosen = number_below(shown, popcount(found))
    for _ in range(chosen):
        found = i64(without_lowest_bit(found))
    return action_at(p, actor, lowest_bit(found))


@jit
def try_actions(
    options: OptionCodes,
    d: SearchBuffers,
    seat: int,
    codes: Numbers,
    listed: int,
    die: int,
    turns: int,
    most: int,
    flag: Numbers,
) -> int:
    """Try the actions out, so often in all; how often it was."""
    for first in range(listed):
        d.sums[first], d.tries[first], d.alive[first] = 0.0, 0, 1
        for second in range(listed):
            d.ahead[first, second], d.squares[first, second] = 0.0, 0.0
    values = d.tried
    done, left, common = i64(0), i64(listed), i64(0)
    while left > 1 and done + left <= most and flag[0] == 0:
        for _ in range(BATCH_TRIES):
            if done + left > most or flag[0] != 0:
                break
            die = next_die(die)
            for number in range(listed):
                if d.alive[number]:
                    values[number] = try_value(
                        options, d, seat, codes[number], mix_bits(die), turns
                    )
            common += 1
            done += left
            _add_results(d, values, listed)
        if common >= MIN_TRIES:
            left = _drop_worse(d, listed, common)
    return done


@jit
def try_value(
    options: OptionCodes, d: SearchBuffers, seat: int, action: int, die: int, turns: int
) -> float:
    p = d.row[TRY]
    copy(d.row[ROOT], p)
    resolve(options, p, seat, action)
    play_on(options, d, p, die, turns, i64(0))
    _evaluate_settled(options, d, p)
    return float(d.values[seat])


@jit
def _add_results(d: SearchBuffers, values: Numbers, listed: int) -> None:
    for first in range(listed):
        if d.alive[first]:
            d.sums[first] += values[first]
            d.tries[first] += 1
            for second in range(listed):
                if d.alive[second]:
                    more = values[first] - values[second]
                    d.ahead[first, second] += more
                    d.squares[first, second] += more * more


@jit
def _drop_worse(d: SearchBuffers, listed: int, common: int) -> int:
    """All that are alive have been tried as often; how many are left."""
    best = i64(-1)
    for number in range(listed):
        if d.alive[number] and (best < 0 or d.sums[number] > d.sums[best]):
            best = i64(number)
    left = i64(0)
    for number in range(listed):
        if d.alive[number]:
            mean = d.ahead[best, number] / common
            spread = max(0.0, d.squares[best, number] / common - mean * mean)
            error = sqrt(spread / common)
            if number != best and (
                mean > GIVE_UP_ERRORS * error or GIVE_UP_ERRORS * error < CLOSE_MARGIN
            ):
                d.alive[number] = 0
            else:
                left += 1
    return left
