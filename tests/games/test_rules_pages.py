"""The rules in another language say what the English page says, paragraph by paragraph."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kibitz.games import GAMES

RULES = Path(__file__).parents[2] / "docs" / "rules"
LANGUAGE_FOLDERS = sorted({page.parent for page in RULES.glob("*/*.md")})
EXAMPLES = {"kahmate": "14.", "kalamala": "8.", "as-kimble": "19."}
"""The paragraphs whose blocks of code are positions and boards, without a word of any language."""

SHIRTS = ("kahmate", "2")
"""The paragraph with a column more where the letters on the shirts are those of the language."""

each_language = pytest.mark.parametrize(
    "folder", LANGUAGE_FOLDERS, ids=[folder.name for folder in LANGUAGE_FOLDERS]
)
each_game = pytest.mark.parametrize("game", GAMES)


def paragraphs(page: Path) -> dict[str, str]:
    """The text of each paragraph by its number; what comes before the first has none."""
    parts = re.split(r"^#+ (\d+(?:\.\d+)*) ", page.read_text("utf-8"), flags=re.M)
    return dict(zip(["", *parts[1::2]], parts[::2], strict=True))


def code_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("    ")]


def code_spans(text: str) -> set[str]:
    prose = "\n".join(line for line in text.splitlines() if not line.startswith("    "))
    return {re.sub(r"\s+", " ", span) for span in re.findall(r"`([^`]+)`", prose)}


def table_cells(text: str) -> list[list[str]]:
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def sentences(text: str) -> set[str]:
    """Cells of tables and sentences of prose, without code, that have four words or more."""
    prose = " ".join(line for line in text.splitlines() if not line.startswith(("    ", "|")))
    said = [cell for row in table_cells(text) for cell in row] + re.split(r"[.:;]\s", prose)
    bare = {re.sub(r"`[^`]*`", "", each).strip() for each in said}
    return {each for each in bare if len(re.findall(r"[^\W\d_]{2,}", each)) >= 4}


@each_language
def test_a_language_has_the_rules_of_every_game(folder: Path) -> None:
    assert {page.stem for page in folder.glob("*.md")} == set(GAMES)


@each_language
@each_game
def test_a_translation_has_the_paragraphs_of_the_english_page(folder: Path, game: str) -> None:
    english, translated = paragraphs(RULES / f"{game}.md"), paragraphs(folder / f"{game}.md")
    assert list(translated) == list(english)


@each_language
@each_game
def test_a_translation_has_the_tables_of_the_english_page(folder: Path, game: str) -> None:
    translated = paragraphs(folder / f"{game}.md")
    for number, text in paragraphs(RULES / f"{game}.md").items():
        there, here = table_cells(text), table_cells(translated[number])
        assert len(here) == len(there), number
        wider = {len(mine) - len(theirs) for mine, theirs in zip(here, there, strict=True)}
        assert wider <= {0} or (wider == {1} and (game, number) == SHIRTS), number
        for mine, theirs in zip(here, there, strict=True):
            # What a row is about is not translated where it is notation: an option, an action.
            if about := code_spans(theirs[0]):
                assert code_spans(mine[0]) == about, number


@each_language
@each_game
def test_a_translation_has_the_examples_of_the_english_page(folder: Path, game: str) -> None:
    translated = paragraphs(folder / f"{game}.md")
    examples = {
        number: text
        for number, text in paragraphs(RULES / f"{game}.md").items()
        if number.startswith(EXAMPLES[game])
    }
    assert len(examples) >= 10
    for number, text in examples.items():
        assert code_lines(translated[number]) == code_lines(text), number
        assert code_spans(translated[number]) == code_spans(text), number


@each_language
@each_game
def test_a_translation_refers_to_the_same_rulings_and_pages(folder: Path, game: str) -> None:
    translated = paragraphs(folder / f"{game}.md")
    for number, text in paragraphs(RULES / f"{game}.md").items():
        for reference in (r"\b[RG]\d+\b", r"\]\(([^)]+)\)"):
            there, here = (re.findall(reference, each) for each in (text, translated[number]))
            assert set(here) == set(there), number


@each_language
@each_game
def test_paragraphs_that_a_translation_names_exist(folder: Path, game: str) -> None:
    text = (folder / f"{game}.md").read_text("utf-8")
    named = set(re.findall(r"\((\d+\.\d+)\)", text))
    assert named
    assert named <= set(paragraphs(RULES / f"{game}.md"))


@each_language
@each_game
def test_a_translation_leaves_no_english_sentence(folder: Path, game: str) -> None:
    translated = paragraphs(folder / f"{game}.md")
    for number, text in paragraphs(RULES / f"{game}.md").items():
        assert sentences(text) & sentences(translated[number]) == set(), number
