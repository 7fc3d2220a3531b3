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

from kibitz.bots import bots_at
from kibitz.core.message import Message as Said
from kibitz.core.message import Refused, message
from kibitz.core.record import START, write_record
from kibitz.games import GAMES
from kibitz.server import metrics
from kibitz.server.accounts import Accounts
from kibitz.server.addresses import live_under
from kibitz.server.api import API, PROGRAMS, api
from kibitz.server.apidocs import documented
from kibitz.server.asking import (
    Asking,
    address_of,
    language,
    left_in,
    same_origin,
    speaking,
)
from kibitz.server.book import Fairness, fairness
from kibitz.server.chances import Analyst
from kibitz.server.chat import Heard
from kibitz.server.desk import ME, Desk, OpenTable, Problem, Seek, checked_entropy, record_of
from kibitz.server.entrance import entrance
from kibitz.server.errors import failed
from kibitz.server.events import Streams
from kibitz.server.guests import guests_in
from kibitz.server.heads import Heads
from kibitz.server.identity import Identity, Introducing, known_token, who_asks
from kibitz.server.legible import Legible
from kibitz.server.lessons import has_lessons
from kibitz.server.links import PARTY, Links
from kibitz.server.live import LiveTable
from kibitz.server.mail import Mailer
from kibitz.server.mailpages import mail_pages
from kibitz.server.neighbours import Neighbours
from kibitz.server.pages import Pages, tokens_css
from kibitz.server.picture import picture
from kibitz.server.ratings import changes_at
from kibitz.server.rulepages import rule_page
from kibitz.server.settings import Settings
from kibitz.server.sockets import NO_TABLE, Connection
from kibitz.server.speech import speech
from kibitz.server.static_files import static_file
from kibitz.server.store import NotStored, Unreachable, open_store
from kibitz.server.tables import LiveTables, MovedOn
from kibitz.server.terms import ClockTerms, Days, Fischer, NoClock, Terms, read_terms
from kibitz.server.thinking import Thinker, visit
from kibitz.server.watching import speech_at, viewer_of
from kibitz.table.people import Member
from kibitz.table.table import KEEPER

log = logging.getLogger(__name__)

AnyRequest: TypeAlias = Request[Any, Any, Any]
AnySocket: TypeAlias = WebSocket[Any, Any, Any]
Form: TypeAlias = Annotated[dict[str, str], Body(media_type=RequestEncodingType.URL_ENCODED)]

MOST_BYTES = 1 << 16
"""Of a request's body."""
MOST_LETTERS = 20_000
"""Of a position or of options in an address."""
TABLES_SHOWN = 20
FULL = 4429
"""How a socket is closed when there are too many, or they come too fast."""
GZIP = "gzip"


