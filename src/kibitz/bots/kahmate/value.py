"""The value of a quiet position of Kahmaté to the captain whose turn begins, in compiled code.

A position is some numbers about cards, threats and distances. A small net makes of them the chance
that he makes the next try; there is one for each of three cases: the ball is his, theirs, or loose.
`tools/tune/kahmate.py` fits it to games that the bot plays against itself.
"""

from __future__ import annotations

from itertools import product
from typing import Annotated, NamedTuple, Protocol, cast

import numpy as np

from kibitz.bots.kahmate.card_mixes import HANDS, DuelSolver
from kibitz.bots.kahmate.reach import (
    AT,
    EVEN_INDEX,
    KIND,
    MEN_SHAPE,
    UP,
    WIN_RATES,
    SideView,
    after_one_step,
    can_tackle,
    from_file,
    receivers_from,
    side_views,
    try_chance,
    with_adjacent,
)
from kibitz.core.floats import exp
from kibitz.core.jit import Numbers, i64, jit, record_dtype, u64
from kibitz.games.kahmate.kernel.board import (
    has_any,
    has_square,
    intersection,
    one_file_down,
    single_square,
    square_count,
)
from kibitz.games.kahmate.kernel.encoding import (
    ATTACK_OF,
    BALL_SQUARES,
    DEFENCE_OF,
    DRAW,
    NONE,
    OVER,
    POINTS_OF,
    OptionCodes,
    Packed,
)
from kibitz.games.kahmate.kernel.match import tries_needed
from kibitz.games.kahmate.kernel.state import kind_of, man_at, mark_of, other_side, side_of

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
FEATURE_COUNT = CELLS_THERE + FILES * RANKS
MINE, THEIRS, LOOSE = 0, 1, 2
CASE_COUNT = 3
MAX_RACE_TURNS = 3.0
"""Nobody is taken to be further from the ball, in turns."""
MAX_PATH_STEPS = 9

HIDDEN_NEURONS = 24


class Net(NamedTuple):
    """The weights of the neurons, by case."""

    numbers: Numbers
    """[case, number, neuron]; after the numbers what a neuron has by itself, then its say."""
    straight: Numbers
    """[case, number], and a last one for nothing."""


BIAS, OUT = FEATURE_COUNT, FEATURE_COUNT + 1
NUMBERS_SHAPE = CASE_COUNT, FEATURE_COUNT + 2, HIDDEN_NEURONS
STRAIGHT_SHAPE = CASE_COUNT, FEATURE_COUNT + 1


class EvaluationBuffers(Protocol):
    """The memory of an evaluation, one record that the caller owns."""

    men: Annotated[Numbers, np.int64, MEN_SHAPE]
    features: Annotated[Numbers, np.float32, (FEATURE_COUNT,)]
    """The numbers of the position judged last."""
    hidden: Annotated[Numbers, np.float32, (HIDDEN_NEURONS,)]
    edge_in_hand: Annotated[Numbers, np.float64, HANDS]
    numbers: Annotated[Numbers, np.float32, NUMBERS_SHAPE]
    """The net's, as `straight`."""
    straight: Annotated[Numbers, np.float32, STRAIGHT_SHAPE]


def new_evaluation_buffers(cards: DuelSolver, net: Net) -> EvaluationBuffers:
    dtype = record_dtype(EvaluationBuffers)
    made = cast(EvaluationBuffers, np.zeros(1, dtype).view(np.recarray)[0])
    made.edge_in_hand[:] = cards.edge_in_hand
    fill_net(made, net)
    return made


def fill_net(j: EvaluationBuffers, net: Net) -> None:
    """Judge by this net from now on."""
    j.numbers[:], j.straight[:] = net.numbers, net.straight


def empty_net() -> Net:
    return Net(np.zeros(NUMBERS_SHAPE, np.float32), np.zeros(STRAIGHT_SHAPE, np.float32))


# Numbers


