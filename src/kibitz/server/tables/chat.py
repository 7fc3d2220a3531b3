"""Chat at a table: a log of its own, which knows nothing of the match.

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
from kibitz.server.db.store import BANNED_ROLE, Store, StoreError, WriteConflict, dialect_insert
from kibitz.server.phrases import Phrases, phrases_for
from kibitz.server.tables import protocol
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.pubsub import PubSub
from kibitz.table.seating import REFEREE_ROLE, ROLES, Member, People

Room: TypeAlias = Literal["members", "spectators"]
MEMBERS: Room = "members"
SPECTATORS: Room = "spectators"
ROOMS = (MEMBERS, SPECTATORS)
MAX_MESSAGE_CHARS = 500
"""Of what is said at once, in letters."""
MAX_LINES_PER_ROOM = 200
"""So many of the latest lines of a room are shown."""
MAX_CATCH_UP_ENTRIES = 256
"""How many of the latest entries somebody who was away can catch up on."""
MAX_TRIES = 8
"""How often something is written anew because others wrote beside it."""
MAX_LISTED_PEOPLE = 100
"""So many people the host is told of."""
MAX_COMBINING_MARKS = 4
"""That one letter may wear: more of them cover the lines around it."""
JOINERS = "\u200c\u200d"
"""What is not seen, but makes one picture of two."""
QUICK_PHRASES = ("hello", "good-luck", "well-played", "good-game", "thanks", "moment")
"""What can be said by a touch, and is read in the reader's language: `:good-game:`."""


class ChatEntry(NamedTuple):
    n: int
    kind: str
    """`say`, or what was done about it: wire.TENDING."""
    room: str
    member: Member
    text: str
    """What was said, nothing where it was removed; else the line or the person it is about."""
    at: float


class ChatLog:
    """What was said at a table, as far as anybody may still read it; a cache of its log."""

    def __init__(self, is_on: bool, entries: Iterable[ChatEntry], n: int) -> None:
        """`n` is up to where `entries` go: all that was done, and the latest that was said."""
        self.is_on = is_on
        self.lines: dict[str, deque[ChatEntry]] = {
            room: deque(maxlen=MAX_LINES_PER_ROOM) for room in ROOMS
        }
        self.muted: set[str] = set()
        self.banned: set[str] = set()
        self.recent_entries: deque[ChatEntry] = deque(maxlen=MAX_CATCH_UP_ENTRIES)
        self.n = 0
        for entry in entries:
            self._add_entry(entry)
        self.recent_entries.clear()
        self.n = self._since = n

    def add_entries(self, entries: Iterable[ChatEntry]) -> bool:
        """What came; whether it was news. Two may have asked for the same."""
        news = [entry for entry in entries if entry.n > self.n]
        for entry in news:
            self._add_entry(entry)
        return bool(news)

    def entries_after(self, n: int) -> list[ChatEntry] | None:
        """What came after entry `n`; None where that is too long ago to know."""
        if n == self.n:
            return []
        since = (
            self.recent_entries[0].n - 1
            if len(self.recent_entries) == MAX_CATCH_UP_ENTRIES
            else self._since
        )
        return (
            [entry for entry in self.recent_entries if entry.n > n]
            if since <= n <= self.n
            else None
        )

    @property
    def members(self) -> set[Member]:
        """Those of whom something is shown."""
        return {entry.member for lines in self.lines.values() for entry in lines}

    def find_line(self, n: int | None) -> ChatEntry | None:
        return next((each for lines in self.lines.values() for each in lines if each.n == n), None)

    def _add_entry(self, entry: ChatEntry) -> None:
        self.n = entry.n
        self.recent_entries.append(entry)
        match entry.kind:
            case "say":
                self.lines[entry.room].append(entry)
            case "remove":
                self._blank_line(entry.text)
            case "mute":
                self.muted.add(entry.text)
            case "unmute":
                self.muted.discard(entry.text)
            case "out":
                self.banned.add(entry.text)
            case "in":
                self.banned.discard(entry.text)
            case "on" | "off":
                self.is_on = entry.kind == "on"

    def _blank_line(self, n: str) -> None:
        for lines in (*self.lines.values(), self.recent_entries):
            for i, entry in enumerate(lines):
                if entry.kind == "say" and str(entry.n) == n:
                    lines[i] = entry._replace(text="")


