"""The time of day as tables have it: it never jumps back, whatever happens to the machine's clock.

Between two looks at that clock it is counted by the one that only ever goes on. Where the machine
woke up later, time is later, too. Where its clock was set back, ours stays ahead of it, and goes a
little slower until both agree: nobody gains or loses an hour.
"""

from __future__ import annotations

import logging
import time

log = logging.getLogger(__name__)

JUMP = 5.0
"""Less than that is no jump but the usual difference between clocks, in seconds."""
SLOWER = 0.05
"""By this part of it our time goes slower while it is ahead."""
BELIEVED = 24 * 60 * 60.0
"""Whoever was further ahead than that had no idea of the time, and is not followed."""


class Wall:
    def __init__(self) -> None:
        self._since_boot = time.time() - time.monotonic()
        """What our time is ahead of the clock that only goes on."""
        self._looked_at = time.monotonic()
        self._is_ahead = False

    def now(self) -> float:
        return time.monotonic() + self._since_boot

    def go_on_from(self, moment: float) -> None:
        """It has been that late already, by whoever was here before or is beside us."""
        behind = moment - self.now()
        if 0 < behind <= BELIEVED:
            self._since_boot += behind

    def look(self) -> float:
        """Compare with the machine's clock; by how many seconds ours has just jumped ahead."""
        ahead, passed = self.now() - time.time(), time.monotonic() - self._looked_at
        self._looked_at += passed
        if ahead < -JUMP:
            log.warning("the machine's clock is ahead by %.0f seconds, and is followed", -ahead)
            self._since_boot -= ahead
            return -ahead
        if ahead > JUMP and not self._is_ahead:
            log.warning("the machine's clock went back by %.0f seconds: ours goes on", ahead)
        self._is_ahead = ahead > JUMP
        if self._is_ahead:
            self._since_boot -= SLOWER * passed
        return 0.0


WALL = Wall()


def now() -> float:
    return WALL.now()
