"""Arguments and options that several commands have, and what they mean."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from kibitz.core.game import Rulebook
from kibitz.core.message import Refused, message
from kibitz.games import GAMES


def complete_game(typed: str) -> list[str]:
    """The games that begin with what is typed, for the shell."""
    return [name for name in GAMES if name.startswith(typed)]


GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="One of: {games}.", autocompletion=complete_game),
]


OptionTexts = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        "-o",
        metavar="NAME=VALUE",
        help="Set a rule option of the game, or a preset (french); repeatable.",
    ),
]


LineNumber = Annotated[
    int | None, typer.Option(min=1, help="Which record, in a file with one record per line.")
]


RecordFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A record file, or - for standard input.")
]


BOT_HELP = "NAME, FILE.py:FUNCTION or run:COMMAND, optionally with a budget: @0.5s or @2000n."


def find_rulebook(name: str) -> Rulebook:
    if name not in GAMES:
        raise Refused(message("record.game", game=name[:60], games=", ".join(GAMES)))
    return GAMES[name]


def read_options(given: list[str] | None, rulebook: Rulebook) -> dict[str, Any]:
    """`name=value`, the value as JSON where it is JSON, else as it stands; or the name of a preset
    of the game."""
    settings: dict[str, Any] = {}
    for each in given or []:
        name, equals, value = each.partition("=")
        if each in rulebook.named_presets:
            settings |= rulebook.named_presets[each]
            continue
        if not equals:
            raise Refused(message("cli.option", text=each[:60]))
        try:
            settings[name] = json.loads(value)
        except (ValueError, RecursionError):
            settings[name] = value
    return settings
