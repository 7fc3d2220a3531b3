"""Invitations: what a link is for, and coming by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from kibitz.core.game import Seat
from kibitz.core.message import Refused, message
from kibitz.i18n.grammar import join_names
from kibitz.server.accounts.dependencies import AccountServices, InjectedAccounts
from kibitz.server.http.errors import HttpError
from kibitz.server.http.requests import AnyRequest, Form, request_language
from kibitz.server.pages.lessons import has_lessons
from kibitz.server.pages.picture import vignette
from kibitz.server.pages.table_labels import clock_text, table_url
from kibitz.server.phrases import Phrases, bot_name_id
from kibitz.server.tables.actions import StaleRequest
from kibitz.server.tables.invitations import PARTY, ROOM, WATCH
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.service import SEAT_GONE, is_open_to_room, validate_entropy
from kibitz.server.tables.telling.previews import invitation_preview
from kibitz.server.tables.viewers import phrases_at, seat_glyph

GONE = "gone"
"""In the address of an invitation: the seat that was wanted is no longer free."""


@get("/join/{table_id:str}/{token:str}", media_type=MediaType.HTML)
async def invitation(
    request: AnyRequest, services: InjectedAccounts, table_id: str, token: str
) -> Response[Any]:
    """Looking at a link takes no seat: programs look at links, too."""
    live = await _find_table(request, services, table_id)
    member, cookies = services.context.ensure_guest(request)
    place = await services.tables.place_of_link(live, token, member)
    people = live.people
    if place == ROOM and member in people.all_members:
        return Redirect(table_url(live), status_code=303)
    if place in (ROOM, WATCH) and live.table.is_over and not live.table.is_aborted:
        page = "result" if live.game.companion is None else "night"
        return Redirect(services.tables.result_path(live, page), status_code=303)
    name = await services.live_tables.display_name(member)
    language = request_language(request)
    say = phrases_at(live, language)
    game = live.game.name
    shown = {
        "game_title": say.t(f"{game}.title"),
        "tagline": say.t(f"{game}.tagline"),
        "rules_url": f"/rules/{game}",
        "lessons_url": f"/learn/{game}" if has_lessons(game) else "",
        "place": place,
        "is_gone": request.query_params.get(GONE) is not None,
        "is_seat": place in people.members,
        "taken": False,
        "is_full": False,
        **(_side(live, place, say) if place in people.members else {}),
        **(_room(live, say) if place == ROOM else {}),
        "host": live.names.get(people.host, ""),
        "settings": [text for text in (clock_text(live.settings.clock, say),) if text],
        "rated": live.settings.rated,
        "has_account": bool(await services.accounts.account_of(member)),
        "to": f"/join/{live.id}/{token}",
        "vignette_svg": vignette(game, language),
        "mine": place in people.seats_of(member) or people.has_role(member, place),
        "url": table_url(live),
    }
    return services.templates.page(
        "invitation.html",
        say,
        cookies,
        is_secret=True,
        invitation=shown,
        name=name,
        preview=invitation_preview(services.context, request, live),
        back=shown["to"],
    )


def _side(live: LiveTable, seat: Seat, say: Phrases) -> Mapping[str, Any]:
    """A seat, and who is there already."""
    note = say.first(f"{live.game.name}.note-{seat}")
    is_free = seat in live.people.free_seats
    return {
        "seat": seat,
        "name": say.names[seat],
        "note": note if note.lower() != str(say.names[seat]).lower() else "",
        "glyph": Markup(seat_glyph(live, seat)),
        "taken": bool(live.people.members[seat]),
        "others": _people_text(live, seat, say),
        "is_free": is_free,
        "is_open": is_open_to_room(live, seat),
    }


def _room(live: LiveTable, say: Phrases) -> Mapping[str, Any]:
    """The places that whoever came by the link of the room may choose from."""
    sides = [_side(live, seat, say) for seat in live.game.seats]
    offered = [side for side in sides if side["is_open"]]
    free = [side for side in offered if side["is_free"]]
    return {
        "sides": sides,
        "has_teams": live.game.policy.has_teams,
        "suggested": (free or offered)[0]["seat"] if len(offered) == 1 or free else "",
        "is_full": not offered,
    }


def _people_text(live: LiveTable, seat: Seat, say: Phrases) -> str:
    """Those at a seat by name. Around a real board that is the team, and not its bookkeeper."""
    book, people = live.table.book, live.people
    if book and (players := book.team(seat).players):
        return join_names(players)
    sitting = [each for each in people.members[seat] if not book or each != people.host]
    bot = people.bots.get(seat, "")
    if bot and not sitting:
        return say.first(bot_name_id(bot)) or say.first(f"page.bot-{bot}") or bot
    return join_names(filter(None, (live.names.get(each) for each in sitting)))


@post("/join/{table_id:str}/{token:str}")
async def join(
    request: AnyRequest, services: InjectedAccounts, table_id: str, token: str, data: Form
) -> Redirect:
    live = await _find_table(request, services, table_id)
    member, cookies = services.context.ensure_guest(request)
    if (name := data.get("name", "")) and not await services.accounts.account_of(member):
        await services.tables.rename_member(member, name)
    entropy = validate_entropy(data.get("entropy", ""))
    wanted = data.get("place", "")
    try:
        place = await services.tables.join_by_link(live, member, token, entropy, wanted)
    except StaleRequest:
        raise HttpError(409, message("server.stale")) from None
    except Refused as error:
        if error.refusal.id != SEAT_GONE:
            raise
        return Redirect(f"/join/{live.id}/{token}?{GONE}", status_code=303, cookies=cookies)
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
