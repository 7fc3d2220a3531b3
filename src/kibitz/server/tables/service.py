"""Opening, joining and seeing tables, for pages and programs alike."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct, field

from kibitz.bots.registry import bots_for_game
from kibitz.core.game import Seat
from kibitz.core.message import Refused, message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.db.queries import memberships
from kibitz.server.db.queries.accounts import is_name_taken, members_without_account
from kibitz.server.db.queries.chat import ban_count
from kibitz.server.db.store import BANNED_ROLE, Store
from kibitz.server.http.errors import HttpError
from kibitz.server.http.url_prefix import prefixed_path
from kibitz.server.name_rules import is_reserved, skeleton
from kibitz.server.tables.actions import MAX_SEAT_MEMBERS, ActRequest, StaleRequest
from kibitz.server.tables.invitations import PARTY, ROOM, WATCH, InvitationLinks
from kibitz.server.tables.live.fairness import is_playing_with_others
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.permissions import actor_of
from kibitz.server.tables.registry import LiveTables, NewTable
from kibitz.server.tables.settings import TableSettings
from kibitz.server.tables.viewers import ViewerSettings, settings_at
from kibitz.table.commands import HOST
from kibitz.table.seating import ROLES, Member, tidy_name

ME, FREE = "me", "free"
SEAT_GONE = "server.place-gone"
"""The refusal of a seat that somebody else was quicker to take."""

OptionValue: TypeAlias = bool | int | float | str | list[int] | None
"""The values of an option of a game; `GET /games` has what each allows."""
Entropy = Annotated[str, Meta(max_length=64, pattern="^[A-Za-z0-9-]*$")]


class OpenTable(Struct, forbid_unknown_fields=True):
    """A new table. Who opens it is its host."""

    game: str
    seats: dict[str, str] = field(default_factory=dict)
    """For each seat `me`, the name of a bot, or `free`; nothing given: the first one is yours, and
    all of them for a book of a match on a real board."""
    options: dict[str, OptionValue] = field(default_factory=dict)
    """The differences from what the game suggests to a table; see `official_rules`."""
    official_rules: bool = False
    """True if options that are not given are as the rule book has them."""
    settings: TableSettings = field(default_factory=TableSettings)
    start: Annotated[str, Meta(max_length=20_000)] = START
    """A position, or the name of a beginning that `GET /games` lists."""
    is_open: bool = False
    """Anybody may find it, watch, and take a free seat; else they need a link."""
    entropy: Entropy = ""
    """Goes into the dice."""


def validate_entropy(text: str) -> str:
    """The entropy that a form puts into the dice; raises HttpError."""
    try:
        return msgspec.convert(text, Entropy)
    except msgspec.ValidationError:
        raise HttpError(400, message("table.entropy")) from None


class TableService:
    def __init__(self, store: Store, tables: LiveTables, links: InvitationLinks) -> None:
        self.store, self.tables, self.links = store, tables, links

    async def find_table(self, table_id: str, member: Member) -> LiveTable:
        """A table that this member may see; raises HttpError."""
        try:
            live = await self.tables.find_table(table_id)
        except Refused as error:
            raise HttpError(410, message("server.closed-table", why=error.refusal)) from None
        if live is None:
            raise HttpError(404, message("server.no-table"))
        if not await self.may_see(live, member):
            raise HttpError(404, message("server.no-table"))
        return live

    async def may_see(self, live: LiveTable, member: Member) -> bool:
        if member in (live.owner, *live.people.all_members):
            return True
        role = await memberships.role_of(self.store, live.id, member) if member else None
        return role != BANNED_ROLE and (live.stored.is_open or role is not None)

    async def viewer_settings(
        self,
        live: LiveTable,
        member: Member,
        language: str,
        tall: bool = False,
        is_for_room: bool = False,
    ) -> ViewerSettings:
        role = await memberships.role_of(self.store, live.id, member) if member else None
        place = role if role and role in ROLES else ""
        asked = ViewerSettings((), language, is_tall=tall, is_for_room=is_for_room, place=place)
        return settings_at(live, member, asked)

    async def open_table(self, member: Member, asked: OpenTable, language: str = "") -> str:
        """A new table; its id. Raises HttpError. `language` is that of whoever opens it."""
        if asked.game not in GAMES:
            raise HttpError(400, message("server.no-game", game=asked.game[:60]))
        rulebook = GAMES[asked.game]
        seats = rulebook.game(rulebook.preset).seats
        mine = seats if _is_on_real_board(asked) else seats[:1]
        given = asked.seats or dict.fromkeys(mine, ME)
        for seat in (*given, *asked.settings.teams):
            if seat not in seats:
                raise HttpError(400, message("table.no-such-seat", seat=seat[:60]))
        if not {*given.values()} <= {ME, FREE, *bots_for_game(asked.game)}:
            raise HttpError(400, message("table.no-such-bot"))
        start = rulebook.start_position(asked.start)
        has_bots = any(who not in (ME, FREE) for who in given.values())
        if has_bots and start != START:
            await self._refuse_bots_beside_match(member, asked.game)
        spoken = asked.settings.language or language
        settings = msgspec.structs.replace(asked.settings, language=spoken)
        new_table = NewTable(
            game=asked.game,
            host=member,
            members={seat: [member] for seat, who in given.items() if who == ME},
            bots={seat: who for seat, who in given.items() if who not in (ME, FREE)},
            options=asked.options,
            settings=settings,
            start=start,
            entropy=asked.entropy,
            is_open=asked.is_open,
            is_by_rulebook=asked.official_rules,
        )
        return await self.open_new_table(new_table)

    async def _refuse_bots_beside_match(self, member: Member, game: str) -> None:
        """Raises HttpError for whoever plays a live match: bots would play on its position."""
        if await is_playing_with_others(self.store, self.tables.find_table, member, game):
            title = message(f"{game}.title")
            raise HttpError(403, message("server.bots-beside-match", game=title))

    async def join_by_link(
        self, live: LiveTable, member: Member, token: str, entropy: str, wanted: str = ""
    ) -> str:
        """Come by a link; the place it has led to. Raises HttpError or Refused.

        By the link of the room to the `wanted` place; to any free seat where none is named.
        """
        place = await self.place_of_link(live, token, member)
        is_there = member in live.people.all_members
        if not is_there and await memberships.role_of(self.store, live.id, member) == BANNED_ROLE:
            raise HttpError(403, message("server.sent-away"))
        is_by_room = place == ROOM
        if is_by_room:
            place = room_place(live, member, wanted)
        if place in live.people.members:
            if place not in live.seats_of(member):
                text = f"sit {place} {entropy}".strip()
                actor = partial(_room_seat, live, place) if is_by_room else place
                await self.tables.actions.submit(live, ActRequest(member, actor, [text]))
        else:
            if place in ROLES:
                live.people.refuse_partial(member)
            await memberships.add_membership(self.store, live.id, member, place)
            if place in ROLES and not live.people.has_role(member, place):
                with suppress(Refused):  # Later, then: the table has it in its menu.
                    await self._ask_for_role(live, member, place)
        return place

    async def _ask_for_role(self, live: LiveTable, member: Member, role: str) -> None:
        """Offer to take a role, for who came by its link; the seats decide."""
        asked = (f"ask {role}",)
        whose = partial(actor_of, live, member, None, asked, role)
        await self.tables.actions.submit(live, ActRequest(member, whose, asked))

    async def place_of_link(self, live: LiveTable, token: str, member: Member) -> str:
        """The place that a link is for, also after its seat was taken by it; raises HttpError."""
        people, first_people = live.people, live.people_at_first_seats
        turned = await ban_count(self.store, live.id)
        if place := self.links.place_of(live.id, token, first_people, turned):
            return live.seat_now(place)
        if self.links.was_for_room(live.id, token, first_people, turned):
            if member and await self._came_before(live, member):
                return ROOM
            raise HttpError(404, message("server.no-link"))
        former = self.links.former_seat_of(live.id, token, first_people)
        if former is None:
            raise HttpError(404, message("server.no-link"))
        seat = live.seat_now(former)
        if member and member in people.members[seat]:
            return seat
        raise HttpError(409, message("server.taken", seat=message(f"{live.game.name}.seat-{seat}")))

    async def _came_before(self, live: LiveTable, member: Member) -> bool:
        """True for those who were there before the link of the room changed, and may stay."""
        if member in live.people.all_members:
            return True
        return await memberships.role_of(self.store, live.id, member) not in (None, BANNED_ROLE)

    async def _is_party(self, live: LiveTable, member: Member) -> bool:
        """True for a screen that the host let into the room."""
        return await memberships.role_of(self.store, live.id, member) == PARTY

    async def links_of(self, live: LiveTable, member: Member) -> dict[str, str]:
        """The links somebody may pass on: of the room, of their own seats, and the host of free
        ones.

        A party screen shows that of the room, to a room that its host let it into.
        """
        people, places, is_book = live.people, [WATCH], live.game.companion is not None
        has_role = any(people.has_role(member, role) for role in ROLES)
        if member == people.host:
            places += [ROOM, *people.free_seats, *people.seats_of(member), *ROLES]
            places += [PARTY] if is_book else []
        elif seats := people.seats_of(member):
            places += [ROOM, *seats, *ROLES]
        elif is_book and (has_role or await self._is_party(live, member)):
            places += [ROOM]
        elif not is_book and not live.stored.is_open:
            return {}
        turned = await ban_count(self.store, live.id)
        first_people = live.people_at_first_seats
        first = {live.seat_now(seat): seat for seat in live.game.seats}
        made = {
            each: self.links.token(live.id, first.get(each, each), first_people, turned)
            for each in places
        }
        return {each: prefixed_path(f"/join/{live.id}/{token}") for each, token in made.items()}

    async def find_result(self, table_id: str, token: str) -> LiveTable:
        """A match that is over, for whoever has the address of its result; raises HttpError."""
        is_known = self.links.is_result_token(table_id, token)
        live = await self.tables.find_readable(table_id) if is_known else None
        if live is None:
            raise HttpError(404, message("server.no-link"))
        if not live.table.is_over or live.table.is_aborted:
            raise HttpError(404, message("page.result-not-over"))
        return live

    def result_path(self, live: LiveTable, page: str = "result") -> str:
        """The address of how a match ended, for everybody: its result, or the night."""
        if live.stored.is_open:
            return f"/t/{live.id}/{page}"
        return f"/t/{live.id}/{page}/{self.links.result_token(live.id)}"

    async def transfer_guest_tables(self, guest: Member, member: Member) -> None:
        """Give a member who logs in the seats and tables that they had as a guest."""
        running = await memberships.copy_memberships(self.store, guest, member)
        for table_id in running:
            with suppress(Refused, StaleRequest):
                live = await self.tables.find_table(table_id)
                if live:
                    await self._transfer_seats(live, guest, member)

    async def _transfer_seats(self, live: LiveTable, guest: Member, member: Member) -> None:
        seats = live.people.seats_of(guest)
        for seat in seats:
            if seat not in live.people.seats_of(member):
                await self.tables.actions.submit(live, ActRequest(member, seat, [f"sit {seat}"]))
        if seats and live.people.host == guest:
            await self.tables.actions.submit(live, ActRequest(guest, HOST, [f"host {seats[0]}"]))
        for seat in seats:
            await self.tables.actions.submit(live, ActRequest(guest, seat, [f"stand {seat}"]))

    async def tables_of(self, member: Member, most: int) -> list[LiveTable]:
        mine = await memberships.tables_of(self.store, member, most)
        found = [await self.tables.find_readable(stored.id) for stored in mine]
        return [live for live in found if live]

    async def rename_member(self, member: Member, name: str) -> str:
        """Rename a guest; the name, cleaned up. Raises HttpError for who has an account."""
        if not await members_without_account(self.store, {member}):
            raise HttpError(409, message("server.account-name"))
        cleaned = tidy_name(name)
        if is_reserved(cleaned):
            raise HttpError(409, message("server.name-reserved", name=cleaned))
        if cleaned and await is_name_taken(self.store, skeleton(cleaned)):
            raise HttpError(409, message("server.name-taken", name=cleaned))
        await self.tables.rename_member(member, cleaned)
        return cleaned

    async def open_new_table(self, new_table: NewTable) -> str:
        """A new table; its id. Raises HttpError where the game refuses it."""
        try:
            return await self.tables.open_table(new_table)
        except Refused as error:
            raise HttpError(400, error.refusal) from None


def room_place(live: LiveTable, member: Member, wanted: str) -> str:
    """The place that the link of the room leads to; raises Refused where there is none such."""
    if mine := live.seats_of(member):
        return wanted if wanted in mine else mine[0]
    if not wanted:
        return next(iter(live.people.free_seats), WATCH)
    if wanted != WATCH and wanted not in live.game.seats:
        raise Refused(message("table.no-such-seat", seat=wanted[:60]))
    return wanted


def is_open_to_room(live: LiveTable, seat: Seat) -> bool:
    """True if whoever has the link of the room may take a seat, or join those at it."""
    people, sitting = live.people, live.people.members[seat]
    is_team = live.game.policy.has_teams and 0 < len(sitting) < MAX_SEAT_MEMBERS
    return not live.table.is_over and (seat in people.free_seats or is_team)


def _room_seat(live: LiveTable, seat: Seat) -> Seat:
    """The seat, for whoever came by the link of the room; raises Refused.

    Of two who want the last free one at once, one gets it.
    """
    if not is_open_to_room(live, seat):
        raise Refused(message(SEAT_GONE, seat=seat))
    return seat


def _is_on_real_board(asked: OpenTable) -> bool:
    """True if it is to be played on a real board; raises HttpError."""
    rulebook = GAMES[asked.game]
    try:
        return rulebook.game(rulebook.suggested_options(asked.options)).companion is not None
    except Refused as error:
        raise HttpError(400, error.refusal) from None
