"""Pages of a table: the board, its envelope, its links as pictures, its record and position."""

from __future__ import annotations

import io

import segno
from litestar import MediaType, Response, get

from kibitz.core.message import message
from kibitz.core.record import write_record
from kibitz.i18n.grammar import join_names
from kibitz.server.bot_preparation import BotPreparation
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import NO_STORE_HEADERS, AnyRequest, Injected, request_language
from kibitz.server.pages.lessons import has_lessons
from kibitz.server.pages.table_labels import clock_text, play_mode_text
from kibitz.server.phrases import Phrases, date_time_text
from kibitz.server.tables.dependencies import InjectedTables
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.records import is_open, record_of, seal_fault, seal_of
from kibitz.server.tables.telling.previews import table_preview
from kibitz.server.tables.viewers import phrases_at
from kibitz.table.handover import viewer_of
from kibitz.table.seating import Member


@get("/t/{table_id:str}", media_type=MediaType.HTML)
async def table(
    request: AnyRequest,
    services: InjectedTables,
    preparation: Injected[BotPreparation],
    table_id: str,
) -> Response[str]:
    live, member, cookies = await services.visit_table(request, table_id)
    say, game = phrases_at(live, request_language(request)), live.game.name
    shown = {
        "id": live.id,
        "game": game,
        "title": say.t(f"{game}.title"),
        "rules_url": f"/rules/{game}",
        "lessons_url": f"/learn/{game}" if has_lessons(game) else "",
        "record_url": f"/t/{live.id}/record",
        "seal_url": f"/t/{live.id}/seal",
        "chips": [
            text
            for text in (play_mode_text(live, say), clock_text(live.settings.clock, say))
            if text
        ],
        "rated": live.settings.rated,
        "links": await services.tables.links_of(live, member),
    }
    is_prepared = preparation.is_ready or not live.people.bots
    return services.templates.page(
        "table.html",
        say,
        cookies,
        table=shown,
        preview=table_preview(services.context, request, live),
        prepared_percent=None if is_prepared else preparation.percent,
        back=f"/t/{live.id}",
    )


@get("/t/{table_id:str}/qr/{place:str}")
async def qr(
    request: AnyRequest, services: InjectedTables, table_id: str, place: str
) -> Response[bytes]:
    live, member = await services.find_table(request, table_id)
    path = (await services.tables.links_of(live, member)).get(place)
    if path is None:
        raise HttpError(404, message("server.no-link"))
    code = qr_svg(services.context.link_url(request, path))
    return Response(code, media_type="image/svg+xml", headers=NO_STORE_HEADERS)


@get("/t/{table_id:str}/record")
async def record(request: AnyRequest, services: InjectedTables, table_id: str) -> Response[str]:
    live, member = await services.find_table(request, table_id, "export")
    return record_file(live, member)


def record_file(live: LiveTable, member: Member) -> Response[str]:
    """The record as somebody may have it, to be kept as a file."""
    name = f"{live.game.name}-{live.id}.json"
    return Response(
        write_record(record_of(live, member)) + "\n",
        media_type=MediaType.JSON,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@get("/t/{table_id:str}/position", media_type=MediaType.TEXT)
async def position(request: AnyRequest, services: InjectedTables, table_id: str) -> str:
    live, member = await services.find_table(request, table_id)
    viewer = viewer_of(live.table, live.seats_of(member))
    return live.game.notation.write_view(live.table.view(viewer)) + "\n"


@get("/t/{table_id:str}/seal", media_type=MediaType.HTML)
async def envelope(request: AnyRequest, services: InjectedTables, table_id: str) -> Response[str]:
    live, _ = await services.find_table(request, table_id)
    say = phrases_at(live, request_language(request))
    sealed = seal_of(live)
    fault = seal_fault(live) if is_open(live) else None
    return services.templates.page(
        "envelope.html",
        say,
        seal=sealed,
        closed=date_time_text(sealed["closed"], say) if sealed else "",
        opened=date_time_text(sealed["opened"], say) if sealed and "opened" in sealed else "",
        id=live.id,
        draws=len(live.table.recorded_draws),
        contributors=_contributor_names(live, say),
        over=is_open(live),
        fault=say(fault.refusal) if fault else "",
        game_title=say.t(f"{live.game.name}.title"),
        file=f"{live.game.name}-{live.id}.json",
        record_url=f"/t/{live.id}/record",
        url=f"/t/{live.id}",
    )


def _contributor_names(live: LiveTable, say: Phrases) -> str:
    """The seats that added to the dice after they saw the envelope."""
    told = {seat for envelope in live.table.envelopes for seat, _ in envelope.texts}
    return join_names(str(say.names[seat]) for seat in live.game.seats if seat in told)


def qr_svg(address: str) -> bytes:
    """A picture of an address, to be read by a camera."""
    made = io.BytesIO()
    segno.make(address, error="m").save(made, kind="svg", border=2, xmldecl=False)
    return made.getvalue()
