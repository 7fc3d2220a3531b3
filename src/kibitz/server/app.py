"""The web application: its addresses, and who may ask for what."""

from __future__ import annotations

import hashlib
import json
import logging
import mimetypes
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, TypeAlias
from urllib.parse import urlsplit

from litestar import Litestar, MediaType, Request, Response, WebSocket, get, post, websocket
from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders
from litestar.enums import RequestEncodingType
from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler
from litestar.params import Body
from litestar.response import Redirect
from litestar.types import ControllerRouterHandler, Message, Scope

from kibitz.bots import BOTS
from kibitz.core.message import Message as Said
from kibitz.core.message import Refused, message
from kibitz.core.record import write_record
from kibitz.games import GAMES
from kibitz.server.guests import guests_in
from kibitz.server.live import LiveTable
from kibitz.server.pages import WEB, Pages, tokens_css
from kibitz.server.rulepages import rule_page
from kibitz.server.settings import Settings
from kibitz.server.sights import Watcher, viewer_of
from kibitz.server.sockets import NO_TABLE, Connection
from kibitz.server.speech import language_of, speech
from kibitz.server.store import NotStored, open_store
from kibitz.server.tables import LiveTables
from kibitz.server.thinking import Thinker

log = logging.getLogger(__name__)

AnyRequest: TypeAlias = Request[Any, Any, Any]
AnySocket: TypeAlias = WebSocket[Any, Any, Any]
Form: TypeAlias = Annotated[dict[str, str], Body(media_type=RequestEncodingType.URL_ENCODED)]

MOST_BYTES = 1 << 16
"""Of a request's body."""
TABLES_SHOWN = 8
WAYS = ("device", "bot")
STRONGEST = tuple(BOTS)[-1]


class Problem(Exception):
    """Something to show on a page of its own."""

    def __init__(self, status: int, sentence: Said) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


