"""The folders are the architecture: who may import whom."""

import ast
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from kibitz.games import GAMES
from kibitz.table.commands import COMMANDS
from kibitz.table.table import AGREE, ASK, BACK, CANCEL, DECLINE, FLAG

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
MAY_IMPORT = {
    "core": {"core"},
    "games": {"core", "games"},
    "i18n": {"core", "games", "i18n"},
    "table": {"core", "games", "table"},
    "bots": {"core", "games", "bots"},
    "arena": {"core", "games", "i18n", "table", "bots", "arena"},
    "analysis": {"core", "games", "i18n", "bots", "analysis"},
    "puzzles": {"core", "games", "bots", "puzzles"},
    "terminal": {"core", "games", "i18n", "table", "bots", "terminal"},
    "report": {"core", "games", "i18n", "table", "bots", "report"},
    "library": {"core", "games", "i18n", "table", "bots", "library"},
    "learn": {"core", "games", "library", "bots", "learn"},
    "dataset": {"core", "games", "i18n", "library", "learn", "arena", "dataset"},
    "cli": {"core", "games", "i18n"},
    "server": {"core", "games", "i18n", "table", "bots", "analysis", "puzzles", "server"},
}
"""Of the command, cli/, this holds for rules.py; the rest of it may import everything."""
SERVER = SOURCE / "kibitz" / "server"
SERVER_LAYERS = (
    {"db"},
    {"http"},
    {"tables"},
    {"accounts", "analysis", "companion"},
    {"puzzles"},
    {"pages", "api"},
    {"admin", "app", "socket_handover", "workers"},
    {"run"},
)
"""From the inside out, around the other modules of the server; parts of one layer do not import
each other."""
MODULES = sorted(
    each
    for each in SOURCE.glob("kibitz/*/**/*.py")
    if "cli" not in each.parts or each.name == "rules.py"
)
OUTSIDE = {"asyncio", "pathlib", "random", "secrets", "socket", "sqlite3", "subprocess", "time"}
"""Clocks, files, sockets and dice: none of them in core, games or table."""
LINKER = SOURCE / "kibitz" / "core" / "targets" / "build.py"
"""The builder of libraries has to run a linker; no game and no table is near it."""


def imported_names(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name their module in full"
            yield node.module or ""
            if node.module and node.module.startswith("kibitz"):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def drawn_columns(page: str) -> list[set[str]]:
    """The columns of the diagram of a page, from the inside out."""
    lines = re.search(r"^    core(?:.*\n)+?(?=\n)", (ROOT / page).read_text(), re.MULTILINE)
    assert lines
    return [set(re.findall(r"\w+", column)) for column in lines[0].split("<-")]


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_the_diagram_has_every_package_to_the_right_of_what_it_imports(page: str) -> None:
    columns = drawn_columns(page)
    assert sorted(name for column in columns for name in column) == sorted(MAY_IMPORT)
    for index, column in enumerate(columns):
        inner = {name for earlier in columns[:index] for name in earlier}
        assert all(MAY_IMPORT[name] - {name} <= inner for name in column)


def called_names(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(SOURCE)))
def test_imports_point_inwards(module: Path) -> None:
    layer = module.relative_to(SOURCE).parts[1]
    layers = {name.split(".")[1] for name in imported_names(module) if name.startswith("kibitz.")}
    assert layers <= MAY_IMPORT[layer]


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(SOURCE)))
def test_games_never_import_each_other(module: Path) -> None:
    parts = module.relative_to(SOURCE).parts
    if parts[1] != "games" or len(parts) < 4:
        return
    others = [n for n in imported_names(module) if n.startswith("kibitz.games")]
    assert all(name.split(".")[2:3] == [parts[2]] for name in others)


@pytest.mark.parametrize("module", MODULES, ids=lambda m: str(m.relative_to(SOURCE)))
def test_the_inner_layers_touch_nothing_outside(module: Path) -> None:
    """`Path` and `Random` appear as types, to be handed in or out."""
    parts = module.relative_to(SOURCE).parts
    if parts[1] in ("core", "games", "table") and module != LINKER:
        assert not (set(imported_names(module)) & (OUTSIDE - {"pathlib", "random"}))
        assert "open" not in set(called_names(module))


def server_part(name: str) -> tuple[int, str]:
    """The layer of a module of the server, and the package or module that it belongs to there."""
    part = name.removeprefix("kibitz.server").lstrip(".").partition(".")[0]
    layers = [n for n, parts in enumerate(SERVER_LAYERS, 1) if part in parts]
    return (layers[0], part) if layers else (0, "")


def outward_imports(module: Path) -> list[str]:
    """The imports of a module of the server that do not point inwards."""
    own = server_part(".".join(module.relative_to(SOURCE).with_suffix("").parts))
    names = [name for name in imported_names(module) if name.startswith("kibitz.server.")]
    return [n for n in names if server_part(n) != own and server_part(n)[0] >= own[0]]


@pytest.mark.parametrize(
    "module", sorted(SERVER.rglob("*.py")), ids=lambda m: str(m.relative_to(SERVER))
)
def test_the_server_has_inner_layers(module: Path) -> None:
    assert outward_imports(module) == []


