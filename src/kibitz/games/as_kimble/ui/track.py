"""The board as it is drawn: where everything is, and what stays the same for a whole match.

The dome is at 0, 0. The ring is a superellipse, a square with very round corners, divided into
28 equal steps; grid 0 is just clockwise of the top left corner. Goals lie on the diagonals,
homes outside the corners, and the plates of the teams beside the board, or above and below it
where it is tall. The board never turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape
from itertools import pairwise
from math import atan2, cos, degrees, hypot, pi, sin
from typing import NamedTuple

from kibitz.core.drawing import FONT, Box, Part, Point, Spot, shape_data
from kibitz.core.game import Place, Seat
from kibitz.core.message import Say, message
from kibitz.games.as_kimble.board import (
    GOALS,
    PIECES,
    RING,
    TEAMS,
    aside_spot,
    goal_place,
    goal_spot,
    home_place,
    home_spot,
    ring_place,
    start_grid,
)
from kibitz.games.as_kimble.ui.pieces import DARK, SHAPES, definitions

RING_HALF, RING_POWER = 166, 3.1
BOARD_HALF = 202
"""From the middle to the edge."""
CORNERS = {"R": (-1, -1), "B": (1, -1), "Y": (1, 1), "G": (-1, 1)}
"""Towards which corner each team is."""
DOME_RADIUS = 49
GRID_HIT_SIZE, GOAL_HIT_SIZE = 44, 32
"""The width of the places to touch."""
HOME_WIDTH = 144
LINES_PER_STEP = 100
"""The number of short lines of the ring that make a step."""


class Layout(NamedTuple):
    is_tall: bool
    view_box: str
    homes: Mapping[Seat, Box]
    plates: Mapping[Seat, Box]
    spots: Mapping[str, Point]
    """The middle of every place where a piece can lie: t-9, h-R0, g-R1w2, a-R0."""


def _outline() -> list[Point]:
    """The ring in short lines, clockwise from the middle of the top left corner."""
    points = []
    for i in range(RING * LINES_PER_STEP + 1):
        turn = 2 * pi * i / (RING * LINES_PER_STEP) - 0.75 * pi
        across, down = cos(turn), sin(turn)
        far = RING_HALF * (abs(across) ** RING_POWER + abs(down) ** RING_POWER) ** (-1 / RING_POWER)
        points.append((across * far, down * far))
    return points


def _grids(points: list[Point]) -> tuple[Point, ...]:
    """Equal steps along the outline, beginning half a step from its corner."""
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    step, walked = sum(lengths) / RING, 0.0
    found: list[Point] = []
    for ((x, y), (to_x, to_y)), length in zip(pairwise(points), lengths, strict=True):
        walked += length
        if (beyond := (walked - (len(found) + 0.5) * step) / length) >= 0:
            there = to_x - (to_x - x) * beyond, to_y - (to_y - y) * beyond
            found.append((round(there[0], 1) + 0.0, round(there[1], 1) + 0.0))
    return tuple(found)


_POINTS = _outline()
GRIDS = _grids(_POINTS)
_BAND = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in _POINTS[: -1 : LINES_PER_STEP // 2]) + "Z"
_GOALS = {1: 105.3, 2: 85.5, 3: 65.6, 4: 45.8}
"""The distance of each goal grid from the middle, across and down."""


_ASIDE_FAR, _ASIDE_NEAR, _ASIDE_STEP = 129, 78, 21


def _goal_point(team: Seat, goal: int, waiting: int = 0) -> Point:
    """Those that wait lie beside the first grid, in a row towards the middle."""
    (dx, dy), far = CORNERS[team], _GOALS[goal]
    return dx * (far - (5 + 20 * waiting if waiting else 0)), dy * (far + (3 if waiting else 0))


def _aside_point(team: Seat, index: int) -> Point:
    """The free quarter left of a goal, as its team sees it: a row along the ring, from the goal
    on, between the ring and those that wait."""
    far, near = _ASIDE_FAR, _ASIDE_NEAR - _ASIDE_STEP * index
    return {"R": (-near, -far), "B": (far, -near), "Y": (near, far), "G": (-far, near)}[team]


@lru_cache
def layout_for(tall: bool) -> Layout:
    deep, beside = (36, 5) if tall else (40, 4)
    homes, plates = {}, {}
    for team, (dx, dy) in CORNERS.items():
        middle = dy * (BOARD_HALF + beside + deep / 2)
        homes[team] = Box(dx * 98 - HOME_WIDTH / 2, middle - deep / 2, HOME_WIDTH, deep)
        if tall:
            plates[team] = Box(3 if dx > 0 else -203, 248 if dy > 0 else -290, 200, 42)
        else:
            plates[team] = Box(213 if dx > 0 else -365, 110 if dy > 0 else -246, 152, 136)
    spots = {ring_place(i): point for i, point in enumerate(GRIDS)}
    for team in TEAMS:
        home = homes[team]
        for i in range(PIECES):
            x, y = home.x + HOME_WIDTH / 2 + 33 * (i - 1.5), home.y + deep / 2
            spots[home_spot(team, i)] = (x, y)
        for goal in GOALS:
            spots[goal_spot(team, goal)] = _goal_point(team, goal)
        for waiting in range(1, PIECES):
            spots[goal_spot(team, 1, waiting)] = _goal_point(team, 1, waiting)
            spots[aside_spot(team, waiting - 1)] = _aside_point(team, waiting - 1)
    view_box = "-206 -293 412 586" if tall else "-369 -252 738 504"
    return Layout(tall, view_box, homes, plates, spots)


# What stays


@lru_cache(maxsize=64)
def ground(tall: bool, labels: bool, prefix: str) -> str:
    board = Box(-BOARD_HALF, -BOARD_HALF, 2 * BOARD_HALF, 2 * BOARD_HALF)
    band = f'<path d="{_BAND}" fill="none"'
    return (
        f"<defs>{definitions(prefix)}</defs>"
        f'<rect {board} transform="translate(0 3)" rx="64" fill="#000" opacity=".16"/>'
        f'<rect {board} rx="64" fill="var(--felt)" stroke="{DARK}" stroke-width="2"/>'
        f'{band} stroke="var(--felt-2)" stroke-width="43"/>'
        f'{band} stroke="var(--felt-line)" stroke-width="2" stroke-dasharray="1 7"'
        f' stroke-linecap="round"/>{"".join(_homes(layout_for(tall)))}'
        f"{''.join(_lanes(prefix))}{''.join(_holes(labels, prefix))}{''.join(_chevrons())}"
    )


def _homes(layout: Layout) -> Iterator[str]:
    for team in TEAMS:
        home = layout.homes[team]
        yield (
            f'<rect {home} rx="{home.height / 2:g}" fill="var(--{team}-soft)"'
            f' stroke="var(--{team})" stroke-width="2.5"/>'
        )
        places = "".join(
            f'<circle cx="{x:g}" cy="{y:g}" r="9.5"/>'
            for x, y in (layout.spots[home_spot(team, i)] for i in range(PIECES))
        )
        yield (
            f'<g fill="none" stroke="var(--{team}-deep)" stroke-width="1.5"'
            f' stroke-dasharray="3 3" opacity=".7">{places}</g>'
        )


def _lanes(prefix: str) -> Iterator[str]:
    for team in TEAMS:
        (x, y), (end_x, end_y) = _goal_point(team, 1), _goal_point(team, len(GOALS))
        yield (
            f'<path d="M{x:g} {y:g}L{end_x:g} {end_y:g}" stroke="{DARK}" stroke-width="33"'
            f' stroke-linecap="round"/><path d="M{x:g} {y:g}L{end_x:g} {end_y:g}"'
            f' stroke="var(--{team})" stroke-width="30.5" stroke-linecap="round"/>'
        )
        holes, numbers = [], []
        for goal in GOALS:
            x, y = _goal_point(team, goal)
            id = prefix + goal_place(team, goal)
            holes.append(f'<circle id="{id}" class="goal" cx="{x:g}" cy="{y:g}" r="11.5"/>')
            numbers.append(f'<text x="{x:g}" y="{y + 4:g}">{goal}</text>')
        yield f'<g fill="var(--hole)" stroke="{DARK}" stroke-width="1.5">{"".join(holes)}</g>'
        yield (
            f'<g aria-hidden="true" {FONT} font-size="11" font-weight="700" text-anchor="middle"'
            f' fill="var(--felt-ink)">{"".join(numbers)}</g>'
        )


def _holes(labels: bool, prefix: str) -> Iterator[str]:
    """The grids; start grids carry their team's colour and shape, the others their number."""
    starts = {start_grid(team): team for team in TEAMS}
    holes, numbers = [], []
    for grid, (x, y) in enumerate(GRIDS):
        id, at = prefix + ring_place(grid), f'cx="{x:g}" cy="{y:g}"'
        if team := starts.get(grid):
            yield (
                f'<circle id="{id}" class="start" {at} r="19.5" fill="var(--{team})"'
                f' stroke="var(--plate)" stroke-width="2.5"/>'
                f'<circle {at} r="14" fill="var(--hole)"/>'
                f'<path d="{SHAPES[team]}" transform="translate({x:g} {y:g}) scale(.85)"'
                f' fill="var(--{team})"/>'
            )
        else:
            holes.append(f'<circle id="{id}" {at} r="16"/>')
            numbers.append(f'<text x="{x:g}" y="{y + 3.8:g}">{grid}</text>')
    yield f'<g fill="var(--hole)" stroke="{DARK}" stroke-width="1.5">{"".join(holes)}</g>'
    if labels:
        yield (
            f'<g aria-hidden="true" {FONT} font-size="10.5" font-weight="600"'
            f' text-anchor="middle" fill="var(--felt-ink-2)">{"".join(numbers)}</g>'
        )


