"""People and what is theirs, for programs."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from litestar import Response, get, put
from litestar.datastructures import Cookie
from litestar.openapi.spec import Example
from litestar.params import Body, Parameter
from msgspec import Meta, Struct

from kibitz.core.message import Refused, message
from kibitz.server.api.records import Team
from kibitz.server.api.tables import ResultValue, TableInfo, table_info
from kibitz.server.db.queries.memberships import finished_tables_of
from kibitz.server.http.errors import HttpError, error_specs
from kibitz.server.http.openapi import API_PATH, LIST_OR_SSE_DESCRIPTION
from kibitz.server.http.requests import (
    NO_STORE_HEADERS,
    AnyRequest,
    Injected,
    RequestContext,
    address_of,
    request_language,
)
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.tables.dependencies import TableServices
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.records import record_of
from kibitz.server.tables.service import TableService
from kibitz.server.tables.sse import Turn
from kibitz.table.seating import Member

RECORDS_PER_PAGE = 20
"""The number of records on a page, unless asked otherwise."""
MAX_WAIT_S = 60


class Me(Struct):
    """You, as far as the server knows."""

    name: str
    token: str
    """`Authorization: Bearer <token>` is you, wherever it is sent from. Empty for who has an
    account: that has tokens of its own (`/me/tokens`)."""


class NewName(Struct):
    """A name for yourself."""

    name: Annotated[str, Meta(max_length=200)]


class RecordInfo(Struct):
    """A match of yours that is over."""

    table: str
    url: str
    """Its page."""
    record: str
    """Where the record is."""
    game: str
    rules: str
    created: float
    """When it was opened and when it ended, in seconds since 1970."""
    ended: float
    played: int
    """The number of actions."""
    result: ResultValue
    people: dict[str, Team]
    mine: list[str]
    """Your seats."""


class Records(Struct):
    """A page of them, the latest opened first."""

    records: list[RecordInfo]
    next: str | None
    """Where the next page is."""


RENAME_EXAMPLES = [Example(value={"name": "Ada"})]


@get(
    "/me",
    tags=["me"],
    summary="Get your identity; new callers become guests",
    responses=error_specs(),
)
async def me(request: AnyRequest, services: Injected[TableServices]) -> Response[Me]:
    """No account is needed: keep the token in the response and send it from now on."""
    services.context.count(request, "pages")
    member, cookies = services.context.ensure_guest(request)
    name = await services.live_tables.display_name(member)
    return _me_response(Me(name, services.context.guest_token(request, member)), cookies)


@put("/me", tags=["me"], summary="Change your name", responses=error_specs(403, 409, 413))
async def rename(
    request: AnyRequest,
    services: Injected[TableServices],
    data: Annotated[NewName, Body(examples=RENAME_EXAMPLES)],
) -> Response[Me]:
    """Returns the name as stored: it may be shortened, and control characters are removed."""
    services.context.count(request, "rename")
    member, cookies = services.context.ensure_guest(request)
    name = await services.tables.rename_member(member, data.name)
    return _me_response(Me(name, services.context.guest_token(request, member)), cookies)


@get(
    "/me/tables",
    tags=["me"],
    summary="List your tables, most recently used first",
    responses=error_specs(),
)
async def my_tables(request: AnyRequest, services: Injected[TableServices]) -> list[TableInfo]:
    """Up to 50, including finished ones."""
    services.context.count(request, "pages")
    member, spoken = services.context.member(request), request_language(request)
    mine = await services.tables.tables_of(member, 50)
    return [await table_info(services.tables, live, member, spoken) for live in mine]


@get(
    "/me/turns",
    tags=["me"],
    summary="Wait for your turn at any table",
    response_description=LIST_OR_SSE_DESCRIPTION,
    responses=error_specs(),
)
async def turns(
    request: AnyRequest,
    services: Injected[TableServices],
    wait_seconds: Annotated[
        float | None,
        Parameter(ge=0, le=MAX_WAIT_S, description="The time to wait; omit it for a stream"),
    ] = None,
) -> Response[list[Turn]]:
    """Streams server-sent events named `turn`: first every table that is waiting for you, then
    each new turn, including at new tables. With `wait_seconds` it returns a list instead: at once
    if a table is waiting for you, otherwise at your next turn, or empty after that many seconds.
    """
    member, who = _require_member(services.context, request), address_of(request)
    if wait_seconds is None:
        services.context.check_connections(request)
        stream: Any = services.streams.turn_stream(who, member)
        return stream  # type: ignore[no-any-return]
    services.context.count(request, "pages")
    found = await services.streams.wait_for_turns(who, member, wait_seconds)
    return Response(found, headers=NO_STORE_HEADERS)


@get(
    "/me/records",
    tags=["records"],
    summary="List your finished matches",
    responses=error_specs(),
)
async def records(
    request: AnyRequest,
    services: Injected[TableServices],
    limit: Annotated[
        int, Parameter(ge=1, le=50, description="Matches per page")
    ] = RECORDS_PER_PAGE,
    before: Annotated[
        str, Parameter(max_length=60, description="Cursor from the `next` of an earlier page")
    ] = "",
) -> Records:
    """Most recently opened first; `next` is the address of the next page."""
    services.context.count(request, "export")
    member = services.context.member(request)
    found = await finished_tables_of(services.tables.store, member, limit + 1, _read_cursor(before))
    shown = [await _record_info(services.tables, each.id, member) for each in found[:limit]]
    last = found[limit - 1] if len(found) > limit else None
    query = urlencode({"limit": limit, "before": f"{last.created_at!r}-{last.id}"}) if last else ""
    following = f"{API_PATH}/me/records?{query}" if last else None
    return Records([each for each in shown if each], following)


def _me_response(content: Me, cookies: list[Cookie]) -> Response[Me]:
    return Response(content, cookies=cookies, headers=NO_STORE_HEADERS)


def _require_member(context: RequestContext, request: AnyRequest) -> Member:
    """The member who asks; raises HttpError for somebody we have never met."""
    member = context.member(request)
    if not member:
        raise HttpError(401, message("server.token-required"))
    return member


def _read_cursor(text: str) -> tuple[float, str] | None:
    """The place where a page of records begins; raises HttpError."""
    opened, _, table_id = text.rpartition("-")
    try:
        return (float(opened), table_id) if text else None
    except ValueError:
        raise HttpError(400, message("server.bad-request")) from None


async def _record_info(service: TableService, table_id: str, member: Member) -> RecordInfo | None:
    try:
        live = await service.tables.find_table(table_id)
    except Refused:
        return None
    return _record_info_of(live, member) if live else None


def _record_info_of(live: LiveTable, member: Member) -> RecordInfo:
    made, table = record_of(live, member), live.table
    people = made.extras.get("teams") or made.extras.get("seats") or {}
    return RecordInfo(
        table=live.id,
        url=prefixed_path(f"/t/{live.id}"),
        record=f"{API_PATH}/tables/{live.id}/record",
        game=made.game,
        rules=made.rules,
        created=live.stored.created_at,
        ended=live.stored.created_at + (table.rows[-1].at if table.rows else 0.0),
        played=len(table.history),
        result=made.result,
        people={seat: Team(**each) for seat, each in people.items()},
        mine=list(live.people.seats_of(member)),
    )
