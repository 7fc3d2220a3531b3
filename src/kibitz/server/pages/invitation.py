"""Invitations: what a link is for, and coming by it."""

from __future__ import annotations

from litestar import MediaType, Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from kibitz.core.message import message
from kibitz.i18n.grammar import join_names
from kibitz.server.accounts.dependencies import AccountServices, InjectedAccounts
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnyRequest, Form, request_language
from kibitz.server.pages.picture import vignette
from kibitz.server.pages.table_labels import clock_text, table_url
from kibitz.server.tables.actions import StaleRequest
from kibitz.server.tables.invitations import PARTY
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.service import validate_entropy
from kibitz.server.tables.viewers import phrases_at, seat_glyph


@get("/join/{table_id:str}/{token:str}", media_type=MediaType.HTML)
async def invitation(
    request: AnyRequest, services: InjectedAccounts, table_id: str, token: str
) -> Response[str]:
    """Looking at a link takes no seat: programs look at links, too."""
    live = await _find_table(request, services, table_id)
    member, cookies = services.context.ensure_guest(request)
    place = await services.tables.place_of_link(live, token, member)
    name = await services.live_tables.display_name(member)
    language = request_language(request)
    say = phrases_at(live, language)
    people = live.people
    sitting = people.members.get(place, ())
    note = say.first(f"{live.game.name}.note-{place}")
    shown = {
        "game_title": say.t(f"{live.game.name}.title"),
        "place": place,
        "place_name": say.names.get(place) or say.t(f"page.place-{place}"),
        "place_note": note if note.lower() != say.names.get(place, "").lower() else "",
        "is_seat": place in people.members,
        "glyph": Markup(seat_glyph(live, place)) if place in people.members else "",
        "taken": bool(sitting),
        "others": join_names(filter(None, (live.names.get(each) for each in sitting))),
        "host": live.names.get(people.host, ""),
        "settings": [text for text in (clock_text(live.settings.clock, say),) if text],
        "rated": live.settings.rated,
        "has_account": bool(await services.accounts.account_of(member)),
        "to": f"/join/{live.id}/{token}",
        "over": live.table.is_over,
        "vignette_svg": vignette(live.game.name, language),
        "mine": place in people.seats_of(member) or people.has_role(member, place),
        "url": table_url(live),
    }
    return services.templates.page(
        "invitation.html", say, cookies, is_secret=True, invitation=shown, name=name
    )


@post("/join/{table_id:str}/{token:str}")
async def join(
    request: AnyRequest, services: InjectedAccounts, table_id: str, token: str, data: Form
) -> Redirect:
    live = await _find_table(request, services, table_id)
    member, cookies = services.context.ensure_guest(request)
    if (name := data.get("name", "")) and not await services.accounts.account_of(member):
        await services.tables.rename_member(member, name)
    entropy = validate_entropy(data.get("entropy", ""))
    try:
        place = await services.tables.join_by_link(live, member, token, entropy)
    except StaleRequest:
        raise HttpError(409, message("server.stale")) from None
    return Redirect(_join_target(live, place, request), status_code=303, cookies=cookies)


async def _find_table(request: AnyRequest, services: AccountServices, table_id: str) -> LiveTable:
    services.context.count(request, "join")
    live = await services.live_tables.find_table(table_id)
    if live is None:
        raise HttpError(404, message("server.no-link"))
    return live


def _join_target(live: LiveTable, place: str, request: AnyRequest) -> str:
    """The page for somebody who came by a link."""
    if live.game.companion and request.query_params.get("to") == "night":
        return f"/t/{live.id}/night"
    if live.game.companion is None:
        return f"/t/{live.id}"
    return f"/{PARTY if place == PARTY else 'book'}/{live.id}"
