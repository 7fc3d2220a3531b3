"""Forms that open a table or look for an opponent."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from litestar import post
from litestar.response import Redirect

from kibitz.bots.registry import bots_for_game
from kibitz.core.message import message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnyRequest, Form, request_language
from kibitz.server.tables.dependencies import InjectedTables
from kibitz.server.tables.lobby import Seek, seek_opponent
from kibitz.server.tables.service import ME, OpenTable, validate_entropy
from kibitz.server.tables.settings import (
    ClockSettings,
    Days,
    Fischer,
    NoClock,
    TableSettings,
    read_settings,
)
from kibitz.server.tables.solo.new_match import another_bot_table
from kibitz.table.table import FILL_IN_BOT

MAX_PARAMETER_LETTERS = 20_000
"""Of a position or of options in an address."""
COMPANION = "companion"
COMPANION_OPTIONS = {"mode": COMPANION}
PLAY_MODES = ("device", "bot", "friend", "open", COMPANION)
_CLOCK_DECODER = msgspec.json.Decoder(NoClock | Fischer | Days)


@post("/tables")
async def open_table(request: AnyRequest, services: InjectedTables, data: Form) -> Redirect:
    services.context.count(request, "open")
    asked = _read_table_form(data)
    member, cookies = services.context.ensure_guest(request)
    table_id = await services.tables.open_table(member, asked, request_language(request))
    place = "book" if data.get("play") == COMPANION else "t"
    return Redirect(f"/{place}/{table_id}", status_code=303, cookies=cookies)


@post("/t/{table_id:str}/again")
async def open_another(
    request: AnyRequest, services: InjectedTables, table_id: str, data: Form
) -> Redirect:
    """A fresh table like one against bots, with another bot where the form names one."""
    live, member = await services.find_table(request, table_id, "open")
    bot = data.get("bot", "")
    another = await another_bot_table(services.tables, live, member, bot)
    return Redirect(f"/t/{another}", status_code=303)


@post("/seeks")
async def seek(request: AnyRequest, services: InjectedTables, data: Form) -> Redirect:
    services.context.count(request, "open")
    entropy = validate_entropy(data.get("entropy", ""))
    asked = Seek(data.get("game", ""), _read_clock(data), entropy, data.get("rated") == "1")
    member, cookies = services.context.ensure_guest(request)
    table_id = await seek_opponent(services.tables, member, asked)
    return Redirect(f"/t/{table_id}", status_code=303, cookies=cookies)


def _read_table_form(data: dict[str, str]) -> OpenTable:
    """The table that a form of the first page asks for; raises HttpError."""
    game, play = data.get("game", ""), data.get("play", "")
    bot = data.get("bot") or FILL_IN_BOT
    if game not in GAMES or play not in PLAY_MODES or bot not in bots_for_game(game):
        raise HttpError(400, message("server.bad-request"))
    seats = GAMES[game].game(GAMES[game].preset).seats
    seat = data.get("seat") or seats[0]
    if seat not in seats:
        raise HttpError(400, message("server.bad-request"))
    others = {"bot": bot, "friend": "free", "open": "free"}.get(play, ME)
    options = read_options(data.get("options", ""))
    start = data.get("start") or START
    if len(start) > MAX_PARAMETER_LETTERS:
        raise HttpError(400, message("server.bad-request"))
    return OpenTable(
        game=game,
        seats={each: ME if each == seat else others for each in seats},
        options={**COMPANION_OPTIONS, **options} if play == COMPANION else options,
        official_rules=data.get("by_rulebook") == "1",
        settings=_read_table_settings(data),
        start=start,
        is_open=play == "open",
        entropy=validate_entropy(data.get("entropy", "")),
    )


def _read_table_settings(data: dict[str, str]) -> TableSettings:
    """The clock, reminders and the book of a form; its teams as JSON, as the API has them."""
    names = ("depth", "entry", "reminders")
    given: dict[str, object] = {name: data[name] for name in names if data.get(name)}
    try:
        given["teams"] = msgspec.json.decode(data.get("teams") or "{}")
        settings = read_settings(given)
    except (msgspec.MsgspecError, RecursionError):
        raise HttpError(400, message("server.bad-request")) from None
    rated, chat = data.get("rated") == "1", data.get("chat") != "0"
    return msgspec.structs.replace(settings, clock=_read_clock(data), rated=rated, chat=chat)


def _read_clock(data: dict[str, str]) -> ClockSettings:
    """A clock as JSON, as the API has it; none where a form says nothing."""
    try:
        read: ClockSettings = _CLOCK_DECODER.decode(data.get("clock") or '{"kind": "none"}')
        return read
    except msgspec.MsgspecError:
        raise HttpError(400, message("server.clock")) from None


def read_options(text: str) -> dict[str, Any]:
    """The options of a form, as JSON; none where it says nothing."""
    try:
        given = json.loads(text or "{}")
        text.encode()
        json.dumps(given, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise HttpError(400, message("server.options"))
    return given
