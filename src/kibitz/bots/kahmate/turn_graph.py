"""What a turn of Kahmaté can come to, in compiled code.

A turn is runs, throws and duels. What can be done without a duel is searched in layers: after each
run, pass or kick the most promising positions are kept, with the duels that can be had from them.
All of it lies on a sheet: its nodes are positions, its knots what `kahmate_search` makes of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kibitz.bots.kahmate.card_mixes import EVEN
from kibitz.bots.kahmate.reach import chance_in_turn, further
from kibitz.core.bits import mixed
from kibitz.core.jit import compiled, small, wide
from kibitz.games.kahmate.kernel.actions import action_of
from kibitz.games.kahmate.kernel.ball import (
    give,
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
from kibitz.games.kahmate.kernel.dispatch import decides, resolve, turn_actions
from kibitz.games.kahmate.kernel.duel import decided, edge
from kibitz.games.kahmate.kernel.encoding import (
    DROP,
    DUEL,
    EXIT,
    FORCED,
    FORCES,
    KICKS,
    NONE,
    OVER,
    PASSES,
    PLAY,
    STEPS,
    TACKLES,
    House,
    Packed,
    Squares,
    pool,
)
from kibitz.games.kahmate.kernel.force import come_out, exits, force, may_charge
from kibitz.games.kahmate.kernel.state import (
    empty,
    man_at,
    mark_of,
    men_of,
    other,
    points_of,
    side_of,
    standing,
)
from kibitz.games.kahmate.kernel.tackle import tackle
from kibitz.games.kahmate.kernel.turn import can_move, go

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

NODES, KNOTS = 0, 1
LOST, WON, PERFECT = 0, 1, 2
NOWHERE = -1
MOST_ENDS = 48
MOST_KEPT = 64
LOOKED_FOR = 40
"""Positions that are gone through for a try that nothing can stop."""
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

# Nodes


@compiled
def copied(source: Numbers, target: Numbers) -> None:
    for n in range(source.shape[0]):
        target[n] = source[n]


@compiled
def arrangement(p: Packed) -> int:
    """A key of where all stand and who has been moved."""
    more = small(p.ball) | small(p.phase) << 8 | small(p.attacker) << 16 | small(p.defender) << 24
    more = small(more | small(p.receiver) << 32 | small(p.movers[0]) << 40)
    more = small(more | small(p.movers[1]) << 48)
    return mixed(wide(standing(p) ^ mixed(wide(more + 1))))


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
    decided(house, p, margin)


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