class ChatCursor(NamedTuple):
    """What somebody's page knows."""

    n: int
    rooms: tuple[str, ...]
    write_permission: tuple[str, str] | None = None
    """Where they may write, and why not; None where that is not known."""
    chat_log: ChatLog | None = None
    """Read once more since, it is told once more."""


class Chat:
    """What is said at all tables. Nothing is shown before it is on disk."""

    def __init__(
        self,
        store: Store,
        neighbours: PubSub,
        learn_names: Callable[[Collection[Member]], Awaitable[None]],
    ) -> None:
        self._store, self._pubsub, self._refresh_names = store, neighbours, learn_names

    async def load_log(self, live: LiveTable) -> ChatLog:
        """What was said at a table, whoever heard it."""
        if live.chat_log is None:
            await self.reload_log(live)
        elif not self._pubsub.is_single_worker:
            await self.read_new_entries(live)
        assert live.chat_log
        return live.chat_log

    async def reload_log(self, live: LiveTable) -> None:
        n = await self._latest_number(live.id)
        wanted = (CHAT.c.table_id == live.id) & (CHAT.c.n <= n)
        entries = (
            []
            if not n
            else await self._read_entries(wanted & CHAT.c.kind.not_in(("say", "remove")))
        )
        for room in ROOMS if n else ():
            said = wanted & (CHAT.c.kind == "say") & (CHAT.c.room == room)
            entries += await self._read_entries(said, MAX_LINES_PER_ROOM)
        live.chat_log = ChatLog(live.settings.chat, sorted(entries), n)
        await self._refresh_names(live.chat_log.members)
        _notify_subscribers(live)

    async def read_new_entries(self, live: LiveTable) -> None:
        """What others wrote since, at whatever worker."""
        talk = live.chat_log
        if talk is None:
            return
        entries = await self._read_entries((CHAT.c.table_id == live.id) & (CHAT.c.n > talk.n))
        await self._refresh_names({entry.member for entry in entries})
        if talk.add_entries(entries):
            _notify_subscribers(live)

    async def poll_tables(self, watched: Mapping[str, LiveTable]) -> None:
        """Read on wherever something was said that we did not hear of."""
        if not watched:
            return
        query = sql.select(CHAT.c.table_id, sql.func.max(CHAT.c.n))
        query = query.where(CHAT.c.table_id.in_(watched.keys())).group_by(CHAT.c.table_id)
        for table_id, n in await self._store.read(query):
            talk = watched[table_id].chat_log
            if talk and talk.n < n:
                await self.read_new_entries(watched[table_id])

    async def is_on(self, live: LiveTable) -> bool:
        return (await self.load_log(live)).is_on

    async def post_message(self, live: LiveTable, member: Member, text: str, room: str = "") -> int:
        """The number of what was said; raises Refused. A `room` is the one it is meant for."""
        talk, mine = await self.load_log(live), room_of(live, member)
        if why := why_not(live, talk, member):
            raise Refused(why)
        if room and room != mine:
            raise Refused(message("server.chat-room"))
        said = clean_text(text)
        if not said:
            raise Refused(message("server.chat-empty"))
        if len(said) > MAX_MESSAGE_CHARS:
            raise Refused(message("server.chat-long", most=MAX_MESSAGE_CHARS))
        return await self._append_entry(live, "say", mine, member, said)

    async def moderate_chat(self, live: LiveTable, member: Member, asked: protocol.Tended) -> int:
        """What the host does about what is said; raises Refused."""
        talk = await self.load_log(live)
        if asked.what == "remove":
            return await self._remove_line(live, talk, member, asked.n)
        if not member or member != live.people.host:
            raise Refused(message("table.host-only"))
        if asked.what in ("on", "off"):
            return await self._append_entry(live, asked.what, "", member, "")
        other = await self._find_person(live, talk, asked.who)
        if other is None or other == member:
            raise Refused(message("server.chat-nobody"))
        if asked.what == "out" and is_member(live, other):
            raise Refused(message("server.chat-stays"))
        change = _ban_writer(live.id, other, asked.what)
        return await self._append_entry(live, asked.what, "", member, asked.who, change)

    async def moderation_list(self, live: LiveTable, host: Member) -> list[protocol.PersonSeen]:
        """Those whom a host can do something about."""
        talk = await self.load_log(live)
        found = sorted(await self._candidates(live, talk) - {host, ""})[:MAX_LISTED_PEOPLE]
        await self._refresh_names(found)
        return [
            protocol.PersonSeen(
                who=(who := public_id(live.id, each)),
                name=live.names.get(each, ""),
                room=MEMBERS if is_member(live, each) else SPECTATORS,
                here=live.presence.is_present(each),
                muted=who in talk.muted,
                out=who in talk.banned,
            )
            for each in found
        ]

    async def _remove_line(
        self, live: LiveTable, talk: ChatLog, member: Member, n: int | None
    ) -> int:
        line = talk.find_line(n)
        if line is None or line.room not in rooms_of(live, member):
            raise Refused(message("server.chat-no-line"))
        if not may_remove(live, member, line):
            raise Refused(message("table.host-only"))
        this = (CHAT.c.table_id == live.id) & (CHAT.c.n == line.n)
        blank = CHAT.update().where(this).values(text="")
        return await self._append_entry(
            live, "remove", "", member, str(line.n), _statement_runner(blank)
        )

    async def _append_entry(
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

        for left in reversed(range(MAX_TRIES)):
            try:
                n = await self._store.write(write)
                break
            except WriteConflict:
                if not left:
                    raise StoreError("too many write at once") from None
        await self.read_new_entries(live)
        self._pubsub.publish("chat", live.id, n)
        return n

    async def _latest_number(self, table_id: str) -> int:
        query = sql.select(sql.func.max(CHAT.c.n)).where(CHAT.c.table_id == table_id)
        return (await self._store.read(query))[0][0] or 0

    async def _read_entries(
        self, wanted: sql.ColumnElement[bool], most: int | None = None
    ) -> list[ChatEntry]:
        columns = [CHAT.c[name] for name in ChatEntry._fields]
        query = sql.select(*columns).where(wanted).order_by(CHAT.c.n.desc()).limit(most)
        return [ChatEntry(*each) for each in reversed(await self._store.read(query))]

    async def _find_person(self, live: LiveTable, talk: ChatLog, who: str) -> Member | None:
        everybody = await self._candidates(live, talk)
        return next((each for each in everybody if public_id(live.id, each) == who), None)

    async def _candidates(self, live: LiveTable, talk: ChatLog) -> set[Member]:
        """Those who came by a link, are here, or have said something."""
        query = sql.select(VISIT.c.member).where(VISIT.c.table_id == live.id)
        came = {each[0] for each in await self._store.read(query)}
        return came | live.presence.members | live.people.all_members | talk.members


async def ban_count(store: Store, table_id: str) -> int:
    """How often somebody was sent away from a table: the link to watch is another one then."""
    query = sql.select(sql.func.count()).where(
        (CHAT.c.table_id == table_id) & (CHAT.c.kind == "out")
    )
    return int((await store.read(query))[0][0])


# Who may what


def is_member(live: LiveTable, member: Member) -> bool:
    """Whoever has a part in a match: they write in its room."""
    return bool(member) and member in _participants(live.people)


@caching.cache_latest(1 << 10)
def _participants(people: People) -> frozenset[Member]:
    """Asked for with every sight of everybody, and seldom another answer."""
    return people.all_members | {people.host}


def has_chat(live: LiveTable, talk: ChatLog) -> bool:
    """Not where nobody else is, nor around a real board, where people talk."""
    is_company = len(_participants(live.people)) > 1 or any(talk.lines.values())
    return is_company and live.game.companion is None


def room_of(live: LiveTable, member: Member) -> Room:
    return MEMBERS if is_member(live, member) else SPECTATORS


def rooms_of(live: LiveTable, member: Member) -> tuple[Room, ...]:
    """Those that somebody may read."""
    return (MEMBERS,) if is_member(live, member) and not live.table.is_over else ROOMS


def why_not(live: LiveTable, talk: ChatLog, member: Member) -> Message | None:
    """Why somebody may not say anything."""
    if not has_chat(live, talk):
        return message("server.chat-alone")
    if not talk.is_on:
        return message("server.chat-off")
    if not member:
        return message("server.chat-stranger")
    if talk.muted and public_id(live.id, member) in talk.muted:
        return message("server.chat-muted")
    return None


def may_remove(live: LiveTable, member: Member, line: ChatEntry) -> bool:
    return bool(member and line.text) and member in (live.people.host, line.member)


def is_banned(live: LiveTable, member: Member) -> bool:
    """Whether somebody was sent away."""
    talk = live.chat_log
    if talk is None or not talk.banned or is_member(live, member):
        return False
    return public_id(live.id, member) in talk.banned


def public_id(table_id: str, member: Member) -> str:
    """Somebody, as others may speak of them: nobody can be them by it."""
    return hashlib.sha256(f"{table_id}:{member}".encode()).hexdigest()[:16]


# What is shown


def chat_update(
    live: LiveTable, member: Member, language: str, heard: ChatCursor | None
) -> tuple[protocol.Said, ChatCursor] | None:
    """What somebody is to be told, and then knows; None where there is nothing new for them."""
    talk = live.chat_log
    if talk is None or not has_chat(live, talk):
        return None
    rooms, say = rooms_of(live, member), phrases_for(language)
    why = why_not(live, talk, member)
    may = room_of(live, member), say(why) if why else ""
    is_same = heard and heard.rooms == rooms and heard.chat_log in (None, talk)
    known = talk.entries_after(heard.n) if heard and is_same else None
    if known is None:
        lines = sorted(line for room in rooms for line in talk.lines[room])
        removed = []
    else:
        lines = [each for each in known if each.kind == "say" and each.room in rooms]
        removed = _removed_lines(talk, known, rooms)
        if heard and heard.write_permission == may and not lines and not removed:
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
        lines=[_line_view(live, member, line, say) for line in lines],
        removed=removed,
    )
    return told, ChatCursor(talk.n, rooms, may, talk)


