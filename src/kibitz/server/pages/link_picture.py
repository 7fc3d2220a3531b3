"""Pictures that messengers show of our links, as PNG, for they draw no SVG.

They show what a stranger may see and nothing else. Words on a board are in the language of the
link, and missing where the server's machine has no fonts.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Annotated, Any

from litestar import Response, get
from litestar.params import Parameter
from resvg_py import svg_to_bytes

from kibitz.core.colours import LIGHT
from kibitz.core.drawing import Box, Drawing, Look, svg, with_theme_colours
from kibitz.core.game import SPECTATOR
from kibitz.core.message import Refused, message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.i18n import FALLBACK, LANGUAGES
from kibitz.server.http.errors import HttpError
from kibitz.server.http.link_preview import PICTURE_HEIGHT, PICTURE_WIDTH
from kibitz.server.http.requests import AnyRequest
from kibitz.server.pages.new_table import MAX_PARAMETER_LETTERS, read_options
from kibitz.server.pages.picture import still_picture
from kibitz.server.phrases import phrases_for
from kibitz.server.tables.dependencies import InjectedTables, TableServices
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.viewers import phrases_at
from kibitz.table import open_table
from kibitz.table.companion import LEDGER

BOARD_BOX = 400, 35, 760, 560
"""Where the board is in a picture: left, top, width, height."""
DRAWING_COST = 4.0
"""Drawing one costs as much as so many positions of an analysis."""
MAX_MOVES = 400
MOVES_PER_COST = 20
KEPT_PICTURES = 64
SUFFIX = ".png"
PUBLIC_HEADERS = {"Cache-Control": "public, max-age=86400"}
MARK = (
    '<path d="M24 3C11 3 3.5 10.5 3.5 21.5c0 6 2.3 10.6 6.2 13.8l-2 8.2c-.3 1.3 1 2.3 2.2 1.6l8.4-5'
    '.3c1.8.4 3.7.6 5.7.6 13 0 20.5-7.5 20.5-18.9S37 3 24 3Z" fill="#5A3AC2"/><ellipse cx="17" '
    'cy="21.5" rx="7" ry="8.5" fill="#FFF8E8"/><ellipse cx="32.5" cy="21.5" rx="7" ry="8.5" '
    'fill="#FFF8E8"/><circle cx="19.6" cy="24" r="4" fill="#251B35"/><circle cx="35.1" cy="24" '
    'r="4" fill="#251B35"/><circle cx="21" cy="22.4" r="1.4" fill="#fff"/><circle cx="36.5" '
    'cy="22.4" r="1.4" fill="#fff"/><path d="M26.5 9.6c3-2.3 7.4-2.4 10.3-.2" fill="none" '
    'stroke="#F08A24" stroke-width="3.4" stroke-linecap="round"/>'
)
WORD = (
    f'<g fill="none" stroke="{LIGHT["ink"]}" stroke-width="6.4" stroke-linecap="round" '
    'stroke-linejoin="round"><path d="M2 0V32M16 11.5L3.5 22.5M7.5 19.5L17 32"/><path d="M28 13V32'
    '"/><path d="M40 0V22a10 10 0 1 0 10-10a10 10 0 0 0-10 10"/><path d="M71 13V32"/><path d="M84 '
    '3V24c0 6 3 8.4 8 7.8M78 12H91"/><path d="M99 12.5H110L98.5 32H110.5"/></g><circle cx="28" '
    'cy="2" r="4.6" fill="#F08A24"/><rect x="66.8" y="-2.2" width="8.4" height="8.4" rx="2" '
    'fill="#5A3AC2"/>'
)
"""Our mark and our name, as templates/art.html has them."""
_drawing = asyncio.Semaphore(1)


@get("/preview/kibitz.png")
async def home_picture(request: AnyRequest, services: InjectedTables) -> Response[bytes]:
    return await _picture_response(request, services, _frame(()), PUBLIC_HEADERS)


@get("/preview/{name:str}")
async def game_picture(
    request: AnyRequest,
    services: InjectedTables,
    name: str,
    position: Annotated[str, Parameter(max_length=MAX_PARAMETER_LETTERS)] = "",
    options: Annotated[str, Parameter(max_length=MAX_PARAMETER_LETTERS)] = "",
    moves: Annotated[str, Parameter(max_length=MAX_PARAMETER_LETTERS)] = "",
    language: Annotated[str, Parameter(max_length=8)] = FALLBACK,
) -> Response[bytes]:
    """A game by itself, or a position of an analysis board, which its address holds."""
    game = name.removesuffix(SUFFIX)
    if game not in GAMES or not name.endswith(SUFFIX):
        raise HttpError(404, message("server.no-page"))
    language = language if language in LANGUAGES else FALLBACK
    if position or options or moves:
        # Working out a line costs more than drawing.
        services.context.count(request, "analysis", 1 + moves.count(",") / MOVES_PER_COST)
        async with _drawing:
            markup = await asyncio.to_thread(_line_svg, game, language, position, options, moves)
    else:
        markup = emblem_svg(game, language)
    return await _picture_response(request, services, markup, PUBLIC_HEADERS)


@get("/t/{table_id:str}/preview.png")
async def table_picture(
    request: AnyRequest, services: InjectedTables, table_id: str
) -> Response[bytes]:
    """A table that anybody may see."""
    services.context.count(request, "pages")
    live = await services.tables.find_table(table_id, "")
    return await _picture_response(request, services, table_svg(live))


@get("/t/{table_id:str}/result/{token:str}/preview.png")
async def result_picture(
    request: AnyRequest, services: InjectedTables, table_id: str, token: str
) -> Response[bytes]:
    services.context.count(request, "pages")
    live = await services.tables.find_result(table_id, token)
    return await _picture_response(request, services, table_svg(live))


def table_svg(live: LiveTable) -> str:
    """A table as it stands, for those who sit nowhere; a book without a board as its emblem."""
    language = live.settings.language if live.settings.language in LANGUAGES else FALLBACK
    if live.table.book is not None and live.table.book.depth == LEDGER:
        return emblem_svg(live.game.name, language)
    look = Look(say=phrases_at(live, language), has_labels=False)
    drawing = live.game.ui.draw(live.table.view(SPECTATOR), look)
    return _frame(((drawing, BOARD_BOX),))


@lru_cache
def emblem_svg(name: str, language: str = FALLBACK) -> str:
    """A telling position of a game, the same for every table of it."""
    rulebook = GAMES[name]
    return _position_svg(name, language, {**rulebook.preset}, rulebook.showcase)


def _position_svg(name: str, language: str, options: dict[str, Any], position: str) -> str:
    """Raises Refused where there is no such position."""
    game = GAMES[name].game(options)
    state = game.rules.start() if position == START else game.notation.read_state(position)
    look = Look(say=phrases_for(language, name, game.seats), has_labels=False)
    drawing = game.ui.draw(game.rules.view(state, SPECTATOR, ()), look)
    return _frame(((drawing, BOARD_BOX),))


def _line_svg(name: str, language: str, position: str, options: str, moves: str) -> str:
    """The position that an address of an analysis board leads to; the game's emblem where it leads
    nowhere, as the page says in words."""
    rulebook = GAMES[name]
    try:
        chosen = read_options(options) if options else dict(rulebook.preset)
        table = open_table(rulebook.game(chosen), position or START)
        for text in moves.split(",")[:MAX_MOVES] if moves else ():
            action = table.game.notation.read_action(text)
            table, _ = table.act(table.game.rules.actor_of(table.state, action), text)
    except (Refused, HttpError):
        return emblem_svg(name, language)
    reached = table.game.notation.write_state(table.state)
    return _position_svg(name, language, dict(table.game.options), reached)


def _frame(boards: tuple[tuple[Drawing, tuple[int, int, int, int]], ...]) -> str:
    """Boards on paper beside our mark; the mark alone and large where there are none."""
    parts = [_board_svg(drawing, box) for drawing, box in boards]
    size, left, top = (200, 100, 150) if boards else (280, 460, 60)
    brand = (
        f'<svg x="{left}" y="{top}" width="{size}" height="{size}" viewBox="0 0 48 48">{MARK}</svg>'
        f'<svg x="{left - size * 0.2}" y="{top + size * 1.15}" width="{size * 1.4}" '
        f'height="{size * 0.55}" viewBox="-4 -6 118 46">{WORD}</svg>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{PICTURE_WIDTH}" '
        f'height="{PICTURE_HEIGHT}" viewBox="0 0 {PICTURE_WIDTH} {PICTURE_HEIGHT}">'
        f'<rect width="100%" height="100%" fill="{LIGHT["paper"]}"/>{brand}{"".join(parts)}</svg>'
    )


def _board_svg(drawing: Drawing, box: tuple[int, int, int, int]) -> str:
    placement = str(Box(*box))
    return with_theme_colours(svg(still_picture(drawing), placement=placement), "light")


async def _picture_response(
    request: AnyRequest,
    services: TableServices,
    markup: str,
    headers: dict[str, str] | None = None,
) -> Response[bytes]:
    """One at a time is drawn, and those of late are kept."""
    services.context.count(request, "analysis", DRAWING_COST)
    async with _drawing:
        made = await asyncio.to_thread(_draw_png, markup)
    return Response(made, media_type="image/png", headers=headers or {})


@lru_cache(maxsize=KEPT_PICTURES)
def _draw_png(markup: str) -> bytes:
    return bytes(svg_to_bytes(svg_string=markup, width=PICTURE_WIDTH, height=PICTURE_HEIGHT))
