"""The book of a match on a real board, as its pages need it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from kibitz.core.game import Rulebook
from kibitz.games import GAMES
from kibitz.server.companion.summary import summary_of
from kibitz.server.option_form import option_fields
from kibitz.server.phrases import Phrases
from kibitz.server.tables.live_table import AnyGame, LiveTable


class Fairness(Struct):
    """The falls of the die tonight, and a verdict on them."""

    counts: tuple[int, ...]
    """Of each face, from one on."""
    sentence: str


def companion_rulebook() -> Rulebook | None:
    """The game that is played on real boards, if there is one."""
    return next((each for each in GAMES.values() if each.companion), None)


def setup_context(rulebook: Rulebook, say: Phrases) -> dict[str, Any]:
    """The choices of the page on which a book is opened."""
    game, setup = rulebook.game(rulebook.preset), rulebook.companion
    assert setup
    return {
        **setup.context,
        "game": game.name,
        "rules_url": f"/rules/{game.name}",
        "teams": [
            {"seat": seat, "name": say.names[seat], "glyph": Markup(game.ui.glyph(seat))}
            for seat in game.seats
        ],
        "options": [
            each for each in option_fields(rulebook, say) if each["name"] not in setup.own_options
        ],
    }


def book_context(live: LiveTable, say: Phrases, links: Mapping[str, str]) -> dict[str, Any]:
    """A book that is kept."""
    url = f"/t/{live.id}"
    return {
        **empty_book_context(live.game, say),
        "id": live.id,
        "url": url,
        "record_url": f"{url}/record",
        "night_url": f"{url}/night",
        "options": dict(live.game.options),
        "links": links,
    }


def empty_book_context(game: AnyGame, say: Phrases) -> dict[str, Any]:
    """The page of a book without a book."""
    return {
        "id": "",
        "game": game.name,
        "title": say.t(f"{game.name}.title"),
        "rules_url": f"/rules/{game.name}",
        "url": "/",
        "record_url": "/",
        "night_url": "/",
        "options": {},
        "order": list(game.seats),
        "signs": {seat: game.ui.glyph(seat) for seat in game.seats},
        "links": {},
    }


def fairness(live: LiveTable, say: Phrases) -> Fairness:
    """Nothing where no book is kept, or there is no die."""
    summary = summary_of(live)
    if summary is None or summary.die_statistics is None:
        return Fairness((), "")
    die = summary.die_statistics
    return Fairness(die.counts, " ".join(f"{say(each).rstrip('.')}." for each in die.remarks))
