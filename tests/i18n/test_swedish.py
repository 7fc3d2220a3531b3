"""Swedish as docs/terms-sv.md decides it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from kibitz.i18n import word_folders
from support.languages.catalogues import catalogue_entries, help_sentences

ROOT = Path(__file__).parents[2]
TERMINOLOGY = (ROOT / "docs/terms-sv.md").read_text("utf-8")
OF_BOTS = ("report.", "arena.", "dataset.", "cli.")
"""Sentences about games of bots, which are not matches."""
HELP_ID = "cli.help"
"""Stands for the ids of help texts, which have none."""
SAME_AS_ENGLISH = {
    *("AS-Kimble", "Kahmaté", "Kalamala", "Hembo", "Hembo!", "hembo!", "Hembo…"),
    *("bot", "ring", "Ring", "block", "Block", "{n} match", "text", "ok     "),
    *("{seat:gen} ring", "{seat:gen} block"),
    *(
        "Rating",
        "Rating {rating}, {change}",
        "rating ± 2\N{GREEK SMALL LETTER SIGMA}",
        "median",
        "max s",
    ),
    *("System", "Vibration", "offline", "{minutes} min + {seconds} s", "{value} MB", "{value} GB"),
}


def sentences(language: str) -> Iterator[tuple[str, str]]:
    for folder in word_folders():
        for entry in catalogue_entries(folder, language):
            id = entry.id if isinstance(entry.id, str) else entry.id[0]
            if id:
                for text in [entry.string] if isinstance(entry.string, str) else entry.string or ():
                    yield id, text
    yield from ((HELP_ID, text) for text in help_sentences(language).values())


def words_decided_against() -> list[str]:
    table = TERMINOLOGY.partition("## Decided against")[2]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ")]
    return [word.strip() for row in rows[1:] for word in row.split(",")]


def containing(pattern: str) -> set[str]:
    """The ids of all sentences that have this in them, values left out."""
    found = re.compile(pattern, re.IGNORECASE)
    return {id for id, text in sentences("sv") if found.search(re.sub(r"\{[^}]*\}", "{}", text))}


def test_words_that_were_decided_against_are_in_no_sentence() -> None:
    words = words_decided_against()
    assert {"säte", "oavgjort", "naksu"} <= set(words)
    endings = "(en|et|n|ar|er|or|arna|erna|ade|ar|a)?"
    assert {word: ids for word in words if (ids := containing(rf"\b{word}{endings}\b"))} == {}


def test_people_play_a_match_and_bots_a_game() -> None:
    ids = containing(r"\bparti(et|er|erna)?\b")
    assert ids
    assert {id for id in ids if not id.startswith(OF_BOTS)} == set()


def test_the_genitive_of_a_value_is_left_to_its_rule() -> None:
    """An s after a name that ends in one is a mistake: `{seat:gen}` knows."""
    assert containing(r"\{\}(:?s)\b") == set()


def test_signs_are_those_of_swedish() -> None:
    assert containing("[\N{LEFT DOUBLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}«»']") == set()
    assert containing(r"(\d|\})%") == set()


def test_nothing_is_left_in_english() -> None:
    same = set(sentences("sv")) & set(sentences("en"))
    worded = {text for _, text in same if re.search(r"\w\w", re.sub(r"\{.*?\}", "", text))}
    assert worded - SAME_AS_ENGLISH == set()
