"""The server's way of finding words."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from kibitz.core.game import SPECTATOR, Event, Seat, Viewer, visible_to
from kibitz.core.message import Message, Value, message
from kibitz.i18n import FALLBACK, YOU, Name, find_language, formats, name_in, say_in
from kibitz.i18n.grammar import join_sentences
from kibitz.table.commands import GUEST

log = logging.getLogger(__name__)

TeamNames: TypeAlias = tuple[tuple[Seat, str], ...]


class PlayerName(NamedTuple):
    """The name of whoever plays a seat, as events are told with it."""

    seat: Seat
    name: str = ""
    bot: str = ""
    is_you: bool = False


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
        players: tuple[PlayerName, ...] = (),
    ) -> None:
        """`letters` are what the seats go by, where that is not their own; `chosen` is what those
        who play there call themselves; `players` are those who are told of by their own names."""
        self.language, self.game = language, game
        self.without_players = (
            phrases_for(language, game, seats, letters, chosen) if players else self
        )
        """The same words, but seats go by the names of sides and teams."""
        lettered = zip(seats, letters or seats, strict=True)
        self.plain_names: dict[Seat, str] = {
            seat: name_in(language, f"{game}.seat-{letter}") for seat, letter in lettered
        }
        names = {seat: Name(name, language, plain=self.plain_names[seat]) for seat, name in chosen}
        told = {player.seat: self._player_name(player) for player in players}
        self.names: dict[Seat, str] = {**self.plain_names, **names, **told}
        own = next((player.seat for player in players if player.is_you), None)
        someone = name_in(language, "table.someone")
        called = {GUEST: someone, **self.names}
        self.say_or_fail = say_in(language, called, own, is_told=bool(players))
        """Raises KeyError where there are no words."""

    def _player_name(self, player: PlayerName) -> Name:
        plain = self.plain_names.get(player.seat, player.name)
        if player.is_you:
            return name_in(self.language, YOU)
        if not player.bot:
            return Name(player.name, self.language, plain=plain, is_person=True)
        return self.bot_name(player.bot)

    def bot_name(self, bot: str) -> Name:
        """Our own bots have a name in every language: Level 2."""
        try:
            return name_in(self.language, bot_name_id(bot))
        except KeyError:
            return Name(bot, self.language)

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


@lru_cache(maxsize=MAX_CACHED_SENTENCES)
def _cached_text(phrases: Phrases, message: Message) -> str:
    """Most of what a view says was said before, at this table or another."""
    return phrases.say_or_fail(message)


@lru_cache(maxsize=MAX_CACHED_SENTENCES)
def _cached_first(
    phrases: Phrases, ids: tuple[str, ...], values: tuple[tuple[str, Value], ...]
) -> str:
    for id in ids:
        try:
            return phrases.say_or_fail(Message(id, values))
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
    players: tuple[PlayerName, ...] = (),
) -> Phrases:
    return Phrases(language, game, seats, letters, chosen, players)


def bot_name_id(bot: str) -> str:
    """The message that calls a bot by its name, where it has one: Level 2."""
    return f"page.bot-name-{bot}"


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
    return find_language(tags) or FALLBACK


def date_time_text(at: float, say: Phrases) -> str:
    """A time of day, with its date, as the server's clock had it."""
    moment = datetime.fromtimestamp(at).astimezone()
    date = formats.date_text(say.language, moment)
    time = formats.time_text(say.language, moment)
    return say.t("page.moment", date=date, time=time)


def duration_text(seconds: float, say: Phrases) -> str:
    return formats.duration_text(say.language, max(1, round(seconds)))


def event_text(events: Iterable[Event], witness: Viewer, say: Phrases) -> str:
    """Events as a viewer witnessed them, put into words; else as those who look on did."""
    found = visible_to(events, witness) or visible_to(events, SPECTATOR)
    return join_sentences([say(event.message) for event in found])
