"""Opening, joining and seeing tables, for pages and programs alike."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct, field

from kibitz.bots.registry import bots_for_game
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
from kibitz.server.tables.actions import ActRequest, StaleRequest
from kibitz.server.tables.invitations import PARTY, WATCH, InvitationLinks
from kibitz.server.tables.live.fairness import is_playing_with_others
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.permissions import actor_of
from kibitz.server.tables.registry import LiveTables, NewTable
from kibitz.server.tables.settings import TableSettings
from kibitz.server.tables.viewers import ViewerSettings, settings_at
from kibitz.table.commands import HOST
from kibitz.table.seating import ROLES, Member, tidy_name

ME, FREE = "me", "free"

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

    async def open_table(self, member: Member, asked: OpenTable) -> str:
        """A new table; its id. Raises HttpError."""
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
        new_table = NewTable(
            game=asked.game,
            host=member,
            members={seat: [member] for seat, who in given.items() if who == ME},
            bots={seat: who for seat, who in given.items() if who not in (ME, FREE)},
            options=asked.options,
            settings=asked.settings,
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

    async def join_by_link(self, live: LiveTable, member: Member, token: str, entropy: str) -> str:
        """Come by a link; the place it is for. Raises HttpError or Refused."""
        place = await self.place_of_link(live, token, member)
        is_there = member in live.people.all_members
        if not is_there and await memberships.role_of(self.store, live.id, member) == BANNED_ROLE:
            raise HttpError(403, message("server.sent-away"))
        if place in live.people.members:
            if place not in live.seats_of(member):
                text = f"sit {place} {entropy}".strip()
                await self.tables.actions.submit(live, ActRequest(member, place, [text]))
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
        former = self.links.former_seat_of(live.id, token, first_people)
        if former is None:
            raise HttpError(404, message("server.no-link"))
        seat = live.seat_now(former)
        if member and member in people.members[seat]:
            return seat
        raise HttpError(409, message("server.taken", seat=message(f"{live.game.name}.seat-{seat}")))

    async def links_of(self, live: LiveTable, member: Member) -> dict[str, str]:
        """The links somebody may pass on: of their own seats, and the host of free ones.

        A party screen shows those of all seats, to a room that its host let it into.
        """
        people, places, is_book = live.people, [WATCH], live.game.companion is not None
        if member == people.host:
            places += [*people.free_seats, *people.seats_of(member), *ROLES]
            places += [PARTY] if is_book else []
        elif seats := people.seats_of(member):
            places += [*seats, *ROLES]
        elif is_book and await memberships.role_of(self.store, live.id, member) == PARTY:
            places += live.game.seats
        elif not live.stored.is_open and not is_book:
            return {}
        turned = await ban_count(self.store, live.id)
        first_people = live.people_at_first_seats
        first = {live.seat_now(seat): seat for seat in live.game.seats}
        made = {
            each: self.links.token(live.id, first.get(each, each), first_people, turned)
            for each in places
        }
        return {each: prefixed_path(f"/join/{live.id}/{token}") for each, token in made.items()}

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


def _is_on_real_board(asked: OpenTable) -> bool:
    """True if it is to be played on a real board; raises HttpError."""
    rulebook = GAMES[asked.game]
    try:
        return rulebook.game(rulebook.suggested_options(asked.options)).companion is not None
    except Refused as error:
        raise HttpError(400, error.refusal) from None
