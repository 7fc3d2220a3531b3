"""The first page: games, one's tables, the lobby; and the choice of a language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.response import Redirect
from markupsafe import Markup

from kibitz.bots.ratings import measured_rating
from kibitz.bots.registry import BUILT_IN_BOTS, LEVELS, SUGGESTED_LEVEL, bots_for_game, has_engine
from kibitz.core.game import Rulebook
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.i18n.formats import decimal_text
from kibitz.server.accounts.dependencies import InjectedAccounts
from kibitz.server.bot_preparation import BotPreparation
from kibitz.server.http.auth import principal_of
from kibitz.server.http.link_preview import link_preview
from kibitz.server.http.requests import (
    AnyRequest,
    Form,
    Injected,
    language_cookie,
    request_language,
)
from kibitz.server.option_form import json_text, option_fields, preset_fields
from kibitz.server.pages.lessons import has_lessons
from kibitz.server.pages.living_board import exhibited_game, living_board
from kibitz.server.pages.picture import vignette
from kibitz.server.pages.table_labels import clock_text, others_text, setting_labels, table_url
from kibitz.server.phrases import Phrases, phrases_for
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.lobby import lobby_tables
from kibitz.server.tables.settings import ClockSettings, Days, Fischer, NoClock
from kibitz.server.tables.view import prompt
from kibitz.server.tables.viewers import ViewerSettings, phrases_at, seat_glyph
from kibitz.table.handover import acting_seat
from kibitz.table.seating import Member

MAX_TABLES_LISTED = 20
OPEN_LEVELS = 2
"""So many levels are open from the start; the others open by a win against the one below."""
CLOCK_CHOICES: tuple[ClockSettings, ...] = (
    NoClock(),
    Fischer(5, 3),
    Fischer(10, 5),
    Fischer(20, 10),
    Days(1),
    Days(3),
    Days(7),
)
"""Offered by the first page; the API takes any."""


@get("/", media_type=MediaType.HTML)
async def home(
    request: AnyRequest, services: InjectedAccounts, preparation: Injected[BotPreparation]
) -> Response[str]:
    member, cookies = services.visit(request)
    mine = await services.tables.tables_of(member, MAX_TABLES_LISTED)
    lobby = [live for live in await lobby_tables(services.tables) if live not in mine]
    language = request_language(request)
    say, listed = phrases_for(language), _table_lists(language, member, mine, lobby)
    if request.query_params.get("part") == "tables":
        return services.templates.page("tables.html", say, **listed)
    return services.templates.page(
        "home.html",
        say,
        cookies,
        preview=link_preview(
            services.context,
            request,
            title="Kibitz",
            description=say.t("page.preview-home"),
            picture_path="/preview/kibitz.png",
            picture_text=say.t("page.preview-mark"),
        ),
        name=await services.live_tables.display_name(member),
        has_account=bool(await services.accounts.account_of(member)),
        games=list(game_cards(language)),
        living=living_board(shown, language) if (shown := exhibited_game()) else None,
        levels=list(level_faces(say)),
        prepared_percent=preparation.percent,
        clocks=[
            {"json": json_text(each), "label": clock_text(each, say) or say.t("page.clock-none")}
            for each in CLOCK_CHOICES
        ],
        **listed,
    )


@get("/preparation", sync_to_thread=False)
def preparation_percent(preparation: Injected[BotPreparation]) -> dict[str, int | None]:
    """The part of the bots' library that is built; null once all of it is."""
    return {"percent": preparation.percent}


@post("/language")
async def choose_language(request: AnyRequest, services: InjectedAccounts, data: Form) -> Redirect:
    """Choose a language, and go back to where that was done."""
    services.context.count(request, "pages")
    back = data.get("back", "/")
    here = back if re.fullmatch(r"/(?!/)[\w/.-]*(\?[\w/.,:;@%+&=~*()!'-]*)?", back) else "/"
    cookie = language_cookie(data.get("language", ""), request.scope["scheme"] == "https")
    who = principal_of(request)
    if cookie.value and who and who.kind == "device":
        services.context.count(request, "act")
        await services.accounts.set_language(who.member, cookie.value)
    return Redirect(here, status_code=303, cookies=[cookie])


