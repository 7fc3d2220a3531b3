"""Those who look at a table: through whose eyes, and in which words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from functools import lru_cache
from typing import Any, cast

from msgspec.structs import replace

from kibitz.core.drawing import Look
from kibitz.core.game import Seat
from kibitz.core.values import FrozenValue
from kibitz.i18n.grammar import join_team, list_names
from kibitz.server.phrases import Phrases, PlayerName, TeamNames, bot_name_id, phrases_for
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.permissions import is_asking, is_bookkeeper, is_referee
from kibitz.table.commands import GUEST
from kibitz.table.reminders import is_reminded
from kibitz.table.seating import Member
from kibitz.table.table import AnyTable

MAX_TOLD_NAMES = 2
"""So many people of a team are told of by their names; more are a team."""
YOU_ALONE = "page.you-alone"


class ViewerSettings(FrozenValue, frozen=True):
    """All that decides what somebody is shown: those with equal settings see the same."""

    seats: tuple[Seat, ...]
    """The seats they act for."""
    language: str
    fill_in_seats: tuple[Seat, ...] = ()
    """The seats where a bot fills in for them."""
    led_seats: tuple[Seat, ...] = ()
    """The seats with others that they sat down at first."""
    is_tall: bool = False
    is_host: bool = False
    """They are its host."""
    is_referee: bool = False
    """They are its referee."""
    is_arbiter: bool = False
    """They agree for the table to what needs everybody."""
    is_bookkeeper: bool = False
    """They keep the book of a match on a real board."""
    is_for_room: bool = False
    """The screen is for a whole room, whoever opened it."""
    is_reminded: bool = True
    """They are shown what is due, where a player should remember it (table/reminders.py)."""
    is_asking: bool = False
    """They made the request that is open."""
    place: str = ""
    """The role that a link has let them in for."""
    unveiled_seat: Seat | None = None
    """The seat that said to be looking, on a device that several share."""


def settings_at(live: LiveTable, member: Member, settings: ViewerSettings) -> ViewerSettings:
    """These settings with the seats and roles that somebody has at a table now."""
    keeps_book = is_bookkeeper(live, member)
    return replace(
        settings,
        seats=live.seats_of(member),
        fill_in_seats=live.fill_in_seats(member),
        led_seats=live.people.seats_led_by(member),
        is_host=member == live.people.host,
        is_referee=is_referee(live, member),
        is_arbiter=member == live.people.arbiter,
        is_asking=is_asking(live, member),
        is_bookkeeper=keeps_book,
        is_reminded=is_reminded(live.settings.reminders, keeps_book and not settings.is_for_room),
    )


def controlled_seats(live: LiveTable, settings: ViewerSettings) -> tuple[Seat, ...]:
    """The seats that somebody enters things for: their own; all, where they keep the book."""
    return live.game.seats if settings.is_bookkeeper else settings.seats


def may_enter(table: AnyTable, settings: ViewerSettings, text: str) -> bool:
    """True if a book lets somebody enter what the rules let their seat do."""
    game, book = table.game, table.book
    if book is None or settings.is_bookkeeper:
        return True
    return book.may_team_enter(game.policy.is_statement(game.notation.read_action(text)))


def phrases_at(live: LiveTable, language: str) -> Phrases:
    """The table's words; a seat may be called otherwise as the match goes on."""
    game, letters = live.game, live.position.seat_letters
    return phrases_for(language, game.name, game.seats, letters, _team_names(live))


def telling_phrases_at(live: LiveTable, settings: ViewerSettings) -> Phrases:
    """The words in which a viewer is told what happened: people by their names, and you."""
    return viewpoint_at(live, settings).tell


class Viewpoint:
    """Somebody's way of looking at a table, which stays from position to position for as long as
    everybody is called the same."""

    def __init__(self, live: LiveTable, settings: ViewerSettings) -> None:
        game, letters, teams = live.game, live.position.seat_letters, _team_names(live)
        self._letters, self._book = letters, live.table.book
        self._request = live.table.pending_request
        self.settings = settings
        self.held = controlled_seats(live, settings)
        """The seats that they enter things for."""
        self.say = phrases_at(live, settings.language)
        players = _player_names(live, settings, {seat for seat, _ in teams})
        self.tell = phrases_for(settings.language, game.name, game.seats, letters, teams, players)
        """The words in which they are told what happened."""
        self.look = Look(
            say=self.say,
            is_tall=settings.is_tall,
            near=settings.seats[0] if len(settings.seats) == 1 else "",
            names=plate_names(live, settings, self.say),
            tell=self.tell,
        )
        self.seats: tuple[Any, Any] | None = None
        """The seats, and what they were made for (people_view.py)."""
        self.table_info: tuple[Any, Any] | None = None
        """The table around the match, and what it was made for (people_view.py)."""

    def is_of(self, live: LiveTable) -> bool:
        """True if it is still called the same as then."""
        table = live.table
        return (
            self._request is table.pending_request
            and self._book is table.book
            and self._letters == live.position.seat_letters
        )


