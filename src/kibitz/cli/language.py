"""The option `--language`, which every command takes, and its help speaks."""

from __future__ import annotations

import os
from itertools import pairwise
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from kibitz.cli.help import HelpContext
from kibitz.i18n.shell import LANGUAGE_VARIABLE, checked_language, known_language

LANGUAGE_OPTION = "--language"


def choose_language(text: str) -> str:
    if text:
        os.environ[LANGUAGE_VARIABLE] = checked_language(text)
    return text


Language = Annotated[
    str,
    typer.Option(
        LANGUAGE_OPTION,
        metavar="LANGUAGE",
        envvar=LANGUAGE_VARIABLE,
        show_envvar=False,
        callback=choose_language,
        is_eager=True,
        expose_value=False,
        help="Print in this language: {languages}. The default is the system's (KIBITZ_LANGUAGE).",
    ),
]


class LanguageGroup(TyperGroup):
    """A group whose option `--language` may also stand after the name of a command."""

    context_class = HelpContext

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        option = next(each for each in self.params if each.name == "language")
        _add_option(self, option)

    def parse_args(self, context: Any, arguments: list[str]) -> list[str]:
        """Help that is asked for before the language is in that language, too."""
        start, joined = f"{LANGUAGE_OPTION}=", map("=".join, pairwise(arguments))
        typed = [each for each in (*arguments, *joined) if each.startswith(start)]
        if typed and (chosen := known_language(typed[0].removeprefix(start))):
            choose_language(chosen)
        return super().parse_args(context, arguments)


def _add_option(command: Any, option: Any) -> None:
    for each in command.commands.values():
        each.context_class = HelpContext
        if isinstance(each, TyperGroup):
            _add_option(each, option)
        else:
            each.params.append(option)
