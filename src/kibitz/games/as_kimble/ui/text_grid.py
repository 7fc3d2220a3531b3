"""The board in rows and columns of equal cells, for characters.

The ring is a square of eight cells by eight with the start grids at its corners, goals lead from
there to the dome in the middle, and homes stand outside, beside their corners. The dome is at
0, 0. A cell has two lines at least, so that what is half as high still has a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape

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
from kibitz.games.as_kimble.ui.lettering import FONT, text_markup
from kibitz.games.as_kimble.ui.track import CORNERS, Box, Layout, Point

CELL = 40
SIDE = RING // 4
EDGE = CELL * (SIDE + 1) / 2
"""From the middle to the edge of the ring."""
LINE, GOAL = CELL / 2, 24
"""How high a line of characters and how wide a goal grid is."""
PLATES_X = EDGE + CELL + 10
"""Where the plates begin."""
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


@lru_cache
def text_grid_layout() -> Layout:
    homes = {team: _home_box(team) for team in TEAMS}
    spots = {ring_place(grid): _grid_point(grid) for grid in range(RING)}
    plates = {}
    for i, team in enumerate(TEAMS):
        home = homes[team]
        plates[team] = Box(PLATES_X, 2 * CELL * i - EDGE, 4 * CELL, 2 * CELL)
        for nth in range(PIECES):
            spots[home_spot(team, nth)] = home.x + CELL / 2, home.y + LINE * (nth + 0.5)
        for goal in GOALS:
            spots[goal_spot(team, goal)] = _goal_point(team, goal)
        for waiting in range(1, PIECES):
            spots[goal_spot(team, 1, waiting)] = _goal_point(team, 1, waiting)
    view_box = f"{-PLATES_X:g} {-EDGE:g} {2 * PLATES_X + 4 * CELL:g} {2 * EDGE:g}"
    return Layout(False, view_box, homes, plates, spots)


def _boxes() -> Iterator[tuple[Place, Box]]:
    """Of all that can be touched. Goal grids leave a little air, so that each has its own line."""
    layout = text_grid_layout()
    for grid in range(RING):
        x, y = layout.spots[ring_place(grid)]
        yield ring_place(grid), Box(x - CELL / 2, y - CELL / 2, CELL, CELL)
    for team in TEAMS:
        for goal in GOALS:
            x, y = layout.spots[goal_spot(team, goal)]
            yield goal_place(team, goal), Box(x - GOAL / 2, y - LINE * 0.4, GOAL, LINE * 0.8)
        yield home_place(team), layout.homes[team]
    yield "dome", Box(-CELL, -CELL, 2 * CELL, 2 * CELL)


@lru_cache
def squares() -> str:
    """What stays: the cells, start and goal grids in their colour, with letters and numbers."""
    boxes, starts = dict(_boxes()), {start_grid(team): team for team in TEAMS}
    drawn = [_cell(Box(-EDGE, -EDGE, 2 * EDGE, 2 * EDGE), "felt")]
    for grid in range(RING):
        team, box = starts.get(grid), boxes[ring_place(grid)]
        drawn.append(_cell(box, f"{team}-soft" if team else ("felt-2", "felt-line")[grid % 2]))
        drawn.append(_centred_text(team or str(grid), box, f"{team}-deep" if team else "felt-ink"))
    for team in TEAMS:
        drawn.append(_cell(boxes[home_place(team)], f"{team}-soft"))
        for nth in range(PIECES):
            x, y = text_grid_layout().spots[home_spot(team, nth)]
            drawn.append(text_markup(EMPTY, x, y + 3, 12, f"{team}-deep"))
        for goal in GOALS:
            box = boxes[goal_place(team, goal)]
            drawn += [_cell(box, f"{team}-soft"), _centred_text(str(goal), box, f"{team}-deep")]
    return f"<g {FONT}>{''.join(drawn)}</g>"


def _cell(box: Box, colour: str) -> str:
    return f'<rect {box} fill="var(--{colour})"/>'


def _centred_text(text: str, box: Box, ink: str) -> str:
    middle = box.y + box.height / 2 + 3
    return text_markup(text, box.x + box.width / 2, middle, 12, ink, anchor="middle")


@lru_cache(maxsize=64)
def hits(prefix: str, names: tuple[tuple[Place, str], ...]) -> str:
    """Each place is named by what is there, if anything: a home by its plate."""
    called, found = dict(names), []
    for place, box in _boxes():
        by = f"plate-{place[2:]}" if place.startswith("h-") else f"pc-{place}"
        found.append(
            f'<rect id="{prefix}hit-{place}" class="hit" data-el="{place}" role="button"'
            f' aria-label="{escape(called[place])}" aria-labelledby="{prefix}{by}" {box}/>'
        )
    return f'<g fill="none" pointer-events="all">{"".join(found)}</g>'


def dome_lines(lines: Mapping[str, tuple[str, str]], raised: Mapping[Seat, bool]) -> str:
    """What is written above and below the dome, in which ink; the letters of who has raised."""
    drawn = [
        text_markup(text, 0, TEXT_HEIGHTS[name], 12, ink, anchor="middle")
        for name, (text, ink) in lines.items()
    ]
    for i, (team, has) in enumerate(raised.items()):
        letter, ink = (team, f"{team}-deep") if has else (EMPTY, "felt-ink")
        drawn.append(
            text_markup(letter, 16 * (i - 1.5), TEXT_HEIGHTS["raised"], 12, ink, anchor="middle")
        )
    return f"<g {FONT}>{''.join(drawn)}</g>"


def dome(id: str, said: str, letters: str, colour: str) -> str:
    """The die by its number, in a rim of this colour."""
    return (
        f'<g id="{id}" class="pc dome" role="img" aria-label="{escape(said)}"'
        f' data-letters="{letters}"><circle r="{CELL}" fill="var(--{colour})"/>'
        f'<circle r="{CELL / 2:g}" fill="var(--plate)"/></g>'
    )


def disc(team: Seat, radius: float) -> str:
    """A piece, told by its letters; they are not drawn but given."""
    return f'<circle r="{radius:g}" fill="var(--{team})"/>'
