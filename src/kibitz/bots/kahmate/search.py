"""Whole turns of Kahmaté, in compiled code.

What can be done without a duel is laid out by `kahmate_turn`. Where a duel, a jump at a pass or a
choice of square comes in, what follows is laid out anew for each way it can go: those are the knots
of the turn, and a duel among them is the matrix game of its cards over what its ends are worth.

Then what the captain means to do is looked at more closely: where his best play ends the turn, the
other's whole turn is searched in the same way, and the value found takes the place of the first
judgement. That changes what is best, and so on, until all that he may meet has been looked at.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from kibitz.bots.kahmate.card_mixes import FIRST_ROUND, SECOND_ROUND, DuelSolver, Stakes, card_value
from kibitz.bots.kahmate.reach import chance_in_turn
from kibitz.bots.kahmate.turn_graph import (
    BY_TWO_SHARE,
    DEPTH,
    ENDING,
    KNOTS,
    LOST,
    MAX_ENDS,
    MAX_FRONTIER,
    MAX_KNOTS,
    NODES,
    NOWHERE,
    PERFECT,
    PLAIN,
    PROMISING,
    SEARCH_NUMBER,
    WON,
    TurnGraph,
    add_child,
    add_gambles,
    add_quiet_actions,
    best_ends,
    decide_duel,
    duel_win_chance,
    insert_ranked,
    is_try,
    new_turn_graph,
    position_key,
    rank_gambles,
    sure_try_node,
)
from kibitz.bots.kahmate.value import EvaluationBuffers, match_chance, win_chance
from kibitz.core.bits import mix_bits
from kibitz.core.jit import Numbers, i64, jit, u64
from kibitz.games.kahmate.kernel.dispatch import decider, resolve, turn_actions
from kibitz.games.kahmate.kernel.duel import modifier_edge
from kibitz.games.kahmate.kernel.encoding import (
    DROP,
    DUEL,
    EXIT,
    INTERCEPTION,
    MAX_ACTIONS,
    PLAY,
    OptionCodes,
    Packed,
    pool,
)
from kibitz.games.kahmate.kernel.match import tries_needed
from kibitz.games.kahmate.kernel.state import copy
from kibitz.games.kahmate.kernel.turn import end_turn

BEST, WORST, CARDS, DONE = 0, 1, 2, 3
"""The kinds of a knot: the captain on turn chooses, the other one does, both do, or it is worth
what it is worth."""
NODES_SEEN, MAX_NODES_SEEN, STOPPED = 0, 1, 2
MAX_LAYERS = 4
"""The most runs, passes and kicks of a turn before a duel."""
MAX_GAMBLES = 16
FINAL_DEPTH = 9
HOPE_SHIFT = 4
"""Where in `shift` it is how much better ends are hoped to be than others turned out to be."""
HOPE_STEP = 0.02
"""By how much that is raised when all that is best has been looked at."""
MIN_LIKELIHOOD = 0.04
"""A line that is rarer than this on the best way is not looked at more closely."""
GAMBLE_MARGIN = 0.12
"""A duel is looked at if it seems no worse than by this."""


class SearchSettings(NamedTuple):
    """The settings of a player's search."""

    noise: float
    """The greatest error of its judgement."""
    seed: int
    width: int
    """The positions that it keeps in its own turn."""
    gambles: int
    """The duels that it considers."""
    reply_width: int
    reply_gambles: int
    reply_searches: int
    """The number of looks at what may be answered."""
    counter_searches: int
    """The number of looks at what it may answer to that, each time."""
    lead: float
    """The worth of a duel won later."""
    max_hope: float
    """How far hope is raised."""


class SearchBuffers(NamedTuple):
    """The memory of a search."""

    turn: TurnGraph
    reply: TurnGraph
    counter: TurnGraph
    work: Any
    action_codes: Numbers
    frontier: Numbers
    gambles: Numbers
    evaluation: EvaluationBuffers
    cards: DuelSolver
    counts: Numbers
    flag: Numbers
    """Not zero: stop."""


def new_buffers(judge: EvaluationBuffers, cards: DuelSolver, own: int, reply: int) -> SearchBuffers:
    return SearchBuffers(
        new_turn_graph(own, MAX_KNOTS),
        new_turn_graph(reply, 256),
        new_turn_graph(reply, 256),
        pool(3),
        np.zeros(MAX_ACTIONS, np.int64),
        np.zeros(MAX_FRONTIER, np.int64),
        np.zeros(MAX_GAMBLES, np.int64),
        judge,
        cards,
        np.zeros(3, np.int64),
        np.zeros(1, np.int64),
    )


# What a node is worth


