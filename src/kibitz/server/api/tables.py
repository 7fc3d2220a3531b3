"""Tables and what is done at them, for programs."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, TypeAlias

from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import Body, Parameter
from litestar.response import Stream
from litestar.types import ControllerRouterHandler
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from kibitz.core.message import Refused, message
from kibitz.core.record import write_record
from kibitz.server.analysis import evaluation
from kibitz.server.http.errors import STATUS_REASONS, ErrorBody, error_body, error_specs
from kibitz.server.http.requests import RequestContext, address_of, request_language
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.phrases import phrases_for
from kibitz.server.tables import people_view, protocol
from kibitz.server.tables.actions import ActRequest, StaleRequest
from kibitz.server.tables.connection import Subscription, why_not
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.permissions import actor_of
from kibitz.server.tables.replay import position_after
from kibitz.server.tables.service import (
    Entropy,
    HttpError,
    OpenTable,
    OptionValue,
    Seek,
    TableService,
    record_of,
    seal_of,
)
from kibitz.server.tables.settings import TableSettings
from kibitz.server.tables.sse import SSE_MEDIA_TYPE, EventStreams, last_seen_seq
from kibitz.server.tables.view import refusal, render_view
from kibitz.server.tables.viewers import (
    ViewerSettings,
    controlled_seats,
    may_enter,
    phrases_at,
    plain_phrases_at,
)
from kibitz.table.handover import viewer_of
from kibitz.table.seating import Member

AnyRequest = Request[Any, Any, Any]
TableId: TypeAlias = Annotated[str, Parameter(description="The last part of a table's address")]
SeenSeq: TypeAlias = Annotated[
    int | None, Parameter(ge=0, description="The `seq` of the latest sight you have")
]
Tall: TypeAlias = Annotated[bool, Parameter(description="Whether to draw for an upright phone")]
ResultValue: TypeAlias = str | dict[str, str | bool | None]
"""A seat that won, `draw`, `void`; `*` in a record that goes on; AS-Kimble says more."""


class TableLocation(Struct):
    """A table that is there now."""

    id: str
    url: str
    """Its page."""


class TableInfo(Struct):
    """A table, as a list shows it."""

    id: str
    url: str
    game: str
    options: dict[str, OptionValue]
    terms: TableSettings
    seats: list[protocol.SeatSeen]
    table: protocol.TableSeen
    seq: int
    """How many rows it has: everything that was done, by people, too."""
    played: int
    """How many actions."""
    over: bool
    open: bool
    """Whether anybody may find it."""
    created: float
    """Seconds since 1970."""


class JoinRequest(Struct):
    """An invitation that is accepted."""

    token: Annotated[str, Meta(max_length=64)]
    """The last part of a link."""
    entropy: Entropy = ""
    """Goes into the dice."""


class JoinResult(Struct):
    """Where a link has led to."""

    place: str
    """The seat or role, or `watch`."""


class TablePosition(Struct):
    """The position as you may see it, and what may be done; texts as the rules have them."""

    seq: int
    """What to send with an act, if it is meant for this position only."""
    position: str
    to_act: list[str]
    """Whose turn it is; `chance` where the die is to fall."""
    acting: str | None
    """The seat you act for."""
    actions: list[str]
    over: bool
    result: ResultValue | None
    """None while the match goes on."""


class LedgerActions(Struct):
    """What to send (`acts`) for an entry of the book, and what it says."""

    texts: list[str]
    says: str


class ActionRefusal(protocol.NotDone, tag="refused"):
    """What was sent was not done, because of the rules or of the people around the table."""

    status: int = 422


class StaleAction(ErrorBody, tag_field="is", tag="stale"):
    """The table moved on before this came: look again."""

    key: str = ""


class SealInfo(Struct):
    """The envelope with the dice; empty where a game has none."""

    commitment: str | UnsetType = UNSET
    """The SHA-256 of the seed."""
    closed: float | UnsetType = UNSET
    """When the table opened."""
    entropies: list[str] | UnsetType = UNSET
    draws: list[int] | UnsetType = UNSET
    """The numbers of the actions that were drawn."""
    seed: str | UnsetType = UNSET
    """Only after the end."""
    opened: float | UnsetType = UNSET


class Team(Struct):
    """Who played at a seat."""

    name: str
    players: list[str]


class LogEntry(Struct):
    """A row of a table, as it was typed."""

    by: str
    text: str
    at: float
    """Seconds since the table opened."""


class RecordView(Struct):
    """A match: `start` and `actions` replay for ever by these rules."""

    kibitz: int
    game: str
    rules: str
    options: dict[str, OptionValue]
    start: str
    actions: list[str]
    result: ResultValue
    teams: dict[str, Team] | UnsetType = UNSET
    seats: dict[str, Team] | UnsetType = UNSET
    times: list[float] | UnsetType = UNSET
    """When each action was done, in seconds since the table opened."""
    log: list[LogEntry] | UnsetType = UNSET
    """Only after the end."""
    seal: SealInfo | UnsetType = UNSET


OPEN_EXAMPLES = [
    Example(value={"game": "kalamala", "seats": {"A": "me", "B": "greedy"}}),
    Example(value={"game": "kahmate", "seats": {"R": "me", "B": "free"}, "open": True}),
]
SEEK_EXAMPLES = [Example(value={"game": "kalamala", "clock": {"kind": "days", "days": 3}})]
ACT_EXAMPLES = [Example(value={"key": "a1", "texts": ["@a1"], "seq": 0})]
WHY_EXAMPLES = [Example(value={"key": "a2", "path": ["rs-A", "sq-c4"]})]
LEDGER_EXAMPLES = [Example(value={"kind": "done", "team": "R", "n": 2})]
TABLE_STATUSES = 404, 410
STORAGE_ERRORS = "server.not-stored", "server.unreachable"
"""Refusals that are nobody's fault but ours: the same may be sent again."""


