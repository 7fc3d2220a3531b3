"""Messages about men and squares, and the names of pieces in the drawing."""

from __future__ import annotations

from kibitz.core.message import Message, Value, message
from kibitz.games.kahmate.board import name_of
from kibitz.games.kahmate.state import POINTS, Man

KIND_MESSAGES = {kind: message(f"kahmate.kind-{kind}") for kind in POINTS}
LETTER_MESSAGES = {kind: message(f"kahmate.letter-{kind}") for kind in POINTS}
"""The letter on a man's shirt. Records and positions keep the letter of his kind."""


def kind_message(man: Man) -> Message:
    return KIND_MESSAGES[man.kind]


def letter_message(man: Man) -> Message:
    return LETTER_MESSAGES[man.kind]


def man_message(id: str, paragraph: str, man: Man, square: int, **values: Value) -> Message:
    """Something about a man and a square."""
    return message(
        id, paragraph, seat=man.side, man=kind_message(man), square=name_of(square), **values
    )


def man_of_message(man: Man) -> Message:
    """A man and whose he is."""
    return message("kahmate.man-of", seat=man.side, man=kind_message(man))


def ball_place(square: int) -> str:
    """The ball as a piece of the drawing, named by where it is."""
    return f"ball-{name_of(square)}"


def card_place(card: int) -> str:
    return f"card-{card}"
