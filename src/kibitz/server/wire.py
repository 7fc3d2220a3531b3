"""What page and server say to each other, as types (docs/protocol.md)."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

MOST_BYTES = 1 << 14
"""Of one message from a page."""

Key: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]


class Act(Struct, tag_field="do", tag="act"):
    key: Key
    seq: int
    texts: Annotated[tuple[str, ...], Meta(max_length=64)]
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


class MotionSeen(Struct, rename={"origin": "from", "target": "to"}):
    origin: str
    target: str
    via: str


class EventSeen(Struct):
    text: str
    rule: str
    motions: list[MotionSeen]
    loud: bool
    """Told when something hidden was shown."""


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
    curtain: Curtain | None


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


Answer: TypeAlias = Done | Stale | NotDone

_READER: msgspec.json.Decoder[Asked] = msgspec.json.Decoder(Act | Why | Look | Unveil)
_WRITER = msgspec.json.Encoder()


def read(text: str | bytes) -> Asked:
    """Raises msgspec.DecodeError, of which a ValidationError is one kind."""
    return _READER.decode(text)


def write(message: Sight | Answer) -> str:
    return _WRITER.encode(message).decode()


class _Keyed(Struct):
    key: Key


def key_of(text: str | bytes) -> str:
    """The key of a message that is otherwise unreadable, if it has one."""
    try:
        return msgspec.json.decode(text, type=_Keyed).key
    except msgspec.DecodeError:
        return ""
