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
from kibitz.server.http.openapi import SSE_MEDIA_TYPE, TAG_FIELD
from kibitz.server.http.rate_limits import act_cost
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
from kibitz.server.tables.view import log_lines, refusal, render_view
from kibitz.server.tables.viewers import (
    ViewerSettings,
    controlled_seats,
    may_enter,
)
from kibitz.table.handover import viewer_of

SinceSeq: TypeAlias = Annotated[
    int | None, Parameter(ge=0, description="The `seq` of the latest view you have")
]
IsTall: TypeAlias = Annotated[bool, Parameter(description="Draw the portrait layout for phones")]
ACT_EXAMPLES = [Example(value={"key": "a1", "actions": ["@a1"], "seq": 0})]
EXPLAIN_EXAMPLES = [Example(value={"key": "a2", "path": ["rs-A", "sq-c4"]})]
STORAGE_ERRORS = "server.not-stored", "server.unreachable"
"""Refusals that are nobody's fault but ours: the same may be sent again."""


class TablePosition(Struct):
    """The position as you may see it, and what may be done, as the rules spell both."""

    seq: int
    """To be sent with actions that are meant for this position only."""
    position: str
    to_act: list[str]
    """Those whose turn it is; `chance` where the die is to fall."""
    acting: str | None
    """The seat you act for."""
    actions: list[str]
    is_over: bool
    result: ResultValue | None
    """None while the match goes on."""


class LogPage(Struct):
    """Some lines of the log."""

    log: list[protocol.LogLineView]
    log_from: int
    """The number of lines before them."""


class ActionRefusal(protocol.RefusalMessage, tag="refused"):
    """An action refused by the rules, or by the people at the table."""

    status: int = 422


class StaleAction(ErrorBody, tag_field=TAG_FIELD, tag="stale"):
    """The table moved on before this came: look again."""

    key: str = ""


@get(
    "/tables/{table_id:str}/view",
    tags=["playing"],
    summary="Get your view of a table",
    responses=error_specs(*TABLE_STATUSES),
)
async def view(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    since: SinceSeq = None,
    is_tall: IsTall = False,
) -> Response[protocol.TableView]:
    """Everything the page shows: drawing, offers, log. With `since`, only what changed since."""
    live, member = await services.find_table(request, table_id)
    live.presence.mark_polled(member)
    settings = await services.tables.viewer_settings(
        live, member, request_language(request), is_tall
    )
    known = since if live.effects_since(since) else None
    made: Any = render_view(live, settings, known).encode()
    return Response(made, media_type=MediaType.JSON)


@get(
    "/tables/{table_id:str}/log",
    tags=["playing"],
    summary="Get earlier lines of the log",
    responses=error_specs(*TABLE_STATUSES),
)
async def earlier_lines(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    since: Annotated[int, Parameter(ge=0, description="The lines after this many actions")] = 0,
) -> LogPage:
    """A view has the latest 500 lines of the log; this has up to 500 from any place."""
    live, member = await services.find_table(request, table_id)
    settings = await services.tables.viewer_settings(live, member, request_language(request))
    return LogPage(log_lines(live, settings, since), since)


@get(
    "/tables/{table_id:str}/events",
    tags=["playing"],
    summary="Stream a table as it happens",
    media_type=SSE_MEDIA_TYPE,
    responses=error_specs(*TABLE_STATUSES),
)
async def events(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    since: SinceSeq = None,
    is_tall: IsTall = False,
    resumed: Annotated[str, Parameter(header="Last-Event-ID")] = "",
) -> Stream:
    """Server-sent events with the same names and bodies as the socket's messages: `view`,
    `people`, `clock`, `chat`. The event id of a view is its `seq`: reconnect with
    `Last-Event-ID` or `since` to resume. A slow reader skips to the latest state. A comment
    is sent every 15 seconds, and you count as present while the stream is open.
    """
    services.context.check_connections(request)
    member = services.context.member(request)
    live = await services.tables.find_table(table_id, member)
    await services.live_tables.chat.load_log(live)
    settings = await services.tables.viewer_settings(
        live, member, request_language(request), is_tall
    )
    latest = last_seen_seq(resumed, since)
    known = latest if live.effects_since(latest) else None
    subscription = Subscription(live, member, settings, known, address_of(request))
    return services.streams.table_stream(address_of(request), subscription)


