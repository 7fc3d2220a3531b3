"""Messages between page and server, as types (docs/protocol.md)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct, field

from kibitz.server.http.errors import ErrorValue
from kibitz.server.http.malformed_requests import ESCAPED_NUL, has_no_nul
from kibitz.server.http.openapi import TAG_FIELD

MOST_BYTES = 1 << 14
"""Of one message from a page."""

Key: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Text: TypeAlias = Annotated[str, Meta(max_length=4096)]


class ActMessage(Struct, tag_field=TAG_FIELD, tag="act"):
    """Something to do: all of the actions or none."""

    key: Key
    actions: Annotated[tuple[Text, ...], Meta(max_length=64)]
    seq: int | None = None
    """The row at which it was meant; whatever the row, where it is left out."""
    seat: str | None = None


class ExplainMessage(Struct, tag_field=TAG_FIELD, tag="explain"):
    """A touch on what is not offered: why may I not?"""

    key: Key
    path: Annotated[tuple[str, ...], Meta(max_length=64)]
    seat: str | None = None


class LookMessage(Struct, tag_field=TAG_FIELD, tag="look"):
    """Everything is to be shown anew."""

    is_tall: bool | None = None
    """The shape of the drawing; the same as before, where it is left out."""


class UnveilMessage(Struct, tag_field=TAG_FIELD, tag="unveil"):
    """The device was handed to this seat, which looks at it now."""

    seat: str


class SayMessage(Struct, tag_field=TAG_FIELD, tag="say"):
    """Something to say to those who may read it."""

    key: Key
    text: Text
    room: str = ""
    """The one it is meant for; yours, where it is left out."""


ClientMessage: TypeAlias = ActMessage | ExplainMessage | LookMessage | UnveilMessage | SayMessage


ModerationVerb: TypeAlias = Literal[
    "mute", "unmute", "remove-person", "readmit", "close", "open", "accounts", "everybody"
]
"""`accounts`: of those who look on, only people with an account write; `everybody`: all do."""


class ChatModeration(Struct):
    """Something to be done about the chat, by the host."""

    do: ModerationVerb
    who: str = ""
    """The person that it is about; nobody where all of the chat is closed or opened."""


class SeatView(Struct):
    """A seat and those who sit there."""

    seat: str
    name: str
    """Of the side."""
    player: str
    """The name of whoever plays it; empty where that is not known."""
    note: str
    glyph: str
    bot: str
    """Its name, if one sits there."""
    is_mine: bool
    is_to_act: bool
    members: list[str]
    """Their names; empty for somebody who never said."""
    has_account: list[bool]
    """For each of them: an account has that name."""
    is_here: bool
    """Anybody of them is."""
    is_free: bool
    bot_filling_in: bool
    """A bot plays for somebody who is away."""
    can_be_filled_in: bool
    """They have been away so long that the others may ask for a bot."""


class MarkView(Struct):
    """Something drawn over the board after so many touches."""

    kind: str
    places: tuple[str, ...]
    text: str
    after: int


class OfferView(Struct):
    """Something that may be done: what to touch, and what to send."""

    seat: str
    actions: tuple[str, ...]
    path: tuple[str, ...]
    kind: str
    label: str
    rule: str
    prompts: list[str]
    marks: list[MarkView]
    needs_confirmation: bool
    can_be_undone: bool
    is_urgent: bool
    is_always_shown: bool
    key: str


class MotionView(Struct, rename={"origin": "from", "target": "to"}):
    """A piece that moved, by the elements it stood on."""

    origin: str
    target: str
    via: str
    through: tuple[str, ...]
    how: str


class RevealedCardView(Struct):
    """A card that lay face down, and what it came to."""

    seat: str
    place: str
    """Of the piece that is shown beside it."""
    name: str
    card: str
    sum: str
    total: int
    has_won: bool


class RevealView(Struct):
    """Cards that lay face down, to be turned over together."""

    title: str
    sides: list[RevealedCardView]
    verdict: str
    margin: str


class MomentView(Struct):
    """An event that a page marks while it happens."""

    effect: str
    title: str
    place: str
    """Where on the board; nothing where that is nowhere."""
    seat: str
    """The seat that it concerns."""
    amount: int
    """The number that goes to that seat's count; 0 where nothing is counted."""
    is_shown_before: bool
    """The board that it is seen on is the one before: what follows is another scene."""


class EventView(Struct):
    """Something that happened, as it is told: people have their names, and you are you."""

    text: str
    rule: str
    motions: list[MotionView]
    is_loud: bool
    """Something hidden was shown with it."""
    sound: str
    """The name of one, or nothing."""
    seat: str
    """The seat that did it, or nothing."""
    reveal: RevealView | None = None
    moment: MomentView | None = None


class LogLineView(Struct):
    """A line of the log."""

    n: int
    seat: str
    text: str
    code: str
    turn: str = ""
    """The turn that begins with it, if one does."""


