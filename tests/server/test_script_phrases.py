"""The phrases that scripts say, collected from the scripts."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from kibitz.games import GAMES
from kibitz.i18n import LANGUAGES, template_in
from kibitz.server.assets import asset_path, bundle_script
from kibitz.server.http.templates import Templates
from kibitz.server.phrases import phrases_for
from kibitz.server.script_phrases import phrase_calls, phrase_keys
from kibitz.server.static_files import static_folders, template_folders

SCRIPTS = tuple(
    path.relative_to(folder).as_posix()
    for folder in static_folders()
    for path in folder.rglob("*.js")
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_of_the_scripts_is_in_the_catalogues(language: str) -> None:
    keys = {key for script in SCRIPTS for key in phrase_keys(script)}
    assert len(keys) > 300
    assert all(template_in(language, f"page.{key}") for key in keys)


def test_a_page_is_sent_what_its_scripts_say_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "toy.html").write_text(
        '{% from "art.html" import script with context %}{{ script("analysis/main.js") }}'
    )
    templates = Templates((tmp_path, *template_folders()), asset_path, phrase_keys)
    page = templates.page("toy.html", phrases_for("fi")).content
    found = re.search(r'id="words">(.*?)</script>', page)
    assert found
    sent = msgspec.json.decode(found[1], type=dict[str, str])
    (script,) = re.findall(r'src="/assets/\w+/([\w./-]+\.js)"', page)
    code = bundle_script(script)
    calls = re.findall(r"\bsay\(([^;]*)", code)
    assert len(sent) > 50
    assert [key for key in sent if not any(f'"{key}"' in each for each in calls)] == []
    assert set(re.findall(r'\bsay\("([\w-]+)"', code)) <= sent.keys()
    assert sent["menu"] == template_in("fi", "page.menu")


def test_every_page_whose_script_says_something_gets_its_phrases() -> None:
    """Those that name their script by `script(...)` do."""
    pages = [page for folder in template_folders() for page in folder.glob("*.html")]
    code = "".join(page.read_text("utf-8") for page in pages)
    plain = re.findall(r'src="{{ asset\("([\w./-]+\.js)"\) }}"', code)
    assert plain
    assert [path for path in plain if phrase_keys(path)] == []


def test_a_choice_between_phrases_names_them_all(toy: Path) -> None:
    toy.write_text(
        'say("a", { n: "not-this" });\n'
        'say(one ? "b" : "c");\n'
        'say({ x: "d", y: f("e", 1) }[which], { n: [2, "nor-this"] }) + "nor-that";\n'
        "function say(id) {}\n"
    )
    assert [*phrase_calls("toy.js")] == [("a",), ("b", "c"), ("d", "e")]


@pytest.mark.parametrize("call", ["say(word)", "say(`a-${word}`)", 'say(is ? "a" : `b-${c}`)'])
def test_a_phrase_that_is_not_named_is_refused(toy: Path, call: str) -> None:
    toy.write_text(f'\nshow({call}, "more");\n')
    with pytest.raises(ValueError, match=r"toy\.js:2"):
        list(phrase_calls("toy.js"))


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The script of a game, to be written."""
    monkeypatch.setitem(GAMES, "kalamala", replace(GAMES["kalamala"], web=tmp_path))
    return tmp_path / "toy.js"
