"""The server's way of finding words."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import TypeAlias

from babel import negotiate_locale

from kibitz.core.game import Seat
from kibitz.core.message import Message, Value, message
from kibitz.i18n import FALLBACK, LANGUAGES, called_in, chosen_in, possessive, say_in

log = logging.getLogger(__name__)

Chosen: TypeAlias = tuple[tuple[Seat, str], ...]
REMEMBERED = 1 << 14
"""How many sentences are kept as they were put, over all tables and languages."""


class Speech:
    """Puts messages into a language. Words that are missing are no reason to stop a match."""

    def __init__(
        self,
        language: str,
        game: str = "",
        seats: tuple[Seat, ...] = (),
        letters: tuple[str, ...] = (),
        chosen: Chosen = (),
    ) -> None:
        """`letters` are what the seats go by, where that is not their own; `chosen` is what those
        who play there call themselves."""
        self.language, self.game = language, game
        called = zip(seats, letters or seats, strict=True)
        self.plain: dict[Seat, str] = {
            seat: called_in(language, f"{game}.seat-{letter}") for seat, letter in called
        }
        names = {seat: chosen_in(language, name, self.plain[seat]) for seat, name in chosen}
        self.names: dict[Seat, str] = {**self.plain, **names}
        self._say = say_in(language, self.names)
        self._is_chosen = bool(chosen)

    def __call__(self, message: Message) -> str:
        try:
            return _said(self, message)
        except KeyError as missing:
            log.error("%s: %s", message.id, missing)
            return message.id

    def t(self, id: str, /, **values: Value) -> str:
        return self(message(id, **values))

    def first(self, *ids: str, **values: Value) -> str:
        """The first of these that there are words for, or nothing."""
        return _first(self, ids, tuple(values.items()))

    def put(self, message: Message) -> str:
        """Raises KeyError where there are no words."""
        said = self._say(message)
        return possessive(self.language, said) if self._is_chosen else said


@lru_cache(maxsize=REMEMBERED)
def _said(speech: Speech, message: Message) -> str:
    """Most of what a sight says was said before, at this table or another."""
    return speech.put(message)


@lru_cache(maxsize=REMEMBERED)
def _first(speech: Speech, ids: tuple[str, ...], values: tuple[tuple[str, Value], ...]) -> str:
    for id in ids:
        try:
            return speech.put(Message(id, values))
        except KeyError:
            continue
    return ""


@lru_cache(maxsize=256)
def speech(
    language: str,
    game: str = "",
    seats: tuple[Seat, ...] = (),
    letters: tuple[str, ...] = (),
    chosen: Chosen = (),
) -> Speech:
    return Speech(language, game, seats, letters, chosen)


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