@pytest.mark.parametrize(
    ("folder", "line"),
    [
        (".", "from kibitz.server.http.errors import HttpError"),
        ("http", "from kibitz.server.tables import protocol"),
        ("tables", "from kibitz.server import app"),
        ("accounts", "import kibitz.server.analysis.board"),
        ("api", "from kibitz.server.pages.home import home"),
    ],
)
def test_a_planted_import_is_seen(
    folder: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "SOURCE", tmp_path)
    module = tmp_path / "kibitz" / "server" / folder / "planted.py"
    module.parent.mkdir(parents=True)
    module.write_text(f"def late() -> None:\n    {line}\n")
    assert outward_imports(module)


PACKAGES = sorted(
    {each.parent for each in SERVER.parent.glob("*/__init__.py")}
    | {each.parent for each in SERVER.rglob("__init__.py")}
    | {SERVER.parent / "web"}
)
WITHOUT_LISTS = {"bots", "core", "games", "table"}
"""Packages whose README tells what may not happen in them: their modules are the same in every
game, or more than a README could list."""


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda each: str(each.relative_to(SERVER.parent)))
def test_every_package_has_a_readme_with_a_line_for_each_module(folder: Path) -> None:
    readme = (folder / "README.md").read_text()
    assert readme.startswith(f"# {folder.relative_to(SERVER.parent)}\n\n")
    modules = sorted(each.name for each in folder.glob("*.py") if each.name != "__init__.py")
    lines = re.findall(r"^- `(\w+\.py)`: \S", readme, re.MULTILINE)
    assert sorted(lines) == ([] if folder.name in WITHOUT_LISTS else modules)


GAMELESS = sorted(
    each
    for layer in ("core", "table", "web", "server")
    for each in (SOURCE / "kibitz" / layer).rglob("*")
    if each.suffix in {".py", ".js", ".css", ".html", ".md"}
)
"""What knows no game: everything about one is in its folder, or named by its extras."""
GAME_WORDS = re.compile(
    "kahmat|kalamala|kimble"  # their names
    "|in-?goal|tackl|captain|scrum|rugby"  # Kahmaté's
    "|superko"  # Kalamala's
    "|hembo|naksu|dome(?!s)|penalt|litre|quadruple|church|moral|drink"  # AS-Kimble's
    r"|(?m:^ *raises: )|\.raises\b",
    re.IGNORECASE,
)
"""Names of games, and words that only one game has; `raises` where it is a name."""
KINDS = re.compile("tackl|dome")
"""Kinds of marks, pieces and sounds: what a page or a drawing can do is listed by its kind, and
some kinds have the name that the first game to use them gave (docs/protocol.md)."""
KIND_LISTS = ("core/drawing.py", "core/mark_shapes.py", "web/static/board/", "web/static/lib/")


def words_of_a_game(file: Path) -> list[str]:
    """The words in a file that belong to one game."""
    found = [each.lower() for each in GAME_WORDS.findall(file.read_text())]
    has_kinds = file.relative_to(SOURCE / "kibitz").as_posix().startswith(KIND_LISTS)
    return [each for each in found if not (has_kinds and KINDS.match(each))]


@pytest.mark.parametrize("file", GAMELESS, ids=lambda file: str(file.relative_to(SOURCE)))
def test_what_is_for_every_game_knows_none(file: Path) -> None:
    assert words_of_a_game(file) == []


@pytest.mark.parametrize(
    "line",
    [
        '"""The penalties that each seat owed."""',
        "    litres: float",
        "    raises: int",
        "moral: tuple[Seat, ...]",
        "# The dome",
        "def owes_hembo() -> bool: ...",
    ],
)
def test_a_planted_word_of_a_game_is_seen(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "SOURCE", tmp_path)
    module = tmp_path / "kibitz" / "server" / "planted.py"
    module.parent.mkdir(parents=True)
    module.write_text(f'"""Reads a file; raises OSError."""\n{line}\n')
    assert len(words_of_a_game(module)) == 1


def test_the_page_about_games_has_the_words_of_tables() -> None:
    """An action cannot begin with them: a table would take it for a command."""
    page = (ROOT / "docs" / "adding-a-game.md").read_text()
    listed = page.split("An action must not begin with a word that tables use themselves: ")[1]
    words = re.findall(r"`([\w-]+)`", listed.split(".\n")[0])
    beside = {each.strip() for each in (AGREE, ASK, BACK, CANCEL, DECLINE, FLAG)}
    assert sorted(words) == sorted({*COMMANDS, *beside})


def test_what_extras_name_is_there_and_nothing_is_forgotten() -> None:
    named = {name for rulebook in GAMES.values() for name in rulebook.extras.values()}
    assert all(find_spec(name) for name in named)
    for package in ("report", "analysis", "bots", "puzzles"):
        games = {name.replace("-", "_") for name in GAMES}
        there = {each.stem for each in (SOURCE / "kibitz" / package).iterdir()} & games
        assert all(any(f"kibitz.{package}.{game}" in name for name in named) for game in there)
