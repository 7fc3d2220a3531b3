"""The ways a man can run, step by step (4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from kibitz.games.kahmate.board import IN_GOAL, NEIGHBOURS, SQUARES, file_of, is_in_goal
from kibitz.games.kahmate.state import SEATS, State, occupied_squares

RunPath = tuple[int, ...]
"""The squares of a run in their order, where it begins included."""
OPEN_SQUARES = {
    (side, has_ball): sum(
        1 << at
        for at in SQUARES
        if file_of(at) != IN_GOAL[side] and (has_ball or not is_in_goal(at))
    )
    for side in SEATS
    for has_ball in (True, False)
}
"""Where a man may go if nobody stands there: in-goal only to the far one, with the ball. The
square of a ball that lies in-goal opens to all (5.4)."""


class RunArea(NamedTuple):
    """All that counts for where a man can run: the squares around him as far as he gets."""

    origin: int
    points: int
    free: int
    """The squares he may enter, one bit a square."""
    loose: int | None
    """One of them, if the ball lies there."""
    carried: int
    """The squares he may enter once he has picked that ball up."""


def run_area(state: State, origin: int, points: int, occupied: int | None = None) -> RunArea:
    """`occupied` are the squares where somebody stands, where that is known already."""
    lies = 0 if state.ball is None else 1 << state.ball
    if occupied is None:
        occupied = occupied_squares(state.field)
    near = ~occupied & _squares_within(origin, points)
    free = (OPEN_SQUARES[state.turn, state.ball == origin] | lies) & near
    loose = state.ball if state.ball is not None and free >> state.ball & 1 else None
    carried = 0 if loose is None else OPEN_SQUARES[state.turn, True] & near
    return RunArea(origin, points, free, loose, carried)


@cache
def _squares_within(origin: int, points: int) -> int:
    reached = edge = {origin}
    for _ in range(points):
        edge = {near for at in edge for near in NEIGHBOURS[at]} - reached
        reached = reached | edge
    return sum([1 << at for at in reached])


def run_paths(state: State, origin: int, points: int) -> Mapping[int, RunPath]:
    """A shortest way to each square that the man there can run to with so many points.

    It leads over a loose ball, and takes it along, only where no other way leads there.
    """
    return paths_in(run_area(state, origin, points))


def paths_in(around: RunArea) -> Mapping[int, RunPath]:
    origin, points, free, loose, carried = around
    found = _shortest_paths(origin, points, free, loose)
    if loose is not None and loose in found and not is_in_goal(loose):
        fetched = found[loose]
        left = points - (len(fetched) - 1)
        for target, way in _shortest_paths(loose, left, carried, None).items():
            found.setdefault(target, fetched + way[1:])
    return found


def takes_ball_along(around: RunArea, way: RunPath) -> bool:
    """True if a run picks up the loose ball on its way."""
    return around.loose in way[1:-1]


def _shortest_paths(origin: int, points: int, free: int, last: int | None) -> dict[int, RunPath]:
    """To all squares within reach; none leads on over an in-goal, or over the last one."""
    found: dict[int, RunPath] = {origin: (origin,)}
    edge = [origin]
    for _ in range(points):
        nearer, edge = edge, []
        for square in nearer:
            if is_in_goal(square) or square == last:
                continue
            for target in NEIGHBOURS[square]:
                if free >> target & 1 and target not in found:
                    found[target] = (*found[square], target)
                    edge.append(target)
        if not edge:
            break
    del found[origin]
    return found