@jit
def is_stopped(counts: Numbers, flag: Numbers) -> bool:
    if flag[0] != 0 or counts[NODES_SEEN] >= counts[MAX_NODES_SEEN]:
        counts[STOPPED] = 1
    return bool(counts[STOPPED] != 0)


@jit
def evaluate_ends(
    options: OptionCodes, d: SearchBuffers, g: TurnGraph, first: int, last: int, c: SearchSettings
) -> None:
    """Fill in the value of ending the turn at each of these nodes to its captain; where a duel has
    led, a try may follow in this turn. After a try it is the other captain who begins."""
    work, side = d.work[0], i64(g.states[0].turn)
    for at in range(first, last):
        node = g.nodes[at]
        if node.use != ENDING and node.use != PROMISING:
            continue
        if is_stopped(d.counts, d.flag):
            return
        d.counts[NODES_SEEN] += 1
        p, chance = g.states[at], 0.0
        if node.use == PROMISING and p.phase == PLAY:
            chance = chance_in_turn(d.evaluation.men, p)
        copy(g.states[at], work)
        if work.phase == PLAY:
            end_turn(options, work)
        value = win_chance(options, d.evaluation, work, side)
        if c.noise > 0.0 and not is_try(p):
            shown = mix_bits(u64(u64(c.seed) ^ position_key(work)))
            value += c.noise * (float(i64(shown >> u64(48))) / 32768.0 - 1.0)
            value = max(0.001, min(0.999, value))
        if is_try(p):
            node.looked, node.depth = value, FINAL_DEPTH
        if chance > 0.0:
            tries = tries_needed(options, p)
            left = i64(tries - p.score[side])
            scored = match_chance(i64(left - 1), i64(tries - p.score[1 - side]), False)
            value = chance * scored + (1.0 - chance) * value
        node.value = value


# Knots


@jit
def add_knot(g: TurnGraph, node: int, duels: int, value: float) -> None:
    """A new knot, if there is room."""
    at = i64(g.sizes[KNOTS])
    knot = g.knots[at]
    knot.node, knot.kind, knot.value, knot.duels = node, DONE, value, duels
    knot.best, knot.aim = NOWHERE, node
    knot.first, knot.ways, knot.how_many, knot.chance = 0, 0, 0, 0.0
    g.sizes[KNOTS] = at + 1


@jit
def has_room(g: TurnGraph) -> bool:
    return bool(g.sizes[KNOTS] + MAX_GAMBLES < g.knot_room)


@jit
def add_choices(options: OptionCodes, g: TurnGraph, out: Numbers, knot: int) -> None:
    """Somebody chooses: a square, or whether to jump in."""
    k = g.knots[knot]
    node = i64(k.node)
    p = g.states[node]
    actor = decider(p)
    k.kind = BEST if actor == p.turn else WORST
    found = turn_actions(options, p, actor, out)
    k.first = g.sizes[KNOTS]
    for n in range(found):
        child = add_child(g, node, i64(out[n]), i64(PLAIN))
        if child != NOWHERE:
            resolve(options, g.states[child], actor, i64(out[n]))
            add_knot(g, child, i64(k.duels), 0.5)
            k.ways += 1


@jit
def add_duel_results(options: OptionCodes, g: TurnGraph, knot: int) -> None:
    """Add what a duel may lead to, in the order LOST, WON, PERFECT; the cards are counted apart."""
    k = g.knots[knot]
    if g.sizes[NODES] + 9 >= g.node_room:
        return
    k.kind, k.first, k.ways = CARDS, g.sizes[KNOTS], 3
    for result in range(3):
        child = add_child(g, i64(k.node), i64(result), i64(PLAIN))
        decide_duel(options, g.states[child], i64(result))
        add_knot(g, child, i64(k.duels + 1), 0.5)


@jit
def list_ends(g: TurnGraph, knot: int, start: int) -> None:
    """List the nodes at which the turn may end, the best first, and the one where it stands."""
    k = g.knots[knot]
    found = best_ends(g, start, i64(g.sizes[NODES]), k.ends, i64(MAX_ENDS))
    g.nodes[k.node].value = max(0.0, g.nodes[k.node].value)
    k.how_many = insert_ranked(g, k.ends, found, i64(MAX_ENDS), i64(k.node))
    k.kind = BEST


