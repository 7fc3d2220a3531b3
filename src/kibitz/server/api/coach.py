"""The coach of whoever plays alone, for programs."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from litestar import get
from litestar.params import Parameter
from msgspec.structs import replace

from kibitz.server.analysis.coach import HintView, LossView, PlanView
from kibitz.server.analysis.dependencies import AnalysisServices
from kibitz.server.api.tables import TABLE_STATUSES, TableId
from kibitz.server.http.errors import error_specs
from kibitz.server.http.requests import AnyRequest, Injected, address_of, request_language
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.viewers import ViewerSettings
from kibitz.table.seating import Member

SeatWithDevice: TypeAlias = Annotated[
    str, Parameter(max_length=20, description="On a shared device: the seat that is looking")
]
PlayedActions: TypeAlias = Annotated[
    list[str], Parameter(min_items=1, max_items=64, description="The actions you would play")
]
COACH_ERRORS = error_specs(*TABLE_STATUSES, 403, 409)


@get(
    "/tables/{table_id:str}/hint",
    tags=["playing"],
    summary="Get a hint, in a match against bots",
    responses=COACH_ERRORS,
)
async def hint(
    request: AnyRequest,
    services: Injected[AnalysisServices],
    table_id: TableId,
    seat: SeatWithDevice = "",
) -> HintView:
    """The move our best bot would make in your place, and why. It is made of what you see."""
    live, member, settings = await _find_coached_table(request, services, table_id, seat)
    return await services.coach.hint(live, member, settings, address_of(request))


@get(
    "/tables/{table_id:str}/plan",
    tags=["playing"],
    summary="Ask what a bot wanted with its latest turn",
    responses=COACH_ERRORS,
)
async def plan(
    request: AnyRequest,
    services: Injected[AnalysisServices],
    table_id: TableId,
    seat: SeatWithDevice = "",
) -> PlanView:
    """The line that the bot expected, made of what you see."""
    live, member, settings = await _find_coached_table(request, services, table_id, seat)
    return await services.coach.plan(live, member, settings, address_of(request))


@get(
    "/tables/{table_id:str}/loss",
    tags=["playing"],
    summary="Ask what a move would cost, in a match against bots",
    responses=COACH_ERRORS,
)
async def loss(
    request: AnyRequest,
    services: Injected[AnalysisServices],
    table_id: TableId,
    actions: PlayedActions,
    seat: SeatWithDevice = "",
) -> LossView:
    """The part of your chance of winning that the best move keeps. Nothing is played."""
    live, member, settings = await _find_coached_table(request, services, table_id, seat)
    asked = live, member, settings, tuple(actions)
    return await services.coach.loss(*asked, address_of(request))


async def _find_coached_table(
    request: AnyRequest, services: AnalysisServices, table_id: str, seat: str
) -> tuple[LiveTable, Member, ViewerSettings]:
    live, member = await services.find_table(request, table_id, "think")
    settings = await services.tables.viewer_settings(live, member, request_language(request))
    is_held = seat in settings.seats
    return live, member, replace(settings, unveiled_seat=seat if is_held else None)
