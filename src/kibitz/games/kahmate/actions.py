"""The actions of a captain, chance and the referee."""

from __future__ import annotations

from typing import TypeAlias

from kibitz.core.game import Seat
from kibitz.core.values import FrozenValue


class Placement(FrozenValue, frozen=True):
    """Set a man up (3)."""

    kind: str
    square: int


class Ball(FrozenValue, frozen=True):
    """The card that was drawn says where the ball goes (3)."""

    card: int


class Step(FrozenValue, frozen=True):
    origin: int
    target: int


class Tackle(FrozenValue, frozen=True):
    origin: int
    target: int


class Force(FrozenValue, frozen=True):
    origin: int
    target: int


class Pass(FrozenValue, frozen=True):
    origin: int
    target: int


class Kick(FrozenValue, frozen=True):
    origin: int
    target: int


class Intercept(FrozenValue, frozen=True):
    """Jump in with the man on this square (5.2)."""

    square: int


class Decline(FrozenValue, frozen=True):
    """Let the pass go (5.2), or stay after breaking through (7)."""


class Card(FrozenValue, frozen=True):
    """Commit a card to a duel (8)."""

    card: int


class Exit(FrozenValue, frozen=True):
    """Come out on this square after breaking through (7)."""

    square: int


class Drop(FrozenValue, frozen=True):
    """Let the ball fall on this square (6.1)."""

    square: int


class End(FrozenValue, frozen=True):
    """The turn is over (4.2)."""


class Resign(FrozenValue, frozen=True):
    side: Seat


class Forfeit(FrozenValue, frozen=True):
    """The referee declares a captain the loser (9.3)."""

    side: Seat


class AgreedDraw(FrozenValue, frozen=True):
    """Both captains agree that nobody wins (9.3)."""


class Void(FrozenValue, frozen=True):
    """The referee breaks the match off (9.3)."""


class PlayOn(FrozenValue, frozen=True):
    """Both captains agree to go on after a winning try, until so many are scored (9.4)."""

    tries: int


Play: TypeAlias = Step | Tackle | Force | Pass | Kick | End
"""The open actions of the captain on turn."""
Closing: TypeAlias = Resign | Forfeit | AgreedDraw | Void
"""The events that end a match."""
Action: TypeAlias = (
    Placement | Ball | Play | Intercept | Decline | Card | Exit | Drop | Closing | PlayOn
)
