"""The pages of the documentation, and the blocks of code on them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
BUILT = DOCS / "reference" / "http.md"
"""Written by `make docs`."""
RULES = DOCS / "rules"
FENCE = "```"
INDENT = "    "
COMMENT = re.compile(r"\s+#\s.*$")


class Block(NamedTuple):
    kind: str
    """The language after a fence, empty if there is none; `indented` without a fence."""
    lines: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def pages() -> list[Path]:
    """All but the rules, which have tests of their own."""
    docs = [page for page in DOCS.rglob("*.md") if page != BUILT and RULES not in page.parents]
    return sorted([*docs, ROOT / "README.md", ROOT / "CONTRIBUTING.md"])


def page_name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(text: str) -> Iterator[Block]:
    """Blocks of code in order: fenced, or indented after an empty line."""
    lines, at, in_list = text.splitlines(), 0, False
    while at < len(lines):
        line = lines[at]
        if line.lstrip().startswith(FENCE):
            ends = next(n for n in range(at + 1, len(lines)) if lines[n].strip() == FENCE)
            yield Block(line.strip().removeprefix(FENCE), lines[at + 1 : ends])
            at = ends
        elif line.startswith(INDENT) and not in_list and at and not lines[at - 1].strip():
            ends = at
            while ends < len(lines) and lines[ends].startswith(INDENT):
                ends += 1
            yield Block("indented", [each.removeprefix(INDENT) for each in lines[at:ends]])
            at = ends - 1
        elif line.strip() and not line.startswith(" "):
            in_list = bool(re.match(r"[-*] |\d+\. ", line))
        at += 1


def prose_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, without code, tables, pictures and headings."""
    in_fence = False
    for number, line in enumerate(text.splitlines(), 1):
        start = line.lstrip()
        if start.startswith(FENCE):
            in_fence = not in_fence
        elif (
            not in_fence and not line.startswith(INDENT) and not start.startswith(("|", "<", "!["))
        ):
            yield number, line


def command_words(line: str) -> list[str]:
    """The words of a command, without the prompt before it and the comment after it."""
    return shlex.split(without_comment(line.removeprefix("$ ")))


def without_comment(line: str) -> str:
    return COMMENT.sub("", line)
