"""Whole turns of Kahmaté, in compiled code.

A turn is runs, throws and duels. What can be done without a duel is searched in layers: after each
run, pass or kick the most promising positions are kept. Where a duel, a jump at a pass or a choice
of square comes in, what follows is searched anew for each way it can go: those are the knots of the
turn, and a duel among them is the matrix game of its cards over what its ends are worth.

Then what the captain means to do is looked at more closely: where his best play ends the turn, the
other's whole turn is searched in the same way, and the value found takes the place of the first
judgement. That changes what is best, and so on, until all that he may meet has been looked at.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kibitz.bots.minds.kahmate_duels import EVEN, Cards, Stakes, first_card, second_card
from kibitz.bots.minds.kahmate_sight import chance_in_turn, further
from kibitz.bots.minds.kahmate_worth import Judge, match_chance, worth
from kibitz.core.bits import mixed
from kibitz.core.compiled import compiled, small, wide
from kibitz.games.kahmate.encoding import (
    DROP,
    DUEL,
    EXIT,
    FORCED,
    FORCES,
    INTERCEPTION,
    KICKS,
    MOST_ACTIONS,
    NONE,
    OVER,
    PASSES,
    PLAY,
    STEPS,
    TACKLED,
    TACKLES,
    House,
    Packed,
    Squares,
    pool,
)
from kibitz.games.kahmate.kernel.actions import action_of
from kibitz.games.kahmate.kernel.ball import (
    give,
    interception_decided,
    interceptors,
    kicks,
    make_pass,
    receivers,
)
from kibitz.games.kahmate.kernel.board import (
    any_in,
    both,
    either,
    first_of,
    neighbours,
    one,
    without,
    without_first,
)
from kibitz.games.kahmate.kernel.duel import edge
from kibitz.games.kahmate.kernel.force import come_out, exits, force, force_decided, may_charge
from kibitz.games.kahmate.kernel.referee import decides, resolve, turn_actions
from kibitz.games.kahmate.kernel.state import (
    empty,
    man_at,
    mark_of,
    men_of,
    other,
    points_of,
    side_of,
)
from kibitz.games.kahmate.kernel.tackle import tackle, tackle_decided
from kibitz.games.kahmate.kernel.turn import can_move, end_turn, go

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

BEST, WORST, CARDS, DONE = 0, 1, 2, 3
"""What a knot is: the captain on turn chooses, the other one does, both do, or it is worth what it
is worth."""
NODES, KNOTS = 0, 1
SEEN, MOST_SEEN, STOPPED = 0, 1, 2
LOST, WON, PERFECT = 0, 1, 2
NOWHERE = -1
LAYERS = 4
"""How many runs, passes and kicks a turn has at most before a duel."""
MOST_ENDS = 48
MOST_KEPT = 64
MOST_GAMBLES = 16
LOOKED_FOR = 40
"""Positions that are gone through for a try that nothing can stop."""
FINAL = 9
HOPED = 4
"""Where in `shift` it is how much better ends are hoped to be than others turned out to be."""
A_LITTLE, ENOUGH = 0.02, 0.1
"""By how much that is raised when all that is best has been looked at, and how far."""
UNLIKELY = 0.04
"""What happens less often on the best way is not looked at more closely."""
HOPE = 0.12
"""A duel is looked at if it seems no worse than by this."""
BY_TWO = 0.65
"""How many of the duels that are won are won by two, about."""


PLAIN, ENDING, PROMISING, GAMBLE = 0, 1, 2, 3
"""What a node is for: to lead on, to end the turn at, to see what a duel may bring, or a duel."""

NODE = np.dtype(
    [
        ("value", np.float64),
        ("looked", np.float64),
        ("depth", np.int64),
        ("key", np.uint64),
        ("parent", np.int64),
        ("action", np.int64),
        ("use", np.int64),
    ]
)
"""`value` is what ending the turn there is worth to the captain on turn, at first sight, `looked`
the same after a closer look, and `depth` how close that was: 0 before any, FINAL where there is
nothing to look at. `action` is how a node comes from its parent; a
run is a step to where it ends."""
KNOT = np.dtype(
    [
        ("node", np.int64),
        ("kind", np.int64),
        ("worth", np.float64),
        ("best", np.int64),
        ("aim", np.int64),
        ("first", np.int64),
        ("ways", np.int64),
        ("duels", np.int64),
        ("chance", np.float64),
        ("how_many", np.int64),
        ("ends", np.int64, (MOST_ENDS,)),
    ]
)
"""`worth` is to the captain on turn; `best` the knot to go on with, or NOWHERE: then `aim` is the
node to make for, one of the `ends`, the best first. `first` and `ways` are the knots beyond it,
`duels` how many there were before it, `chance` how likely it is to be met when both play their
best."""


class Sheet(NamedTuple):
    """A turn laid out; the caller owns its memory."""

    states: Any
    words: Numbers
    """The same states, as words."""
    nodes: Any
    knots: Any
    slots: Numbers
    """By a part of the key: which search was there last, and which node it found."""
    sizes: Numbers
    shift: Numbers
    """How much less than at first sight ends have turned out to be worth: sum, and number; the same
    for a second look; and how much better than that they are hoped to be."""


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


def sheet(room: int, knots: int) -> Sheet:
    states = pool(room)
    return Sheet(
        states,
        states.view(np.uint64).reshape(room, -1),
        np.zeros(room, NODE).view(np.recarray),
        np.zeros(knots, KNOT).view(np.recarray),
        np.zeros((1 << (2 * room).bit_length(), 2), np.int64),
        np.zeros(4, np.int64),
        np.zeros(5),
    )


MARK, DEPTH = 2, 3
"""Where in `sizes` the number of the search is, which tells its slots from older ones, and how
closely ends are being looked at."""


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


# Nodes


@compiled
def copied(source: Numbers, target: Numbers) -> None:
    for n in range(source.shape[0]):
        target[n] = source[n]


@compiled
def arrangement(p: Packed) -> int:
    """A key of where all stand and who has been moved."""
    total = wide(0)
    for side in range(2):
        men = men_of(p, small(side))
        while any_in(men):
            at = first_of(men)
            total = wide(total + mixed(wide(1 + at + 128 * man_at(p, at))))
            men = without_first(men)
    more = small(p.ball) | small(p.phase) << 8 | small(p.attacker) << 16 | small(p.defender) << 24
    more = small(more | small(p.receiver) << 32 | small(p.movers[0]) << 40)
    more = small(more | small(p.movers[1]) << 48)
    return mixed(wide(total ^ mixed(wide(more + 1))))


@compiled
def branched(g: Sheet, parent: int, action: int, use: int) -> int:
    """A new node like its parent, to be changed; NOWHERE without room."""
    at = small(g.sizes[NODES])
    if at + 5 >= g.nodes.shape[0]:
        return small(NOWHERE)
    copied(g.words[parent], g.words[at])
    node = g.nodes[at]
    node.parent, node.action, node.use = parent, action, use
    node.looked, node.value, node.depth = -1.0, -1.0, 0
    g.sizes[NODES] = at + 1
    return at


@compiled
def keep_new(g: Sheet, node: int) -> None:
    """Keep the node that was branched off last, unless there is one like it."""
    key = arrangement(g.states[node])
    mask = small(g.slots.shape[0] - 1)
    slot = small(wide(key & wide(mask)))
    while g.slots[slot, 0] == g.sizes[MARK]:
        if g.nodes[g.slots[slot, 1]].key == key:
            g.sizes[NODES] = node
            return
        slot = small((slot + 1) & mask)
    g.slots[slot, 0], g.slots[slot, 1] = g.sizes[MARK], node
    g.nodes[node].key = key


@compiled
def runs(house: House, g: Sheet, node: int, at: int) -> None:
    """A man runs wherever he can; onto a loose ball, but not over it."""
    p = g.states[node]
    turn, points = small(p.turn), points_of(p, at)
    free, taken, done = empty(p), one(at), one(at)
    if p.ball == at:
        free = either(free, (wide(0), wide(0xFF << 32)) if turn == 0 else (wide(0xFF), wide(0)))
    for spent in range(1, points + 1):
        new = without(further(taken, free), done)
        if not any_in(new):
            break
        done = either(done, new)
        taken = new if p.ball == NONE else without(new, one(small(p.ball)))
        while any_in(new):
            target = first_of(new)
            new = without_first(new)
            child = branched(g, node, action_of(small(STEPS), at, target), small(ENDING))
            if child == NOWHERE:
                return
            go(house, g.states[child], at, target, small(points - spent))
            keep_new(g, child)
        taken = both(taken, empty(p))


@compiled
def throws(house: House, g: Sheet, node: int) -> None:
    """Passes that nobody can jump at, and kicks."""
    p = g.states[node]
    ball = small(p.ball)
    partners, open_to = receivers(house, p, ball), kicks(house, p, ball)
    while any_in(partners):
        at = first_of(partners)
        partners = without_first(partners)
        if not is_risky(house, p, ball, at):
            thrown(g, node, action_of(small(PASSES), ball, at), at)
    while any_in(open_to):
        at = first_of(open_to)
        open_to = without_first(open_to)
        thrown(g, node, action_of(small(KICKS), ball, at), at)


@compiled
def is_risky(house: House, p: Packed, passer: int, receiver: int) -> bool:
    first, second = interceptors(house, p, passer, receiver)
    return first != NONE or second != NONE


@compiled
def thrown(g: Sheet, node: int, action: int, target: int) -> None:
    child = branched(g, node, action, small(ENDING))
    if child != NOWHERE:
        give(g.states[child], target)
        keep_new(g, child)


@compiled
def is_with_ball(p: Packed) -> bool:
    """Whether an active man of the side on turn has it."""
    if p.ball == NONE:
        return False
    man = man_at(p, small(p.ball))
    return man != 0 and side_of(man) == p.turn and mark_of(man) == 0


@compiled
def quiet_ways(house: House, g: Sheet, node: int) -> None:
    """All that can be done next without a duel, as new nodes."""
    p = g.states[node]
    if is_with_ball(p):
        throws(house, g, node)
    men = can_move(p)
    while any_in(men):
        at = first_of(men)
        men = without_first(men)
        runs(house, g, node, at)


# Duels that can be had


@compiled
def venture(house: House, g: Sheet, node: int, out: Numbers, is_first: bool) -> None:
    """Duels that can be had from here, run-ups included, as new nodes."""
    p = g.states[node]
    if p.ball == NONE:
        return
    ball = small(p.ball)
    man = man_at(p, ball)
    if man == 0:
        return
    if side_of(man) != p.turn:
        men = can_move(p)
        while any_in(men) and is_first:
            at = first_of(men)
            men = without_first(men)
            run_up(house, g, node, out, at, neighbours(ball))
        return
    if mark_of(man):
        return
    partners = receivers(house, p, ball)
    while any_in(partners):
        at = first_of(partners)
        partners = without_first(partners)
        if is_risky(house, p, ball, at):
            child = branched(g, node, action_of(small(PASSES), ball, at), small(GAMBLE))
            if child == NOWHERE:
                return
            make_pass(house, g.states[child], ball, at)
            give(g.states[branched(g, node, small(0), small(PROMISING))], at)
    if points_of(p, ball) >= 2:
        beside = wide(0), wide(0)
        foes = men_of(p, other(small(p.turn)))
        while any_in(foes):
            beside = either(beside, neighbours(first_of(foes)))
            foes = without_first(foes)
        run_up(house, g, node, out, ball, beside)


@compiled
def run_up(house: House, g: Sheet, node: int, out: Numbers, at: int, targets: Squares) -> None:
    """A man runs to one of the targets with a point left and tackles, or with two and charges."""
    p = g.states[node]
    points, free, taken = points_of(p, at), empty(p), one(at)
    is_charge, ball = p.ball == at, small(p.ball)
    done = wide(0), wide(0)
    for left in range(points, 1 if is_charge else 0, -1):
        here = both(without(taken, done), targets)
        done = either(done, taken)
        while any_in(here):
            target = first_of(here)
            here = without_first(here)
            begun = node
            if target != at:
                begun = branched(g, node, action_of(small(STEPS), at, target), small(PLAIN))
                if begun == NOWHERE:
                    return
                go(house, g.states[begun], at, target, small(left))
            foes = one(ball)
            if is_charge:
                foes = both(neighbours(target), men_of(p, other(small(p.turn))))
            while any_in(foes):
                foe = first_of(foes)
                foes = without_first(foes)
                if not is_charge or may_charge(house, g.states[begun], target, foe):
                    duel_with(house, g, begun, out, target, foe, is_charge)
        taken = further(taken, free)


@compiled
def duel_with(
    house: House, g: Sheet, node: int, out: Numbers, at: int, foe: int, is_charge: bool
) -> None:
    """A duel, and after it what it may lead to, in the order LOST, WON, PERFECT."""
    kind = small(FORCES) if is_charge else small(TACKLES)
    child = branched(g, node, action_of(kind, at, foe), small(GAMBLE))
    if child == NOWHERE:
        return
    if is_charge:
        force(g.states[child], at, foe)
    else:
        tackle(g.states[child], at, foe)
    for result in range(3):
        after = branched(g, child, small(result), small(PROMISING))
        p = g.states[after]
        decide(house, p, small(result))
        if p.phase == EXIT:
            come_out(house, p, foremost(exits(p, small(p.defender)), small(p.turn)))
        elif p.phase == DROP:
            found = turn_actions(house, p, decides(p), out)
            resolve(house, p, decides(p), small(out[found - 1]))


@compiled
def foremost(squares: Squares, side: int) -> int:
    best = first_of(squares)
    while side == 0 and any_in(squares):
        best = first_of(squares)
        squares = without_first(squares)
    return best


@compiled
def decide(house: House, p: Packed, result: int) -> None:
    margin = small(result) if result else small(-1)
    if p.contest == TACKLED:
        tackle_decided(house, p, margin)
    elif p.contest == FORCED:
        force_decided(p, margin)
    else:
        interception_decided(p, margin)


@compiled
def won_chance(wins: Numbers, p: Packed) -> float:
    """How often the captain on turn can win the duel that he has begun."""
    mine, theirs = small(p.hands[p.turn] >> 1), small(p.hands[1 - p.turn] >> 1)
    return float(wins[EVEN + edge(p), mine, theirs])


@compiled
def weigh(
    g: Sheet, odds: Numbers, first: int, last: int, best: Numbers, found: int, most: int
) -> int:
    """The duels that seem to be worth most, the best first; how many are on the list now."""
    for node in range(first, last):
        if g.nodes[node].use != GAMBLE:
            continue
        p, value = g.states[node], g.nodes[node + 1].value
        if p.phase == DUEL:
            wins = won_chance(odds, p)
            by_two = wins if p.contest == FORCED else wins * BY_TWO
            value = (
                (1.0 - wins) * value
                + (wins - by_two) * g.nodes[node + 1 + WON].value
                + by_two * g.nodes[node + 1 + PERFECT].value
            )
        g.nodes[node].value = value
        if value >= 0.0:
            found = ranked(g, best, found, most, small(node))
    return found


@compiled
def ranked(g: Sheet, best: Numbers, found: int, most: int, node: int) -> int:
    """Put a node on a list of the best, if it is one of them."""
    value = g.nodes[node].value
    if found == most and (most == 0 or value <= g.nodes[best[found - 1]].value):
        return found
    at = found if found < most else small(most - 1)
    while at > 0 and g.nodes[best[at - 1]].value < value:
        best[at] = best[at - 1]
        at = small(at - 1)
    best[at] = node
    return small(found + 1) if found < most else found


@compiled
def best_of(g: Sheet, first: int, last: int, best: Numbers, most: int) -> int:
    """The ends worth most, the best first."""
    found = small(0)
    for node in range(first, last):
        if g.nodes[node].use == ENDING and g.nodes[node].value >= 0.0:
            found = ranked(g, best, found, most, small(node))
    return found


# A try that nothing can stop


@compiled
def is_try(p: Packed) -> bool:
    return p.phase < PLAY or p.phase >= OVER


@compiled
def sure_try(house: House, g: Sheet, e: Numbers, kept: Numbers, root: int) -> int:
    """Its node, or NOWHERE."""
    waiting, begun = small(0), small(g.sizes[NODES])
    g.sizes[MARK] += 1
    first, last = root, small(root + 1)
    for _ in range(LOOKED_FOR):
        for node in range(first, last):
            if is_try(g.states[node]):
                return small(node)
        for node in range(first, last):
            if waiting < MOST_KEPT and chance_in_turn(e, g.states[node]) == 1.0:
                kept[waiting] = node
                waiting = small(waiting + 1)
        if waiting == 0:
            break
        waiting = small(waiting - 1)
        first = small(g.sizes[NODES])
        quiet_ways(house, g, small(kept[waiting]))
        last = small(g.sizes[NODES])
    g.sizes[NODES] = begun
    return small(NOWHERE)


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
