"""Plain Monte Carlo tree search for Kalamala: random play to the end from every new leaf."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from kibitz.bots.api import Candidate, Think
from kibitz.bots.kalamala.search import Numbers
from kibitz.bots.mcts_tree import Tree, grow, has_room, plant, promising, tell, tree
from kibitz.core.jit import compiled, small, wide
from kibitz.games.kalamala.kernel import (
    copy,
    house,
    legal_actions,
    pack,
    playout,
    resolve,
    to_act,
    unpack_action,
)
from kibitz.games.kalamala.kernel.encoding import MOST_ACTIONS, House, Packed, blank
from kibitz.games.kalamala.state import State

ROOM = 2_000_000
"""Nodes of a tree."""
SECONDS = 1.0
CURIOSITY = 0.7
LONGEST = 1000
"""Random play that goes on for longer counts as a draw."""


def mcts(view: State, actions: Sequence[Any], think: Think) -> Any:
    rules, grown, payoffs = house(think.game.options), tree_of(), np.zeros(2, np.int64)
    root, work = blank(), blank()
    pack(view, root)
    plant(grown)
    with think.within(SECONDS) as nodes:
        flag, die = np.frombuffer(think.flag, np.int64), wide(think.rng.getrandbits(63))
        out = np.zeros(MOST_ACTIONS, np.int64)
        tried = tries(rules, root, work, grown, out, payoffs, die, small(nodes), flag)
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
    think.thoughts.candidates, think.thoughts.value = tuple(found[:5]), best.value
    think.thoughts.nodes = int(tried)
    return best.action


@lru_cache(maxsize=1)
def tree_of() -> Tree:
    return tree(ROOM)


@compiled
def tries(
    rules: House,
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
    done = small(0)
    while done == 0 or (done < most and flag[0] == 0):
        copy(root, p)
        node = small(0)
        while t.children[node] > 0:
            node = promising(t, node, CURIOSITY)
            resolve(rules, p, p.side[0], t.action[node])
        if (node == 0 or t.visits[node] > 0) and to_act(rules, p) != 0:
            found = legal_actions(rules, p, out)
            if has_room(t, found):
                grow(t, node, p.side[0], out, found)
                node = promising(t, node, CURIOSITY)
                resolve(rules, p, p.side[0], t.action[node])
        _, die = playout(rules, p, die, small(LONGEST), payoffs)
        tell(t, node, payoffs)
        done = small(done + 1)
    return done
