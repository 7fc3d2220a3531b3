"""Plain Monte Carlo tree search for AS-Kimble: random play to the end from every new leaf."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from kibitz.bots.api import Candidate, SearchContext
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
from kibitz.core.bits import lowest_bit, mix_bits, next_die
from kibitz.core.jit import Numbers, i64, jit, u64
from kibitz.games.as_kimble import kernel
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.kernel.dispatch import resolve, to_act, turn_actions
from kibitz.games.as_kimble.kernel.encoding import (
    CHANCE,
    MAX_ACTIONS,
    POPPING,
    SEATS,
    OptionCodes,
    Packed,
)
from kibitz.games.as_kimble.kernel.playout import playout, random_face
from kibitz.games.as_kimble.kernel.sides import copy

MAX_TREE_NODES = 2_000_000
"""Nodes of a tree."""
EXPLORATION = 2.0
"""In payoffs, of which a win has three and a loss minus one."""
MAX_PLAYOUT_ACTIONS = 20_000
"""Random play that goes on for longer pays nobody."""


def search_candidates(
    options: OptionCodes, root: Packed, codes: Numbers, think: SearchContext, nodes: int
) -> tuple[Candidate, ...]:
    """The candidates after the search, the most tried action first."""
    t, flag = shared_tree(MAX_TREE_NODES), np.frombuffer(think.flag, np.int64)
    seat, die = i64(TEAMS.index(think.seat)), u64(think.rng.getrandbits(63))
    out, payoffs, work = np.zeros(MAX_ACTIONS, np.int64), np.zeros(SEATS, np.int64), kernel.blank()
    tried = run_tries(options, root, work, t, seat, codes, out, payoffs, die, i64(nodes), flag)
    think.evaluation.nodes = int(tried)
    found = root_candidates(t, int(tried), SEATS, kernel.unpack_action)
    found.sort(key=lambda each: (-each.share, -each.value))
    return tuple(replace(each, line=(each.action,)) for each in found)


@jit
def run_tries(
    options: OptionCodes,
    root: Packed,
    p: Packed,
    t: Tree,
    seat: int,
    codes: Numbers,
    out: Numbers,
    payoffs: Numbers,
    die: int,
    most: int,
    flag: Numbers,
) -> int:
    """Play from the root again and again; how often it was."""
    done = i64(0)
    reset_tree(t)
    expand_node(t, i64(0), seat, codes, i64(codes.shape[0]))
    while done == 0 or (done < most and flag[0] == 0):
        copy(root, p)
        node = i64(0)
        while t.children[node] > 0:
            if node != 0 and p.phase == POPPING:
                die = next_die(die)
                node = i64(t.first[node] + random_face(options, p, mix_bits(die)) - 1)
            else:
                node = select_child(t, node, EXPLORATION)
            resolve(options, p, t.chooser[node], t.action[node])
        actors = to_act(options, p)
        if t.visits[node] > 0 and actors != 0:
            actor = i64(CHANCE) if p.phase == POPPING else lowest_bit(actors)
            found = turn_actions(options, p, actor, out)
            if has_room(t, found):
                expand_node(t, node, actor, out, found)
        _, die = playout(options, p, u64(die), i64(MAX_PLAYOUT_ACTIONS), payoffs)
        backpropagate(t, node, payoffs)
        done = i64(done + 1)
    return done
