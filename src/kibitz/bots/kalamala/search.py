"""Alpha-beta over Kalamala, in compiled code.

A position here is `own` against `others`, `own` being to act, so that one body serves both sides.

Super-ko makes the value of a board depend on the way to it. What stood since the last death or
placement is therefore part of the key under which a value is kept: nothing is ever taken from a
board with another past. Placements and deaths empty that past, and ways that meet after one share
what they found.

Weaker play is the same search that sees less: it looks less far, overlooks some of the answers, and
judges a little by mood.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kibitz.core.bits import bit, lowest_bit, mix_bits, number_below, popcount, without_lowest_bit
from kibitz.core.jit import compiled, i64, jit_inline, u64
from kibitz.games.kalamala.kernel import board_key, hint_bit, reserve_key, results
from kibitz.games.kalamala.kernel.encoding import (
    ANY_REPETITION,
    AXES,
    FALL,
    KO,
    LENGTH_UNIT,
    MAX_ACTIONS,
    PAST_CAPACITY,
    SITUATIONAL,
    A,
    OptionCodes,
    Packed,
    blank,
)
from kibitz.games.kalamala.kernel.moves import is_fall, step_squares
from kibitz.games.kalamala.kernel.slides import slides

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

MAX_PLIES = 64
"""How deep a line may get, quiet ones and deaths together."""
WIN = 1_000_000
SURE_WIN = WIN - 1000
"""From here on a value is a win that is seen to its end."""
BOARD_SLOTS = 4096
"""Places of the counter that says at once of most boards that they never stood before."""
CODE_COUNT = 1 << 16
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
NODES, STOPPED, MAX_NODES = 0, 1, 2

# What a position is worth, in hundredths of a piece; `tools/tune_kalamala.py` prints these.
PIECES = np.array([-400, -278, -234, -141, -41, 59, 135, 220, 279], np.int64)
"""By how many there are, on the board and in reserve."""
RESERVE, KILL, THREAT, MOVE, TURN = 0, 1, 2, 3, 4
RINGS, PAIR = 5, 8
WEIGHTS = np.array([150, 20, 10, 5, 37, 56, 119, 188, 12], np.int64)
"""RESERVED: a piece in reserve rather than on the board. KILL: a piece that can be pushed off at
once. THREAT: one that could be, were it one's turn. MOVE: each way to move. TURN: to be to act.
RINGS: a piece in the second, third and fourth ring from the edge. PAIR: two in a row."""
RING_2 = sum(1 << s for s in range(64) if min(s % 8, 7 - s % 8, s // 8, 7 - s // 8) == 1)
RING_3 = sum(1 << s for s in range(64) if min(s % 8, 7 - s % 8, s // 8, 7 - s // 8) == 2)
RING_4 = sum(1 << s for s in range(64) if min(s % 8, 7 - s % 8, s // 8, 7 - s // 8) == 3)
MASKS = np.array([RING_2, RING_3, RING_4], np.uint64)


class Handicap(NamedTuple):
    """How well a player sees: all of it is what the best one does."""

    overlooks_per_256: int
    """Of 256 answers, how many are not seen."""
    noise: int
    """By how much a judgement may be off, in hundredths of a piece."""
    seed: int
    """What is overlooked this time."""
    may_reduce: bool = True
    """Whether what looks poor is looked at less deeply; without it a depth is seen in full."""


class SearchBuffers(NamedTuple):
    """The memory of a search; the caller owns it."""

    scratch: Packed
    codes: Numbers
    """By ply, as are the two sets of pieces after each action and its place in the order."""
    owns: Numbers
    theirs: Numbers
    order: Numbers
    past: Numbers
    """Both sets of pieces and the turn of what stood, the match's own past first."""
    board_counts: Numbers
    """How often a board with this hint is in it."""
    keys: Numbers
    entries: Numbers
    """Value, depth, kind of bound and best code, in one number."""
    history_scores: Numbers
    """By side and code: how often an action turned out too good for the other side."""
    killers: Numbers
    counts: Numbers
    flag: Numbers
    """Not zero: stop."""
    pieces: Numbers
    weights: Numbers
    line: Numbers
    """By ply, the line that is best from there."""
    line_lengths: Numbers
    """By ply, how long that line is."""


