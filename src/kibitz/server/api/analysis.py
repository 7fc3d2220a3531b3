"""The board to try things out on, for programs."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import MediaType, Request, Response, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import Body
from litestar.types import ControllerRouterHandler
from msgspec import structs

from kibitz.core.message import Message, Refused
from kibitz.server.analysis import board as analysis_board
from kibitz.server.analysis import evaluation
from kibitz.server.http.errors import STATUS_REASONS, error_key, error_specs, error_values
from kibitz.server.http.requests import RequestContext, request_language
from kibitz.server.phrases import phrases_for
from kibitz.server.tables import protocol

AnyRequest = Request[Any, Any, Any]
LINE_EXAMPLES = [Example(value={"game": "kalamala", "actions": ["@a1", "@b1"]})]
TOUCH_EXAMPLES = [
    Example(value={"game": "kalamala", "actions": ["@a1"], "path": ["rs-B", "sq-a1"]})
]
LINE_ERRORS = {
    **error_specs(403, 413),
    422: ResponseSpec(
        analysis_board.LineRefusal, description=f"{STATUS_REASONS[422]}; `number` says where"
    ),
}


def analysis_api(
    asking: RequestContext, analyst: evaluation.Analyst
) -> list[ControllerRouterHandler]:
    studies = analysis_board.LineCache()

    @post(
        "/study",
        tags=["study"],
        summary="Where a line of actions leads, from any position",
        status_code=200,
        responses=LINE_ERRORS,
    )
    async def studied(
        request: AnyRequest, data: Annotated[analysis_board.Line, Body(examples=LINE_EXAMPLES)]
    ) -> Response[analysis_board.LineView]:
        """Nothing is written down, and all sides are yours. No token is needed."""
        asking.count(request, "study")
        spoken = request_language(request)
        try:
            live = await studies.table_at(data)
        except Refused as error:
            return await unplayed(data, spoken, error.refusal)
        made: Any = analysis_board.render_line(live, spoken, data)
        return Response(made, media_type=MediaType.JSON)

    @post(
        "/study/chances",
        tags=["study"],
        summary="Who is how likely to win there",
        status_code=200,
        responses={**LINE_ERRORS, **error_specs(403, 409)},
    )
    async def evaluated(
        request: AnyRequest, data: Annotated[evaluation.TableLine, Body(examples=LINE_EXAMPLES)]
    ) -> Response[evaluation.PositionEvaluation]:
        """And what is best. Not for whoever plays this game at a table at the moment."""
        asking.count(request, "think")
        member, spoken = asking.member(request), request_language(request)
        await analyst.check_not_playing(member, data.game)
        await analyst.check_match_over(data.table, member)
        try:
            live = await studies.table_at(data)
        except Refused as error:
            return await unplayed(data, spoken, error.refusal)
        return Response(await analyst.evaluation(live, spoken))

    @post(
        "/study/why",
        tags=["study"],
        summary="Why may this not be done there?",
        status_code=200,
        responses=LINE_ERRORS,
    )
    async def study_why(
        request: AnyRequest,
        data: Annotated[analysis_board.TouchedLine, Body(examples=TOUCH_EXAMPLES)],
    ) -> Response[protocol.NotDone]:
        """The `path` is what was touched, one element of the drawing after the other."""
        asking.count(request, "study")
        spoken = request_language(request)
        try:
            live = await studies.table_at(data)
            return Response(analysis_board.why_not(live, spoken, data))
        except Refused as error:
            return await unplayed(data, spoken, error.refusal)

    @post(
        "/study/edits",
        tags=["study"],
        summary="What may be made of a position by hand",
        status_code=200,
        responses=LINE_ERRORS,
    )
    async def study_edits(
        request: AnyRequest,
        data: Annotated[analysis_board.TouchedLine, Body(examples=TOUCH_EXAMPLES)],
    ) -> Response[list[analysis_board.EditOption]]:
        """With a `path` of one place what may stand there, with an empty one all of it."""
        asking.count(request, "study")
        spoken = request_language(request)
        try:
            live = await studies.table_at(data)
        except Refused as error:
            return await unplayed(data, spoken, error.refusal)
        return Response(analysis_board.edit_options(live, spoken, "".join(data.path[:1])))

    async def unplayed(line: analysis_board.Line, spoken: str, why: Message) -> Response[Any]:
        """Why a line does not lead to its end, told where it stops."""
        number = why.value("number")
        if not isinstance(number, int):
            told = analysis_board.LineRefusal(
                key="",
                why=phrases_for(spoken)(why),
                rule=why.paragraph or None,
                error=error_key(why),
                values=error_values(why),
            )
            return Response(told, status_code=422)
        before = await studies.table_at(structs.replace(line, actions=line.actions[: number - 1]))
        return Response(
            analysis_board.line_refusal(before, spoken, line, why, number), status_code=422
        )

    return [studied, evaluated, study_why, study_edits]
