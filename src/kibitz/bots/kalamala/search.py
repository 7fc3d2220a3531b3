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

from typing import Annotated, Any, NamedTuple, Protocol, cast

import numpy as np

from kibitz.core.bits import bit, lowest_bit, mix_bits, number_below, popcount, without_lowest_bit
from kibitz.core.jit import I64, U64, Numbers, i64, jit, jit_inline, record_dtype, u64
from kibitz.games.kalamala.kernel.dispatch import hint_bit
from kibitz.games.kalamala.kernel.encoding import (
    ANY_REPETITION,
    AXES,
    FALL,
    KO,
    LENGTH_UNIT,
    MAX_ACTIONS,
    MAX_KINDS,
    PAST_CAPACITY,
    SITUATIONAL,
    A,
    OptionCodes,
    Packed,
)
from kibitz.games.kalamala.kernel.keys import board_key, reserve_key
from kibitz.games.kalamala.kernel.moves import is_fall, step_squares
from kibitz.games.kalamala.kernel.slides import slides
from kibitz.games.kalamala.kernel.successors import results

MAX_PLIES = 64
"""The greatest depth of a line, quiet ones and deaths together."""
WIN = 1_000_000
SURE_WIN = WIN - 1000
"""From here on a value is a win that is seen to its end."""
BOARD_SLOTS = 4096
"""Places of the counter that says at once of most boards that they never stood before."""
CODE_COUNT = 1 << 16
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
MAX_SLOTS = 1 << 20
"""Values that there is room for."""
BEST_ORDER, DEATH_ORDER, KILLER_ORDER, SECOND_KILLER_ORDER = 1 << 40, 1 << 30, 1 << 29, 1 << 28
"""Places in the order of search: what was best before, deaths by their number, two killers."""

# The weights of an evaluation, in hundredths of a piece; `tools/tune/kalamala.py` prints these.
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
    """The weaknesses of a player; the best one has none."""

    overlooks_per_256: int
    """Of 256 answers, how many are not seen."""
    noise: int
    """By how much a judgement may be off, in hundredths of a piece."""
    seed: int
    """The actions that are overlooked this time."""
    may_reduce: bool = True
    """True if poor actions are looked at less deeply; without it a depth is seen in full."""


class Node(Protocol):
    """A position on the way from the root, and what can be done in it: one record of NODE_DTYPE."""

    own: U64
    others: U64
    reserve: I64
    reserve_others: I64
    side: I64
    turn: I64
    start: I64
    """From `start` to `end` the past counts for super-ko; `past_key` is that part's key."""
    end: I64
    past_key: U64
    codes: Annotated[Numbers, np.int64, (MAX_ACTIONS,)]
    """The actions, then both sets of pieces after each and its place in the order."""
    owns: Annotated[Numbers, np.uint64, (MAX_ACTIONS,)]
    theirs: Annotated[Numbers, np.uint64, (MAX_ACTIONS,)]
    order: Annotated[Numbers, np.int64, (MAX_ACTIONS,)]
    killers: Annotated[Numbers, np.int64, (2,)]
    line: Annotated[Numbers, np.int64, (MAX_PLIES,)]
    """The line that is best from here."""
    line_length: I64


NODE_DTYPE = record_dtype(Node)


class SearchBuffers(Protocol):
    """The memory of a search, one record of BUFFERS_DTYPE; the caller owns it.

    As one record it is handed over as one address: arrays by themselves are copied at each call,
    which took two thirds of the time.
    """

    nodes: Annotated[Any, NODE_DTYPE, (MAX_PLIES,)]
    """By ply."""
    kinds: Annotated[Numbers, np.int64, (MAX_KINDS,)]
    """Room to work in for `slides`."""
    rears: Annotated[Numbers, np.uint64, (MAX_KINDS,)]
    past: Annotated[Numbers, np.uint64, (PAST_CAPACITY + 2 * MAX_PLIES, 3)]
    """Both sets of pieces and the turn of what stood, the match's own past first."""
    board_counts: Annotated[Numbers, np.int64, (BOARD_SLOTS,)]
    """The number of boards with this hint in it."""
    slot_mask: I64
    """One less than the slots in use, a power of two."""
    keys: Annotated[Numbers, np.uint64, (MAX_SLOTS,)]
    entries: Annotated[Numbers, np.int64, (MAX_SLOTS,)]
    """Value, depth, kind of bound and best code, in one number."""
    history_scores: Annotated[Numbers, np.int64, (2, CODE_COUNT)]
    """By side and code: how often an action turned out too good for the other side."""
    pieces: Annotated[Numbers, np.int64, PIECES.shape]
    weights: Annotated[Numbers, np.int64, WEIGHTS.shape]
    node_count: I64
    max_nodes: I64
    is_stopped: I64


