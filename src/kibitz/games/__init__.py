"""The games. Adding one is a folder here and a line below."""

from typing import Any

from kibitz.core.game import Game, Rulebook
from kibitz.core.message import Refused, message
from kibitz.core.record import Record
from kibitz.games.as_kimble import AS_KIMBLE
from kibitz.games.kahmate import KAHMATE
from kibitz.games.kalamala import KALAMALA

GAMES: dict[str, Rulebook] = {
    rulebook.name: rulebook for rulebook in (KAHMATE, KALAMALA, AS_KIMBLE)
}


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