def create_app(settings: Settings) -> Litestar:
    """Raises NotStored where the data cannot be used, Refused where the secret is another one."""
    visit(settings)
    live_under(settings.prefix)
    store = open_store(settings.data, settings.database)
    thinker = Thinker(partial(visit, settings), settings.thinkers)
    guests, pages = guests_in(settings.data, settings.secret), Pages(settings.smtp is not None)
    if store.settle("secret", guests.cookie) != guests.cookie:
        raise Refused(message("server.other-secret"))
    is_alone = not (settings.database or settings.redis)
    tables = LiveTables(store, thinker, Neighbours(settings.redis, is_alone))
    desk = Desk(store, tables, Links(guests.secret))
    asking, analyst = Asking(guests, settings), Analyst(desk, thinker)
    identity = Identity(guests, store)
    accounts = Accounts(store, identity, tables)
    mailer = Mailer(settings, store, tables, guests.secret)
    streams = Streams()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        await tables.begin()
        mailer.begin()
        yield
        await mailer.close()
        await tables.close()
        thinker.close()
        store.close()

    @get("/", media_type=MediaType.HTML)
    async def home(request: AnyRequest) -> Response[str]:
        asking.toll(request, "pages")
        member, cookies = asking.welcome(request)
        mine = await desk.tables_of(member, TABLES_SHOWN)
        lobby = [live for live in await desk.lobby() if live not in mine]
        if request.query_params.get("part") == "tables":
            return pages.tables(language(request), member, mine, lobby)
        name, account = await tables.name(member), await accounts.of(member)
        return pages.home(language(request), member, name, bool(account), mine, lobby, cookies)

    @post("/tables")
    async def open_table(request: AnyRequest, data: Form) -> Redirect:
        asking.toll(request, "open")
        wish = _opening(data)
        member, cookies = asking.welcome(request)
        table_id = await desk.open(member, wish)
        place = "book" if data.get("play") == BOOK else "t"
        return Redirect(f"/{place}/{table_id}", status_code=303, cookies=cookies)

    @post("/seeks")
    async def seek(request: AnyRequest, data: Form) -> Redirect:
        asking.toll(request, "open")
        entropy = checked_entropy(data.get("entropy", ""))
        wish = Seek(data.get("game", ""), _clock(data), entropy, data.get("rated") == "1")
        member, cookies = asking.welcome(request)
        table_id = await desk.seek(member, wish)
        return Redirect(f"/t/{table_id}", status_code=303, cookies=cookies)

    @get("/join/{table_id:str}/{token:str}", media_type=MediaType.HTML)
    async def invitation(request: AnyRequest, table_id: str, token: str) -> Response[str]:
        """What a link is for. Looking at it takes no seat: programs look at links, too."""
        asking.toll(request, "join")
        live = await tables.find(table_id)
        if live is None:
            raise Problem(404, message("server.no-link"))
        member, cookies = asking.welcome(request)
        place = await desk.place(live, token, member)
        name, spoken = await tables.name(member), language(request)
        account = bool(await accounts.of(member))
        return pages.invitation(spoken, live, place, token, member, name, account, cookies)

    @post("/join/{table_id:str}/{token:str}")
    async def join(request: AnyRequest, table_id: str, token: str, data: Form) -> Redirect:
        asking.toll(request, "join")
        live = await tables.find(table_id)
        if live is None:
            raise Problem(404, message("server.no-link"))
        member, cookies = asking.welcome(request)
        if (name := data.get("name", "")) and not await accounts.of(member):
            await desk.rename(member, name)
        try:
            place = await desk.join(live, member, token, checked_entropy(data.get("entropy", "")))
        except MovedOn:
            raise Problem(409, message("server.moved-on")) from None
        return Redirect(_led_to(live, place, request), status_code=303, cookies=cookies)

    @get("/t/{table_id:str}", media_type=MediaType.HTML)
    async def table(request: AnyRequest, table_id: str) -> Response[str]:
        asking.toll(request, "pages")
        member, cookies = asking.welcome(request)
        live = await desk.table(table_id, member)
        watcher = await desk.watcher(live, member, language(request))
        return pages.table(live, watcher, await desk.links_of(live, member), cookies)

    @get("/t/{table_id:str}/qr/{place:str}")
    async def qr(request: AnyRequest, table_id: str, place: str) -> Response[bytes]:
        asking.toll(request, "pages")
        member = asking.member(request)
        live = await desk.table(table_id, member)
        path = (await desk.links_of(live, member)).get(place)
        if path is None:
            raise Problem(404, message("server.no-link"))
        base = str(request.base_url).rstrip("/")
        return Response(
            pages.qr(base + path), media_type="image/svg+xml", headers={"Cache-Control": "no-store"}
        )

    @get("/t/{table_id:str}/record")
    async def record(request: AnyRequest, table_id: str) -> Response[str]:
        asking.toll(request, "export")
        member = asking.member(request)
        live = await desk.table(table_id, member)
        name = f"{live.game.name}-{live.id}.json"
        return Response(
            write_record(record_of(live, member)) + "\n",
            media_type=MediaType.JSON,
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    @get("/t/{table_id:str}/position", media_type=MediaType.TEXT)
    async def position(request: AnyRequest, table_id: str) -> str:
        asking.toll(request, "pages")
        member = asking.member(request)
        live = await desk.table(table_id, member)
        viewer = viewer_of(live.table, live.seats_of(member))
        return live.game.write_view(live.table.view(viewer)) + "\n"

    @get("/t/{table_id:str}/seal", media_type=MediaType.HTML)
    async def envelope(request: AnyRequest, table_id: str) -> Response[str]:
        asking.toll(request, "pages")
        live = await desk.table(table_id, asking.member(request))
        return pages.envelope(language(request), live)

    @get("/t/{table_id:str}/result", media_type=MediaType.HTML)
    async def result(request: AnyRequest, table_id: str) -> Response[str]:
        asking.toll(request, "pages")
        member, cookies = asking.welcome(request)
        live = await desk.table(table_id, member)
        watcher = await desk.watcher(live, member, language(request))
        links, changes = await desk.links_of(live, member), await changes_at(store, live.id)
        return pages.result(live, watcher, links, changes, cookies)

    @get("/t/{table_id:str}/chances", media_type=MediaType.HTML)
    async def chances(request: AnyRequest, table_id: str) -> Response[Any]:
        """What was found in a match, for its pages; how far it has been looked at until then."""
        asking.toll(request, "think")
        live = await desk.table(table_id, asking.member(request))
        found, of = await analyst.entries(live), len(live.table.played)
        if len(found) < of:
            done = {"done": len(found), "of": of}
            return Response(done, status_code=202, media_type=MediaType.JSON)
        return pages.chances(language(request), live, found)

    @get("/t/{table_id:str}/night", media_type=MediaType.HTML)
    async def night(request: AnyRequest, table_id: str) -> Response[str]:
        asking.toll(request, "pages")
        member, cookies = asking.welcome(request)
        live = await desk.table(table_id, member)
        watcher = await desk.watcher(live, member, language(request))
        page = pages.night(live, watcher, await desk.links_of(live, member), cookies)
        if page is None:
            raise Problem(404, message("server.no-page"))
        return page

    @get("/party/{table_id:str}", media_type=MediaType.HTML)
    async def party(request: AnyRequest, table_id: str) -> Response[str]:
        """Everybody in the room reads it, so it is only for games that hide nothing."""
        asking.toll(request, "pages")
        member, cookies = asking.welcome(request)
        live = await desk.table(table_id, member)
        if not live.game.is_reported:
            raise Problem(404, message("server.no-page"))
        return pages.party(language(request), live, await desk.links_of(live, member), cookies)

    @get("/book", media_type=MediaType.HTML)
    async def keep(request: AnyRequest) -> Response[str]:
        asking.toll(request, "pages")
        _, cookies = asking.welcome(request)
        return pages.keep(language(request), cookies)

    @get("/book/{table_id:str}", media_type=MediaType.HTML)
    async def book(request: AnyRequest, table_id: str) -> Response[str]:
        asking.toll(request, "pages")
        member, cookies = asking.welcome(request)
        live = await reported(table_id, member)
        return pages.book(language(request), live, await desk.links_of(live, member), cookies)

    @get("/book/{table_id:str}/fairness")
    async def fair(request: AnyRequest, table_id: str) -> Fairness:
        asking.toll(request, "pages")
        live = await reported(table_id, asking.member(request))
        return fairness(live, speech_at(live, language(request)))

    async def reported(table_id: str, member: Member) -> LiveTable:
        """A table with a real board that this member may see; raises Problem."""
        live = await desk.table(table_id, member)
        if not live.game.is_reported:
            raise Problem(404, message("server.no-page"))
        return live

    @websocket("/t/{table_id:str}/live")
    async def live(socket: AnySocket, table_id: str) -> None:
        await socket.accept()
        address, member = address_of(socket), asking.member(socket)
        if asking.wait(socket, "connect") or not asking.crowd.enter(address):
            await socket.close(FULL)
            return
        try:
            try:
                live = await desk.table(table_id, member)
                asking.refuse_program(socket, live.terms.rated)
                await tables.chat.look(live)
            except Problem:
                await socket.close(NO_TABLE)
                return
            tall = socket.query_params.get("tall") == "1"
            watcher = await desk.watcher(live, member, language(socket), tall)
            seen = _number(socket.query_params.get("seen", ""))
            known = seen if seen is not None and live.changes_since(seen) else None
            wait = partial(asking.wait, socket)
            page = Connection(socket, tables, live, member, watcher, wait, known)
            page.heard = _heard(socket)
            await page.serve()
        finally:
            asking.crowd.leave(address)

    @post("/language")
    async def speak(request: AnyRequest, data: Form) -> Redirect:
        """Choose a language, and go back to where that was done."""
        asking.toll(request, "pages")
        back = data.get("back", "/")
        here = back if re.fullmatch(r"/(?!/)[\w/.-]*(\?[\w/.,:;@%+&=~*()!'-]*)?", back) else "/"
        cookie = speaking(data.get("language", ""), request.scope["scheme"] == "https")
        who = who_asks(request)
        if cookie.value and who and who.kind == "device":
            await accounts.speak(who.member, cookie.value)
        return Redirect(here, status_code=303, cookies=[cookie])

    @get("/rules/{game:str}", media_type=MediaType.HTML)
    async def rules(request: AnyRequest, game: str) -> Response[str]:
        asking.toll(request, "pages")
        page = rule_page(game, language(request)) if game in GAMES else None
        if page is None:
            raise Problem(404, message("server.no-page"))
        if request.query_params.get("part") == "1":
            return Response(page.article, media_type=MediaType.HTML)
        _, cookies = asking.welcome(request)
        return pages.rules(language(request), game, page, cookies)

    @get("/learn/{game:str}", media_type=MediaType.HTML)
    async def learn(request: AnyRequest, game: str) -> Response[str]:
        asking.toll(request, "pages")
        if not has_lessons(game):
            raise Problem(404, message("server.no-page"))
        _, cookies = asking.welcome(request)
        return pages.learn(language(request), game, cookies)

    @get("/analysis/{game:str}", media_type=MediaType.HTML)
    async def analysis(request: AnyRequest, game: str) -> Response[str]:
        asking.toll(request, "pages")
        if game not in GAMES:
            raise Problem(404, message("server.no-page"))
        _, cookies = asking.welcome(request)
        return pages.analysis(language(request), game, cookies)

    @get("/picture.svg")
    async def drawn(
        request: AnyRequest,
        game: Annotated[str, Parameter(max_length=60)],
        position: Annotated[str, Parameter(max_length=MOST_LETTERS)] = START,
        options: Annotated[str, Parameter(max_length=MOST_LETTERS)] = "",
        theme: Literal["light", "dark"] = "light",
    ) -> Response[str]:
        asking.toll(request, "study")
        made = picture(game, _options(options), position, theme, language(request))
        return Response(
            made, media_type="image/svg+xml", headers={"Cache-Control": "private, no-cache"}
        )

    @get("/metrics", sync_to_thread=False)
    def measured(request: AnyRequest) -> Response[bytes]:
        """To others it is not even there."""
        if not request.client or request.client.host not in settings.metrics:
            raise Problem(404, message("server.no-page"))
        return Response(metrics.told(), media_type="text/plain; version=0.0.4")

    def show(request: AnyRequest, error: Exception) -> Response[Any]:
        """What went wrong, as a page or as JSON; what exactly is for the log."""
        status, sentence = _explained(error)
        if status >= 500 and not isinstance(error, NotStored):  # That is in the log already.
            log.error("a request failed", exc_info=error)
        say = speech(language(request))
        wait = error.wait if isinstance(error, Problem) else 0.0
        headers = {"Retry-After": str(ceil(wait))} if wait else {}
        if _is_programs(request):
            limit = error.limit if isinstance(error, Problem) else ""
            told = failed(status, _for_programs(request, sentence), say, limit, wait)
            return Response(told, status_code=status, headers=headers, media_type=MediaType.JSON)
        title = say.t("server.not-found" if status == 404 else "server.problem")
        try:
            page = pages.problem(language(request), status, title, say(sentence))
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
        *entrance(desk, asking, accounts, pages, mailer),
        *mail_pages(asking, pages, mailer),
    ]
    shown = Router(
        path="/", route_handlers=[*handlers, health, tokens, static], include_in_schema=False
    )
    app = Litestar(
        [shown, api(desk, asking, analyst, accounts, streams)],
        lifespan=[lifespan],
        middleware=[Legible, partial(Introducing, identity=identity)],
        guards=[same_origin, known_token],
        before_send=[_protect],
        exception_handlers={Exception: show, HTTPException: show, Problem: show},
        request_max_body_size=MOST_BYTES,
        openapi_config=documented(API),
        state=State({"streams": streams}),
        logging_config=None,
        debug=False,
    )
    app.asgi_handler = Heads(app.asgi_handler)
    return app


