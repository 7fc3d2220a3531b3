"""The ways a man can run, step by step (4.1)."""

from __future__ import annotations

from kibitz.games.kahmate.board import IN_GOAL, NEIGHBOURS, file_of, is_in_goal
from kibitz.games.kahmate.state import State

Way = tuple[int, ...]
"""The squares of a run in their order, where it begins included."""


def ways(state: State, origin: int, points: int, *, over_ball: bool = False) -> dict[int, Way]:
    """A shortest way to each square that the man there can run to with so many points.

    A loose ball is a goal, and no way leads over it unless that is asked for: running on would
    carry it along.
    """
    found: dict[int, Way] = {origin: (origin,)}
    edge = [origin]
    for _ in range(points):
        nearer, edge = edge, []
        for square in nearer:
            if is_in_goal(square) or (square == state.ball != origin and not over_ball):
                continue
            for target in NEIGHBOURS[square]:
                if target not in found and _is_open(state, origin, target):
                    found[target] = (*found[square], target)
                    edge.append(target)
        if not edge:
            break
    del found[origin]
    return found


def _is_open(state: State, origin: int, target: int) -> bool:
    """Empty, and not in-goal but for the far one to the man with the ball."""
    if state.field[target] is not None or file_of(target) == IN_GOAL[state.turn]:
        return False
    return origin == state.ball or not is_in_goal(target)
