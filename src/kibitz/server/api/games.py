"""Games and their ladders, for programs."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.params import Parameter
from msgspec import Struct

from kibitz.bots.registry import bots_for_game
from kibitz.core.message import message
from kibitz.core.options import option_descriptions
from kibitz.games import GAMES
from kibitz.server.db.queries import ratings
from kibitz.server.http.errors import HttpError, error_specs
from kibitz.server.http.requests import AnyRequest, Injected, request_language
from kibitz.server.phrases import phrases_for
from kibitz.server.tables.dependencies import TableServices
from kibitz.server.tables.service import OptionValue


class OptionInfo(Struct):
    """Something that may be agreed about a game before it begins."""

    name: str
    default: OptionValue
    allowed: str
    """The allowed values, as a sentence."""


class PresetInfo(Struct):
    """Options that go together, by name."""

    name: str
    title: str
    options: dict[str, OptionValue]


class StartInfo(Struct):
    """A way to begin, by name: a new table takes either that or its position as `start`."""

    name: str
    title: str
    position: str


class GameInfo(Struct):
    """A game on the shelf."""

    name: str
    title: str
    rules: str
    """The version of its rules."""
    seats: list[str]
    options: list[OptionInfo]
    preset: dict[str, OptionValue]
    """The suggestion to a new table; where only bots play, `bots_preset`."""
    bots_preset: dict[str, OptionValue]
    named_presets: list[PresetInfo]
    """Options that go together."""
    starts: list[StartInfo]
    """The beginnings to choose from, the usual one first; none where there is but one."""
    bots: list[str]


class LadderEntryInfo(Struct):
    """Somebody on the ladder."""

    place: int
    name: str
    rating: int
    low: int
    """With 95 % certainty the rating is between this and `high`."""
    high: int
    matches: int
    last_played: float
    """Seconds since 1970."""
    is_provisional: bool


class LadderPageInfo(Struct):
    """A page of it."""

    game: str
    page: int
    pages: int
    people: int
    entries: list[LadderEntryInfo]


@get("/games", tags=["games"], summary="List the games", responses=error_specs())
async def games(request: AnyRequest, services: Injected[TableServices]) -> list[GameInfo]:
    """With their seats and options, and the bots that play them here."""
    services.context.count(request, "pages")
    return [_game_info(name, request_language(request)) for name in GAMES]


@get(
    "/ladder/{game:str}",
    tags=["games"],
    summary="Get the ladder of a game",
    responses=error_specs(404),
)
async def ladder(
    request: AnyRequest,
    services: Injected[TableServices],
    game: str,
    page: Annotated[int, Parameter(ge=1, le=10**6)] = 1,
    is_provisional: Annotated[
        bool, Parameter(description="List players with too few matches instead")
    ] = False,
) -> LadderPageInfo:
    """Fifty entries per page, best first."""
    services.context.count(request, "pages")
    if game not in GAMES:
        raise HttpError(404, message("server.no-game", game=game[:60]))
    found = await ratings.read_ladder(services.tables.store, game, page, is_provisional)
    entries = [_ladder_entry_info(entry) for entry in found.entries]
    return LadderPageInfo(game, found.page, found.pages, found.people, entries)


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
        named_presets=[
            PresetInfo(each, say.t(f"{name}.preset-{each}"), dict(options))
            for each, options in rulebook.named_presets.items()
        ],
        starts=[
            StartInfo(each, say.t(f"{name}.beginning-{each}"), position)
            for each, position in rulebook.starts.items()
        ],
        bots=list(bots_for_game(name)),
    )


def _ladder_entry_info(entry: ratings.LadderEntry) -> LadderEntryInfo:
    rating = entry.rating
    return LadderEntryInfo(
        place=entry.place,
        name=entry.name,
        rating=rating.points,
        low=rating.interval[0],
        high=rating.interval[1],
        matches=rating.matches,
        last_played=entry.at,
        is_provisional=rating.is_provisional,
    )