@get("/health", sync_to_thread=False)
def health() -> dict[str, bool]:
    return {"well": True}


@get("/tokens.css", sync_to_thread=False)
def tokens(request: AnyRequest) -> Response[bytes]:
    return _file(request, tokens_css().encode(), "text/css")


@get("/static/{path:path}", sync_to_thread=False)
def static(request: AnyRequest, path: str) -> Response[bytes]:
    file = None if "\0" in path else static_file(path)
    if file is None:
        raise Problem(404, message("server.no-page"))
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return _file(request, file.read_bytes(), kind)


def _file(request: AnyRequest, content: bytes, kind: str) -> Response[bytes]:
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
            _compressed(content), media_type=kind, headers={**headers, "Content-Encoding": GZIP}
        )
    return Response(content, media_type=kind, headers=headers)


@lru_cache(maxsize=256)
def _compressed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def _opening(data: dict[str, str]) -> OpenTable:
    """What the first page asks for, by a form; raises Problem."""
    game, play = data.get("game", ""), data.get("play", "")
    bot = data.get("bot") or KEEPER
    if game not in GAMES or play not in WAYS or bot not in bots_at(game):
        raise Problem(400, message("server.bad-request"))
    seats = GAMES[game].game(GAMES[game].preset).seats
    seat = data.get("seat") or seats[0]
    if seat not in seats:
        raise Problem(400, message("server.bad-request"))
    others = {"bot": bot, "friend": "free", "open": "free"}.get(play, ME)
    options = _options(data.get("options", ""))
    start = data.get("start") or START
    if len(start) > MOST_LETTERS:
        raise Problem(400, message("server.bad-request"))
    return OpenTable(
        game=game,
        seats={each: ME if each == seat else others for each in seats},
        options={**REAL_BOARD, **options} if play == BOOK else options,
        by_the_book=data.get("book") == "1",
        terms=_terms(data),
        start=start,
        open=play == "open",
        entropy=checked_entropy(data.get("entropy", "")),
    )


