"""The book of a match on a real board: what its pages are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from kibitz.games import GAMES
from kibitz.server.phrases import Phrases
from kibitz.server.tables.live_table import LiveTable

COMPANION_GAME = "as-kimble"
"""The one that is played on real boards so far."""
ALCOHOL_UNITS = ("cans", "wine")
DRINK_UNITS = ("units", "soft", "cans", "wine", "custom")
"""What is soft stands beside what is not (11.4)."""
OWN_FORM_OPTIONS = frozenset(
    {"mode", "pace", "team_size", "unit", "unit_name", "unit_factor", "die"}
)
"""Options that the page asks for in its own way, or that a real board answers."""
BY_LOTS = "lots"
_EMPTY_POSITION = "h4/h4/h4/h4 {turn} d- 0+0/0+0/0+0/0+0 1:- ---- -"


class Fairness(Struct):
    """How the dome does tonight."""

    counts: tuple[int, ...]
    """Of each face, from one on."""
    sentence: str


def setup_context(say: Phrases) -> dict[str, Any]:
    """What can be chosen before a book is opened, beside the rules of the house."""
    rulebook = GAMES[COMPANION_GAME]
    game = rulebook.game(rulebook.preset)
    return {
        "game": COMPANION_GAME,
        "rules_url": f"/rules/{COMPANION_GAME}",
        "teams": [
            {"seat": seat, "name": say.names[seat], "glyph": Markup(game.ui.glyph(seat))}
            for seat in game.seats
        ],
        "units": [
            {"name": unit, "label": say.t(f"{COMPANION_GAME}.option-unit-{unit}")}
            for unit in DRINK_UNITS
        ],
        "alcohol": ALCOHOL_UNITS,
        "starts": {
            **{seat: _EMPTY_POSITION.format(turn=f"{seat}:N3") for seat in game.seats},
            BY_LOTS: _EMPTY_POSITION.format(turn="S:-/-/-/-"),
        },
    }


def book_context(live: LiveTable, say: Phrases, links: Mapping[str, str]) -> dict[str, Any]:
    """A book that is kept."""
    game, url = live.game, f"/t/{live.id}"
    return {
        "id": live.id,
        "game": game.name,
        "title": say.t(f"{game.name}.title"),
        "url": url,
        "rules_url": f"/rules/{game.name}",
        "record_url": f"{url}/record",
        "night_url": f"{url}/night",
        "options": dict(game.options),
        "order": list(game.seats),
        "links": links,
    }


def fairness(live: LiveTable, say: Phrases) -> Fairness:
    """Nothing where nothing is told of an evening."""
    table = live.table
    if table.game.companion is None:
        return Fairness((), "")
    strip = table.game.companion.summary(table.first, table.history, table.times).die_statistics
    return Fairness(strip.counts, " ".join(f"{say(each).rstrip('.')}." for each in strip.remarks))
