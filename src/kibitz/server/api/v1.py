"""Everything a page does, as JSON for programs; its schema is at `/api/v1/openapi.json`."""

from __future__ import annotations

from litestar import Router, get
from litestar.datastructures import ResponseHeader
from msgspec import Struct

from kibitz.bots.registry import bots_for_game
from kibitz.core.options import option_descriptions
from kibitz.games import GAMES
from kibitz.server.api import (
    analysis,
    chat,
    ladder,
    people,
    playing,
    records,
    tables,
    tokens,
)
from kibitz.server.http.errors import error_specs
from kibitz.server.http.openapi import API_PATH
from kibitz.server.http.requests import AnyRequest, Injected, request_language
from kibitz.server.phrases import phrases_for
from kibitz.server.tables.service import OptionValue
from kibitz.server.tables.services import TableServices

RATE_LIMIT_HEADERS = (
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


class OptionInfo(Struct):
    """Something that may be agreed about a game before it begins."""

    name: str
    default: OptionValue
    allowed: str
    """What it may be, as a sentence."""


class GameInfo(Struct):
    """A game on the shelf."""

    name: str
    title: str
    rules: str
    """The version of its rules."""
    seats: list[str]
    options: list[OptionInfo]
    preset: dict[str, OptionValue]
    """What a new table suggests; where only bots play, `bots_preset`."""
    bots_preset: dict[str, OptionValue]
    bots: list[str]


@get("/games", tags=["games"], summary="The games on the shelf", responses=error_specs())
async def games(request: AnyRequest, services: Injected[TableServices]) -> list[GameInfo]:
    """With their seats and options, and the bots that play them here."""
    services.context.count(request, "pages")
    return [_game_info(name, request_language(request)) for name in GAMES]


def api_router() -> Router:
    parts = (ladder, people, tokens, tables, playing, records, chat, analysis)
    handlers = [games, *(handler for part in parts for handler in part.ROUTES)]
    return Router(path=API_PATH, route_handlers=handlers, response_headers=RATE_LIMIT_HEADERS)


def _game_info(name: str, spoken: str) -> GameInfo:
    rulebook = GAMES[name]
    game = rulebook.game({})
    say = phrases_for(spoken, name, game.seats)
    return GameInfo(
        name=name,
        title=say.t(f"{name}.title"),
        rules=rulebook.version,
        seats=list(game.seats),
        options=[
            OptionInfo(option, default, say(allowed))
            for option, default, allowed in option_descriptions(rulebook.options)
        ],
        preset=dict(rulebook.preset),
        bots_preset=dict(rulebook.bots_preset),
        bots=list(bots_for_game(name)),
    )
