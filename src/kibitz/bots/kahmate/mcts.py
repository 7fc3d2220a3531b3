"""Plain Monte Carlo tree search for Kahmaté: random play to the end from every new leaf.

Cards and men that are put down in secret are drawn, not chosen, except the one that is asked for:
in a tree that chose them the second captain would see what the first one did.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from kibitz.bots.api import Candidate, Think
from kibitz.bots.mcts_tree import Tree, grow, has_room, plant, promising, tell, tree
from kibitz.core.bits import below, mixed, rolled
from kibitz.core.jit import compiled, small, wide
from kibitz.games.kahmate.kernel import (
    blank,
    copy,
    house,
    pack,
    pack_action,
    playout,
    resolve,
    turn_actions,
)
from kibitz.games.kahmate.kernel.dispatch import decides
from kibitz.games.kahmate.kernel.encoding import (
    CHANCE,
    DUEL,
    MOST_ACTIONS,
    OVER,
    PLAY,
    House,
    Packed,
)
from kibitz.games.kahmate.state import SEATS, View

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

ROOM = 1_000_000
"""Nodes of a tree."""
SECONDS = 0.9
CURIOSITY = 0.7
LONGEST = 2000
"""Random play that goes on for longer counts as a draw."""
IMAGINED = 64
"""How many tries are made before what is hidden is imagined anew."""


def mcts(view: View, actions: Sequence[Any], think: Think) -> Any:
    """Each try starts from a match that the view could be of."""
    if len(actions) == 1:
        return actions[0]
    rules, grown, payoffs = house(think.game.options), tree_of(), np.zeros(2, np.int64)
    root, work = blank(), blank()
    out, done = np.zeros(MOST_ACTIONS, np.int64), 0
    codes = np.array([pack_action(action) for action in actions], np.int64)
    seat = small(SEATS.index(think.seat))
    plant(grown)
    grow(grown, small(0), seat, codes, small(len(codes)))
    with think.within(SECONDS) as nodes:
        flag = np.frombuffer(think.flag, np.int64)
        while done == 0 or (done < nodes and not think.is_stopped):
            pack(think.game.imagine(view, think.rng), root)
            die, most = wide(think.rng.getrandbits(63)), small(min(IMAGINED, nodes - done))
            done += int(tries(rules, root, work, grown, out, payoffs, seat, die, most, flag))
    found = sorted(
        (
            Candidate(
                action,
                float(1 + grown.worth[child] / max(1, grown.visits[child])) / 2,
                float(grown.visits[child] / max(1, done)),
            )
            for child, action in enumerate(actions, int(grown.first[0]))
        ),
        key=lambda each: each.share,
        reverse=True,
    )
    said = think.thoughts
    said.candidates, said.value, said.nodes = tuple(found[:5]), found[0].value, done
    return found[0].action


@lru_cache(maxsize=1)
def tree_of() -> Tree:
    return tree(ROOM)


@compiled
def is_drawn(p: Packed) -> bool:
    """Whether what comes next is hidden from one of the captains, or from both."""
    return p.phase == DUEL or p.phase < PLAY


@compiled
def tries(
    rules: House,
    root: Packed,
    p: Packed,
    t: Tree,
    out: Numbers,
    payoffs: Numbers,
    seat: int,
    die: int,
    most: int,
    flag: Numbers,
) -> int:
    """Play from the root again and again; how often it was."""
    done = small(0)
    while done == 0 or (done < most and flag[0] == 0):
        copy(root, p)
        node = promising(t, small(0), CURIOSITY)
        die = until_due(rules, p, die, seat, out)
        if p.phase < OVER:
            play(rules, p, t.action[node], out)
        while t.children[node] > 0 and p.phase < OVER:
            if is_drawn(p):
                die = rolled(die)
                node = small(t.first[node] + below(mixed(die), t.children[node]))
            else:
                node = promising(t, node, CURIOSITY)
            if not play(rules, p, t.action[node], out):
                break
        if t.visits[node] > 0 and t.children[node] == 0 and p.phase < OVER:
            actor = decides(p)
            found = turn_actions(rules, p, actor, out)
            if has_room(t, found):
                grow(t, node, small(CHANCE) if is_drawn(p) else actor, out, found)
        _, die = playout(rules, p, die, small(LONGEST), payoffs)
        tell(t, node, payoffs)
        done = small(done + 1)
    return done


@compiled
def until_due(rules: House, p: Packed, die: int, seat: int, out: Numbers) -> int:
    """What is put down early is played when its place comes; others go first, at random."""
    while p.phase < OVER and decides(p) != seat:
        found = turn_actions(rules, p, decides(p), out)
        die = rolled(die)
        resolve(rules, p, decides(p), small(out[below(mixed(die), found)]))
    return wide(die)


@compiled
def play(rules: House, p: Packed, action: int, out: Numbers) -> bool:
    """An action of the tree, if it can be played in the match imagined this time."""
    actor = decides(p)
    found = turn_actions(rules, p, actor, out)
    for n in range(found):
        if out[n] == action:
            resolve(rules, p, actor, small(action))
            return True
    return False