@get(
    "/tables/{table_id:str}/positions/{n:int}",
    tags=["playing"],
    summary="Get an earlier position, as you saw it",
    responses=error_specs(*TABLE_STATUSES),
)
async def earlier_position(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    n: Annotated[int, Parameter(ge=0, description="The position after this many actions")],
    is_tall: IsTall = False,
    is_full: Annotated[
        bool, Parameter(description="After the match: include what was hidden")
    ] = False,
) -> protocol.PositionView:
    live, member = await services.find_table(request, table_id)
    settings = await services.tables.viewer_settings(
        live, member, request_language(request), is_tall
    )
    try:
        return position_after(live, settings, n, is_full)
    except Refused as error:
        raise HttpError(404, error.refusal) from None


@get(
    "/tables/{table_id:str}/position",
    tags=["playing"],
    summary="Get the position and your legal actions",
    responses=error_specs(*TABLE_STATUSES),
)
async def position(
    request: AnyRequest, services: Injected[TableServices], table_id: TableId
) -> TablePosition:
    live, member = await services.find_table(request, table_id)
    live.presence.mark_polled(member)
    settings = await services.tables.viewer_settings(live, member, request_language(request))
    table, game = live.table, live.game
    held = controlled_seats(live, settings)
    viewer = viewer_of(table, held)
    rests = people_view.idle_prompt(live, settings)
    actions = table.actions(viewer) if viewer in held and not rests else ()
    texts = map(game.notation.write_action, actions)
    outcome = table.outcome
    return TablePosition(
        seq=live.seq,
        position=game.notation.write_view(table.view(viewer)),
        to_act=sorted(game.rules.to_act(table.state)),
        acting=viewer if viewer in held else None,
        actions=sorted(text for text in texts if may_enter(table, settings, text)),
        is_over=table.is_over,
        result=outcome.result if outcome else None,
    )


@post(
    "/tables/{table_id:str}/actions",
    tags=["playing"],
    summary="Play one or more actions, all or none",
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
    data: Annotated[protocol.ActMessage, Body(examples=ACT_EXAMPLES)],
) -> Response[protocol.DoneMessage]:
    """`key` makes the request idempotent: actions sent twice under one key are played once.
    With `seq`, they are played only if nothing relevant has happened since that row.
    """
    live, member = await services.find_table(request, table_id, "act", act_cost(data.actions))
    spoken = request_language(request)
    services.context.refuse_program(request, live.settings.rated)
    settings = await services.tables.viewer_settings(live, member, spoken)
    try:
        whose = partial(actor_of, live, member, data.seat, data.actions, settings.place)
        act = ActRequest(member, whose, data.actions, data.seq, data.key)
        seq = await services.live_tables.actions.submit(live, act)
    except StaleRequest:
        return _stale_response(data.key, spoken)
    except Refused as error:
        return _refusal_response(live, settings, data.key, error)
    return Response(protocol.DoneMessage(data.key, seq))


@post(
    "/tables/{table_id:str}/explain",
    tags=["playing"],
    summary="Explain why something is not allowed",
    status_code=200,
    responses=error_specs(*TABLE_STATUSES, 403, 413, 422),
)
async def explain(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    data: Annotated[protocol.ExplainMessage, Body(examples=EXPLAIN_EXAMPLES)],
) -> protocol.RefusalMessage:
    """Nothing is played. `path` lists the elements that were chosen, in order."""
    live, member = await services.find_table(request, table_id, "ask")
    settings = await services.tables.viewer_settings(live, member, request_language(request))
    return refusal(live, settings, data.key, why_not(live, settings, data))


def _refusal_response(
    live: LiveTable, settings: ViewerSettings, key: str, error: Refused
) -> Response[Any]:
    told, status = refusal(live, settings, key, error.refusal), 422
    if error.refusal.id in STORAGE_ERRORS:
        status = 503
    return Response(ActionRefusal(**structs.asdict(told), status=status), status_code=status)


def _stale_response(key: str, spoken: str) -> Response[Any]:
    told = error_body(409, message("server.stale"), phrases_for(spoken))
    return Response(StaleAction(told.code, told.status, told.message, key=key), status_code=409)
