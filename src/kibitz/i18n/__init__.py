"""Messages put into a language: the only place where the program has words.

Sentences are in gettext catalogues, `<language>.po`, by the id of the message: those of a
game in its own folder, the rest here. A value in a sentence is written `{name}`; the value
`n` chooses between singular and plural; `seat` becomes the name of whoever sits there, and
`{seat:gen}` that name in another form: that of the catalogue (`<game>.seat-<seat>-gen`), or else
as the language's rules make it (`grammar`).
"""

from __future__ import annotations

import gettext
import io
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from kibitz.core.game import Seat
from kibitz.core.message import Message, Say, Value
from kibitz.games import GAMES
from kibitz.i18n.grammar import form_of, isolate_direction

LANGUAGES = ("en", "fr", "fi", "sv")
FALLBACK = "en"
WORDS_FOLDER = Path(__file__).parent


class Name(str):
    """A name that knows its other forms: `{seat:gen}` asks for one (see `grammar`)."""

    language: str
    id: str
    """The message it comes from, where catalogues have forms of it."""
    plain: str
    """The name of the side, of which it takes the place."""

    def __new__(cls, name: str, language: str, id: str = "", plain: str = "") -> Name:
        called = super().__new__(cls, name)
        called.language, called.id, called.plain = language, id, plain or name
        return called

    def __format__(self, form: str) -> str:
        if form == "plain":
            return self.plain
        if form and self.id and (found := _find_sentence(self.language, f"{self.id}-{form}", None)):
            return found
        shown = isolate_direction(self)
        return form_of(self.language, shown, form) if form else shown


def name_in(language: str, id: str) -> Name:
    """The words of this id as a name."""
    return Name(say_in(language)(Message(id)), language, id)


def say_in(language: str, names: Mapping[Seat, str] | None = None) -> Say:
    """A function that puts messages into a language, calling the seats by these names."""
    called = {
        seat: name if isinstance(name, Name) else Name(name, language)
        for seat, name in (names or {}).items()
    }

    def value_text(value: Value) -> Value:
        if isinstance(value, Message):
            return Name(say(value), language, value.id)
        if isinstance(value, Name):
            return value
        return Name(value, language) if isinstance(value, str) else _number_text(language, value)

    def say(message: Message) -> str:
        if not message.values:
            return _plain_sentence(language, message.id)
        values = {name: value_text(value) for name, value in message.values}
        sentence = _sentence(language, message.id, values.get("n"))
        if "seat" in values:
            seat = str(values["seat"])
            values["seat"] = called.get(seat) or values["seat"]
        return sentence.format_map(values)

    return say


def template_in(language: str, id: str) -> str:
    """The words of this id as the catalogue has them, values not filled in."""
    return _sentence(language, id, None)


def _number_text(language: str, value: Value) -> Value:
    """Numbers with a point or comma are written as a language does it."""
    if isinstance(value, Decimal):
        digits = max(0, -int(value.as_tuple().exponent))
        return format_decimal(value, f"#,##0.{'0' * digits}".rstrip("."), locale=language)
    return format_decimal(value, locale=language) if isinstance(value, float) else value


@lru_cache(maxsize=1 << 12)
def _plain_sentence(language: str, id: str) -> str:
    """A sentence without values, which is most of what a drawing says."""
    return _sentence(language, id, None).format_map({})


def _sentence(language: str, id: str, n: object) -> str:
    found = _find_sentence(language, id, n)
    if found is None:
        raise KeyError(f"no words in {language!r} for {id!r}")
    return found


@lru_cache(maxsize=1 << 12)
def _find_sentence(language: str, id: str, n: object) -> str | None:
    """Kept also where there are no words: shells ask what a game may have words for."""
    for words in (catalogue(folder, language) for folder in word_folders()):
        found = words.ngettext(id, id, n) if isinstance(n, int) else words.gettext(id)
        if found == id and isinstance(n, int):
            found = words.gettext(id)
        if found != id:
            return found
    return None


def word_folders() -> tuple[Path, ...]:
    return (WORDS_FOLDER, *(rulebook.words for rulebook in GAMES.values()))


@lru_cache
def catalogue_entries(folder: Path, language: str) -> Catalog:
    """The entries of a catalogue, by the ids of the messages; English where there is no other."""
    path = folder / f"{language}.po"
    if not path.exists():
        path = folder / f"{FALLBACK}.po"
    with path.open("rb") as file:
        return read_po(file, locale=language)


@lru_cache
def catalogue(folder: Path, language: str) -> gettext.NullTranslations:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue_entries(folder, language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
