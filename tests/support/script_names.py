"""Names and functions of the page's scripts and sheets, as text: the formatter keeps their shape.

A function that does not end on its line ends at the first line that is indented as it is and
begins with a brace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_FUNCTION = re.compile(r"^ *(?:export )?(?:async )?function\*? (\w+)\(", re.M)
_METHOD = re.compile(
    r"^ +(?:static |async |get |set |\*)*(#?[A-Za-z_]\w*)\([^;\n]*\) \{[^\n]*$", re.M
)
_ARROW = re.compile(r"\b([A-Za-z_]\w*)(?: =|:) (?:async )?(?:\([^()]*\)|\w+) =>")
_HANDLER = re.compile(r"^ *(\S.*) => \{$", re.M)
_CLASS = re.compile(r"^(?:export )?class (\w+)[^{\n]*\{\n(.*?)^\}", re.M | re.S)
_NUMBERS = r"-?[\d.]+(?:e\d+)?(?: [*/+-] [\w.]+)*|[A-Z]\w+ [*/+-] [\w.]+(?: [*/+-] [\w.]+)*"
_NUMBER = re.compile(rf"^ *(?:export )?const ([A-Z][A-Z\d_]*) = (?:{_NUMBERS});$", re.M)
_LIST = re.compile(r"^ *(?:export )?const \[?([A-Z][A-Z\d_, ]+)\]? = \[[\d., */+-]+\];$", re.M)
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_CSS_NAME = re.compile(r"[.#](-?[A-Za-z_][\w-]*)|(--[\w-]+)|@keyframes ([\w-]+)")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_NO_FUNCTIONS = {"if", "for", "while", "switch", "catch", "return", "super"}


def code_of(path: Path) -> str:
    """What is neither comment nor text, line for line as in the file."""

    def blank(found: re.Match[str]) -> str:
        text = re.sub(r"[^\n]", " ", found[0])
        return text if found[0].startswith("/") else f'"{text[1:-1]}"'

    return _NOT_CODE.sub(blank, path.read_text("utf-8"))


def function_names(path: Path) -> set[str]:
    """Functions, methods, getters, and what is an arrow function under a name."""
    code = code_of(path)
    found = {name for each in (_FUNCTION, _METHOD, _ARROW) for name in each.findall(code)}
    return {name.lstrip("#") for name in found - _NO_FUNCTIONS}


def function_lengths(path: Path) -> Iterator[tuple[str, int]]:
    """The functions that have a block of lines, handlers by their first lines; each with the number
    of its lines."""
    code = code_of(path)
    for pattern in (_FUNCTION, _METHOD, _HANDLER):
        for found in pattern.finditer(code):
            if found[1] not in _NO_FUNCTIONS:
                yield found[1], _length(code[found.start() :].split("\n"))


def _length(lines: list[str]) -> int:
    indent = len(lines[0]) - len(lines[0].lstrip())
    for number, line in enumerate(lines, 1):
        is_outside = len(line) - len(line.lstrip()) == indent and line.strip()
        if is_outside and line.lstrip().startswith("}") and not line.endswith("{"):
            return number
        if number == 1 and line.endswith(("}", "},", "};")):
            return 1
    return len(lines)


def public_methods(path: Path) -> dict[str, set[str]]:
    """By the name of each class its methods, getters and functions kept as fields."""
    found = {}
    for name, body in _CLASS.findall(code_of(path)):
        members = re.compile(
            r"^  (?:static |async |get |set |\*)*([A-Za-z_]\w*)(?:\(| = (?:async )?\([^()]*\) =>)",
            re.M,
        )
        found[name] = set(members.findall(body)) - {"constructor"}
    return found


def number_names(path: Path) -> set[str]:
    """The constants that hold numbers."""
    code = code_of(path)
    lists = (name for names in _LIST.findall(code) for name in names.split(", "))
    return {*_NUMBER.findall(code), *lists}


def words_of(path: Path) -> dict[str, tuple[str, ...]]:
    """The names in a script or a sheet, each as its words in small letters."""
    if path.suffix == ".css":
        text = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.S)
        names = {"".join(found) for found in _CSS_NAME.findall(text)}
    else:
        names = {*_NAME.findall(code_of(path))}
    names |= {path.stem, path.parent.name}
    return {name: tuple(word.lower() for word in _WORD.findall(name)) for name in names}
