"""Chat at a table: a log of its own, which knows nothing of the match.

There are two rooms. Those who play, rule, keep the book or host have one; those who look on may
read it, and have another, which the first read only when the match is over: nobody is advised.
The host may turn it all off, mute somebody, and send somebody away who only looks on.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from kibitz.core import caching
from kibitz.core.message import Message, Refused, message
from kibitz.server import wall_clock
from kibitz.server.db.queries import chat as queries
from kibitz.server.db.queries.accounts import members_without_account
from kibitz.server.db.queries.chat import ChatEntry
from kibitz.server.db.queries.memberships import members_of
from kibitz.server.db.store import Store, Writer
from kibitz.server.phrases import Phrases, phrases_for
from kibitz.server.tables import protocol
from kibitz.server.tables.cluster.pubsub import PubSub
from kibitz.server.tables.live_table import LiveTable
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
"""The number of the latest entries that somebody who was away can catch up on."""
MAX_LISTED_PEOPLE = 100
"""So many people the host is told of."""
MAX_COMBINING_MARKS = 4
"""That one letter may wear: more of them cover the lines around it."""
JOINERS = "\u200c\u200d"
"""Letters that are not seen, but make one picture of two."""
HOUSEHOLD_BAN_S = 24 * 60 * 60.0
"""For so long nobody of a household writes at a table that one of them was sent away from."""
MAX_HOUSEHOLDS = 10_000
_HOUSEHOLD_KEY = secrets.token_bytes(32)
QUICK_PHRASES = ("hello", "good-luck", "well-played", "good-game", "thanks", "moment")
"""Phrases said by a touch, and read in the reader's language: `:good-game:`."""


class ChatLog:
    """The chat of a table, as far as anybody may still read it; a cache of its log."""

    def __init__(self, is_on: bool, entries: Iterable[ChatEntry], n: int) -> None:
        """`n` is up to where `entries` go: all that was done, and the latest that was said."""
        self.is_on = is_on
        self.lines: dict[str, deque[ChatEntry]] = {
            room: deque(maxlen=MAX_LINES_PER_ROOM) for room in ROOMS
        }
        self.muted: set[str] = set()
        self.banned: set[str] = set()
        self.is_for_accounts = False
        """True if of those who look on only people with an account write."""
        self.recent_entries: deque[ChatEntry] = deque(maxlen=MAX_CATCH_UP_ENTRIES)
        self.n = 0
        for entry in entries:
            self._add_entry(entry)
        self.recent_entries.clear()
        self.n = self._since = n

    def add_entries(self, entries: Iterable[ChatEntry]) -> bool:
        """Add entries; True if any was new. Two may have asked for the same."""
        news = [entry for entry in entries if entry.n > self.n]
        for entry in news:
            self._add_entry(entry)
        return bool(news)

    def entries_after(self, n: int) -> list[ChatEntry] | None:
        """The entries after entry `n`; None where that is too long ago to know."""
        if n == self.n:
            return []
        is_full = len(self.recent_entries) == MAX_CATCH_UP_ENTRIES
        since = self.recent_entries[0].n - 1 if is_full else self._since
        if not since <= n <= self.n:
            return None
        return [entry for entry in self.recent_entries if entry.n > n]

    @property
    def members(self) -> set[Member]:
        """Those of whom something is shown."""
        return {entry.member for lines in self.lines.values() for entry in lines}

    def find_line(self, n: int) -> ChatEntry | None:
        return next((each for lines in self.lines.values() for each in lines if each.n == n), None)

    def _add_entry(self, entry: ChatEntry) -> None:
        self.n = entry.n
        self.recent_entries.append(entry)
        match entry.kind:
            case "say":
                self.lines[entry.room].append(entry)
            case "remove-line":
                self._blank_line(entry.text)
            case "mute":
                self.muted.add(entry.text)
            case "unmute":
                self.muted.discard(entry.text)
            case "remove-person":
                self.banned.add(entry.text)
            case "readmit":
                self.banned.discard(entry.text)
            case "open" | "close":
                self.is_on = entry.kind == "open"
            case "accounts" | "everybody":
                self.is_for_accounts = entry.kind == "accounts"

    def _blank_line(self, n: str) -> None:
        for lines in (*self.lines.values(), self.recent_entries):
            for i, entry in enumerate(lines):
                if entry.kind == "say" and str(entry.n) == n:
                    lines[i] = entry._replace(text="")