@jit
def fill_features(options: OptionCodes, j: EvaluationBuffers, p: Packed) -> int:
    """Fill in the numbers of a position in which a turn begins; which case it is."""
    e, f, me = j.men, j.features, i64(p.turn)
    you = other_side(me)
    for n in range(FEATURE_COUNT):
        f[n] = 0.0
    mine, theirs = side_views(e, p, False)
    fill_hand_features(j, p, me)
    f[DOWN] = square_count(mine.own) - e[me, UP, 0]
    f[DOWN_THERE] = square_count(mine.foes) - e[you, UP, 0]
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
    fill_men_features(e, f, mine, i64(0))
    fill_men_features(e, f, theirs, i64(1))
    man = man_at(p, i64(p.ball))
    if man == 0:
        return i64(LOOSE)
    if options.hold_limit > 0 and p.hold_side == side_of(man):
        f[STALE] = p.hold_count / options.hold_limit
    if side_of(man) == me:
        fill_holder_features(e, f, p, mine, man)
        return i64(MINE)
    fill_holder_features(e, f, p, theirs, man)
    return i64(THEIRS)


@jit
def fill_hand_features(j: EvaluationBuffers, p: Packed, me: int) -> None:
    mine, theirs = i64(p.hands[me] >> 1), i64(p.hands[1 - me] >> 1)
    sums, cards, top, top_there = i64(0), i64(0), i64(0), i64(0)
    for card in range(6):
        if mine >> card & 1:
            sums, cards, top = i64(sums + card), i64(cards + 1), i64(card)
        if theirs >> card & 1:
            sums, top_there = i64(sums - card), i64(card)
    j.features[LEAD] = j.edge_in_hand[mine, theirs]
    j.features[HAND], j.features[SUMS] = cards / 6.0, sums / 6.0
    j.features[TOPS] = (top - top_there) / 3.0


