"""What a quiet position of Kahmaté is worth to the captain whose turn begins, in compiled code.

A position is some numbers about cards, threats and distances. A small net makes of them the chance
that he makes the next try; there is one for each of three cases: the ball is his, theirs, or loose.
`tools/tune_kahmate.py` fits it to games that the mind plays against itself.
"""

from __future__ import annotations

from itertools import product
from math import exp
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kibitz.bots.kahmate.card_mixes import Cards
from kibitz.bots.kahmate.reach import (
    AT,
    EVEN,
    KIND,
    UP,
    WINS,
    Seen,
    can_tackle,
    eyes,
    from_file,
    further,
    receivers_from,
    see,
    spread,
    try_chance,
)
from kibitz.core.jit import compiled, small, wide
from kibitz.games.kahmate.kernel.board import (
    any_in,
    both,
    has,
    how_many,
    one,
    one_file_down,
)
from kibitz.games.kahmate.kernel.encoding import (
    ATTACK_OF,
    BALL_ON,
    DEFENCE_OF,
    DRAW,
    NONE,
    OVER,
    POINTS_OF,
    House,
    Packed,
)
from kibitz.games.kahmate.kernel.state import kind_of, man_at, mark_of, other, side_of

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

(
    LEAD,
    HAND,
    SUMS,
    TOPS,
    DOWN,
    DOWN_THERE,
    OPEN,
    CHANCE,
    OPEN_THERE,
    CHANCE_THERE,
    FILE,
    FILE_SQUARED,
    ASIDE,
    DEFENCE,
    SPEED,
    FALLEN,
    TACKLERS,
    TACKLE,
    TACKLE_AGAIN,
    SUPPORT,
    LAG,
    LAG_THERE,
    ASTRAY,
    ASTRAY_THERE,
    RACE,
    RACE_THERE,
    SECOND_RACE,
    SECOND_RACE_THERE,
    GUARDS_THERE,
    NEAR_GUARDS_THERE,
    CLOSE_GUARDS_THERE,
    GUARDS,
    NEAR_GUARDS,
    CLOSE_GUARDS,
    STALE,
    PATH,
    COVERED,
    MAY_KICK,
    CELLS,
) = range(39)
FILES, RANKS = 9, 5
"""Men are counted by where they are, seen from the ball: as many files before it as behind it, and
ranks to either side; the last ones stand for all that are further."""
CELLS_THERE = CELLS + FILES * RANKS
DENSE = CELLS_THERE + FILES * RANKS
MINE, THEIRS, LOOSE = 0, 1, 2
CASES = 3
FAR_TURNS = 3.0
"""Nobody is taken to be further from the ball, in turns."""
LONGEST_PATH = 9

HIDDEN = 24


class Net(NamedTuple):
    """What its neurons make of a position, by case."""

    numbers: Numbers
    """[case, number, neuron]; after the numbers what a neuron has by itself, then its say."""
    straight: Numbers
    """[case, number], and a last one for nothing."""


BIAS, OUT = DENSE, DENSE + 1


class Judge(NamedTuple):
    """What judging needs; the caller owns it."""

    eyes: Numbers
    dense: Numbers
    """The numbers of the position judged last."""
    hidden: Numbers
    edge_in_hand: Numbers
    net: Net


def judge(cards: Cards, net: Net) -> Judge:
    return Judge(
        eyes(),
        np.zeros(DENSE, np.float32),
        np.zeros(HIDDEN, np.float32),
        cards.edge_in_hand,
        net,
    )


def empty_net() -> Net:
    return Net(
        np.zeros((CASES, DENSE + 2, HIDDEN), np.float32),
        np.zeros((CASES, DENSE + 1), np.float32),
    )


# Numbers


