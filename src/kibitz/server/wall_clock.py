"""The time of day as tables have it: it never jumps back, whatever happens to the machine's clock.

Between two looks at that clock it is counted by the one that only ever goes on. Where the machine
woke up later, time is later, too. Where its clock was set back, ours stays ahead of it, and goes a
little slower until both agree: nobody gains or loses an hour.
"""

from __future__ import annotations

import logging
import time

log = logging.getLogger(__name__)

JUMP_S = 5.0
"""Less than that is no jump but the usual difference between clocks, in seconds."""
SLOWDOWN_RATE = 0.05
"""By this part of it our time goes slower while it is ahead."""
MAX_LEAD_S = 24 * 60 * 60.0
"""A clock further ahead than that had no idea of the time, and is not followed."""


class WallClock:
    def __init__(self) -> None:
        self._offset_s = time.time() - time.monotonic()
        """The lead of our time over the clock that only goes on."""
        self._synced_at = time.monotonic()
        self._is_ahead = False

    def now(self) -> float:
        return time.monotonic() + self._offset_s

    def advance_to(self, moment: float) -> None:
        """It has been that late already, by whoever was here before or is beside us."""
        behind = moment - self.now()
        if 0 < behind <= MAX_LEAD_S:
            self._offset_s += behind

    def sync_with_machine(self) -> float:
        """Compare with the machine's clock; by how many seconds ours has just jumped ahead."""
        ahead, passed = self.now() - time.time(), time.monotonic() - self._synced_at
        self._synced_at += passed
        if ahead < -JUMP_S:
            log.warning("the machine's clock is ahead by %.0f seconds, and is followed", -ahead)
            self._offset_s -= ahead
            return -ahead
        if ahead > JUMP_S and not self._is_ahead:
            log.warning("the machine's clock went back by %.0f seconds: ours goes on", ahead)
        self._is_ahead = ahead > JUMP_S
        if self._is_ahead:
            self._offset_s -= SLOWDOWN_RATE * passed
        return 0.0


WALL_CLOCK = WallClock()


def now() -> float:
    return WALL_CLOCK.now()
