"""Everything a page does, as JSON for programs; its schema is at `/api/v1/openapi.json`."""

from __future__ import annotations

from typing import Any

from litestar import Request, Router, get
from litestar.datastructures import ResponseHeader
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from kibitz.bots.registry import bots_at
from kibitz.core.options import described
from kibitz.games import GAMES
from kibitz.server.accounts.accounts import Accounts
from kibitz.server.accounts.routes import ladder_api
from kibitz.server.analysis.evaluation import Analyst
from kibitz.server.api.analysis import study_api
from kibitz.server.api.chat import chat_api
from kibitz.server.api.people import people_api
from kibitz.server.api.tables import tables_api
from kibitz.server.api.tokens import tokens_api
from kibitz.server.http.errors import may_fail
from kibitz.server.http.requests import Asking, language
from kibitz.server.phrases import speech
from kibitz.server.tables.service import Desk, Option
from kibitz.server.tables.sse import Streams

AnyRequest = Request[Any, Any, Any]
PROGRAMS = "/api"
API = f"{PROGRAMS}/v1"
"""Where all of it is; what would break programs comes under another number."""
LIMIT_HEADERS = (
    ResponseHeader(
        name="RateLimit-Policy",
        description='The limit that this was counted for: `"act";q=60;w=3`, 60 at once, in 3 s',
        documentation_only=True,
    ),
    ResponseHeader(
        name="RateLimit",
        description='What is left of it: `"act";r=12;t=2`, 12 now, and all again in 2 s',
        documentation_only=True,
    ),
)


class OptionSeen(Struct):
    """Something that may be agreed about a game before it begins."""

    name: str
    default: Option
    allowed: str
    """What it may be, as a sentence."""


class GameSeen(Struct):
    """A game on the shelf."""

    name: str
    title: str
    rules: str
    """The version of its rules."""
    seats: list[str]
    options: list[OptionSeen]
    preset: dict[str, Option]
    """What a new table suggests; where only bots play, `bots_preset`."""
    bots_preset: dict[str, Option]
    bots: list[str]


def api(
    desk: Desk, asking: Asking, analyst: Analyst, accounts: Accounts, streams: Streams
) -> Router:
    @get("/games", tags=["games"], summary="The games on the shelf", responses=may_fail())
    async def games(request: AnyRequest) -> list[GameSeen]:
        """With their seats and options, and the bots that play them here."""
        asking.toll(request, "pages")
        return [_game(name, language(request)) for name in GAMES]

    handlers: list[ControllerRouterHandler] = [
        games,
        *ladder_api(desk, asking),
        *people_api(desk, asking, streams, API),
        *tokens_api(asking, accounts),
        *tables_api(desk, asking, analyst, streams),
        *chat_api(desk, asking),
        *study_api(asking, analyst),
    ]
    return Router(path=API, route_handlers=handlers, response_headers=LIMIT_HEADERS)


def _game(name: str, spoken: str) -> GameSeen:
    rulebook = GAMES[name]
    game = rulebook.game({})
    say = speech(spoken, name, game.seats)
    return GameSeen(
        name=name,
        title=say.t(f"{name}.title"),
        rules=rulebook.rules,
        seats=list(game.seats),
        options=[
            OptionSeen(option, default, say(allowed))
            for option, default, allowed in described(rulebook.options)
        ],
        preset=dict(rulebook.preset),
        bots_preset=dict(rulebook.bots_preset),
        bots=list(bots_at(name)),
    )
