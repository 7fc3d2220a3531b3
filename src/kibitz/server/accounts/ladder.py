"""The page of a ladder."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from litestar import MediaType, Response, get

from kibitz.core.message import message
from kibitz.games import GAMES
from kibitz.i18n.formats import date_text
from kibitz.server.db.queries.ratings import (
    PROVISIONAL_MATCHES,
    LadderPage,
    Rating,
    read_ladder,
)
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnyRequest, request_language
from kibitz.server.phrases import Phrases, phrases_for
from kibitz.server.tables.dependencies import InjectedTables
from kibitz.table.seating import Member


@get("/ladder/{game:str}", media_type=MediaType.HTML)
async def ladder(request: AnyRequest, services: InjectedTables, game: str) -> Response[str]:
    """Those with a place, and apart from them those who have none yet; or only these."""
    member, cookies = services.visit(request)
    if game not in GAMES:
        raise HttpError(404, message("server.no-page"))
    page, is_new = _page_number(request), request.query_params.get("new") == "1"
    store, say = services.tables.store, phrases_for(request_language(request))
    found = await read_ladder(store, game, page, is_new)
    apart = None if is_new else await read_ladder(store, game, 1, provisional=True)
    return services.templates.page(
        "ladder.html",
        say,
        cookies,
        game=game,
        title=say.t(f"{game}.title"),
        games=[{"name": each, "title": say.t(f"{each}.title")} for each in GAMES],
        ladder=_ladder_data(found, member, say),
        apart=_ladder_data(apart, member, say) if apart else None,
        is_new=is_new,
        settled_after=PROVISIONAL_MATCHES,
        here=f"/ladder/{game}?" + ("new=1&" if is_new else ""),
        back=f"/ladder/{game}",
    )


def rating_data(rating: Rating) -> Mapping[str, Any]:
    return {
        "rating": rating.points,
        "sure": rating.interval[1] - rating.points,
        "matches": rating.matches,
        "provisional": rating.is_provisional,
    }


def _ladder_data(ladder: LadderPage, member: Member, say: Phrases) -> Mapping[str, Any]:
    return {
        "page": ladder.page,
        "pages": ladder.pages,
        "entries": [
            {
                **rating_data(entry.rating),
                "place": entry.place,
                "name": entry.name,
                "mine": entry.member == member,
                "played": say.t("page.ladder-played", n=entry.rating.matches),
                "last": date_text(say.language, datetime.fromtimestamp(entry.at).astimezone()),
            }
            for entry in ladder.entries
        ],
    }


def _page_number(request: AnyRequest) -> int:
    text = request.query_params.get("page", "1")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 1
