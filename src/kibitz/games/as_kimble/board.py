"""The ring, the goals and the homes: their names and distances. No rules.

A piece on the ring is known by its progress: how many grids it has come from its team's own start
grid, 0 to 27. Goal grid g is progress 27 + g.
"""

from __future__ import annotations

TEAMS = ("R", "B", "Y", "G")
"""Clockwise: the order of turns."""
TEAM_INDEX = {team: index for index, team in enumerate(TEAMS)}
SEAT_LETTERS = ("a", "b", "c", "d")
"""Clockwise too, before colours are chosen."""
RING = 28
GOALS = (1, 2, 3, 4)
PIECES = 4
SIX = 6


def start_grid(team: str) -> int:
    return 7 * TEAM_INDEX[team]


def grid_at(team: str, progress: int) -> int:
    """The grid of the ring on which a team's piece with this progress stands."""
    return (start_grid(team) + progress) % RING


def progress_at(team: str, grid: int) -> int:
    return (grid - start_grid(team)) % RING


def next_team(team: str) -> str:
    """The team to the left, which has the next turn."""
    return TEAMS[(TEAMS.index(team) + 1) % len(TEAMS)]


def previous_team(team: str) -> str:
    """The team to the right, which had the turn before."""
    return TEAMS[TEAMS.index(team) - 1]


def colours_from(chair: str, team: str) -> dict[str, str]:
    """The colour of each chair when this chair takes this one: they follow clockwise (4)."""
    turn = TEAMS.index(team) - SEAT_LETTERS.index(chair)
    return {each: TEAMS[(i + turn) % len(TEAMS)] for i, each in enumerate(SEAT_LETTERS)}


def ring_place(grid: int) -> str:
    """The names of elements in the drawing."""
    return f"t-{grid}"


def goal_place(team: str, goal: int) -> str:
    return f"g-{team}{goal}"


def home_place(team: str) -> str:
    return f"h-{team}"


def home_spot(team: str, index: int) -> str:
    """The spot of one of the pieces at home: the latest to come is the first to leave."""
    return f"{home_place(team)}{index}"


def aside_spot(team: str, index: int) -> str:
    """The spot of a piece contained in a multiplied one: laid left of the team's goal (2)."""
    return f"a-{team}{index}"


def goal_spot(team: str, goal: int, waiting: int = 0) -> str:
    """The spot of a goal piece; those beside the first grid wait in a row."""
    return goal_place(team, goal) + (f"w{waiting}" if waiting else "")
