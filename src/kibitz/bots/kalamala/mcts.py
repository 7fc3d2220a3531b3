"""Plain Monte Carlo tree search for Kalamala: random play to the end from every new leaf."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from kibitz.bots.api import Candidate, SearchContext
from kibitz.bots.kalamala.search import Numbers
from kibitz.bots.mcts_tree import (
    Tree,
    backpropagate,
    expand_node,
    has_room,
    new_tree,
    reset_tree,
    select_child,
)
from kibitz.core.jit import compiled, i64, u64
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
    rules, grown, payoffs = option_codes(think.game.options), shared_tree(), np.zeros(2, np.int64)
    root, work = blank(), blank()
    pack(view, root)
    reset_tree(grown)
    with think.search_budget(THINK_S) as nodes:
        flag, die = np.frombuffer(think.flag, np.int64), u64(think.rng.getrandbits(63))
        out = np.zeros(MAX_ACTIONS, np.int64)
        tried = run_tries(rules, root, work, grown, out, payoffs, die, i64(nodes), flag)
    found = sorted(
        (
            Candidate(
                unpack_action(int(grown.action[child])),
                float(1 + grown.worth[child] / max(1, grown.visits[child])) / 2,
                float(grown.visits[child] / max(1, tried)),
            )
            for child in range(grown.first[0], grown.first[0] + grown.children[0])
        ),
        key=lambda each: each.share,
        reverse=True,
    )
    best = found[0]
    think.evaluation.candidates, think.evaluation.value = tuple(found[:5]), best.value
    think.evaluation.nodes = int(tried)
    return best.action


@lru_cache(maxsize=1)
def shared_tree() -> Tree:
    return new_tree(MAX_TREE_NODES)


@compiled
def run_tries(
    rules: OptionCodes,
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
            resolve(rules, p, p.side[0], t.action[node])
        if (node == 0 or t.visits[node] > 0) and to_act(rules, p) != 0:
            found = legal_actions(rules, p, out)
            if has_room(t, found):
                expand_node(t, node, p.side[0], out, found)
                node = select_child(t, node, EXPLORATION)
                resolve(rules, p, p.side[0], t.action[node])
        _, die = playout(rules, p, die, i64(MAX_PLAYOUT_ACTIONS), payoffs)
        backpropagate(t, node, payoffs)
        done = i64(done + 1)
    return done
