"""The ladder of a game, for programs."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.params import Parameter
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from kibitz.core.message import message
from kibitz.games import GAMES
from kibitz.server.http.errors import HttpError, error_specs
from kibitz.server.http.requests import AnyRequest, Injected
from kibitz.server.tables import ratings
from kibitz.server.tables.services import TableServices


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
    provisional: bool


class LadderPageInfo(Struct):
    """A page of it."""

    game: str
    page: int
    pages: int
    people: int
    entries: list[LadderEntryInfo]


@get(
    "/ladder/{game:str}",
    tags=["games"],
    summary="Who plays a game best, by rated matches",
    responses=error_specs(404),
)
async def ladder(
    request: AnyRequest,
    services: Injected[TableServices],
    game: str,
    page: Annotated[int, Parameter(ge=1, le=10**6)] = 1,
    provisional: Annotated[
        bool, Parameter(description="Those with few matches, who are listed apart")
    ] = False,
) -> LadderPageInfo:
    """Fifty to a page, the best first."""
    services.context.count(request, "pages")
    if game not in GAMES:
        raise HttpError(404, message("server.no-game", game=game[:60]))
    found = await ratings.read_ladder(services.tables.store, game, page, provisional)
    entries = [_ladder_entry_info(entry) for entry in found.entries]
    return LadderPageInfo(game, found.page, found.pages, found.people, entries)


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
        provisional=rating.is_provisional,
    )


ROUTES: tuple[ControllerRouterHandler, ...] = (ladder,)
