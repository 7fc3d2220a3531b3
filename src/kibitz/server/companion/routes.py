"""Pages of the companion: the book, the summary of an evening, the party screen."""

from __future__ import annotations

from collections.abc import Mapping

from litestar import MediaType, Response, get

from kibitz.core.message import message
from kibitz.games import GAMES
from kibitz.server.companion import book as companion_book
from kibitz.server.companion.book import COMPANION_GAME, Fairness
from kibitz.server.companion.summary import summary_of, summary_page
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnyRequest, Injected, request_language
from kibitz.server.option_form import option_fields
from kibitz.server.phrases import date_time_text, phrases_for
from kibitz.server.tables.dependencies import TableServices
from kibitz.server.tables.invitations import WATCH
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.viewers import phrases_at


@get("/t/{table_id:str}/night", media_type=MediaType.HTML)
async def summary(
    request: AnyRequest, services: Injected[TableServices], table_id: str
) -> Response[str]:
    live, member, cookies = await services.visit_table(request, table_id)
    links = await services.tables.links_of(live, member)
    say, url = phrases_at(live, request_language(request)), f"/t/{live.id}"
    night = summary_of(live)
    if night is None:
        raise HttpError(404, message("server.no-page"))
    return services.templates.page(
        "night.html",
        say,
        cookies,
        night=summary_page(live, night, say),
        url=url,
        share=f"{url}/night" if live.stored.open else _summary_link(links),
        game=live.game.name,
        game_title=say.t(f"{live.game.name}.title"),
        date=date_time_text(live.stored.created + night.course[0].at, say),
        back=f"{url}/night",
    )


@get("/party/{table_id:str}", media_type=MediaType.HTML)
async def party(
    request: AnyRequest, services: Injected[TableServices], table_id: str
) -> Response[str]:
    """Everybody in the room reads it, so it is only for games that hide nothing."""
    live, member, cookies = await services.visit_table(request, table_id)
    _require_companion(live)
    links = await services.tables.links_of(live, member)
    say = phrases_at(live, request_language(request))
    shown = {
        "id": live.id,
        "title": say.t(f"{live.game.name}.title"),
        "join": [place for place in (WATCH, *live.game.seats) if place in links],
    }
    return services.templates.page("party.html", say, cookies, party=shown)


@get("/book", media_type=MediaType.HTML)
async def setup(request: AnyRequest, services: Injected[TableServices]) -> Response[str]:
    """The page on which a book for a real board is opened."""
    services.context.count(request, "pages")
    _, cookies = services.context.ensure_guest(request)
    rulebook = GAMES[COMPANION_GAME]
    seats = rulebook.game(rulebook.preset).seats
    say = phrases_for(request_language(request), COMPANION_GAME, seats)
    options = [
        each
        for each in option_fields(rulebook, say)
        if each["name"] not in companion_book.OWN_FORM_OPTIONS
    ]
    shown = {**companion_book.setup_context(say), "options": options}
    return services.templates.page("keep.html", say, cookies, keep=shown, back="/book")


@get("/book/{table_id:str}", media_type=MediaType.HTML)
async def book(
    request: AnyRequest, services: Injected[TableServices], table_id: str
) -> Response[str]:
    live, member, cookies = await services.visit_table(request, table_id)
    _require_companion(live)
    say = phrases_at(live, request_language(request))
    shown = companion_book.book_context(live, say, await services.tables.links_of(live, member))
    return services.templates.page("book.html", say, cookies, book=shown, back=f"/book/{live.id}")


@get("/book/{table_id:str}/fairness")
async def fairness(
    request: AnyRequest, services: Injected[TableServices], table_id: str
) -> Fairness:
    live, _ = await services.find_table(request, table_id)
    _require_companion(live)
    return companion_book.fairness(live, phrases_at(live, request_language(request)))


def _require_companion(live: LiveTable) -> None:
    """Raises HttpError for a table without a real board."""
    if live.game.companion is None:
        raise HttpError(404, message("server.no-page"))


def _summary_link(links: Mapping[str, str]) -> str:
    """A link that leads there those who may not see the table yet."""
    return f"{links[WATCH]}?to=night" if WATCH in links else ""
