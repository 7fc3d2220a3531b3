"""Examples of the documentation are true: Python runs, commands run, and what they name exists.

README has more of this in tests/test_readme.py.
"""

from __future__ import annotations

import doctest
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from kibitz.cli import main as cli
from support.docs.doc_pages import (
    DOCS,
    ROOT,
    Block,
    blocks,
    command_words,
    page_name,
    pages,
    without_comment,
)
from support.stored_matches import keep

PAGES = [page for page in pages() if page.name != "README.md"]
SKELETON = ROOT / "src/kibitz/cli/skeleton/README.md"
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
KIBITZ_PROGRAMS = ("kibitz", ".venv/bin/kibitz")
SHELLS = ("sh", "indented")

RUN_ELSEWHERE = {
    "docs/api.md": "tests/server/http/test_openapi.py",
    "docs/bots.md": "tests/bots/test_subprocess_bot.py",
}
"""Pages whose blocks in `python` and `sh` are no doctests, and the tests that run them."""
FILES_OF_OTHERS = {"ini": "hosting.md", "nginx": "hosting.md", "yaml": "hosting.md"}
"""Contents of files for other programs, which tests/server/http/test_nginx.py tries out."""
NO_COMMAND = re.compile(
    r'[{"]|KIBITZ_[A-Z_]+=|Authorization:|event:|msgid |1500 \+|core  <-|kalamala, default options'
)
"""Beginnings of indented blocks that nobody types: JSON, settings, headers, words, formulas."""

NOT_RUN = {
    "play": "serves until it is stopped: tests/server/test_serve.py starts it",
    "serve": "serves until it is stopped: tests/server/test_serve.py starts it",
    "terminal": "needs a terminal: tests/terminal plays in one",
    "migrate": "needs PostgreSQL: tests/cluster runs it",
    "arena levels": "plays for hours: tests/arena/test_levels.py runs it with quick bots",
}
"""Sub-commands that only have to be understood here."""
NOT_RUN_PAGES = {"docs/strength.md": "tests/arena/test_levels.py runs the commands it is made of"}
OTHER_PROGRAMS = {
    "sudo": "changes the machine",
    "journalctl": "needs systemd",
    "pip": "installs packages",
    "export": "is for the shell that reads it",
    "ray": "starts a cluster: tests/arena plays on one",
    "docker": "needs a daemon: tests/packaging/test_container.py looks at what it is given",
}
"""Programs that are not ours, and why they are not run."""
LESS = {
    "analyse": "--nodes 100",
    "arena": "-n 1 --workers 1",
    "bench": "--seconds 0.05",
    "report": "-n 2 --processes 1",
}
"""Arguments that make a sub-command do less of the same."""
INSTEAD = {
    " --nodes 100000": "",
    " --seconds 1 ": " --seconds 0.05 ",
    " --seconds 0.4": " --seconds 0.01",
    " --ray 10.0.0.5:6379": "",
    " --line 17": " --line 2",
    "abcdefghjkmn": "t0",
}
"""Arguments that need much time, a cluster, many games or a table of that name."""
EXIT_CODES = {"doctor": (0, 1)}
"""Others than 0 that are no failure: `doctor` warns of what a scratch folder lacks."""


def page_blocks(page: Path) -> list[Block]:
    return list(blocks(page.read_text(encoding="utf-8")))


def commands_of(page: Path) -> list[str]:
    """Lines that somebody types in a shell."""
    return [
        line
        for block in page_blocks(page)
        if block.kind in SHELLS
        if page_name(page) not in RUN_ELSEWHERE or block.kind != "sh"
        if not NO_COMMAND.match(block.text)
        for line in block.lines
    ]


def command_called(words: list[str]) -> tuple[str, Any]:
    """The name of the sub-command that these words call, and the command itself."""
    command: Any = typer.main.get_command(cli.app)
    names: list[str] = []
    while hasattr(command, "commands") and words and words[0] in command.commands:
        names.append(words.pop(0))
        command = command.commands[names[-1]]
    if names == ["arena"]:
        command = command.commands["play"]
    return " ".join(names), command


def unknown_words(line: str) -> list[str]:
    """The sub-command or the options in a line after `kibitz` that do not exist."""
    words = shlex.split(line.partition("|")[0])
    name, command = command_called(words)
    if not name and words and words[0].islower() and not words[0].startswith("-"):
        return [words[0]]
    known = {each for option in command.params for each in (*option.opts, *option.secondary_opts)}
    known |= {"--help", "-h"}
    options = [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]
    return [option for option in options if option not in known]


