"""Limits to the size of functions, classes and folders: beyond them a thing is several things."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "kibitz"
FOLDERS = (SOURCE, *(ROOT / name for name in ("tests", "tools", "bench", "examples")))
MODULES = [path for folder in FOLDERS for path in sorted(folder.rglob("*.py"))]
MAX_FUNCTION_LINES = 80
MAX_PUBLIC_METHODS = 25
MAX_MODULES = 25
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def long_functions(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, FUNCTIONS):
            lines = (node.end_lineno or 0) - node.lineno + 1
            if lines > MAX_FUNCTION_LINES:
                yield f"{path}: {node.name} has {lines} lines"


def wide_classes(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ClassDef):
            methods = [each.name for each in node.body if isinstance(each, FUNCTIONS)]
            public = [name for name in methods if not name.startswith("_")]
            if len(public) > MAX_PUBLIC_METHODS:
                yield f"{path}: {node.name} has {len(public)} public methods"


def full_folders(root: Path) -> Iterator[str]:
    for folder in (root, *(each for each in root.rglob("*") if each.is_dir())):
        modules = [each for each in folder.glob("*.py") if each.name != "__init__.py"]
        if len(modules) > MAX_MODULES:
            yield f"{folder}: {len(modules)} modules"


def test_no_function_is_too_long() -> None:
    assert [each for path in MODULES for each in long_functions(path)] == []


def test_no_class_does_too_much() -> None:
    """Of those that are installed: a test's person at a page does one thing by each method."""
    installed = sorted(SOURCE.rglob("*.py"))
    assert [each for path in installed for each in wide_classes(path)] == []


def test_no_folder_holds_too_many_modules() -> None:
    assert [each for folder in FOLDERS for each in full_folders(folder)] == []


def test_planted_giants_are_seen(tmp_path: Path) -> None:
    module = tmp_path / "module_0.py"
    lines = ["    pass"] * MAX_FUNCTION_LINES
    methods = [f"    def method_{n}(self): ..." for n in range(MAX_PUBLIC_METHODS + 1)]
    module.write_text("\n".join(["def giant():", *lines, "class Wide:", *methods, ""]))
    for number in range(1, MAX_MODULES + 1):
        (tmp_path / f"module_{number}.py").touch()
    assert list(long_functions(module)) == [f"{module}: giant has 81 lines"]
    assert list(wide_classes(module)) == [f"{module}: Wide has 26 public methods"]
    assert list(full_folders(tmp_path)) == [f"{tmp_path}: 26 modules"]
