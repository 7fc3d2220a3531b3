"""The help of every command is in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from kibitz.cli import main as cli
from kibitz.cli.help import FURNITURE, USAGE, help_paragraphs, help_text
from kibitz.i18n import LANGUAGES
from support.languages.catalogues import help_sentences

TRANSLATED = [each for each in LANGUAGES if each != "en"]
COMMANDS = ("", "report", "arena levels", "setup")
MIN_LETTERS = 12
"""Shorter texts, as Options, may be the same in another language."""
LITERAL = re.compile(
    r"--[a-z]+|KIBITZ_\w+|docs/[\w-]+\.md|`[^`]+`|@\w+|\{\w*\}|[\w-]+://|\.[a-z]{3}\b"
)
"""What one types or opens: it is the same in every language."""


def every_command() -> Iterator[Any]:
    waiting: list[Any] = [get_command(cli.app)]
    while waiting:
        command = waiting.pop()
        yield command
        waiting += getattr(command, "commands", {}).values()


def english_texts() -> set[str]:
    """All help texts, as they stand in the code, and the words of Typer's around them."""
    found = {USAGE, *FURNITURE.values()}
    for command in every_command():
        params = command.get_params(command.context_class(command, info_name=command.name))
        found |= {*help_paragraphs(command.help)}
        found |= {text for each in params if (text := getattr(each, "help", None))}
    return found - {""}


def printed_help(*arguments: str, **environment: str) -> str:
    """On lines so wide that none is broken."""
    env = {"LANG": "", "LC_ALL": "", "LC_MESSAGES": "", "KIBITZ_LANGUAGE": "", **environment}
    shown = CliRunner().invoke(cli.app, [*arguments], env={**env, "TERMINAL_WIDTH": "400"})
    assert shown.exit_code == 0
    return shown.output


@pytest.fixture(autouse=True)
def no_language_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_LANGUAGE", "")


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_help_text_has_words_and_no_other_is_left(language: str) -> None:
    assert set(help_sentences(language)) == english_texts()
    assert all(help_sentences(language).values())


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_one_types_is_the_same_in_every_language(language: str) -> None:
    lost = {
        english: text
        for english, text in help_sentences(language).items()
        if not set(LITERAL.findall(english)) <= set(LITERAL.findall(text))
    }
    assert lost == {}


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("command", COMMANDS)
def test_no_english_is_left_in_help(language: str, command: str) -> None:
    shown = printed_help(*command.split(), "--help", KIBITZ_LANGUAGE=language)
    english = {help_text(each) for each in english_texts() if len(each) >= MIN_LETTERS}
    assert {each for each in english if each in shown} == set()
    for word in (USAGE, FURNITURE["OPTIONS_PANEL_TITLE"], "Show this message and exit."):
        assert help_sentences(language)[word].strip() in shown


@pytest.mark.parametrize("language", TRANSLATED)
def test_help_is_in_the_language_that_stands_before_or_after_it(language: str) -> None:
    own = help_sentences(language)["Number of games."]
    lines = (
        f"--language {language} report --help",
        f"report --help --language {language}",
        f"report --help --language={language}",
        f"report --language={language} -h",
    )
    assert all(own in printed_help(*line.split()) for line in lines)


def test_help_names_games_and_languages() -> None:
    shown = printed_help("report", "--help")
    assert "One of: kahmate, kalamala, as-kimble." in shown
    assert ", ".join(LANGUAGES) in shown


def test_help_is_english_again_after_another_language() -> None:
    printed_help("report", "--help", KIBITZ_LANGUAGE="fi")
    shown = printed_help("report", "--help", KIBITZ_LANGUAGE="en")
    assert all(word in shown for word in ("Usage: ", "Options", "[default: 200]", "[required]"))