def _chevrons() -> Iterator[str]:
    """Which way round: four small arrows between grids."""
    for grid in range(3, RING, RING // 4):
        (x, y), (to_x, to_y) = GRIDS[grid], GRIDS[grid + 1]
        turn = degrees(atan2(to_y - y, to_x - x))
        yield (
            f'<path d="M-2-4.5L2.5 0L-2 4.5" transform="translate({(x + to_x) / 2:.1f}'
            f' {(y + to_y) / 2:.1f}) rotate({turn:.1f})" fill="none" stroke="var(--felt-ink)"'
            ' stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/>'
        )


# What is touched


@lru_cache(maxsize=64)
def place_names(say: Say) -> Mapping[Place, str]:
    """The name of every place, whoever stands there."""
    teams = {team: message(f"as-kimble.draw-team-{team}") for team in TEAMS}
    names = {
        ring_place(grid): say(message("as-kimble.draw-grid", grid=grid)) for grid in range(RING)
    }
    for team in TEAMS:
        grid = start_grid(team)
        start = message("as-kimble.draw-start", grid=grid, team=teams[team])
        names[ring_place(grid)] = say(start)
        for goal in GOALS:
            called = message("as-kimble.draw-goal", goal=goal, team=teams[team])
            names[goal_place(team, goal)] = say(called)
        names[home_place(team)] = say(message("as-kimble.draw-home", team=teams[team]))
    return names | {"dome": say(message("as-kimble.draw-dome"))}


@lru_cache(maxsize=64)
def hits(tall: bool, prefix: str, say: Say) -> Part:
    """Round places, as those of the ring stand close; each is named by what is there, if anything.

    A home is named by the plate of its team, and the dome by what is in it.
    """
    layout, cells, places = layout_for(tall), [], dict[Place, Spot]()
    for place, name in place_names(say).items():
        is_home = place.startswith("h-")
        if is_home:
            box, by = layout.homes[place[2:]], f"plate-{place[2:]}"
        else:
            x, y = layout.spots.get(place, (0, 0))
            half = {"t": GRID_HIT_SIZE, "g": GOAL_HIT_SIZE}.get(place[0], 2 * DOME_RADIUS) / 2
            box, by = Box(x - half, y - half, 2 * half, 2 * half), f"pc-{place}"
        places[place] = Spot(box, name, is_round=not is_home)
        cells.append(
            f'<rect id="{prefix}hit-{place}" class="hit" data-el="{place}" role="button"'
            f"{shape_data(not is_home)}"
            f' aria-label="{escape(name)}" aria-labelledby="{prefix}{by}" {box}'
            f' rx="{box.height / 2:g}"/>'
        )
    return Part(f'<g fill="none" pointer-events="all">{"".join(cells)}</g>', places)
