"""The page on which a book for a real board is opened: what it asks in its own way."""

from kibitz.core.game import CompanionSetup
from kibitz.games.as_kimble.options import ALCOHOL
from kibitz.games.as_kimble.starts import BY_LOTS, LOTS_START, TEAM_STARTS

SETUP = CompanionSetup(
    context={
        # What is soft stands beside what is not (11.4).
        "units": ("units", "soft", "cans", "wine", "custom"),
        "alcohol": ALCOHOL,
        "starts": {**TEAM_STARTS, BY_LOTS: LOTS_START},
    },
    own_options=frozenset({"mode", "pace", "team_size", "unit", "unit_name", "unit_factor", "die"}),
)
