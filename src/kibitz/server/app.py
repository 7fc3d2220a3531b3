"""The web application: its addresses, and who may ask for what."""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import mimetypes
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache, partial
from math import ceil
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from litestar import (
    Litestar,
    MediaType,
    Request,
    Response,
    Router,
    WebSocket,
    get,
    post,
    websocket,
)
from litestar.datastructures import MutableScopeHeaders, State
from litestar.enums import RequestEncodingType
from litestar.exceptions import HTTPException, InternalServerException, ValidationException
from litestar.params import Body, Parameter
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler, Message, Scope

from kibitz.bots.registry import bots_for_game
from kibitz.core.message import Message as Said
from kibitz.core.message import Refused, message
from kibitz.core.record import START, write_record
from kibitz.games import GAMES
from kibitz.server import metrics
from kibitz.server.accounts.accounts import Accounts
from kibitz.server.accounts.mail_routes import mail_routes
from kibitz.server.accounts.routes import account_routes
from kibitz.server.accounts.turn_mail import Mailer
from kibitz.server.analysis.evaluation import Analyst
from kibitz.server.api.v1 import API_PATH, API_ROOT, api_router
from kibitz.server.companion.book import Fairness, fairness
from kibitz.server.db.store import StoreError, StoreUnreachable, open_store
from kibitz.server.http.auth import Authenticator, AuthMiddleware, principal_of, require_known_token
from kibitz.server.http.errors import error_body
from kibitz.server.http.guests import load_guest_auth
from kibitz.server.http.head_requests import HeadMiddleware
from kibitz.server.http.nul_bytes import NulByteMiddleware
from kibitz.server.http.openapi import openapi_config
from kibitz.server.http.requests import (
    RequestContext,
    address_of,
    language_cookie,
    rate_limit_headers,
    request_language,
    require_same_origin,
)
from kibitz.server.http.url_prefix import set_prefix
from kibitz.server.pages.lessons import has_lessons
from kibitz.server.pages.picture import position_svg
from kibitz.server.pages.rules import rule_page
from kibitz.server.pages.templates import Pages, tokens_css
from kibitz.server.phrases import phrases_for
from kibitz.server.settings import Settings
from kibitz.server.static_files import static_file
from kibitz.server.tables.actions import StaleRequest
from kibitz.server.tables.bot_pool import BotPool, admit_guest_bots
from kibitz.server.tables.chat import ChatCursor
from kibitz.server.tables.connection import CLOSE_NO_TABLE, Connection
from kibitz.server.tables.invitations import PARTY, InvitationLinks
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.pubsub import PubSub
from kibitz.server.tables.ratings import changes_at
from kibitz.server.tables.registry import LiveTables
from kibitz.server.tables.service import (
    ME,
    HttpError,
    OpenTable,
    Seek,
    TableService,
    record_of,
    validate_entropy,
)
from kibitz.server.tables.settings import (
    ClockSettings,
    Days,
    Fischer,
    NoClock,
    TableSettings,
    read_settings,
)
from kibitz.server.tables.sse import EventStreams
from kibitz.server.tables.viewers import phrases_at
from kibitz.table.handover import viewer_of
from kibitz.table.seating import Member
from kibitz.table.table import STAND_IN_BOT

log = logging.getLogger(__name__)

AnyRequest: TypeAlias = Request[Any, Any, Any]
AnySocket: TypeAlias = WebSocket[Any, Any, Any]
Form: TypeAlias = Annotated[dict[str, str], Body(media_type=RequestEncodingType.URL_ENCODED)]

MAX_BODY_BYTES = 1 << 16
"""Of a request's body."""
MAX_PARAMETER_LETTERS = 20_000
"""Of a position or of options in an address."""
MAX_TABLES_LISTED = 20
CLOSE_TOO_MANY = 4429
"""How a socket is closed when there are too many, or they come too fast."""
GZIP = "gzip"


