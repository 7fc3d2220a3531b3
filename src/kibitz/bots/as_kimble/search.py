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

from kibitz.bots.as_kimble.value import COLUMNS, Net, Numbers, chances
from kibitz.core.bits import below, count, lowest, mixed, rolled, without_lowest
from kibitz.core.jit import compiled, small, wide
from kibitz.games.as_kimble.kernel.dispatch import action_at, resolve, to_act, turn_set
from kibitz.games.as_kimble.kernel.encoding import (
    CHOOSING,
    ENDED,
    HOUSE,
    MOST_ACTIONS,
    NOBODY,
    POPPING,
    RETURNING,
    SEATS,
    VOTING,
    House,
    Packed,
)
from kibitz.games.as_kimble.kernel.packing import blanks
from kibitz.games.as_kimble.kernel.playout import face_shown
from kibitz.games.as_kimble.kernel.raising import give_back, raise_piece
from kibitz.games.as_kimble.kernel.sides import copy, goals
from kibitz.games.as_kimble.kernel.turn import (
    again,
    goals_to_give,
    may_raise,
    may_raise_at_all,
    pop,
    voters,
)

BATCH = 8
"""So many tries of each action at a time."""
ENOUGH = 40
"""Fewer tries tell nothing."""
SURELY = 3.0
"""What is worse by so many standard errors is given up."""
CLOSE = 0.002
"""And what is hardly better, if at all, is not worth more time."""
LONGEST = 4000
"""Actions in one try."""
ROOT, AFTER, AGREED, REFUSED, TRY = range(5)
"""Positions at hand: see Desk.row."""


class Desk(NamedTuple):
    """The memory of a search; the caller owns it."""

    net: Net
    row: Numbers
    """Of positions: where it starts, after an action, with a raise agreed or refused, in a try."""
    columns: Numbers
    worth: Numbers
    """Of the position judged last, for each team."""
    other: Numbers
    sums: Numbers
    """By action: all that its tries were worth."""
    tries: Numbers
    ahead: Numbers
    """By two actions: by how much the first was worth more, over all common tries."""
    squares: Numbers
    alive: Numbers


def desk(net: Net) -> Desk:
    return Desk(
        net,
        blanks(5),
        np.zeros((SEATS, COLUMNS)),
        np.zeros(SEATS),
        np.zeros(SEATS),
        np.zeros(MOST_ACTIONS),
        np.zeros(MOST_ACTIONS, np.int64),
        np.zeros((MOST_ACTIONS, MOST_ACTIONS)),
        np.zeros((MOST_ACTIONS, MOST_ACTIONS)),
        np.zeros(MOST_ACTIONS, np.int64),
    )


def in_tries(house: House) -> House:
    """The options as tries have them: a dome, penalties completed by turns, nothing to say."""
    made = cast(House, np.zeros(1, HOUSE).view(np.recarray)[0])
    for name in HOUSE.names or ():
        setattr(made, name, getattr(house, name))
    made.dome, made.by_turns, made.hembo = 1, 1, 0
    return made


# What an action leads to


@compiled
def judge(house: House, d: Desk, p: Packed) -> None:
    """Fill `worth`; what is pending comes to its likely end first, in `p` itself."""
    _settled(house, d, p)
    _judge_settled(house, d, p)


@compiled
def _judge_settled(house: House, d: Desk, p: Packed) -> None:
    if p.phase == ENDED:
        for team in range(SEATS):
            d.worth[team] = 0.25 if p.team == NOBODY else 0.0
        if p.team != NOBODY:
            d.worth[p.team] = 1.0
    else:
        chances(house, d.net, p, d.columns, d.worth)


@compiled
def _settled(house: House, d: Desk, p: Packed) -> None:
    if p.phase == VOTING:
        if p.teams == 0 and not _is_welcome(house, d, p):
            again(house, p, p.team, small(0))
        else:
            _new_round(house, p)
    elif p.phase == CHOOSING:
        if not p.flag and may_raise(house, p, p.team):
            _raised(house, p)
        else:
            again(house, p, p.team, small(0))
    if p.phase == RETURNING:
        _returned(house, p)


@compiled
def _new_round(house: House, p: Packed) -> None:
    p.raised = 0
    if may_raise_at_all(house, p, p.team):
        _raised(house, p)
    else:
        again(house, p, p.team, small(0))


@compiled
def _raised(house: House, p: Packed) -> None:
    """With the rearmost goal piece."""
    raise_piece(house, p, p.team, lowest(goals(p, p.team)) + 1)


@compiled
def _returned(house: House, p: Packed) -> None:
    """Everybody gives the rearmost piece back."""
    while p.phase == RETURNING:
        team = lowest(p.teams)
        give_back(house, p, team, lowest(goals_to_give(house, p, team)) + 1)


