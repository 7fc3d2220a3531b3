"""Plain Monte Carlo tree search for AS-Kimble: random play to the end from every new leaf."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kibitz.bots.api import Candidate, Think
from kibitz.bots.as_kimble.value import Numbers
from kibitz.bots.mcts_tree import Tree, grow, has_room, plant, promising, tell, tree
from kibitz.core.bits import lowest, mixed, rolled
from kibitz.core.jit import compiled, small, wide
from kibitz.games.as_kimble import kernel
from kibitz.games.as_kimble.actions import Action
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.kernel.dispatch import resolve, to_act, turn_actions
from kibitz.games.as_kimble.kernel.encoding import (
    CHANCE,
    MOST_ACTIONS,
    POPPING,
    SEATS,
    House,
    Packed,
)
from kibitz.games.as_kimble.kernel.playout import face_shown, playout
from kibitz.games.as_kimble.kernel.sides import copy

ROOM = 2_000_000
"""Nodes of a tree."""
CURIOSITY = 2.0
"""In payoffs, of which a win has three and a loss minus one."""
LONGEST = 20_000
"""Random play that goes on for longer pays nobody."""


def grown(
    house: House, root: Packed, codes: Numbers, think: Think, nodes: int
) -> tuple[Candidate, ...]:
    """What came of it, the most tried action first."""
    t, flag = _tree(), np.frombuffer(think.flag, np.int64)
    seat, die = small(TEAMS.index(think.seat)), wide(think.rng.getrandbits(63))
    tried = tries(house, root, kernel.blank(), t, seat, codes, die, small(nodes), flag)
    think.thoughts.nodes = int(tried)
    children = range(t.first[0], t.first[0] + t.children[0])
    return tuple(sorted((_candidate(t, each, int(tried)) for each in children), key=_order))


def _candidate(t: Tree, child: int, tried: int) -> Candidate:
    action: Action = kernel.unpack_action(int(t.action[child]))
    paid = float(t.worth[child]) / max(1, int(t.visits[child]))
    return Candidate(action, (paid + 1) / SEATS, int(t.visits[child]) / max(1, tried), (action,))


def _order(each: Candidate) -> tuple[float, float]:
    return (-each.share, -each.value)


@lru_cache(maxsize=1)
def _tree() -> Tree:
    return tree(ROOM)


@compiled
def tries(
    house: House,
    root: Packed,
    p: Packed,
    t: Tree,
    seat: int,
    codes: Numbers,
    die: int,
    most: int,
    flag: Numbers,
) -> int:
    """Play from the root again and again; how often it was."""
    out, payoffs, done = np.zeros(MOST_ACTIONS, np.int64), np.zeros(SEATS, np.int64), small(0)
    plant(t)
    grow(t, small(0), seat, codes, small(codes.shape[0]))
    while done == 0 or (done < most and flag[0] == 0):
        copy(root, p)
        node = small(0)
        while t.children[node] > 0:
            if node != 0 and p.phase == POPPING:
                die = rolled(die)
                node = small(t.first[node] + face_shown(house, p, mixed(die)) - 1)
            else:
                node = promising(t, node, CURIOSITY)
            resolve(house, p, t.chooser[node], t.action[node])
        actors = to_act(house, p)
        if t.visits[node] > 0 and actors != 0:
            actor = small(CHANCE) if p.phase == POPPING else lowest(actors)
            found = turn_actions(house, p, actor, out)
            if has_room(t, found):
                grow(t, node, actor, out, found)
        _, die = playout(house, p, wide(die), small(LONGEST), payoffs)
        tell(t, node, payoffs)
        done = small(done + 1)
    return done
