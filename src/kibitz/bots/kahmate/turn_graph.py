"""The graph of all that a turn of Kahmaté can come to, in compiled code.

A turn is runs, throws and duels. What can be done without a duel is searched in layers: after each
run, pass or kick the most promising positions are kept, with the duels that can be had from them.
All of it lies on a sheet: its nodes are positions, its knots what `search` makes of them.
"""

from __future__ import annotations

from typing import Annotated, Any, Protocol, cast

import numpy as np

from kibitz.bots.kahmate.card_mixes import MAX_EDGE
from kibitz.bots.kahmate.reach import after_one_step, chance_in_turn
from kibitz.core.bits import mix_bits
from kibitz.core.jit import F64, I64, U64, Numbers, i64, jit, record_dtype, u64
from kibitz.games.kahmate.kernel.actions import action_of
from kibitz.games.kahmate.kernel.ball import give_ball, interceptors, kicks, make_pass, receivers
from kibitz.games.kahmate.kernel.board import (
    difference,
    file_of,
    first_square,
    forward,
    has_any,
    intersection,
    neighbours,
    own_in_goal,
    single_square,
    union,
    without_first_square,
)
from kibitz.games.kahmate.kernel.dispatch import decider, resolve, turn_actions
from kibitz.games.kahmate.kernel.duel import modifier_edge, settle_duel
from kibitz.games.kahmate.kernel.encoding import (
    DROP,
    DUEL,
    EXIT,
    FORCE_CONTEST,
    FORCES,
    KICKS,
    NONE,
    OVER,
    PASSES,
    PLAY,
    STATE,
    STEPS,
    TACKLES,
    OptionCodes,
    Packed,
    Squares,
)
from kibitz.games.kahmate.kernel.force import come_out, exits, force, may_charge
from kibitz.games.kahmate.kernel.state import (
    copy,
    empty_squares,
    man_at,
    mark_of,
    men_key,
    men_of,
    other_side,
    points_of,
    side_of,
)
from kibitz.games.kahmate.kernel.tackle import tackle
from kibitz.games.kahmate.kernel.turn import fetch_ball, movable_men, move_man

NODES, KNOTS = 0, 1
LOST, WON, PERFECT = 0, 1, 2
NOWHERE = -1
MAX_NODES, MAX_KNOTS = 40_000, 1024
"""The largest turn that can be laid out."""
MAX_SLOTS = 1 << (2 * MAX_NODES).bit_length()
MAX_ENDS = 48
MAX_FRONTIER = 64
SURE_TRY_POSITIONS = 40
"""Positions that are gone through for a try that nothing can stop."""
BY_TWO_SHARE = 0.65
"""The share of won duels that are won by two, about."""
PLAIN, ENDING, PROMISING, GAMBLE = 0, 1, 2, 3
"""Purposes of a node: to lead on, to end the turn at, to see what a duel may bring, or a duel."""


class Node(Protocol):
    """A position of the turn."""

    value: F64
    """That of ending the turn there to the captain on turn, before any search."""
    looked: F64
    """The same after a closer look."""
    depth: I64
    """The depth of that look: 0 before any, FINAL where there is nothing to look at."""
    key: U64
    parent: I64
    action: I64
    """The action that leads here from its parent; a run is a step to where it ends."""
    use: I64


class Knot(Protocol):
    """A decision on the way: of a captain, or of the cards."""

    node: I64
    kind: I64
    value: F64
    """To the captain on turn."""
    best: I64
    """The knot to go on with, or NOWHERE."""
    aim: I64
    """Then the node to make for, one of the `ends`."""
    first: I64
    """The first of the knots beyond it, and how many there are."""
    ways: I64
    duels: I64
    """The number of them before it."""
    chance: F64
    """The likelihood that it is met when both play their best."""
    how_many: I64
    ends: Annotated[Numbers, np.int64, (MAX_ENDS,)]
    """The best first."""


class TurnGraph(Protocol):
    """A turn laid out, one record of TURN_DTYPE that the caller owns: it is handed over as one
    address, where arrays by themselves are copied at each call."""

    states: Annotated[Any, STATE, (MAX_NODES,)]
    nodes: Annotated[Any, record_dtype(Node), (MAX_NODES,)]
    knots: Annotated[Any, record_dtype(Knot), (MAX_KNOTS,)]
    slots: Annotated[Numbers, np.int64, (MAX_SLOTS, 2)]
    """By a part of the key: which search was there last, and which node it found."""
    slot_mask: I64
    """One less than the slots in use, a power of two."""
    node_room: I64
    """So many nodes and knots are in use at most: answers are smaller than turns."""
    knot_room: I64
    sizes: Annotated[Numbers, np.int64, (4,)]
    shift: Annotated[Numbers, np.float64, (5,)]
    """The loss in worth of ends since before a search: sum, and number; also for a second look; and
    how much better than that they are hoped to be."""


