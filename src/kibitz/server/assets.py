"""Assets: static files as pages load them, of scripts and sheets one for each page, with all that
they import.

Our scripts are modules that import each other by relative addresses, one name by one, and export
functions, classes and constants alone. So a module is a function that returns what it exports, and
what it imports is taken from those before it. Nothing else is needed to make one file of many, and
the files themselves stay what a browser can load.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import NamedTuple

from kibitz.core.colours import DARK, LIGHT
from kibitz.server.static_files import script_modules, static_file

TOKENS = "tokens.css"
"""The sheet that is made of the table of colours."""
_IMPORT = re.compile(r'^import (?:\{ ([^}]*) \} from )?"([^"]+)";\n', re.M)
_PASSED_ON = re.compile(r'^export \{ ([^}]*) \} from "([^"]+)";\n', re.M)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.M)
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*.*?\*/)\n", re.M | re.S)
_SHEET_COMMENT = re.compile(r"/\*.*?\*/\n?", re.S)
_SHEET = re.compile(r'^@import "([^"]+)";\n', re.M)


class Asset(NamedTuple):
    content: bytes
    digest: str


def find_asset(path: str) -> Asset | None:
    """The asset made of the file at a path below `/static`; None where there is none."""
    file = static_file(path)
    if file is None:
        return None
    parts: tuple[str, ...] = (path,)
    if file.suffix == ".js":
        parts = (*script_modules(path), path)
    elif file.suffix == ".css":
        parts = sheets_of(path)
    return _make_asset(path, tuple(_changed_at(each) for each in parts))


def asset_path(path: str) -> str:
    """The address of an asset: another one as soon as anything in it has changed."""
    made = find_asset(path)
    assert made is not None, path
    return f"/assets/{made.digest}/{path}"


@lru_cache(maxsize=64)
def _make_asset(path: str, _changes: tuple[int, ...]) -> Asset:
    if path.endswith(".js"):
        content = bundle_script(path).encode()
    elif path.endswith(".css"):
        content = _bundle_sheets(path).encode()
    else:
        content = _file(path).read_bytes()
    return Asset(content, sha256(content).hexdigest()[:16])


def _changed_at(path: str) -> int:
    return 0 if path == TOKENS else _file(path).stat().st_mtime_ns


def bundle_script(path: str) -> str:
    """A script with all that it imports, each module after those it imports itself.

    Raises ValueError for an import or export that is written in another way.
    """
    *imported, _ = _in_order(path)
    return "".join(map(_module_function, imported)) + "{\n" + _inner_code(path)[0] + "}\n"


def _module_function(path: str) -> str:
    code, names = _inner_code(path)
    return f"const {_variable(path)} = (() => {{\n{code}return {{ {', '.join(names)} }};\n}})();\n"


def _inner_code(path: str) -> tuple[str, list[str]]:
    """The code of a module with its imports taken from variables, and the names it exports."""
    code = _file(path).read_text("utf-8")
    names = [*_EXPORT.findall(code)]
    for passed, _ in _PASSED_ON.findall(code):
        names += passed.split(", ")

    def take(found: re.Match[str]) -> str:
        parts = (found[1] or "").replace(" as ", ": ")
        return (
            f"const {{ {parts} }} = {_variable(_imported_path(path, found[2]))};\n" if parts else ""
        )

    code = _EXPORT.sub("", _IMPORT.sub(take, _PASSED_ON.sub(take, code)))
    if left := re.search(r"^(?:import|export)\b.*", code, re.M):
        raise ValueError(f"{path}: {left[0]}")
    return _without_comments(code), names


def _without_comments(code: str) -> str:
    """The code without comments that have lines of their own."""
    return _COMMENT.sub("", code)


def _in_order(path: str) -> list[str]:
    """A script and all that it imports, what is imported first. Raises ValueError at a circle."""
    done: list[str] = []

    def visit(here: str, above: tuple[str, ...]) -> None:
        if here in above:
            raise ValueError(f"{here} imports itself: {' > '.join(above)}")
        code = _file(here).read_text("utf-8")
        for pattern in (_IMPORT, _PASSED_ON):
            for _, address in pattern.findall(code):
                if (each := _imported_path(here, address)) not in done:
                    visit(each, (*above, here))
        if here not in done:
            done.append(here)

    visit(path, ())
    return done


def _imported_path(path: str, address: str) -> str:
    return normpath(join(dirname(path), address))


def _variable(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _file(path: str) -> Path:
    file = static_file(path)
    if file is None:
        raise ValueError(f"there is no {path}")
    return file


@lru_cache
def sheets_of(path: str) -> tuple[str, ...]:
    """A sheet and all that it imports, in the order in which they count."""
    if path == TOKENS:
        return (path,)
    imported = [
        _imported_path(path, each) for each in _SHEET.findall(_file(path).read_text("utf-8"))
    ]
    return (*(sheet for each in imported for sheet in sheets_of(each)), path)


def _bundle_sheets(path: str) -> str:
    """Each sheet once, where it is met first."""
    texts = (
        tokens_css() if each == TOKENS else _SHEET.sub("", _file(each).read_text("utf-8"))
        for each in dict.fromkeys(sheets_of(path))
    )
    return _SHEET_COMMENT.sub("", "".join(texts))


def tokens_css() -> str:
    """The colours of both themes; a class on the root element outweighs the system's wish.

    Paper is always light.
    """
    light = "".join(f"--{name}:{colour};" for name, colour in LIGHT.items())
    dark = "".join(f"--{name}:{colour};" for name, colour in DARK.items() if LIGHT[name] != colour)
    return (
        f":root{{color-scheme:light;{light}}}\n"
        "@media screen and (prefers-color-scheme: dark){"
        f":root:not(.light){{color-scheme:dark;{dark}}}}}\n"
        f"@media screen{{:root.dark{{color-scheme:dark;{dark}}}}}\n"
    )
