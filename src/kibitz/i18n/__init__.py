"""Messages put into a language: the only place where the program has words.

Sentences are in gettext catalogues, `<language>.po`, by the id of the message: those of a
game in its own folder, the rest here. A value in a sentence is written `{name}`; the value
`n` chooses between singular and plural; `seat` becomes the name of whoever sits there, and
`{seat:gen}` that name in another form: that of the catalogue (`<game>.seat-<seat>-gen`), or else
as the language's rules make it (`grammar`).
"""

from __future__ import annotations

import gettext
import logging
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from kibitz.core.game import REFEREE, Seat
from kibitz.core.message import Message, Say, Value
from kibitz.games import GAMES
from kibitz.i18n.formats import decimal_text
from kibitz.i18n.grammar import form_of, isolate_direction
from kibitz.i18n.po import PoCatalogue, stray_lines

log = logging.getLogger(__name__)

LANGUAGES = ("en", "fr", "fi", "sv")
FALLBACK = "en"
WORDS_FOLDER = Path(__file__).parent
YOU = "page.you-name"
"""The message whose words call whoever is spoken to; catalogues have its forms."""
REFEREE_NAME = "table.referee-name"
YOU_VARIANT = "-you"
"""Ends the id of a sentence for the seat it names, where that is put in another way."""
TOLD_VARIANT = "-told"
"""Ends the id of a sentence for a table where people are called by their names."""
_SPOKEN_TO = "\ue000"
"""Stands before a word for whoever is spoken to until it is known whether it begins a sentence."""


class Name(str):
    """A name that knows its other forms: `{seat:gen}` asks for one (see `grammar`)."""

    language: str
    id: str
    """The message it comes from, where catalogues have forms of it."""
    plain: str
    """The name of the side, of which it takes the place."""

    is_person: bool
    """True if it is a person's own, and not that of a side or a team."""

    def __new__(
        cls, name: str, language: str, id: str = "", plain: str = "", is_person: bool = False
    ) -> Name:
        called = super().__new__(cls, name)
        called.language, called.id, called.plain = language, id, plain or name
        called.is_person = is_person
        return called

    def __format__(self, form: str) -> str:
        if self.id == YOU:
            return self._format_you(form)
        if form == "plain":
            return self.plain
        if form and self.id and (found := _find_sentence(self.language, f"{self.id}-{form}", None)):
            return found
        shown = isolate_direction(self)
        if not form:
            return shown
        return form_of(self.language, shown, form, is_person=self.is_person)

    def _format_you(self, form: str) -> str:
        """The word that goes with whoever is spoken to: the last of several."""
        if "|" in form:
            return form.rpartition("|")[2]
        found = _find_sentence(self.language, f"{YOU}-{form}", None) if form else None
        return _SPOKEN_TO + (found or str(self))


def find_language(tags: Iterable[str]) -> str | None:
    """The first of ours that a tag means: `fr`, `fr-CA`, `FR_ca`."""
    languages = (re.split("[-_]", tag)[0].lower() for tag in tags)
    return next((each for each in languages if each in LANGUAGES), None)


def name_in(language: str, id: str) -> Name:
    """The words of this id as a name."""
    return Name(say_in(language)(Message(id)), language, id)


def say_in(
    language: str,
    names: Mapping[Seat, str] | None = None,
    own: Seat | None = None,
    is_told: bool = False,
) -> Say:
    """A function that puts messages into a language, calling the seats by these names.

    Whoever plays the seat `own` is spoken to: you, your. With `is_told` the names are those of
    people, and sentences are put as one tells them.
    """
    called = {
        seat: name if isinstance(name, Name) else Name(name, language)
        for seat, name in (names or {}).items()
    }
    if own is not None:
        called[own] = name_in(language, YOU)

    def value_text(value: Value) -> Value:
        if type(value) is int or isinstance(value, Name):
            return value
        if isinstance(value, Message):
            return Name(say(value), language, value.id)
        return Name(value, language) if isinstance(value, str) else _number_text(language, value)

    def say(message: Message) -> str:
        if not message.values:
            return _plain_sentence(language, message.id)
        values = {name: value_text(value) for name, value in message.values}
        variants = [TOLD_VARIANT] if is_told else []
        if "seat" in values:
            seat = str(values["seat"])
            if seat == REFEREE:
                values["seat"] = name_in(language, REFEREE_NAME)
            values["seat"] = called.get(seat) or values["seat"]
            variants = [YOU_VARIANT, *variants] if seat == own else variants
        n = values.get("n")
        told = (_find_sentence(language, f"{message.id}{each}", n) for each in variants)
        sentence = next(filter(None, told), None) or _sentence(language, message.id, n)
        return sentence.format_map(values)

    def speak(message: Message) -> str:
        text = _begin_sentences(say(message))
        return text[:1].upper() + text[1:] if _begins_nameless(message, language) else text

    return speak


def _begins_nameless(message: Message, language: str) -> bool:
    """True if a sentence begins with a part that is no name and has none: double, of nobody's."""
    parts = {
        name: value
        for name, value in message.values
        if isinstance(value, Message) and value.values == ()
    }
    if not parts:
        return False
    sentence = _find_sentence(language, message.id, message.value("n")) or ""
    return any(sentence.startswith(f"{{{name}}}") for name in parts)


def _begin_sentences(text: str) -> str:
    """The text with a capital where a word for whoever is spoken to begins a sentence."""
    first, *rest = text.split(_SPOKEN_TO)
    made = first
    for part in rest:
        is_first = not made or made.endswith(". ")
        made += part[:1].upper() + part[1:] if is_first else part
    return made


def template_in(language: str, id: str) -> str:
    """The words of this id as the catalogue has them, values not filled in."""
    return _sentence(language, id, None)


def _number_text(language: str, value: Value) -> Value:
    """Numbers with a point or comma are written as a language does it."""
    if isinstance(value, Decimal):
        digits = max(0, -int(value.as_tuple().exponent))
        return decimal_text(language, value, digits)
    return decimal_text(language, value) if isinstance(value, float) else value


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
def catalogue(folder: Path, language: str) -> gettext.NullTranslations:
    """The sentences of a catalogue; English where there is no other."""
    for compiled in (folder / f"{language}.mo", folder / f"{FALLBACK}.mo"):
        if compiled.exists():
            with compiled.open("rb") as file:
                return gettext.GNUTranslations(file)
    path = folder / f"{language}.po"
    if not path.exists():
        path = folder / f"{FALLBACK}.po"
    text = path.read_text("utf-8")
    for line in stray_lines(text):
        log.warning("%s has a line that is no part of an entry: %s", path, line)
    return PoCatalogue(text)