TURN_DTYPE = record_dtype(TurnGraph)


def new_turn_graph(room: int, knots: int) -> TurnGraph:
    made = cast(TurnGraph, np.zeros(1, TURN_DTYPE).view(np.recarray)[0])
    made.node_room, made.knot_room = room, knots
    made.slot_mask = (1 << (2 * room).bit_length()) - 1
    return made


SEARCH_NUMBER, DEPTH = 2, 3
"""Where in `sizes` the number of the search is, which tells its slots from older ones, and how
closely ends are being looked at."""

# Nodes


@jit
def position_key(p: Packed) -> int:
    """A key of where all stand and who has been moved."""
    more = i64(p.ball) | i64(p.phase) << 8 | i64(p.attacker) << 16 | i64(p.defender) << 24
    more = i64(more | i64(p.receiver) << 32 | i64(p.movers[0]) << 40)
    more = i64(more | i64(p.movers[1]) << 48)
    return mix_bits(u64(men_key(p) ^ mix_bits(u64(more + 1))))


@jit
def add_child(g: TurnGraph, parent: int, action: int, use: int) -> int:
    """A new node like its parent, to be changed; NOWHERE without room."""
    at = i64(g.sizes[NODES])
    if at + 5 >= g.node_room:
        return i64(NOWHERE)
    copy(g.states[parent], g.states[at])
    node = g.nodes[at]
    node.parent, node.action, node.use = parent, action, use
    node.looked, node.value, node.depth = -1.0, -1.0, 0
    g.sizes[NODES] = at + 1
    return at


@jit
def keep_if_new(g: TurnGraph, node: int) -> None:
    """Keep the node that was branched off last, unless there is one like it."""
    key = position_key(g.states[node])
    mask = i64(g.slot_mask)
    slot = i64(u64(key & u64(mask)))
    while g.slots[slot, 0] == g.sizes[SEARCH_NUMBER]:
        if g.nodes[g.slots[slot, 1]].key == key:
            g.sizes[NODES] = node
            return
        slot = i64((slot + 1) & mask)
    g.slots[slot, 0], g.slots[slot, 1] = g.sizes[SEARCH_NUMBER], node
    g.nodes[node].key = key


@jit
def add_runs(options: OptionCodes, g: TurnGraph, node: int, at: int) -> None:
    """A man runs wherever he can; onto a loose ball, but not over it."""
    p = g.states[node]
    turn, points = i64(p.turn), points_of(p, at)
    free, taken, done = empty_squares(p), single_square(at), single_square(at)
    if p.ball != NONE and man_at(p, i64(p.ball)) == 0:
        free = union(free, single_square(i64(p.ball)))  # It may lie in-goal.
    if p.ball == at:
        free = union(free, (u64(0), u64(0xFF << 32)) if turn == 0 else (u64(0xFF), u64(0)))
    for spent in range(1, points + 1):
        new = difference(after_one_step(taken, free), done)
        if not has_any(new):
            break
        done = union(done, new)
        taken = new if p.ball == NONE else difference(new, single_square(i64(p.ball)))
        while has_any(new):
            target = first_square(new)
            new = without_first_square(new)
            child = add_child(g, node, action_of(i64(STEPS), at, target), i64(ENDING))
            if child == NOWHERE:
                return
            run_to(options, g.states[child], at, target, i64(points - spent))
            keep_if_new(g, child)
        taken = intersection(taken, empty_squares(p))


@jit
def run_to(options: OptionCodes, p: Packed, at: int, target: int, points: int) -> None:
    """A run, or one to the ball in his own in-goal, which he fetches from the line before it."""
    if file_of(target) != own_in_goal(i64(p.turn)):
        move_man(options, p, at, target, points)
        return
    line = i64(target + forward(i64(p.turn)))
    if line != at:
        move_man(options, p, at, line, i64(points + 1))
    fetch_ball(p, line, points)


