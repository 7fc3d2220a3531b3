"""What page and server say to each other, as types (docs/protocol.md)."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

MOST_BYTES = 1 << 14
"""Of one message from a page."""

Key: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]


Text: TypeAlias = Annotated[str, Meta(max_length=4096)]


class Act(Struct, tag_field="do", tag="act"):
    key: Key
    texts: Annotated[tuple[Text, ...], Meta(max_length=64)]
    seq: int | None = None
    """At which row it was meant; whatever the row, where it is left out."""
    seat: str | None = None


class Why(Struct, tag_field="do", tag="why"):
    key: Key
    path: Annotated[tuple[str, ...], Meta(max_length=64)]
    seat: str | None = None


class Look(Struct, tag_field="do", tag="look"):
    tall: bool


class Unveil(Struct, tag_field="do", tag="unveil"):
    """Whoever looks now is the one the device was handed to."""

    seat: str


Asked: TypeAlias = Act | Why | Look | Unveil


class SeatSeen(Struct):
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
    here: bool
    """Whether anybody of them is."""
    free: bool
    kept: bool
    """A bot keeps it for somebody."""
    may_be_kept: bool
    """They have been away so long that the others may ask for a bot."""


class MarkSeen(Struct):
    kind: str
    places: tuple[str, ...]
    text: str
    after: int


class OfferSeen(Struct):
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
    origin: str
    target: str
    via: str
    through: tuple[str, ...]
    how: str


class PutDownSeen(Struct):
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
    text: str
    label: str


class MenuItem(Struct):
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


class Curtain(Struct):
    """Over everything, until the one it names says so."""

    seat: str
    title: str
    text: str
    button: str
    glyph: str


class Ending(Struct):
    title: str
    why: str
    rule: str
    winners: list[str]


class Sight(Struct, tag_field="is", tag="sight"):
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
    key: str
    seq: int


class Stale(Struct, tag_field="is", tag="stale"):
    key: str


class NotDone(Struct, tag_field="is", tag="refused"):
    key: str
    why: str
    rule: str = ""
    rule_url: str = ""
    at: str = ""
    because: str = ""
    picture: str | None = None
    picture_title: str = ""


class TooFast(Struct, tag_field="is", tag="wait"):
    """Nothing was done; try again in so many seconds."""

    key: str
    seconds: float


Answer: TypeAlias = Done | Stale | NotDone | TooFast

_READER: msgspec.json.Decoder[Asked] = msgspec.json.Decoder(Act | Why | Look | Unveil)
_WRITER = msgspec.json.Encoder()


def read(text: str | bytes) -> Asked:
    """Raises msgspec.DecodeError, of which a ValidationError is one kind."""
    try:
        return _READER.decode(text)
    except RecursionError:
        raise msgspec.DecodeError("too deep") from None


def write(message: Sight | Answer | Company | ClockSeen) -> str:
    return _WRITER.encode(message).decode()


def encoded(part: OfferSeen | SeatSeen | TableSeen) -> Any:
    """What goes into a message as it is, in the place of what it was made from."""
    return msgspec.Raw(_WRITER.encode(part))


class _Keyed(Struct):
    key: Key


def key_of(text: str | bytes) -> str:
    """The key of a message that is otherwise unreadable, if it has one."""
    try:
        return msgspec.json.decode(text, type=_Keyed).key
    except (msgspec.DecodeError, RecursionError):
        return ""
