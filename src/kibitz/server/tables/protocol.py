"""Messages between page and server, as types (docs/protocol.md)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct, field

from kibitz.server.http.errors import ErrorValue
from kibitz.server.http.nul_bytes import has_no_nul

MOST_BYTES = 1 << 14
"""Of one message from a page."""

Key: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]


Text: TypeAlias = Annotated[str, Meta(max_length=4096)]


class Act(Struct, tag_field="do", tag="act"):
    """Something to do: all of the texts or none."""

    key: Key
    texts: Annotated[tuple[Text, ...], Meta(max_length=64)]
    seq: int | None = None
    """At which row it was meant; whatever the row, where it is left out."""
    seat: str | None = None


class Why(Struct, tag_field="do", tag="why"):
    """What was touched that is not offered."""

    key: Key
    path: Annotated[tuple[str, ...], Meta(max_length=64)]
    seat: str | None = None


class Look(Struct, tag_field="do", tag="look"):
    tall: bool


class Unveil(Struct, tag_field="do", tag="unveil"):
    """Whoever looks now is the one the device was handed to."""

    seat: str


class Say(Struct, tag_field="do", tag="say"):
    """Something to say to those who may read it."""

    key: Key
    text: Text
    room: str = ""
    """Which one it is meant for; yours, where it is left out."""


Asked: TypeAlias = Act | Why | Look | Unveil | Say


Tending: TypeAlias = Literal["remove", "mute", "unmute", "out", "in", "off", "on"]


class Tended(Struct):
    """Something to be done about what is said."""

    what: Tending
    n: int | None = None
    """The line that is to be removed."""
    who: str = ""
    """The person that it is about."""


class SeatSeen(Struct):
    """A seat and those who sit there."""

    seat: str
    name: str
    note: str
    glyph: str
    bot: str
    """Its name, if one sits there."""
    mine: bool
    to_act: bool
    members: list[str]
    """What they are called; empty for somebody who never said."""
    accounts: list[bool]
    """Which of them have an account, by the name that it has."""
    here: bool
    """Whether anybody of them is."""
    free: bool
    kept: bool
    """A bot keeps it for somebody."""
    may_be_kept: bool
    """They have been away so long that the others may ask for a bot."""


class MarkSeen(Struct):
    """Something drawn over the board after so many touches."""

    kind: str
    places: tuple[str, ...]
    text: str
    after: int


class OfferSeen(Struct):
    """Something that may be done: what to touch, and what to send."""

    seat: str
    texts: tuple[str, ...]
    path: tuple[str, ...]
    kind: str
    label: str
    rule: str
    says: list[str]
    marks: list[MarkSeen]
    ask: bool
    urgent: bool
    always: bool


class MotionSeen(Struct, rename={"origin": "from", "target": "to"}):
    """A piece that moved, by the elements it stood on."""

    origin: str
    target: str
    via: str
    through: tuple[str, ...]
    how: str


class PutDownSeen(Struct):
    """A card that lay face down, and what it came to."""

    seat: str
    place: str
    """Whose piece is shown beside it."""
    name: str
    card: str
    sum: str
    total: int
    won: bool


class RevealSeen(Struct):
    """Cards that lay face down, to be turned over together."""

    title: str
    sides: list[PutDownSeen]
    verdict: str
    margin: str


class EventSeen(Struct):
    """Something that happened, as it is told."""

    text: str
    rule: str
    motions: list[MotionSeen]
    loud: bool
    """Told when something hidden was shown."""
    sound: str
    """The name of one, or nothing."""
    reveal: RevealSeen | None = None


class Entry(Struct):
    """A line of the log."""

    n: int
    seat: str
    text: str
    code: str


class Undo(Struct):
    """How to take the latest action back."""

    text: str
    label: str


class MenuItem(Struct):
    """A text that may be sent whoever's turn it is."""

    text: str
    label: str
    sure: str
    reason: bool = False
    """Whether a reason goes with it: ` because ...`."""


class AskedSeen(Struct):
    """Something that the seats are asked to agree to."""

    title: str
    text: str
    yours: bool
    """Whether you have not answered yet."""


class NoteSeen(Struct):
    """A line of the log that is no action: after so many of them."""

    after: int
    text: str


class TeamSeen(Struct):
    """What those at a seat call themselves."""

    name: str
    players: tuple[str, ...]


class BookSeen(Struct):
    """The book of a match on a real board."""

    depth: str
    """`full`, or `ledger`: without the board."""
    entry: str
    """Who enters what: `book`, `teams` or `all`."""
    teams: dict[str, TeamSeen]
    """Those that have said who they are, by their seats."""
    rules: bool
    """Whether you keep it: you may enter everything that happens."""
    referees: bool
    """Whether you may make rulings."""
    seats: tuple[str, ...]
    """Those you enter things for."""
    phones: int
    """How many people have a page of the table open."""


class TableSeen(Struct):
    """What there is to know of the table beside the match."""

    waiting: bool
    """For somebody to take a seat."""
    adjourned: bool
    aborted: bool
    hosts: bool
    """Whether you opened it."""
    referee: str | None
    """What they are called; None where there is none."""
    bookkeeper: str | None
    watching: int
    asked: AskedSeen | None
    menu: list[MenuItem]
    envelope: str
    """The seal of the dice; empty where there are none."""
    next: str
    """Where the next match is."""
    notes: list[NoteSeen]
    book: BookSeen | None = None
    """None where it is not played on a real board."""


