"""Ids of messages that something says: read from code, templates, scripts and tutorials.

An id is written out, or put together: `f"report.length-{unit}"`. Some helpers take only what comes
after the dot: `say(f"as-kimble.{id}")` says whatever else is written in the same folder.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from kibitz.games import GAMES
from kibitz.i18n import TOLD_VARIANT, YOU_VARIANT
from support.languages.script_words import script_ids

SOURCE = Path(__file__).parents[3] / "src" / "kibitz"
GAP = "[\\w-]+"
MIN_LETTERS = 3
"""A pattern with fewer letters of its own could mean any id."""


VARIANTS = (YOU_VARIANT, TOLD_VARIANT, "-moment")
"""Endings of the ids of sentences that put, or head, another one in another way."""


def is_used(id: str) -> bool:
    base = next((id.removesuffix(each) for each in VARIANTS if id.endswith(each)), None)
    if base and is_used(base):
        return True
    speaker, _, name = id.partition(".")
    if id in _whole_ids() or any(pattern.fullmatch(id) for pattern in _whole_patterns()):
        return True
    for folder in _helper_folders().get(speaker, ()):
        texts, patterns = _texts(folder), _patterns(folder)
        if name in texts or any(pattern.fullmatch(name) for pattern in patterns):
            return True
    return False


@cache
def _whole_ids() -> frozenset[str]:
    return frozenset({*_texts(SOURCE), *_template_ids(), *script_ids(), *_tutorial_ids()})


@cache
def _whole_patterns() -> tuple[re.Pattern[str], ...]:
    written = {pattern for file in _files(SOURCE) for pattern in _file_patterns(file)}
    told = [each for each in (*written, *_template_patterns()) if _is_telling(each)]
    # Tutorials name what they say.
    return tuple(re.compile(each) for each in told if "learn" not in each)


@cache
def _helper_folders() -> dict[str, tuple[Path, ...]]:
    """By speaker, the folders with a function that puts the speaker before a name."""
    found: dict[str, set[Path]] = {}
    for file in _files(SOURCE):
        for pattern in _file_patterns(file):
            if helper := re.fullmatch(rf"([\w\\-]+)\\\.{re.escape(GAP)}", pattern):
                found.setdefault(helper[1].replace("\\", ""), set()).add(_package(file))
    return {speaker: tuple(sorted(folders)) for speaker, folders in found.items()}


def _package(file: Path) -> Path:
    """The folder of a game, or of a part of the server, to which a file belongs."""
    depth = 2 if file.relative_to(SOURCE).parts[0] in ("games", "server") else 1
    return SOURCE.joinpath(*file.relative_to(SOURCE).parts[:depth])


@cache
def _texts(folder: Path) -> frozenset[str]:
    return frozenset(text for file in _files(folder) for text in _file_texts(file))


@cache
def _patterns(folder: Path) -> tuple[re.Pattern[str], ...]:
    written = {pattern for file in _files(folder) for pattern in _file_patterns(file)}
    return tuple(re.compile(each) for each in written if _is_telling(f".{each}"))


def _is_telling(pattern: str) -> bool:
    """Enough of what comes after the dot is written out."""
    after = pattern.replace(GAP, "").rpartition(".")[2]
    return len(re.sub(r"[\W_]", "", after)) >= MIN_LETTERS


def _files(folder: Path) -> tuple[Path, ...]:
    files = [folder] if folder.is_file() else sorted(folder.rglob("*.py"))
    return tuple(file for file in files if "skeleton" not in file.parts)


@cache
def _tree(file: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(file.read_text("utf-8"))))


@cache
def _file_texts(file: Path) -> frozenset[str]:
    """Strings of the code."""
    return frozenset(
        node.value
        for node in _tree(file)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


@cache
def _file_patterns(file: Path) -> frozenset[str]:
    return frozenset(
        "".join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else GAP
            for part in node.values
        )
        for node in _tree(file)
        if isinstance(node, ast.JoinedStr)
    )


def _template_ids() -> Iterator[str]:
    for file in SOURCE.rglob("*.html"):
        yield from re.findall(r"""["']([a-z_-]+\.[\w-]+)["']""", file.read_text("utf-8"))


def _template_patterns() -> Iterator[str]:
    for file in SOURCE.rglob("*.html"):
        text = file.read_text("utf-8")
        for start in re.findall(r"""["']([a-z_-]+\.[\w-]*-)["'] *~""", text):
            yield re.escape(start) + GAP
        for end in re.findall(r"""~ *["'](\.[\w-]*\w)["']""", text):
            yield GAP + re.escape(end)


def _tutorial_ids() -> Iterator[str]:
    for name, rulebook in GAMES.items():
        file = rulebook.words.parent / "tutorial.toml"
        for step in tomllib.loads(file.read_text("utf-8"))["steps"]:
            yield from (f"{name}.learn-{step['id']}{end}" for end in ("-title", "", "-done"))
