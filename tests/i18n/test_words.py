"""The catalogues keep to one word for one thing, and to the typography of their language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from kibitz.games.kahmate.state import TEAM
from kibitz.i18n import LANGUAGES, word_folders
from support.languages.catalogues import catalogue_entries, help_sentences

RETIRED = {
    "en": {
        r"stones?": "piece",
        r"somebody|everybody|anybody": "someone, everyone, anyone",
        r"e-mails?|(a|by|in) mail": "email",
        r"sign (in|up|out)": "log in, create an account, log out",
        r"on turn|to act": "to play",
        r"round of raising": "raise round",
        r"break off": "abandon",
        r"send away|sent away": "remove",
        r"who looks on|watchers?": "spectator",
        r"jumps? in": "intercept",
        r"let the six go": "skip the six",
        r"debts?": "penalty, owed",
        r"your (Strong|Tough|Fast|Clever|Ordinary)(?! man)": "Strong man and so on",
    },
    "fr": {
        r"relanc\w*": "surenchère, surenchérir",
        r"courriels?": "e-mail",
        r"robots?": "bot",
        r"(?<!Gros )Costauds?": "Gros Costaud",
        r"pièces?": "pion",
    },
    "fi": {
        r"robotti\w*|robotin": "botti",
        r"(Sitkeä|Ovela|Tavallinen|Tavallise)\w*": "Kova, Älykäs, Jokamies",
        r"äänetön naksautus|tahmea naksautus": "äänetön naksahdus, tahmea naksahdus",
    },
}
"""Words that name nothing any more, and what does."""
FINITE_VERBS = (
    "is|has|was|wants|asks|agrees|declines|offers|chooses|plays|says|wins|begins|pops|gives|owes"
)
"""Verbs that do not agree with Rings, Blocks or Foxes."""
SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
NOT_FRENCH = re.compile(r"!!|\"type\":|run:|--editable \{folder\};|[a-z]+:\S+")
"""Notation and commands, which have the signs of no language."""
TERMINAL_KEYS = {"terminal.keys", "terminal.help"}
"""Columns of keys, some of which are signs."""
HELP_ID = "cli.help"
"""Stands for the ids of help texts, which have none."""
FRENCH_RULES = sorted(Path(__file__).parents[2].glob("docs/rules/fr/*.md"))
MAY_BE_LEFT_OUT = {"as-kimble.double"}
"""Finnish says in one word that a piece became a double."""


def sentences(language: str) -> Iterator[tuple[str, str]]:
    """The ids of all messages, with each of their forms."""
    for folder in word_folders():
        for entry in catalogue_entries(folder, language):
            id = entry.id[0] if isinstance(entry.id, tuple) else str(entry.id)
            forms = (entry.string,) if isinstance(entry.string, str) else entry.string or ()
            if id:
                yield from ((id, form) for form in forms)
    yield from ((HELP_ID, text) for text in help_sentences(language).values())


@pytest.mark.parametrize("language", RETIRED)
def test_no_retired_word_comes_back(language: str) -> None:
    found = [
        f"{id}: {form} (say: {instead})"
        for id, form in sentences(language)
        for word, instead in RETIRED[language].items()
        if re.search(rf"\b({word})\b", form, re.IGNORECASE if word.islower() else 0)
    ]
    assert found == []


def test_no_verb_has_to_agree_with_the_name_of_a_side() -> None:
    """Rings and Blocks are plural, Red is not, and a team is called as it likes."""
    verb = re.compile(rf"\{{(seat|team|asking)\}} ({FINITE_VERBS})\b")
    assert [f"{id}: {form}" for id, form in sentences("en") if verb.search(form)] == []


def test_french_has_spaces_that_do_not_break() -> None:
    wrong = re.compile(rf"[^{SPACES}!][;!?»](?=\W|$)|[^{SPACES}]:(?=\s|$)|«[^{SPACES}]")
    said = {form for id, form in sentences("fr") if id not in TERMINAL_KEYS}
    assert {form for form in said if wrong.search(NOT_FRENCH.sub("", form))} == set()


def test_french_keeps_a_number_with_its_unit() -> None:
    parted = re.compile(r"[\d}] (min|ms|s|h|j|Mo|Go|%)(?![\w\N{RIGHT SINGLE QUOTATION MARK}-])")
    assert [form for _, form in sentences("fr") if parted.search(form)] == []


def test_french_has_typographic_apostrophes() -> None:
    assert [form for _, form in sentences("fr") if "'" in form] == []


@pytest.mark.parametrize("page", FRENCH_RULES, ids=lambda page: page.stem)
def test_the_rules_in_french_have_typographic_apostrophes(page: Path) -> None:
    """As the sentences beside them have them; notation is in code."""
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.M | re.S)
    assert [line for line in prose.splitlines() if "'" in line] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_leaves_out_no_value_that_english_tells(language: str) -> None:
    told, english = _values_by_id(language), _values_by_id("en")
    assert {id for id, values in english.items() if values != told[id]} <= MAY_BE_LEFT_OUT


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_letter_on_a_shirt_is_another_mans(language: str) -> None:
    """Nor the letter that stands for another man in records."""
    said = dict(sentences(language))
    letters = {kind: said[f"kahmate.letter-{kind}"] for kind in TEAM}
    assert len(set(letters.values())) == len(letters)
    for kind, letter in letters.items():
        assert letter.isupper()
        assert letter not in set(TEAM) - {kind}


def _values_by_id(language: str) -> dict[str, set[str]]:
    """In any of the forms of a message."""
    told: dict[str, set[str]] = {}
    for id, form in sentences(language):
        told.setdefault(id, set()).update(name for _, name, _, _ in Formatter().parse(form) if name)
    return told
