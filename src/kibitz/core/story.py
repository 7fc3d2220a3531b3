"""A game's data about its own events: which are worth telling when a match is over.

An event is known by the id of its message. Who makes a story of it is somebody else.
"""

from __future__ import annotations

from kibitz.core.message import Message, Value
from kibitz.core.values import FrozenValue


class Moment(FrozenValue, frozen=True):
    """The weight of an event among all that happened."""

    weight: float
    """Nothing: it is told with others, and is no moment of its own."""
    value_name: str = ""
    """The value of its message that it grows with, if it does."""
    is_shown_before: bool = False
    """True if a picture shows where it happened, and not what came of it."""
    effect: str = ""
    """The effect by which a page marks it while it happens (docs/protocol.md); its title is
    `<event>-moment`. Nothing: it is shown like any other event."""
    cost: int = 0
    """The number that it costs the seat it names, where no value says so."""

    def size(self, told: Message) -> float:
        return self.weight * _number_value(told, self.value_name)


class Count(FrozenValue, frozen=True):
    """An event that is counted for the seat its message names."""

    event: str
    seat_value: str = "seat"
    """The value that names the seat; where that is a message, the seat is in there."""
    value_name: str = ""
    """The value that is added; else it counts one."""
    factor: int = 1
    is_for_other: bool = False
    """True if it counts for the one of two who is not named."""
    required_value: tuple[str, Value] | None = None
    """A value that it must have to be counted."""

    def seat_and_amount(self, told: Message) -> tuple[str, int] | None:
        """The seat that is named, and how much is counted."""
        if told.id != self.event or (
            self.required_value and told.value(self.required_value[0]) != self.required_value[1]
        ):
            return None
        named = told.value(self.seat_value)
        if isinstance(named, Message):
            named = named.value("seat")
        return (
            None
            if named is None
            else (str(named), self.factor * int(_number_value(told, self.value_name)))
        )


def _number_value(told: Message, name: str) -> float:
    """A value that counts something; one where there is none."""
    found = told.value(name) if name else None
    return found if isinstance(found, int | float) else 1
