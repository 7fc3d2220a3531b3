"""Everything a page does, as JSON for programs; its schema is at `/api/v1/openapi.json`."""

from __future__ import annotations

from litestar import Router
from litestar.datastructures import ResponseHeader

from kibitz.server.api import (
    analysis,
    chat,
    coach,
    games,
    people,
    playing,
    records,
    tables,
    tokens,
)
from kibitz.server.http.openapi import API_PATH
from kibitz.server.http.routing import handlers_in

RATE_LIMIT_HEADERS = (
    ResponseHeader(
        name="RateLimit-Policy",
        description='The limit that this was counted for: `"act";q=60;w=12`, 60 at once, in 12 s',
        documentation_only=True,
    ),
    ResponseHeader(
        name="RateLimit",
        description='What is left of it: `"act";r=12;t=10`, 12 now, and all again in 10 s',
        documentation_only=True,
    ),
)


def api_router() -> Router:
    handlers = handlers_in(
        *(games, people, tokens, tables, playing, coach, records, chat, analysis)
    )
    return Router(path=API_PATH, route_handlers=handlers, response_headers=RATE_LIMIT_HEADERS)
