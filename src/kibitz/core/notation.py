"""Texts read and written by one table: templates with fields, and a class for each.

A template is `{team} raise g{goal}`. Each field has the codec of its own name, or the one named
after a colon: `{origin:square}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from string import Formatter
from typing import Any, NamedTuple

from kibitz.core.message import Refused, message

MAX_CACHED_ACTIONS = 1 << 10
"""So many texts of actions a game has at hand, read: each is read several times when it is sent,
and most are sent at many tables."""
MAX_DIGITS = 4000
"""More than anybody will count to, and few enough for Python to read."""


class Codec(NamedTuple):
    pattern: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str


class Template:
    def __init__(self, text: str, kind: type[Any], codecs: Mapping[str, Codec]) -> None:
        self.kind, self.readers, self.writers = kind, {}, []
        pattern, self.text = "", ""
        for literal, name, codec, _ in Formatter().parse(text):
            pattern += re.escape(literal)
            self.text += literal
            if name:
                used = codecs[codec or name]
                pattern += f"(?P<{name}>{used.pattern})"
                self.text += "{}"
                self.readers[name] = used.read
                self.writers.append((name, used.write))
        self.pattern = re.compile(pattern)

    def write(self, value: Any) -> str:
        return self.text.format(*[write(getattr(value, name)) for name, write in self.writers])

    def read(self, text: str) -> Any | None:
        """The value that this text stands for; None where it is another text."""
        if not (found := self.pattern.fullmatch(text)):
            return None
        return self.kind(**{name: read(found[name]) for name, read in self.readers.items()})


class TemplateTable:
    """The texts of several classes of values."""

    def __init__(self, codecs: Mapping[str, Codec], templates: Mapping[str, type[Any]]) -> None:
        self._templates = [Template(text, kind, codecs) for text, kind in templates.items()]
        self._by_kind = {each.kind: each for each in reversed(self._templates)}

    def write(self, value: Any) -> str:
        """The text by the first template of the value's class."""
        return self._by_kind[type(value)].write(value)

    def read(self, text: str) -> Any | None:
        found = (each.read(text) for each in self._templates)
        return next((each for each in found if each is not None), None)


def split_fields(text: str, count: int, id: str, paragraph: str) -> list[str]:
    """The fields of a position, refused by this id where they are not so many."""
    fields = text.split(" ")
    if len(fields) != count:
        raise Refused(message(id, paragraph, n=len(fields)))
    return fields


def match_text(pattern: str, text: str, id: str, paragraph: str, **values: str) -> re.Match[str]:
    """A match of all of a text, which is refused by this id where there is none."""
    found = re.fullmatch(pattern, text)
    if not found or len(text) > MAX_DIGITS:
        raise Refused(message(id, paragraph, **values, text=text[:60]))
    return found
