"""Alpha-beta over Kalamala, in compiled code.

A position here is `own` against `others`, `own` being to act, so that one body serves both sides.

Super-ko makes the value of a board depend on the way to it. What stood since the last death or
placement is therefore part of the key under which a value is kept: nothing is ever taken from a
board with another past. Placements and deaths empty that past, and ways that meet after one share
what they found.

Weaker play is the same search that sees less: it looks less far, overlooks some of the answers, and
judges a little by mood.

Endings with a few pieces are solved (endings.py). Their past matters there too, so each is asked
whether the way to the win meets anything of it.
"""

from __future__ import annotations

from math import log

import numpy as np

from kibitz.bots.kalamala.buffers import (
    CODE_COUNT,
    MAX_PLIES,
    SURE_WIN,
    WIN,
    Node,
    Search,
    SearchBuffers,
    Settings,
)
from kibitz.bots.kalamala.endings import MAX_PIECES, solved_plies
from kibitz.bots.kalamala.evaluation import evaluate_position, moves_and_kills, static_value
from kibitz.core.bits import bit, lowest_bit, mix_bits, number_below, popcount, without_lowest_bit
from kibitz.core.jit import i64, jit, jit_inline, u64
from kibitz.games.kalamala.kernel.dispatch import hint_bit
from kibitz.games.kalamala.kernel.encoding import (
    ANY_REPETITION,
    FALL,
    KO,
    LENGTH_UNIT,
    SITUATIONAL,
    A,
    OptionCodes,
    Packed,
)
from kibitz.games.kalamala.kernel.keys import board_key, reserve_key
from kibitz.games.kalamala.kernel.moves import is_fall
from kibitz.games.kalamala.kernel.successors import results

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
BEST_ORDER, DEATH_ORDER, KILLER_ORDER, SECOND_KILLER_ORDER = 1 << 40, 1 << 30, 1 << 29, 1 << 28
"""Places in the order of search: what was best before, deaths by their number, two killers."""

FIRST_LATE, LATE_DEPTH = 4, 3
"""An action is late after so many others, and with so many plies left."""
MARGIN_DEPTH = 4
"""The most plies left with which a position far above what is needed is looked at no further."""


def _logarithmic_reduction(depth: int, tried: int) -> int:
    return min(depth - 2, int(0.6 + log(depth) * log(tried) / 2.4))


_DEPTHS, _TRIED = range(32), range(64)
REDUCTIONS = np.array(
    [
        [[1 if tried < 16 else 2 for tried in _TRIED] for _ in _DEPTHS],
        [[_logarithmic_reduction(max(d, 2), max(tried, 1)) for tried in _TRIED] for d in _DEPTHS],
    ],
    np.int64,
)
"""By how many plies less deeply late actions are looked at, in two ways (`reduces_by_log`), then by
the plies left and the number of actions tried before."""


@jit
def past_key(p: Packed) -> int:
    found = u64(0)
    for place in range(p.length[0]):
        found = u64(found ^ mix_bits(board_key(p.past[place, 0], p.past[place, 1])))
    return found


@jit
def clear_table(d: SearchBuffers, slots: int) -> None:
    """Forget the values that were found for any choice before."""
    d.slot_mask = slots - 1
    d.keys[:slots] = u64(0)


@jit
def reset_search(d: SearchBuffers, p: Packed, max_nodes: int) -> None:
    """For a new choice: the root, the past of the match, and no order of actions from before."""
    d.board_counts[:] = 0
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


# Endings


@jit_inline
def _is_ending(own: int, others: int, reserve: int, reserve_others: int) -> bool:
    return reserve + reserve_others == 0 and popcount(u64(own | others)) <= MAX_PIECES


@jit
def ending_value(s: Search, n: Node, ply: int) -> int:
    """The value of an ending that is solved, with the past that it has here; else zero."""
    d = s.buffers
    if not _is_ending(n.own, n.others, n.reserve, n.reserve_others):
        return i64(0)
    plies = solved_plies(d.endings, n.own, n.others)
    if plies < 0 or _is_too_late(s.options, n.turn, plies):
        return i64(0)
    loser = n.side if plies & 1 == 0 else i64(1 - n.side)
    for place in range(n.start, n.end):
        own, others = d.past[place, 0], d.past[place, 1]
        if loser != A:
            own, others = others, own
        left = solved_plies(d.endings, own, others)
        if 0 <= left < plies and left & 1 == 0:
            return i64(0)
    return _value_of_end(plies, ply)


@jit_inline
def _ending_value_after_death(
    s: Search, own: int, others: int, reserve: int, reserve_others: int, ply: int
) -> int:
    """The same where nothing has stood before, in the search for quiet positions."""
    d = s.buffers
    if d.settings.uses_endings == 0 or not _is_ending(own, others, reserve, reserve_others):
        return i64(0)
    plies = solved_plies(d.endings, own, others)
    if plies < 0 or _is_too_late(s.options, i64(d.nodes[0].turn + ply), plies):
        return i64(0)
    return _value_of_end(plies, ply)


@jit_inline
def _is_too_late(options: OptionCodes, turn: int, plies: int) -> bool:
    """True if the limit of turns may make a draw before the ending is over."""
    return 0 < options.turn_limit < turn + plies - 1