def new_buffers(slots: int) -> SearchBuffers:
    """With room for so many values, a power of two."""
    return SearchBuffers(
        blank(1),
        np.zeros((MAX_PLIES, MAX_ACTIONS), np.int64),
        np.zeros((MAX_PLIES, MAX_ACTIONS), np.uint64),
        np.zeros((MAX_PLIES, MAX_ACTIONS), np.uint64),
        np.zeros((MAX_PLIES, MAX_ACTIONS), np.int64),
        np.zeros((PAST_CAPACITY + 2 * MAX_PLIES, 3), np.uint64),
        np.zeros(BOARD_SLOTS, np.int64),
        np.zeros(slots, np.uint64),
        np.zeros(slots, np.int64),
        np.zeros((2, CODE_COUNT), np.int64),
        np.zeros((MAX_PLIES, 2), np.int64),
        np.zeros(3, np.int64),
        np.zeros(1, np.int64),
        PIECES.copy(),
        WEIGHTS.copy(),
        np.zeros((MAX_PLIES + 1, MAX_PLIES + 1), np.int64),
        np.zeros(MAX_PLIES + 1, np.int64),
    )


@compiled
def reset_search(house: OptionCodes, d: SearchBuffers, p: Packed, nodes: int) -> None:
    """For a new choice: the past of the match, and no memory of any choice before."""
    for place in range(BOARD_SLOTS):
        d.board_counts[place] = 0
    for place in range(d.keys.shape[0]):
        d.keys[place] = u64(0)
    for side in range(2):
        for code in range(CODE_COUNT):
            d.history_scores[side, code] = 0
    for ply in range(MAX_PLIES):
        d.killers[ply, 0] = d.killers[ply, 1] = 0
    for place in range(p.length[0]):
        for column in range(3):
            d.past[place, column] = p.past[place, column]
        d.board_counts[hint_bit(p.past[place, 0], p.past[place, 1])] += 1
    d.counts[NODES], d.counts[STOPPED], d.counts[MAX_NODES] = 0, 0, nodes


@compiled
def past_key(p: Packed) -> int:
    found = u64(0)
    for place in range(p.length[0]):
        found = u64(found ^ mix_bits(board_key(p.past[place, 0], p.past[place, 1])))
    return found


# What a position is worth


@compiled
def evaluate_position(
    d: SearchBuffers, own: int, others: int, reserve: int, reserve_others: int, ply: int
) -> int:
    """For the side to act. A side that can do nothing has lost."""
    ways, kills = _moves_and_kills(d, own, others)
    if ways == 0 and reserve == 0:
        return i64(ply - WIN)
    ways_others, threats = _moves_and_kills(d, others, own)
    here, there = popcount(own), popcount(others)
    w = d.weights
    worth = i64(d.pieces[here + reserve] - d.pieces[there + reserve_others] + w[TURN])
    worth = i64(worth + w[RESERVE] * (reserve - reserve_others))
    worth = i64(worth + w[MOVE] * (ways - ways_others))
    worth = i64(worth + w[KILL] * min(popcount(kills), 2) - w[THREAT] * min(popcount(threats), 2))
    worth = i64(worth + w[PAIR] * (count_pairs(own) - count_pairs(others)))
    for ring in range(3):
        inside = popcount(u64(own & MASKS[ring])) - popcount(u64(others & MASKS[ring]))
        worth = i64(worth + w[RINGS + ring] * inside)
    return worth


@compiled
def _moves_and_kills(d: SearchBuffers, own: int, others: int) -> tuple[int, int]:
    """How many moves there are, and which of the others one of them pushes off alone."""
    _, ways = slides(own, others, d.scratch.kinds, d.scratch.rears)
    return ways, u64(d.scratch.rears[0] & others)


@compiled
def count_pairs(stones: int) -> int:
    """How many neighbours stand in a row, in all four lines: what makes an anchor strong."""
    found = i64(0)
    for direction in AXES:
        found = i64(found + popcount(u64(stones & step_squares(stones, i64(direction)))))
    return found


# What stood before


@jit_inline
def is_barred(
    house: OptionCodes, d: SearchBuffers, a: int, b: int, start: int, end: int, turn: int
) -> bool:
    """Whether this board may not stand after this turn: it is in the past from `start` on (5)."""
    if start == end or d.board_counts[hint_bit(a, b)] == 0:
        return False
    for place in range(end - 1, start - 1, -1):
        if d.past[place, 0] == a and d.past[place, 1] == b:
            odd = u64(u64(d.past[place, 2] ^ u64(turn)) & u64(1)) != u64(0)
            if odd or house.repetition != SITUATIONAL:
                return True
    return False


# The search


