"""Everything the program says has words."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from string import Formatter

import pytest
from babel.messages.pofile import read_po
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.drawing import Look, svg
from kibitz.core.message import fixed_decimal, message
from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES, YOU_VARIANT, say_in, word_folders
from laws.laws import some_options, wander
from support.languages.catalogues import catalogue_entries
from support.languages.used_ids import is_used

SOURCE = Path(__file__).parents[2] / "src" / "kibitz"


def ids_in(tree: ast.AST) -> Iterator[str]:
    """Message ids written out in the code."""
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, str) and re.fullmatch(r"[a-z_-]+\.[A-Za-z_-]*[A-Za-z]", value):
            yield value


def used_ids() -> set[str]:
    code = [file for file in SOURCE.rglob("*.py") if "migrations" not in file.parts]
    spoken = {i for file in code for i in ids_in(ast.parse(file.read_text()))}
    for template in SOURCE.rglob("*.html"):
        spoken |= set(re.findall(r"""\bt\(\s*["']([a-z_-]+\.[\w-]*\w)["']""", template.read_text()))
    shells = {"filter", "cli", "server", "page", "terminal", "report", "arena", "analysis", "bot"}
    speakers = {*GAMES, *shells, "table", "options", "record"}
    suffixes = {"py", "js", "css", "po", "md", "db", "html", "svg", "png"}
    return {
        id for id in spoken if id.split(".")[0] in speakers and id.split(".")[1] not in suffixes
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_has_words(language: str) -> None:
    known = set()
    for folder in word_folders():
        with (folder / f"{language}.po").open("rb") as file:
            entries = [e for e in read_po(file, locale=language, abort_invalid=True) if e.id]
        ids = [e.id[0] if isinstance(e.id, tuple) else str(e.id) for e in entries]
        assert all(e.string and not e.fuzzy for e in entries), folder
        known |= set(ids)
    assert used_ids() - known == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_messages_share_an_id(language: str) -> None:
    for folder in word_folders():
        text = (folder / f"{language}.po").read_text()
        ids = Counter(re.findall(r'^msgid "(.+)"$', text, re.MULTILINE))
        assert [id for id, times in ids.items() if times > 1] == [], folder


SAID_AFTER_ANOTHER = {
    "kalamala.repeats-picture": "the picture beside a refusal, named after the refusal",
    "kalamala.repeats-start-picture": "the picture beside a refusal, named after the refusal",
    "page.you-name-gen": "a form of the name of whoever is spoken to",
    "table.moved-by": "a note with the name of whoever did it, named after the note",
    "table.sat-by": "a note with the name of whoever did it, named after the note",
    "table.stood-by": "a note with the name of whoever did it, named after the note",
}
"""Ids that come from another by a suffix, and why."""


def test_every_sentence_can_be_reached() -> None:
    """Forms of names aside, something says each of them."""
    ids = {
        entry.id if isinstance(entry.id, str) else entry.id[0]
        for folder in word_folders()
        for entry in catalogue_entries(folder, "en")
        if entry.id
    }
    assert len(ids) > 2000
    assert {id for id in ids if not is_used(id)} == SAID_AFTER_ANOTHER.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_are_well_formed(language: str) -> None:
    for folder in word_folders():
        with (folder / f"{language}.po").open("rb") as file:
            for entry in read_po(file, locale=language):
                forms = (entry.string,) if isinstance(entry.string, str) else entry.string or ()
                for text in forms:
                    assert all(name is None or name for _, name, _, _ in Formatter().parse(text))


def values_in(texts: str | Sequence[str] | None) -> set[str]:
    listed = [texts] if isinstance(texts, str) else texts or ()
    return {name for text in listed for _, name, _, _ in Formatter().parse(text) if name}


MORE_FORMS = re.compile(r"[\w-]+\.(seat-\w|you-name|bot-name-[\w-]+)-[a-zà]+")


def _first_id(id: str | Sequence[str]) -> str:
    return id if isinstance(id, str) else id[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same_things(language: str) -> None:
    """Beside the ids of English a language may have more forms of a name, and more sentences
    for whoever is spoken to."""
    for folder in word_folders():
        english = {e.id: e for e in catalogue_entries(folder, "en") if e.id}
        others = {e.id: e for e in catalogue_entries(folder, language) if e.id}
        more = {_first_id(id) for id in others.keys() - english.keys()}
        assert english.keys() - others.keys() == set(), folder
        assert all(MORE_FORMS.fullmatch(id) or id.endswith(YOU_VARIANT) for id in more), more
        for id, entry in english.items():
            assert others[id].string, id
            assert values_in(others[id].string) <= values_in(entry.string), id


def test_numbers_are_written_as_a_language_does_it() -> None:
    told = message("as-kimble.status-litres", seat="R", litres=1.5)
    for language, number in (("en", "1.5"), ("fr", "1,5"), ("fi", "1,5"), ("sv", "1,5")):
        assert number in say_in(language)(told)


def test_rounded_numbers_keep_their_digits() -> None:
    for language, number, share in (
        ("en", "1,234.50", "12.0%"),
        ("fr", "1\u202f234,50", "12,0\u00a0%"),
        ("fi", "1\u00a0234,50", "12,0 %"),
    ):
        say = say_in(language)
        assert say(message("report.number", value=fixed_decimal(1234.5, 2))) == number
        assert say(message("report.chance", value=fixed_decimal(12, 1))) == share


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GAMES)
@settings(deadline=None, max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_whatever_is_said_at_a_table_has_words(name: str, language: str, seed: int) -> None:
    rng, say = Random(seed), say_in(language)
    table = wander(GAMES[name].game(some_options(GAMES[name], rng)), rng)
    for played in table.history:
        assert all(say(event.message) for event in played.step.events)
    for offer in (offer for seat in table.game.seats for offer in table.offers(seat)):
        assert say(offer.label)
        assert all(say(step) for step in offer.prompts)
    for _ in range(30):
        drawn = svg(table.game.ui.draw(table.view(table.game.seats[0]), Look(say)))
        places = [part.split('"')[0] for part in drawn.split('data-el="')[1:]]
        path = tuple(rng.choice(places) for _ in range(rng.randint(1, 3)))
        assert say(table.why_not(rng.choice(table.game.seats), path))


def test_numbers_choose_between_one_and_many() -> None:
    say = say_in("en")
    for n, words in ((1, "1 action,"), (2, "2 actions,"), (0, "0 actions,")):
        assert words in say(message("cli.verified", game="kalamala", n=n, result="*"))


def test_a_seat_is_called_by_its_name() -> None:
    say = say_in("en", {"A": "Aino"})
    assert say(message("kalamala.placed", seat="A", square="e4")).startswith("Aino ")
    assert "B" in say(message("kalamala.placed", seat="B", square="e4"))


def test_a_message_may_hold_another() -> None:
    inner = message("kalamala.seat-A")
    said = say_in("en")(message("kalamala.placed", seat=inner, square="e4"))
    assert say_in("en")(inner) in said


def test_a_message_without_words_is_a_fault() -> None:
    with pytest.raises(KeyError):
        say_in("en")(message("nobody.said-this"))