def _removed_lines(talk: ChatLog, known: Sequence[ChatEntry], rooms: Sequence[str]) -> list[int]:
    """Only what somebody could read is told to be gone."""
    numbers = [int(each.text) for each in known if each.kind == "remove"]
    lines = [line for n in numbers if (line := talk.find_line(n))]
    return [line.n for line in lines if line.room in rooms]


def _line_view(live: LiveTable, member: Member, line: ChatEntry, say: Phrases) -> protocol.LineSeen:
    people = live.people
    roles = [role for role in ROLES if people.has_role(line.member, role)]
    return protocol.LineSeen(
        n=line.n,
        room=line.room,
        name=live.names.get(line.member, ""),
        seat=next(iter(people.seats_of(line.member)), ""),
        role=roles[0] if roles else "host" if line.member == people.host else "",
        mine=bool(member) and line.member == member,
        text=translate_phrase(line.text, say),
        at=line.at,
        may_remove=may_remove(live, member, line),
        who=public_id(live.id, line.member) if member == people.host else "",
    )


def translate_phrase(text: str, say: Phrases) -> str:
    """A phrase in the reader's language; everything else as it was typed."""
    phrase = text.strip(":")
    return (
        say.t(f"page.phrase-{phrase}")
        if text == f":{phrase}:" and phrase in QUICK_PHRASES
        else text
    )


