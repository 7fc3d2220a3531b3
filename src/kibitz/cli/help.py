"""The help of commands in the language of the shell.

English stands in the code, where commands and options are. The other languages are catalogues by
the English text, in `words/`; docs/decisions/0068-help-by-its-english-text.md says why.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import typer

from kibitz.games import GAMES
from kibitz.i18n import FALLBACK, LANGUAGES, catalogue
from kibitz.i18n.shell import shell_language

HELP_WORDS_FOLDER = Path(__file__).with_name("words")
HELP_VALUES = {"{games}": ", ".join(GAMES), "{languages}": ", ".join(LANGUAGES)}
"""The values in help texts, which are the same in all languages."""
USAGE = "Usage: "
FURNITURE = {
    "ARGUMENTS_PANEL_TITLE": "Arguments",
    "OPTIONS_PANEL_TITLE": "Options",
    "COMMANDS_PANEL_TITLE": "Commands",
    "DEFAULT_STRING": "[default: {}]",
    "REQUIRED_LONG_STRING": "[required]",
}
"""The words of Typer's own around ours, by their names in `typer.rich_utils`."""


class HelpContext(typer.Context):
    """A context whose help is in the language that was chosen until it is asked for."""

    def get_help(self) -> str:
        from typer import rich_utils

        for name, english in FURNITURE.items():
            setattr(rich_utils, name, _translation(english))
        translate_help(self.command, self)
        return super().get_help()

    def make_formatter(self) -> Any:
        formatter: Any = super().make_formatter()
        formatter.write_usage = partial(formatter.write_usage, prefix=_translation(USAGE))
        return formatter


def translate_help(command: Any, context: Any) -> None:
    """Put the help of a command, of its options and of what is in it into another language."""
    for each in (command, *getattr(command, "commands", {}).values()):
        each.help = "\n\n".join(map(help_text, help_paragraphs(each.help)))
    for param in command.get_params(context):
        if text := getattr(param, "help", None):
            param.help = help_text(text)


def help_paragraphs(text: str | None) -> list[str]:
    """Its paragraphs, each on one line."""
    return [" ".join(each.split()) for each in (text or "").split("\n\n")]


def help_text(english: str) -> str:
    text = _translation(english)
    for name, value in HELP_VALUES.items():
        text = text.replace(name, value)
    return text


def _translation(english: str) -> str:
    language = shell_language()
    if language == FALLBACK:
        return english
    return catalogue(HELP_WORDS_FOLDER, language).gettext(english)
