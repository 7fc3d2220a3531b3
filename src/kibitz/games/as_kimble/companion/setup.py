"""The page on which a book for a real board is opened: what it asks in its own way."""

from kibitz.core.game import CompanionSetup
from kibitz.games.as_kimble.board import TEAMS
from kibitz.games.as_kimble.options import ALCOHOL

BY_LOTS = "lots"
_EMPTY_POSITION = "h4/h4/h4/h4 {turn} d- 0+0/0+0/0+0/0+0 1:- ---- -"

SETUP = CompanionSetup(
    context={
        # What is soft stands beside what is not (11.4).
        "units": ("units", "soft", "cans", "wine", "custom"),
        "alcohol": ALCOHOL,
        "starts": {
            **{team: _EMPTY_POSITION.format(turn=f"{team}:N3") for team in TEAMS},
            BY_LOTS: _EMPTY_POSITION.format(turn="S:-/-/-/-"),
        },
    },
    own_options=frozenset({"mode", "pace", "team_size", "unit", "unit_name", "unit_factor", "die"}),
)
