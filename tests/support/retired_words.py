"""The retired words of docs/glossary.md, and the names in Python that have them.

A word in small letters is retired in any case, as a plural, and as a part of a longer name: `desk`
in `DESK_S`.
A word with a capital is retired as the whole name of a class or a module: people may still think.
"""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parents[2]
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
SENTENCE = "test_"
"""Before the name of a test, which is a sentence: words in there name nothing."""
Parts: TypeAlias = tuple[str, ...]


def table_rows(heading: str) -> list[list[str]]:
    """The cells of the table under this heading of the glossary, without its first line."""
    part = GLOSSARY.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def quoted_names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def name_parts(name: str) -> Parts:
    """The words of a name in small letters: `DESK_S` and `deskOf` begin with desk."""
    return tuple(part.lower() for part in PART.findall(name))


RETIRED = tuple(word for cell, _ in table_rows("Retired words") for word in quoted_names(cell))
RETIRED_CLASSES = frozenset(word for word in RETIRED if word[0].isupper())
RETIRED_PARTS = frozenset(
    name_parts(f"{word}{plural}") for word in RETIRED if word[0].islower() for plural in ("", "s")
)


def is_retired(name: str) -> bool:
    """True if a retired word names this, alone or as a part of it."""
    if name in RETIRED_CLASSES:
        return True
    parts = name_parts(name)
    return any(
        parts[start:end] in RETIRED_PARTS
        for start in range(len(parts))
        for end in range(start + 1, len(parts) + 1)
    )


def python_names(path: Path) -> set[str]:
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline)
    return {token.string for token in tokens if token.type == tokenize.NAME}


def retired_names(path: Path) -> set[str]:
    """The names in a file that have a retired word, its own and its folder's among them."""
    names = {*python_names(path), path.stem, path.parent.name}
    return {name for name in names if not name.startswith(SENTENCE) and is_retired(name)}
