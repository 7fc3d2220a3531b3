"""What the book writes by itself, where it has no board, says so at its end: `(R 7.2)`.

That is who did it and the paragraph it rests on. People are told the words before it; the rest lets
the book be counted afterwards, whatever language it was kept in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

EATING, MINE, RAISING, CALL, DEADLINE, WINNING = "7.2", "7.3", "9.2", "10.2", "10.3", "13"
"""The paragraphs that entries rest on."""
_TAG = re.compile(r" ?\(([RBYG]) (7\.2|7\.3|9\.2|10\.2|10\.3|13)\)$")


@dataclass(frozen=True, slots=True)
class TaggedText:
    text: str
    """What is told of it."""
    team: str
    paragraph: str

    @property
    def tag(self) -> str:
        return f"{self.team} {self.paragraph}"


def read_tag(written: str) -> TaggedText | None:
    """None for what somebody wrote in their own words."""
    found = _TAG.search(written)
    return TaggedText(written[: found.start()], found[1], found[2]) if found else None


def write_tag(text: str, team: str, paragraph: str) -> str:
    return f"{text} ({team} {paragraph})"
