"""Time to think: what is left to each seat, by what was spent and whose time ran.

A clock is a value. It never looks at the time; it is told how much has passed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from kibitz.core.game import Seat
from kibitz.core.values import FrozenValue


class TimeControl(FrozenValue, frozen=True):
    """So many seconds for the match and some for every turn, or so many for each turn."""

    seconds: float
    increment_seconds: float = 0.0
    is_per_turn: bool = False


class Clock(FrozenValue, frozen=True):
    control: TimeControl
    seconds_left: Mapping[Seat, float]

    def spend_seconds(self, running: Collection[Seat], seconds: float) -> Clock:
        left = {
            s: left - seconds if s in running else left for s, left in self.seconds_left.items()
        }
        return replace(self, seconds_left=left)

    def with_turn_bonus(self, before: Collection[Seat], after: Collection[Seat]) -> Clock:
        """The clock with the bonus of a turn for seats whose time no longer runs."""
        done = [seat for seat in before if seat not in after]
        return replace(
            self,
            seconds_left={
                **self.seconds_left,
                **{seat: self._seconds_after_turn(seat) for seat in done},
            },
        )

    def is_out_of_time(self, seat: Seat) -> bool:
        return self.seconds_left[seat] <= 0

    def with_seats_moved(self, moved: Mapping[Seat, Seat]) -> Clock:
        left = {moved.get(seat, seat): left for seat, left in self.seconds_left.items()}
        return replace(self, seconds_left={seat: left[seat] for seat in self.seconds_left})

    def _seconds_after_turn(self, seat: Seat) -> float:
        control = self.control
        return (
            control.seconds
            if control.is_per_turn
            else self.seconds_left[seat] + control.increment_seconds
        )


def new_clock(control: TimeControl, seats: Collection[Seat]) -> Clock:
    return Clock(control, dict.fromkeys(seats, control.seconds))
