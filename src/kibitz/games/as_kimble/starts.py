"""Beginnings of a game: Red, any other team, or lots (4)."""

from kibitz.core.record import START
from kibitz.games.as_kimble.board import TEAMS

BY_LOTS = "lots"
_EMPTY_POSITION = "h4/h4/h4/h4 {turn} d- 0+0/0+0/0+0/0+0 1:- ---- -"

TEAM_STARTS = {team: _EMPTY_POSITION.format(turn=f"{team}:N3") for team in TEAMS}
LOTS_START = _EMPTY_POSITION.format(turn="S:-/-/-/-")
STARTS = {**TEAM_STARTS, TEAMS[0]: START, BY_LOTS: LOTS_START}
"""By name; Red begins where nothing else is said."""
