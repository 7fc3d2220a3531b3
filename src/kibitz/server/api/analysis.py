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
from kibitz.server.http.errors import REASONS, key_of, may_fail, values_of
from kibitz.server.http.requests import Asking, language
from kibitz.server.phrases import speech
from kibitz.server.tables import protocol

AnyRequest = Request[Any, Any, Any]
LINE = [Example(value={"game": "kalamala", "actions": ["@a1", "@b1"]})]
TOUCHED = [Example(value={"game": "kalamala", "actions": ["@a1"], "path": ["rs-B", "sq-a1"]})]
FAILURES = {
    **may_fail(403, 413),
    422: ResponseSpec(analysis_board.Unplayed, description=f"{REASONS[422]}; `number` says where"),
}


def study_api(asking: Asking, analyst: evaluation.Analyst) -> list[ControllerRouterHandler]:
    studies = analysis_board.Studies()

    @post(
        "/study",
        tags=["study"],
        summary="Where a line of actions leads, from any position",
        status_code=200,
        responses=FAILURES,
    )
    async def studied(
        request: AnyRequest, data: Annotated[analysis_board.Line, Body(examples=LINE)]
    ) -> Response[analysis_board.Studied]:
        """Nothing is written down, and all sides are yours. No token is needed."""
        asking.toll(request, "study")
        spoken = language(request)
        try:
            live = await studies.at(data)
        except Refused as error:
            return await unplayed(data, spoken, error.refusal)
        made: Any = analysis_board.studied(live, spoken, data)
        return Response(made, media_type=MediaType.JSON)

    @post(
        "/study/chances",
        tags=["study"],
        summary="Who is how likely to win there",
        status_code=200,
        responses={**FAILURES, **may_fail(403, 409)},
    )
    async def evaluated(
        request: AnyRequest, data: Annotated[evaluation.TakenLine, Body(examples=LINE)]
    ) -> Response[evaluation.Evaluation]:
        """And what is best. Not for whoever plays this game at a table at the moment."""
        asking.toll(request, "think")
        member, spoken = asking.member(request), language(request)
        await analyst.refuse_players(member, data.game)
        await analyst.refuse_running(data.table, member)
        try:
            live = await studies.at(data)
        except Refused as error:
            return await unplayed(data, spoken, error.refusal)
        return Response(await analyst.evaluation(live, spoken))

    @post(
        "/study/why",
        tags=["study"],
        summary="Why may this not be done there?",
        status_code=200,
        responses=FAILURES,
    )
    async def study_why(
        request: AnyRequest, data: Annotated[analysis_board.Touched, Body(examples=TOUCHED)]
    ) -> Response[protocol.NotDone]:
        """The `path` is what was touched, one element of the drawing after the other."""
        asking.toll(request, "study")
        spoken = language(request)
        try:
            live = await studies.at(data)
            return Response(analysis_board.why_not(live, spoken, data))
        except Refused as error:
            return await unplayed(data, spoken, error.refusal)

    @post(
        "/study/edits",
        tags=["study"],
        summary="What may be made of a position by hand",
        status_code=200,
        responses=FAILURES,
    )
    async def study_edits(
        request: AnyRequest, data: Annotated[analysis_board.Touched, Body(examples=TOUCHED)]
    ) -> Response[list[analysis_board.EditSeen]]:
        """With a `path` of one place what may stand there, with an empty one all of it."""
        asking.toll(request, "study")
        spoken = language(request)
        try:
            live = await studies.at(data)
        except Refused as error:
            return await unplayed(data, spoken, error.refusal)
        return Response(analysis_board.edits(live, spoken, "".join(data.path[:1])))

    async def unplayed(line: analysis_board.Line, spoken: str, why: Message) -> Response[Any]:
        """Why a line does not lead to its end, told where it stops."""
        number = why.value("number")
        if not isinstance(number, int):
            told = analysis_board.Unplayed(
                key="",
                why=speech(spoken)(why),
                rule=why.paragraph or None,
                error=key_of(why),
                values=values_of(why),
            )
            return Response(told, status_code=422)
        before = await studies.at(structs.replace(line, actions=line.actions[: number - 1]))
        return Response(
            analysis_board.not_played(before, spoken, line, why, number), status_code=422
        )

    return [studied, evaluated, study_why, study_edits]
