"""What people say to each other at a table: a log of its own, which knows nothing of the match.

There are two rooms. Those who play, rule, keep the book or host have one; those who look on may
read it, and have another, which the first read only when the match is over: nobody is advised.
The host may turn it all off, mute somebody, and send somebody away who only looks on.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

import sqlalchemy as sql

from kibitz.core import caching
from kibitz.core.message import Message, Refused, message
from kibitz.server import wall_clock
from kibitz.server.db.schema import CHAT, VISIT
from kibitz.server.db.store import OUT, NotStored, Raced, Store, insert
from kibitz.server.phrases import Speech, speech
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.pubsub import Neighbours
from kibitz.table.seating import REFEREE_ROLE, ROLES, Member, People

Room: TypeAlias = Literal["members", "spectators"]
MEMBERS: Room = "members"
SPECTATORS: Room = "spectators"
ROOMS = (MEMBERS, SPECTATORS)
LONGEST = 500
"""Of what is said at once, in letters."""
LINES = 200
"""So many of the latest lines of a room are shown."""
REMEMBERED = 256
"""How many of the latest entries somebody who was away can catch up on."""
TRIES = 8
"""How often something is written anew because others wrote beside it."""
LISTED = 100
"""So many people the host is told of."""
MOST_MARKS = 4
"""That one letter may wear: more of them cover the lines around it."""
JOINERS = "\u200c\u200d"
"""What is not seen, but makes one picture of two."""
PHRASES = ("hello", "good-luck", "well-played", "good-game", "thanks", "moment")
"""What can be said by a touch, and is read in the reader's language: `:good-game:`."""


class Entry(NamedTuple):
    n: int
    kind: str
    """`say`, or what was done about it: wire.TENDING."""
    room: str
    member: Member
    text: str
    """What was said, nothing where it was removed; else the line or the person it is about."""
    at: float


class Talk:
    """What was said at a table, as far as anybody may still read it; a cache of its log."""

    def __init__(self, is_on: bool, entries: Iterable[Entry], n: int) -> None:
        """`n` is up to where `entries` go: all that was done, and the latest that was said."""
        self.is_on = is_on
        self.lines: dict[str, deque[Entry]] = {room: deque(maxlen=LINES) for room in ROOMS}
        self.muted: set[str] = set()
        self.out: set[str] = set()
        self.latest: deque[Entry] = deque(maxlen=REMEMBERED)
        self.n = 0
        for entry in entries:
            self._take(entry)
        self.latest.clear()
        self.n = self._since = n

    def take(self, entries: Iterable[Entry]) -> bool:
        """What came; whether it was news. Two may have asked for the same."""
        news = [entry for entry in entries if entry.n > self.n]
        for entry in news:
            self._take(entry)
        return bool(news)

    def after(self, n: int) -> list[Entry] | None:
        """What came after entry `n`; None where that is too long ago to know."""
        if n == self.n:
            return []
        since = self.latest[0].n - 1 if len(self.latest) == REMEMBERED else self._since
        return [entry for entry in self.latest if entry.n > n] if since <= n <= self.n else None

    @property
    def members(self) -> set[Member]:
        """Those of whom something is shown."""
        return {entry.member for lines in self.lines.values() for entry in lines}

    def line(self, n: int | None) -> Entry | None:
        return next((each for lines in self.lines.values() for each in lines if each.n == n), None)

    def _take(self, entry: Entry) -> None:
        self.n = entry.n
        self.latest.append(entry)
        match entry.kind:
            case "say":
                self.lines[entry.room].append(entry)
            case "remove":
                self._blank(entry.text)
            case "mute":
                self.muted.add(entry.text)
            case "unmute":
                self.muted.discard(entry.text)
            case "out":
                self.out.add(entry.text)
            case "in":
                self.out.discard(entry.text)
            case "on" | "off":
                self.is_on = entry.kind == "on"

    def _blank(self, n: str) -> None:
        for lines in (*self.lines.values(), self.latest):
            for i, entry in enumerate(lines):
                if entry.kind == "say" and str(entry.n) == n:
                    lines[i] = entry._replace(text="")


class Heard(NamedTuple):
    """What somebody's page knows."""

    n: int
    rooms: tuple[str, ...]
    may: tuple[str, str] | None = None
    """Where they may write, and why not; None where that is not known."""
    talk: Talk | None = None
    """Read once more since, it is told once more."""


