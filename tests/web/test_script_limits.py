"""Names and limits of the page's scripts and sheets: those that hold for Python, too."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kibitz.server.static_files import static_folders
from support.script_names import (
    function_lengths,
    function_names,
    number_names,
    public_methods,
    words_of,
)
from test_glossary import RETIRED, is_participle
from test_house_limits import MAX_FUNCTION_LINES, MAX_MODULES, MAX_PUBLIC_METHODS

SCRIPTS = [path for folder in static_folders() for path in sorted(folder.rglob("*.js"))]
SHEETS = [path for folder in static_folders() for path in sorted(folder.rglob("*.css"))]
UNITS = {"MS", "S", "PX", "STATUS", "CODE", "SHARE", "RATE", "FACTOR", "GAIN", "VERSION", "CHAR"}
"""The last word of a number's name, unless it counts things: then that is a plural."""
SOUNDS = {"lost", "refused", "won"}
"""Recipes of sounds are named as events name these."""
RETIRED_WORDS = {tuple(word.split("_")) for word in RETIRED if word == word.lower()}
"""Those that were retired as words, also inside of names; others name no class any more."""


def long_functions(path: Path) -> Iterator[str]:
    for name, lines in function_lengths(path):
        if lines > MAX_FUNCTION_LINES:
            yield f"{path.name}: {name} has {lines} lines"


def wide_classes(path: Path) -> Iterator[str]:
    for name, methods in public_methods(path).items():
        if len(methods) > MAX_PUBLIC_METHODS:
            yield f"{path.name}: {name} has {len(methods)} public methods"


def full_folders(root: Path) -> Iterator[str]:
    for folder in (root, *(each for each in root.rglob("*") if each.is_dir())):
        if (count := len(list(folder.glob("*.js")))) > MAX_MODULES:
            yield f"{folder.name}: {count} scripts"


def participles(path: Path) -> list[str]:
    sounds = SOUNDS if path.name == "synth.js" else set()
    return sorted(name for name in function_names(path) - sounds if is_participle(name))


def numbers_without_units(path: Path) -> list[str]:
    """A plural counts something; `PRESS` is none."""
    return sorted(
        name
        for name in number_names(path)
        if (last := name.rpartition("_")[2]) not in UNITS
        and (not last.endswith("S") or last.endswith("SS"))
    )


def retired_names(path: Path) -> list[str]:
    return sorted(
        name
        for name, words in words_of(path).items()
        if name in RETIRED or any(_holds(words, retired) for retired in RETIRED_WORDS)
    )


def _holds(words: tuple[str, ...], retired: tuple[str, ...]) -> bool:
    """Whether the retired words stand side by side, the last perhaps as a plural."""
    plural = (*retired[:-1], retired[-1] + "s")
    size = len(retired)
    parts = [words[at : at + size] for at in range(len(words) - size + 1)]
    return retired in parts or plural in parts


def test_no_function_is_too_long() -> None:
    assert [each for path in SCRIPTS for each in long_functions(path)] == []


def test_no_class_does_too_much() -> None:
    assert [each for path in SCRIPTS for each in wide_classes(path)] == []


def test_no_folder_holds_too_many_scripts() -> None:
    assert [each for folder in static_folders() for each in full_folders(folder)] == []


def test_no_function_is_named_by_a_bare_participle() -> None:
    found = {path.name: participles(path) for path in SCRIPTS}
    assert {name: names for name, names in found.items() if names} == {}


def test_a_number_says_its_unit_or_what_it_counts() -> None:
    found = {path.name: numbers_without_units(path) for path in SCRIPTS}
    assert {name: names for name, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "path", [*SCRIPTS, *SHEETS], ids=lambda path: f"{path.parent.name}-{path.name}"
)
def test_no_retired_word_is_part_of_a_name(path: Path) -> None:
    assert retired_names(path) == []


def test_planted_faults_are_seen(tmp_path: Path) -> None:
    body = "  // Nothing.\n" * (MAX_FUNCTION_LINES - 1)
    getters = "".join(f"  get part{n}() {{ return {n}; }}\n" for n in range(MAX_PUBLIC_METHODS))
    script = tmp_path / "script.js"
    script.write_text(
        "const PAUSE = 100;\nconst PAUSE_MS = 100;\nconst [TABLES, WAIT] = [3, 5];\n"
        "const PRESS = 60 * PAUSE;\n"
        f"export function giant(board, {{ one = 1 }}) {{\n{body}}}\n"
        f"each((one) => {{\n{body}}});\n"
        f"function small() {{\n}}\n"
        f"class Wide {{\n  static #own() {{}}\n  constructor() {{}}\n{getters}"
        "  async chosen() {\n  }\n  #kept() {\n  }\n}\n"
        'export const MANNERS = { told: (text) => say("desk"), hold: () => 1 }; // kept()\n'
        "const drawCourtesy = 1;\nif (told) {\n}\nclass Told {\n}\n"
    )
    sheet = tmp_path / "sheet.css"
    sheet.write_text("/* .desk */ .company, .old-watchers:hover { color: var(--paper) }\n")
    assert list(long_functions(script)) == [
        "script.js: giant has 81 lines",
        "script.js: each((one) has 81 lines",
    ]
    assert list(wide_classes(script)) == ["script.js: Wide has 26 public methods"]
    assert participles(script) == ["chosen", "kept", "told"]
    assert numbers_without_units(script) == ["PAUSE", "PRESS", "WAIT"]
    assert retired_names(script) == ["MANNERS", "Told", "drawCourtesy"]
    assert retired_names(sheet) == ["company", "old-watchers"]
    for number in range(MAX_MODULES):
        (tmp_path / f"script{number}.js").touch()
    assert list(full_folders(tmp_path)) == [f"{tmp_path.name}: 26 scripts"]