@jit
def fill_men_features(e: Numbers, f: Numbers, s: SideView, later: int) -> None:
    """Fill in the men of a side: near the ball, between it and their line, or astray."""
    file, rank = i64(s.ball >> 3), i64(s.ball & 7)
    first, second, lag, astray = MAX_RACE_TURNS, MAX_RACE_TURNS, 0.0, 0.0
    guards, near, close = i64(0), i64(0), i64(0)
    for n in range(e[s.side, UP, 0]):
        at = i64(e[s.side, AT, n])
        behind, aside = i64(file - (at >> 3)), i64(abs(rank - (at & 7)))
        cell = i64(RANKS * max(0, min(FILES - 1, behind + FILES // 2)) + min(RANKS - 1, aside))
        f[i64(CELLS if later == 0 else CELLS_THERE) + cell] += 1.0
        lag += max(0, behind - 2, -behind) + max(0, aside - 2)
        astray += 4.0 * max(0, 1 - behind) + 1.5 * (max(0, behind - 3) + aside / 2)
        turns = (abs(behind) + aside) / POINTS_OF[e[s.side, KIND, n]]
        if turns < first:
            first, second = turns, first
        elif turns < second:
            second = turns
        if behind > 0:
            guards = i64(guards + 1)
            if aside <= 3:
                near = i64(near + 1)
            if aside <= 1:
                close = i64(close + 1)
    f[LAG + later], f[ASTRAY + later] = lag / 10.0, astray / 20.0
    f[RACE + later], f[SECOND_RACE + later] = first, second
    by = i64(GUARDS) if later == 0 else i64(GUARDS_THERE)
    f[by], f[by + 1], f[by + 2] = guards / 3.0, near / 3.0, close / 3.0


@jit
def fill_holder_features(e: Numbers, f: Numbers, p: Packed, s: SideView, man: int) -> None:
    """The ball is in the hands of the side that sees it so."""
    kind, foes = kind_of(man), other_side(s.side)
    defence = i64(DEFENCE_OF[kind])
    f[DEFENCE], f[SPEED] = defence, POINTS_OF[kind] - 3
    if mark_of(man):
        f[FALLEN] = 1.0
    found, best, second = i64(0), 0.0, 0.0
    for n in range(e[foes, UP, 0]):
        if can_tackle(e, s, foes, i64(n), s.ball):
            wins = WIN_RATES[EVEN_INDEX + i64(ATTACK_OF[e[foes, KIND, n]]) - defence]
            found = i64(found + 1)
            if wins > best:
                best, second = wins, best
            elif wins > second:
                second = wins
    f[TACKLERS], f[TACKLE], f[TACKLE_AGAIN] = found / 3.0, best, second
    support, partners = i64(0), receivers_from(single_square(s.ball))
    for n in range(e[s.side, UP, 0]):
        if has_square(partners, i64(e[s.side, AT, n])):
            support = i64(support + 1)
    f[SUPPORT] = support / 3.0
    f[PATH] = steps_to_line(s) / float(MAX_PATH_STEPS)
    if has_any(intersection(one_file_down(single_square(s.ball)), s.own)):
        f[COVERED] = 1.0
    if not has_any(intersection(s.own, from_file(i64((s.ball >> 3) + 1)))):
        f[MAY_KICK] = 1.0


@jit
def steps_to_line(s: SideView) -> int:
    """The number of steps to the line, round everybody."""
    taken = single_square(s.ball)
    for steps in range(1, MAX_PATH_STEPS):
        if has_any(intersection(with_adjacent(taken), (u64(0), u64(0xFF << 32)))):
            return i64(steps)
        taken = after_one_step(taken, s.free)
    return i64(MAX_PATH_STEPS)


# Chances


@jit
def next_try_chance(options: OptionCodes, j: EvaluationBuffers, p: Packed) -> float:
    """The chance that the captain whose turn begins makes the next try."""
    case = fill_features(options, j, p)
    numbers, straight, hidden, f = j.numbers, j.straight, j.hidden, j.features
    for h in range(HIDDEN_NEURONS):
        hidden[h] = numbers[case, BIAS, h]
    odds = straight[case, FEATURE_COUNT]
    for n in range(FEATURE_COUNT):
        number = f[n]
        if number != 0.0:
            odds += number * straight[case, n]
            for h in range(HIDDEN_NEURONS):
                hidden[h] += number * numbers[case, n, h]
    for h in range(HIDDEN_NEURONS):
        odds += numbers[case, OUT, h] * max(hidden[h], np.float32(0.0))
    return 1.0 / (1.0 + exp(-float(odds)))


MAX_TRIES = 3
FIRST_TRY_CHANCE = 0.55
"""The share of matches in which the beginner makes the first try, about."""


def _match_table() -> Numbers:
    """[tries I need, tries they need]: the chance of who begins; who concedes begins next."""
    table = np.full((MAX_TRIES + 1, MAX_TRIES + 1), 0.5)
    table[0], table[1:, 0] = 1.0, 0.0
    needed = range(1, MAX_TRIES + 1)
    for mine, theirs in sorted(product(needed, needed), key=sum):
        scored, conceded = 1.0 - table[theirs, mine - 1], table[mine, theirs - 1]
        table[mine, theirs] = FIRST_TRY_CHANCE * scored + (1 - FIRST_TRY_CHANCE) * conceded
    return table


MATCH_CHANCES = _match_table()
LAST_TURNS = 12
"""So many turns before the limit the score begins to count for more than the field."""


@jit
def match_chance(mine: int, theirs: int, begins: bool) -> float:
    """Of winning the match, by how many tries each side still needs, before a set-up."""
    if begins:
        return float(MATCH_CHANCES[mine, theirs])
    return 1.0 - float(MATCH_CHANCES[theirs, mine])


@jit
def win_chance(options: OptionCodes, j: EvaluationBuffers, p: Packed, side: int) -> float:
    """The chance of this side to win the match; a draw is half a win. No turn is under way."""
    if p.phase >= OVER:
        result = i64(p.phase - OVER)
        return 0.5 if result > 1 else 1.0 if result == side else 0.0
    tries = tries_needed(options, p)
    mine, theirs = i64(tries - p.score[side]), i64(tries - p.score[other_side(side)])
    if p.phase < DRAW:
        return match_chance(mine, theirs, p.turn == side)
    is_drawn, draws, chance = p.ball == NONE, i64(1), 0.0
    if is_drawn:
        draws = i64(6)
    for card in range(1, draws + 1):
        if is_drawn:
            p.ball = BALL_SQUARES[card]
        chance += next_try_chance(options, j, p) / draws
    if is_drawn:
        p.ball = NONE
    if p.turn != side:
        chance = 1.0 - chance
    won = match_chance(i64(mine - 1), theirs, False)
    lost = match_chance(mine, i64(theirs - 1), True)
    value = chance * won + (1.0 - chance) * lost
    left = i64(options.turn_limit - p.turns)
    if options.turn_limit > 0 and left < LAST_TURNS:
        level = 0.5 if mine == theirs else 1.0 if mine < theirs else 0.0
        value = (value * left + level * (LAST_TURNS - left)) / LAST_TURNS
    return value


# The net as it is kept


def read_net() -> Net:
    """The net as tools/tune/kahmate.py wrote it, in thousandths."""
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
