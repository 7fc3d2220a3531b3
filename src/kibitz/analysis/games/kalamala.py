"""Kalamala: everything is weighed by the search itself, to the same depth.

A search that looks one action further is kinder to the other side, as whoever acts last looks
better. So what was found at the last two depths is taken together.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np

from kibitz.analysis.evaluation import SHOWN, AnyGame, Budget, Chances, Weighed, shared
from kibitz.bots.api import Think
from kibitz.bots.kalamala.levels import FEW, MANY, Root, chance
from kibitz.bots.kalamala.search import PLIES, SURE, WIN, Sight
from kibitz.core.caching import latest
from kibitz.core.game import Seat
from kibitz.games.kalamala.state import SEATS, State, other

SECONDS = 1.0
GLANCE = Budget(nodes=4_000)
"""For a first look at an action, which goes no further than its answer."""
_whole: Any = np.int64
_bits: Any = np.uint64
CLEAR = Sight(_whole(0), _whole(0), _bits(0))


class Seen(NamedTuple):
    chance: float
    """Of the side to act."""
    depth: int
    line: tuple[Any, ...]


def judged(game: AnyGame, state: State, budget: Budget) -> Chances:
    mine = _searched(game, state, budget, MANY, PLIES).chance
    return tuple(mine if seat == state.side else 1.0 - mine for seat in SEATS)


def weighed(
    game: AnyGame, state: State, seat: Seat, budget: Budget, played: Any
) -> tuple[Weighed, ...]:
    """The best action, those that look best beside it, and what was played."""
    root = _searched(game, state, budget, MANY, PLIES)
    actions = game.turn_actions(state, seat)
    best = root.line[0] if root.line else actions[0]
    ahead = {each: game.resolve(state, seat, each).state for each in actions if each != best}
    glances = {each: _left(game, after, GLANCE, 1).chance for each, after in ahead.items()}
    close = sorted(glances, key=lambda each: -glances[each])[: SHOWN - 1]
    close += [played] if played in ahead and played not in close else []
    part, depth = budget.part(len(close) + 1), max(1, root.depth - 1)
    if root.chance in (0.0, 1.0):
        depth = PLIES  # A win may be near, and others further away: these are as good.
    found = [Weighed(best, root.chance, root.line or (best,))]
    for each in close:
        seen = _left(game, ahead[each], part, depth)
        found.append(Weighed(each, min(seen.chance, root.chance), (each, *seen.line)))
    return tuple(found)


def _left(game: AnyGame, after: State, budget: Budget, depth: int) -> Seen:
    """What an action leaves to whoever did it."""
    if over := game.outcome(after):
        return Seen(shared(over.payoffs)[SEATS.index(other(after.side))], 0, ())
    seen = _searched(game, after, budget, FEW, depth)
    return seen._replace(chance=1.0 - seen.chance)


@latest(16)
def _searched(game: AnyGame, state: State, budget: Budget, slots: int, most: int) -> Seen:
    think = Think(game, state.side, Random(0), budget.seconds, budget.nodes)
    root, values, line = Root(state, think, slots), [0], ()
    root.desk.killers.fill(0)  # From another position, they would change the order in this one.
    with think.within(SECONDS) as nodes:
        root.prepare(nodes)
        for depth in range(1, min(most, PLIES - 2) + 1):
            value = root.searched(CLEAR, depth)
            if root.is_stopped:
                break
            values.append(value)
            line = root.spelled(root.desk.line[0, : int(root.desk.reach[0])].tolist())
            if abs(value) >= SURE and WIN - abs(value) <= depth:
                break
    return Seen(_together(values), len(values) - 1, line)


def _together(values: list[int]) -> float:
    """What is seen to its end is sure."""
    if abs(values[-1]) >= SURE or len(values) < 3:
        return chance(values[-1])
    return (chance(values[-1]) + chance(values[-2])) / 2
