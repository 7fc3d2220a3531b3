"""The actions of a captain, chance and the referee."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kibitz.core.game import Seat


@dataclass(frozen=True, slots=True)
class Placement:
    """Set a man up (3)."""

    kind: str
    square: int


@dataclass(frozen=True, slots=True)
class Ball:
    """The card that was drawn says where the ball goes (3)."""

    card: int


@dataclass(frozen=True, slots=True)
class Step:
    origin: int
    target: int


@dataclass(frozen=True, slots=True)
class Tackle:
    origin: int
    target: int


@dataclass(frozen=True, slots=True)
class Force:
    origin: int
    target: int


@dataclass(frozen=True, slots=True)
class Pass:
    origin: int
    target: int


@dataclass(frozen=True, slots=True)
class Kick:
    origin: int
    target: int


@dataclass(frozen=True, slots=True)
class Intercept:
    """Jump in with the man on this square (5.2)."""

    square: int


@dataclass(frozen=True, slots=True)
class Decline:
    """Let the pass go (5.2), or stay after breaking through (7)."""


@dataclass(frozen=True, slots=True)
class Card:
    """Commit a card to a duel (8)."""

    card: int


@dataclass(frozen=True, slots=True)
class Exit:
    """Come out on this square after breaking through (7)."""

    square: int


@dataclass(frozen=True, slots=True)
class Drop:
    """Let the ball fall on this square (6.1)."""

    square: int


@dataclass(frozen=True, slots=True)
class End:
    """The turn is over (4.2)."""


@dataclass(frozen=True, slots=True)
class Resign:
    side: Seat


@dataclass(frozen=True, slots=True)
class Forfeit:
    """The referee declares a captain the loser (9.3)."""

    side: Seat


@dataclass(frozen=True, slots=True)
class AgreedDraw:
    """Both captains agree that nobody wins (9.3)."""


@dataclass(frozen=True, slots=True)
class Void:
    """The referee breaks the match off (9.3)."""


@dataclass(frozen=True, slots=True)
class PlayOn:
    """Both captains agree to go on after a winning try, until so many are scored (9.4)."""

    tries: int


Play: TypeAlias = Step | Tackle | Force | Pass | Kick | End
"""The open actions of the captain on turn."""
Closing: TypeAlias = Resign | Forfeit | AgreedDraw | Void
"""The events that end a match."""
Action: TypeAlias = (
    Placement | Ball | Play | Intercept | Decline | Card | Exit | Drop | Closing | PlayOn
)
