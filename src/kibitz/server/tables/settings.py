"""Settings of a table, agreed beside the rules of its game."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace

from kibitz.server.tables.live.timer import AnswerLimits
from kibitz.table.clock import TimeControl
from kibitz.table.companion import FULL, MAX_TEAM_PLAYERS, TEAMS, Book, Depth, Entry, team_from_json
from kibitz.table.reminders import Reminded, is_reminded

DAY_S = 24 * 60 * 60
MAX_WINS = 999
"""Of one team in one night."""


class NoClock(Struct, tag_field="kind", tag="none", frozen=True):
    """Everybody takes the time they need."""


class Fischer(Struct, tag_field="kind", tag="fischer", frozen=True):
    """Minutes for the match, and some seconds more for every turn."""

    minutes: Annotated[float, Meta(gt=0, le=600)]
    seconds: Annotated[float, Meta(ge=0, le=600)] = 0.0


class Days(Struct, tag_field="kind", tag="days", frozen=True):
    """Days for every turn."""

    days: Annotated[float, Meta(gt=0, le=60)]


ClockSettings: TypeAlias = NoClock | Fischer | Days
Name: TypeAlias = Annotated[str, Meta(max_length=200)]


class TeamSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The names of a team, as somebody typed them."""

    name: Name = ""
    players: Annotated[tuple[Name, ...], Meta(max_length=MAX_TEAM_PLAYERS)] = ()
    abstainers: Annotated[tuple[Name, ...], Meta(max_length=MAX_TEAM_PLAYERS)] = ()
    wins: Annotated[int, Meta(ge=0, le=MAX_WINS)] = 0
    """Of earlier matches of the same night."""


class TableSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The agreement about a table beside its rules."""

    clock: ClockSettings = NoClock()
    absence_seconds: Annotated[int, Meta(ge=1, le=30 * DAY_S)] = 120
    """After so many seconds without anybody at a seat the others may ask for a bot there."""
    answer_seconds: Annotated[int, Meta(ge=0, le=DAY_S)] = 60
    """Within so many seconds an answer that the rules ask for has to come; 0: whenever. Around a
    real board nobody is hurried."""
    consent_seconds: Annotated[int, Meta(ge=1, le=DAY_S)] = 20
    """Within so many seconds somebody says no to a break that is asked for, or agrees to it."""
    rated: bool = False
    """True if it counts for the ladder: then everybody who sits down needs an account."""
    reminders: Reminded | None = None
    """Those whose screens remind of what a player should remember, where a game has that. None,
    for a table to be opened: the custom (reminders.py); of an open one: it is older than this."""
    chat: bool = True
    """True if people may write to each other; the host may change that at any time."""
    language: Annotated[str, Meta(pattern="^([a-z]{2})?$")] = ""
    """The language in which links to the table introduce it: that of whoever opened it, unless
    given."""
    depth: Depth = FULL
    """The start of the book of a match on a real board (table/companion.py), as the next two."""
    entry: Entry = TEAMS
    teams: dict[str, TeamSettings] = field(default_factory=dict)
    """By their seats."""


def answer_limits(settings: TableSettings) -> AnswerLimits:
    are_all_reminded = is_reminded(settings.reminders, is_bookkeeper=False)
    return AnswerLimits(settings.answer_seconds, settings.consent_seconds, are_all_reminded)


def control_of(settings: TableSettings) -> TimeControl | None:
    match settings.clock:
        case Fischer(minutes, seconds):
            return TimeControl(minutes * 60, seconds)
        case Days(days):
            return TimeControl(days * DAY_S, is_per_turn=True)
    return None


def book_of(settings: TableSettings) -> Book:
    book = Book(depth=settings.depth, entry=settings.entry)
    for seat, team in settings.teams.items():
        names = {"players": [*team.players], "abstainers": [*team.abstainers]}
        given = team_from_json({"name": team.name, **names})
        book = book.with_team(seat, replace(given, wins=team.wins))
    return book


def next_match_settings(settings: TableSettings, book: Book) -> TableSettings:
    """The settings of a match that follows one with this book."""
    teams = {
        seat: TeamSettings(team.name, team.players, team.abstainers, team.wins)
        for seat, team in book.teams
    }
    return msgspec.structs.replace(settings, depth=book.depth, entry=book.entry, teams=teams)


def read_settings(given: object) -> TableSettings:
    """Raises msgspec.ValidationError."""
    return msgspec.convert(given, TableSettings)


# msgspec looks at a type when it is first used. Tables are loaded by several threads, and the
# process crashes where another thread uses a type that is only half looked at.
read_settings({})


def write_settings(settings: TableSettings) -> dict[str, object]:
    made: dict[str, object] = msgspec.to_builtins(settings)
    return made