class Chat:
    """What is said at all tables. Nothing is shown before it is on disk."""

    def __init__(
        self,
        store: Store,
        neighbours: Neighbours,
        learn_names: Callable[[Collection[Member]], Awaitable[None]],
    ) -> None:
        self._store, self._neighbours, self._learn_names = store, neighbours, learn_names

    async def look(self, live: LiveTable) -> Talk:
        """What was said at a table, whoever heard it."""
        if live.talk is None:
            await self.read_anew(live)
        elif not self._neighbours.is_alone:
            await self.read_on(live)
        assert live.talk
        return live.talk

    async def read_anew(self, live: LiveTable) -> None:
        n = await self._latest(live.id)
        wanted = (CHAT.c.table_id == live.id) & (CHAT.c.n <= n)
        entries = [] if not n else await self._read(wanted & CHAT.c.kind.not_in(("say", "remove")))
        for room in ROOMS if n else ():
            said = wanted & (CHAT.c.kind == "say") & (CHAT.c.room == room)
            entries += await self._read(said, LINES)
        live.talk = Talk(live.terms.chat, sorted(entries), n)
        await self._learn_names(live.talk.members)
        _show(live)

    async def read_on(self, live: LiveTable) -> None:
        """What others wrote since, at whatever worker."""
        talk = live.talk
        if talk is None:
            return
        entries = await self._read((CHAT.c.table_id == live.id) & (CHAT.c.n > talk.n))
        await self._learn_names({entry.member for entry in entries})
        if talk.take(entries):
            _show(live)

    async def look_at(self, watched: Mapping[str, LiveTable]) -> None:
        """Read on wherever something was said that we did not hear of."""
        if not watched:
            return
        query = sql.select(CHAT.c.table_id, sql.func.max(CHAT.c.n))
        query = query.where(CHAT.c.table_id.in_(watched.keys())).group_by(CHAT.c.table_id)
        for table_id, n in await self._store.read(query):
            talk = watched[table_id].talk
            if talk and talk.n < n:
                await self.read_on(watched[table_id])

    async def is_on(self, live: LiveTable) -> bool:
        return (await self.look(live)).is_on

    async def say(self, live: LiveTable, member: Member, text: str, room: str = "") -> int:
        """The number of what was said; raises Refused. A `room` is the one it is meant for."""
        talk, mine = await self.look(live), room_of(live, member)
        if why := why_not(live, talk, member):
            raise Refused(why)
        if room and room != mine:
            raise Refused(message("server.chat-room"))
        said = cleaned(text)
        if not said:
            raise Refused(message("server.chat-empty"))
        if len(said) > LONGEST:
            raise Refused(message("server.chat-long", most=LONGEST))
        return await self._add(live, "say", mine, member, said)

    async def tend(self, live: LiveTable, member: Member, asked: protocol.Tended) -> int:
        """What the host does about what is said; raises Refused."""
        talk = await self.look(live)
        if asked.what == "remove":
            return await self._remove(live, talk, member, asked.n)
        if not member or member != live.people.host:
            raise Refused(message("table.host-only"))
        if asked.what in ("on", "off"):
            return await self._add(live, asked.what, "", member, "")
        other = await self._found(live, talk, asked.who)
        if other is None or other == member:
            raise Refused(message("server.chat-nobody"))
        if asked.what == "out" and is_member(live, other):
            raise Refused(message("server.chat-stays"))
        change = _visiting(live.id, other, asked.what)
        return await self._add(live, asked.what, "", member, asked.who, change)

    async def people(self, live: LiveTable, host: Member) -> list[protocol.PersonSeen]:
        """Those whom a host can do something about."""
        talk = await self.look(live)
        found = sorted(await self._candidates(live, talk) - {host, ""})[:LISTED]
        await self._learn_names(found)
        return [
            protocol.PersonSeen(
                who=(who := who_at(live.id, each)),
                name=live.names.get(each, ""),
                room=MEMBERS if is_member(live, each) else SPECTATORS,
                here=live.is_here(each),
                muted=who in talk.muted,
                out=who in talk.out,
            )
            for each in found
        ]

    async def _remove(self, live: LiveTable, talk: Talk, member: Member, n: int | None) -> int:
        line = talk.line(n)
        if line is None or line.room not in rooms_of(live, member):
            raise Refused(message("server.chat-no-line"))
        if not may_remove(live, member, line):
            raise Refused(message("table.host-only"))
        this = (CHAT.c.table_id == live.id) & (CHAT.c.n == line.n)
        blank = CHAT.update().where(this).values(text="")
        return await self._add(live, "remove", "", member, str(line.n), _doing(blank))

    async def _add(
        self,
        live: LiveTable,
        kind: str,
        room: str,
        member: Member,
        text: str,
        also: Callable[[sql.Connection], None] | None = None,
    ) -> int:
        values = {
            "kind": kind,
            "room": room,
            "member": member,
            "text": text,
            "at": wall_clock.now(),
        }
        latest = sql.select(sql.func.max(CHAT.c.n)).where(CHAT.c.table_id == live.id)

        def write(connection: sql.Connection) -> int:
            n = int(connection.execute(latest).scalar() or 0) + 1
            connection.execute(CHAT.insert(), {"table_id": live.id, "n": n, **values})
            if also:
                also(connection)
            return n

        for left in reversed(range(TRIES)):
            try:
                n = await self._store.write(write)
                break
            except Raced:
                if not left:
                    raise NotStored("too many write at once") from None
        await self.read_on(live)
        self._neighbours.tell("chat", live.id, n)
        return n

    async def _latest(self, table_id: str) -> int:
        query = sql.select(sql.func.max(CHAT.c.n)).where(CHAT.c.table_id == table_id)
        return (await self._store.read(query))[0][0] or 0

    async def _read(self, wanted: sql.ColumnElement[bool], most: int | None = None) -> list[Entry]:
        columns = [CHAT.c[name] for name in Entry._fields]
        query = sql.select(*columns).where(wanted).order_by(CHAT.c.n.desc()).limit(most)
        return [Entry(*each) for each in reversed(await self._store.read(query))]

    async def _found(self, live: LiveTable, talk: Talk, who: str) -> Member | None:
        everybody = await self._candidates(live, talk)
        return next((each for each in everybody if who_at(live.id, each) == who), None)

    async def _candidates(self, live: LiveTable, talk: Talk) -> set[Member]:
        """Those who came by a link, are here, or have said something."""
        query = sql.select(VISIT.c.member).where(VISIT.c.table_id == live.id)
        came = {each[0] for each in await self._store.read(query)}
        return came | live.present | live.people.everybody | talk.members


