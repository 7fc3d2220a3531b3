"""Plain Monte Carlo tree search for Kalamala: random play to the end from every new leaf."""

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
from kibitz.core.jit import Numbers, i64, jit, u64
from kibitz.games.kalamala.kernel import (
    copy,
    legal_actions,
    option_codes,
    pack,
    playout,
    resolve,
    to_act,
    unpack_action,
)
from kibitz.games.kalamala.kernel.encoding import MAX_ACTIONS, OptionCodes, Packed, blank
from kibitz.games.kalamala.state import State

MAX_TREE_NODES = 2_000_000
"""Nodes of a tree."""
THINK_S = 1.0
EXPLORATION = 0.7
MAX_PLAYOUT_ACTIONS = 1000
"""Random play that goes on for longer counts as a draw."""


def mcts(view: State, actions: Sequence[Any], think: SearchContext) -> Any:
    options, tree = option_codes(think.game.options), shared_tree(MAX_TREE_NODES)
    root, work = blank(), blank()
    pack(view, root)
    reset_tree(tree)
    with think.search_budget(THINK_S) as nodes:
        flag, die = np.frombuffer(think.flag, np.int64), u64(think.rng.getrandbits(63))
        out, payoffs = np.zeros(MAX_ACTIONS, np.int64), np.zeros(2, np.int64)
        tried = run_tries(options, root, work, tree, out, payoffs, die, i64(nodes), flag)
    found, said = root_candidates(tree, int(tried), 2, unpack_action), think.evaluation
    said.candidates, said.value, said.nodes = tuple(found[:5]), found[0].value, int(tried)
    return found[0].action


@jit
def run_tries(
    options: OptionCodes,
    root: Packed,
    p: Packed,
    t: Tree,
    out: Numbers,
    payoffs: Numbers,
    die: int,
    most: int,
    flag: Numbers,
) -> int:
    """Play from the root again and again; how often it was."""
    done = i64(0)
    while done == 0 or (done < most and flag[0] == 0):
        copy(root, p)
        node = i64(0)
        while t.children[node] > 0:
            node = select_child(t, node, EXPLORATION)
            resolve(options, p, p.side[0], t.action[node])
        if (node == 0 or t.visits[node] > 0) and to_act(options, p) != 0:
            found = legal_actions(options, p, out)
            if has_room(t, found):
                expand_node(t, node, p.side[0], out, found)
                node = select_child(t, node, EXPLORATION)
                resolve(options, p, p.side[0], t.action[node])
        _, die = playout(options, p, die, i64(MAX_PLAYOUT_ACTIONS), payoffs)
        backpropagate(t, node, payoffs)
        done = i64(done + 1)
    return done
