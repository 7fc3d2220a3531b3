"""Pages of the companion: the book, the summary of an evening, the party screen."""

from __future__ import annotations

from collections.abc import Sequence

from litestar import MediaType, Response, get
from litestar.datastructures import Cookie

from kibitz.core.message import message
from kibitz.core.summary import Summary
from kibitz.games import GAMES
from kibitz.server.companion import book as companion_book
from kibitz.server.companion.book import Fairness, companion_rulebook
from kibitz.server.companion.summary import summary_of, summary_page, summary_title
from kibitz.server.http.errors import HttpError
from kibitz.server.http.link_preview import LinkPreview
from kibitz.server.http.requests import AnyRequest, request_language
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.phrases import date_time_text, phrases_for
from kibitz.server.tables.dependencies import InjectedTables, TableServices
from kibitz.server.tables.invitations import ROOM, WATCH
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.permissions import is_referee, needs_consent
from kibitz.server.tables.telling.previews import ended_preview, phrases_of_host
from kibitz.server.tables.viewers import phrases_at
from kibitz.table.seating import Member


@get("/t/{table_id:str}/night", media_type=MediaType.HTML)
async def summary(request: AnyRequest, services: InjectedTables, table_id: str) -> Response[str]:
    live, member, cookies = await services.visit_table(request, table_id)
    return await _summary_page(request, services, live, member, cookies)


@get("/t/{table_id:str}/night/{token:str}", media_type=MediaType.HTML)
async def shared_summary(
    request: AnyRequest, services: InjectedTables, table_id: str, token: str
) -> Response[str]:
    """A night that is over, for whoever has its address: without a name, a seat or a cookie."""
    services.context.count(request, "pages")
    live = await services.tables.find_result(table_id, token)
    return await _summary_page(request, services, live, services.context.member(request), ())


async def _summary_page(
    request: AnyRequest,
    services: TableServices,
    live: LiveTable,
    member: Member,
    cookies: Sequence[Cookie],
) -> Response[str]:
    say, url = phrases_at(live, request_language(request)), f"/t/{live.id}"
    night, may_see = summary_of(live), await services.tables.may_see(live, member)
    if night is None:
        raise HttpError(404, message("server.no-page"))
    return services.templates.page(
        "night.html",
        say,
        cookies,
        is_secret=not live.stored.is_open,
        night=summary_page(live, night, say),
        preview=_night_preview(request, services, live, night),
        url=url,
        may_see=may_see,
        urls=_night_urls(services, live, may_see),
        share=await _share_url(request, services, live, member),
        game=live.game.name,
        game_title=say.t(f"{live.game.name}.title"),
        date=date_time_text(live.stored.created_at + night.course.start, say),
        back=request.scope["path"],
    )


def _night_urls(services: TableServices, live: LiveTable, may_see: bool) -> dict[str, str]:
    """Where the page leads to: the table, or a board with its record for strangers."""
    url = f"/t/{live.id}"
    if may_see:
        return {"move": f"{url}#", "record": f"{url}/record"}
    shared = services.tables.result_path(live)
    key = shared.rpartition("/")[2]
    board = f"/analysis/{live.game.name}?table={live.id}&key={key}"
    return {"move": f"{board}&n=", "record": f"{shared}/record"}


async def _share_url(
    request: AnyRequest, services: TableServices, live: LiveTable, member: Member
) -> str:
    """The night itself once it is over; before that an invitation to watch, as far as there is
    one."""
    has_ended = live.table.is_over and not live.table.is_aborted
    if has_ended or live.stored.is_open:
        path = services.tables.result_path(live, "night")
        return services.context.link_url(request, prefixed_path(path))
    watch = (await services.tables.links_of(live, member)).get(WATCH, "")
    return services.context.link_url(request, f"{watch}?to=night") if watch else ""


def _night_preview(
    request: AnyRequest, services: TableServices, live: LiveTable, night: Summary
) -> LinkPreview | None:
    """Only of a night that strangers may read."""
    is_over = live.table.is_over and not live.table.is_aborted
    if not (is_over or live.stored.is_open):
        return None
    say, shared = phrases_of_host(live, request), services.tables.result_path(live)
    is_open = live.stored.is_open
    return ended_preview(
        services.context,
        request,
        live,
        title=summary_title(live, night, say),
        description=say(night.verdict),
        picture_path=f"/t/{live.id}/preview.png" if is_open else f"{shared}/preview.png",
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
        "join": [place for place in (ROOM, WATCH) if place in links],
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


@get("/offline/book", media_type=MediaType.HTML)
async def kept_book(request: AnyRequest, services: InjectedTables) -> Response[str]:
    """The page of any book, without the book: its script has kept that itself."""
    rulebook = companion_rulebook()
    if rulebook is None:
        raise HttpError(404, message("server.no-page"))
    game = rulebook.game(rulebook.preset)
    say = phrases_for(request_language(request), rulebook.name, game.seats)
    shown = companion_book.empty_book_context(game, say)
    return services.templates.page("book.html", say, book=shown, back="/")


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