class ClockSeen(Struct, tag_field="is", tag="clock"):
    """What is left to each seat at this moment, in seconds."""

    left: dict[str, float]
    running: list[str]
    per_turn: bool
    answer: float | None
    """In how many seconds missing answers are given by the rules."""
    courtesy: float
    """For how many seconds the die should be left alone."""


class Company(Struct, tag_field="is", tag="people"):
    """Somebody came or went; the match is where it was."""

    seats: list[SeatSeen]
    table: TableSeen


class LineSeen(Struct):
    """Something that was said at a table."""

    n: int
    room: str
    name: str
    """What they are called; empty for somebody who never said."""
    seat: str
    role: str
    """`host`, `referee`, `bookkeeper`, or nothing."""
    mine: bool
    text: str
    """Nothing where it was removed."""
    at: float
    """Seconds since 1970."""
    may_remove: bool
    who: str
    """Whom a host may mute or send away; nothing for others."""


class Said(Struct, tag_field="is", tag="said"):
    """What is said at a table, as far as somebody may read it."""

    n: int
    """Up to where this goes."""
    whole: bool
    """Whether it is all there is: else it comes after what was told before."""
    rooms: tuple[str, ...]
    """Those you read: `members`, `spectators`."""
    room: str
    """The one you write in."""
    on: bool
    why: str
    """Why you may not write; nothing where you may."""
    hosts: bool
    referees: bool
    """Whether you rule here: then you write, but not about the play."""
    lines: list[LineSeen]
    removed: list[int]
    """Lines that were told before and are gone."""


class PersonSeen(Struct):
    """Somebody at a table, as its host is told of them."""

    who: str
    name: str
    room: str
    here: bool
    muted: bool
    out: bool
    """Whether they were sent away."""


class Curtain(Struct):
    """Over everything, until the one it names says so."""

    seat: str
    title: str
    text: str
    button: str
    glyph: str


class Ending(Struct):
    """How a match ended."""

    title: str
    why: str
    rule: str
    winners: list[str]


class PieceSeen(Struct):
    """A piece on the board: whose it is, and how many it is made of."""

    seat: str
    size: int
    """How many are one."""


class Sight(Struct, tag_field="is", tag="sight"):
    """All that somebody sees of a table."""

    seq: int
    svg: str | None
    layers: dict[str, str]
    seats: list[SeatSeen]
    acting: str | None
    title: str
    hint: str
    offers: list[OfferSeen]
    only: list[str]
    """The one turn action there is, if there is but one."""
    buttons: dict[str, str]
    told: list[EventSeen]
    last: list[MotionSeen]
    log: list[Entry]
    log_from: int
    undo: Undo | None
    menu: list[MenuItem]
    outcome: Ending | None
    status: list[str]
    figures: dict[str, Any]
    """What a screen may show large, by names of the game's own."""
    pieces: dict[str, PieceSeen]
    """What stands where, for pages that draw no board: those of a book."""
    curtain: Curtain | None
    table: TableSeen


class Past(Struct):
    """A position of a match as somebody saw it, to look at only."""

    n: int
    """After so many actions."""
    svg: str
    told: list[EventSeen]
    """What the latest of them led to, as far as it is told."""
    last: list[MotionSeen]
    status: list[str]
    position: str


class Done(Struct, tag_field="is", tag="done"):
    """What was sent is on disk."""

    key: str
    seq: int


class Stale(Struct, tag_field="is", tag="stale"):
    key: str


class NotDone(Struct, tag_field="is", tag="refused"):
    """Why something was not, or could not be, done."""

    key: str
    why: str
    rule: str | None = None
    rule_url: str = ""
    at: str = ""
    because: str = ""
    picture: str | None = None
    picture_title: str = ""
    error: str = ""
    """What it is about, in any language."""
    values: dict[str, ErrorValue] = field(default_factory=dict)
    """What the sentence speaks of."""


class TooFast(Struct, tag_field="is", tag="wait"):
    """Nothing was done; try again in so many seconds."""

    key: str
    seconds: float
    limit: str = ""
    """Which one was met."""


Answer: TypeAlias = Done | Stale | NotDone | TooFast

_READER: msgspec.json.Decoder[Asked] = msgspec.json.Decoder(Asked)
_WRITER = msgspec.json.Encoder()


def read_request(text: str | bytes) -> Asked:
    """Raises msgspec.DecodeError, of which a ValidationError is one kind."""
    if not has_no_nul(text):
        raise msgspec.DecodeError("it has a sign that no database can keep")
    try:
        return _READER.decode(text)
    except RecursionError:
        raise msgspec.DecodeError("too deep") from None


def write_message(message: Sight | Answer | Company | ClockSeen | Said) -> str:
    return _WRITER.encode(message).decode()


def encode_part(part: OfferSeen | SeatSeen | TableSeen) -> Any:
    """What goes into a message as it is, in the place of what it was made from."""
    return msgspec.Raw(_WRITER.encode(part))


class _Keyed(Struct):
    key: Key


def read_key(text: str | bytes) -> str:
    """The key of a message that is otherwise unreadable, if it has one."""
    try:
        return msgspec.json.decode(text, type=_Keyed).key
    except (msgspec.DecodeError, RecursionError):
        return ""