BOOK = "book"
REAL_BOARD = {"mode": "companion"}
WAYS = ("device", "bot", "friend", "open", BOOK)


def _terms(data: dict[str, str]) -> Terms:
    """What a form says of the clock and of a book; its teams as JSON, as the API has them."""
    given: dict[str, object] = {name: data[name] for name in ("depth", "entry") if data.get(name)}
    try:
        given["teams"] = msgspec.json.decode(data.get("teams") or "{}")
        terms = read_terms(given)
    except (msgspec.MsgspecError, RecursionError):
        raise Problem(400, message("server.bad-request")) from None
    rated, chat = data.get("rated") == "1", data.get("chat") != "0"
    return msgspec.structs.replace(terms, clock=_clock(data), rated=rated, chat=chat)


_CLOCK = msgspec.json.Decoder(NoClock | Fischer | Days)


def _led_to(live: LiveTable, place: str, request: AnyRequest) -> str:
    """Where somebody goes on who came by a link."""
    if live.game.night and request.query_params.get("to") == "night":
        return f"/t/{live.id}/night"
    if not live.game.is_reported:
        return f"/t/{live.id}"
    return f"/{PARTY if place == PARTY else BOOK}/{live.id}"


def _clock(data: dict[str, str]) -> ClockTerms:
    """A clock as JSON, as the API has it; none where a form says nothing."""
    try:
        read: ClockTerms = _CLOCK.decode(data.get("clock") or '{"kind": "none"}')
        return read
    except msgspec.MsgspecError:
        raise Problem(400, message("server.clock")) from None


