"""A position and the one thing a hand can do, as frozen values."""

from dataclasses import dataclass

from kibitz.core.game import Seat

SEATS = ("A", "B")


@dataclass(frozen=True, slots=True)
class State:
    left: int
    """The number of stones left."""
    turn: Seat = SEATS[0]


@dataclass(frozen=True, slots=True)
class Take:
    count: int


def other_seat(seat: Seat) -> Seat:
    return SEATS[1 - SEATS.index(seat)]
