"""One word for one thing: docs/glossary.md against the names in the code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from kibitz.server.db.schema import METADATA
from support.retired_words import RETIRED as RETIRED
from support.retired_words import python_names, quoted_names, retired_names, table_rows

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "kibitz"
PYTHON = sorted(SOURCE.rglob("*.py"))
BESIDE = [
    path
    for folder in ("tests", "tools", "bench", "examples")
    for path in sorted((ROOT / folder).rglob("*.py"))
]
"""Python that is not installed."""
SCRIPTS = sorted(SOURCE.rglob("*.js"))
IRREGULAR = {
    "told",
    "said",
    "found",
    "kept",
    "drawn",
    "chosen",
    "heard",
    "seen",
    "known",
    "gone",
    "went",
    "done",
    "made",
    "held",
    "met",
    "sent",
    "shown",
    "given",
    "taken",
    "lost",
    "meant",
    "built",
    "bound",
    "brought",
    "caught",
    "begun",
    "grown",
    "written",
    "spoken",
    "understood",
    "fallen",
    "felt",
    "dealt",
    "spent",
    "thought",
    "worn",
    "won",
    "sat",
}
"""Participles, and past tenses, that do not end in -ed."""
NO_PARTICIPLES = {"embed", "exceed", "feed", "need", "proceed", "seed", "speed", "succeed"}
RIDDLE = re.compile(r"(What|Who|Whoever|Whose|Whom|How|Whether|Likewise)\b")


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def is_participle(name: str) -> bool:
    if name.startswith("__"):
        return False  # Python named it.
    word = name.strip("_")
    return word in IRREGULAR or (
        re.fullmatch(r"[a-z]+ed", word) is not None and word not in NO_PARTICIPLES
    )


def participles(path: Path) -> set[str]:
    return {each.name for each in functions(path) if is_participle(each.name)}


def riddles(path: Path) -> list[str]:
    """The docstrings, those of attributes and constants too, that begin with a question."""
    nodes = ast.walk(ast.parse(path.read_text()))
    return [
        text
        for each in nodes
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)
        if isinstance(text := each.value.value, str) and RIDDLE.match(text.strip())
    ]


def test_no_retired_word_names_anything() -> None:
    found = {path: retired_names(path) for path in [*PYTHON, *BESIDE]}
    assert {path: words for path, words in found.items() if words} == {}


def test_no_function_is_named_by_a_bare_participle() -> None:
    found = {path: participles(path) for path in [*PYTHON, *BESIDE]}
    assert {path: names for path, names in found.items() if names} == {}


def test_docstrings_stand_alone() -> None:
    found = {path: riddles(path) for path in PYTHON}
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_every_name_of_the_glossary_is_there() -> None:
    paths = [str(path.relative_to(SOURCE)) for path in [*PYTHON, *SCRIPTS]]
    names = set().union(*(python_names(path) for path in PYTHON))
    lacking = [
        name
        for row in table_rows("The house")
        for name in quoted_names(row[2])
        if "<" not in name
        and not any(path.endswith(name) for path in paths)
        and name.rpartition(".")[2] not in names
    ]
    assert not lacking


def test_the_database_has_the_names_of_the_glossary() -> None:
    names = [name for row in table_rows("The house") for name in quoted_names(row[4])]
    known = {
        f"{table.name}.{column.name}" for table in METADATA.sorted_tables for column in table.c
    }
    assert {*names} <= known | {*METADATA.tables}


def test_a_word_stands_for_one_thing() -> None:
    words = [word.strip() for row in table_rows("The house") for word in row[0].split(",")]
    assert sorted(words) == sorted(set(words))


def test_planted_names_are_seen(tmp_path: Path) -> None:
    module = tmp_path / "desk.py"
    text = 'def told() -> None:\n    """What was said."""\n\nSight = 1\n"""How far."""\n'
    module.write_text(f"{text}HOUSE, Problem, problem = 1, 2, 3\nclass DeskLamp: is_keeper = 4\n")
    assert retired_names(module) == {"desk", "Sight", "HOUSE", "Problem", "DeskLamp", "is_keeper"}
    assert participles(module) == {"told"}
    assert sorted(riddles(module)) == ["How far.", "What was said."]
