"""Messages, before they are put into a language.

Rules, tables and drawings speak in messages; only a shell turns them into words.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TypeAlias, Union

from kibitz.core.values import FrozenValue

Value: TypeAlias = Union[int, float, Decimal, str, "Message"]


class Message(FrozenValue, frozen=True):
    """A sentence by its id, its values, and the paragraph of the rules it rests on.

    Some values mean the same everywhere: `seat` is a seat's letter, shown as the name of
    whoever sits there; `n` chooses between singular and plural; `at` and `because` name
    elements of the drawing, the one refused and the one that is the reason; `position` is
    a position text that may be drawn small beside the sentence.
    """

    id: str
    values: tuple[tuple[str, Value], ...] = ()
    paragraph: str = ""

    def value(self, name: str) -> Value | None:
        for each, value in self.values:
            if each == name:
                return value
        return None


Refusal: TypeAlias = Message
Say: TypeAlias = Callable[[Message], str]
"""Puts a message into somebody's language, the same one always in the same words."""


class Refused(ValueError):
    """Somebody asked for what cannot be; the refusal says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal


def fixed_decimal(value: float, digits: int = 0) -> Decimal:
    """A value of a message that is written with just so many digits, as a language does it."""
    return Decimal(f"{value:.{digits}f}")


def message(id: str, paragraph: str = "", /, **values: Value) -> Message:
    return Message(id, tuple(values.items()), paragraph)
