"""What somebody may ask of the server, whether by a page or by a program."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct, field

from kibitz.bots.registry import bots_at
from kibitz.core.game import Seat
from kibitz.core.message import Message, Refused, message
from kibitz.core.record import START, Record
from kibitz.games import GAMES
from kibitz.server import wall_clock
from kibitz.server.db.store import OUT, Store
from kibitz.server.http.url_prefix import at
from kibitz.server.tables.chat import sent_away
from kibitz.server.tables.invitations import PARTY, WATCH, Links
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.permissions import actor_of, keeps_the_book, rules
from kibitz.server.tables.ratings import refuse_without_account, without_account
from kibitz.server.tables.registry import GATHERING, LiveTables, MovedOn, Opening
from kibitz.server.tables.settings import ClockTerms, NoClock, Terms
from kibitz.server.tables.viewers import Watcher, viewer_of
from kibitz.table import sealed_dice
from kibitz.table.commands import HOST
from kibitz.table.companion import Team
from kibitz.table.seating import ROLES, Member, tidy

LISTED = 40
"""How many open tables are shown."""
WAITED = 60 * 60
"""For so many seconds somebody's wish for an opponent stands."""
ME, FREE = "me", "free"

Option: TypeAlias = bool | int | float | str | list[int] | None
"""What an option of a game may be; `GET /games` has what each allows."""
Entropy = Annotated[str, Meta(max_length=64, pattern="^[A-Za-z0-9-]*$")]


class Problem(Exception):
    """What was asked for cannot be had, and why."""

    def __init__(self, status: int, sentence: Message, wait: float = 0.0, limit: str = "") -> None:
        """Where a `limit` was met, it may be had after a `wait` of so many seconds."""
        super().__init__(sentence)
        self.status, self.sentence, self.wait, self.limit = status, sentence, wait, limit


class OpenTable(Struct, forbid_unknown_fields=True):
    """A new table. Who opens it is its host."""

    game: str
    seats: dict[str, str] = field(default_factory=dict)
    """For each seat `me`, the name of a bot, or `free`; nothing given: the first one is yours, and
    all of them for a book of a match on a real board."""
    options: dict[str, Option] = field(default_factory=dict)
    """What differs from what the game suggests to a table; see `by_the_book`."""
    by_the_book: bool = False
    """Whether options that are not given are as the rule book has them."""
    terms: Terms = field(default_factory=Terms)
    start: Annotated[str, Meta(max_length=20_000)] = START
    open: bool = False
    """Whether anybody may find it, watch, and take a free seat; else they need a link."""
    entropy: Entropy = ""
    """Goes into the dice."""


class Seek(Struct, forbid_unknown_fields=True):
    """Somebody looks for an opponent."""

    game: str
    clock: ClockTerms = NoClock()
    entropy: Entropy = ""
    rated: bool = False
    """Whether it is to count for the ladder."""


def checked_entropy(text: str) -> str:
    """What a form puts into the dice; raises Problem."""
    try:
        return msgspec.convert(text, Entropy)
    except msgspec.ValidationError:
        raise Problem(400, message("table.entropy")) from None


