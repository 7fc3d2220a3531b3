"""Plain Monte Carlo tree search for Kahmaté: random play to the end from every new leaf.

Cards and men that are put down in secret are drawn, not chosen, except the one that is asked for:
in a tree that chose them the second captain would see what the first one did.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.bots.api import SearchContext
from kibitz.bots.mcts_tree import (
    Tree,
    backpropagate,
    expand_node,
    has_room,
    reset_tree,
    root_candidates,
    select_child,
    shared_tree,
)
from kibitz.core.bits import mix_bits, next_die, number_below
from kibitz.core.jit import Numbers, i64, jit, u64
from kibitz.games.kahmate.kernel import (
    blank,
    copy,
    option_codes,
    pack,
    pack_action,
    playout,
    resolve,
    turn_actions,
    unpack_action,
)
from kibitz.games.kahmate.kernel.dispatch import decider
from kibitz.games.kahmate.kernel.encoding import (
    CHANCE,
    DUEL,
    MAX_ACTIONS,
    OVER,
    PLAY,
    OptionCodes,
    Packed,
)
from kibitz.games.kahmate.state import SEATS, View

MAX_TREE_NODES = 1_000_000
"""Nodes of a tree."""
THINK_S = 0.9
EXPLORATION = 0.7
MAX_PLAYOUT_ACTIONS = 2000
"""Random play that goes on for longer counts as a draw."""
TRIES_PER_SAMPLE = 64
"""The tries between two imaginations of what is hidden."""


def mcts(view: View, actions: Sequence[Any], think: SearchContext) -> Any:
    """Each try starts from a match that the view could be of."""
    if len(actions) == 1:
        return actions[0]
    options, tree = option_codes(think.game.options), shared_tree(MAX_TREE_NODES)
    root, work = blank(), blank()
    out, payoffs, done = np.zeros(MAX_ACTIONS, np.int64), np.zeros(2, np.int64), 0
    codes = np.array([pack_action(action) for action in actions], np.int64)
    seat = i64(SEATS.index(think.seat))
    reset_tree(tree)
    expand_node(tree, i64(0), seat, codes, i64(len(codes)))
    with think.search_budget(THINK_S) as nodes:
        flag = np.frombuffer(think.flag, np.int64)
        while done == 0 or (done < nodes and not think.is_stopped):
            pack(think.game.rules.imagine(view, think.rng), root)
            die, most = u64(think.rng.getrandbits(63)), i64(min(TRIES_PER_SAMPLE, nodes - done))
            done += int(run_tries(options, root, work, tree, out, payoffs, seat, die, most, flag))
    found, said = root_candidates(tree, done, 2, unpack_action), think.evaluation
    said.candidates, said.value, said.nodes = tuple(found[:5]), found[0].value, done
    return found[0].action


@jit
def is_hidden_choice(p: Packed) -> bool:
    """True if what comes next is hidden from one of the captains, or from both."""
    return p.phase == DUEL or p.phase < PLAY


@jit
def run_tries(
    options: OptionCodes,
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
    done = i64(0)
    while done == 0 or (done < most and flag[0] == 0):
        copy(root, p)
        node = select_child(t, i64(0), EXPLORATION)
        die = play_until_due(options, p, die, seat, out)
        if p.phase < OVER:
            play_if_legal(options, p, t.action[node], out)
        while t.children[node] > 0 and p.phase < OVER:
            if is_hidden_choice(p):
                die = next_die(die)
                node = i64(t.first[node] + number_below(mix_bits(die), t.children[node]))
            else:
                node = select_child(t, node, EXPLORATION)
            if not play_if_legal(options, p, t.action[node], out):
                break
        if t.visits[node] > 0 and t.children[node] == 0 and p.phase < OVER:
            actor = decider(p)
            found = turn_actions(options, p, actor, out)
            if has_room(t, found):
                expand_node(t, node, i64(CHANCE) if is_hidden_choice(p) else actor, out, found)
        _, die = playout(options, p, die, i64(MAX_PLAYOUT_ACTIONS), payoffs)
        backpropagate(t, node, payoffs)
        done = i64(done + 1)
    return done


@jit
def play_until_due(options: OptionCodes, p: Packed, die: int, seat: int, out: Numbers) -> int:
    """Play the others at random until the choice is due: what is put down early waits its turn."""
    while p.phase < OVER and decider(p) != seat:
        found = turn_actions(options, p, decider(p), out)
        die = next_die(die)
        resolve(options, p, decider(p), i64(out[number_below(mix_bits(die), found)]))
    return u64(die)


@jit
def play_if_legal(options: OptionCodes, p: Packed, action: int, out: Numbers) -> bool:
    """An action of the tree, if it can be played in the match imagined this time."""
    actor = decider(p)
    found = turn_actions(options, p, actor, out)
    for n in range(found):
        if out[n] == action:
            resolve(options, p, actor, i64(action))
            return True
    return False