def create_app(settings: Settings) -> Litestar:
    """Raises NotStored where the data folder cannot be used."""
    store, thinker = open_store(settings.data), Thinker()
    tables, guests, pages = LiveTables(store, thinker), guests_in(settings.data), Pages()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        yield
        await tables.close()
        thinker.close()
        store.close()

    async def found(table_id: str) -> LiveTable:
        try:
            live = await tables.find(table_id)
        except Refused as error:
            why = message("server.closed-table", why=error.refusal)
            raise Problem(410, why) from None
        if live is None:
            raise Problem(404, message("server.no-table"))
        return live

    @get("/", media_type=MediaType.HTML)
    async def home(request: AnyRequest) -> Response[str]:
        member, cookies = guests.welcome(request)
        mine = []
        for stored in await store.tables_of(member, TABLES_SHOWN):
            try:
                live = await tables.find(stored.id)
            except Refused:
                continue
            if live:
                mine.append(live)
        return pages.home(_language(request), member, mine, cookies)

    @post("/tables", guards=[same_origin])
    async def open_table(request: AnyRequest, data: Form) -> Redirect:
        game, play, seat = data.get("game", ""), data.get("play", ""), data.get("seat") or None
        bot = data.get("bot") or STRONGEST
        if game not in GAMES or play not in WAYS or bot not in BOTS:
            raise Problem(400, message("server.bad-request"))
        rulebook = GAMES[game]
        if seat not in (None, *rulebook.game(rulebook.preset).seats):
            raise Problem(400, message("server.bad-request"))
        member, cookies = guests.welcome(request)
        try:
            table_id = await tables.open_new(
                game,
                member,
                bot if play == "bot" else None,
                seat,
                _options(data.get("options", "")),
            )
        except Refused as error:
            raise Problem(400, error.refusal) from None
        return Redirect(f"/t/{table_id}", status_code=303, cookies=cookies)

    @get("/t/{table_id:str}", media_type=MediaType.HTML)
    async def table(request: AnyRequest, table_id: str) -> Response[str]:
        live = await found(table_id)
        member, cookies = guests.welcome(request)
        return pages.table(live, Watcher(live.seats_of(member), _language(request)), cookies)

    @get("/t/{table_id:str}/record")
    async def record(request: AnyRequest, table_id: str) -> Response[str]:
        live = await found(table_id)
        viewer = viewer_of(live.table, live.seats_of(guests.find(request) or ""))
        name = f"{live.game.name}-{live.id}.json"
        return Response(
            write_record(live.table.record_for(viewer)) + "\n",
            media_type=MediaType.JSON,
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    @get("/t/{table_id:str}/position", media_type=MediaType.TEXT)
    async def position(request: AnyRequest, table_id: str) -> str:
        live = await found(table_id)
        viewer = viewer_of(live.table, live.seats_of(guests.find(request) or ""))
        return live.game.write_view(live.table.view(viewer)) + "\n"

    @websocket("/t/{table_id:str}/live", guards=[same_origin])
    async def live(socket: AnySocket, table_id: str) -> None:
        await socket.accept()
        try:
            live = await tables.find(table_id)
        except Refused:
            live = None
        if live is None:
            await socket.close(NO_TABLE)
            return
        member = guests.find(socket) or ""
        tall = socket.query_params.get("tall") == "1"
        seats, hosts = live.seats_of(member), member == live.owner
        watcher = Watcher(seats, _language(socket), tall, hosts)
        await Connection(socket, tables, live, member, watcher).serve()

    @get("/rules/{game:str}", media_type=MediaType.HTML)
    async def rules(request: AnyRequest, game: str) -> Response[str]:
        page = rule_page(game) if game in GAMES else None
        if page is None:
            raise Problem(404, message("server.no-page"))
        if request.query_params.get("part") == "1":
            return Response(page.article, media_type=MediaType.HTML)
        _, cookies = guests.welcome(request)
        return pages.rules(_language(request), game, page, cookies)

    def show(request: AnyRequest, error: Exception) -> Response[str]:
        """A page for whatever went wrong; what exactly is for the log."""
        status, sentence = _explained(error)
        if status >= 500:
            log.error("%s %s", request.method, request.url.path, exc_info=error)
        say = speech(_language(request))
        title = say.t("server.not-found" if status == 404 else "server.problem")
        try:
            return pages.problem(_language(request), status, title, say(sentence))
        except Exception:
            log.exception("not even the page for problems works")
            return Response(say(sentence), status_code=status, media_type=MediaType.TEXT)

    handlers: list[ControllerRouterHandler] = [
        home,
        open_table,
        table,
        record,
        position,
        live,
        rules,
    ]
    return Litestar(
        [*handlers, health, tokens, static],
        lifespan=[lifespan],
        before_send=[_protect],
        exception_handlers={Exception: show, HTTPException: show, Problem: show},
        request_max_body_size=MOST_BYTES,
        openapi_config=None,
        logging_config=None,
        debug=False,
    )


@get("/health", sync_to_thread=False)
def health() -> dict[str, bool]:
    return {"well": True}


@get("/tokens.css", sync_to_thread=False)
def tokens(request: AnyRequest) -> Response[bytes]:
    return _file(request, tokens_css().encode(), "text/css")


@get("/static/{path:path}", sync_to_thread=False)
def static(request: AnyRequest, path: str) -> Response[bytes]:
    folder = (WEB / "static").resolve()
    file = (folder / path.lstrip("/")).resolve()
    if not file.is_relative_to(folder) or not file.is_file():
        raise Problem(404, message("server.no-page"))
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return _file(request, file.read_bytes(), kind)


def _file(request: AnyRequest, content: bytes, kind: str) -> Response[bytes]:
    """Browsers keep it and ask each time whether it is still the same."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, media_type=kind, headers=headers)
    return Response(content, media_type=kind, headers=headers)


def same_origin(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Other sites' pages may not act with our guests' cookies. Programs send no origin."""
    origin = connection.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != connection.headers.get("host"):
        raise HTTPException(status_code=403, detail="server.other-site")


def _options(text: str) -> dict[str, Any]:
    """What a form says of the rules, as JSON; nothing where it says nothing."""
    try:
        given = json.loads(text or "{}")
    except ValueError:
        given = None
    if not isinstance(given, dict):
        raise Refused(message("server.options"))
    return given


def _language(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    return language_of(connection.headers.get("accept-language", ""))


def _explained(error: Exception) -> tuple[int, Said]:
    match error:
        case Problem():
            return error.status, error.sentence
        case NotStored():
            return 503, message("server.not-stored")
        case HTTPException(status_code=403):
            return 403, message("server.other-site")
        case HTTPException(status_code=404):
            return 404, message("server.no-page")
        case HTTPException(status_code=status) if status < 500:
            return status, message("server.bad-request")
    return 500, message("server.failed")


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
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "same-origin"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