async def table_info(desk: TableService, live: LiveTable, member: Member, spoken: str) -> TableInfo:
    watcher = await desk.viewer_settings(live, member, spoken)
    say = phrases_at(live, spoken)
    return TableInfo(
        id=live.id,
        url=prefixed_path(f"/t/{live.id}"),
        game=live.game.name,
        options=dict(live.game.options),
        terms=live.settings,
        seats=people_view.seat_views(live, watcher, say),
        table=people_view.table_info(live, watcher, say),
        seq=live.seq,
        played=len(live.table.history),
        over=live.table.is_over,
        open=live.stored.open,
        created=live.stored.created,
    )


def tables_api(
    desk: TableService, asking: RequestContext, analyst: evaluation.Analyst, streams: EventStreams
) -> list[ControllerRouterHandler]:
    tables = desk.tables

    async def found(request: AnyRequest, table_id: str) -> tuple[LiveTable, Member]:
        asking.count(request, "pages")
        member = asking.member(request)
        return await desk.find_table(table_id, member), member

    @get(
        "/tables",
        tags=["tables"],
        summary="Tables that anybody may find",
        responses=error_specs(),
    )
    async def lobby(request: AnyRequest) -> list[TableInfo]:
        """Those with a free seat first: sit down with the act `sit B`."""
        asking.count(request, "pages")
        member, spoken = asking.member(request), request_language(request)
        return [await table_info(desk, live, member, spoken) for live in await desk.lobby_tables()]

    @post(
        "/tables",
        tags=["tables"],
        summary="Open a table",
        responses=error_specs(403, 413),
    )
    async def open_table(
        request: AnyRequest, data: Annotated[OpenTable, Body(examples=OPEN_EXAMPLES)]
    ) -> Response[TableLocation]:
        """Who has no token becomes a guest, known by the cookie in the answer only."""
        asking.count(request, "open")
        asking.refuse_program(request, data.terms.rated)
        member, cookies = asking.ensure_guest(request)
        return _created_response(await desk.open_table(member, data), cookies)

    @post(
        "/seeks",
        tags=["tables"],
        summary="Look for an opponent",
        responses=error_specs(403, 413),
    )
    async def seek(
        request: AnyRequest, data: Annotated[Seek, Body(examples=SEEK_EXAMPLES)]
    ) -> Response[TableLocation]:
        """Sit down where somebody waits for the same, or wait at a new table.

        Who waits has to be there: by a socket, by the events of the table, or by one's turns.
        """
        asking.count(request, "open")
        asking.refuse_program(request, data.rated)
        member, cookies = asking.ensure_guest(request)
        return _created_response(await desk.seek_opponent(member, data), cookies)

    @get(
        "/tables/{table_id:str}",
        tags=["tables"],
        summary="A table and its people",
        responses=error_specs(*TABLE_STATUSES),
    )
    async def table(request: AnyRequest, table_id: TableId) -> TableInfo:
        live, member = await found(request, table_id)
        return await table_info(desk, live, member, request_language(request))

    @get(
        "/tables/{table_id:str}/links",
        tags=["tables"],
        summary="The links you may pass on",
        responses=error_specs(*TABLE_STATUSES),
    )
    async def links(request: AnyRequest, table_id: TableId) -> dict[str, str]:
        """By what they are for: a seat, `watch`, `referee`, `bookkeeper`."""
        return await desk.links_of(*await found(request, table_id))

    @post(
        "/tables/{table_id:str}/join",
        tags=["tables"],
        summary="Come by a link",
        status_code=200,
        responses=error_specs(403, 404, 409, 413, 422),
    )
    async def join(
        request: AnyRequest, table_id: TableId, data: JoinRequest
    ) -> Response[JoinResult]:
        asking.count(request, "join")
        member, cookies = asking.ensure_guest(request)
        live = await tables.find_table(table_id)
        if live is None:
            raise HttpError(404, message("server.no-table"))
        asking.refuse_program(request, live.settings.rated)
        try:
            place = await desk.join_by_link(live, member, data.token, data.entropy)
        except StaleRequest:
            raise HttpError(409, message("server.moved-on")) from None
        return Response(JoinResult(place), cookies=cookies)

    @get(
        "/tables/{table_id:str}/sight",
        tags=["playing"],
        summary="All that you see of a table",
        responses=error_specs(*TABLE_STATUSES),
    )
    async def seen(
        request: AnyRequest, table_id: TableId, seen: SeenSeq = None, tall: Tall = False
    ) -> Response[protocol.Sight]:
        """What a page is shown: drawing, offers, log. After `seen` only what came since."""
        live, member = await found(request, table_id)
        watcher = await desk.viewer_settings(live, member, request_language(request), tall)
        known = seen if live.effects_since(seen) else None
        made: Any = render_view(live, watcher, known).encode()
        return Response(made, media_type=MediaType.JSON)

    @get(
        "/tables/{table_id:str}/events",
        tags=["playing"],
        summary="All that you see of a table, as it happens",
        media_type=SSE_MEDIA_TYPE,
        responses=error_specs(*TABLE_STATUSES),
    )
    async def events(
        request: AnyRequest,
        table_id: TableId,
        seen: SeenSeq = None,
        tall: Tall = False,
        resumed: Annotated[str, Parameter(header="Last-Event-ID")] = "",
    ) -> Stream:
        """Server-sent events, named and shaped as what a socket sends: `sight`, `people`, `clock`,
        `said`. A sight has its `seq` as id: with `Last-Event-ID`, or `seen`, a stream goes on
        where the last one broke. Who reads slowly skips to the latest. A comment comes every 15
        seconds; while the stream is open, you are there.
        """
        asking.check_connections(request)
        member = asking.member(request)
        live = await desk.find_table(table_id, member)
        await tables.chat.load_log(live)
        watcher = await desk.viewer_settings(live, member, request_language(request), tall)
        latest = last_seen_seq(resumed, seen)
        known = latest if live.effects_since(latest) else None
        showing = Subscription(live, member, watcher, known)
        return streams.table_stream(asking.connection_counter, address_of(request), tables, showing)

    @get(
        "/tables/{table_id:str}/past/{n:int}",
        tags=["playing"],
        summary="An earlier position, as you saw it",
        responses=error_specs(*TABLE_STATUSES),
    )
    async def looked_back(
        request: AnyRequest,
        table_id: TableId,
        n: Annotated[int, Parameter(ge=0, description="After so many actions")],
        tall: Tall = False,
        full: Annotated[bool, Parameter(description="After the end: what was hidden, too")] = False,
    ) -> protocol.Past:
        live, member = await found(request, table_id)
        watcher = await desk.viewer_settings(live, member, request_language(request), tall)
        try:
            return position_after(live, watcher, n, full)
        except Refused as error:
            raise HttpError(404, error.refusal) from None

    @get(
        "/tables/{table_id:str}/position",
        tags=["playing"],
        summary="The position as text, and what you may do",
        responses=error_specs(*TABLE_STATUSES),
    )
    async def position(request: AnyRequest, table_id: TableId) -> TablePosition:
        live, member = await found(request, table_id)
        watcher = await desk.viewer_settings(live, member, request_language(request))
        around, game = live.table, live.game
        held = controlled_seats(live, watcher)
        viewer = viewer_of(around, held)
        rests = people_view.idle_prompt(live, watcher)
        actions = around.actions(viewer) if viewer in held and not rests else ()
        texts = map(game.notation.write_action, actions)
        outcome = around.outcome
        return TablePosition(
            seq=live.seq,
            position=game.notation.write_view(around.view(viewer)),
            to_act=sorted(game.rules.to_act(around.state)),
            acting=viewer if viewer in held else None,
            actions=sorted(text for text in texts if may_enter(around, watcher, text)),
            over=around.is_over,
            result=outcome.result if outcome else None,
        )

    @post(
        "/tables/{table_id:str}/acts",
        tags=["playing"],
        summary="Act: all of the texts or none",
        status_code=200,
        responses={
            **error_specs(*TABLE_STATUSES, 403, 413),
            409: ResponseSpec(StaleAction, description=STATUS_REASONS[409]),
            422: ResponseSpec(ActionRefusal, description=STATUS_REASONS[422]),
        },
    )
    async def act(
        request: AnyRequest,
        table_id: TableId,
        data: Annotated[protocol.Act, Body(examples=ACT_EXAMPLES)],
    ) -> Response[protocol.Done]:
        """A `key` is yours to choose; what is sent twice under one is done once. With a `seq` it
        is done only if nothing happened since that may change your mind.
        """
        asking.count(request, "act")
        member, spoken = asking.member(request), request_language(request)
        live = await desk.find_table(table_id, member)
        asking.refuse_program(request, live.settings.rated)
        watcher = await desk.viewer_settings(live, member, spoken)
        try:
            whose = partial(actor_of, live, member, data.seat, data.texts, watcher.place)
            act = ActRequest(member, whose, data.texts, data.seq, data.key)
            seq = await tables.submit_actions(live, act)
        except StaleRequest:
            return _stale_response(data.key, spoken)
        except Refused as error:
            return _refusal_response(live, watcher, data.key, error)
        return Response(protocol.Done(data.key, seq))

    @post(
        "/tables/{table_id:str}/why",
        tags=["playing"],
        summary="Why may I not?",
        status_code=200,
        responses=error_specs(*TABLE_STATUSES, 403, 413, 422),
    )
    async def why(
        request: AnyRequest,
        table_id: TableId,
        data: Annotated[protocol.Why, Body(examples=WHY_EXAMPLES)],
    ) -> protocol.NotDone:
        """Nothing is played. The `path` is what was touched, element by element."""
        asking.count(request, "ask")
        member = asking.member(request)
        live = await desk.find_table(table_id, member)
        watcher = await desk.viewer_settings(live, member, request_language(request))
        return refusal(live, watcher, data.key, why_not(live, watcher, data))

    @post(
        "/tables/{table_id:str}/ledger",
        tags=["playing"],
        summary="What to send for an entry in a book without a board",
        status_code=200,
        responses={
            **error_specs(*TABLE_STATUSES, 403, 413),
            422: ResponseSpec(ActionRefusal, description=STATUS_REASONS[422]),
        },
    )
    async def ledger(
        request: AnyRequest,
        table_id: TableId,
        data: Annotated[dict[str, str | int | None], Body(examples=LEDGER_EXAMPLES)],
    ) -> Response[LedgerActions]:
        """Nothing is written down. What an entry has is the game's own affair."""
        asking.count(request, "ask")
        member = asking.member(request)
        live = await desk.find_table(table_id, member)
        if live.game.companion is None:
            raise HttpError(404, message("server.no-ledger"))
        watcher = await desk.viewer_settings(live, member, request_language(request))
        try:
            texts, says = live.game.companion.ledger(data, plain_phrases_at(live, watcher.language))
        except Refused as error:
            return _refusal_response(live, watcher, "", error)
        return Response(LedgerActions(list(texts), says))

    @get(
        "/tables/{table_id:str}/record",
        tags=["records"],
        summary="The record, as you may see it",
        responses=error_specs(*TABLE_STATUSES),
    )
    async def record(request: AnyRequest, table_id: TableId) -> Response[RecordView]:
        """While the match goes on it is the record so far, without what others hide."""
        asking.count(request, "export")
        live, member = await found(request, table_id)
        made: Any = write_record(record_of(live, member)).encode() + b"\n"
        name = f"{live.game.name}-{live.id}.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(made, media_type=MediaType.JSON, headers=headers)

    @get(
        "/tables/{table_id:str}/analysis",
        tags=["records"],
        summary="A match that is over, looked at",
        responses=error_specs(*TABLE_STATUSES, 409),
    )
    async def analysed(request: AnyRequest, table_id: TableId) -> evaluation.AnalysisProgress:
        """As far as it has been looked at: ask again until all of it has."""
        asking.count(request, "think")
        live, _ = await found(request, table_id)
        return await analyst.progress(live)

    @get(
        "/tables/{table_id:str}/seal",
        tags=["records"],
        summary="The envelope with the dice",
        responses=error_specs(*TABLE_STATUSES),
    )
    async def sealed(request: AnyRequest, table_id: TableId) -> Response[SealInfo]:
        live, _ = await found(request, table_id)
        made: Any = seal_of(live) or {}
        return Response(made)

    return [
        lobby,
        open_table,
        seek,
        table,
        links,
        join,
        seen,
        events,
        looked_back,
        position,
        act,
        why,
        ledger,
        record,
        analysed,
        sealed,
    ]


def _refusal_response(
    live: LiveTable, watcher: ViewerSettings, key: str, error: Refused
) -> Response[Any]:
    told, status = refusal(live, watcher, key, error.refusal), 422
    if error.refusal.id in STORAGE_ERRORS:
        status = 503
    return Response(ActionRefusal(**structs.asdict(told), status=status), status_code=status)


def _stale_response(key: str, spoken: str) -> Response[Any]:
    told = error_body(409, message("server.moved-on"), phrases_for(spoken))
    return Response(StaleAction(told.error, told.status, told.why, key=key), status_code=409)


def _created_response(table_id: str, cookies: list[Cookie]) -> Response[TableLocation]:
    opened = TableLocation(table_id, prefixed_path(f"/t/{table_id}"))
    return Response(opened, status_code=201, cookies=cookies, headers={"Location": opened.url})
