"""Who you are and what is yours, for programs."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from litestar import Request, Response, get, put
from litestar.datastructures import Cookie
from litestar.openapi.spec import Example
from litestar.params import Body, Parameter
from litestar.types import ControllerRouterHandler
from msgspec import Meta, Struct

from kibitz.core.message import Refused, message
from kibitz.server.api.tables import ResultValue, TableInfo, Team, table_info
from kibitz.server.http.errors import HttpError, error_specs
from kibitz.server.http.openapi import LIST_OR_SSE_DESCRIPTION
from kibitz.server.http.requests import RequestContext, address_of, request_language
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.records import record_of
from kibitz.server.tables.service import TableService
from kibitz.server.tables.sse import EventStreams, Turn
from kibitz.table.seating import Member

AnyRequest = Request[Any, Any, Any]
RECORDS_PER_PAGE = 20
"""How many records a page of them has, unless asked otherwise."""
MAX_WAIT_S = 60


class Me(Struct):
    """You, as far as the server knows."""

    name: str
    token: str
    """`Authorization: Bearer <token>` is you, wherever it is sent from. Empty for who has an
    account: that has tokens of its own (`/me/tokens`)."""


class NewName(Struct):
    """What you want to be called."""

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
    """How many actions."""
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


def people_api(
    desk: TableService, asking: RequestContext, streams: EventStreams, prefix: str
) -> list[ControllerRouterHandler]:
    tables = desk.tables

    @get(
        "/me",
        tags=["me"],
        summary="Who you are; somebody new becomes a guest",
        responses=error_specs(),
    )
    async def me(request: AnyRequest) -> Response[Me]:
        """Playing needs no account: the token in the answer is yours from now on."""
        asking.count(request, "pages")
        member, cookies = asking.ensure_guest(request)
        return _me_response(
            Me(await tables.display_name(member), asking.guest_token(request, member)), cookies
        )

    @put(
        "/me", tags=["me"], summary="Be called something else", responses=error_specs(403, 409, 413)
    )
    async def rename(
        request: AnyRequest, data: Annotated[NewName, Body(examples=RENAME_EXAMPLES)]
    ) -> Response[Me]:
        """What is said in the answer: long names and odd signs are left out."""
        asking.count(request, "rename")
        member, cookies = asking.ensure_guest(request)
        name = await desk.rename_member(member, data.name)
        return _me_response(Me(name, asking.guest_token(request, member)), cookies)

    @get(
        "/me/tables",
        tags=["me"],
        summary="Your tables, the latest used first",
        responses=error_specs(),
    )
    async def my_tables(request: AnyRequest) -> list[TableInfo]:
        """Up to 50 of them, those that are over among them."""
        asking.count(request, "pages")
        member, spoken = asking.member(request), request_language(request)
        mine = await desk.tables_of(member, 50)
        return [await table_info(desk, live, member, spoken) for live in mine]

    @get(
        "/me/turns",
        tags=["me"],
        summary="Your turns, as they come, at all your tables",
        response_description=LIST_OR_SSE_DESCRIPTION,
        responses=error_specs(),
    )
    async def turns(
        request: AnyRequest,
        wait: Annotated[
            float | None, Parameter(ge=0, le=MAX_WAIT_S, description="Seconds; else a stream")
        ] = None,
    ) -> Response[list[Turn]]:
        """Server-sent events named `turn`, of this shape: first all that wait now, then each as it
        comes, at new tables, too. With `wait` all that wait now as a list; where there are none,
        the next ones, or after so many seconds an empty list.
        """
        member, who = _require_member(asking, request), address_of(request)
        if wait is None:
            asking.check_connections(request)
            stream: Any = streams.turn_stream(asking.connection_counter, who, tables, member)
            return stream  # type: ignore[no-any-return]
        asking.count(request, "pages")
        found = await streams.wait_for_turns(asking.connection_counter, who, tables, member, wait)
        return Response(found, headers={"Cache-Control": "no-store"})

    @get(
        "/me/records",
        tags=["records"],
        summary="Your matches that are over, page by page",
        responses=error_specs(),
    )
    async def records(
        request: AnyRequest,
        limit: Annotated[
            int, Parameter(ge=1, le=50, description="How many to a page")
        ] = RECORDS_PER_PAGE,
        before: Annotated[
            str, Parameter(max_length=60, description="From an earlier answer's `next`")
        ] = "",
    ) -> Records:
        """The latest opened first; `next` is the address of the next page."""
        asking.count(request, "export")
        member = asking.member(request)
        found = await desk.store.finished_tables_of(member, limit + 1, _read_cursor(before))
        shown = [await _record_info(desk, prefix, each.id, member) for each in found[:limit]]
        last = found[limit - 1] if len(found) > limit else None
        query = urlencode({"limit": limit, "before": f"{last.created!r}-{last.id}"}) if last else ""
        following = f"{prefix}/me/records?{query}" if last else None
        return Records([each for each in shown if each], following)

    return [me, rename, my_tables, turns, records]


def _me_response(content: Me, cookies: list[Cookie]) -> Response[Me]:
    return Response(content, cookies=cookies, headers={"Cache-Control": "no-store"})


def _require_member(asking: RequestContext, request: AnyRequest) -> Member:
    """Who asks; raises HttpError for somebody we have never met."""
    member = asking.member(request)
    if not member:
        raise HttpError(401, message("server.who-are-you"))
    return member


def _read_cursor(text: str) -> tuple[float, str] | None:
    """Where a page of records begins; raises HttpError."""
    opened, _, table_id = text.rpartition("-")
    try:
        return (float(opened), table_id) if text else None
    except ValueError:
        raise HttpError(400, message("server.bad-request")) from None


async def _record_info(
    desk: TableService, prefix: str, table_id: str, member: Member
) -> RecordInfo | None:
    try:
        live = await desk.tables.find_table(table_id)
    except Refused:
        return None
    return _record_info_of(live, prefix, member) if live else None


def _record_info_of(live: LiveTable, prefix: str, member: Member) -> RecordInfo:
    made, table = record_of(live, member), live.table
    people = made.extras.get("teams") or made.extras.get("seats") or {}
    return RecordInfo(
        table=live.id,
        url=prefixed_path(f"/t/{live.id}"),
        record=f"{prefix}/tables/{live.id}/record",
        game=made.game,
        rules=made.rules,
        created=live.stored.created,
        ended=live.stored.created + (table.rows[-1].at if table.rows else 0.0),
        played=len(table.history),
        result=made.result,
        people={seat: Team(**each) for seat, each in people.items()},
        mine=list(live.people.seats_of(member)),
    )
