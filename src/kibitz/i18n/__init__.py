"""Messages put into a language: the only place where the program has words.

Sentences are in gettext catalogues, `<language>.po`, by the id of the message: those of a
game in its own folder, the rest here. A value in a sentence is written `{name}`; the value
`n` chooses between singular and plural; `seat` becomes the name of whoever sits there, and
`{seat:gen}` that name in another form, where the catalogue has one (`<game>.seat-<seat>-gen`).
"""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from kibitz.core.game import Seat
from kibitz.core.message import Message, Say, Value
from kibitz.games import GAMES

LANGUAGES = ("en", "fr", "fi")
FALLBACK = "en"
WORDS_FOLDER = Path(__file__).parent


class Name(str):
    """A name that knows its other forms: `{seat:gen}` asks for one."""

    forms: Mapping[str, str]

    def __new__(cls, name: str, forms: Mapping[str, str] | None = None) -> Name:
        called = super().__new__(cls, name)
        called.forms = forms or {}
        return called

    def __format__(self, form: str) -> str:
        return self.forms.get(form, str(self)) if form else str(self)


def name_in(language: str, id: str) -> Name:
    """The words of this id as a name, with all forms that the catalogues have of it."""
    name = say_in(language)(Message(id))
    return Name(name, _name_forms(language, id))


def chosen_name_in(language: str, name: str, plain: str) -> Name:
    """A name that people chose; `plain` is what it stands for.

    Its other forms are those of any name: `table.chosen-word-<form>`, or `-words-` for several.
    """
    kind = "words" if " " in name else "word"
    forms = _name_forms(language, f"table.chosen-{kind}")
    made = {form: text.format(name=name) for form, text in forms.items()}
    return Name(name, {**made, "plain": plain})


def with_possessive(language: str, sentence: str) -> str:
    """The sentence with the possessive of names that end in s: "Foxes' double"."""
    return re.sub(r"s's\b", "s'", sentence) if language == "en" else sentence


@lru_cache(maxsize=1 << 10)
def _name_forms(language: str, id: str) -> Mapping[str, str]:
    prefix = f"{id}-"
    return {
        each.id.removeprefix(prefix): str(each.string)
        for folder in word_folders()
        for each in catalogue_entries(folder, language)
        if isinstance(each.id, str) and each.id.startswith(prefix)
    }


def say_in(language: str, names: Mapping[Seat, str] | None = None) -> Say:
    """A function that puts messages into a language, calling the seats by these names."""
    called = {
        seat: Name(name, getattr(name, "forms", None)) for seat, name in (names or {}).items()
    }

    def say(message: Message) -> str:
        if not message.values:
            return _plain_sentence(language, message.id)
        values = {
            name: say(value) if isinstance(value, Message) else _number_text(language, value)
            for name, value in message.values
        }
        sentence = _sentence(language, message.id, values.get("n"))
        if "seat" in values:
            seat = str(values["seat"])
            values["seat"] = called.get(seat) or Name(seat)
        return sentence.format_map(values)

    return say


def template_in(language: str, id: str) -> str:
    """The words of this id as the catalogue has them, values not filled in."""
    return _sentence(language, id, None)


def _number_text(language: str, value: Value) -> Value:
    """Numbers with a point or comma are written as a language does it."""
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