@jit_inline
def _value_of_end(plies: int, ply: int) -> int:
    value = i64(WIN - ply - plies)
    return value if plies & 1 else i64(-value)


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
    d = s.buffers
    _count_node(d)
    best, falling = evaluate_position(d, own, others, reserve, reserve_others, ply)
    if d.settings.noise > 0 and -SURE_WIN < best < SURE_WIN:
        best = i64(best + _noise(d.settings, own, others))
    if best >= beta or ply >= MAX_PLIES - 1 or best <= -SURE_WIN:
        return best
    alpha = max(alpha, best)
    while falling != u64(0):
        fallen = bit(lowest_bit(falling))
        falling = without_lowest_bit(falling)
        if _is_overlooked(d.settings, i64(FALL + lowest_bit(fallen)), ply):
            continue
        left = u64(others & u64(~fallen))
        value = _ending_value_after_death(s, left, own, reserve_others, reserve, ply + 1)
        if value == 0:
            value = quiescence(s, left, own, reserve_others, reserve, ply + 1, -beta, -alpha)
        value = i64(-value)
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
def _noise(settings: Settings, own: int, others: int) -> int:
    shown = mix_bits(u64(settings.seed ^ board_key(own, others)))
    return i64(number_below(shown, i64(2 * settings.noise + 1)) - settings.noise)


@jit_inline
def _is_overlooked(settings: Settings, code: int, ply: int) -> bool:
    """One sees all that one can do oneself, but not all that will be done to it."""
    if settings.overlooks_per_256 == 0 or ply == 0:
        return False
    shown = mix_bits(u64(settings.seed ^ u64(code * 64 + ply)))
    return i64(shown >> u64(56)) < settings.overlooks_per_256


@jit
def search(s: Search, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value of a node for the side to act, at least exact between alpha and beta."""
    d = s.buffers
    n, g = d.nodes[ply], d.settings
    n.line_length = 0
    if g.uses_endings != 0 and ply > 0:
        value = ending_value(s, n, ply)
        if value != 0:
            return value
    if depth <= 0 or ply >= MAX_PLIES - 2:
        return quiescence(s, n.own, n.others, n.reserve, n.reserve_others, ply, alpha, beta)
    _count_node(d)
    if d.is_stopped != 0 or s.flag.stop != 0:
        d.is_stopped = 1
        return i64(0)
    key = _node_key(s.options, n, i64(MAX_PLIES << g.uses_endings))
    slot, best_code = i64(u64(key & u64(d.slot_mask))), i64(-1)
    if d.keys[slot] == key:
        entry = i64(d.entries[slot])
        best_code = i64(entry & 0xFFFF) - 1
        value = _value_from_table(i64(entry >> 26), ply)
        if ply > 0 and _is_decisive(entry, value, depth, alpha, beta):
            return value
    if g.margin > 0 and depth <= MARGIN_DEPTH and ply > 0 and beta - alpha == 1:
        value = static_value(d, n, ply)
        if -SURE_WIN < beta <= i64(value - g.margin * depth) and value < SURE_WIN:
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
        if tried > 0 and _is_overlooked(g, code, ply):
            continue
        _enter_child(s.options, d, ply, place)
        reduction = i64(0)
        is_late = depth >= LATE_DEPTH and tried >= FIRST_LATE and not is_death
        if g.may_reduce and is_late and n.order[place] < SECOND_KILLER_ORDER:
            reduction = REDUCTIONS[g.reduces_by_log, min(depth, 31), min(tried, 63)]
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


@jit
def root_values(s: Search) -> tuple[int, int, int, int]:
    """The root's judgement, the same once nobody wants to push anything off any more, and the
    numbers of moves and of pieces of the other side that one piece alone pushes off."""
    n = s.buffers.nodes[0]
    static = static_value(s.buffers, n, i64(0))
    quiet = quiescence(s, n.own, n.others, n.reserve, n.reserve_others, i64(0), i64(-WIN), i64(WIN))
    moves, kills = moves_and_kills(s.buffers, n.own, n.others)
    return static, quiet, moves, popcount(kills)


@jit
def deepen(s: Search, max_depth: int) -> tuple[int, int]:
    """Search further and further; the value of the last depth that was seen whole, and that depth.

    The best line of the latest one that has any is in the buffers.
    """
    d = s.buffers
    d.line_length = 0
    reached, found = i64(0), i64(0)
    is_solved = d.settings.uses_endings != 0 and ending_value(s, d.nodes[0], i64(0)) != 0
    for depth in range(1, max_depth + 1):
        value = search(s, i64(0), i64(depth), i64(-WIN), i64(WIN))
        n = d.nodes[0]
        if n.line_length > 0:
            d.line_length = n.line_length
            for place in range(n.line_length):
                d.line[place] = n.line[place]
        if d.is_stopped != 0:
            break
        found, reached = i64(value), i64(depth)
        if abs(value) >= SURE_WIN and (is_solved or WIN - abs(value) <= depth):
            break
    return found, reached


@jit_inline
def _boards(side: int, own: int, others: int) -> tuple[int, int]:
    """The pieces of side A, and those of side B."""
    return (own, others) if side == A else (others, own)


@jit_inline
def _node_key(options: OptionCodes, n: Node, reach: int) -> int:
    """The key of a node in the table, its past included, and a turn that far from the limit."""
    a, b = _boards(n.side, n.own, n.others)
    first, second = n.reserve, n.reserve_others
    if n.side != A:
        first, second = n.reserve_others, n.reserve
    key = u64(u64(board_key(a, b) ^ reserve_key(first, second, n.side)) ^ n.past_key)
    if options.turn_limit > 0 and n.turn + reach > options.turn_limit:
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
