"""Records of matches, their analyses and seals, for programs."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Response, get
from msgspec import UNSET, Struct, UnsetType

from kibitz.core.record import write_record
from kibitz.server.analysis.dependencies import AnalysisServices
from kibitz.server.analysis.evaluation import AnalysisProgress
from kibitz.server.api.tables import TABLE_STATUSES, ResultValue, TableId
from kibitz.server.http.errors import error_specs
from kibitz.server.http.requests import AnyRequest, Injected, address_of
from kibitz.server.tables.dependencies import TableServices
from kibitz.server.tables.records import drawn_actions, is_open, record_of, seal_of
from kibitz.server.tables.service import OptionValue


class EnvelopeInfo(Struct):
    """A seed that draws were made from, until another one was sealed."""

    commitment: str
    """The SHA-256 of the seed."""
    entropies: list[str]
    contributors: list[str]
    """The seats that added theirs after they saw the commitment."""
    from_draw: int
    """The number of the first draw that was made from it, if any was."""
    seed: str | UnsetType = UNSET
    """Only after the end."""


class SealInfo(Struct):
    """The envelope with the dice; empty where a game has none."""

    commitment: str | UnsetType = UNSET
    """The SHA-256 of the seed."""
    closed: float | UnsetType = UNSET
    """When the table opened."""
    entropies: list[str] | UnsetType = UNSET
    contributors: list[str] | UnsetType = UNSET
    draws: list[int] | UnsetType = UNSET
    """The numbers of the actions that were drawn."""
    seed: str | UnsetType = UNSET
    """Only after the end."""
    opened: float | UnsetType = UNSET
    epochs: list[EnvelopeInfo] | UnsetType = UNSET
    """All envelopes, the first one included: a match that goes on after its end, or from a
    restored backup, has a new one."""


class DrawInfo(Struct):
    """A draw, and what it was made from."""

    number: int
    chances: list[tuple[str, int]]
    """The actions of chance in the order of their texts, each with its number of equal chances."""
    drawn: str


class Draws(Struct):
    """All that it takes to make the draws of a match again; empty before its end."""

    epochs: list[EnvelopeInfo]
    draws: list[DrawInfo]


class Team(Struct):
    """The players at a seat."""

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


@get(
    "/tables/{table_id:str}/record",
    tags=["records"],
    summary="Get the record, as you may see it",
    responses=error_specs(*TABLE_STATUSES),
)
async def record(
    request: AnyRequest, services: Injected[TableServices], table_id: TableId
) -> Response[RecordView]:
    """During a match: the record so far, without what others have hidden."""
    services.context.count(request, "export")
    live, member = await services.find_table(request, table_id)
    made: Any = write_record(record_of(live, member)).encode() + b"\n"
    name = f"{live.game.name}-{live.id}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(made, media_type=MediaType.JSON, headers=headers)


@get(
    "/tables/{table_id:str}/analysis",
    tags=["records"],
    summary="Get the analysis of a finished match",
    responses=error_specs(*TABLE_STATUSES, 409),
)
async def match_analysis(
    request: AnyRequest, services: Injected[AnalysisServices], table_id: TableId
) -> AnalysisProgress:
    """Returns the progress so far: poll until it is complete."""
    services.context.count(request, "think")
    live, _ = await services.find_table(request, table_id)
    return await services.analyst.progress(live, address_of(request))


@get(
    "/tables/{table_id:str}/seal",
    tags=["records"],
    summary="Get the envelope of the sealed dice",
    responses=error_specs(*TABLE_STATUSES),
)
async def seal(
    request: AnyRequest, services: Injected[TableServices], table_id: TableId
) -> Response[SealInfo]:
    live, _ = await services.find_table(request, table_id)
    made: Any = seal_of(live) or {}
    return Response(made)


@get(
    "/tables/{table_id:str}/draws",
    tags=["records"],
    summary="Get all that it takes to check the draws",
    responses=error_specs(*TABLE_STATUSES),
)
async def draws(
    request: AnyRequest, services: Injected[TableServices], table_id: TableId
) -> Response[Draws]:
    """Each draw is HMAC-SHA256 over the entropies, its number and the try, keyed by the seed."""
    services.context.count(request, "export")
    live, _ = await services.find_table(request, table_id)
    made: Any = {"epochs": [], "draws": drawn_actions(live)}
    if is_open(live) and (sealed := seal_of(live)):
        made["epochs"] = sealed["epochs"]
    return Response(made)
