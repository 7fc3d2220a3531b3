"""Chat of a table, for programs and for the page of a host."""

from __future__ import annotations

from typing import Annotated

from litestar import delete, get, post
from litestar.openapi.spec import Example
from litestar.params import Body, Parameter
from msgspec import Struct

from kibitz.core.message import message
from kibitz.server.api.tables import TABLE_STATUSES, TableId
from kibitz.server.http.errors import HttpError, error_specs
from kibitz.server.http.requests import AnyRequest, Injected, address_of, request_language
from kibitz.server.tables import chat, protocol
from kibitz.server.tables.dependencies import TableServices

SAY_EXAMPLES = [Example(value={"text": "Good game!"}), Example(value={"text": ":good-game:"})]
MODERATION_EXAMPLES = [Example(value={"do": "mute", "who": "1f0c8e27a9d3b645"})]


class ChatInput(Struct, forbid_unknown_fields=True):
    """Something to say."""

    text: protocol.Text
    """At most 500 letters. `:hello:`, `:good-luck:`, `:well-played:`, `:good-game:`, `:thanks:`
    and `:moment:` are read in the reader's language."""
    room: str = ""
    """The room it is meant for; yours, where it is left out."""


class ChatReceipt(Struct):
    """It is on disk."""

    n: int


class TableChat(Struct):
    """The chat of a table, as far as you may read it, and for its host those who are there."""

    chat: protocol.ChatView
    people: list[protocol.PersonView]


@get(
    "/tables/{table_id:str}/chat",
    tags=["chat"],
    summary="Read the chat",
    responses=error_specs(*TABLE_STATUSES),
)
async def read_chat(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    since: Annotated[int, Parameter(ge=0, description="Only messages after this `n`")] = 0,
) -> TableChat:
    """Players can read the spectators' room only after the match. New messages also arrive
    with the table's events, as `chat`."""
    live, member = await services.find_table(request, table_id)
    await services.live_tables.chat.load_log(live)
    cursor = chat.ChatCursor(since, chat.rooms_of(live, member)) if since else None
    update = chat.chat_update(live, member, request_language(request), cursor)
    if update is None:
        raise HttpError(404, message("server.chat-alone"))
    is_host = member == live.people.host
    return TableChat(
        update[0], await services.live_tables.chat.moderation_list(live, member) if is_host else []
    )


@post(
    "/tables/{table_id:str}/chat",
    tags=["chat"],
    summary="Send a chat message",
    status_code=200,
    responses=error_specs(*TABLE_STATUSES, 403, 413, 422),
)
async def say(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    data: Annotated[ChatInput, Body(examples=SAY_EXAMPLES)],
) -> ChatReceipt:
    """Everyone reads players' messages; during a match only spectators read spectators'."""
    live, member = await services.find_table(request, table_id, "chat")
    return ChatReceipt(
        await services.live_tables.chat.post_message(
            live, member, data.text, data.room, address_of(request)
        )
    )


@delete(
    "/tables/{table_id:str}/chat/{n:int}",
    tags=["chat"],
    summary="Delete a message",
    status_code=200,
    responses=error_specs(*TABLE_STATUSES, 403, 422),
)
async def remove_line(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    n: Annotated[int, Parameter(ge=1, description="The number of the message")],
) -> ChatReceipt:
    """Your own, or any as the host."""
    live, member = await services.find_table(request, table_id, "act")
    return ChatReceipt(await services.live_tables.chat.remove_line(live, member, n))


@post(
    "/tables/{table_id:str}/chat/moderation",
    tags=["chat"],
    summary="Moderate the chat",
    status_code=200,
    responses=error_specs(*TABLE_STATUSES, 403, 413, 422),
)
async def moderate(
    request: AnyRequest,
    services: Injected[TableServices],
    table_id: TableId,
    data: Annotated[protocol.ChatModeration, Body(examples=MODERATION_EXAMPLES)],
) -> ChatReceipt:
    """The host can `mute` and `unmute` a person, remove a spectator from the table
    (`remove-person`) or let them back in (`readmit`), and `close` or `open` the chat."""
    live, member = await services.find_table(request, table_id, "act")
    return ChatReceipt(await services.live_tables.chat.moderate_chat(live, member, data))