def create_app(settings: Settings) -> Litestar:
    """Raises NotStored where the data cannot be used, Refused where the secret is another one."""
    admit_guest_bots(settings)
    set_prefix(settings.prefix)
    store = open_store(settings.data, settings.database)
    thinker = BotPool(partial(admit_guest_bots, settings), settings.bot_processes)
    guests, pages = (
        load_guest_auth(settings.data, settings.secret),
        Pages(settings.smtp is not None),
    )
    if store.get_or_create_setting("secret", guests.cookie_name) != guests.cookie_name:
        raise Refused(message("server.other-secret"))
    is_alone = not (settings.database or settings.redis)
    tables = LiveTables(store, thinker, PubSub(settings.redis, is_alone))
    desk = TableService(store, tables, InvitationLinks(guests.secret))
    asking, analyst = RequestContext(guests, settings), Analyst(desk, thinker)
    identity = Authenticator(guests, store)
    accounts = Accounts(store, identity, tables)
    mailer = Mailer(settings, store, tables, guests.secret)
    streams = EventStreams()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        await tables.start()
        mailer.start()
        yield
        await mailer.close()
        await tables.close()
        thinker.close()
        store.close()

    @get("/", media_type=MediaType.HTML)
    async def home(request: AnyRequest) -> Response[str]:
        asking.count(request, "pages")
        member, cookies = asking.ensure_guest(request)
        mine = await desk.tables_of(member, MAX_TABLES_LISTED)
        lobby = [live for live in await desk.lobby_tables() if live not in mine]
        if request.query_params.get("part") == "tables":
            return pages.tables(request_language(request), member, mine, lobby)
        name, account = await tables.display_name(member), await accounts.account_of(member)
        return pages.home(
            request_language(request), member, name, bool(account), mine, lobby, cookies
        )

    @post("/tables")
    async def open_table(request: AnyRequest, data: Form) -> Redirect:
        asking.count(request, "open")
        wish = _read_table_form(data)
        member, cookies = asking.ensure_guest(request)
        table_id = await desk.open_table(member, wish)
        place = "book" if data.get("play") == BOOK else "t"
        return Redirect(f"/{place}/{table_id}", status_code=303, cookies=cookies)

    @post("/seeks")
    async def seek(request: AnyRequest, data: Form) -> Redirect:
        asking.count(request, "open")
        entropy = validate_entropy(data.get("entropy", ""))
        wish = Seek(data.get("game", ""), _read_clock(data), entropy, data.get("rated") == "1")
        member, cookies = asking.ensure_guest(request)
        table_id = await desk.seek_opponent(member, wish)
        return Redirect(f"/t/{table_id}", status_code=303, cookies=cookies)

    @get("/join/{table_id:str}/{token:str}", media_type=MediaType.HTML)
    async def invitation(request: AnyRequest, table_id: str, token: str) -> Response[str]:
        """What a link is for. Looking at it takes no seat: programs look at links, too."""
        asking.count(request, "join")
        live = await tables.find_table(table_id)
        if live is None:
            raise HttpError(404, message("server.no-link"))
        member, cookies = asking.ensure_guest(request)
        place = await desk.place_of_link(live, token, member)
        name, spoken = await tables.display_name(member), request_language(request)
        account = bool(await accounts.account_of(member))
        return pages.invitation(spoken, live, place, token, member, name, account, cookies)

    @post("/join/{table_id:str}/{token:str}")
    async def join(request: AnyRequest, table_id: str, token: str, data: Form) -> Redirect:
        asking.count(request, "join")
        live = await tables.find_table(table_id)
        if live is None:
            raise HttpError(404, message("server.no-link"))
        member, cookies = asking.ensure_guest(request)
        if (name := data.get("name", "")) and not await accounts.account_of(member):
            await desk.rename_member(member, name)
        try:
            place = await desk.join_by_link(
                live, member, token, validate_entropy(data.get("entropy", ""))
            )
        except StaleRequest:
            raise HttpError(409, message("server.moved-on")) from None
        return Redirect(_join_target(live, place, request), status_code=303, cookies=cookies)

    @get("/t/{table_id:str}", media_type=MediaType.HTML)
    async def table(request: AnyRequest, table_id: str) -> Response[str]:
        asking.count(request, "pages")
        member, cookies = asking.ensure_guest(request)
        live = await desk.find_table(table_id, member)
        watcher = await desk.viewer_settings(live, member, request_language(request))
        return pages.table(live, watcher, await desk.links_of(live, member), cookies)

    @get("/t/{table_id:str}/qr/{place:str}")
    async def qr(request: AnyRequest, table_id: str, place: str) -> Response[bytes]:
        asking.count(request, "pages")
        member = asking.member(request)
        live = await desk.find_table(table_id, member)
        path = (await desk.links_of(live, member)).get(place)
        if path is None:
            raise HttpError(404, message("server.no-link"))
        base = str(request.base_url).rstrip("/")
        return Response(
            pages.qr_svg(base + path),
            media_type="image/svg+xml",
            headers={"Cache-Control": "no-store"},
        )

    @get("/t/{table_id:str}/record")
    async def record(request: AnyRequest, table_id: str) -> Response[str]:
        asking.count(request, "export")
        member = asking.member(request)
        live = await desk.find_table(table_id, member)
        name = f"{live.game.name}-{live.id}.json"
        return Response(
            write_record(record_of(live, member)) + "\n",
            media_type=MediaType.JSON,
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    @get("/t/{table_id:str}/position", media_type=MediaType.TEXT)
    async def position(request: AnyRequest, table_id: str) -> str:
        asking.count(request, "pages")
        member = asking.member(request)
        live = await desk.find_table(table_id, member)
        viewer = viewer_of(live.table, live.seats_of(member))
        return live.game.notation.write_view(live.table.view(viewer)) + "\n"

    @get("/t/{table_id:str}/seal", media_type=MediaType.HTML)
    async def envelope(request: AnyRequest, table_id: str) -> Response[str]:
        asking.count(request, "pages")
        live = await desk.find_table(table_id, asking.member(request))
        return pages.envelope(request_language(request), live)

    @get("/t/{table_id:str}/result", media_type=MediaType.HTML)
    async def result(request: AnyRequest, table_id: str) -> Response[str]:
        asking.count(request, "pages")
        member, cookies = asking.ensure_guest(request)
        live = await desk.find_table(table_id, member)
        watcher = await desk.viewer_settings(live, member, request_language(request))
        links, changes = await desk.links_of(live, member), await changes_at(store, live.id)
        return pages.result(live, watcher, links, changes, cookies)

    @get("/t/{table_id:str}/chances", media_type=MediaType.HTML)
    async def chances(request: AnyRequest, table_id: str) -> Response[Any]:
        """What was found in a match, for its pages; how far it has been looked at until then."""
        asking.count(request, "think")
        live = await desk.find_table(table_id, asking.member(request))
        found, of = await analyst.entries(live), len(live.table.history)
        if len(found) < of:
            done = {"done": len(found), "of": of}
            return Response(done, status_code=202, media_type=MediaType.JSON)
        return pages.chances(request_language(request), live, found)

    @get("/t/{table_id:str}/night", media_type=MediaType.HTML)
    async def night(request: AnyRequest, table_id: str) -> Response[str]:
        asking.count(request, "pages")
        member, cookies = asking.ensure_guest(request)
        live = await desk.find_table(table_id, member)
        watcher = await desk.viewer_settings(live, member, request_language(request))
        page = pages.night(live, watcher, await desk.links_of(live, member), cookies)
        if page is None:
            raise HttpError(404, message("server.no-page"))
        return page

    @get("/party/{table_id:str}", media_type=MediaType.HTML)
    async def party(request: AnyRequest, table_id: str) -> Response[str]:
        """Everybody in the room reads it, so it is only for games that hide nothing."""
        asking.count(request, "pages")
        member, cookies = asking.ensure_guest(request)
        live = await desk.find_table(table_id, member)
        if live.game.companion is None:
            raise HttpError(404, message("server.no-page"))
        return pages.party(
            request_language(request), live, await desk.links_of(live, member), cookies
        )

    @get("/book", media_type=MediaType.HTML)
    async def keep(request: AnyRequest) -> Response[str]:
        asking.count(request, "pages")
        _, cookies = asking.ensure_guest(request)
        return pages.companion_setup(request_language(request), cookies)

    @get("/book/{table_id:str}", media_type=MediaType.HTML)
    async def book(request: AnyRequest, table_id: str) -> Response[str]:
        asking.count(request, "pages")
        member, cookies = asking.ensure_guest(request)
        live = await reported(table_id, member)
        return pages.book(
            request_language(request), live, await desk.links_of(live, member), cookies
        )

    @get("/book/{table_id:str}/fairness")
    async def fair(request: AnyRequest, table_id: str) -> Fairness:
        asking.count(request, "pages")
        live = await reported(table_id, asking.member(request))
        return fairness(live, phrases_at(live, request_language(request)))

    async def reported(table_id: str, member: Member) -> LiveTable:
        """A table with a real board that this member may see; raises Problem."""
        live = await desk.find_table(table_id, member)
        if live.game.companion is None:
            raise HttpError(404, message("server.no-page"))
        return live

    @websocket("/t/{table_id:str}/live")
    async def live(socket: AnySocket, table_id: str) -> None:
        await socket.accept()
        address, member = address_of(socket), asking.member(socket)
        if asking.count_or_wait(socket, "connect") or not asking.connection_counter.enter(address):
            await socket.close(CLOSE_TOO_MANY)
            return
        try:
            try:
                live = await desk.find_table(table_id, member)
                asking.refuse_program(socket, live.settings.rated)
                await tables.chat.load_log(live)
            except HttpError:
                await socket.close(CLOSE_NO_TABLE)
                return
            tall = socket.query_params.get("tall") == "1"
            watcher = await desk.viewer_settings(live, member, request_language(socket), tall)
            seen = _read_number(socket.query_params.get("seen", ""))
            known = seen if seen is not None and live.effects_since(seen) else None
            wait = partial(asking.count_or_wait, socket)
            page = Connection(socket, tables, live, member, watcher, wait, known)
            page.chat_cursor = _chat_cursor(socket)
            await page.serve()
        finally:
            asking.connection_counter.leave(address)

    @post("/language")
    async def speak(request: AnyRequest, data: Form) -> Redirect:
        """Choose a language, and go back to where that was done."""
        asking.count(request, "pages")
        back = data.get("back", "/")
        here = back if re.fullmatch(r"/(?!/)[\w/.-]*(\?[\w/.,:;@%+&=~*()!'-]*)?", back) else "/"
        cookie = language_cookie(data.get("language", ""), request.scope["scheme"] == "https")
        who = principal_of(request)
        if cookie.value and who and who.kind == "device":
            await accounts.set_language(who.member, cookie.value)
        return Redirect(here, status_code=303, cookies=[cookie])

    @get("/rules/{game:str}", media_type=MediaType.HTML)
    async def rules(request: AnyRequest, game: str) -> Response[str]:
        asking.count(request, "pages")
        page = rule_page(game, request_language(request)) if game in GAMES else None
        if page is None:
            raise HttpError(404, message("server.no-page"))
        if request.query_params.get("part") == "1":
            return Response(page.article, media_type=MediaType.HTML)
        _, cookies = asking.ensure_guest(request)
        return pages.rules(request_language(request), game, page, cookies)

    @get("/learn/{game:str}", media_type=MediaType.HTML)
    async def learn(request: AnyRequest, game: str) -> Response[str]:
        asking.count(request, "pages")
        if not has_lessons(game):
            raise HttpError(404, message("server.no-page"))
        _, cookies = asking.ensure_guest(request)
        return pages.learn(request_language(request), game, cookies)

    @get("/analysis/{game:str}", media_type=MediaType.HTML)
    async def analysis(request: AnyRequest, game: str) -> Response[str]:
        asking.count(request, "pages")
        if game not in GAMES:
            raise HttpError(404, message("server.no-page"))
        _, cookies = asking.ensure_guest(request)
        return pages.analysis(request_language(request), game, cookies)

    @get("/picture.svg")
    async def drawn(
        request: AnyRequest,
        game: Annotated[str, Parameter(max_length=60)],
        position: Annotated[str, Parameter(max_length=MAX_PARAMETER_LETTERS)] = START,
        options: Annotated[str, Parameter(max_length=MAX_PARAMETER_LETTERS)] = "",
        theme: Literal["light", "dark"] = "light",
    ) -> Response[str]:
        asking.count(request, "study")
        made = position_svg(
            game, _read_options(options), position, theme, request_language(request)
        )
        return Response(
            made, media_type="image/svg+xml", headers={"Cache-Control": "private, no-cache"}
        )

    @get("/metrics", sync_to_thread=False)
    def measured(request: AnyRequest) -> Response[bytes]:
        """To others it is not even there."""
        if not request.client or request.client.host not in settings.metrics:
            raise HttpError(404, message("server.no-page"))
        return Response(metrics.metrics_text(), media_type="text/plain; version=0.0.4")

    def show(request: AnyRequest, error: Exception) -> Response[Any]:
        """What went wrong, as a page or as JSON; what exactly is for the log."""
        status, sentence = _status_and_message(error)
        if status >= 500 and not isinstance(error, StoreError):  # That is in the log already.
            log.error("a request failed", exc_info=error)
        say = phrases_for(request_language(request))
        wait = error.retry_after_s if isinstance(error, HttpError) else 0.0
        headers = {"Retry-After": str(ceil(wait))} if wait else {}
        if _is_api_request(request):
            limit = error.limit if isinstance(error, HttpError) else ""
            told = error_body(status, _message_for_api(request, sentence), say, limit, wait)
            return Response(told, status_code=status, headers=headers, media_type=MediaType.JSON)
        title = say.t("server.not-found" if status == 404 else "server.problem")
        try:
            page = pages.error_page(request_language(request), status, title, say(sentence))
            page.headers.update(headers)
            return page
        except Exception:
            log.exception("not even the page for problems works")
            return Response(say(sentence), status_code=status, media_type=MediaType.TEXT)

    handlers: list[ControllerRouterHandler] = [
        home,
        open_table,
        seek,
        invitation,
        join,
        table,
        qr,
        record,
        position,
        envelope,
        result,
        chances,
        night,
        party,
        keep,
        book,
        fair,
        live,
        speak,
        rules,
        analysis,
        drawn,
        learn,
        measured,
        *account_routes(desk, asking, accounts, pages, mailer),
        *mail_routes(asking, pages, mailer),
    ]
    shown = Router(
        path="/",
        route_handlers=[*handlers, health, design_tokens, send_static_file],
        include_in_schema=False,
    )
    app = Litestar(
        [shown, api_router(desk, asking, analyst, accounts, streams)],
        lifespan=[lifespan],
        middleware=[NulByteMiddleware, partial(AuthMiddleware, identity=identity)],
        guards=[require_same_origin, require_known_token],
        before_send=[_add_security_headers],
        exception_handlers={Exception: show, HTTPException: show, HttpError: show},
        request_max_body_size=MAX_BODY_BYTES,
        openapi_config=openapi_config(API_PATH),
        state=State({"streams": streams}),
        logging_config=None,
        debug=False,
    )
    app.asgi_handler = HeadMiddleware(app.asgi_handler)
    return app


@get("/health", sync_to_thread=False)
def health() -> dict[str, bool]:
    return {"well": True}


@get("/tokens.css", sync_to_thread=False)
def design_tokens(request: AnyRequest) -> Response[bytes]:
    return _file_response(request, tokens_css().encode(), "text/css")


@get("/static/{path:path}", sync_to_thread=False)
def send_static_file(request: AnyRequest, path: str) -> Response[bytes]:
    file = None if "\0" in path else static_file(path)
    if file is None:
        raise HttpError(404, message("server.no-page"))
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return _file_response(request, file.read_bytes(), kind)


def _file_response(request: AnyRequest, content: bytes, kind: str) -> Response[bytes]:
    """Browsers keep it and ask each time whether it is still the same.

    It goes compressed, as nothing in it is anybody's secret: whoever can make a page say what
    they like and see how long it is could guess one.
    """
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, media_type=kind, headers=headers)
    if GZIP in request.headers.get("accept-encoding", "") and not kind.startswith("image/png"):
        return Response(
            _gzip_content(content), media_type=kind, headers={**headers, "Content-Encoding": GZIP}
        )
    return Response(content, media_type=kind, headers=headers)


