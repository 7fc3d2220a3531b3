"""The option `--language`, which every command takes."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from kibitz.i18n import LANGUAGES
from kibitz.i18n.shell import LANGUAGE_VARIABLE, checked_language


def choose_language(text: str) -> str:
    if text:
        os.environ[LANGUAGE_VARIABLE] = checked_language(text)
    return text


Language = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="LANGUAGE",
        envvar=LANGUAGE_VARIABLE,
        callback=choose_language,
        is_eager=True,
        expose_value=False,
        help=f"Print in this language: {', '.join(LANGUAGES)}. The default is the system's.",
    ),
]


class LanguageGroup(TyperGroup):
    """A group whose option `--language` may also stand after the name of a command."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        option = next(each for each in self.params if each.name == "language")
        _add_option(self, option)


def _add_option(command: Any, option: Any) -> None:
    for each in command.commands.values():
        if isinstance(each, TyperGroup):
            _add_option(each, option)
        else:
            each.params.append(option)
