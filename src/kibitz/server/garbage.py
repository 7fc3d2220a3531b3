"""Cyclic garbage, collected a little at a time: a collection stops everybody.

Play makes none; connections and requests do, a little each. Every moment what is new is looked
through and then frozen: no later look goes through it again, so that each takes as long as little
was made. Where nothing is found, what is new is only frozen for a while, which costs nothing.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time

SWITCH_INTERVAL_S = 0.0005
"""So long a thread that waits for the interpreter waits: the one that writes hands over to the one
that answers several times for each action, and Python's own 5 ms would be paid every time."""
LOOK_INTERVAL_S = 0.2
"""At 500 actions/s a look goes through what a hundred of them made, in 3 to 10 ms."""
MAX_SKIPPED_LOOKS = 15
"""Each look that finds nothing doubles the number of those that are skipped after it, up to three
seconds of them."""
IDLE_CHECK_S, MAX_IDLE_SHARE = 0.05, 0.1
"""The server is idle if it used less than this share of a CPU for so long."""
FULL_INTERVAL_S = 600.0
"""So often what was frozen is looked through, too: a connection may have ended since."""
MAX_FULL_WAIT_S = 3600.0
"""That takes a third of a second for a thousand tables, and waits so long for a quiet moment."""
MIN_NEW_OBJECTS = 10_000
"""Fewer objects since the last full collection are not worth one."""


def tune_interpreter() -> None:
    """Leave it to `collect_garbage` to collect, and let threads take turns quickly."""
    gc.collect()
    gc.freeze()
    gc.disable()
    sys.setswitchinterval(SWITCH_INTERVAL_S)


async def collect_garbage() -> None:
    """Collect what is new for as long as the server is up; now and then all there is, when nobody
    acts or when that has waited for too long."""
    full_at, new_objects, skips, skips_left = time.monotonic() + FULL_INTERVAL_S, 0, 0, 0
    while True:
        await asyncio.sleep(LOOK_INTERVAL_S)
        new_objects += new_object_count()
        if new_objects >= MIN_NEW_OBJECTS and await _is_full_due(full_at):
            collect(is_full=True)
            full_at, new_objects = time.monotonic() + FULL_INTERVAL_S, 0
        elif skips_left:
            skips_left -= 1
            gc.freeze()
        else:
            found = collect(is_full=False)
            skips = skips_left = 0 if found else min(2 * skips + 1, MAX_SKIPPED_LOOKS)


def new_object_count() -> int:
    """The objects made since the last look less those that went since then, however old they were:
    garbage stays, so there is no more of it than that."""
    return gc.get_count()[0]


def collect(is_full: bool) -> int:
    """Collect what came since the last time, or all there is: the number of objects that went."""
    if is_full:
        gc.unfreeze()
    found = gc.collect()
    gc.freeze()
    return found


async def _is_full_due(at: float) -> bool:
    now = time.monotonic()
    return now >= at + MAX_FULL_WAIT_S or (now >= at and await _is_idle())


async def _is_idle() -> bool:
    begin = time.thread_time()
    await asyncio.sleep(IDLE_CHECK_S)
    return time.thread_time() - begin < IDLE_CHECK_S * MAX_IDLE_SHARE
