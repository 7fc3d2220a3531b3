"""The sentences of the rule books that needed a decision, a test or a word on the rules page.

    .venv/bin/python tools/rulebook_sentences.py

Each with its number, its kind, its paragraph on the rules page, and the test or ruling that shows
that it works. tests/tools/rulebook_sentences.txt holds them, one a line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

SENTENCES = Path(__file__).parents[1] / "tests" / "tools" / "rulebook_sentences.txt"
KINDS = ("works", "ruling")


@dataclass(frozen=True, slots=True)
class Sentence:
    number: str
    """E7, or several in a row: G1-G11."""
    gist: str
    kind: str
    game: str
    paragraph: str
    proofs: tuple[str, ...]
    """Rulings of the rules page, and tests as `file::name`."""

    @property
    def tests(self) -> list[str]:
        return [proof for proof in self.proofs if "::" in proof]

    @property
    def rulings(self) -> list[str]:
        return [proof for proof in self.proofs if "::" not in proof]


@dataclass(frozen=True, slots=True)
class SentenceList:
    total: int
    """All sentences of the rule books, those that are not listed included."""
    numbers: tuple[str, ...]
    """The sentences that have to be listed."""
    sentences: tuple[Sentence, ...]


def read_sentences(text: str) -> SentenceList:
    total, files, found = 0, dict[str, str](), list[Sentence]()
    numbers: list[str] = []
    for line in filter(None, text.splitlines()):
        match line.split():
            case ["#", *_] | ["#"]:
                pass
            case ["total", count]:
                total = int(count)
            case ["numbers", *ranges]:
                numbers += [each for part in ranges for each in expand_range(part)]
            case ["file", name, path]:
                files[name] = path
            case _:
                found.append(_read_sentence(line, files))
    return SentenceList(total, tuple(numbers), tuple(found))


def _read_sentence(line: str, files: dict[str, str]) -> Sentence:
    number, gist, kind, where, proofs = (part.strip() for part in line.split("|"))
    game, paragraph = where.split()
    written = (re.sub(r"^\w+(?=::)", lambda name: files[name[0]], p) for p in proofs.split(", "))
    return Sentence(number, gist, kind, game, paragraph, tuple(written))


def expand_range(text: str) -> list[str]:
    """The numbers from E7 to E9 for `E7-E9`; a number alone for itself."""
    found = re.fullmatch(r"([A-Z])(\d+)(?:-\1(\d+))?", text)
    assert found, text
    book, first, last = found.groups()
    return [f"{book}{n}" for n in range(int(first), int(last or first) + 1)]


def main() -> None:
    listed = read_sentences(SENTENCES.read_text())
    for each in listed.sentences:
        print(f"{each.number:7} {each.kind:7} {each.game:10}{each.paragraph:5} {each.gist}")
        for proof in each.proofs:
            print(f"{'':31} {proof if '::' in proof else f'ruling {proof}'}")
    others = listed.total - len(listed.numbers)
    print(f"{len(listed.numbers)} sentences; the other {others} plainly work or ask for nothing.")


if __name__ == "__main__":
    main()
