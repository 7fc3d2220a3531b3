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

from kibitz.core.bits import below, bit, count, lowest, mixed, without_lowest
from kibitz.core.jit import compiled, inlined, small, wide
from kibitz.games.kalamala.kernel import board_key, hint, reserve_key, results
from kibitz.games.kalamala.kernel.encoding import (
    ANY_REPETITION,
    AXES,
    FALL,
    KO,
    LENGTH,
    MOST_ACTIONS,
    ROOM,
    SITUATIONAL,
    A,
    House,
    Packed,
    blank,
)
from kibitz.games.kalamala.kernel.moves import falls, stepped
from kibitz.games.kalamala.kernel.slides import slides

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

PLIES = 64
"""How deep a line may get, quiet ones and deaths together."""
WIN = 1_000_000
SURE = WIN - 1000
"""From here on a value is a win that is seen to its end."""
BOARDS = 4096
"""Places of the counter that says at once of most boards that they never stood before."""
CODES = 1 << 16
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
NODES, STOPPED, MOST_NODES = 0, 1, 2

# What a position is worth, in hundredths of a piece; `tools/tune_kalamala.py` prints these.
PIECES = np.array([-400, -278, -234, -141, -41, 59, 135, 220, 279], np.int64)
"""By how many there are, on the board and in reserve."""
RESERVED, KILL, THREAT, MOVE, TURN = 0, 1, 2, 3, 4
RINGS, PAIR = 5, 8
WEIGHTS = np.array([150, 20, 10, 5, 37, 56, 119, 188, 12], np.int64)
"""RESERVED: a piece in reserve rather than on the board. KILL: a piece that can be pushed off at
once. THREAT: one that could be, were it one's turn. MOVE: each way to move. TURN: to be to act.
RINGS: a piece in the second, third and fourth ring from the edge. PAIR: two in a row."""
RING_2 = sum(1 << s for s in range(64) if min(s % 8, 7 - s % 8, s // 8, 7 - s // 8) == 1)
RING_3 = sum(1 << s for s in range(64) if min(s % 8, 7 - s % 8, s // 8, 7 - s // 8) == 2)
RING_4 = sum(1 << s for s in range(64) if min(s % 8, 7 - s % 8, s // 8, 7 - s // 8) == 3)
MASKS = np.array([RING_2, RING_3, RING_4], np.uint64)


class Sight(NamedTuple):
    """How well a player sees: all of it is what the best one does."""

    overlooks: int
    """Of 256 answers, how many are not seen."""
    mood: int
    """By how much a judgement may be off, in hundredths of a piece."""
    seed: int
    """What is overlooked this time."""
    hurries: bool = True
    """Whether what looks poor is looked at less deeply; without it a depth is seen in full."""


class Desk(NamedTuple):
    """The memory of a search; the caller owns it."""

    scratch: Packed
    codes: Numbers
    """By ply, as are the two sets of pieces after each action and its place in the order."""
    owns: Numbers
    theirs: Numbers
    order: Numbers
    past: Numbers
    """Both sets of pieces and the turn of what stood, the match's own past first."""
    stood: Numbers
    """How often a board with this hint is in it."""
    keys: Numbers
    kept: Numbers
    """Value, depth, kind of bound and best code, in one number."""
    liked: Numbers
    """By side and code: how often an action turned out too good for the other side."""
    killers: Numbers
    counts: Numbers
    flag: Numbers
    """Not zero: stop."""
    pieces: Numbers
    weights: Numbers
    line: Numbers
    """By ply, the line that is best from there."""
    reach: Numbers
    """By ply, how long that line is."""


def desk(slots: int) -> Desk:
    """With room for so many values, a power of two."""
    return Desk(
        blank(1),
        np.zeros((PLIES, MOST_ACTIONS), np.int64),
        np.zeros((PLIES, MOST_ACTIONS), np.uint64),
        np.zeros((PLIES, MOST_ACTIONS), np.uint64),
        np.zeros((PLIES, MOST_ACTIONS), np.int64),
        np.zeros((ROOM + 2 * PLIES, 3), np.uint64),
        np.zeros(BOARDS, np.int64),
        np.zeros(slots, np.uint64),
        np.zeros(slots, np.int64),
        np.zeros((2, CODES), np.int64),
        np.zeros((PLIES, 2), np.int64),
        np.zeros(3, np.int64),
        np.zeros(1, np.int64),
        PIECES.copy(),
        WEIGHTS.copy(),
        np.zeros((PLIES + 1, PLIES + 1), np.int64),
        np.zeros(PLIES + 1, np.int64),
    )


@compiled
def prepare(house: House, d: Desk, p: Packed, nodes: int) -> None:
    """For a new choice: the past of the match, and no memory of any choice before."""
    for place in range(BOARDS):
        d.stood[place] = 0
    for place in range(d.keys.shape[0]):
        d.keys[place] = wide(0)
    for side in range(2):
        for code in range(CODES):
            d.liked[side, code] = 0
    for ply in range(PLIES):
        d.killers[ply, 0] = d.killers[ply, 1] = 0
    for place in range(p.length[0]):
        for column in range(3):
            d.past[place, column] = p.past[place, column]
        d.stood[hint(p.past[place, 0], p.past[place, 1])] += 1
    d.counts[NODES], d.counts[STOPPED], d.counts[MOST_NODES] = 0, 0, nodes


@compiled
def past_key(p: Packed) -> int:
    found = wide(0)
    for place in range(p.length[0]):
        found = wide(found ^ mixed(board_key(p.past[place, 0], p.past[place, 1])))
    return found


# What a position is worth


@compiled
def judged(d: Desk, own: int, others: int, reserve: int, reserve_others: int, ply: int) -> int:
    """For the side to act. A side that can do nothing has lost."""
    ways, kills = _ways(d, own, others)
    if ways == 0 and reserve == 0:
        return small(ply - WIN)
    ways_others, threats = _ways(d, others, own)
    here, there = count(own), count(others)
    w = d.weights
    worth = small(d.pieces[here + reserve] - d.pieces[there + reserve_others] + w[TURN])
    worth = small(worth + w[RESERVED] * (reserve - reserve_others))
    worth = small(worth + w[MOVE] * (ways - ways_others))
    worth = small(worth + w[KILL] * min(count(kills), 2) - w[THREAT] * min(count(threats), 2))
    worth = small(worth + w[PAIR] * (pairs(own) - pairs(others)))
    for ring in range(3):
        inside = count(wide(own & MASKS[ring])) - count(wide(others & MASKS[ring]))
        worth = small(worth + w[RINGS + ring] * inside)
    return worth


@compiled
def _ways(d: Desk, own: int, others: int) -> tuple[int, int]:
    """How many moves there are, and which of the others one of them pushes off alone."""
    _, ways = slides(own, others, d.scratch.kinds, d.scratch.rears)
    return ways, wide(d.scratch.rears[0] & others)


@compiled
def pairs(stones: int) -> int:
    """How many neighbours stand in a row, in all four lines: what makes an anchor strong."""
    found = small(0)
    for direction in AXES:
        found = small(found + count(wide(stones & stepped(stones, small(direction)))))
    return found


# What stood before


@inlined
def barred(house: House, d: Desk, a: int, b: int, start: int, end: int, turn: int) -> bool:
    """Whether this board may not stand after this turn: it is in the past from `start` on (5)."""
    if start == end or d.stood[hint(a, b)] == 0:
        return False
    for place in range(end - 1, start - 1, -1):
        if d.past[place, 0] == a and d.past[place, 1] == b:
            odd = wide(wide(d.past[place, 2] ^ wide(turn)) & wide(1)) != wide(0)
            if odd or house.repetition != SITUATIONAL:
                return True
    return False


# The search


@compiled
def quiet(
    d: Desk,
    sight: Sight,
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
    if d.counts[NODES] >= d.counts[MOST_NODES]:
        d.counts[STOPPED] = 1
    worth = judged(d, own, others, reserve, reserve_others, ply)
    if sight.mood > 0 and -SURE < worth < SURE:
        worth = small(worth + _mood(sight, own, others))
    if worth >= beta or ply >= PLIES - 1 or worth <= -SURE:
        return worth
    if worth > alpha:
        alpha = worth
    _, falling = _ways(d, own, others)
    while falling != wide(0):
        fallen = bit(lowest(falling))
        falling = without_lowest(falling)
        if sight.overlooks > 0 and _overlooked(sight, small(FALL + lowest(fallen)), ply):
            continue
        left = wide(others & wide(~fallen))
        value = small(-quiet(d, sight, left, own, reserve_others, reserve, ply + 1, -beta, -alpha))
        if value > worth:
            worth = value
            if value > alpha:
                alpha = value
            if value >= beta:
                break
    return worth


@inlined
def _mood(sight: Sight, own: int, others: int) -> int:
    shown = mixed(wide(sight.seed ^ board_key(own, others)))
    return small(below(shown, small(2 * sight.mood + 1)) - sight.mood)


@inlined
def _overlooked(sight: Sight, code: int, ply: int) -> bool:
    """One sees all that one can do oneself, but not all that will be done to it."""
    shown = mixed(wide(sight.seed ^ wide(code * 64 + ply)))
    return ply > 0 and small(shown >> wide(56)) < sight.overlooks


@compiled
def search(
    house: House,
    d: Desk,
    sight: Sight,
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
    d.reach[ply] = 0
    if depth <= 0 or ply >= PLIES - 2:
        return quiet(d, sight, own, others, reserve, reserve_others, ply, alpha, beta)
    d.counts[NODES] += 1
    if d.counts[NODES] >= d.counts[MOST_NODES] or d.flag[0] != 0:
        d.counts[STOPPED] = 1
    if d.counts[STOPPED] != 0:
        return small(0)
    a, b = (own, others) if side == A else (others, own)
    board = board_key(a, b)
    reserves = (
        reserve_key(reserve, reserve_others, side)
        if side == A
        else reserve_key(reserve_others, reserve, side)
    )
    key = wide(wide(board ^ reserves) ^ stood)
    if house.turn_limit > 0 and turn + PLIES > house.turn_limit:
        key = wide(key ^ mixed(wide(turn)))
    slot = small(wide(key & wide(d.keys.shape[0] - 1)))
    best_code = small(-1)
    if d.keys[slot] == key:
        kept = d.kept[slot]
        best_code = small(kept & 0xFFFF) - 1
        kept_depth, bound = small(kept >> 16 & 0xFF), small(kept >> 24 & 3)
        if ply > 0 and kept_depth >= depth:
            value = _from_here(small(kept >> 26), ply)
            if (
                bound == EXACT
                or (bound == AT_LEAST and value >= beta)
                or (bound == AT_MOST and value <= alpha)
            ):
                return value

    codes, owns, theirs, order = d.codes[ply], d.owns[ply], d.theirs[ply], d.order[ply]
    deaths, found = results(own, others, reserve, d.scratch, codes, owns, theirs)
    there = count(others)
    for place in range(found):
        code, worth = codes[place], small(0)
        if code == best_code:
            worth = small(1 << 40)
        elif place < deaths:
            killed = there - count(theirs[place])
            worth = small((1 << 30) * killed) if killed > 0 else small(-(1 << 30))
        elif code == d.killers[ply, 0]:
            worth = small(1 << 29)
        elif code == d.killers[ply, 1]:
            worth = small(1 << 28)
        else:
            worth = d.liked[side, code & (CODES - 1)]
        order[place] = worth

    best, tried, first_alpha = small(-WIN - 1), small(0), alpha
    over = house.turn_limit > 0 and turn > house.turn_limit
    for place in range(found):
        _bring_forward(d, ply, place, found)
        code = codes[place]
        is_placement = code < LENGTH
        is_death = not is_placement and falls(code)
        next_a = owns[place] if side == A else theirs[place]
        next_b = theirs[place] if side == A else owns[place]
        is_reversible = not is_placement and not is_death
        if is_reversible and barred(house, d, next_a, next_b, start, end, turn):
            continue
        if over:
            return small(0)
        if sight.overlooks > 0 and tried > 0 and _overlooked(sight, code, ply):
            continue
        next_start, next_end, next_stood = end, end, wide(0)
        if is_reversible and house.repetition != ANY_REPETITION:
            d.past[end, 0], d.past[end, 1], d.past[end, 2] = a, b, wide(turn)
            d.stood[hint(a, b)] += 1
            next_end = small(end + 1)
            next_stood = mixed(board)
            if house.repetition != KO:
                next_start = start
                next_stood = wide(stood ^ next_stood)
        left = small(reserve - is_placement)
        reduced = small(0)
        if sight.hurries and depth >= 3 and tried >= 4 and not is_death and order[place] < 1 << 28:
            reduced = small(1 if tried < 16 else 2)
        # The first is seen in full; of others it is asked only whether they are better.
        ceiling, value = beta if tried == 0 else small(alpha + 1), small(0)
        while True:
            value = small(
                -search(
                    house,
                    d,
                    sight,
                    theirs[place],
                    owns[place],
                    reserve_others,
                    left,
                    small(1 - side),
                    small(turn + 1),
                    next_start,
                    next_end,
                    next_stood,
                    small(depth - 1 - reduced),
                    small(ply + 1),
                    small(-ceiling),
                    small(-alpha),
                )
            )
            is_seen = ceiling == beta and reduced == 0
            if is_seen or value <= alpha or (reduced == 0 and value >= beta):
                break
            ceiling, reduced = beta, small(0)
        if next_end > end:
            d.stood[hint(a, b)] -= 1
        tried = small(tried + 1)
        if d.counts[STOPPED] != 0:
            return small(0)
        if value > best:
            best, best_code = value, code
            if value > alpha:
                alpha = value
                _keep_line(d, ply, code)
            if value >= beta:
                if not is_death:
                    _like(d, side, code, ply, depth)
                break
    if tried == 0:
        return small(ply - WIN)
    bound = AT_LEAST if best >= beta else EXACT if best > first_alpha else AT_MOST
    d.keys[slot] = key
    d.kept[slot] = small(
        (_to_here(best, ply) << 26) + (bound << 24) + (depth << 16) + (best_code + 1)
    )
    return best


@inlined
def _bring_forward(d: Desk, ply: int, place: int, found: int) -> None:
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


@inlined
def _keep_line(d: Desk, ply: int, code: int) -> None:
    d.line[ply, 0] = code
    length = d.reach[ply + 1]
    for place in range(length):
        d.line[ply, place + 1] = d.line[ply + 1, place]
    d.reach[ply] = small(length + 1)


@inlined
def _like(d: Desk, side: int, code: int, ply: int, depth: int) -> None:
    d.liked[side, code & (CODES - 1)] += depth * depth
    if d.killers[ply, 0] != code:
        d.killers[ply, 1] = d.killers[ply, 0]
        d.killers[ply, 0] = code


@inlined
def _from_here(value: int, ply: int) -> int:
    """A sure win is kept as so many plies from where it was found."""
    if value >= SURE:
        return small(value - ply)
    if value <= -SURE:
        return small(value + ply)
    return value


@inlined
def _to_here(value: int, ply: int) -> int:
    if value >= SURE:
        return small(value + ply)
    if value <= -SURE:
        return small(value - ply)
    return value
