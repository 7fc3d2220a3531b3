"""What is said at a table, for programs and for the page of a host."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, get, post
from litestar.openapi.spec import Example
from litestar.params import Body, Parameter
from litestar.types import ControllerRouterHandler
from msgspec import Struct

from kibitz.core.message import message
from kibitz.server.api.tables import AT_A_TABLE, TableId
from kibitz.server.http.errors import may_fail
from kibitz.server.http.requests import Asking, language
from kibitz.server.tables import chat, protocol
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.service import Desk, Problem
from kibitz.table.seating import Member

AnyRequest = Request[Any, Any, Any]
SAYING = [Example(value={"text": "Good game!"}), Example(value={"text": ":good-game:"})]
TENDING = [Example(value={"what": "mute", "who": "1f0c8e27a9d3b645"})]


class Saying(Struct, forbid_unknown_fields=True):
    """Something to say."""

    text: protocol.Text
    """At most 500 letters. `:hello:`, `:good-luck:`, `:well-played:`, `:good-game:`, `:thanks:`
    and `:moment:` are read in the reader's language."""
    room: str = ""
    """Which room it is meant for; yours, where it is left out."""


class Written(Struct):
    """It is on disk."""

    n: int


class ChatSeen(Struct):
    """What is said at a table, as far as you may read it, and for its host who is there."""

    said: protocol.Said
    people: list[protocol.PersonSeen]


def chat_api(desk: Desk, asking: Asking) -> list[ControllerRouterHandler]:
    talks = desk.tables.chat

    async def found(request: AnyRequest, table_id: str) -> tuple[LiveTable, Member]:
        member = asking.member(request)
        return await desk.table(table_id, member), member

    @get(
        "/tables/{table_id:str}/chat",
        tags=["chat"],
        summary="What is said at a table",
        responses=may_fail(*AT_A_TABLE),
    )
    async def read(
        request: AnyRequest,
        table_id: TableId,
        since: Annotated[int, Parameter(ge=0, description="The `n` that you know")] = 0,
    ) -> ChatSeen:
        """Players read the spectators' room only when the match is over. As it happens it comes
        with the events of the table, as `said`."""
        asking.toll(request, "pages")
        live, member = await found(request, table_id)
        await talks.look(live)
        heard = chat.Heard(since, chat.rooms_of(live, member)) if since else None
        told = chat.said(live, member, language(request), heard)
        if told is None:
            raise Problem(404, message("server.chat-alone"))
        is_host = member == live.people.host
        return ChatSeen(told[0], await talks.people(live, member) if is_host else [])

    @post(
        "/tables/{table_id:str}/chat",
        tags=["chat"],
        summary="Say something",
        status_code=200,
        responses=may_fail(*AT_A_TABLE, 403, 413, 422),
    )
    async def say(
        request: AnyRequest, table_id: TableId, data: Annotated[Saying, Body(examples=SAYING)]
    ) -> Written:
        """Whoever has a part in the match says it to all, whoever looks on to others who do."""
        asking.toll(request, "chat")
        live, member = await found(request, table_id)
        return Written(await talks.say(live, member, data.text, data.room))

    @post(
        "/tables/{table_id:str}/chat/tend",
        tags=["chat"],
        summary="Remove, mute, send away, turn off",
        status_code=200,
        responses=may_fail(*AT_A_TABLE, 403, 413, 422),
    )
    async def tend(
        request: AnyRequest,
        table_id: TableId,
        data: Annotated[protocol.Tended, Body(examples=TENDING)],
    ) -> Written:
        """`remove` a line `n`, your own or as the host; `mute` and `unmute` somebody; send a
        spectator `out` and let them `in` again; turn it all `off` and `on`."""
        asking.toll(request, "ask")
        live, member = await found(request, table_id)
        return Written(await talks.tend(live, member, data))

    return [read, say, tend]
