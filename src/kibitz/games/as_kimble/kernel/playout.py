"""Whole matches inside the kernel: choices at random, and counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kibitz.core.bits import below, count, lowest, mixed, nth, rolled, without_lowest
from kibitz.core.jit import compiled, small, wide
from kibitz.games.as_kimble.kernel.book import outcome
from kibitz.games.as_kimble.kernel.dispatch import action_at, resolve, share, to_act, turn_set
from kibitz.games.as_kimble.kernel.encoding import (
    ALL_SHARES,
    CHANCE,
    FACES,
    POPPING,
    SEATS,
    House,
    Packed,
)
from kibitz.games.as_kimble.kernel.packing import blanks
from kibitz.games.as_kimble.kernel.sides import copy


@compiled
def actor_at(house: House, p: Packed, shown: int) -> int:
    """Who acts next, as what a die shows decides, or -1.

    Where chance may speak it does: nobody passes who may let the die fall. Of several seats each
    is as likely.
    """
    actors = to_act(house, p)
    if not actors:
        return small(-1)
    if (actors >> CHANCE) & 1:
        return small(CHANCE)
    return nth(wide(actors), below(wide(wide(shown) << wide(32)), count(actors)))


@compiled
def pick(house: House, p: Packed, actor: int, shown: int) -> int:
    """One of the actor's turn actions, each as likely as the others; chance's by its odds."""
    if actor == CHANCE and p.phase == POPPING:
        return action_at(p, actor, face_shown(house, p, shown) - 1)
    found = turn_set(house, p, actor)
    return action_at(p, actor, nth(wide(found), below(shown, count(found))))


@compiled
def face_shown(house: House, p: Packed, shown: int) -> int:
    if not house.naksu or not p.face:
        return small(below(shown, FACES) + 1)
    left, face = below(shown, ALL_SHARES), small(1)
    while left >= share(house, p, face):
        left -= share(house, p, face)
        face += 1
    return face


@compiled
def playout(
    house: House, p: Packed, die: int, most: int, payoffs: NDArray[np.int64]
) -> tuple[int, int]:
    """Play at random until nobody may act; how many actions that took, and the die after them.

    Nobody says anything out of turn: without pace=turn penalties stay, and there may be no end.
    """
    played = small(0)
    while played < most:
        die = rolled(die)
        shown = mixed(die)
        actor = actor_at(house, p, shown)
        if actor < 0:
            break
        resolve(house, p, actor, pick(house, p, actor, shown))
        played += 1
    for team in range(SEATS):
        payoffs[team] = 0
    outcome(house, p, payoffs)
    return played, die


def perft(house: House, p: Packed, depth: int) -> int:
    """How many sequences of so many turn actions there are, chance's included."""
    row = blanks(depth + 1)
    copy(p, row[0])
    return _sequences(house, row, small(0), small(depth))


@compiled
def _sequences(house: House, row: NDArray[np.void], level: int, depth: int) -> int:
    """Each level of the tree has a record of its own in the row."""
    if level == depth:
        return small(1)
    total = small(0)
    for actor in range(SEATS + 1):
        found = turn_set(house, row[level], actor)
        if level + 1 == depth:
            total += count(found)
            continue
        while found:
            copy(row[level], row[level + 1])
            action = action_at(row[level], actor, lowest(found))
            resolve(house, row[level + 1], actor, action)
            total += _sequences(house, row, level + 1, depth)
            found = small(without_lowest(found))
    return total