class UndoView(Struct):
    """The way to take the latest action back."""

    text: str
    label: str


class MenuItemView(Struct):
    """A text that may be sent whoever's turn it is."""

    text: str
    label: str
    sure: str
    needs_reason: bool = False
    """A reason goes with it: ` because ...`."""


class RequestView(Struct):
    """Something that the seats are asked to agree to."""

    title: str
    text: str
    is_yours: bool
    """You have not answered yet."""
    missing: list[str]
    """The names of those who have not."""
    is_mine: bool = False
    """You asked, and may cancel it."""
    details: list[str] = field(default_factory=list)
    """The moves that would be taken back, in words."""


class NoteView(Struct):
    """A line of the log that is no action: after so many of them."""

    after: int
    text: str


class TeamView(Struct):
    """Those at a seat, as they call themselves."""

    name: str
    players: tuple[str, ...]
    abstainers: tuple[str, ...]
    """Those of the players who have something else than the table's unit."""
    wins: int
    """Of earlier matches of the night."""


class BookView(Struct):
    """The book of a match on a real board."""

    depth: str
    """`full`, or `ledger`: without the board."""
    entry: str
    """The entries of teams: `book` nothing, `teams` what they say, `all` also what they do."""
    teams: dict[str, TeamView]
    """Those that have said who they are, by their seats."""
    may_enter_all: bool
    """You keep it: you may enter everything that happens."""
    may_rule: bool
    """You may make rulings."""
    seats: tuple[str, ...]
    """Those you enter things for."""
    phones: int
    """The number of people who have a page of the table open."""


class BotChoiceView(Struct):
    """A bot that a new match can be played against."""

    bot: str
    name: str
    is_current: bool


class MixingView(Struct):
    """The additions of seats to the dice before the first draw of an envelope."""

    hashes: list[str]
    """Your seats that may choose a text now: send `entropy A #<SHA-256>`."""
    texts: list[str]
    """Your seats whose text is waited for: send `entropy A <text>`."""
    contributors: list[str]
    """The seats that have added theirs."""


class TableStatusView(Struct):
    """A table beside its match: its people, and what they may do."""

    is_waiting: bool
    """For somebody to take a seat."""
    is_adjourned: bool
    is_aborted: bool
    is_host: bool
    """You are its host."""
    referee: str | None
    """Their name; None where there is none."""
    bookkeeper: str | None
    spectators: int
    request: RequestView | None
    menu: list[MenuItemView]
    envelope: str
    """The seal of the dice; empty where there are none."""
    next: str
    """The address of the next match."""
    notes: list[NoteView]
    plays_forced_moves: bool
    """A page plays the only legal move by itself, unless its reader chose otherwise."""
    book: BookView | None = None
    """None where it is not played on a real board."""
    bots: list[BotChoiceView] = field(default_factory=list)
    """Where you play against bots alone: those you could play against."""
    may_hint: bool = False
    """The coach helps you when it is your turn."""
    is_seeking: bool = False
    """An opponent is being looked for."""
    rulings_url: str = ""
    """The page with a referee's rulings, where the game has one and they are yours to make."""
    mixing: MixingView | None = None
    """None where there are no dice."""


class ClockView(Struct, tag_field=TAG_FIELD, tag="clock"):
    """The time that is left to each seat at this moment."""

    seconds_left: dict[str, float]
    running: list[str]
    is_per_turn: bool
    answer_seconds: float | None
    """The time until missing answers are given by the rules."""
    consent_seconds: float | None
    """The time after which whoever has not answered the request agrees to it."""
    die_delay_seconds: float
    """The time for which the die should be left alone."""


PEOPLE = "people"
"""The type of a message about the people alone."""


class PeopleView(Struct, tag_field=TAG_FIELD, tag=PEOPLE):
    """Somebody came or went; the match is where it was."""

    seats: list[SeatView]
    table: TableStatusView


class ChatLineView(Struct):
    """Something that was said at a table."""

    n: int
    room: str
    name: str
    """Empty for somebody who never said theirs."""
    seat: str
    role: str
    """`host`, `referee`, `bookkeeper`, or nothing."""
    has_account: bool
    is_mine: bool
    text: str
    """Nothing where it was removed."""
    at: float
    """Seconds since 1970."""
    may_remove: bool
    who: str
    """The person, for a host to mute or remove; nothing for others."""


class ChatView(Struct, tag_field=TAG_FIELD, tag="chat"):
    """The chat of a table, as far as somebody may read it."""

    n: int
    """The number of the latest entry."""
    is_whole: bool
    """It is all there is: else it comes after what was sent before."""
    rooms: tuple[str, ...]
    """Those you read: `members`, `spectators`."""
    room: str
    """The one you write in."""
    is_open: bool
    is_for_accounts: bool
    """Of those who look on, only people with an account write."""
    why_not: str
    """The reason that you may not write; nothing where you may."""
    is_host: bool
    is_referee: bool
    """You rule here: then you write, but not about the play."""
    lines: list[ChatLineView]
    removed: list[int]
    """Lines that were sent before and are gone."""


