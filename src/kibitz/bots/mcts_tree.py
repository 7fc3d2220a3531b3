"""A tree of tries for Monte Carlo search, in compiled code; it knows no game.

Nodes are numbers, the root is 0, and the children of a node stand side by side. A node
has the value it has to whoever chose it; what chance chooses is drawn, not chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots.api import Candidate
from kibitz.core.floats import log
from kibitz.core.jit import Numbers, i64, jit

NOWHERE = -1


class Tree(NamedTuple):
    """The caller owns its memory."""

    parent: Numbers
    first: Numbers
    children: Numbers
    action: Numbers
    chooser: Numbers
    """The seat whose action led here."""
    visits: Numbers
    values: Numbers
    """All that it paid to the chooser."""
    size: Numbers


@cache
def shared_tree(room: int) -> Tree:
    """Return the tree of this process, which runs one search at a time."""
    numbers = [np.zeros(room, np.int64) for _ in range(6)]
    return Tree._make([*numbers, np.zeros(room), np.zeros(1, np.int64)])


def root_candidates(
    t: Tree, tried: int, seats: int, unpack_action: Callable[[int], Any]
) -> list[Candidate]:
    """The actions at the root as candidates, the most tried first."""
    found = [
        Candidate(
            unpack_action(int(t.action[child])),
            (1 + float(t.values[child]) / max(1, int(t.visits[child]))) / seats,
            int(t.visits[child]) / max(1, tried),
        )
        for child in range(t.first[0], t.first[0] + t.children[0])
    ]
    return sorted(found, key=lambda each: -each.share)


@jit
def reset_tree(t: Tree) -> None:
    t.size[0] = 1
    t.parent[0], t.children[0], t.visits[0], t.values[0] = NOWHERE, 0, 0, 0.0


@jit
def has_room(t: Tree, count: int) -> bool:
    return bool(t.size[0] + count <= t.parent.shape[0])


@jit
def expand_node(t: Tree, node: int, chooser: int, actions: Numbers, count: int) -> None:
    """Give a node its children; there is room for them."""
    first = t.size[0]
    t.first[node], t.children[node] = first, count
    for number in range(count):
        child = first + number
        t.parent[child], t.children[child] = node, 0
        t.action[child], t.chooser[child] = actions[number], chooser
        t.visits[child], t.values[child] = 0, 0.0
    t.size[0] = first + count


@jit
def select_child(t: Tree, node: int, curiosity: float) -> int:
    """The child to try next: what pays, or has not been tried enough (UCB1)."""
    best, most = i64(NOWHERE), -1e300
    often = log(t.visits[node] + 1.0)
    for child in range(t.first[node], t.first[node] + t.children[node]):
        if t.visits[child] == 0:
            return i64(child)
        visits = float(t.visits[child])
        score = t.values[child] / visits + curiosity * sqrt(often / visits)
        if score > most:
            best, most = i64(child), score
    return best


@jit
def backpropagate(t: Tree, node: int, payoffs: Numbers) -> None:
    """Add what a try has paid to the node and all above it; chance is paid nothing."""
    while node != NOWHERE:
        t.visits[node] += 1
        if node != 0 and t.chooser[node] < payoffs.shape[0]:
            t.values[node] += payoffs[t.chooser[node]]
        node = t.parent[node]