class Desk:
    def __init__(self, store: Store, tables: LiveTables, links: Links) -> None:
        self.store, self.tables, self.links = store, tables, links

    async def table(self, table_id: str, member: Member) -> LiveTable:
        """A table that this member may see; raises Problem."""
        try:
            live = await self.tables.find(table_id)
        except Refused as error:
            raise Problem(410, message("server.closed-table", why=error.refusal)) from None
        if live is None:
            raise Problem(404, message("server.no-table"))
        if not await self.may_see(live, member):
            raise Problem(404, message("server.no-table"))
        return live

    async def may_see(self, live: LiveTable, member: Member) -> bool:
        if member in (live.owner, *live.people.everybody):
            return True
        role = await self.store.role_of(live.id, member) if member else None
        return role != OUT and (live.stored.open or role is not None)

    async def watcher(
        self, live: LiveTable, member: Member, language: str, tall: bool = False
    ) -> Watcher:
        role = await self.store.role_of(live.id, member) if member else None
        return Watcher(
            held=live.seats_of(member),
            kept=live.kept_for(member),
            language=language,
            tall=tall,
            hosts=member == live.people.host,
            rules=rules(live, member),
            keeps=keeps_the_book(live, member),
            place=role if role in ROLES else "",
        )

    async def open(self, member: Member, asked: OpenTable) -> str:
        """A new table; its id. Raises Problem."""
        if asked.game not in GAMES:
            raise Problem(400, message("server.no-game", game=asked.game[:60]))
        rulebook = GAMES[asked.game]
        seats = rulebook.game(rulebook.preset).seats
        mine = seats if _is_reported(asked) else seats[:1]
        given = asked.seats or dict.fromkeys(mine, ME)
        for seat in (*given, *asked.terms.teams):
            if seat not in seats:
                raise Problem(400, message("table.no-such-seat", seat=seat[:60]))
        if not {*given.values()} <= {ME, FREE, *bots_at(asked.game)}:
            raise Problem(400, message("table.no-such-bot"))
        opening = Opening(
            game=asked.game,
            host=member,
            members={seat: [member] for seat, who in given.items() if who == ME},
            bots={seat: who for seat, who in given.items() if who not in (ME, FREE)},
            options=asked.options,
            terms=asked.terms,
            start=asked.start,
            entropy=asked.entropy,
            open=asked.open,
            by_the_book=asked.by_the_book,
        )
        return await self._opened(opening)

    async def seek(self, member: Member, asked: Seek) -> str:
        """A table with somebody who wants the same, or one to wait for them at; its id."""
        if asked.game not in GAMES:
            raise Problem(400, message("server.no-game", game=asked.game[:60]))
        wish = f"{asked.game} {msgspec.json.encode(asked.clock).decode()}"
        if asked.rated:
            await self._refuse_without_account(member)
            wish += " rated"
        for table_id in await self.store.sought(wish, wall_clock.now() - WAITED):
            live = None
            with suppress(Refused):
                live = await self.tables.find(table_id)
            if live is None or not live.people.free:
                continue
            if live.people.seats_of(member) or await self._sat_down(live, member, asked.entropy):
                return table_id
        seats = GAMES[asked.game].game({}).seats
        opening = Opening(
            game=asked.game,
            host=member,
            members={secrets.choice(seats): [member]},
            terms=Terms(clock=asked.clock, rated=asked.rated),
            entropy=asked.entropy,
            open=True,
            seeking=wish,
        )
        return await self._opened(opening)

    async def _sat_down(self, live: LiveTable, member: Member, entropy: str) -> bool:
        """Whether a seat could be taken where somebody waits; not where they have gone."""
        await self.tables.look_who_is_at(live)
        waiting = live.people.playing
        if all(live.absent_for(seat, live.written_at) > GATHERING for seat in waiting):
            return False
        seat = live.people.free[0]
        text = f"sit {seat} {entropy or secrets.token_hex(8)}"
        try:
            await self.tables.act(live, member, seat, live.seq, [text], None)
        except (Refused, MovedOn):
            return False
        return True

    async def join(self, live: LiveTable, member: Member, token: str, entropy: str) -> str:
        """Come by a link; the place it is for. Raises Problem or Refused."""
        place = await self.place(live, token, member)
        is_there = member in live.people.everybody
        if not is_there and await self.store.role_of(live.id, member) == OUT:
            raise Problem(403, message("server.sent-away"))
        if place in live.people.members:
            if place not in live.seats_of(member):
                text = f"sit {place} {entropy or secrets.token_hex(8)}"
                await self.tables.act(live, member, place, None, [text], None)
        else:
            if place in ROLES:
                live.people.refuse_partial(member)
            await self.store.visit(live.id, member, place)
            if place in ROLES and not live.people.has_role(member, place):
                with suppress(Refused):  # Later, then: the table has it in its menu.
                    await self._offer(live, member, place)
        return place

    async def _offer(self, live: LiveTable, member: Member, role: str) -> None:
        """Whoever comes by a referee's link offers to be one; the seats decide."""
        asked = (f"ask {role}",)
        whose = partial(actor_of, live, member, None, asked, role)
        await self.tables.act(live, member, whose, None, asked, None)

    async def place(self, live: LiveTable, token: str, member: Member) -> str:
        """What a link is for; whoever took a seat by it finds it again."""
        people = live.people
        turned = await sent_away(self.store, live.id)
        if place := self.links.place(live.id, token, people, turned):
            return place
        seat = self.links.was_for(live.id, token, people)
        if seat is None:
            raise Problem(404, message("server.no-link"))
        if member and member in people.members[seat]:
            return seat
        raise Problem(409, message("server.taken", seat=message(f"{live.game.name}.seat-{seat}")))

    async def links_of(self, live: LiveTable, member: Member) -> dict[str, str]:
        """The links somebody may pass on: of their own seats, and the host of free ones.

        A party screen shows those of all seats, to a room that its host let it into.
        """
        people, places, is_book = live.people, [WATCH], live.game.is_reported
        if member == people.host:
            places += [*people.free, *people.seats_of(member), *ROLES]
            places += [PARTY] if is_book else []
        elif seats := people.seats_of(member):
            places += [*seats, *ROLES]
        elif is_book and await self.store.role_of(live.id, member) == PARTY:
            places += live.game.seats
        elif not live.stored.open and not is_book:
            return {}
        turned = await sent_away(self.store, live.id)
        made = {each: self.links.token(live.id, each, people, turned) for each in places}
        return {each: at(f"/join/{live.id}/{token}") for each, token in made.items()}

    async def bring_along(self, guest: Member, member: Member) -> None:
        """Whoever logs in takes the seats that they had as a guest, and finds all their tables."""
        running = await self.store.settle_in(guest, member)
        for table_id in running:
            with suppress(Refused, MovedOn):
                live = await self.tables.find(table_id)
                if live:
                    await self._change_seats(live, guest, member)

    async def _change_seats(self, live: LiveTable, guest: Member, member: Member) -> None:
        seats = live.people.seats_of(guest)
        for seat in seats:
            if seat not in live.people.seats_of(member):
                await self.tables.act(live, member, seat, None, [f"sit {seat}"], None)
        if seats and live.people.host == guest:
            await self.tables.act(live, guest, HOST, None, [f"host {seats[0]}"], None)
        for seat in seats:
            await self.tables.act(live, guest, seat, None, [f"stand {seat}"], None)

    async def lobby(self) -> list[LiveTable]:
        """Tables that anybody may find, those with a free seat first."""
        found = []
        for table_id in await self.store.open_tables(LISTED):
            try:
                live = await self.tables.find(table_id)
            except Refused:
                continue
            if live is None:
                continue
            if not live.pages:
                await self.tables.look_who_is_at(live)
            if live.is_watched or live.table.played:
                found.append(live)
        return sorted(found, key=lambda live: not live.people.free)

    async def tables_of(self, member: Member, most: int) -> list[LiveTable]:
        found = []
        for stored in await self.store.tables_of(member, most):
            try:
                live = await self.tables.find(stored.id)
            except Refused:
                continue
            if live:
                found.append(live)
        return found

    async def _refuse_without_account(self, member: Member) -> None:
        try:
            await refuse_without_account(self.store, {member})
        except Refused as error:
            raise Problem(400, error.refusal) from None

    async def rename(self, member: Member, name: str) -> str:
        """What somebody wants to be called, cleaned up; raises Problem for who has an account."""
        if not await without_account(self.store, {member}):
            raise Problem(409, message("server.account-name"))
        cleaned = tidy(name)
        await self.tables.call(member, cleaned)
        return cleaned

    async def _opened(self, opening: Opening) -> str:
        try:
            return await self.tables.open_new(opening)
        except Refused as error:
            raise Problem(400, error.refusal) from None


