"""Words that only other languages have: where one is printed, a sentence was not translated."""

from __future__ import annotations

import re
from functools import cache

from kibitz.i18n import LANGUAGES, catalogue_entries, word_folders

MIN_LETTERS = 3
"""Shorter ones are squares, sides and parts of pictures."""


def words_in(text: str) -> set[str]:
    found = re.findall(r"[^\W\d_]+", text.casefold())
    return {word for word in found if len(word) >= MIN_LETTERS}


@cache
def vocabulary(language: str) -> frozenset[str]:
    """All words of the catalogues, values left out."""
    sentences = (
        text
        for folder in word_folders()
        for entry in catalogue_entries(folder, language)
        if entry.id
        for text in ([entry.string] if isinstance(entry.string, str) else entry.string)
    )
    return frozenset(
        word for text in sentences for word in words_in(re.sub(r"\{[^}]*\}", " ", text))
    )


def foreign_words(text: str, language: str) -> set[str]:
    """The words of a text that another language has, and this one has not."""
    others = {word for each in LANGUAGES if each != language for word in vocabulary(each)}
    return words_in(text) & (others - vocabulary(language))