def named_commands(text: str) -> list[str]:
    """All that stands after `kibitz` in code, wherever that is."""
    inline = re.findall(r"`(?:[^`\n]*/)?kibitz ([^`]+)`", text)
    lines = [
        without_comment(found)
        for block in blocks(text)
        for found in re.findall(r"(?:^|[\s/])kibitz ((?:[a-z]|--help)[^'\n]*)", block.text, re.M)
    ]
    return [*inline, *lines]


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with everything that the commands of a page speak of."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KIBITZ_DATA", str(keep(tmp_path / "data")))
    record = {"kibitz": 1, "game": "kalamala", "rules": "1", "options": {}, "start": "start"}
    match = json.dumps({**record, "actions": ["@a1", "@b1", "resign A"], "result": "B"})
    (tmp_path / "match.json").write_text(match)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "my_bot.py").symlink_to(ROOT / "examples/my_bot.py")
    program = (ROOT / "examples/my_program.py").read_text(encoding="utf-8")
    (tmp_path / "engine").write_text(f"#!/usr/bin/env python3\n{program}")
    (tmp_path / "engine").chmod(0o755)
    return tmp_path


def check_command(line: str) -> None:
    """Run a line, or see that it could be run."""
    given, _, after = line.rpartition(" | ")
    for long, short in INSTEAD.items():
        after = after.replace(long, short)
    program, *words = command_words(after)
    if program in KIBITZ_PROGRAMS:
        assert unknown_words(shlex.join(words)) == [], line
        run_kibitz(words, "\n".join(command_words(given)[1:]))
    elif program == "make":
        assert re.search(rf"^{words[0]}:", MAKEFILE, re.MULTILINE), line
    elif program == ".venv/bin/python":
        assert (ROOT / words[0]).is_file(), line
    else:
        assert program in OTHER_PROGRAMS, line


def run_kibitz(words: list[str], given: str) -> None:
    rest = list(words)
    name, command = command_called(rest)
    if name in NOT_RUN:
        command.make_context(name, rest)
        return
    more = LESS.get(name, "").split()
    if "--seconds" in words:
        more = []
    done = CliRunner().invoke(cli.app, [*words, *more], input=given)
    assert done.exit_code in EXIT_CODES.get(name, (0,)), f"{shlex.join(words)}: {done.output}"


@pytest.mark.parametrize("page", [page for page in PAGES if commands_of(page)], ids=page_name)
def test_the_commands_of_a_page_run_one_after_another(page: Path, scratch: Path) -> None:
    for line in commands_of(page):
        if page_name(page) in NOT_RUN_PAGES:
            assert unknown_words(shlex.join(command_words(line)[1:])) == []
        else:
            check_command(line)


@pytest.mark.parametrize(
    "page", [page for page in PAGES if ">>> " in page.read_text("utf-8")], ids=page_name
)
def test_the_python_of_a_page_runs(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False)
    assert found.attempted > 4
    assert found.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_what_a_page_shows_is_printed(page: Path) -> None:
    for block in page_blocks(page):
        if block.kind == "text" and block.text.startswith("$ kibitz "):
            shown = "\n".join(block.lines[1:]) + "\n"
            assert CliRunner().invoke(cli.app, command_words(block.lines[0])[1:]).output == shown


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_no_block_of_a_page_is_left_out(page: Path) -> None:
    for block in page_blocks(page):
        if block.kind == "python":
            assert ">>> " in block.text or page_name(page) in RUN_ELSEWHERE, block.text
        elif block.kind == "text":
            assert block.text.startswith("$ kibitz "), block.text
        elif block.kind in FILES_OF_OTHERS:
            assert page.name == FILES_OF_OTHERS[block.kind], block.text
        else:
            assert block.kind in (*SHELLS, "toml"), block.text
    for test in RUN_ELSEWHERE.values():
        assert (ROOT / test).is_file()


@pytest.mark.parametrize("page", [*pages(), SKELETON], ids=page_name)
def test_every_command_that_is_named_exists_with_its_options(page: Path) -> None:
    for line in named_commands(page.read_text(encoding="utf-8")):
        assert unknown_words(line) == [], line


def test_commands_are_found_wherever_they_stand() -> None:
    text = """Run `kibitz serve --lan`.

    .venv/bin/kibitz doctor  # checks

```ini
ExecStart=/opt/.venv/bin/kibitz compile
```"""
    assert named_commands(text) == ["serve --lan", "doctor", "compile"]
    assert len(named_commands((DOCS / "hosting.md").read_text("utf-8"))) > 20


def test_a_command_that_does_not_exist_is_found() -> None:
    assert unknown_words("strength") == ["strength"]
    assert unknown_words("restore copy.zip --to 2026-05-01") == ["--to"]
    assert unknown_words("arena kalamala greedy random --gauntlet -n 2") == []
    assert unknown_words("arena levels kalamala --gauntlet") == ["--gauntlet"]
