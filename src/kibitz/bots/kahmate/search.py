"""Whole turns of Kahmaté, in compiled code.

What can be done without a duel is laid out by `kahmate_turn`. Where a duel, a jump at a pass or a
choice of square comes in, what follows is laid out anew for each way it can go: those are the knots
of the turn, and a duel among them is the matrix game of its cards over what its ends are worth.

Then what the captain means to do is looked at more closely: where his best play ends the turn, the
other's whole turn is searched in the same way, and the value found takes the place of the first
judgement. That changes what is best, and so on, until all that he may meet has been looked at.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kibitz.bots.kahmate.card_mixes import Cards, Stakes, first_card, second_card
from kibitz.bots.kahmate.reach import chance_in_turn
from kibitz.bots.kahmate.turn_graph import (
    BY_TWO,
    DEPTH,
    ENDING,
    KNOTS,
    LOST,
    MARK,
    MOST_ENDS,
    MOST_KEPT,
    NODES,
    NOWHERE,
    PERFECT,
    PLAIN,
    PROMISING,
    WON,
    Sheet,
    arrangement,
    best_of,
    branched,
    copied,
    decide,
    is_try,
    quiet_ways,
    ranked,
    sheet,
    sure_try,
    venture,
    weigh,
    won_chance,
)
from kibitz.bots.kahmate.value import Judge, match_chance, worth
from kibitz.core.bits import mixed
from kibitz.core.jit import compiled, small, wide
from kibitz.games.kahmate.kernel.dispatch import decides, resolve, turn_actions
from kibitz.games.kahmate.kernel.duel import edge
from kibitz.games.kahmate.kernel.encoding import (
    DROP,
    DUEL,
    EXIT,
    INTERCEPTION,
    MOST_ACTIONS,
    PLAY,
    House,
    pool,
)
from kibitz.games.kahmate.kernel.turn import end_turn

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

BEST, WORST, CARDS, DONE = 0, 1, 2, 3
"""What a knot is: the captain on turn chooses, the other one does, both do, or it is worth what it
is worth."""
SEEN, MOST_SEEN, STOPPED = 0, 1, 2
LAYERS = 4
"""How many runs, passes and kicks a turn has at most before a duel."""
MOST_GAMBLES = 16
FINAL = 9
HOPED = 4
"""Where in `shift` it is how much better ends are hoped to be than others turned out to be."""
A_LITTLE, ENOUGH = 0.02, 0.1
"""By how much that is raised when all that is best has been looked at, and how far."""
UNLIKELY = 0.04
"""What happens less often on the best way is not looked at more closely."""
HOPE = 0.12
"""A duel is looked at if it seems no worse than by this."""


class Care(NamedTuple):
    """How well a player looks."""

    mood: float
    """How far off its judgement may be."""
    seed: int
    width: int
    """How many positions it keeps in its own turn."""
    gambles: int
    """How many duels it considers."""
    reply_width: int
    reply_gambles: int
    looks: int
    """How often it looks at what may be answered."""
    third: int
    """How often it looks at what it may answer to that, each time."""
    lead: float
    """What a duel won later is worth."""


class Desk(NamedTuple):
    """The memory of a search."""

    turn: Sheet
    answer: Sheet
    third: Sheet
    work: Any
    words: Numbers
    list: Numbers
    kept: Numbers
    gambles: Numbers
    judge: Judge
    cards: Cards
    counts: Numbers
    flag: Numbers
    """Not zero: stop."""


def desk(judge: Judge, cards: Cards, own: int, reply: int) -> Desk:
    work = pool(3)
    return Desk(
        sheet(own, 1024),
        sheet(reply, 256),
        sheet(reply, 256),
        work,
        work.view(np.uint64).reshape(3, -1),
        np.zeros(MOST_ACTIONS, np.int64),
        np.zeros(MOST_KEPT, np.int64),
        np.zeros(MOST_GAMBLES, np.int64),
        judge,
        cards,
        np.zeros(3, np.int64),
        np.zeros(1, np.int64),
    )


# What a node is worth


@compiled
def is_stopped(counts: Numbers, flag: Numbers) -> bool:
    if flag[0] != 0 or counts[SEEN] >= counts[MOST_SEEN]:
        counts[STOPPED] = 1
    return bool(counts[STOPPED] != 0)


@compiled
def judge_all(house: House, d: Desk, g: Sheet, first: int, last: int, c: Care) -> None:
    """What it is worth to the captain on turn to end it at each of these nodes; where a duel has
    led, a try may follow in this turn."""
    work = d.work[0]
    for at in range(first, last):
        node = g.nodes[at]
        if node.use != ENDING and node.use != PROMISING:
            continue
        if is_stopped(d.counts, d.flag):
            return
        d.counts[SEEN] += 1
        p, chance = g.states[at], 0.0
        if node.use == PROMISING and p.phase == PLAY:
            chance = chance_in_turn(d.judge.eyes, p)
        side = small(p.turn)
        copied(g.words[at], d.words[0])
        if work.phase == PLAY:
            end_turn(house, work)
        value = worth(house, d.judge, work, side)
        if c.mood > 0.0 and not is_try(p):
            shown = mixed(wide(wide(c.seed) ^ arrangement(work)))
            value += c.mood * (float(small(shown >> wide(48))) / 32768.0 - 1.0)
            value = max(0.001, min(0.999, value))
        if is_try(p):
            node.looked, node.depth = value, FINAL
        if chance > 0.0:
            left = small(house.tries - p.score[side])
            scored = match_chance(small(left - 1), small(house.tries - p.score[1 - side]), False)
            value = chance * scored + (1.0 - chance) * value
        node.value = value


# Knots


@compiled
def tie(g: Sheet, node: int, duels: int, value: float) -> None:
    """A new knot, if there is room."""
    at = small(g.sizes[KNOTS])
    knot = g.knots[at]
    knot.node, knot.kind, knot.worth, knot.duels = node, DONE, value, duels
    knot.best, knot.aim = NOWHERE, node
    knot.first, knot.ways, knot.how_many, knot.chance = 0, 0, 0, 0.0
    g.sizes[KNOTS] = at + 1


@compiled
def has_room(g: Sheet) -> bool:
    return bool(g.sizes[KNOTS] + MOST_GAMBLES < g.knots.shape[0])


@compiled
def choices(house: House, g: Sheet, out: Numbers, knot: int) -> None:
    """Somebody chooses: a square, or whether to jump in."""
    k = g.knots[knot]
    node = small(k.node)
    p = g.states[node]
    actor = decides(p)
    k.kind = BEST if actor == p.turn else WORST
    found = turn_actions(house, p, actor, out)
    k.first = g.sizes[KNOTS]
    for n in range(found):
        child = branched(g, node, small(out[n]), small(PLAIN))
        if child != NOWHERE:
            resolve(house, g.states[child], actor, small(out[n]))
            tie(g, child, small(k.duels), 0.5)
            k.ways += 1


@compiled
def bouts(house: House, g: Sheet, knot: int) -> None:
    """What a duel may lead to, in the order LOST, WON, PERFECT; the cards are counted apart."""
    k = g.knots[knot]
    if g.sizes[NODES] + 9 >= g.nodes.shape[0]:
        return
    k.kind, k.first, k.ways = CARDS, g.sizes[KNOTS], 3
    for result in range(3):
        child = branched(g, small(k.node), small(result), small(PLAIN))
        decide(house, g.states[child], small(result))
        tie(g, child, small(k.duels + 1), 0.5)


@compiled
def list_ends(g: Sheet, knot: int, start: int) -> None:
    """Where the turn may end, the best first; where it stands among them."""
    k = g.knots[knot]
    found = best_of(g, start, small(g.sizes[NODES]), k.ends, small(MOST_ENDS))
    g.nodes[k.node].value = max(0.0, g.nodes[k.node].value)
    k.how_many = ranked(g, k.ends, found, small(MOST_ENDS), small(k.node))
    k.kind = BEST


@compiled
def lay_out(
    house: House, d: Desk, g: Sheet, root: Numbers, c: Care, width: int, gambles: int
) -> float:
    """What can be done from here on in this turn; what it is worth to the captain on turn."""
    copied(root, g.words[0])
    g.sizes[NODES], g.sizes[KNOTS], g.sizes[DEPTH] = 0, 0, 1
    branched(g, small(0), small(0), small(ENDING))
    for n in range(g.shift.shape[0]):
        g.shift[n] = 0.0
    tie(g, small(0), small(0), 0.5)
    knot = small(-1)
    while knot + 1 < g.sizes[KNOTS] and has_room(g):
        knot = small(knot + 1)
        if knot > 0 and is_stopped(d.counts, d.flag):
            break
        k = g.knots[knot]
        node = small(k.node)
        phase = small(g.states[node].phase)
        if phase == DUEL:
            bouts(house, g, knot)
            continue
        if phase in (INTERCEPTION, EXIT, DROP):
            choices(house, g, d.list, knot)
            continue
        g.nodes[node].use = ENDING
        judge_all(house, d, g, node, small(node + 1), c)
        if phase != PLAY:
            k.worth = g.nodes[node].value
            continue
        sure = sure_try(house, g, d.judge.eyes, d.kept, node)
        if sure != NOWHERE:
            judge_all(house, d, g, sure, small(sure + 1), c)
            k.ends[0], k.how_many, k.kind = sure, 1, BEST
            continue
        most, kept, risky = width, small(1), small(0)
        rest = small(gambles >> k.duels)
        if k.duels:
            most = max(small(2), small(width >> 2))
        d.kept[0] = node
        start = small(g.sizes[NODES])
        g.sizes[MARK] += 1
        for layer in range(LAYERS):
            first = small(g.sizes[NODES])
            for n in range(kept):
                if rest:
                    venture(house, g, small(d.kept[n]), d.list, layer == 0)
                quiet_ways(house, g, small(d.kept[n]))
            last = small(g.sizes[NODES])
            judge_all(house, d, g, first, last, c)
            risky = weigh(g, d.cards.wins, first, last, d.gambles, risky, rest)
            kept = best_of(g, first, last, d.kept, most)
            if kept == 0 or is_stopped(d.counts, d.flag):
                break
        list_ends(g, knot, start)
        k.first = g.sizes[KNOTS]
        best = g.nodes[k.ends[0]].value - HOPE
        for n in range(risky):
            value = g.nodes[d.gambles[n]].value
            if value > best:
                tie(g, small(d.gambles[n]), small(k.duels), value)
                k.ways += 1
    return back_up(house, d.cards, g, c)


# Backing up


@compiled
def at_end(g: Sheet, node: int) -> float:
    """What is thought of ending the turn there."""
    depth = g.nodes[node].depth
    if depth >= g.sizes[DEPTH]:
        return float(g.nodes[node].looked)
    value = g.shift[2] / (g.shift[3] + 1.0) + g.shift[HOPED]
    if depth == 1:
        value += g.nodes[node].looked
    else:
        value += g.nodes[node].value + g.shift[0] / (g.shift[1] + 1.0)
    return float(max(0.0, value))


@compiled
def back_up(house: House, cards: Cards, g: Sheet, c: Care) -> float:
    """From the end of the turn to its beginning: knots come after those that lead to them."""
    for n in range(g.sizes[KNOTS]):
        knot = g.knots[g.sizes[KNOTS] - 1 - n]
        kind = knot.kind
        if kind == DONE:
            continue
        if kind == CARDS:
            knot.worth = in_cards(house, cards, g, small(g.sizes[KNOTS] - 1 - n), c)
            continue
        value, best = -1.0 if kind == BEST else 2.0, small(NOWHERE)
        for at in range(knot.how_many):
            found = at_end(g, small(knot.ends[at]))
            if found > value:
                value, knot.aim = found, knot.ends[at]
        for at in range(knot.first, knot.first + knot.ways):
            found = float(g.knots[at].worth)
            if (kind == BEST and found > value) or (kind == WORST and found < value):
                value, best = found, small(at)
        knot.worth, knot.best = value, best
    return float(g.knots[0].worth)


@compiled
def in_cards(house: House, cards: Cards, g: Sheet, knot: int, c: Care) -> float:
    """What a duel is worth; how both play their cards then lies in `cards`."""
    at = small(g.knots[knot].first)
    p = g.states[g.knots[knot].node]
    mine, theirs = small(p.hands[p.turn] >> 1), small(p.hands[1 - p.turn] >> 1)
    stakes = Stakes(
        float(g.knots[at + LOST].worth),
        float(g.knots[at + WON].worth),
        float(g.knots[at + PERFECT].worth),
        small(house.perfect),
        c.lead,
    )
    value = 0.0
    if p.in_round == 2:
        before = float(cards.edge_in_hand[mine, theirs])
        value = second_card(cards, edge(p), mine, theirs, stakes, before)
    else:
        value = first_card(cards, edge(p), mine, theirs, stakes)
    return max(0.0, min(1.0, value))


# Looking more closely


@compiled
def next_to_look_at(g: Sheet, odds: Numbers) -> int:
    """Where the turn ends most likely of all the ways not looked at so closely yet."""
    for at in range(g.sizes[KNOTS]):
        g.knots[at].chance = 0.0
    g.knots[0].chance = 1.0
    found, most = small(NOWHERE), UNLIKELY
    for at in range(g.sizes[KNOTS]):
        knot = g.knots[at]
        likely, first = knot.chance, small(knot.first)
        if likely < UNLIKELY or knot.kind == DONE:
            continue
        if knot.kind == CARDS:
            wins = won_chance(odds, g.states[knot.node])
            g.knots[first + LOST].chance = likely * (1.0 - wins)
            g.knots[first + WON].chance = likely * wins * (1.0 - BY_TWO)
            g.knots[first + PERFECT].chance = likely * wins * BY_TWO
        elif knot.best != NOWHERE:
            g.knots[knot.best].chance = likely
        elif g.nodes[knot.aim].depth < g.sizes[DEPTH] and likely > most:
            found, most = small(knot.aim), likely
    return found


@compiled
def answered(house: House, d: Desk, words: Numbers, c: Care, third: int) -> float:
    """What the turn that begins here is worth to the other captain, once its best ways have been
    looked at so often."""
    work, answer = d.work[1], d.answer
    value = lay_out(house, d, answer, words, c, c.reply_width, c.reply_gambles)
    for _ in range(third):
        then = next_to_look_at(answer, d.cards.wins)
        if then == NOWHERE or is_stopped(d.counts, d.flag):
            break
        copied(answer.words[then], d.words[1])
        end_turn(house, work)
        node = answer.nodes[then]
        late = float(node.value)
        if work.phase == PLAY:
            late = 1.0 - lay_out(house, d, d.third, d.words[1], c, c.reply_width, c.reply_gambles)
        answer.shift[0] += late - node.value
        answer.shift[1] += 1.0
        node.looked, node.depth = late, 1
        value = back_up(house, d.cards, answer, c)
    return value


@compiled
def ponder(house: House, d: Desk, root: Numbers, c: Care, nodes: int) -> float:
    """Lay out the turn, and look closer at what the captain means to do: what is answered to it,
    then what to the best of that. What is best lies in the desk's turn in the end."""
    d.counts[SEEN], d.counts[MOST_SEEN], d.counts[STOPPED] = 0, nodes, 0
    g, work = d.turn, d.work[1]
    value = lay_out(house, d, g, root, c, c.width, c.gambles)
    looks = small(0)
    while looks < c.looks and not is_stopped(d.counts, d.flag):
        at = next_to_look_at(g, d.cards.wins)
        if at == NOWHERE:
            if g.shift[HOPED] < ENOUGH:
                g.shift[HOPED] += A_LITTLE
            elif g.sizes[DEPTH] == 1 and c.third > 0:
                g.sizes[DEPTH], g.shift[HOPED] = 2, 0.0
            else:
                break
            back_up(house, d.cards, g, c)
            continue
        looks = small(looks + 1)
        copied(g.words[at], d.words[1])
        end_turn(house, work)
        node = g.nodes[at]
        found = float(node.value)
        if work.phase == PLAY:
            found = 1.0 - answered(
                house, d, d.words[1], c, c.third if g.sizes[DEPTH] > 1 else small(0)
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
        back_up(house, d.cards, g, c)
    if c.looks > 0:
        g.shift[HOPED] = 0.0
        value = back_up(house, d.cards, g, c)
    return value