BUFFERS_DTYPE = record_dtype(SearchBuffers)


class Search(NamedTuple):
    """All that stays the same during a search."""

    options: OptionCodes
    handicap: Handicap
    buffers: SearchBuffers
    flag: Numbers
    """Not zero: stop."""


def new_buffers() -> SearchBuffers:
    d = cast(SearchBuffers, np.zeros(1, BUFFERS_DTYPE).view(np.recarray)[0])
    d.pieces[:], d.weights[:] = PIECES, WEIGHTS
    return d


@jit
def past_key(p: Packed) -> int:
    found = u64(0)
    for place in range(p.length[0]):
        found = u64(found ^ mix_bits(board_key(p.past[place, 0], p.past[place, 1])))
    return found


@jit
def reset_search(d: SearchBuffers, p: Packed, slots: int, max_nodes: int) -> None:
    """For a new choice: the root, the past of the match, and no memory of any choice before."""
    d.slot_mask = slots - 1
    d.board_counts[:] = 0
    d.keys[:slots] = u64(0)
    d.history_scores[:] = 0
    for ply in range(MAX_PLIES):
        d.nodes[ply].killers[:] = 0
    for place in range(p.length[0]):
        for column in range(3):
            d.past[place, column] = p.past[place, column]
        d.board_counts[hint_bit(p.past[place, 0], p.past[place, 1])] += 1
    d.node_count, d.is_stopped, d.max_nodes = 0, 0, max_nodes
    n, side = d.nodes[0], p.side[0]
    n.own, n.others = p.stones[side], p.stones[1 - side]
    n.reserve, n.reserve_others = p.reserve[side], p.reserve[1 - side]
    n.side, n.turn = side, p.turn[0]
    n.start, n.end, n.past_key = 0, p.length[0], past_key(p)


# Evaluation


@jit_inline
def evaluate_position(
    d: SearchBuffers, own: int, others: int, reserve: int, reserve_others: int, ply: int
) -> tuple[int, int]:
    """The value for the side to act, and the set of others that one piece alone pushes off.

    A side that can do nothing has lost.
    """
    moves, kills = _moves_and_kills(d, own, others)
    if moves == 0 and reserve == 0:
        return i64(ply - WIN), u64(0)
    moves_others, threats = _moves_and_kills(d, others, own)
    here, there = popcount(own), popcount(others)
    w = d.weights
    value = i64(d.pieces[here + reserve] - d.pieces[there + reserve_others] + w[TURN])
    value = i64(value + w[RESERVE] * (reserve - reserve_others))
    value = i64(value + w[MOVE] * (moves - moves_others))
    value = i64(value + w[KILL] * min(popcount(kills), 2) - w[THREAT] * min(popcount(threats), 2))
    value = i64(value + w[PAIR] * (count_pairs(own) - count_pairs(others)))
    for ring in range(3):
        inside = popcount(u64(own & MASKS[ring])) - popcount(u64(others & MASKS[ring]))
        value = i64(value + w[RINGS + ring] * inside)
    return value, kills


@jit
def _moves_and_kills(d: SearchBuffers, own: int, others: int) -> tuple[int, int]:
    """The number of moves, and the set of others that one piece alone pushes off."""
    _, moves = slides(own, others, d.kinds, d.rears)
    return moves, u64(d.rears[0] & others)


@jit
def count_pairs(stones: int) -> int:
    """The number of neighbours in a row, in all four lines: what makes an anchor strong."""
    found = i64(0)
    for direction in AXES:
        found = i64(found + popcount(u64(stones & step_squares(stones, i64(direction)))))
    return found


# The past


@jit_inline
def is_barred(options: OptionCodes, d: SearchBuffers, n: Node, a: int, b: int) -> bool:
    """True if this board may not stand after this turn: it is in the node's past (5)."""
    if n.start == n.end or d.board_counts[hint_bit(a, b)] == 0:
        return False
    for place in range(n.end - 1, n.start - 1, -1):
        if d.past[place, 0] == a and d.past[place, 1] == b:
            odd = u64(u64(d.past[place, 2] ^ u64(n.turn)) & u64(1)) != u64(0)
            if odd or options.repetition != SITUATIONAL:
                return True
    return False


# The search