@jit
def add_throws(options: OptionCodes, g: TurnGraph, node: int) -> None:
    """Passes that nobody can jump at, and kicks."""
    p = g.states[node]
    ball = i64(p.ball)
    partners, open_to = receivers(options, p, ball), kicks(options, p, ball)
    while has_any(partners):
        at = first_square(partners)
        partners = without_first_square(partners)
        if not is_risky(options, p, ball, at):
            add_throw(g, node, action_of(i64(PASSES), ball, at), at)
    while has_any(open_to):
        at = first_square(open_to)
        open_to = without_first_square(open_to)
        add_throw(g, node, action_of(i64(KICKS), ball, at), at)


@jit
def is_risky(options: OptionCodes, p: Packed, passer: int, receiver: int) -> bool:
    first, second = interceptors(options, p, passer, receiver)
    return first != NONE or second != NONE


@jit
def add_throw(g: TurnGraph, node: int, action: int, target: int) -> None:
    child = add_child(g, node, action, i64(ENDING))
    if child != NOWHERE:
        give_ball(g.states[child], target)
        keep_if_new(g, child)


@jit
def has_ball(p: Packed) -> bool:
    """True if an active man of the side on turn has the ball."""
    if p.ball == NONE:
        return False
    man = man_at(p, i64(p.ball))
    return man != 0 and side_of(man) == p.turn and mark_of(man) == 0


@jit
def add_quiet_actions(options: OptionCodes, g: TurnGraph, node: int) -> None:
    """All that can be done next without a duel, as new nodes."""
    p = g.states[node]
    if has_ball(p):
        add_throws(options, g, node)
    men = movable_men(p)
    while has_any(men):
        at = first_square(men)
        men = without_first_square(men)
        add_runs(options, g, node, at)


# Duels that can be had


@jit
def add_gambles(
    options: OptionCodes, g: TurnGraph, node: int, out: Numbers, is_first: bool
) -> None:
    """Duels that can be had from here, run-ups included, as new nodes."""
    p = g.states[node]
    if p.ball == NONE:
        return
    ball = i64(p.ball)
    man = man_at(p, ball)
    if man == 0:
        return
    if side_of(man) != p.turn:
        men = movable_men(p)
        while has_any(men) and is_first:
            at = first_square(men)
            men = without_first_square(men)
            add_run_ups(options, g, node, out, at, neighbours(ball))
        return
    if mark_of(man):
        return
    partners = receivers(options, p, ball)
    while has_any(partners):
        at = first_square(partners)
        partners = without_first_square(partners)
        if is_risky(options, p, ball, at):
            child = add_child(g, node, action_of(i64(PASSES), ball, at), i64(GAMBLE))
            if child == NOWHERE:
                return
            make_pass(options, g.states[child], ball, at)
            give_ball(g.states[add_child(g, node, i64(0), i64(PROMISING))], at)
    if points_of(p, ball) >= 2:
        beside = u64(0), u64(0)
        foes = men_of(p, other_side(i64(p.turn)))
        while has_any(foes):
            beside = union(beside, neighbours(first_square(foes)))
            foes = without_first_square(foes)
        add_run_ups(options, g, node, out, ball, beside)


@jit
def add_run_ups(
    options: OptionCodes, g: TurnGraph, node: int, out: Numbers, at: int, targets: Squares
) -> None:
    """A man runs to one of the targets with a point left and tackles, or with two and charges."""
    p = g.states[node]
    points, free, taken = points_of(p, at), empty_squares(p), single_square(at)
    is_charge, ball = p.ball == at, i64(p.ball)
    done = u64(0), u64(0)
    for left in range(points, 1 if is_charge else 0, -1):
        here = intersection(difference(taken, done), targets)
        done = union(done, taken)
        while has_any(here):
            target = first_square(here)
            here = without_first_square(here)
            begun = node
            if target != at:
                begun = add_child(g, node, action_of(i64(STEPS), at, target), i64(PLAIN))
                if begun == NOWHERE:
                    return
                move_man(options, g.states[begun], at, target, i64(left))
            foes = single_square(ball)
            if is_charge:
                foes = intersection(neighbours(target), men_of(p, other_side(i64(p.turn))))
            while has_any(foes):
                foe = first_square(foes)
                foes = without_first_square(foes)
                if not is_charge or may_charge(options, g.states[begun], target, foe):
                    add_duel(options, g, begun, out, target, foe, is_charge)
        taken = after_one_step(taken, free)