@compiled
def quiescence(
    d: SearchBuffers,
    sight: Handicap,
    own: int,
    others: int,
    reserve: int,
    reserve_others: int,
    ply: int,
    alpha: int,
    beta: int,
) -> int:
    """What a position is worth once nobody wants to push anything off any more."""
    d.counts[NODES] += 1
    if d.counts[NODES] >= d.counts[MAX_NODES]:
        d.counts[STOPPED] = 1
    worth = evaluate_position(d, own, others, reserve, reserve_others, ply)
    if sight.noise > 0 and -SURE_WIN < worth < SURE_WIN:
        worth = i64(worth + _noise(sight, own, others))
    if worth >= beta or ply >= MAX_PLIES - 1 or worth <= -SURE_WIN:
        return worth
    if worth > alpha:
        alpha = worth
    _, falling = _moves_and_kills(d, own, others)
    while falling != u64(0):
        fallen = bit(lowest_bit(falling))
        falling = without_lowest_bit(falling)
        if sight.overlooks_per_256 > 0 and _is_overlooked(
            sight, i64(FALL + lowest_bit(fallen)), ply
        ):
            continue
        left = u64(others & u64(~fallen))
        value = i64(
            -quiescence(d, sight, left, own, reserve_others, reserve, ply + 1, -beta, -alpha)
        )
        if value > worth:
            worth = value
            if value > alpha:
                alpha = value
            if value >= beta:
                break
    return worth


@jit_inline
def _noise(sight: Handicap, own: int, others: int) -> int:
    shown = mix_bits(u64(sight.seed ^ board_key(own, others)))
    return i64(number_below(shown, i64(2 * sight.noise + 1)) - sight.noise)


@jit_inline
def _is_overlooked(sight: Handicap, code: int, ply: int) -> bool:
    """One sees all that one can do oneself, but not all that will be done to it."""
    shown = mix_bits(u64(sight.seed ^ u64(code * 64 + ply)))
    return ply > 0 and i64(shown >> u64(56)) < sight.overlooks_per_256


@compiled
def search(
    house: OptionCodes,
    d: SearchBuffers,
    sight: Handicap,
    own: int,
    others: int,
    reserve: int,
    reserve_others: int,
    side: int,
    turn: int,
    start: int,
    end: int,
    stood: int,
    depth: int,
    ply: int,
    alpha: int,
    beta: int,
) -> int:
    """The value for the side to act, at least exact between alpha and beta.

    `start` and `end` say which part of the past counts, and `stood` is its key.
    """
    d.line_lengths[ply] = 0
    if depth <= 0 or ply >= MAX_PLIES - 2:
        return quiescence(d, sight, own, others, reserve, reserve_others, ply, alpha, beta)
    d.counts[NODES] += 1
    if d.counts[NODES] >= d.counts[MAX_NODES] or d.flag[0] != 0:
        d.counts[STOPPED] = 1
    if d.counts[STOPPED] != 0:
        return i64(0)
    a, b = (own, others) if side == A else (others, own)
    board = board_key(a, b)
    reserves = (
        reserve_key(reserve, reserve_others, side)
        if side == A
        else reserve_key(reserve_others, reserve, side)
    )
    key = u64(u64(board ^ reserves) ^ stood)
    if house.turn_limit > 0 and turn + MAX_PLIES > house.turn_limit:
        key = u64(key ^ mix_bits(u64(turn)))
    slot = i64(u64(key & u64(d.keys.shape[0] - 1)))
    best_code = i64(-1)
    if d.keys[slot] == key:
        kept = d.entries[slot]
        best_code = i64(kept & 0xFFFF) - 1
        kept_depth, bound = i64(kept >> 16 & 0xFF), i64(kept >> 24 & 3)
        if ply > 0 and kept_depth >= depth:
            value = _value_from_table(i64(kept >> 26), ply)
            if (
                bound == EXACT
                or (bound == AT_LEAST and value >= beta)
                or (bound == AT_MOST and value <= alpha)
            ):
                return value

    codes, owns, theirs, order = d.codes[ply], d.owns[ply], d.theirs[ply], d.order[ply]
    deaths, found = results(own, others, reserve, d.scratch, codes, owns, theirs)
    there = popcount(others)
    for place in range(found):
        code, worth = codes[place], i64(0)
        if code == best_code:
            worth = i64(1 << 40)
        elif place < deaths:
            killed = there - popcount(theirs[place])
            worth = i64((1 << 30) * killed) if killed > 0 else i64(-(1 << 30))
        elif code == d.killers[ply, 0]:
            worth = i64(1 << 29)
        elif code == d.killers[ply, 1]:
            worth = i64(1 << 28)
        else:
            worth = d.history_scores[side, code & (CODE_COUNT - 1)]
        order[place] = worth

    best, tried, first_alpha = i64(-WIN - 1), i64(0), alpha
    over = house.turn_limit > 0 and turn > house.turn_limit
    for place in range(found):
        _select_next(d, ply, place, found)
        code = codes[place]
        is_placement = code < LENGTH_UNIT
        is_death = not is_placement and is_fall(code)
        next_a = owns[place] if side == A else theirs[place]
        next_b = theirs[place] if side == A else owns[place]
        is_reversible = not is_placement and not is_death
        if is_reversible and is_barred(house, d, next_a, next_b, start, end, turn):
            continue
        if over:
            return i64(0)
        if sight.overlooks_per_256 > 0 and tried > 0 and _is_overlooked(sight, code, ply):
            continue
        next_start, next_end, next_stood = end, end, u64(0)
        if is_reversible and house.repetition != ANY_REPETITION:
            d.past[end, 0], d.past[end, 1], d.past[end, 2] = a, b, u64(turn)
            d.board_counts[hint_bit(a, b)] += 1
            next_end = i64(end + 1)
            next_stood = mix_bits(board)
            if house.repetition != KO:
                next_start = start
                next_stood = u64(stood ^ next_stood)
        left = i64(reserve - is_placement)
        reduced = i64(0)
        if (
            sight.may_reduce
            and depth >= 3
            and tried >= 4
            and not is_death
            and order[place] < 1 << 28
        ):
            reduced = i64(1 if tried < 16 else 2)
        # The first is seen in full; of others it is asked only whether they are better.
        ceiling, value = beta if tried == 0 else i64(alpha + 1), i64(0)
        while True:
            value = i64(
                -search(
                    house,
                    d,
                    sight,
                    theirs[place],
                    owns[place],
                    reserve_others,
                    left,
                    i64(1 - side),
                    i64(turn + 1),
                    next_start,
                    next_end,
                    next_stood,
                    i64(depth - 1 - reduced),
                    i64(ply + 1),
                    i64(-ceiling),
                    i64(-alpha),
                )
            )
            is_seen = ceiling == beta and reduced == 0
            if is_seen or value <= alpha or (reduced == 0 and value >= beta):
                break
            ceiling, reduced = beta, i64(0)
        if next_end > end:
            d.board_counts[hint_bit(a, b)] -= 1
        tried = i64(tried + 1)
        if d.counts[STOPPED] != 0:
            return i64(0)
        if value > best:
            best, best_code = value, code
            if value > alpha:
                alpha = value
                _store_line(d, ply, code)
            if value >= beta:
                if not is_death:
                    _record_cutoff(d, side, code, ply, depth)
                break
    if tried == 0:
        return i64(ply - WIN)
    bound = AT_LEAST if best >= beta else EXACT if best > first_alpha else AT_MOST
    d.keys[slot] = key
    d.entries[slot] = i64(
        (_value_to_table(best, ply) << 26) + (bound << 24) + (depth << 16) + (best_code + 1)
    )
    return best