@jit
def quiescence(
    s: Search,
    own: int,
    others: int,
    reserve: int,
    reserve_others: int,
    ply: int,
    alpha: int,
    beta: int,
) -> int:
    """The value of a position once nobody wants to push anything off any more."""
    _count_node(s.buffers)
    best, falling = evaluate_position(s.buffers, own, others, reserve, reserve_others, ply)
    if s.handicap.noise > 0 and -SURE_WIN < best < SURE_WIN:
        best = i64(best + _noise(s.handicap, own, others))
    if best >= beta or ply >= MAX_PLIES - 1 or best <= -SURE_WIN:
        return best
    alpha = max(alpha, best)
    while falling != u64(0):
        fallen = bit(lowest_bit(falling))
        falling = without_lowest_bit(falling)
        if _is_overlooked(s.handicap, i64(FALL + lowest_bit(fallen)), ply):
            continue
        left = u64(others & u64(~fallen))
        value = i64(-quiescence(s, left, own, reserve_others, reserve, ply + 1, -beta, -alpha))
        best, alpha = max(best, value), max(alpha, value)
        if value >= beta:
            break
    return best


@jit_inline
def _count_node(d: SearchBuffers) -> None:
    d.node_count += 1
    if d.node_count >= d.max_nodes:
        d.is_stopped = 1


@jit_inline
def _noise(handicap: Handicap, own: int, others: int) -> int:
    shown = mix_bits(u64(handicap.seed ^ board_key(own, others)))
    return i64(number_below(shown, i64(2 * handicap.noise + 1)) - handicap.noise)


@jit_inline
def _is_overlooked(handicap: Handicap, code: int, ply: int) -> bool:
    """One sees all that one can do oneself, but not all that will be done to it."""
    if handicap.overlooks_per_256 == 0 or ply == 0:
        return False
    shown = mix_bits(u64(handicap.seed ^ u64(code * 64 + ply)))
    return i64(shown >> u64(56)) < handicap.overlooks_per_256


