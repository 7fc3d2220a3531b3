"""Catalogues that are not compiled say the same as compiled ones."""

from __future__ import annotations

import gettext
import io
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from hypothesis import given
from hypothesis import strategies as st

from kibitz.i18n import LANGUAGES, catalogue, word_folders
from kibitz.i18n.po import PoCatalogue, read_forms
from support.languages.catalogues import catalogue_entries

SKELETON = Path(__file__).parents[2] / "src/kibitz/cli/skeleton/src/game_package/words/en.po"
HEADER = 'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'


def compile_entries(entries: Catalog) -> gettext.GNUTranslations:
    made = io.BytesIO()
    write_mo(made, entries)
    made.seek(0)
    return gettext.GNUTranslations(made)


def assert_same(written: PoCatalogue, entries: Catalog) -> None:
    expected = compile_entries(entries)
    for entry in entries:
        if isinstance(entry.id, tuple):
            id, plural = entry.id
            for n in range(200):
                assert written.ngettext(id, plural, n) == expected.ngettext(id, plural, n)
        elif id := str(entry.id):
            assert written.gettext(id) == expected.gettext(id)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_that_of_the_compiled_catalogue(language: str) -> None:
    for folder in word_folders():
        text = (folder / f"{language}.po").read_text("utf-8")
        assert_same(PoCatalogue(text), catalogue_entries(folder, language))
        assert len(read_forms(text)) == len(catalogue_entries(folder, language)) + 1


def test_the_sentences_of_a_new_game_are_read() -> None:
    written = PoCatalogue(SKELETON.read_text("utf-8"))
    assert written.gettext("game-name.title") == "Game Title"
    with SKELETON.open("rb") as file:
        assert_same(written, read_po(file, locale="en"))


any_text = st.text(st.characters(exclude_categories=["C"], include_characters="\n\t"), min_size=1)


@given(st.dictionaries(any_text, any_text | st.tuples(any_text, any_text), max_size=5))
def test_whatever_is_written_reads_back(sentences: dict[str, str | tuple[str, str]]) -> None:
    entries = Catalog(locale="en", header_comment="# Somebody's words")
    for id, text in sentences.items():
        entries.add(id if isinstance(text, str) else (id, id), text, auto_comments=['a "note"'])
    file = io.BytesIO()
    write_po(file, entries, width=20)
    assert_same(PoCatalogue(file.getvalue().decode()), entries)


def test_a_plural_follows_the_rule_of_the_catalogue() -> None:
    written = PoCatalogue(
        'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=3; '
        'plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 ? 1 : 2);\\n"\n'
        'msgid "hen"\nmsgid_plural "hen"\n'
        'msgstr[0] "a"\nmsgstr[1] "b"\nmsgstr[2] "c"\n'
    )
    assert [written.ngettext("hen", "hen", n) for n in (1, 2, 5, 11, 21, 24)] == list("abccab")


def test_an_entry_that_is_fuzzy_empty_or_obsolete_is_not_there() -> None:
    text = '#, python-format, fuzzy\nmsgid "a"\nmsgstr "A"\n\nmsgid "b"\nmsgstr ""\n\n'
    written = PoCatalogue(HEADER + text + '#~ msgid "c"\n#~ msgstr "C"\n')
    assert [written.gettext(id) for id in "abc"] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "line", ['msgstr "twice', 'msgctxt "menu"', "Game Title", 'msgid "without words"']
)
def test_a_line_that_is_no_part_of_an_entry_is_named(
    line: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """All other sentences are there: one mistake is no reason to stop a match."""
    (tmp_path / "en.po").write_text(
        f'{HEADER}# Before.\nmsgid "a"\nmsgstr "A"\n\n{line}\n\nmsgid "b"\nmsgstr "B"\n'
    )
    words = catalogue(tmp_path, "fi")
    assert [words.gettext(id) for id in "ab"] == ["A", "B"]
    (warning,) = caplog.messages
    assert line in warning
    assert str(tmp_path / "en.po") in warning


def test_a_plural_that_lacks_a_form_has_the_last_one() -> None:
    written = PoCatalogue(f'{HEADER}msgid "hen"\nmsgid_plural "hen"\nmsgstr[0] "a hen"\n')
    assert written.ngettext("hen", "hen", 3) == "a hen"
