"""Time to think: what is left to each seat, by what was spent and whose time ran.

A clock is a value. It never looks at the time; it is told how much has passed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from kibitz.core.game import Seat


@dataclass(frozen=True, slots=True)
class Control:
    """So many seconds for the match and some for every turn, or so many for each turn."""

    seconds: float
    increment: float = 0.0
    is_per_turn: bool = False


@dataclass(frozen=True, slots=True)
class Clock:
    control: Control
    left: Mapping[Seat, float]

    def spend(self, running: Collection[Seat], seconds: float) -> Clock:
        left = {s: left - seconds if s in running else left for s, left in self.left.items()}
        return replace(self, left=left)

    def turned(self, before: Collection[Seat], after: Collection[Seat]) -> Clock:
        """Whoever's time no longer runs gets what a turn brings."""
        done = [seat for seat in before if seat not in after]
        return replace(self, left={**self.left, **{seat: self._topped(seat) for seat in done}})

    def is_out(self, seat: Seat) -> bool:
        return self.left[seat] <= 0

    def reseated(self, moved: Mapping[Seat, Seat]) -> Clock:
        left = {moved.get(seat, seat): left for seat, left in self.left.items()}
        return replace(self, left={seat: left[seat] for seat in self.left})

    def _topped(self, seat: Seat) -> float:
        control = self.control
        return control.seconds if control.is_per_turn else self.left[seat] + control.increment


def wound_up(control: Control, seats: Collection[Seat]) -> Clock:
    return Clock(control, dict.fromkeys(seats, control.seconds))