def _options(text: str) -> dict[str, Any]:
    """What a form says of the rules, as JSON; nothing where it says nothing."""
    try:
        given = json.loads(text or "{}")
        text.encode()
        json.dumps(given, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise Problem(400, message("server.options"))
    return given


def _heard(socket: AnySocket) -> Heard | None:
    """Up to where a page knows what was said, in which rooms."""
    n, rooms = _number(socket.query_params.get("heard", "")), socket.query_params.get("rooms", "")
    return None if n is None else Heard(n, tuple(rooms.split(",")))


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _explained(error: Exception) -> tuple[int, Said]:
    match error:
        case Problem():
            return error.status, error.sentence
        case Refused():
            return 422, error.refusal
        case RecursionError():
            return 400, message("server.bad-request")
        case Unreachable():
            return 503, message("server.unreachable")
        case NotStored():
            return 503, message("server.not-stored")
        case HTTPException(status_code=404):
            return 404, message("server.no-page")
        case HTTPException(status_code=405):
            return 405, message("server.no-method")
        case HTTPException(status_code=413):
            return 413, message("server.too-large", bytes=MOST_BYTES)
        case ValidationException(extra=[{"key": str(key), "message": str(problem)}, *_]):
            return 400, message("server.bad-request", where=key, problem=problem)
        case HTTPException(status_code=status) if status < 500:
            return status, message("server.bad-request")
        case InternalServerException(detail=detail) if "disconnected" in detail:
            return 400, message("server.bad-request")  # Nobody is there to be told.
    return 500, message("server.failed")


def _is_programs(request: AnyRequest) -> bool:
    path = request.url.path
    return path == PROGRAMS or path.startswith(f"{PROGRAMS}/")


def _for_programs(request: AnyRequest, sentence: Said) -> Said:
    """Whoever asks without a version is told which one there is."""
    is_versioned = request.url.path.startswith(f"{API}/")
    is_nowhere = sentence.id == "server.no-page"
    versioned = message("server.api-version", address=API)
    return versioned if is_nowhere and not is_versioned else sentence


async def _protect(sent: Message, scope: Scope) -> None:
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
    for name, value in left_in(scope).items():
        headers[name] = value
    headers["X-Content-Type-Options"] = "nosniff"
    # A link to a seat is a secret: pages tell from which site somebody comes, not from where.
    headers["Referrer-Policy"] = "strict-origin"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
