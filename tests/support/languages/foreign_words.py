"""Words that only other languages have: where one is printed, a sentence was not translated."""

from __future__ import annotations

import re
from functools import cache

from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES, word_folders
from support.languages.catalogues import catalogue_entries

MIN_LETTERS = 3
"""Shorter ones are squares, sides and parts of pictures."""
MATCH_IDS = re.compile(rf"({'|'.join(GAMES)}|table|terminal)\.")


def words_in(text: str) -> set[str]:
    found = re.findall(r"[^\W\d_]+", text.casefold())
    return {word for word in found if len(word) >= MIN_LETTERS}


@cache
def vocabulary(language: str, is_of_matches: bool = False) -> frozenset[str]:
    """All words of the catalogues, or all that are said of a match; values left out.

    What is said of files and settings has words of programs in it, which are English everywhere.
    """
    sentences = (
        text
        for folder in word_folders()
        for entry in catalogue_entries(folder, language)
        if entry.id and (not is_of_matches or MATCH_IDS.match(str(entry.id).lstrip("('")))
        for text in ([entry.string] if isinstance(entry.string, str) else entry.string or ())
    )
    return frozenset(
        word for text in sentences for word in words_in(re.sub(r"\{[^}]*\}", " ", text))
    )


def foreign_words(text: str, language: str) -> set[str]:
    """The words of a text about a match that another language has, and this one has not."""
    others = {word for each in LANGUAGES if each != language for word in vocabulary(each)}
    return words_in(text) & (others - vocabulary(language, is_of_matches=True))
