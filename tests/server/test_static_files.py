"""Static files and templates in several folders, as if they were one."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from kibitz.games import GAMES
from kibitz.server.assets import asset_path
from kibitz.server.http.templates import Templates
from kibitz.server.phrases import phrases_for
from kibitz.server.script_phrases import phrase_keys
from kibitz.server.static_files import script_modules, static_file, static_folders, template_folders


def paths_in(folders: tuple[Path, ...]) -> list[str]:
    return [
        file.relative_to(folder).as_posix()
        for folder in folders
        for file in folder.rglob("*")
        if file.is_file()
    ]


@pytest.mark.parametrize("folders", [static_folders(), template_folders()], ids=["web", "html"])
def test_no_two_folders_hold_the_same_path(folders: tuple[Path, ...]) -> None:
    counted = Counter(paths_in(folders))
    assert counted
    assert [path for path, n in counted.items() if n > 1] == []


def test_every_import_of_a_script_leads_to_a_file() -> None:
    """By a relative address: nothing else works when the site is under a path."""
    for script in (path for path in paths_in(static_folders()) if path.endswith(".js")):
        file = static_file(script)
        assert file
        for imported in re.findall(r'\b(?:from|import) "([^"]+)"', file.read_text("utf-8")):
            assert imported.startswith("."), (script, imported)
            assert static_file(normpath(join(dirname(script), imported))), (script, imported)


def test_every_address_in_a_template_leads_to_a_file() -> None:
    pages = [page for folder in template_folders() for page in folder.glob("*.html")]
    code = "".join(page.read_text("utf-8") for page in pages)
    addresses = re.findall(r'{{ root }}/static/([\w./-]+)"', code)
    addresses += re.findall(r'(?:script|asset)\("([^"]+)"\)', code)
    assert len(addresses) > 30
    assert [address for address in addresses if not static_file(address)] == []


def test_a_game_brings_pages_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    web, templates = tmp_path / "web", tmp_path / "templates"
    (web / "toy").mkdir(parents=True)
    templates.mkdir()
    (web / "toy/main.js").write_text('import { part } from "./part.js";\n')
    (web / "toy/part.js").write_text("export const part = 1;\n")
    (templates / "problem.html").write_text("not ours")
    (tmp_path / "secret").write_text("not served")
    game = GAMES["kalamala"]
    monkeypatch.setitem(GAMES, "kalamala", replace(game, web=web, templates=templates))
    assert static_file("toy/main.js") == (web / "toy/main.js").resolve()
    assert static_file("../secret") is None
    assert static_file("toy") is None
    assert script_modules("toy/main.js") == ("toy/part.js",)
    page = Templates(template_folders(), asset_path, phrase_keys).page(
        "problem.html", phrases_for("en"), status=404, title="Nowhere", sentence="Nothing is here."
    )
    assert page.content.lstrip().startswith("<!doctype html>"), "ours come first"


@pytest.mark.parametrize(
    "template",
    [each for folder in template_folders() for each in sorted(folder.glob("*.html"))],
    ids=lambda template: template.name,
)
def test_every_link_of_a_page_begins_with_the_path_of_the_server(template: Path) -> None:
    links = re.findall(r'\s(?:href|src|(?:form)?action|data-[a-z-]+)="/[^"]*', template.read_text())
    assert links == []
