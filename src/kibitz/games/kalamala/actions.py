"""The actions of a side and the referee."""

from __future__ import annotations

from typing import TypeAlias

from kibitz.core.game import Seat
from kibitz.core.values import FrozenValue


class Placement(FrozenValue, frozen=True):
    """Put a piece from the reserve on a square (3.1)."""

    square: int


class Move(FrozenValue, frozen=True):
    """Slide a chain, its front ahead of its rear, in a direction (3.3).

    A chain of one has its rear and front on one square. Which anchor moves it makes no
    difference, so none is named.
    """

    rear: int
    front: int
    direction: str
    distance: int


class Resign(FrozenValue, frozen=True):
    side: Seat


class Forfeit(FrozenValue, frozen=True):
    """The referee declares a side the loser (4)."""

    side: Seat


class Void(FrozenValue, frozen=True):
    """Nobody wins a match that is broken off (4)."""


Action: TypeAlias = Placement | Move | Resign | Forfeit | Void
