"""The folders are the architecture: who may import whom."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
MAY_IMPORT = {
    "core": {"core"},
    "games": {"core", "games"},
    "i18n": {"core", "games", "i18n"},
    "table": {"core", "games", "table"},
    "bots": {"core", "games", "bots"},
    "arena": {"core", "games", "i18n", "table", "bots", "arena"},
    "analysis": {"core", "games", "i18n", "bots", "analysis"},
    "terminal": {"core", "games", "i18n", "table", "bots", "terminal"},
    "report": {"core", "games", "i18n", "table", "bots", "report"},
    "server": {"core", "games", "i18n", "table", "bots", "analysis", "server"},
}
"""The command itself, cli.py, may import everything."""
MODULES = sorted(SOURCE.glob("kibitz/*/**/*.py")) + sorted(SOURCE.glob("kibitz/cli/rules.py"))
OUTSIDE = {"asyncio", "pathlib", "random", "secrets", "socket", "sqlite3", "subprocess", "time"}
"""Clocks, files, sockets and dice: none of them in core, games or table."""


def imported(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name their module in full"
            yield node.module or ""
            if node.module == "kibitz":
                yield from (f"kibitz.{alias.name}" for alias in node.names)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def called(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(SOURCE)))
def test_imports_point_inwards(module: Path) -> None:
    layer = module.relative_to(SOURCE).parts[1]
    layers = {name.split(".")[1] for name in imported(module) if name.startswith("kibitz.")}
    assert layers <= MAY_IMPORT[layer]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(SOURCE)))
def test_games_never_import_each_other(module: Path) -> None:
    parts = module.relative_to(SOURCE).parts
    if parts[1] != "games" or len(parts) < 4:
        return
    others = [n for n in imported(module) if n.startswith("kibitz.games")]
    assert all(name.split(".")[2:3] == [parts[2]] for name in others)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(SOURCE)))
def test_the_inner_layers_touch_nothing_outside(module: Path) -> None:
    """`Path` and `Random` appear as types, to be handed in or out."""
    parts = module.relative_to(SOURCE).parts
    if parts[1] in ("core", "games", "table"):
        assert not (set(imported(module)) & (OUTSIDE - {"pathlib", "random"}))
        assert "open" not in set(called(module))