def clean_text(text: str) -> str:
    """On one line, without what cannot be seen or turns the direction of what is around it.

    Nothing, where nothing would be seen.
    """
    kept, marks = [], 0
    for letter in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind[0] == "M" else 0
        if kind in ("Cc", "Zl", "Zp"):
            kept.append(" ")
        elif (kind in ("Cf", "Cs", "Co") and letter not in JOINERS) or marks > MAX_COMBINING_MARKS:
            continue
        else:
            kept.append(letter)
    said = " ".join("".join(kept).split())
    return said if any(unicodedata.category(letter)[0] in "LNPS" for letter in said) else ""


def _notify_subscribers(live: LiveTable) -> None:
    for page in tuple(live.presence.subscribers):
        page.notify_chat()


def _statement_runner(change: sql.Update | sql.Delete) -> Callable[[sql.Connection], None]:
    def write(connection: sql.Connection) -> None:
        connection.execute(change)

    return write


def _ban_writer(
    table_id: str, member: Member, what: str
) -> Callable[[sql.Connection], None] | None:
    """Who was sent away is not let in again, until they are."""
    if what == "in":
        theirs = (VISIT.c.table_id == table_id) & (VISIT.c.member == member)
        return _statement_runner(VISIT.delete().where(theirs & (VISIT.c.role == BANNED_ROLE)))
    if what != "out":
        return None
    visit = {"table_id": table_id, "member": member, "role": BANNED_ROLE, "at": wall_clock.now()}

    def write(connection: sql.Connection) -> None:
        adding = dialect_insert(connection, VISIT).values(visit)
        keys = ["table_id", "member"]
        connection.execute(
            adding.on_conflict_do_update(index_elements=keys, set_={"role": BANNED_ROLE})
        )

    return write
