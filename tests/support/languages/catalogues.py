"""The entries of catalogues, as Babel reads them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from kibitz.cli.help import HELP_WORDS_FOLDER
from kibitz.i18n import FALLBACK


@lru_cache
def catalogue_entries(folder: Path, language: str) -> Catalog:
    with (folder / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def help_sentences(language: str) -> dict[str, str]:
    """The help of commands by its English text; in English, which stands in the code, nothing."""
    if language == FALLBACK:
        return {}
    entries = catalogue_entries(HELP_WORDS_FOLDER, language)
    return {str(each.id): str(each.string) for each in entries if each.id}
