"""What a seat, chance or the referee can do in a duel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from duel.state import State
from kibitz.core.game import Seat


@dataclass(frozen=True, slots=True)
class Choose:
    """Put a card face down."""

    card: int


@dataclass(frozen=True, slots=True)
class Roll:
    """The die shows this many pips."""

    pips: int


@dataclass(frozen=True, slots=True)
class Wind:
    """Call on the second wind; no seat named is the caller's own."""

    seat: Seat = ""


@dataclass(frozen=True, slots=True)
class Set:
    """The referee puts everything where it belongs."""

    state: State
    why: str


@dataclass(frozen=True, slots=True)
class Draw:
    """Both have agreed that nobody wins."""


Action: TypeAlias = Choose | Roll | Wind | Set | Draw