@compiled
def _is_welcome(house: House, d: Desk, p: Packed) -> bool:
    """Whether all who are asked gain by a new round."""
    agreed, refused = d.row[AGREED], d.row[REFUSED]
    copy(p, agreed)
    copy(p, refused)
    _new_round(house, agreed)
    if agreed.phase == RETURNING:
        _returned(house, agreed)
    again(house, refused, p.team, small(0))
    _judge_settled(house, d, refused)
    for team in range(SEATS):
        d.other[team] = d.worth[team]
    _judge_settled(house, d, agreed)
    asked = voters(p)
    against = small(0)
    for team in range(SEATS):
        against += small((asked >> team) & 1 and d.worth[team] <= d.other[team])
    return against == 0


@compiled
def liked(house: House, d: Desk, p: Packed, actor: int) -> int:
    """The turn action after which the actor's chance is judged best."""
    found = turn_set(house, p, actor)
    best, most = action_at(p, actor, lowest(found)), -1.0
    if not found & (found - 1):
        return best
    while found:
        action = action_at(p, actor, lowest(found))
        found = small(without_lowest(found))
        copy(p, d.row[AFTER])
        resolve(house, d.row[AFTER], actor, action)
        judge(house, d, d.row[AFTER])
        if d.worth[actor] > most:
            best, most = action, d.worth[actor]
    return best


@compiled
def glance(house: House, d: Desk, seat: int, codes: Numbers, listed: int, out: Numbers) -> None:
    """What each action is worth to a seat at first sight."""
    for number in range(listed):
        copy(d.row[ROOT], d.row[AFTER])
        resolve(house, d.row[AFTER], seat, codes[number])
        judge(house, d, d.row[AFTER])
        out[number] = d.worth[seat]


# Tries


@compiled
def play_on(house: House, d: Desk, p: Packed, die: int, turns: int, whim: int) -> int:
    """Everybody plays what is liked, until so many turns have begun; the die after that.

    Of 256 choices, `whim` are made at random.
    """
    for _ in range(LONGEST):
        if p.phase == POPPING:
            if p.flag:
                if turns <= 0:
                    break
                turns -= 1
            die = rolled(die)
            pop(house, p, p.team, face_shown(house, p, mixed(die)))
            continue
        actors = to_act(house, p)
        if not actors:
            break
        actor = lowest(actors)
        if whim > 0:
            die = rolled(die)
            if below(mixed(die), small(256)) < whim:
                resolve(house, p, actor, at_random(house, p, actor, mixed(wide(~die))))
                continue
        resolve(house, p, actor, liked(house, d, p, actor))
    return wide(die)


@compiled
def at_random(house: House, p: Packed, actor: int, shown: int) -> int:
    found = turn_set(house, p, actor)
    chosen = below(shown, count(found))
    for _ in range(chosen):
        found = small(without_lowest(found))
    return action_at(p, actor, lowest(found))


@compiled
def consider(
    house: House,
    d: Desk,
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
    worth = np.zeros(listed)
    done, left, common = small(0), small(listed), small(0)
    while left > 1 and done + left <= most and flag[0] == 0:
        for _ in range(BATCH):
            if done + left > most or flag[0] != 0:
                break
            die = rolled(die)
            for number in range(listed):
                if d.alive[number]:
                    worth[number] = tried(house, d, seat, codes[number], mixed(die), turns)
            common += 1
            done += left
            _tell(d, worth, listed)
        if common >= ENOUGH:
            left = _give_up(d, listed, common)
    return done


@compiled
def tried(house: House, d: Desk, seat: int, action: int, die: int, turns: int) -> float:
    p = d.row[TRY]
    copy(d.row[ROOT], p)
    resolve(house, p, seat, action)
    play_on(house, d, p, die, turns, small(0))
    _judge_settled(house, d, p)
    return float(d.worth[seat])


@compiled
def _tell(d: Desk, worth: Numbers, listed: int) -> None:
    for first in range(listed):
        if d.alive[first]:
            d.sums[first] += worth[first]
            d.tries[first] += 1
            for second in range(listed):
                if d.alive[second]:
                    more = worth[first] - worth[second]
                    d.ahead[first, second] += more
                    d.squares[first, second] += more * more


@compiled
def _give_up(d: Desk, listed: int, common: int) -> int:
    """All that are alive have been tried as often; how many are left."""
    best = small(-1)
    for number in range(listed):
        if d.alive[number] and (best < 0 or d.sums[number] > d.sums[best]):
            best = small(number)
    left = small(0)
    for number in range(listed):
        if d.alive[number]:
            mean = d.ahead[best, number] / common
            spread = max(0.0, d.squares[best, number] / common - mean * mean)
            error = sqrt(spread / common)
            if number != best and (mean > SURELY * error or SURELY * error < CLOSE):
                d.alive[number] = 0
            else:
                left += 1
    return left
