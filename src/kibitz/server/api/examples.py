"""Examples of requests for the reference of the API, drawn from the games there are."""

from __future__ import annotations

from litestar.openapi.spec import Example

from kibitz.games import GAMES

GAME = min((each.game({}) for each in GAMES.values()), key=lambda game: game.policy.has_chance)
"""One without chance, if there is one: what is played there does not depend on dice."""
START, FIRST = GAME.rules.start(), GAME.seats[0]
OFFER = GAME.ui.offers(GAME.rules.view(START, FIRST, ()), GAME.rules.turn_actions(START, FIRST))[0]
SEATS = {seat: "me" if seat == FIRST else "greedy" for seat in GAME.seats}

OPEN_EXAMPLES = [
    Example(value={"game": GAME.name, "seats": SEATS}),
    Example(value={"game": GAME.name, "seats": {FIRST: "me"}, "is_open": True}),
]
SEEK_EXAMPLES = [Example(value={"game": GAME.name, "clock": {"kind": "days", "days": 3}})]
LINE_EXAMPLES = [Example(value={"game": GAME.name, "actions": OFFER.actions})]
TOUCH_EXAMPLES = [Example(value={"game": GAME.name, "actions": [], "path": OFFER.path})]