def game_cards(language: str) -> Iterator[Mapping[str, Any]]:
    """The games on the shelf."""
    for name, rulebook in GAMES.items():
        game = rulebook.game(rulebook.preset)
        say = phrases_for(language, name, game.seats)
        yield {
            "name": name,
            "title": say.t(f"{name}.title"),
            "tagline": say.t(f"{name}.tagline"),
            "size": say.t(f"{name}.size"),
            "has_lessons": has_lessons(name),
            "vignette_svg": vignette(name, language),
            "seats": [{"seat": seat, "name": say.names[seat]} for seat in game.seats],
            "options": list(option_fields(rulebook, say)),
            "presets": list(preset_fields(rulebook, say)),
            "starts": list(_starts(rulebook, say)),
            "has_reminders": game.ui.reminders is not None,
            "level": SUGGESTED_LEVEL if has_engine(name) else "",
            "bots": list(_other_bots(name, say)),
        }


def _starts(rulebook: Rulebook, say: Phrases) -> Iterator[Mapping[str, Any]]:
    """The beginnings to choose from; some leave it to the match who plays which side."""
    game = rulebook.game(rulebook.preset)
    for name, position in rulebook.starts.items():
        is_usual = position == START
        first = game.rules.start() if is_usual else game.notation.read_state(position)
        letters = [game.policy.seat_letter(first, seat) for seat in game.seats]
        yield {
            "name": name,
            "label": say.t(f"{rulebook.name}.beginning-{name}"),
            "has_sides": letters == [*game.seats],
        }


def level_faces(say: Phrases) -> Iterator[Mapping[str, Any]]:
    """The six levels to choose from, where a game has them."""
    if not any(map(has_engine, GAMES)):
        return
    for face, level in enumerate(LEVELS, 1):
        yield {
            "bot": level,
            "face": face,
            "name": say.t(f"page.bot-name-{level}"),
            "manner": say.t(f"page.manner-{level}"),
            "about": _about_level(level, say),
            "locked": say.t("page.level-locked", n=face - 1) if face > OPEN_LEVELS else "",
            "suggested": level == SUGGESTED_LEVEL,
        }


def _about_level(level: str, say: Phrases) -> str:
    """Its name, what it is like, and its measured rating in each game."""
    rated = [
        f"{say.t(f'{game}.title')} {decimal_text(say.language, found.rating, 0)}"
        for game in GAMES
        if (found := measured_rating(game, level))
    ]
    name, manner = say.t(f"page.bot-name-{level}"), say.t(f"page.manner-{level}")
    about = say.t("page.level-about", name=name, manner=manner)
    if not rated:
        return f"{about} {say.t('page.level-unrated')}"
    return f"{about} {say.t('page.level-rated', ratings=', '.join(rated))}"


def _other_bots(game: str, say: Phrases) -> Iterator[Mapping[str, Any]]:
    """The bots beside the levels: those that somebody brought have only their names."""
    ours = () if has_engine(game) else ("greedy", "random")
    for bot in (*ours, *(each for each in bots_for_game(game) if each not in BUILT_IN_BOTS)):
        yield {"bot": bot, "name": say.first(f"page.bot-{bot}") or bot}


def _table_lists(
    language: str, member: Member, mine: list[LiveTable], lobby: list[LiveTable]
) -> Mapping[str, Any]:
    """The lists of tables: those that wait for this member first, those that are over last."""
    own = [_table_entry(live, _member_viewer(live, member, language)) for live in mine]
    return {
        "tables": sorted(own, key=lambda entry: (entry["over"], not entry["your_turn"])),
        "lobby": [_table_entry(live, ViewerSettings((), language)) for live in lobby],
        "present": len({each for live in (*mine, *lobby) for each in live.presence.members}),
    }


def _member_viewer(live: LiveTable, member: Member, language: str) -> ViewerSettings:
    return ViewerSettings(
        seats=live.seats_of(member), fill_in_seats=live.fill_in_seats(member), language=language
    )


def _table_entry(live: LiveTable, settings: ViewerSettings) -> Mapping[str, Any]:
    """A line in the list of one's tables."""
    say, held = phrases_at(live, settings.language), settings.seats
    acting = acting_seat(live.table, held)
    title, _ = prompt(live, settings, acting)
    to_act = live.game.rules.to_act(live.table.state)
    over, is_book = live.table.is_over, live.game.companion is not None
    is_on = live.people.is_full and not (over or live.table.is_adjourned or is_book)
    return {
        "id": live.id,
        "url": table_url(live),
        "over": over,
        "game_title": say.t(f"{live.game.name}.title"),
        "title": say.t("page.on-real-board") if is_book else others_text(live, settings, say),
        "note": say.t("page.book-goes-on") if is_book and not over else title,
        "settings": setting_labels(live, say),
        "your_turn": acting in to_act and is_on,
        "free": [say.names[seat] for seat in live.people.free_seats],
        "watching": len(live.presence.members - live.people.all_members),
        "glyph": Markup(seat_glyph(live, acting or (*held, *live.game.seats)[0])),
    }