@jit_inline
def _select_next(d: SearchBuffers, ply: int, place: int, found: int) -> None:
    """The best of those that are left comes next."""
    codes, owns, theirs, order = d.codes[ply], d.owns[ply], d.theirs[ply], d.order[ply]
    chosen = place
    for each in range(place + 1, found):
        if order[each] > order[chosen]:
            chosen = each
    if chosen != place:
        codes[place], codes[chosen] = codes[chosen], codes[place]
        owns[place], owns[chosen] = owns[chosen], owns[place]
        theirs[place], theirs[chosen] = theirs[chosen], theirs[place]
        order[place], order[chosen] = order[chosen], order[place]


@jit_inline
def _store_line(d: SearchBuffers, ply: int, code: int) -> None:
    d.line[ply, 0] = code
    length = d.line_lengths[ply + 1]
    for place in range(length):
        d.line[ply, place + 1] = d.line[ply + 1, place]
    d.line_lengths[ply] = i64(length + 1)


@jit_inline
def _record_cutoff(d: SearchBuffers, side: int, code: int, ply: int, depth: int) -> None:
    d.history_scores[side, code & (CODE_COUNT - 1)] += depth * depth
    if d.killers[ply, 0] != code:
        d.killers[ply, 1] = d.killers[ply, 0]
        d.killers[ply, 0] = code


@jit_inline
def _value_from_table(value: int, ply: int) -> int:
    """A sure win is kept as so many plies from where it was found."""
    if value >= SURE_WIN:
        return i64(value - ply)
    if value <= -SURE_WIN:
        return i64(value + ply)
    return value


@jit_inline
def _value_to_table(value: int, ply: int) -> int:
    if value >= SURE_WIN:
        return i64(value + ply)
    if value <= -SURE_WIN:
        return i64(value - ply)
    return value