@jit
def add_duel(
    options: OptionCodes, g: TurnGraph, node: int, out: Numbers, at: int, foe: int, is_charge: bool
) -> None:
    """A duel, and after it what it may lead to, in the order LOST, WON, PERFECT."""
    kind = i64(FORCES) if is_charge else i64(TACKLES)
    child = add_child(g, node, action_of(kind, at, foe), i64(GAMBLE))
    if child == NOWHERE:
        return
    if is_charge:
        force(g.states[child], at, foe)
    else:
        tackle(g.states[child], at, foe)
    for result in range(3):
        after = add_child(g, child, i64(result), i64(PROMISING))
        p = g.states[after]
        decide_duel(options, p, i64(result))
        if p.phase == EXIT:
            come_out(options, p, foremost_square(exits(p, i64(p.defender)), i64(p.turn)))
        elif p.phase == DROP:
            found = turn_actions(options, p, decider(p), out)
            resolve(options, p, decider(p), i64(out[found - 1]))


@jit
def foremost_square(squares: Squares, side: int) -> int:
    best = first_square(squares)
    while side == 0 and has_any(squares):
        best = first_square(squares)
        squares = without_first_square(squares)
    return best


@jit
def decide_duel(options: OptionCodes, p: Packed, result: int) -> None:
    margin = i64(result) if result else i64(-1)
    settle_duel(options, p, margin)


@jit
def duel_win_chance(wins: Numbers, p: Packed) -> float:
    """The chance of the captain on turn to win the duel that he has begun."""
    mine, theirs = i64(p.hands[p.turn] >> 1), i64(p.hands[1 - p.turn] >> 1)
    return float(wins[MAX_EDGE + modifier_edge(p), mine, theirs])


@jit
def rank_gambles(
    g: TurnGraph, odds: Numbers, first: int, last: int, best: Numbers, found: int, most: int
) -> int:
    """The duels that seem to be worth most, the best first; how many are on the list now."""
    for node in range(first, last):
        if g.nodes[node].use != GAMBLE:
            continue
        p, value = g.states[node], g.nodes[node + 1].value
        if p.phase == DUEL:
            wins = duel_win_chance(odds, p)
            by_two = wins if p.contest == FORCE_CONTEST else wins * BY_TWO_SHARE
            value = (
                (1.0 - wins) * value
                + (wins - by_two) * g.nodes[node + 1 + WON].value
                + by_two * g.nodes[node + 1 + PERFECT].value
            )
        g.nodes[node].value = value
        if value >= 0.0:
            found = insert_ranked(g, best, found, most, i64(node))
    return found


@jit
def insert_ranked(g: TurnGraph, best: Numbers, found: int, most: int, node: int) -> int:
    """Put a node on a list of the best, if it is one of them."""
    value = g.nodes[node].value
    if found == most and (most == 0 or value <= g.nodes[best[found - 1]].value):
        return found
    at = found if found < most else i64(most - 1)
    while at > 0 and g.nodes[best[at - 1]].value < value:
        best[at] = best[at - 1]
        at = i64(at - 1)
    best[at] = node
    return i64(found + 1) if found < most else found


@jit
def best_ends(g: TurnGraph, first: int, last: int, best: Numbers, most: int) -> int:
    """The ends worth most, the best first."""
    found = i64(0)
    for node in range(first, last):
        if g.nodes[node].use == ENDING and g.nodes[node].value >= 0.0:
            found = insert_ranked(g, best, found, most, i64(node))
    return found


# A try that nothing can stop


@jit
def is_try(p: Packed) -> bool:
    return p.phase < PLAY or p.phase >= OVER


@jit
def sure_try_node(options: OptionCodes, g: TurnGraph, e: Numbers, kept: Numbers, root: int) -> int:
    """Its node, or NOWHERE."""
    waiting, begun = i64(0), i64(g.sizes[NODES])
    g.sizes[SEARCH_NUMBER] += 1
    first, last = root, i64(root + 1)
    for _ in range(SURE_TRY_POSITIONS):
        for node in range(first, last):
            if is_try(g.states[node]):
                return i64(node)
        for node in range(first, last):
            if waiting < MAX_FRONTIER and chance_in_turn(e, g.states[node]) == 1.0:
                kept[waiting] = node
                waiting = i64(waiting + 1)
        if waiting == 0:
            break
        waiting = i64(waiting - 1)
        first = i64(g.sizes[NODES])
        add_quiet_actions(options, g, i64(kept[waiting]))
        last = i64(g.sizes[NODES])
    g.sizes[NODES] = begun
    return i64(NOWHERE)
