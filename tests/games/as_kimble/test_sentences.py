"""Sentences of the rule sheet that ask for a word on the rules page and for nothing else.

The numbers are those of a list of all sentences: K of the sheet.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

RULES = Path(__file__).parents[3] / "docs" / "rules"


def paragraph(page: str, number: str) -> str:
    """The text of a paragraph, up to the next heading, on one line."""
    heading = re.escape(number)
    text = (RULES / page).read_text()
    (found,) = re.findall(rf"^##+ {heading} .*?(?=^##)", text, re.M | re.S)
    return " ".join(found.split())


@pytest.mark.parametrize(
    ("page", "parts"),
    [
        ("as-kimble.md", ("Kimble board", "sixteen pieces", "four of each", "keep the book")),
        ("fr/as-kimble.md", ("plateau de Kimble", "seize pions", "quatre de chaque", "carnet")),
        ("fi/as-kimble.md", ("Kimble-lauta", "kuusitoista nappulaa", "neljä kutakin", "kirjaa")),
        ("sv/as-kimble.md", ("Kimblebräde", "sexton pjäser", "fyra i varje", "för boken")),
    ],
)
def test_what_one_needs_at_a_real_table_is_listed(page: str, parts: tuple[str, ...]) -> None:
    """K6, and K16: enough of whatever is played for."""
    text = paragraph(page, "4")
    assert [part for part in parts if part not in text] == []
    assert "(11.3)" in text


@pytest.mark.parametrize(
    "page", ["as-kimble.md", "fr/as-kimble.md", "fi/as-kimble.md", "sv/as-kimble.md"]
)
def test_the_mark_15_is_explained_where_the_mark_18_is(page: str) -> None:
    """K4."""
    text = paragraph(page, "11.4")
    assert "18+" in text
    assert "15+ (R32)" in text
    assert "| R32 |" in (RULES / page).read_text()
