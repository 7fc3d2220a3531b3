"""Messages put into a language: the only place where the program has words.

Sentences are in gettext catalogues, `<language>.po`, by the id of the message: those of a
game in its own folder, the rest here. A value in a sentence is written `{name}`; the value
`n` chooses between singular and plural; `seat` becomes the name of whoever sits there.
"""

from __future__ import annotations

import gettext
import io
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from kibitz.core.game import Seat
from kibitz.core.message import Message, Say
from kibitz.games import GAMES

LANGUAGES = ("en",)
FALLBACK = "en"
HERE = Path(__file__).parent


def say_in(language: str, names: Mapping[Seat, str] | None = None) -> Say:
    """A function that puts messages into a language, calling the seats by these names."""
    names = names or {}

    def say(message: Message) -> str:
        values = {
            name: say(value) if isinstance(value, Message) else value
            for name, value in message.values
        }
        sentence = _sentence(language, message.id, values.get("n"))
        if "seat" in values:
            values["seat"] = names.get(str(values["seat"]), str(values["seat"]))
        return sentence.format_map(values)

    return say


@lru_cache(maxsize=1 << 12)
def _sentence(language: str, id: str, n: object) -> str:
    for words in (catalogue(folder, language) for folder in folders()):
        found = words.ngettext(id, id, n) if isinstance(n, int) else words.gettext(id)
        if found == id and isinstance(n, int):
            found = words.gettext(id)
        if found != id:
            return found
    raise KeyError(f"no words in {language!r} for {id!r}")


def folders() -> tuple[Path, ...]:
    return (HERE, *(rulebook.words for rulebook in GAMES.values()))


@lru_cache
def catalogue(folder: Path, language: str) -> gettext.NullTranslations:
    path = folder / f"{language}.po"
    if not path.exists():
        path = folder / f"{FALLBACK}.po"
    with path.open("rb") as file:
        entries = read_po(file, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, entries)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
