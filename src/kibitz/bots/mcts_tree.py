"""A tree of tries for Monte Carlo search, in compiled code; it knows no game.

Nodes are numbers, the root is 0, and the children of a node stand side by side. What a node is
worth is worth to whoever chose it; what chance chooses is drawn, not chosen.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from kibitz.core.jit import compiled, i64

Numbers: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
NOWHERE = -1


class Tree(NamedTuple):
    """The caller owns its memory."""

    parent: Numbers
    first: Numbers
    children: Numbers
    action: Numbers
    chooser: Numbers
    """Whose action led here."""
    visits: Numbers
    worth: Numbers
    """All that it paid to the chooser."""
    size: Numbers


def new_tree(room: int) -> Tree:
    return Tree(
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.float64),
        np.zeros(1, np.int64),
    )


@compiled
def reset_tree(t: Tree) -> None:
    t.size[0] = 1
    t.parent[0], t.children[0], t.visits[0], t.worth[0] = NOWHERE, 0, 0, 0.0


@compiled
def has_room(t: Tree, count: int) -> bool:
    return bool(t.size[0] + count <= t.parent.shape[0])


@compiled
def expand_node(t: Tree, node: int, chooser: int, actions: Numbers, count: int) -> None:
    """Give a node its children; there is room for them."""
    first = t.size[0]
    t.first[node], t.children[node] = first, count
    for number in range(count):
        child = first + number
        t.parent[child], t.children[child] = node, 0
        t.action[child], t.chooser[child] = actions[number], chooser
        t.visits[child], t.worth[child] = 0, 0.0
    t.size[0] = first + count


@compiled
def select_child(t: Tree, node: int, curiosity: float) -> int:
    """The child to try next: what pays, or has not been tried enough (UCB1)."""
    best, most = i64(NOWHERE), -1e300
    often = log(t.visits[node] + 1.0)
    for child in range(t.first[node], t.first[node] + t.children[node]):
        if t.visits[child] == 0:
            return i64(child)
        visits = float(t.visits[child])
        worth = t.worth[child] / visits + curiosity * sqrt(often / visits)
        if worth > most:
            best, most = i64(child), worth
    return best


@compiled
def backpropagate(t: Tree, node: int, payoffs: Numbers) -> None:
    """What a try has paid, to the node and all above it; chance is paid nothing."""
    while node != NOWHERE:
        t.visits[node] += 1
        if node != 0 and t.chooser[node] < payoffs.shape[0]:
            t.worth[node] += payoffs[t.chooser[node]]
        node = t.parent[node]
