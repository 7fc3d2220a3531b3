"""Catalogues as people write them, `.po`, for gettext.

A wheel has ours compiled (hatch_build.py). A checkout and the packages of other games have them
only like this.
"""

from __future__ import annotations

import re
from gettext import NullTranslations, c2py

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_STRINGS = rf"{_STRING}(?:\s+{_STRING})*\s*"
_FORM = rf"msgstr(?:\[\d\])?\s+{_STRINGS}"
_ENTRY = re.compile(
    rf"^((?:#.*\n)*)msgid\s+({_STRINGS})(?:msgid_plural\s+{_STRINGS})?((?:{_FORM})+)", re.MULTILINE
)
_COMMENT = re.compile(r"^\s*(#.*)?$")
_FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)
_PLURAL = re.compile(r"^Plural-Forms:.*\bplural=([^;]+)", re.MULTILINE)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


class PoCatalogue(NullTranslations):
    """The sentences of a catalogue; what is fuzzy or not translated is not there."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._forms = read_forms(text)
        rule = _PLURAL.search("".join(self._forms.pop("", ())))
        self._plural_index = c2py(rule[1] if rule else "n != 1")

    def gettext(self, message: str) -> str:
        return self.ngettext(message, message, 1)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        forms = self._forms.get(msgid1)
        return forms[min(self._plural_index(n), len(forms) - 1)] if forms else msgid1


def read_forms(text: str) -> dict[str, tuple[str, ...]]:
    """The forms of every message, by its id."""
    found = {}
    for comments, id, strings in _ENTRY.findall(text):
        forms = tuple(map(_unquote, re.findall(_FORM, strings)))
        if all(forms) and not _FUZZY.search(comments):
            found[_unquote(id)] = forms
    return found


def stray_lines(text: str) -> list[str]:
    """The lines that are no part of an entry, as after a quotation mark that is missing."""
    return [line for line in _ENTRY.sub("", text).splitlines() if not _COMMENT.match(line)]


def _unquote(strings: str) -> str:
    """The text of strings, which can go over several lines."""
    text = "".join(each[1:-1] for each in re.findall(_STRING, strings))
    return re.sub(r"\\(.)", lambda escaped: _ESCAPES.get(escaped[1], escaped[1]), text)