class ChatCursor(NamedTuple):
    """The part of a chat that somebody's page knows."""

    n: int
    rooms: tuple[str, ...]
    write_permission: tuple[str, str] | None = None
    """Where they may write, and why not; None where that is not known."""
    chat_log: ChatLog | None = None
    """Read once more since, it is told once more."""


@dataclass(frozen=True, eq=False)
class Chat:
    """The chats of all tables. Nothing is shown before it is on disk."""

    _store: Store
    _pubsub: PubSub
    _refresh_names: Callable[[Collection[Member]], Awaitable[None]]
    _households: OrderedDict[tuple[str, Member], str] = field(default_factory=OrderedDict)
    """Where those who look on write from: a hash of table and address, in memory only."""
    _banned_households: OrderedDict[str, float] = field(default_factory=OrderedDict)
    """Those from which somebody was sent away, and until when that counts."""

    async def load_log(self, live: LiveTable) -> ChatLog:
        """The chat of a table, with all that was said by now."""
        if live.chat_log is None:
            await self.reload_log(live)
        elif not self._pubsub.is_single_worker:
            await self.read_new_entries(live)
        assert live.chat_log
        return live.chat_log

    async def reload_log(self, live: LiveTable) -> None:
        entries, n = await queries.latest_entries(self._store, live.id, ROOMS, MAX_LINES_PER_ROOM)
        live.chat_log = ChatLog(live.settings.chat, entries, n)
        await self._refresh_names(live.chat_log.members)
        _notify_subscribers(live)

    async def read_new_entries(self, live: LiveTable) -> None:
        """Read entries that others wrote since, at whatever worker."""
        chat_log = live.chat_log
        if chat_log is None:
            return
        entries = await queries.entries_after(self._store, live.id, chat_log.n)
        await self._refresh_names({entry.member for entry in entries})
        if chat_log.add_entries(entries):
            _notify_subscribers(live)

    async def poll_tables(self, tables: Mapping[str, LiveTable]) -> None:
        """Read on wherever something was said that we did not hear of."""
        for table_id, n in await queries.latest_numbers(self._store, tables.keys()):
            chat_log = tables[table_id].chat_log
            if chat_log and chat_log.n < n:
                await self.read_new_entries(tables[table_id])

    async def is_on(self, live: LiveTable) -> bool:
        return (await self.load_log(live)).is_on

    async def post_message(
        self, live: LiveTable, member: Member, text: str, room: str = "", address: str = ""
    ) -> int:
        """The number of what was said; raises Refused. A `room` is the one it is meant for."""
        chat_log, mine = await self.load_log(live), room_of(live, member)
        if why := why_not(live, chat_log, member):
            raise Refused(why)
        if not is_member(live, member):
            await self._refuse_stranger(live, chat_log, member, address)
        if room and room != mine:
            raise Refused(message("server.chat-room"))
        said = clean_text(text)
        if not said:
            raise Refused(message("server.chat-empty"))
        if len(said) > MAX_MESSAGE_CHARS:
            raise Refused(message("server.chat-long", most=MAX_MESSAGE_CHARS))
        return await self._append_entry(live, "say", mine, member, said)

    async def _refuse_stranger(
        self, live: LiveTable, chat_log: ChatLog, member: Member, address: str
    ) -> None:
        """Refuse whoever looks on where only accounts write, or somebody of the same household was
        sent away today; raises Refused."""
        if chat_log.is_for_accounts and await members_without_account(self._store, {member}):
            raise Refused(message("server.chat-accounts"))
        household = _household(live.id, address)
        if self._banned_households.get(household, 0.0) > wall_clock.now():
            raise Refused(message("server.chat-sent-away"))
        self._households[live.id, member] = household
        while len(self._households) > MAX_HOUSEHOLDS:
            self._households.popitem(last=False)

    def _ban_household(self, live: LiveTable, member: Member, kind: str) -> None:
        """Remember for a day where somebody wrote from who is sent away."""
        household = self._households.get((live.id, member))
        if household and kind == "remove-person":
            self._banned_households[household] = wall_clock.now() + HOUSEHOLD_BAN_S
            while len(self._banned_households) > MAX_HOUSEHOLDS:
                self._banned_households.popitem(last=False)
        elif household and kind == "readmit":
            self._banned_households.pop(household, None)

    async def moderate_chat(
        self, live: LiveTable, member: Member, asked: protocol.ChatModeration
    ) -> int:
        """The number of what the host did about the chat; raises Refused."""
        chat_log, kind = await self.load_log(live), asked.do
        if not member or member != live.people.host:
            raise Refused(message("table.host-only"))
        if kind in ("open", "close", "accounts", "everybody"):
            return await self._append_entry(live, kind, "", member, "")
        other = await self._find_person(live, chat_log, asked.who)
        if other is None or other == member:
            raise Refused(message("server.chat-nobody"))
        if kind == "remove-person" and is_member(live, other):
            raise Refused(message("server.chat-has-role"))
        self._ban_household(live, other, kind)
        change = queries.ban_writer(live.id, other, kind)
        return await self._append_entry(live, kind, "", member, asked.who, change)

    async def moderation_list(self, live: LiveTable, host: Member) -> list[protocol.PersonView]:
        """Those whom a host can do something about."""
        chat_log = await self.load_log(live)
        found = sorted(await self._candidates(live, chat_log) - {host, ""})[:MAX_LISTED_PEOPLE]
        await self._refresh_names(found)
        return [
            protocol.PersonView(
                who=(who := public_id(live.id, each)),
                name=live.names.get(each, ""),
                room=MEMBERS if is_member(live, each) else SPECTATORS,
                is_here=live.presence.is_present(each),
                is_muted=who in chat_log.muted,
                is_removed=who in chat_log.banned,
            )
            for each in found
        ]

    async def remove_line(self, live: LiveTable, member: Member, n: int) -> int:
        """The number of the removal of a line, by whoever said it or the host; raises Refused."""
        line = (await self.load_log(live)).find_line(n)
        if line is None or line.room not in rooms_of(live, member):
            raise Refused(message("server.chat-no-line"))
        if not may_remove(live, member, line):
            raise Refused(message("table.host-only"))
        blank = queries.line_blanker(live.id, line.n)
        return await self._append_entry(live, "remove-line", "", member, str(line.n), blank)

    async def _append_entry(
        self,
        live: LiveTable,
        kind: str,
        room: str,
        member: Member,
        text: str,
        also: Writer | None = None,
    ) -> int:
        entry = ChatEntry(0, kind, room, member, text, wall_clock.now())
        n = await queries.append_entry(self._store, live.id, entry, also)
        await self.read_new_entries(live)
        self._pubsub.publish("chat", live.id, n)
        return n

    async def _find_person(self, live: LiveTable, chat_log: ChatLog, who: str) -> Member | None:
        everybody = await self._candidates(live, chat_log)
        return next((each for each in everybody if public_id(live.id, each) == who), None)

    async def _candidates(self, live: LiveTable, chat_log: ChatLog) -> set[Member]:
        """Those who came by a link, are here, or have said something."""
        came = await members_of(self._store, live.id)
        return came | live.presence.members | live.people.all_members | chat_log.members


