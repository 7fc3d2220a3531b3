"""Views of a table and actions at it, for programs."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, TypeAlias

from litestar import MediaType, Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import Body, Parameter
from litestar.response import Stream
from msgspec import Struct, structs

from kibitz.core.message import Refused, message
from kibitz.server.api.tables import TABLE_STATUSES, ResultValue, TableId
from kibitz.server.http.errors import STATUS_REASONS, ErrorBody, HttpError, error_body, error_specs
from kibitz.server.http.openapi import SSE_MEDIA_TYPE
from kibitz.server.http.requests import AnyRequest, Injected, address_of, request_language
from kibitz.server.phrases import phrases_for
from kibitz.server.tables import people_view, protocol
from kibitz.server.tables.actions import ActRequest, StaleRequest
from kibitz.server.tables.connection import Subscription, why_not
from kibitz.server.tables.dependencies import TableServices
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.permissions import actor_of
from kibitz.server.tables.replay import position_after
from kibitz.server.tables.sse import last_seen_seq
from kibitz.server.tables.view import refusal, render_view
from kibitz.server.tables.viewers import (
    ViewerSettings,
    controlled_seats,
    may_enter,
    plain_phrases_at,
)
from kibitz.table.handover import viewer_of

SeenSeq: TypeAlias = Annotated[
    int | None, Parameter(ge=0, description="The `seq` of the latest sight you have")
]
Tall: TypeAlias = Annotated[bool, Parameter(description="Whether to draw for an upright phone")]
ACT_EXAMPLES = [Example(value={"key": "a1", "texts": ["@a1"], "seq": 0})]
WHY_EXAMPLES = [Example(value={"key": "a2", "path": ["rs-A", "sq-c4"]})]
LEDGER_EXAMPLES = [Example(value={"kind": "done", "team": "R", "n": 2})]
STORAGE_ERRORS = "server.not-stored", "server.unreachable"
"""Refusals that are nobody's fault but ours: the same may be sent again."""


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


@get(
    "/tables/{table_id:str}/sight",
    tags=["playing"],
    summary="All that you see of a table",
    responses=error_specs(*TABLE_STATUSES),
)
async def seen(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    seen: SeenSeq = None,
    tall: Tall = False,
) -> Response[protocol.Sight]:
    """What a page is shown: drawing, offers, log. After `seen` only what came since."""
    live, member = await services.find_table(request, table_id)
    watcher = await services.tables.viewer_settings(live, member, request_language(request), tall)
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
    services: Injected[TableServices],
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
    services.context.check_connections(request)
    member = services.context.member(request)
    live = await services.tables.find_table(table_id, member)
    await services.live_tables.chat.load_log(live)
    watcher = await services.tables.viewer_settings(live, member, request_language(request), tall)
    latest = last_seen_seq(resumed, seen)
    known = latest if live.effects_since(latest) else None
    showing = Subscription(live, member, watcher, known)
    return services.streams.table_stream(
        services.context.connection_counter, address_of(request), services.live_tables, showing
    )


@get(
    "/tables/{table_id:str}/past/{n:int}",
    tags=["playing"],
    summary="An earlier position, as you saw it",
    responses=error_specs(*TABLE_STATUSES),
)
async def looked_back(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    n: Annotated[int, Parameter(ge=0, description="After so many actions")],
    tall: Tall = False,
    full: Annotated[bool, Parameter(description="After the end: what was hidden, too")] = False,
) -> protocol.Past:
    live, member = await services.find_table(request, table_id)
    watcher = await services.tables.viewer_settings(live, member, request_language(request), tall)
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
async def position(
    request: AnyRequest, services: Injected[TableServices], table_id: TableId
) -> TablePosition:
    live, member = await services.find_table(request, table_id)
    watcher = await services.tables.viewer_settings(live, member, request_language(request))
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
    services: Injected[TableServices],
    table_id: TableId,
    data: Annotated[protocol.Act, Body(examples=ACT_EXAMPLES)],
) -> Response[protocol.Done]:
    """A `key` is yours to choose; what is sent twice under one is done once. With a `seq` it
    is done only if nothing happened since that may change your mind.
    """
    live, member = await services.find_table(request, table_id, "act")
    spoken = request_language(request)
    services.context.refuse_program(request, live.settings.rated)
    watcher = await services.tables.viewer_settings(live, member, spoken)
    try:
        whose = partial(actor_of, live, member, data.seat, data.texts, watcher.place)
        act = ActRequest(member, whose, data.texts, data.seq, data.key)
        seq = await services.live_tables.submit_actions(live, act)
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
    services: Injected[TableServices],
    table_id: TableId,
    data: Annotated[protocol.Why, Body(examples=WHY_EXAMPLES)],
) -> protocol.NotDone:
    """Nothing is played. The `path` is what was touched, element by element."""
    live, member = await services.find_table(request, table_id, "ask")
    watcher = await services.tables.viewer_settings(live, member, request_language(request))
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
    services: Injected[TableServices],
    table_id: TableId,
    data: Annotated[dict[str, str | int | None], Body(examples=LEDGER_EXAMPLES)],
) -> Response[LedgerActions]:
    """Nothing is written down. What an entry has is the game's own affair."""
    live, member = await services.find_table(request, table_id, "ask")
    if live.game.companion is None:
        raise HttpError(404, message("server.no-ledger"))
    watcher = await services.tables.viewer_settings(live, member, request_language(request))
    try:
        texts, says = live.game.companion.ledger(data, plain_phrases_at(live, watcher.language))
    except Refused as error:
        return _refusal_response(live, watcher, "", error)
    return Response(LedgerActions(list(texts), says))


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
