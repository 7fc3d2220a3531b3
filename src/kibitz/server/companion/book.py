"""The book of a match on a real board: what its pages are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from kibitz.games import GAMES
from kibitz.server.phrases import Speech
from kibitz.server.tables.live_table import LiveTable

GAME = "as-kimble"
"""The one that is played on real boards so far."""
ALCOHOL = ("cans", "wine")
UNITS = ("units", "soft", "cans", "wine", "custom")
"""What is soft stands beside what is not (11.4)."""
ASKED = frozenset({"mode", "pace", "team_size", "unit", "unit_name", "unit_factor", "die"})
"""Options that the page asks for in its own way, or that a real board answers."""
LOTS = "lots"
_EMPTY = "h4/h4/h4/h4 {turn} d- 0+0/0+0/0+0/0+0 1:- ---- -"


class Fairness(Struct):
    """How the dome does tonight."""

    counts: tuple[int, ...]
    """Of each face, from one on."""
    sentence: str


def offered(say: Speech) -> dict[str, Any]:
    """What can be chosen before a book is opened, beside the rules of the house."""
    rulebook = GAMES[GAME]
    game = rulebook.game(rulebook.preset)
    return {
        "game": GAME,
        "rules_url": f"/rules/{GAME}",
        "teams": [
            {"seat": seat, "name": say.names[seat], "glyph": Markup(game.glyph(seat))}
            for seat in game.seats
        ],
        "units": [{"name": unit, "label": say.t(f"{GAME}.option-unit-{unit}")} for unit in UNITS],
        "alcohol": ALCOHOL,
        "starts": {
            **{seat: _EMPTY.format(turn=f"{seat}:N3") for seat in game.seats},
            LOTS: _EMPTY.format(turn="S:-/-/-/-"),
        },
    }


def kept(live: LiveTable, say: Speech, links: Mapping[str, str]) -> dict[str, Any]:
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


def fairness(live: LiveTable, say: Speech) -> Fairness:
    """Nothing where nothing is told of an evening."""
    table = live.table
    if table.game.night is None:
        return Fairness((), "")
    strip = table.game.night(table.first, table.played, table.times).strip
    return Fairness(strip.counts, " ".join(f"{say(each).rstrip('.')}." for each in strip.told))
