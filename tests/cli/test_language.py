"""The language of commands: chosen, or that of the system."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from kibitz.cli import main as cli
from kibitz.core.message import Message, Refused, message
from kibitz.i18n import LANGUAGES, say_in
from kibitz.i18n.shell import checked_language, shell_language

Command: TypeAlias = Callable[..., tuple[int, str]]
MISSING = ("verify", "nowhere.json")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fi_FI.UTF-8@euro"}, "fi"),
        ({"LANG": "sv_FI.UTF-8"}, "sv"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "fi_FI.UTF-8"}, "fi"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "fi_FI"}, "fi"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "KIBITZ_LANGUAGE": "fi"}, "fi"),
        ({"LANG": "fr_FR.UTF-8", "KIBITZ_LANGUAGE": ""}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "KIBITZ_LANGUAGE": "klingon"}, "fr"),
        ({"KIBITZ_LANGUAGE": "FR-ca"}, "fr"),
    ],
)
def test_what_is_chosen_comes_before_the_system(
    environment: Mapping[str, str], language: str
) -> None:
    assert shell_language(environment) == language


def test_a_language_that_we_have_not_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        checked_language("klingon")
    assert "klingon" in say_in("en")(refused.value.refusal)


@pytest.fixture
def kibitz(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*arguments: str, **environment: str) -> tuple[int, str]:
        """The exit code of the command, and what it says of a fault."""
        for name in ("LANG", "LC_ALL", "LC_MESSAGES", "KIBITZ_LANGUAGE"):
            monkeypatch.setenv(name, environment.get(name, ""))
        monkeypatch.setattr(sys, "argv", ["kibitz", *arguments])
        with pytest.raises(SystemExit) as left:
            cli.main()
        return int(left.value.code or 0), capsys.readouterr().err

    return run


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_is_in_the_language_of_whoever_typed(kibitz: Command, language: str) -> None:
    why = message("cli.cannot-read", file="nowhere.json", why=message("cli.error-ENOENT"))
    told = (2, f"kibitz: {say_in(language)(why)}\n")
    assert kibitz(*MISSING, "--language", language) == told
    assert kibitz("--language", language, *MISSING) == told
    assert kibitz(*MISSING, KIBITZ_LANGUAGE=language, LANG="fr_FR.UTF-8") == told
    assert kibitz(*MISSING, LANG=f"{language}_XX.UTF-8") == told


@pytest.mark.parametrize(
    ("typed", "refusal"),
    [
        ("replay", message("cli.usage-missing", name="FILE", command="kibitz replay")),
        (
            "replay x --quick",
            message("cli.usage-no-option", name="--quick", command="kibitz replay"),
        ),
        ("replay x y", message("cli.usage-extra", text="y", command="kibitz replay")),
        ("replay x --at y", message("cli.usage-value", name="--at", command="kibitz replay")),
        ("replay x --at", message("cli.usage-needs-value", name="--at", command="kibitz")),
        ("replay x --boards=1", message("cli.usage-no-value", name="--boards", command="kibitz")),
        ("dance", message("cli.usage-no-command", text="dance", command="kibitz")),
        ("arena go a b", message("record.game", game="go", games="kahmate, kalamala, as-kimble")),
    ],
)
def test_a_line_that_cannot_be_read_is_explained(
    kibitz: Command, typed: str, refusal: Message
) -> None:
    code, told = kibitz(*typed.split(), KIBITZ_LANGUAGE="fi")
    assert (code, told) == (2, f"kibitz: {say_in('fi')(refusal)}\n")


def test_a_wrong_language_is_refused_wherever_it_stands(kibitz: Command) -> None:
    why = message("cli.language", language="klingon", languages=", ".join(LANGUAGES))
    told = (2, f"kibitz: {say_in('fr')(why)}\n")
    assert kibitz(*MISSING, "--language", "klingon", LANG="fr_FR.UTF-8") == told
    assert kibitz(*MISSING, KIBITZ_LANGUAGE="klingon", LANG="fr_FR.UTF-8") == told


def test_every_command_takes_a_language() -> None:
    commands: Any = get_command(cli.app)
    groups = "arena", "dataset"
    inside = [each for name in groups for each in commands.commands[name].commands.values()]
    leaves = [*commands.commands.values(), *inside]
    taking = [each for each in leaves if "language" in {param.name for param in each.params}]
    assert [each.name for each in leaves if each not in taking] == [*groups]
    assert len(taking) > 20


def test_programs_read_the_same_in_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, answers = '{"game": "kalamala", "actions": ["nonsense"]}\n', set()
    for language in LANGUAGES:
        monkeypatch.setenv("KIBITZ_LANGUAGE", language)
        answers.add(CliRunner().invoke(cli.app, ["rules"], input=asked).output)
    assert len(answers) == 1