def _household(table_id: str, address: str) -> str:
    """A mark of an address at one table, which tells nobody the address."""
    return hmac.digest(_HOUSEHOLD_KEY, f"{table_id}:{address}".encode(), "sha256").hex()


# Who may what


def is_member(live: LiveTable, member: Member) -> bool:
    """True for whoever has a part in a match: they write in its room."""
    return bool(member) and member in _participants(live.people)


@caching.cache_latest(1 << 10)
def _participants(people: People) -> frozenset[Member]:
    """Asked for with every view of everybody, and seldom another answer."""
    return people.all_members | {people.host}


def has_chat(live: LiveTable, chat_log: ChatLog) -> bool:
    """Not where nobody else is, nor around a real board, where people talk."""
    has_others = len(_participants(live.people)) > 1 or any(chat_log.lines.values())
    return has_others and live.game.companion is None


def room_of(live: LiveTable, member: Member) -> Room:
    return MEMBERS if is_member(live, member) else SPECTATORS


def rooms_of(live: LiveTable, member: Member) -> tuple[Room, ...]:
    """Those that somebody may read."""
    return (MEMBERS,) if is_member(live, member) and not live.table.is_over else ROOMS


def why_not(live: LiveTable, chat_log: ChatLog, member: Member) -> Message | None:
    """The reason that somebody may not say anything; None where they may."""
    if not has_chat(live, chat_log):
        return message("server.chat-alone")
    if not chat_log.is_on:
        return message("server.chat-off")
    if not member:
        return message("server.chat-not-present")
    if live.settings.rated and not live.table.is_over and not is_member(live, member):
        return message("server.chat-rated")
    if chat_log.muted and public_id(live.id, member) in chat_log.muted:
        return message("server.chat-muted")
    return None


