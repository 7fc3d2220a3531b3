"""Chat of a table, for programs and for the page of a host."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.openapi.spec import Example
from litestar.params import Body, Parameter
from msgspec import Struct

from kibitz.core.message import message
from kibitz.server.api.tables import TABLE_STATUSES, TableId
from kibitz.server.http.errors import HttpError, error_specs
from kibitz.server.http.requests import AnyRequest, Injected, request_language
from kibitz.server.tables import chat, protocol
from kibitz.server.tables.dependencies import TableServices

SAY_EXAMPLES = [Example(value={"text": "Good game!"}), Example(value={"text": ":good-game:"})]
MODERATION_EXAMPLES = [Example(value={"what": "mute", "who": "1f0c8e27a9d3b645"})]


class ChatInput(Struct, forbid_unknown_fields=True):
    """Something to say."""

    text: protocol.Text
    """At most 500 letters. `:hello:`, `:good-luck:`, `:well-played:`, `:good-game:`, `:thanks:`
    and `:moment:` are read in the reader's language."""
    room: str = ""
    """Which room it is meant for; yours, where it is left out."""


class ChatReceipt(Struct):
    """It is on disk."""

    n: int


class ChatView(Struct):
    """What is said at a table, as far as you may read it, and for its host who is there."""

    said: protocol.Said
    people: list[protocol.PersonSeen]


@get(
    "/tables/{table_id:str}/chat",
    tags=["chat"],
    summary="What is said at a table",
    responses=error_specs(*TABLE_STATUSES),
)
async def read(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    since: Annotated[int, Parameter(ge=0, description="The `n` that you know")] = 0,
) -> ChatView:
    """Players read the spectators' room only when the match is over. As it happens it comes
    with the events of the table, as `said`."""
    live, member = await services.find_table(request, table_id)
    await services.live_tables.chat.load_log(live)
    heard = chat.ChatCursor(since, chat.rooms_of(live, member)) if since else None
    told = chat.chat_update(live, member, request_language(request), heard)
    if told is None:
        raise HttpError(404, message("server.chat-alone"))
    is_host = member == live.people.host
    return ChatView(
        told[0], await services.live_tables.chat.moderation_list(live, member) if is_host else []
    )


@post(
    "/tables/{table_id:str}/chat",
    tags=["chat"],
    summary="Say something",
    status_code=200,
    responses=error_specs(*TABLE_STATUSES, 403, 413, 422),
)
async def say(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    data: Annotated[ChatInput, Body(examples=SAY_EXAMPLES)],
) -> ChatReceipt:
    """Whoever has a part in the match says it to all, whoever looks on to others who do."""
    live, member = await services.find_table(request, table_id, "chat")
    return ChatReceipt(
        await services.live_tables.chat.post_message(live, member, data.text, data.room)
    )


@post(
    "/tables/{table_id:str}/chat/tend",
    tags=["chat"],
    summary="Remove, mute, send away, turn off",
    status_code=200,
    responses=error_specs(*TABLE_STATUSES, 403, 413, 422),
)
async def tend(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    data: Annotated[protocol.Tended, Body(examples=MODERATION_EXAMPLES)],
) -> ChatReceipt:
    """`remove` a line `n`, your own or as the host; `mute` and `unmute` somebody; send a
    spectator `out` and let them `in` again; turn it all `off` and `on`."""
    live, member = await services.find_table(request, table_id, "ask")
    return ChatReceipt(await services.live_tables.chat.moderate_chat(live, member, data))