class PersonView(Struct):
    """Somebody at a table, as its host is told of them."""

    who: str
    name: str
    room: str
    is_here: bool
    is_muted: bool
    is_removed: bool


class CurtainView(Struct):
    """Over everything, until the one it names says so."""

    seat: str
    title: str
    text: str
    button: str
    glyph: str


class NextLevelView(Struct):
    """The table to open for whoever has beaten a bot: the same match against the next level."""

    label: str
    form: dict[str, str]
    """The fields of the form that opens it."""


class OutcomeView(Struct):
    """The end of a match."""

    title: str
    why: str
    rule: str
    winners: list[str]
    motto: str = ""
    """The last word on the match, where its game has one."""
    opponent: str = ""
    """The name of the only opponent of whoever looks on from one seat."""
    next_level: NextLevelView | None = None


class PieceView(Struct):
    """A piece on the board."""

    seat: str
    size: int
    """The number of pieces that are one."""


class TableView(Struct, tag_field=TAG_FIELD, tag="view"):
    """All that somebody sees of a table."""

    seq: int
    svg: str | None
    layers: dict[str, str]
    seats: list[SeatView]
    to_act: list[str]
    """The seats whose turn it is."""
    acting: str | None
    title: str
    hint: str
    offers: list[OfferView]
    only: list[str]
    """The one turn action there is, if there is but one."""
    default_answer: str
    """The answer, in words, that silence counts as once the time is over; or nothing."""
    buttons: dict[str, str]
    events: list[EventView]
    short_texts: list[str]
    """These events in short."""
    last: list[MotionView]
    """The motions of the latest turn of others; where you acted last, of that action."""
    last_marks: list[MarkView]
    """The marks that are drawn with them."""
    recap: list[str]
    """All that happened since your own latest action, in short."""
    recap_from: int
    """The number of actions up to that one."""
    log: list[LogLineView]
    log_from: int
    undo: UndoView | None
    menu: list[MenuItemView]
    outcome: OutcomeView | None
    status: list[str]
    figures: dict[str, Any]
    """Figures that a screen may show large, by names of the game's own."""
    pieces: dict[str, PieceView]
    """By places, for pages that draw no board: those of a book."""
    curtain: CurtainView | None
    table: TableStatusView


PATCH = "patch"
"""The type of a message with the fields of a view that changed since the one before."""


class PositionView(Struct):
    """A position of a match as somebody saw it, to look at only."""

    n: int
    """After so many actions."""
    svg: str
    events: list[EventView]
    """Those of the latest of them, as far as they are told."""
    last: list[MotionView]
    last_marks: list[MarkView]
    status: list[str]
    position: str


class DoneMessage(Struct, tag_field=TAG_FIELD, tag="done"):
    """The message with this key is on disk."""

    key: str
    seq: int


class StaleMessage(Struct, tag_field=TAG_FIELD, tag="stale"):
    key: str


class RefusalMessage(Struct, tag_field=TAG_FIELD, tag="refused"):
    """The reason that something was not, or could not be, done."""

    key: str
    message: str
    rule: str | None = None
    rule_url: str = ""
    at: str = ""
    because: str = ""
    picture: str | None = None
    picture_title: str = ""
    code: str = ""
    """The same in any language."""
    values: dict[str, ErrorValue] = field(default_factory=dict)
    """Those that the message has words for."""


class WaitMessage(Struct, tag_field=TAG_FIELD, tag="wait"):
    """Nothing was done; try again in so many seconds."""

    key: str
    seconds: float
    limit: str = ""
    """The one that was met."""


AnswerMessage: TypeAlias = DoneMessage | StaleMessage | RefusalMessage | WaitMessage

_DECODER: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_ENCODER = msgspec.json.Encoder()


def read_message(text: str) -> ClientMessage:
    """The message of a page; raises msgspec.DecodeError, of which a ValidationError is one kind."""
    if ESCAPED_NUL in text and not has_no_nul(text):
        raise msgspec.DecodeError("it has a sign that no database can keep")
    try:
        return _DECODER.decode(text)
    except RecursionError:
        raise msgspec.DecodeError("too deep") from None


def write_message(
    message: TableView
    | OfferView
    | AnswerMessage
    | PeopleView
    | ClockView
    | ChatView
    | dict[str, Any],
) -> str:
    return _ENCODER.encode(message).decode()


def encode_part(part: OfferView | SeatView | TableStatusView) -> Any:
    """The part encoded, to stand in a message in the place of what it was made from."""
    return msgspec.Raw(_ENCODER.encode(part))


class _Keyed(Struct):
    key: Key


def read_key(text: str | bytes) -> str:
    """The key of a message that is otherwise unreadable, if it has one."""
    try:
        return msgspec.json.decode(text, type=_Keyed).key
    except (msgspec.DecodeError, RecursionError):
        return ""
