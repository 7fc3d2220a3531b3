"""Cyclic garbage, collected a little at a time: a collection stops everybody.

Play makes none; connections and requests do, a little each. What survived a collection is frozen:
the next one does not look through it again, so that it takes as long as there is something new.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time

SWITCH_INTERVAL_S = 0.0005
"""So long a thread that waits for the interpreter waits: the one that writes hands over to the one
that answers several times for each action, and Python's own 5 ms would be paid every time."""
CHECK_INTERVAL_S = 0.2
IDLE_CHECK_S, MAX_IDLE_SHARE = 0.05, 0.1
"""The server is idle if it used less than this share of a CPU for so long."""
MIN_NEW_OBJECTS = 10_000
"""Fewer objects since the last collection are not worth one: it takes 5 ms for so many."""
MAX_NEW_OBJECTS = 30_000
"""With so many it does not wait for a quiet moment any longer: it takes 15 ms and more."""
FULL_INTERVAL_S = 600.0
"""So often what was frozen is looked through, too: a connection may have ended since."""
MAX_FULL_WAIT_S = 3600.0
"""That takes a third of a second for a thousand tables, and waits so long for a quiet moment."""


def tune_interpreter() -> None:
    """Leave it to `collect_when_idle` to collect, and let threads take turns quickly."""
    gc.collect()
    gc.freeze()
    gc.disable()
    sys.setswitchinterval(SWITCH_INTERVAL_S)


async def collect_when_idle() -> None:
    """Collect, for as long as the server is up, whenever that is worth it and nobody acts; and
    before it would take too long."""
    full_at = time.monotonic() + FULL_INTERVAL_S
    while True:
        await asyncio.sleep(CHECK_INTERVAL_S)
        count = new_object_count()
        if count < MIN_NEW_OBJECTS:
            continue
        is_urgent = count >= MAX_NEW_OBJECTS
        is_idle = not is_urgent and await _is_idle()
        if not (is_idle or is_urgent):
            continue
        now = time.monotonic()
        is_full = now >= full_at + (0.0 if is_idle else MAX_FULL_WAIT_S)
        collect(is_full)
        if is_full:
            full_at = now + FULL_INTERVAL_S


def new_object_count() -> int:
    """The objects made since the last collection that are still there, as Python counts them."""
    return gc.get_count()[0]


def collect(is_full: bool) -> None:
    """Collect what came since the last time; all there is where `is_full`."""
    if is_full:
        gc.unfreeze()
    gc.collect()
    gc.freeze()


async def _is_idle() -> bool:
    begin = time.thread_time()
    await asyncio.sleep(IDLE_CHECK_S)
    return time.thread_time() - begin < IDLE_CHECK_S * MAX_IDLE_SHARE