@jit
def expand_turn(
    options: OptionCodes,
    d: SearchBuffers,
    g: TurnGraph,
    root: Packed,
    c: SearchSettings,
    width: int,
    gambles: int,
) -> float:
    """Build the graph of the rest of this turn; its value to the captain on turn."""
    copy(root, g.states[0])
    g.sizes[NODES], g.sizes[KNOTS], g.sizes[DEPTH] = 0, 0, 1
    add_child(g, i64(0), i64(0), i64(ENDING))
    for n in range(g.shift.shape[0]):
        g.shift[n] = 0.0
    add_knot(g, i64(0), i64(0), 0.5)
    knot = i64(-1)
    while knot + 1 < g.sizes[KNOTS] and has_room(g):
        knot = i64(knot + 1)
        if knot > 0 and is_stopped(d.counts, d.flag):
            break
        k = g.knots[knot]
        node = i64(k.node)
        phase = i64(g.states[node].phase)
        if phase == DUEL:
            add_duel_results(options, g, knot)
            continue
        if phase in (INTERCEPTION, EXIT, DROP):
            add_choices(options, g, d.action_codes, knot)
            continue
        g.nodes[node].use = ENDING
        evaluate_ends(options, d, g, node, i64(node + 1), c)
        if phase != PLAY:
            k.value = g.nodes[node].value
            continue
        sure = sure_try_node(options, g, d.evaluation.men, d.frontier, node)
        if sure != NOWHERE:
            evaluate_ends(options, d, g, sure, i64(sure + 1), c)
            k.ends[0], k.how_many, k.kind = sure, 1, BEST
            continue
        most, kept, risky = width, i64(1), i64(0)
        rest = i64(gambles >> k.duels)
        if k.duels:
            most = max(i64(2), i64(width >> 2))
        d.frontier[0] = node
        start = i64(g.sizes[NODES])
        g.sizes[SEARCH_NUMBER] += 1
        for layer in range(MAX_LAYERS):
            first = i64(g.sizes[NODES])
            for n in range(kept):
                if rest:
                    add_gambles(options, g, i64(d.frontier[n]), d.action_codes, layer == 0)
                add_quiet_actions(options, g, i64(d.frontier[n]))
            last = i64(g.sizes[NODES])
            evaluate_ends(options, d, g, first, last, c)
            risky = rank_gambles(g, d.cards.wins, first, last, d.gambles, risky, rest)
            kept = best_ends(g, first, last, d.frontier, most)
            if kept == 0 or is_stopped(d.counts, d.flag):
                break
        list_ends(g, knot, start)
        k.first = g.sizes[KNOTS]
        best = g.nodes[k.ends[0]].value - GAMBLE_MARGIN
        for n in range(risky):
            value = g.nodes[d.gambles[n]].value
            if value > best:
                add_knot(g, i64(d.gambles[n]), i64(k.duels), value)
                k.ways += 1
    return back_up(options, d.cards, g, c)


# Backing up


@jit
def end_value(g: TurnGraph, node: int) -> float:
    """The value of ending the turn there."""
    depth = g.nodes[node].depth
    if depth >= g.sizes[DEPTH]:
        return float(g.nodes[node].looked)
    value = g.shift[2] / (g.shift[3] + 1.0) + g.shift[HOPE_SHIFT]
    if depth == 1:
        value += g.nodes[node].looked
    else:
        value += g.nodes[node].value + g.shift[0] / (g.shift[1] + 1.0)
    return float(max(0.0, value))


@jit
def back_up(options: OptionCodes, cards: DuelSolver, g: TurnGraph, c: SearchSettings) -> float:
    """From the end of the turn to its beginning: knots come after those that lead to them."""
    for n in range(g.sizes[KNOTS]):
        knot = g.knots[g.sizes[KNOTS] - 1 - n]
        kind = knot.kind
        if kind == DONE:
            continue
        if kind == CARDS:
            knot.value = cards_value(options, cards, g, i64(g.sizes[KNOTS] - 1 - n), c)
            continue
        value, best = -1.0 if kind == BEST else 2.0, i64(NOWHERE)
        for at in range(knot.how_many):
            found = end_value(g, i64(knot.ends[at]))
            if found > value:
                value, knot.aim = found, knot.ends[at]
        for at in range(knot.first, knot.first + knot.ways):
            found = float(g.knots[at].value)
            if (kind == BEST and found > value) or (kind == WORST and found < value):
                value, best = found, i64(at)
        knot.value, knot.best = value, best
    return float(g.knots[0].value)