def viewpoint_at(live: LiveTable, settings: ViewerSettings) -> Viewpoint:
    """One and the same for as long as it holds."""
    found = live.caches.viewpoints.get(settings)
    if found is None or not found.is_of(live):
        found = live.caches.viewpoints[settings] = Viewpoint(live, settings)
    return cast(Viewpoint, found)


def _team_names(live: LiveTable) -> TeamNames:
    book = live.table.book
    return tuple((seat, team.name) for seat, team in book.teams if team.name) if book else ()


def _player_names(
    live: LiveTable, settings: ViewerSettings, named_teams: Container[Seat]
) -> tuple[PlayerName, ...]:
    """The players that can be told apart by their names. A team of many has that of the team."""
    own = settings.seats[0] if len(settings.seats) == 1 and not settings.is_bookkeeper else None
    found = []
    for seat in live.game.seats:
        members, bot = live.people.members[seat], live.people.bots.get(seat, "")
        names = [live.names.get(each, "") for each in members]
        if seat == own and len(members) < 2:
            found.append(PlayerName(seat, is_you=True))
        elif seat not in named_teams and 0 < len(names) <= MAX_TOLD_NAMES and all(names):
            found.append(PlayerName(seat, list_names(settings.language, names)))
        elif seat not in named_teams and bot and not members:
            found.append(PlayerName(seat, bot=bot))
    count = Counter((each.name, each.bot, each.is_you) for each in found)
    known = [each for each in found if count[each.name, each.bot, each.is_you] == 1]
    return (*known, *_candidate_name(live, settings))


def _candidate_name(live: LiveTable, settings: ViewerSettings) -> tuple[PlayerName, ...]:
    """Somebody without a seat who offers to take a role."""
    asked = live.table.pending_request
    if asked is None or asked.seat != GUEST:
        return ()
    if settings.is_asking:
        return (PlayerName(GUEST, is_you=True),)
    name = live.names.get(asked.member, "")
    return (PlayerName(GUEST, name),) if name else ()


def plate_name(live: LiveTable, settings: ViewerSettings, seat: Seat, say: Phrases) -> str:
    """The people of a seat as its plate has them: their names, you, or the bot's name; nothing
    where they are not known."""
    members, bot = live.people.members[seat], live.people.bots.get(seat, "")
    names = [name for each in members if (name := live.names.get(each))]
    is_you = settings.seats == (seat,) and len(members) == 1
    if is_you and not settings.is_bookkeeper:
        return say.t(YOU_ALONE)
    if names:
        return join_team(names)
    return say.first(bot_name_id(bot)) or bot if bot and not members else ""


def plate_names(
    live: LiveTable, settings: ViewerSettings, say: Phrases
) -> tuple[tuple[Seat, str], ...]:
    """The names on the plates of a table; a book has those of its teams."""
    if live.table.book is not None:
        return ()
    named = [(seat, plate_name(live, settings, seat, say)) for seat in live.game.seats]
    return tuple([each for each in named if each[1]])


def seat_glyph(live: LiveTable, seat: Seat) -> str:
    """The small picture of a seat, by the letter it goes by now."""
    return live.game.ui.glyph(live.game.policy.seat_letter(live.table.state, seat))


def menu_items(
    table: AnyTable, actions: Iterable[Any], say: Phrases
) -> list[protocol.MenuItemView]:
    """Lines of a menu for actions that need no further words."""
    return [_menu_item(table.game.notation.write_action(action), say) for action in actions]


@lru_cache(maxsize=1 << 10)
def _menu_item(text: str, say: Phrases) -> protocol.MenuItemView:
    word, *rest = text.split()
    values = {"seat": rest[0]} if rest and rest[0] in say.names else {}
    ids = f"{say.game}.menu-{word}", f"page.menu-{word}"
    label = say.first(*ids, **values) or text
    sure = say.first(*(f"{id}-sure" for id in ids), **values) or label
    return protocol.MenuItemView(text, label, sure)