@lru_cache(maxsize=256)
def _gzip_content(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def _read_table_form(data: dict[str, str]) -> OpenTable:
    """What the first page asks for, by a form; raises Problem."""
    game, play = data.get("game", ""), data.get("play", "")
    bot = data.get("bot") or STAND_IN_BOT
    if game not in GAMES or play not in PLAY_MODES or bot not in bots_for_game(game):
        raise HttpError(400, message("server.bad-request"))
    seats = GAMES[game].game(GAMES[game].preset).seats
    seat = data.get("seat") or seats[0]
    if seat not in seats:
        raise HttpError(400, message("server.bad-request"))
    others = {"bot": bot, "friend": "free", "open": "free"}.get(play, ME)
    options = _read_options(data.get("options", ""))
    start = data.get("start") or START
    if len(start) > MAX_PARAMETER_LETTERS:
        raise HttpError(400, message("server.bad-request"))
    return OpenTable(
        game=game,
        seats={each: ME if each == seat else others for each in seats},
        options={**COMPANION_OPTIONS, **options} if play == BOOK else options,
        by_the_book=data.get("book") == "1",
        terms=_read_table_settings(data),
        start=start,
        open=play == "open",
        entropy=validate_entropy(data.get("entropy", "")),
    )


BOOK = "book"
COMPANION_OPTIONS = {"mode": "companion"}
PLAY_MODES = ("device", "bot", "friend", "open", BOOK)


def _read_table_settings(data: dict[str, str]) -> TableSettings:
    """What a form says of the clock and of a book; its teams as JSON, as the API has them."""
    given: dict[str, object] = {name: data[name] for name in ("depth", "entry") if data.get(name)}
    try:
        given["teams"] = msgspec.json.decode(data.get("teams") or "{}")
        terms = read_settings(given)
    except (msgspec.MsgspecError, RecursionError):
        raise HttpError(400, message("server.bad-request")) from None
    rated, chat = data.get("rated") == "1", data.get("chat") != "0"
    return msgspec.structs.replace(terms, clock=_read_clock(data), rated=rated, chat=chat)


_CLOCK_DECODER = msgspec.json.Decoder(NoClock | Fischer | Days)


def _join_target(live: LiveTable, place: str, request: AnyRequest) -> str:
    """Where somebody goes on who came by a link."""
    if live.game.companion and request.query_params.get("to") == "night":
        return f"/t/{live.id}/night"
    if live.game.companion is None:
        return f"/t/{live.id}"
    return f"/{PARTY if place == PARTY else BOOK}/{live.id}"


def _read_clock(data: dict[str, str]) -> ClockSettings:
    """A clock as JSON, as the API has it; none where a form says nothing."""
    try:
        read: ClockSettings = _CLOCK_DECODER.decode(data.get("clock") or '{"kind": "none"}')
        return read
    except msgspec.MsgspecError:
        raise HttpError(400, message("server.clock")) from None


def _read_options(text: str) -> dict[str, Any]:
    """What a form says of the rules, as JSON; nothing where it says nothing."""
    try:
        given = json.loads(text or "{}")
        text.encode()
        json.dumps(given, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise HttpError(400, message("server.options"))
    return given


def _chat_cursor(socket: AnySocket) -> ChatCursor | None:
    """Up to where a page knows what was said, in which rooms."""
    n, rooms = (
        _read_number(socket.query_params.get("heard", "")),
        socket.query_params.get("rooms", ""),
    )
    return None if n is None else ChatCursor(n, tuple(rooms.split(",")))


def _read_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _status_and_message(error: Exception) -> tuple[int, Said]:
    match error:
        case HttpError():
            return error.status, error.sentence
        case Refused():
            return 422, error.refusal
        case RecursionError():
            return 400, message("server.bad-request")
        case StoreUnreachable():
            return 503, message("server.unreachable")
        case StoreError():
            return 503, message("server.not-stored")
        case HTTPException(status_code=404):
            return 404, message("server.no-page")
        case HTTPException(status_code=405):
            return 405, message("server.no-method")
        case HTTPException(status_code=413):
            return 413, message("server.too-large", bytes=MAX_BODY_BYTES)
        case ValidationException(extra=[{"key": str(key), "message": str(problem)}, *_]):
            return 400, message("server.bad-request", where=key, problem=problem)
        case HTTPException(status_code=status) if status < 500:
            return status, message("server.bad-request")
        case InternalServerException(detail=detail) if "disconnected" in detail:
            return 400, message("server.bad-request")  # Nobody is there to be told.
    return 500, message("server.failed")


def _is_api_request(request: AnyRequest) -> bool:
    path = request.url.path
    return path == API_ROOT or path.startswith(f"{API_ROOT}/")


def _message_for_api(request: AnyRequest, sentence: Said) -> Said:
    """Whoever asks without a version is told which one there is."""
    is_versioned = request.url.path.startswith(f"{API_PATH}/")
    is_nowhere = sentence.id == "server.no-page"
    versioned = message("server.api-version", address=API_PATH)
    return versioned if is_nowhere and not is_versioned else sentence


async def _add_security_headers(sent: Message, scope: Scope) -> None:
    """Nothing of another site runs in our pages, and ours run in nobody's."""
    if sent["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders(sent)
    host = dict(scope["headers"]).get(b"host", b"").decode("latin-1")
    sockets = f" ws://{host} wss://{host}" if re.fullmatch(r"[\w.:\[\]-]+", host) else ""
    headers["Content-Security-Policy"] = (
        "default-src 'self'; img-src 'self' data:; style-src 'self'; script-src 'self'; "
        f"connect-src 'self'{sockets}; object-src 'none'; frame-ancestors 'none'; "
        "base-uri 'none'; form-action 'self'"
    )
    for name, value in rate_limit_headers(scope).items():
        headers[name] = value
    headers["X-Content-Type-Options"] = "nosniff"
    # A link to a seat is a secret: pages tell from which site somebody comes, not from where.
    headers["Referrer-Policy"] = "strict-origin"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