@jit
def search(s: Search, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value of a node for the side to act, at least exact between alpha and beta."""
    d = s.buffers
    n = d.nodes[ply]
    n.line_length = 0
    if depth <= 0 or ply >= MAX_PLIES - 2:
        return quiescence(s, n.own, n.others, n.reserve, n.reserve_others, ply, alpha, beta)
    _count_node(d)
    if d.is_stopped != 0 or s.flag[0] != 0:
        d.is_stopped = 1
        return i64(0)
    key = _node_key(s.options, n)
    slot, best_code = i64(u64(key & u64(d.slot_mask))), i64(-1)
    if d.keys[slot] == key:
        entry = i64(d.entries[slot])
        best_code = i64(entry & 0xFFFF) - 1
        value = _value_from_table(i64(entry >> 26), ply)
        if ply > 0 and _is_decisive(entry, value, depth, alpha, beta):
            return value
    found = _list_actions(d, n, best_code)
    best, tried, first_alpha = i64(-WIN - 1), i64(0), alpha
    for place in range(found):
        _select_next(n, place, found)
        code = i64(n.codes[place])
        is_death = _is_death(code)
        if not is_death and code >= LENGTH_UNIT and _leads_back(s.options, d, n, place):
            continue
        if 0 < s.options.turn_limit < n.turn:
            return i64(0)
        if tried > 0 and _is_overlooked(s.handicap, code, ply):
            continue
        _enter_child(s.options, d, ply, place)
        reduction = i64(0)
        is_late = depth >= 3 and tried >= 4 and not is_death
        if s.handicap.may_reduce and is_late and n.order[place] < SECOND_KILLER_ORDER:
            reduction = i64(1 if tried < 16 else 2)
        # The first is seen in full; of others it is asked only whether they are better.
        ceiling, value = beta if tried == 0 else i64(alpha + 1), i64(0)
        while True:
            value = i64(
                -search(s, i64(ply + 1), i64(depth - 1 - reduction), i64(-ceiling), i64(-alpha))
            )
            is_seen = ceiling == beta and reduction == 0
            if is_seen or value <= alpha or (reduction == 0 and value >= beta):
                break
            ceiling, reduction = beta, i64(0)
        _leave_child(d, ply)
        tried = i64(tried + 1)
        if d.is_stopped != 0:
            return i64(0)
        if value > best:
            best, best_code = value, code
            if value > alpha:
                alpha = value
                _store_line(d, ply, code)
            if value >= beta:
                if not is_death:
                    _record_cutoff(d, n, code, depth)
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
def _boards(side: int, own: int, others: int) -> tuple[int, int]:
    """The pieces of side A, and those of side B."""
    return (own, others) if side == A else (others, own)


@jit_inline
def _node_key(options: OptionCodes, n: Node) -> int:
    """The key of a node in the table, its past and a turn near the limit included."""
    a, b = _boards(n.side, n.own, n.others)
    first, second = n.reserve, n.reserve_others
    if n.side != A:
        first, second = n.reserve_others, n.reserve
    key = u64(u64(board_key(a, b) ^ reserve_key(first, second, n.side)) ^ n.past_key)
    if options.turn_limit > 0 and n.turn + MAX_PLIES > options.turn_limit:
        key = u64(key ^ mix_bits(u64(n.turn)))
    return key


@jit_inline
def _is_decisive(entry: int, value: int, depth: int, alpha: int, beta: int) -> bool:
    """True if what the table has is deep enough and leaves nothing to search."""
    if i64(entry >> 16 & 0xFF) < depth:
        return False
    bound = i64(entry >> 24 & 3)
    return (
        bound == EXACT
        or (bound == AT_LEAST and value >= beta)
        or (bound == AT_MOST and value <= alpha)
    )


@jit_inline
def _list_actions(d: SearchBuffers, n: Node, best_code: int) -> int:
    """List the actions of a node with their places in the order; their number."""
    deaths, found = results(n.own, n.others, n.reserve, d.kinds, d.rears, n.codes, n.owns, n.theirs)
    there = popcount(n.others)
    for place in range(found):
        code = n.codes[place]
        if code == best_code:
            n.order[place] = BEST_ORDER
        elif place < deaths:
            killed = there - popcount(n.theirs[place])
            n.order[place] = DEATH_ORDER * killed if killed > 0 else -DEATH_ORDER
        elif code == n.killers[0]:
            n.order[place] = KILLER_ORDER
        elif code == n.killers[1]:
            n.order[place] = SECOND_KILLER_ORDER
        else:
            n.order[place] = d.history_scores[n.side, code & (CODE_COUNT - 1)]
    return found


@jit_inline
def _select_next(n: Node, place: int, found: int) -> None:
    """The best of those that are left comes next."""
    chosen = place
    for each in range(place + 1, found):
        if n.order[each] > n.order[chosen]:
            chosen = each
    if chosen != place:
        n.codes[place], n.codes[chosen] = n.codes[chosen], n.codes[place]
        n.owns[place], n.owns[chosen] = n.owns[chosen], n.owns[place]
        n.theirs[place], n.theirs[chosen] = n.theirs[chosen], n.theirs[place]
        n.order[place], n.order[chosen] = n.order[chosen], n.order[place]


@jit_inline
def _is_death(code: int) -> bool:
    return code >= LENGTH_UNIT and is_fall(code)


@jit_inline
def _leads_back(options: OptionCodes, d: SearchBuffers, n: Node, place: int) -> bool:
    """True if the board after this move may not stand again."""
    a, b = _boards(n.side, n.owns[place], n.theirs[place])
    return is_barred(options, d, n, a, b)


@jit_inline
def _enter_child(options: OptionCodes, d: SearchBuffers, ply: int, place: int) -> None:
    """Fill in the node after an action; a move that can be undone adds its board to the past."""
    n, child = d.nodes[ply], d.nodes[ply + 1]
    code = i64(n.codes[place])
    child.own, child.others = n.theirs[place], n.owns[place]
    child.reserve, child.reserve_others = n.reserve_others, i64(n.reserve - (code < LENGTH_UNIT))
    child.side, child.turn = 1 - n.side, n.turn + 1
    child.start, child.end, child.past_key = n.end, n.end, u64(0)
    if code >= LENGTH_UNIT and not is_fall(code) and options.repetition != ANY_REPETITION:
        a, b = _boards(n.side, n.own, n.others)
        d.past[n.end, 0], d.past[n.end, 1], d.past[n.end, 2] = a, b, u64(n.turn)
        d.board_counts[hint_bit(a, b)] += 1
        child.end, child.past_key = n.end + 1, mix_bits(board_key(a, b))
        if options.repetition != KO:
            child.start, child.past_key = n.start, u64(n.past_key ^ child.past_key)


@jit_inline
def _leave_child(d: SearchBuffers, ply: int) -> None:
    n = d.nodes[ply]
    if d.nodes[ply + 1].end > n.end:
        a, b = _boards(n.side, n.own, n.others)
        d.board_counts[hint_bit(a, b)] -= 1


@jit_inline
def _store_line(d: SearchBuffers, ply: int, code: int) -> None:
    n, child = d.nodes[ply], d.nodes[ply + 1]
    n.line[0] = code
    for place in range(child.line_length):
        n.line[place + 1] = child.line[place]
    n.line_length = child.line_length + 1


@jit_inline
def _record_cutoff(d: SearchBuffers, n: Node, code: int, depth: int) -> None:
    d.history_scores[n.side, code & (CODE_COUNT - 1)] += depth * depth
    if n.killers[0] != code:
        n.killers[1] = n.killers[0]
        n.killers[0] = code


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
