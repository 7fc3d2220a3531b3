"""The analysis of Kalamala: everything is weighed by the search of the best level, equally deeply.

A search that looks one action further is kinder to the other side, as whoever acts last looks
better. So what was found at the last two depths is taken together.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np

from kibitz.analysis.evaluation import (
    MAX_SHOWN_ACTIONS,
    AnyGame,
    Budget,
    Chances,
    RankedAction,
    result_chances,
)
from kibitz.bots.api import SearchContext
from kibitz.bots.kalamala.buffers import MAX_PLIES, SURE_WIN, WIN, Handicap
from kibitz.bots.kalamala.levels import FEW_SLOTS, MANY_SLOTS, STRENGTHS, Root, win_chance
from kibitz.core.caching import cache_latest
from kibitz.core.game import Seat
from kibitz.games.kalamala.state import SEATS, State, other_side

BEST = STRENGTHS[-1]
DEFAULT_NODES = 20_000
SEARCH_S = 1.0
GLANCE_BUDGET = Budget(nodes=4_000)
"""For a first look at an action, which goes no further than its answer."""
MIN_LINE_ACTIONS = 5
"""A line that ends in a solved ending is told at least so far, if the match goes on for so long."""
_int64: Any = np.int64
_uint64: Any = np.uint64
NO_HANDICAP = Handicap(_int64(0), _int64(0), _uint64(0))


class SearchResult(NamedTuple):
    chance: float
    """Of the side to act."""
    depth: int
    line: tuple[Any, ...]
    solved: int | None = None
    """In how many actions at most the match is over, once that is proved."""


def position_chances(game: AnyGame, state: State, budget: Budget) -> Chances:
    mine = _search_result(game, state, budget, MANY_SLOTS, MAX_PLIES).chance
    return tuple(mine if seat == state.side else 1.0 - mine for seat in SEATS)


def solved_in(game: AnyGame, state: State, budget: Budget) -> int | None:
    """In how many actions at most the match is over, if a win by force is known or found."""
    return _search_result(game, state, budget, MANY_SLOTS, MAX_PLIES).solved


def ranked_actions(
    game: AnyGame, state: State, seat: Seat, budget: Budget
) -> tuple[RankedAction, ...]:
    """The best action, and those that look best beside it."""
    root = _search_result(game, state, budget, MANY_SLOTS, MAX_PLIES)
    actions = game.rules.turn_actions(state, seat)
    best = root.line[0] if root.line else actions[0]
    ahead = {each: game.rules.resolve(state, seat, each).state for each in actions if each != best}
    glances = {
        each: _result_after(game, after, GLANCE_BUDGET, 1).chance for each, after in ahead.items()
    }
    close = sorted(glances, key=lambda each: -glances[each])[: MAX_SHOWN_ACTIONS - 1]
    part, depth = budget.part(len(close) + 1), max(1, root.depth - 1)
    if root.chance in (0.0, 1.0):
        depth = MAX_PLIES  # A win may be near, and others further away: these are as good.
    found = [RankedAction(best, root.chance, root.line or (best,))]
    for each in close:
        seen = _result_after(game, ahead[each], part, depth)
        found.append(RankedAction(each, min(seen.chance, root.chance), (each, *seen.line)))
    return tuple(sorted(found, key=lambda each: -each.chance))


def _result_after(game: AnyGame, after: State, budget: Budget, depth: int) -> SearchResult:
    """The search after an action, as whoever did it sees it."""
    if over := game.rules.outcome(after):
        return SearchResult(
            result_chances(over.payoffs)[SEATS.index(other_side(after.side))], 0, ()
        )
    seen = _search_result(game, after, budget, FEW_SLOTS, depth)
    return seen._replace(chance=1.0 - seen.chance)


def _with_solved_actions(game: AnyGame, state: State, line: tuple[Any, ...]) -> tuple[Any, ...]:
    """A line, continued where it ends in a solved ending, in which a search sees no further."""
    for action in line:
        state = game.rules.resolve(state, state.side, action).state
    while len(line) < MIN_LINE_ACTIONS and not game.rules.outcome(state):
        root = Root(state, SearchContext(game, state.side, Random(0)), FEW_SLOTS)
        root.pruning, root.uses_net = BEST.pruning, BEST.uses_net
        root.prepare_search(GLANCE_BUDGET.nodes or 0)
        root.search_to_depth(NO_HANDICAP, 1)
        if root.solved_in() is None or not (following := root.best_line()):
            break
        line = (*line, following[0])
        state = game.rules.resolve(state, state.side, following[0]).state
    return line


@cache_latest(16)
def _search_result(
    game: AnyGame, state: State, budget: Budget, slots: int, most: int
) -> SearchResult:
    think = SearchContext(game, state.side, Random(0), budget.seconds, budget.nodes)
    root, values, line = Root(state, think, slots), [0], ()
    root.pruning, root.uses_net = BEST.pruning, BEST.uses_net
    with think.search_budget(SEARCH_S) as nodes:
        root.prepare_search(nodes)
        is_solved = root.solved_in() is not None
        for depth in range(1, min(most, MAX_PLIES - 2) + 1):
            value = root.search_to_depth(NO_HANDICAP, depth)
            if root.is_stopped:
                break
            values.append(value)
            line = root.best_line()
            if abs(value) >= SURE_WIN and (is_solved or WIN - abs(value) <= depth):
                break
    solved = WIN - abs(values[-1]) if abs(values[-1]) >= SURE_WIN else None
    if solved is not None:
        line = _with_solved_actions(game, state, line)
    return SearchResult(_mean_chance(values), len(values) - 1, line, solved)


def _mean_chance(values: list[int]) -> float:
    """The chance by the last two depths; what is seen to its end is sure."""
    if abs(values[-1]) >= SURE_WIN or len(values) < 3:
        return win_chance(values[-1])
    return (win_chance(values[-1]) + win_chance(values[-2])) / 2
