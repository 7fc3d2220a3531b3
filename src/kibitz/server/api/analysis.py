"""The board to try things out on, for programs."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import MediaType, Response, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Body
from msgspec import structs

from kibitz.core.message import Message, Refused
from kibitz.server.analysis import board as analysis_board
from kibitz.server.analysis import evaluation
from kibitz.server.analysis.dependencies import AnalysisServices
from kibitz.server.api.examples import LINE_EXAMPLES, TOUCH_EXAMPLES
from kibitz.server.http.errors import STATUS_REASONS, error_code, error_specs, error_values
from kibitz.server.http.requests import AnyRequest, Injected, address_of, request_language
from kibitz.server.phrases import phrases_for
from kibitz.server.tables import protocol

LINE_ERRORS = {
    **error_specs(403, 413),
    422: ResponseSpec(
        analysis_board.LineRefusal, description=f"{STATUS_REASONS[422]}; `number` says where"
    ),
}


@post(
    "/analysis",
    tags=["analysis"],
    summary="Play out a line of actions from any position",
    status_code=200,
    responses=LINE_ERRORS,
)
async def analyse(
    request: AnyRequest,
    services: Injected[AnalysisServices],
    data: Annotated[analysis_board.Line, Body(examples=LINE_EXAMPLES)],
) -> Response[analysis_board.LineView]:
    """Nothing is stored, and you play all sides. No token is needed."""
    services.context.count(request, "analysis", services.lines.cost(data))
    spoken = request_language(request)
    try:
        live = await services.lines.table_at(data, address_of(request))
    except Refused as error:
        return await _line_refusal(services, data, spoken, error.refusal, address_of(request))
    made: Any = analysis_board.render_line(live, spoken, data)
    return Response(made, media_type=MediaType.JSON)


@post(
    "/analysis/evaluate",
    tags=["analysis"],
    summary="Evaluate the position at the end of a line",
    status_code=200,
    responses={**LINE_ERRORS, **error_specs(403, 409)},
)
async def evaluate(
    request: AnyRequest,
    services: Injected[AnalysisServices],
    data: Annotated[evaluation.TableLine, Body(examples=LINE_EXAMPLES)],
) -> Response[evaluation.PositionEvaluation]:
    """Returns winning chances and the best actions. Refused while you play a live match of this
    game with others, and for the line of any match with others that is not over; `values.table`
    is its id then."""
    services.context.count(request, "think", services.lines.cost(data))
    member, spoken = services.context.member(request), request_language(request)
    await services.analyst.check_match_over(data.table, member)
    try:
        live = await services.lines.table_at(data, address_of(request))
    except Refused as error:
        return await _line_refusal(services, data, spoken, error.refusal, address_of(request))
    await services.analyst.check_fair_line(member, live, spoken)
    return Response(await services.analyst.evaluation(live, spoken, address_of(request)))


@post(
    "/analysis/explain",
    tags=["analysis"],
    summary="Explain why something is not allowed there",
    status_code=200,
    responses=LINE_ERRORS,
)
async def explain_line(
    request: AnyRequest,
    services: Injected[AnalysisServices],
    data: Annotated[analysis_board.TouchedLine, Body(examples=TOUCH_EXAMPLES)],
) -> Response[protocol.RefusalMessage]:
    """`path` lists the elements that were chosen, in order."""
    services.context.count(request, "analysis", services.lines.cost(data))
    spoken = request_language(request)
    try:
        live = await services.lines.table_at(data, address_of(request))
        return Response(analysis_board.why_not(live, spoken, data))
    except Refused as error:
        return await _line_refusal(services, data, spoken, error.refusal, address_of(request))


@post(
    "/analysis/edits",
    tags=["analysis"],
    summary="List possible edits of a position",
    status_code=200,
    responses=LINE_ERRORS,
)
async def list_edits(
    request: AnyRequest,
    services: Injected[AnalysisServices],
    data: Annotated[analysis_board.TouchedLine, Body(examples=TOUCH_EXAMPLES)],
) -> Response[list[analysis_board.EditOption]]:
    """With one place in `path`: what can stand there. With none: edits of the whole board."""
    services.context.count(request, "analysis", services.lines.cost(data))
    spoken = request_language(request)
    try:
        live = await services.lines.table_at(data, address_of(request))
    except Refused as error:
        return await _line_refusal(services, data, spoken, error.refusal, address_of(request))
    return Response(analysis_board.edit_options(live, spoken, "".join(data.path[:1])))


async def _line_refusal(
    services: AnalysisServices, line: analysis_board.Line, spoken: str, why: Message, address: str
) -> Response[Any]:
    """The answer to a line that does not lead to its end: why, and where it stops."""
    number = why.value("number")
    if not isinstance(number, int):
        told = analysis_board.LineRefusal(
            key="",
            message=phrases_for(spoken)(why),
            rule=why.paragraph or None,
            code=error_code(why),
            values=error_values(why),
        )
        return Response(told, status_code=422)
    known = structs.replace(line, actions=line.actions[: number - 1])
    before = await services.lines.table_at(known, address)
    return Response(analysis_board.line_refusal(before, spoken, line, why, number), status_code=422)
