"""Prose is wrapped, so that it can be read in a terminal and compared line by line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.docs.doc_pages import ROOT, page_name, pages, prose_lines

COLUMNS = 100
TARGET = re.compile(r"\]\([^)]*\)")
"""The address of a link, which cannot be broken."""
WRAPPED = [*pages(), ROOT / "CHANGELOG.md"]


def too_long(text: str) -> list[int]:
    return [number for number, line in prose_lines(text) if len(TARGET.sub("]", line)) > COLUMNS]


@pytest.mark.parametrize("page", WRAPPED, ids=page_name)
def test_prose_fits_a_hundred_columns(page: Path) -> None:
    assert too_long(page.read_text(encoding="utf-8")) == []


def test_a_long_line_is_found_but_not_in_tables_links_and_code() -> None:
    long = "word " * 21
    assert too_long(f"{long}\n- {long}\n# {long}") == [1, 2, 3]
    assert too_long(f"| {long} |\n```sh\n{long}\n```\n\n    {long}\n![{long}](a.png)") == []
    assert too_long(f"[short]({'a' * COLUMNS}.md)") == []
