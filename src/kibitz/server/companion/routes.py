"""Pages of the companion: the book, the summary of an evening, the party screen."""

from __future__ import annotations

from litestar import MediaType, Response, get

from kibitz.core.message import message
from kibitz.games import GAMES
from kibitz.server.companion import book as companion_book
from kibitz.server.companion.book import Fairness, companion_rulebook
from kibitz.server.companion.summary import summary_of, summary_page
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnyRequest, request_language
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.phrases import date_time_text, phrases_for
from kibitz.server.tables.dependencies import InjectedTables
from kibitz.server.tables.invitations import WATCH
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.permissions import is_referee, needs_consent
from kibitz.server.tables.viewers import phrases_at


@get("/t/{table_id:str}/night", media_type=MediaType.HTML)
async def summary(request: AnyRequest, services: InjectedTables, table_id: str) -> Response[str]:
    live, member, cookies = await services.visit_table(request, table_id)
    watch = (await services.tables.links_of(live, member)).get(WATCH, "")
    say, url = phrases_at(live, request_language(request)), f"/t/{live.id}"
    night, is_open = summary_of(live), live.stored.is_open
    if night is None:
        raise HttpError(404, message("server.no-page"))
    return services.templates.page(
        "night.html",
        say,
        cookies,
        night=summary_page(live, night, say),
        url=url,
        share=prefixed_path(f"{url}/night") if is_open else watch and f"{watch}?to=night",
        game=live.game.name,
        game_title=say.t(f"{live.game.name}.title"),
        date=date_time_text(live.stored.created_at + night.course[0].at, say),
        back=f"{url}/night",
    )


@get("/party/{table_id:str}", media_type=MediaType.HTML)
async def party(request: AnyRequest, services: InjectedTables, table_id: str) -> Response[str]:
    """Everybody in the room reads it, so it is only for games that hide nothing."""
    live, member, cookies = await services.visit_table(request, table_id)
    _require_companion(live)
    links = await services.tables.links_of(live, member)
    say = phrases_at(live, request_language(request))
    shown = {
        "id": live.id,
        "title": say.t(f"{live.game.name}.title"),
        "join": [place for place in (WATCH, *live.game.seats) if place in links],
        "options": dict(live.game.options),
    }
    return services.templates.page("party.html", say, cookies, party=shown)


@get("/book", media_type=MediaType.HTML)
async def setup(request: AnyRequest, services: InjectedTables) -> Response[str]:
    """The page on which a book for a real board is opened."""
    _, cookies = services.visit(request)
    rulebook = companion_rulebook()
    if rulebook is None:
        raise HttpError(404, message("server.no-page"))
    seats = rulebook.game(rulebook.preset).seats
    say = phrases_for(request_language(request), rulebook.name, seats)
    shown = companion_book.setup_context(rulebook, say)
    return services.templates.page("keep.html", say, cookies, keep=shown, back="/book")


@get("/book/{table_id:str}", media_type=MediaType.HTML)
async def book(request: AnyRequest, services: InjectedTables, table_id: str) -> Response[str]:
    live, member, cookies = await services.visit_table(request, table_id)
    _require_companion(live)
    say = phrases_at(live, request_language(request))
    shown = companion_book.book_context(live, say, await services.tables.links_of(live, member))
    return services.templates.page("book.html", say, cookies, book=shown, back=f"/book/{live.id}")


@get("/t/{table_id:str}/rulings", media_type=MediaType.HTML)
async def rulings(request: AnyRequest, services: InjectedTables, table_id: str) -> Response[str]:
    """The rulings of a match on screens, for whoever may make them."""
    live, member, cookies = await services.visit_table(request, table_id)
    if GAMES[live.game.name].companion is None or live.table.book is not None:
        raise HttpError(404, message("server.no-page"))
    if not is_referee(live, member):
        raise HttpError(403, message("table.not-in-role"))
    say = phrases_at(live, request_language(request))
    shown = companion_book.book_context(live, say, {})
    back = f"/t/{live.id}/rulings"
    return services.templates.page(
        "rulings.html",
        say,
        cookies,
        book=shown,
        back=back,
        needs_consent=needs_consent(live, member),
    )


@get("/book/{table_id:str}/fairness")
async def fairness(request: AnyRequest, services: InjectedTables, table_id: str) -> Fairness:
    live, _ = await services.find_table(request, table_id)
    _require_companion(live)
    return companion_book.fairness(live, phrases_at(live, request_language(request)))


def _require_companion(live: LiveTable) -> None:
    """Raises HttpError for a table without a real board."""
    if live.game.companion is None:
        raise HttpError(404, message("server.no-page"))