async def sent_away(store: Store, table_id: str) -> int:
    """How often somebody was sent away from a table: the link to watch is another one then."""
    query = sql.select(sql.func.count()).where(
        (CHAT.c.table_id == table_id) & (CHAT.c.kind == "out")
    )
    return int((await store.read(query))[0][0])


# Who may what


def is_member(live: LiveTable, member: Member) -> bool:
    """Whoever has a part in a match: they write in its room."""
    return bool(member) and member in _having_a_part(live.people)


@caching.latest(1 << 10)
def _having_a_part(people: People) -> frozenset[Member]:
    """Asked for with every sight of everybody, and seldom another answer."""
    return people.everybody | {people.host}


def has_talk(live: LiveTable, talk: Talk) -> bool:
    """Not where nobody else is, nor around a real board, where people talk."""
    is_company = len(_having_a_part(live.people)) > 1 or any(talk.lines.values())
    return is_company and not live.game.is_reported


def room_of(live: LiveTable, member: Member) -> Room:
    return MEMBERS if is_member(live, member) else SPECTATORS


def rooms_of(live: LiveTable, member: Member) -> tuple[Room, ...]:
    """Those that somebody may read."""
    return (MEMBERS,) if is_member(live, member) and not live.table.is_over else ROOMS


def why_not(live: LiveTable, talk: Talk, member: Member) -> Message | None:
    """Why somebody may not say anything."""
    if not has_talk(live, talk):
        return message("server.chat-alone")
    if not talk.is_on:
        return message("server.chat-off")
    if not member:
        return message("server.chat-stranger")
    if talk.muted and who_at(live.id, member) in talk.muted:
        return message("server.chat-muted")
    return None


def may_remove(live: LiveTable, member: Member, line: Entry) -> bool:
    return bool(member and line.text) and member in (live.people.host, line.member)


def is_out(live: LiveTable, member: Member) -> bool:
    """Whether somebody was sent away."""
    talk = live.talk
    if talk is None or not talk.out or is_member(live, member):
        return False
    return who_at(live.id, member) in talk.out