@compiled
def describe(house: House, j: Judge, p: Packed) -> int:
    """Fill in the numbers of a position in which a turn begins; which case it is."""
    e, f, me = j.eyes, j.dense, small(p.turn)
    you = other(me)
    for n in range(DENSE):
        f[n] = 0.0
    mine, theirs = see(e, p, False)
    in_hand(j, p, me)
    f[DOWN] = how_many(mine.own) - e[me, UP, 0]
    f[DOWN_THERE] = how_many(mine.foes) - e[you, UP, 0]
    chance, chance_there = try_chance(e, p, mine), try_chance(e, p, theirs)
    if chance == 1.0:
        f[OPEN] = 1.0
    else:
        f[CHANCE] = chance
    if chance_there == 1.0:
        f[OPEN_THERE] = 1.0
    else:
        f[CHANCE_THERE] = chance_there
    ahead = ((mine.ball >> 3) - 6) / 5.0
    f[FILE], f[FILE_SQUARED] = ahead, ahead * abs(ahead)
    f[ASIDE] = abs((mine.ball & 7) - 3.5) / 3.5
    around(e, f, mine, small(0))
    around(e, f, theirs, small(1))
    man = man_at(p, small(p.ball))
    if man == 0:
        return small(LOOSE)
    if house.hold_limit > 0 and p.hold_side == side_of(man):
        f[STALE] = p.hold_count / house.hold_limit
    if side_of(man) == me:
        held(e, f, p, mine, man)
        return small(MINE)
    held(e, f, p, theirs, man)
    return small(THEIRS)


@compiled
def in_hand(j: Judge, p: Packed, me: int) -> None:
    mine, theirs = small(p.hands[me] >> 1), small(p.hands[1 - me] >> 1)
    sums, cards, top, top_there = small(0), small(0), small(0), small(0)
    for card in range(6):
        if mine >> card & 1:
            sums, cards, top = small(sums + card), small(cards + 1), small(card)
        if theirs >> card & 1:
            sums, top_there = small(sums - card), small(card)
    j.dense[LEAD] = j.edge_in_hand[mine, theirs]
    j.dense[HAND], j.dense[SUMS] = cards / 6.0, sums / 6.0
    j.dense[TOPS] = (top - top_there) / 3.0


