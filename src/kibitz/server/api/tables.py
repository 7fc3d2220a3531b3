"""Finding, opening and joining tables, for programs."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.params import Body, Parameter
from msgspec import Meta, Struct

from kibitz.core.message import message
from kibitz.server.api.examples import OPEN_EXAMPLES, SEEK_EXAMPLES
from kibitz.server.http.errors import HttpError, error_specs
from kibitz.server.http.requests import AnyRequest, Injected, request_language
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.tables import people_view, protocol
from kibitz.server.tables.actions import StaleRequest
from kibitz.server.tables.dependencies import TableServices
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.lobby import Seek, lobby_tables, seek_opponent
from kibitz.server.tables.service import Entropy, OpenTable, OptionValue, TableService
from kibitz.server.tables.settings import TableSettings
from kibitz.server.tables.viewers import (
    phrases_at,
    viewpoint_at,
)
from kibitz.table.seating import Member

TableId: TypeAlias = Annotated[
    str, Parameter(description="The id of a table: the last part of its address")
]
ResultValue: TypeAlias = str | dict[str, str | bool | None]
"""A seat that won, `draw`, `void`; `*` in a record that goes on; some games say more."""


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
    settings: TableSettings
    seats: list[protocol.SeatView]
    table: protocol.TableStatusView
    seq: int
    """The number of its rows: everything that was done, by people, too."""
    played: int
    """The number of actions."""
    is_over: bool
    is_open: bool
    """Anybody may find it."""
    created: float
    """Seconds since 1970."""


class JoinRequest(Struct):
    """An invitation that is accepted."""

    token: Annotated[str, Meta(max_length=64)]
    """The last part of a link."""
    entropy: Entropy = ""
    """Goes into the dice."""
    place: Annotated[str, Meta(max_length=60)] = ""
    """By the link of the room: the seat you want, or `watch`; nothing given: any free seat, and
    where none is free you watch."""


class JoinResult(Struct):
    """The place that a link has led to."""

    place: str
    """The seat or role, or `watch`."""


TABLE_STATUSES = 404, 410


async def table_info(
    service: TableService, live: LiveTable, member: Member, spoken: str
) -> TableInfo:
    settings = await service.viewer_settings(live, member, spoken)
    say = phrases_at(live, spoken)
    return TableInfo(
        id=live.id,
        url=prefixed_path(f"/t/{live.id}"),
        game=live.game.name,
        options=dict(live.game.options),
        settings=live.settings,
        seats=people_view.seat_views(live, settings, say),
        table=people_view.table_info(live, viewpoint_at(live, settings)),
        seq=live.seq,
        played=len(live.table.history),
        is_over=live.table.is_over,
        is_open=live.stored.is_open,
        created=live.stored.created_at,
    )


@get(
    "/tables",
    tags=["tables"],
    summary="List open tables",
    responses=error_specs(),
)
async def lobby(request: AnyRequest, services: Injected[TableServices]) -> list[TableInfo]:
    """Tables with a free seat come first; send the action `sit B` to take seat B."""
    services.context.count(request, "pages")
    member, spoken = services.context.member(request), request_language(request)
    return [
        await table_info(services.tables, live, member, spoken)
        for live in await lobby_tables(services.tables)
    ]


@post(
    "/tables",
    tags=["tables"],
    summary="Open a table",
    responses=error_specs(403, 413),
)
async def open_table(
    request: AnyRequest,
    services: Injected[TableServices],
    data: Annotated[OpenTable, Body(examples=OPEN_EXAMPLES)],
) -> Response[TableLocation]:
    """Without a token you become a guest, identified only by the cookie in the response."""
    services.context.count(request, "open")
    services.context.refuse_program(request, data.settings.rated)
    member, cookies = services.context.ensure_guest(request)
    opened = await services.tables.open_table(member, data, request_language(request))
    return _created_response(opened, cookies)


@post(
    "/seeks",
    tags=["tables"],
    summary="Find an opponent",
    responses=error_specs(403, 413),
)
async def seek(
    request: AnyRequest,
    services: Injected[TableServices],
    data: Annotated[Seek, Body(examples=SEEK_EXAMPLES)],
) -> Response[TableLocation]:
    """Joins a matching open table, or opens one and waits.

    While waiting, stay connected: over the socket, the table's events or `/me/turns`.
    """
    services.context.count(request, "open")
    services.context.refuse_program(request, data.rated)
    member, cookies = services.context.ensure_guest(request)
    return _created_response(await seek_opponent(services.tables, member, data), cookies)


@get(
    "/tables/{table_id:str}",
    tags=["tables"],
    summary="Get a table and its people",
    responses=error_specs(*TABLE_STATUSES),
)
async def table(
    request: AnyRequest, services: Injected[TableServices], table_id: TableId
) -> TableInfo:
    live, member = await services.find_table(request, table_id)
    return await table_info(services.tables, live, member, request_language(request))


@get(
    "/tables/{table_id:str}/links",
    tags=["tables"],
    summary="Get the links you can share",
    responses=error_specs(*TABLE_STATUSES),
)
async def links(
    request: AnyRequest, services: Injected[TableServices], table_id: TableId
) -> dict[str, str]:
    """Keyed by place: `room` (one link for everybody: who comes by it picks a place), a seat,
    `watch`, `referee`, `bookkeeper` or `party`."""
    return await services.tables.links_of(*await services.find_table(request, table_id))


@post(
    "/tables/{table_id:str}/join",
    tags=["tables"],
    summary="Accept an invitation link",
    status_code=200,
    responses=error_specs(403, 404, 409, 413, 422),
)
async def join(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    data: JoinRequest,
) -> Response[JoinResult]:
    services.context.count(request, "join")
    member, cookies = services.context.ensure_guest(request)
    live = await services.live_tables.find_table(table_id)
    if live is None:
        raise HttpError(404, message("server.no-link"))
    services.context.refuse_program(request, live.settings.rated)
    try:
        place = await services.tables.join_by_link(
            live, member, data.token, data.entropy, data.place
        )
    except StaleRequest:
        raise HttpError(409, message("server.stale")) from None
    return Response(JoinResult(place), cookies=cookies)


def _created_response(table_id: str, cookies: list[Cookie]) -> Response[TableLocation]:
    opened = TableLocation(table_id, prefixed_path(f"/t/{table_id}"))
    return Response(opened, status_code=201, cookies=cookies, headers={"Location": opened.url})
