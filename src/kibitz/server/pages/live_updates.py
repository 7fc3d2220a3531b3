"""The socket of a table's page."""

from __future__ import annotations

from litestar import websocket

from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnySocket, address_of, request_language
from kibitz.server.tables.chat import ChatCursor
from kibitz.server.tables.connection import CLOSE_NO_TABLE, Connection
from kibitz.server.tables.dependencies import InjectedTables

CLOSE_TOO_MANY = 4429
"""The code of a socket that is closed because there are too many, or they come too fast."""


@websocket("/t/{table_id:str}/live")
async def live_updates(socket: AnySocket, services: InjectedTables, table_id: str) -> None:
    await socket.accept()
    context = services.context
    address, member = address_of(socket), context.member(socket)
    if context.count_or_wait(socket, "connect") or not context.connection_counter.enter(address):
        await socket.close(CLOSE_TOO_MANY)
        return
    try:
        try:
            live = await services.tables.find_table(table_id, member)
            context.refuse_program(socket, live.settings.rated)
            await services.live_tables.chat.load_log(live)
        except HttpError:
            await socket.close(CLOSE_NO_TABLE)
            return
        is_tall = socket.query_params.get("is_tall") == "1"
        is_for_room = socket.query_params.get("is_for_room") == "1"
        settings = await services.tables.viewer_settings(
            live, member, request_language(socket), is_tall, is_for_room
        )
        since = _read_number(socket.query_params.get("since", ""))
        known = since if live.effects_since(since) else None
        limits = context.limits_of(socket)
        page = Connection(
            socket, services.live_tables, live, member, settings, limits.count_or_wait, known
        )
        page.is_patched = socket.query_params.get("is_patched") == "1"
        page.chat_cursor = _chat_cursor(socket)
        await page.serve()
    finally:
        context.connection_counter.leave(address)


def _chat_cursor(socket: AnySocket) -> ChatCursor | None:
    """The latest line of chat that a page knows, and in which rooms."""
    n = _read_number(socket.query_params.get("chat_since", ""))
    rooms = socket.query_params.get("rooms", "")
    return None if n is None else ChatCursor(n, tuple(rooms.split(",")))


def _read_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
