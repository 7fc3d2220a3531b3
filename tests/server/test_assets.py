"""One script and one sheet of many: all that is imported, once, and before it is needed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kibitz.server import assets, static_files
from kibitz.server.assets import asset_path, bundle_script, find_asset, sheets_of
from kibitz.server.static_files import script_modules, static_folders

Write = Callable[[str, str], None]


@pytest.fixture
def write(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Write:
    """Writes a file of another site than ours."""
    monkeypatch.setattr(static_files, "static_folders", lambda: (tmp_path,))

    def write_file(path: str, text: str) -> None:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    return write_file


def test_every_script_of_ours_can_be_bundled() -> None:
    scripts = [
        str(file.relative_to(folder))
        for folder in static_folders()
        for file in folder.rglob("*.js")
    ]
    assert len(scripts) > 80
    for script in scripts:
        code = bundle_script(script)
        assert not re.search(r"^(import|export)\b", code, re.M), script
        assert code.count("= (() => {") == len(script_modules(script)), script


def test_what_is_imported_comes_first_and_once(write: Write) -> None:
    write(
        "a/main.js",
        'import { one } from "../b/one.js";\nimport { two as zwei } from "./two.js";\none(zwei);\n',
    )
    write(
        "a/two.js",
        'import { one } from "../b/one.js";\n/** A note. */\nexport const two = one(2);\n',
    )
    write("b/one.js", "// A note.\nexport function one(n) {\n  return n; // stays\n}\n")
    one = "function one(n) {\n  return n; // stays\n}\n"
    assert bundle_script("a/main.js") == (
        f"const $b_one = (() => {{\n{one}return {{ one }};\n}})();\n"
        "const $a_two = (() => {\n"
        "const { one } = $b_one;\nconst two = one(2);\nreturn { two };\n})();\n"
        "{\nconst { one } = $b_one;\nconst { two: zwei } = $a_two;\none(zwei);\n}\n"
    )


def test_scripts_that_import_each_other_are_refused(write: Write) -> None:
    write("a.js", 'import { b } from "./b.js";\nexport const a = 1;\n')
    write("b.js", 'import { a } from "./a.js";\nexport const b = 1;\n')
    with pytest.raises(ValueError, match="imports itself"):
        bundle_script("a.js")


@pytest.mark.parametrize(
    "line", ["export default 1;", "export let n = 1;", 'import * as b from "./b.js";']
)
def test_other_ways_to_write_it_are_refused(write: Write, line: str) -> None:
    write("a.js", f'import {{ b }} from "./b.js";\n{line}\n')
    write("b.js", "export const b = 1;\n")
    with pytest.raises(ValueError, match=re.escape(f"a.js: {line}")):
        bundle_script("a.js")


def test_a_sheet_has_each_of_its_imports_once(write: Write) -> None:
    write("a.css", '/* A note. */\n@import "b/b.css";\n@import "b/c.css";\na { top: 0 }\n')
    write("b/b.css", '@import "c.css";\nb { top: 0 }\n')
    write("b/c.css", "c { top: 0 }\n")
    found = find_asset("a.css")
    assert found
    assert found.content.decode() == "c { top: 0 }\nb { top: 0 }\na { top: 0 }\n"


def test_every_page_has_the_colours_first() -> None:
    sheet = find_asset("table/main.css")
    assert sheet
    assert sheet.content.startswith(b":root{color-scheme:light;")
    assert sheets_of("table/main.css")[0] == assets.TOKENS


def test_another_content_has_another_address(write: Write) -> None:
    """A developer sees what they have changed at the next load."""
    write("changed.css", "a { top: 0 }\n")
    before = asset_path("changed.css")
    assert asset_path("changed.css") == before
    write("changed.css", "a { top: 1px }\n")
    assert asset_path("changed.css") != before