@compiled
def around(e: Numbers, f: Numbers, s: Seen, later: int) -> None:
    """Where the men of a side are: near the ball, between it and their line, or astray."""
    file, rank = small(s.ball >> 3), small(s.ball & 7)
    first, second, lag, astray = FAR_TURNS, FAR_TURNS, 0.0, 0.0
    guards, near, close = small(0), small(0), small(0)
    for n in range(e[s.side, UP, 0]):
        at = small(e[s.side, AT, n])
        behind, aside = small(file - (at >> 3)), small(abs(rank - (at & 7)))
        cell = small(RANKS * max(0, min(FILES - 1, behind + FILES // 2)) + min(RANKS - 1, aside))
        f[small(CELLS if later == 0 else CELLS_THERE) + cell] += 1.0
        lag += max(0, behind - 2, -behind) + max(0, aside - 2)
        astray += 4.0 * max(0, 1 - behind) + 1.5 * (max(0, behind - 3) + aside / 2)
        turns = (abs(behind) + aside) / POINTS_OF[e[s.side, KIND, n]]
        if turns < first:
            first, second = turns, first
        elif turns < second:
            second = turns
        if behind > 0:
            guards = small(guards + 1)
            if aside <= 3:
                near = small(near + 1)
            if aside <= 1:
                close = small(close + 1)
    f[LAG + later], f[ASTRAY + later] = lag / 10.0, astray / 20.0
    f[RACE + later], f[SECOND_RACE + later] = first, second
    by = small(GUARDS) if later == 0 else small(GUARDS_THERE)
    f[by], f[by + 1], f[by + 2] = guards / 3.0, near / 3.0, close / 3.0


@compiled
def held(e: Numbers, f: Numbers, p: Packed, s: Seen, man: int) -> None:
    """The ball is in the hands of the side that sees it so."""
    kind, foes = kind_of(man), other(s.side)
    defence = small(DEFENCE_OF[kind])
    f[DEFENCE], f[SPEED] = defence, POINTS_OF[kind] - 3
    if mark_of(man):
        f[FALLEN] = 1.0
    found, best, second = small(0), 0.0, 0.0
    for n in range(e[foes, UP, 0]):
        if can_tackle(e, s, foes, small(n), s.ball):
            wins = WINS[EVEN + small(ATTACK_OF[e[foes, KIND, n]]) - defence]
            found = small(found + 1)
            if wins > best:
                best, second = wins, best
            elif wins > second:
                second = wins
    f[TACKLERS], f[TACKLE], f[TACKLE_AGAIN] = found / 3.0, best, second
    support, partners = small(0), receivers_from(one(s.ball))
    for n in range(e[s.side, UP, 0]):
        if has(partners, small(e[s.side, AT, n])):
            support = small(support + 1)
    f[SUPPORT] = support / 3.0
    f[PATH] = path(s) / float(LONGEST_PATH)
    if any_in(both(one_file_down(one(s.ball)), s.own)):
        f[COVERED] = 1.0
    if not any_in(both(s.own, from_file(small((s.ball >> 3) + 1)))):
        f[MAY_KICK] = 1.0


@compiled
def path(s: Seen) -> int:
    """How many steps to the line, round everybody."""
    taken = one(s.ball)
    for steps in range(1, LONGEST_PATH):
        if any_in(both(spread(taken), (wide(0), wide(0xFF << 32)))):
            return small(steps)
        taken = further(taken, s.free)
    return small(LONGEST_PATH)


# Chances


@compiled
def next_try(house: House, j: Judge, p: Packed) -> float:
    """The chance that the captain whose turn begins makes the next try."""
    case = describe(house, j, p)
    net, hidden, f = j.net, j.hidden, j.dense
    for h in range(HIDDEN):
        hidden[h] = net.numbers[case, BIAS, h]
    odds = net.straight[case, DENSE]
    for n in range(DENSE):
        number = f[n]
        if number != 0.0:
            odds += number * net.straight[case, n]
            for h in range(HIDDEN):
                hidden[h] += number * net.numbers[case, n, h]
    for h in range(HIDDEN):
        odds += net.numbers[case, OUT, h] * max(hidden[h], np.float32(0.0))
    return 1.0 / (1.0 + exp(-float(odds)))


MOST_TRIES = 3
STARTS = 0.55
"""How often who begins makes the first try, about."""


def _match_table() -> Numbers:
    """[tries I need, tries they need]: the chance of who begins; who concedes begins next."""
    table = np.full((MOST_TRIES + 1, MOST_TRIES + 1), 0.5)
    table[0], table[1:, 0] = 1.0, 0.0
    needed = range(1, MOST_TRIES + 1)
    for mine, theirs in sorted(product(needed, needed), key=sum):
        scored, conceded = 1.0 - table[theirs, mine - 1], table[mine, theirs - 1]
        table[mine, theirs] = STARTS * scored + (1 - STARTS) * conceded
    return table


MATCH = _match_table()
LAST_TURNS = 12
"""So many turns before the limit the score begins to count for more than the field."""


@compiled
def match_chance(mine: int, theirs: int, begins: bool) -> float:
    """Of winning the match, by how many tries each side still needs, before a set-up."""
    if begins:
        return float(MATCH[mine, theirs])
    return 1.0 - float(MATCH[theirs, mine])


@compiled
def worth(house: House, j: Judge, p: Packed, side: int) -> float:
    """The chance of this side to win the match; a draw is half a win. No turn is under way."""
    if p.phase >= OVER:
        result = small(p.phase - OVER)
        return 0.5 if result > 1 else 1.0 if result == side else 0.0
    mine = small(house.tries - p.score[side])
    theirs = small(house.tries - p.score[other(side)])
    if p.phase < DRAW:
        return match_chance(mine, theirs, p.turn == side)
    is_drawn, draws, chance = p.ball == NONE, small(1), 0.0
    if is_drawn:
        draws = small(6)
    for card in range(1, draws + 1):
        if is_drawn:
            p.ball = BALL_ON[card]
        chance += next_try(house, j, p) / draws
    if is_drawn:
        p.ball = NONE
    if p.turn != side:
        chance = 1.0 - chance
    won = match_chance(small(mine - 1), theirs, False)
    lost = match_chance(mine, small(theirs - 1), True)
    value = chance * won + (1.0 - chance) * lost
    left = small(house.turn_limit - p.turns)
    if house.turn_limit > 0 and left < LAST_TURNS:
        level = 0.5 if mine == theirs else 1.0 if mine < theirs else 0.0
        value = (value * left + level * (LAST_TURNS - left)) / LAST_TURNS
    return value


# The net as it is kept


def read_net() -> Net:
    """As tools/tune_kahmate.py wrote it, in thousandths."""
    from kibitz.bots.kahmate.weights import TABLE

    numbers = np.array(TABLE.split(), np.float32) / 1000
    net, at = empty_net(), 0
    for part in net:
        part[:] = numbers[at : at + part.size].reshape(part.shape)
        at += part.size
    return net


def write_net(net: Net) -> str:
    """The table that `read_net` reads."""
    return " ".join(str(round(1000 * float(each))) for part in net for each in part.flat)
