"""The server's way of finding words."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TypeAlias

from babel import negotiate_locale
from babel.dates import format_date, format_skeleton, format_timedelta

from kibitz.core.game import REFEREE, SPECTATOR, Event, Seat, Viewer, visible_to
from kibitz.core.message import Message, Value, message
from kibitz.i18n import FALLBACK, LANGUAGES, Name, name_in, say_in
from kibitz.i18n.grammar import join_sentences

log = logging.getLogger(__name__)

TeamNames: TypeAlias = tuple[tuple[Seat, str], ...]
MAX_CACHED_SENTENCES = 1 << 14
"""The number of sentences that are kept ready, over all tables and languages."""


class Phrases:
    """Puts messages into a language. Words that are missing are no reason to stop a match."""

    def __init__(
        self,
        language: str,
        game: str = "",
        seats: tuple[Seat, ...] = (),
        letters: tuple[str, ...] = (),
        chosen: TeamNames = (),
    ) -> None:
        """`letters` are what the seats go by, where that is not their own; `chosen` is what those
        who play there call themselves."""
        self.language, self.game = language, game
        called = zip(seats, letters or seats, strict=True)
        self.plain_names: dict[Seat, str] = {
            seat: name_in(language, f"{game}.seat-{letter}") for seat, letter in called
        }
        names = {seat: Name(name, language, plain=self.plain_names[seat]) for seat, name in chosen}
        self.names: dict[Seat, str] = {**self.plain_names, **names}
        referee = name_in(language, "table.referee-name")
        self._say = say_in(language, {**self.names, REFEREE: referee})

    def __call__(self, message: Message) -> str:
        try:
            return _cached_text(self, message)
        except KeyError as missing:
            log.error("%s: %s", message.id, missing)
            return message.id

    def t(self, id: str, /, **values: Value) -> str:
        return self(message(id, **values))

    def first(self, *ids: str, **values: Value) -> str:
        """The first of these that there are words for, or nothing."""
        return _cached_first(self, ids, tuple(values.items()))

    def render_message(self, message: Message) -> str:
        """Raises KeyError where there are no words."""
        return self._say(message)


@lru_cache(maxsize=MAX_CACHED_SENTENCES)
def _cached_text(phrases: Phrases, message: Message) -> str:
    """Most of what a view says was said before, at this table or another."""
    return phrases.render_message(message)


@lru_cache(maxsize=MAX_CACHED_SENTENCES)
def _cached_first(
    phrases: Phrases, ids: tuple[str, ...], values: tuple[tuple[str, Value], ...]
) -> str:
    for id in ids:
        try:
            return phrases.render_message(Message(id, values))
        except KeyError:
            continue
    return ""


@lru_cache(maxsize=256)
def phrases_for(
    language: str,
    game: str = "",
    seats: tuple[Seat, ...] = (),
    letters: tuple[str, ...] = (),
    chosen: TeamNames = (),
) -> Phrases:
    return Phrases(language, game, seats, letters, chosen)


def language_of(header: str) -> str:
    """The language an Accept-Language header likes best, of those we have."""
    wanted: list[tuple[float, str]] = []
    for part in header[:500].split(","):
        tag, _, quality = part.strip().partition(";q=")
        try:
            wanted.append((-float(quality or 1), tag))
        except ValueError:
            continue
    tags = [tag for _, tag in sorted(wanted, key=lambda each: each[0])]
    return negotiate_locale(tags, LANGUAGES, sep="-") or FALLBACK


def date_time_text(at: float, say: Phrases) -> str:
    """A time of day, with its date, as the server's clock had it."""
    moment = datetime.fromtimestamp(at).astimezone()
    date = format_date(moment, "medium", locale=say.language)
    time = format_skeleton("Hm", moment, locale=say.language)
    return say.t("page.moment", date=date, time=time)


def duration_text(seconds: float, say: Phrases) -> str:
    took = timedelta(seconds=max(1, round(seconds)))
    return format_timedelta(took, threshold=2, locale=say.language)


def event_text(events: Iterable[Event], witness: Viewer, say: Phrases) -> str:
    """Events as a viewer witnessed them, put into words; else as those who look on did."""
    found = visible_to(events, witness) or visible_to(events, SPECTATOR)
    return join_sentences([say(event.message) for event in found])