def _is_reported(asked: OpenTable) -> bool:
    """Whether it is to be played on a real board; raises Problem."""
    rulebook = GAMES[asked.game]
    try:
        return rulebook.game(rulebook.suggested(asked.options)).is_reported
    except Refused as error:
        raise Problem(400, error.refusal) from None


def record_of(live: LiveTable, member: Member) -> Record:
    """The record as somebody may see it now, with who played and, after the end, the seal."""
    table = live.table
    viewer = viewer_of(table, live.seats_of(member))
    record = table.record_for(viewer)
    extras: dict[str, Any] = {**_players(live)}
    if len(record.actions) == len(table.played):
        extras["times"] = [round(at, 3) for at in table.times]
    if table.is_over:
        extras["log"] = [
            {"by": row.actor, "text": row.text, "at": round(row.at, 3)} for row in table.rows
        ]
    if sealed := seal_of(live):
        extras["seal"] = sealed
    return replace(record, extras=extras)


def _players(live: LiveTable) -> dict[str, Any]:
    """Who played, as far as they said; by the letters the record uses at its end."""
    table = live.table
    letters = {seat: live.game.chair(table.state, seat) for seat in live.game.seats}
    players = {}
    for seat in live.game.seats:
        team = table.book.team(seat) if table.book else Team()
        names = list(team.players) or _names_at(live, seat)
        if names or team.name:
            players[letters[seat]] = {"name": team.name or ", ".join(names), "players": names}
    kind = "teams" if all(seat == letter for seat, letter in letters.items()) else "seats"
    return {kind: players} if players else {}


def _names_at(live: LiveTable, seat: Seat) -> list[str]:
    """Those at a seat; who keeps the book for several of them plays for none."""
    people, is_book = live.people, live.table.book is not None
    playing = [
        each for each in people.members[seat] if not is_book or len(people.seats_of(each)) == 1
    ]
    names = [name for each in playing if (name := live.names.get(each, ""))]
    bot = people.bots.get(seat)
    return [*names, f"bot {bot}"] if bot else names


def seal_of(live: LiveTable) -> dict[str, Any] | None:
    """The envelope: closed while the match goes on, open afterwards."""
    seed, table = live.stored.seed, live.table
    if seed is None:
        return None
    sealed: dict[str, Any] = {
        "commitment": sealed_dice.commitment(seed),
        "closed": live.stored.created,
        "entropies": [text for _, text in live.people.entropies],
        "draws": list(table.drawn),
    }
    if table.is_over:
        sealed["seed"] = seed
        sealed["opened"] = live.stored.created + (table.rows[-1].at if table.rows else 0.0)
    return sealed