@jit
def cards_value(
    options: OptionCodes, cards: DuelSolver, g: TurnGraph, knot: int, c: SearchSettings
) -> float:
    """The value of a duel; the odds of both sides' cards then lie in `cards`."""
    at = i64(g.knots[knot].first)
    p = g.states[g.knots[knot].node]
    mine, theirs = i64(p.hands[p.turn] >> 1), i64(p.hands[1 - p.turn] >> 1)
    stakes = Stakes(
        float(g.knots[at + LOST].value),
        float(g.knots[at + WON].value),
        float(g.knots[at + PERFECT].value),
        i64(options.perfect),
        c.lead,
    )
    in_round = i64(SECOND_ROUND if p.in_round == 2 else FIRST_ROUND)
    before = float(cards.edge_in_hand[mine, theirs])
    value = card_value(cards, in_round, modifier_edge(p), mine, theirs, stakes, before)
    return max(0.0, min(1.0, value))


# Looking more closely


@jit
def next_end_to_search(g: TurnGraph, odds: Numbers) -> int:
    """The likeliest end of the turn among those not searched yet."""
    for at in range(g.sizes[KNOTS]):
        g.knots[at].chance = 0.0
    g.knots[0].chance = 1.0
    found, most = i64(NOWHERE), MIN_LIKELIHOOD
    for at in range(g.sizes[KNOTS]):
        knot = g.knots[at]
        likely, first = knot.chance, i64(knot.first)
        if likely < MIN_LIKELIHOOD or knot.kind == DONE:
            continue
        if knot.kind == CARDS:
            wins = duel_win_chance(odds, g.states[knot.node])
            g.knots[first + LOST].chance = likely * (1.0 - wins)
            g.knots[first + WON].chance = likely * wins * (1.0 - BY_TWO_SHARE)
            g.knots[first + PERFECT].chance = likely * wins * BY_TWO_SHARE
        elif knot.best != NOWHERE:
            g.knots[knot.best].chance = likely
        elif g.nodes[knot.aim].depth < g.sizes[DEPTH] and likely > most:
            found, most = i64(knot.aim), likely
    return found


@jit
def reply_value(
    options: OptionCodes, d: SearchBuffers, root: Packed, c: SearchSettings, third: int
) -> float:
    """The value of the turn that begins here to the other captain, once its best ways have been
    looked at so often."""
    work, answer = d.work[1], d.reply
    value = expand_turn(options, d, answer, root, c, c.reply_width, c.reply_gambles)
    for _ in range(third):
        then = next_end_to_search(answer, d.cards.wins)
        if then == NOWHERE or is_stopped(d.counts, d.flag):
            break
        copy(answer.states[then], work)
        end_turn(options, work)
        node = answer.nodes[then]
        late = float(node.value)
        if work.phase == PLAY:
            late = 1.0 - expand_turn(options, d, d.counter, work, c, c.reply_width, c.reply_gambles)
        answer.shift[0] += late - node.value
        answer.shift[1] += 1.0
        node.looked, node.depth = late, 1
        value = back_up(options, d.cards, answer, c)
    return value


@jit
def search_turn(
    options: OptionCodes, d: SearchBuffers, root: Packed, c: SearchSettings, nodes: int
) -> float:
    """Lay out the turn, and look closer at what the captain means to do: what is answered to it,
    then what to the best of that. What is best lies in the desk's turn in the end."""
    d.counts[NODES_SEEN], d.counts[MAX_NODES_SEEN], d.counts[STOPPED] = 0, nodes, 0
    g, work = d.turn, d.work[1]
    value = expand_turn(options, d, g, root, c, c.width, c.gambles)
    looks = i64(0)
    while looks < c.reply_searches and not is_stopped(d.counts, d.flag):
        at = next_end_to_search(g, d.cards.wins)
        if at == NOWHERE:
            if g.shift[HOPE_SHIFT] < c.max_hope:
                g.shift[HOPE_SHIFT] += HOPE_STEP
            elif g.sizes[DEPTH] == 1 and c.counter_searches > 0:
                g.sizes[DEPTH], g.shift[HOPE_SHIFT] = 2, 0.0
            else:
                break
            back_up(options, d.cards, g, c)
            continue
        looks = i64(looks + 1)
        copy(g.states[at], work)
        end_turn(options, work)
        node = g.nodes[at]
        found = float(node.value)
        if work.phase == PLAY:
            found = 1.0 - reply_value(
                options, d, work, c, c.counter_searches if g.sizes[DEPTH] > 1 else i64(0)
            )
            if is_stopped(d.counts, d.flag):
                break
        if node.depth == 0:
            g.shift[0] += found - node.value
            g.shift[1] += 1.0
        else:
            g.shift[2] += found - node.looked
            g.shift[3] += 1.0
        node.looked, node.depth = found, g.sizes[DEPTH]
        back_up(options, d.cards, g, c)
    if c.reply_searches > 0:
        g.shift[HOPE_SHIFT] = 0.0
        value = back_up(options, d.cards, g, c)
    return value