def who_at(table_id: str, member: Member) -> str:
    """Somebody, as others may speak of them: nobody can be them by it."""
    return hashlib.sha256(f"{table_id}:{member}".encode()).hexdigest()[:16]


# What is shown


def said(
    live: LiveTable, member: Member, language: str, heard: Heard | None
) -> tuple[protocol.Said, Heard] | None:
    """What somebody is to be told, and then knows; None where there is nothing new for them."""
    talk = live.talk
    if talk is None or not has_talk(live, talk):
        return None
    rooms, say = rooms_of(live, member), speech(language)
    why = why_not(live, talk, member)
    may = room_of(live, member), say(why) if why else ""
    is_same = heard and heard.rooms == rooms and heard.talk in (None, talk)
    known = talk.after(heard.n) if heard and is_same else None
    if known is None:
        lines = sorted(line for room in rooms for line in talk.lines[room])
        removed = []
    else:
        lines = [each for each in known if each.kind == "say" and each.room in rooms]
        removed = _removed(talk, known, rooms)
        if heard and heard.may == may and not lines and not removed:
            return None
    told = protocol.Said(
        n=talk.n,
        whole=known is None,
        rooms=rooms,
        room=may[0],
        on=talk.is_on,
        why=may[1],
        hosts=member == live.people.host,
        referees=live.people.has_role(member, REFEREE_ROLE),
        lines=[_seen(live, member, line, say) for line in lines],
        removed=removed,
    )
    return told, Heard(talk.n, rooms, may, talk)


def _removed(talk: Talk, known: Sequence[Entry], rooms: Sequence[str]) -> list[int]:
    """Only what somebody could read is told to be gone."""
    numbers = [int(each.text) for each in known if each.kind == "remove"]
    lines = [line for n in numbers if (line := talk.line(n))]
    return [line.n for line in lines if line.room in rooms]


def _seen(live: LiveTable, member: Member, line: Entry, say: Speech) -> protocol.LineSeen:
    people = live.people
    roles = [role for role in ROLES if people.has_role(line.member, role)]
    return protocol.LineSeen(
        n=line.n,
        room=line.room,
        name=live.names.get(line.member, ""),
        seat=next(iter(people.seats_of(line.member)), ""),
        role=roles[0] if roles else "host" if line.member == people.host else "",
        mine=bool(member) and line.member == member,
        text=in_words(line.text, say),
        at=line.at,
        may_remove=may_remove(live, member, line),
        who=who_at(live.id, line.member) if member == people.host else "",
    )


def in_words(text: str, say: Speech) -> str:
    """A phrase in the reader's language; everything else as it was typed."""
    phrase = text.strip(":")
    return say.t(f"page.phrase-{phrase}") if text == f":{phrase}:" and phrase in PHRASES else text


def cleaned(text: str) -> str:
    """On one line, without what cannot be seen or turns the direction of what is around it.

    Nothing, where nothing would be seen.
    """
    kept, marks = [], 0
    for letter in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind[0] == "M" else 0
        if kind in ("Cc", "Zl", "Zp"):
            kept.append(" ")
        elif (kind in ("Cf", "Cs", "Co") and letter not in JOINERS) or marks > MOST_MARKS:
            continue
        else:
            kept.append(letter)
    said = " ".join("".join(kept).split())
    return said if any(unicodedata.category(letter)[0] in "LNPS" for letter in said) else ""


def _show(live: LiveTable) -> None:
    for page in tuple(live.pages):
        page.show_said()


def _doing(change: sql.Update | sql.Delete) -> Callable[[sql.Connection], None]:
    def write(connection: sql.Connection) -> None:
        connection.execute(change)

    return write


def _visiting(table_id: str, member: Member, what: str) -> Callable[[sql.Connection], None] | None:
    """Who was sent away is not let in again, until they are."""
    if what == "in":
        theirs = (VISIT.c.table_id == table_id) & (VISIT.c.member == member)
        return _doing(VISIT.delete().where(theirs & (VISIT.c.role == OUT)))
    if what != "out":
        return None
    visit = {"table_id": table_id, "member": member, "role": OUT, "at": wall_clock.now()}

    def write(connection: sql.Connection) -> None:
        adding = insert(connection, VISIT).values(visit)
        keys = ["table_id", "member"]
        connection.execute(adding.on_conflict_do_update(index_elements=keys, set_={"role": OUT}))

    return write
