"""The board in rows and columns of equal cells, for characters.

The ring is a square of eight cells by eight with the start grids at its corners, goals lead from
there to the dome in the middle, and homes stand outside, beside their corners. The dome is at
0, 0. A cell has two lines at least, so that what is half as high still has a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kibitz.core.drawing import Box, Fill, Point, Writing, writing
from kibitz.core.game import Place, Seat
from kibitz.games.as_kimble.board import (
    GOALS,
    PIECES,
    RING,
    TEAMS,
    goal_place,
    goal_spot,
    home_place,
    home_spot,
    ring_place,
    start_grid,
)
from kibitz.games.as_kimble.ui.track import CORNERS

CELL = 40
SIDE = RING // 4
EDGE = CELL * (SIDE + 1) / 2
"""From the middle to the edge of the ring."""
LINE, GOAL = CELL / 2, 24
"""The height of a line of characters and the width of a goal grid."""
EMPTY = "."
"""A hole at home, and a team that has not raised."""
TEXT_HEIGHTS = {"above": -86, "raised": -66, "team": 74, "turn": 94}
"""The lines written around the dome."""


def _grid_point(grid: int) -> Point:
    turns, along = divmod(grid, SIDE)
    x, y = CELL * (along + 0.5) - EDGE, CELL / 2 - EDGE
    for _ in range(turns):
        x, y = -y, x
    return x, y


def _goal_point(team: Seat, goal: int, waiting: int = 0) -> Point:
    """Each a line further in; those that wait are in a row beside the first."""
    (dx, dy), inside = CORNERS[team], EDGE - CELL
    across = GOAL * (goal - 0.5) + (6 + 16 * waiting if waiting else 0)
    return dx * (inside - across), dy * (inside - LINE * (goal - 0.5))


def _home_box(team: Seat) -> Box:
    dx, dy = CORNERS[team]
    left = EDGE if dx > 0 else -EDGE - CELL
    return Box(left, EDGE - 2 * CELL if dy > 0 else -EDGE, CELL, 2 * CELL)


def _spots() -> Iterator[tuple[str, Point]]:
    for grid in range(RING):
        yield ring_place(grid), _grid_point(grid)
    for team in TEAMS:
        home = _home_box(team)
        for nth in range(PIECES):
            yield home_spot(team, nth), (home.x + CELL / 2, home.y + LINE * (nth + 0.5))
        for goal in GOALS:
            yield goal_spot(team, goal), _goal_point(team, goal)
        for waiting in range(1, PIECES):
            yield goal_spot(team, 1, waiting), _goal_point(team, 1, waiting)


SPOTS = dict(_spots())
"""The middle of every place where a piece can lie."""


def _boxes() -> Iterator[tuple[Place, Box]]:
    """Of all that can be touched. Goal grids leave a little air, so that each has its own line."""
    for grid in range(RING):
        x, y = _grid_point(grid)
        yield ring_place(grid), Box(x - CELL / 2, y - CELL / 2, CELL, CELL)
    for team in TEAMS:
        for goal in GOALS:
            x, y = _goal_point(team, goal)
            yield goal_place(team, goal), Box(x - GOAL / 2, y - LINE * 0.4, GOAL, LINE * 0.8)
        yield home_place(team), _home_box(team)
    yield "dome", Box(-CELL, -CELL, 2 * CELL, 2 * CELL)


BOXES = dict(_boxes())


def fills() -> Iterator[Fill]:
    """The cells, start and goal grids in their colour."""
    starts = {start_grid(team): team for team in TEAMS}
    yield Fill(Box(-EDGE, -EDGE, 2 * EDGE, 2 * EDGE), "felt")
    for grid in range(RING):
        team = starts.get(grid)
        colour = f"{team}-soft" if team else ("felt-2", "felt-line")[grid % 2]
        yield Fill(BOXES[ring_place(grid)], colour)
    for team in TEAMS:
        for place in (home_place(team), *(goal_place(team, goal) for goal in GOALS)):
            yield Fill(BOXES[place], f"{team}-soft")


def labels() -> Iterator[Writing]:
    """The labels that stay: letters on start grids, numbers on the others, holes at home."""
    starts = {start_grid(team): team for team in TEAMS}
    for grid in range(RING):
        team = starts.get(grid)
        ink = f"{team}-deep" if team else "felt-ink"
        yield _centred_text(team or str(grid), BOXES[ring_place(grid)], ink)
    for team in TEAMS:
        for nth in range(PIECES):
            x, y = SPOTS[home_spot(team, nth)]
            yield writing(EMPTY, x, y + 3, f"{team}-deep")
        for goal in GOALS:
            yield _centred_text(str(goal), BOXES[goal_place(team, goal)], f"{team}-deep")


def _centred_text(text: str, box: Box, ink: str) -> Writing:
    x, y = box.middle
    return writing(text, x, y + 3, ink, "middle")


def dome_lines(
    lines: Mapping[str, tuple[str, str]], raised: Mapping[Seat, bool]
) -> Iterator[Writing]:
    """The lines above and below the dome with their inks, and the letters of who has raised."""
    for name, (text, ink) in lines.items():
        yield writing(text, 0, TEXT_HEIGHTS[name], ink, "middle")
    for i, (team, has) in enumerate(raised.items()):
        letter, ink = (team, f"{team}-deep") if has else (EMPTY, "felt-ink")
        yield writing(letter, 16 * (i - 1.5), TEXT_HEIGHTS["raised"], ink, "middle")
