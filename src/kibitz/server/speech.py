"""The server's way of finding words."""

from __future__ import annotations

import logging
from functools import lru_cache

from babel import negotiate_locale

from kibitz.core.game import Seat
from kibitz.core.message import Message, Value, message
from kibitz.words import FALLBACK, LANGUAGES, say_in

log = logging.getLogger(__name__)


class Speech:
    """Puts messages into a language. Words that are missing are no reason to stop a match."""

    def __init__(self, language: str, game: str = "", seats: tuple[Seat, ...] = ()) -> None:
        self.language, self.game = language, game
        self._say = say_in(language)
        self.names = {seat: self.first(f"{game}.seat-{seat}") or seat for seat in seats}
        self._say = say_in(language, self.names)

    def __call__(self, message: Message) -> str:
        try:
            return self._say(message)
        except KeyError as missing:
            log.error("%s: %s", message.id, missing)
            return message.id

    def t(self, id: str, /, **values: Value) -> str:
        return self(message(id, **values))

    def first(self, *ids: str, **values: Value) -> str:
        """The first of these that there are words for, or nothing."""
        for id in ids:
            try:
                return self._say(message(id, **values))
            except KeyError:
                continue
        return ""


@lru_cache(maxsize=256)
def speech(language: str, game: str = "", seats: tuple[Seat, ...] = ()) -> Speech:
    return Speech(language, game, seats)


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
