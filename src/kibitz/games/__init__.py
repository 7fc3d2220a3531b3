"""The games. Adding one is a folder here and a line below, or an entry point of another package."""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from kibitz.core.game import Game, Rulebook
from kibitz.core.message import Refused, message
from kibitz.core.record import Record
from kibitz.games.as_kimble import AS_KIMBLE
from kibitz.games.entry_points import Registry
from kibitz.games.kahmate import KAHMATE
from kibitz.games.kalamala import KALAMALA


def _check_rulebook(name: str, found: object) -> None:
    if not isinstance(found, Rulebook) or found.name != name:
        raise TypeError(f"not a Rulebook called {name}")


GAMES: Registry[Rulebook] = Registry(
    {rulebook.name: rulebook for rulebook in (KAHMATE, KALAMALA, AS_KIMBLE)},
    "kibitz.games",
    _check_rulebook,
)


def extra_of(game: str, part: str) -> Any:
    """The module that this game's extras name for a part; None where there is none."""
    rulebook = GAMES.get(game)
    name = rulebook.extras.get(part) if rulebook else None
    return import_module(name) if name else None


def game_of(record: Record) -> Game[Any, Any, Any]:
    """The game a record was played in, under its rules and options."""
    rulebook = GAMES.get(record.game)
    if rulebook is None:
        names = ", ".join(GAMES)
        raise Refused(message("record.game", game=record.game[:60], games=names))
    if rulebook.version != record.rules:
        values = {"rules": record.rules[:60], "known": rulebook.version}
        raise Refused(message("record.rules", game=record.game, **values))
    return rulebook.game(record.options)


class _Games(ModuleType):
    """This package, which can be called as `kibitz.games()`."""

    def __call__(self) -> tuple[str, ...]:
        """The names of all games, those of other packages included."""
        return tuple(GAMES)


sys.modules[__name__].__class__ = _Games
