"""The actions of a side and the referee."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kibitz.core.game import Seat


@dataclass(frozen=True, slots=True)
class Placement:
    """Put a piece from the reserve on a square (3.1)."""

    square: int


@dataclass(frozen=True, slots=True)
class Move:
    """Slide a chain, its front ahead of its rear, in a direction (3.3).

    A chain of one has its rear and front on one square. Which anchor moves it makes no
    difference, so none is named.
    """

    rear: int
    front: int
    direction: str
    distance: int


@dataclass(frozen=True, slots=True)
class Resign:
    side: Seat


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The referee declares a side the loser (4)."""

    side: Seat


@dataclass(frozen=True, slots=True)
class Void:
    """Nobody wins a match that is broken off (4)."""


Action: TypeAlias = Placement | Move | Resign | Forfeit | Void