def may_remove(live: LiveTable, member: Member, line: ChatEntry) -> bool:
    return bool(member and line.text) and member in (live.people.host, line.member)


def is_banned(live: LiveTable, member: Member) -> bool:
    """True if somebody was sent away."""
    chat_log = live.chat_log
    if chat_log is None or not chat_log.banned or is_member(live, member):
        return False
    return public_id(live.id, member) in chat_log.banned


def public_id(table_id: str, member: Member) -> str:
    """The id by which others name a member; it gives nobody the member's rights."""
    return hashlib.sha256(f"{table_id}:{member}".encode()).hexdigest()[:16]


# What is shown


def chat_update(
    live: LiveTable, member: Member, language: str, cursor: ChatCursor | None
) -> tuple[protocol.ChatView, ChatCursor] | None:
    """The news of a chat for somebody, and the cursor after it; None where there are none."""
    chat_log = live.chat_log
    if chat_log is None or not has_chat(live, chat_log):
        return None
    rooms, say = rooms_of(live, member), phrases_for(language)
    why = why_not(live, chat_log, member)
    may = room_of(live, member), say(why) if why else ""
    is_same = cursor and cursor.rooms == rooms and cursor.chat_log in (None, chat_log)
    known = chat_log.entries_after(cursor.n) if cursor and is_same else None
    if known is None:
        lines = sorted(line for room in rooms for line in chat_log.lines[room])
        removed = []
    else:
        lines = [each for each in known if each.kind == "say" and each.room in rooms]
        removed = _removed_lines(chat_log, known, rooms)
        if cursor and cursor.write_permission == may and not lines and not removed:
            return None
    update = protocol.ChatView(
        n=chat_log.n,
        is_whole=known is None,
        rooms=rooms,
        room=may[0],
        is_open=chat_log.is_on,
        is_for_accounts=chat_log.is_for_accounts,
        why_not=may[1],
        is_host=member == live.people.host,
        is_referee=live.people.has_role(member, REFEREE_ROLE),
        lines=[_line_view(live, member, line, say) for line in lines],
        removed=removed,
    )
    return update, ChatCursor(chat_log.n, rooms, may, chat_log)


def _removed_lines(
    chat_log: ChatLog, known: Sequence[ChatEntry], rooms: Sequence[str]
) -> list[int]:
    """Only what somebody could read is told to be gone."""
    numbers = [int(each.text) for each in known if each.kind == "remove-line"]
    lines = [line for n in numbers if (line := chat_log.find_line(n))]
    return [line.n for line in lines if line.room in rooms]


def _line_view(
    live: LiveTable, member: Member, line: ChatEntry, say: Phrases
) -> protocol.ChatLineView:
    people = live.people
    roles = [role for role in ROLES if people.has_role(line.member, role)]
    return protocol.ChatLineView(
        n=line.n,
        room=line.room,
        name=live.names.get(line.member, ""),
        seat=next(iter(people.seats_of(line.member)), ""),
        role=roles[0] if roles else "host" if line.member == people.host else "",
        has_account=line.member in live.accounts,
        is_mine=bool(member) and line.member == member,
        text=translate_phrase(line.text, say),
        at=line.at,
        may_remove=may_remove(live, member, line),
        who=public_id(live.id, line.member) if member == people.host else "",
    )


def translate_phrase(text: str, say: Phrases) -> str:
    """A phrase in the reader's language; everything else as it was typed."""
    phrase = text.strip(":")
    is_phrase = text == f":{phrase}:" and phrase in QUICK_PHRASES
    return say.t(f"page.phrase-{phrase}") if is_phrase else text


def clean_text(text: str) -> str:
    """On one line, without what cannot be seen or turns the direction of what is around it.

    Nothing, where nothing would be seen.
    """
    letters, marks = [], 0
    for letter in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(letter)
        marks = marks + 1 if kind[0] == "M" else 0
        if kind in ("Cc", "Zl", "Zp"):
            letters.append(" ")
        elif (kind in ("Cf", "Cs", "Co") and letter not in JOINERS) or marks > MAX_COMBINING_MARKS:
            continue
        else:
            letters.append(letter)
    said = " ".join("".join(letters).split())
    return said if any(unicodedata.category(letter)[0] in "LNPS" for letter in said) else ""


def _notify_subscribers(live: LiveTable) -> None:
    for page in tuple(live.presence.subscribers):
        page.notify_chat()
