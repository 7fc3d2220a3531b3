"""An estimate of what several machines would carry, computed from the figures of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

MACHINES = 10
SECONDS_PER_ACTION = 4.0
"""At a table where people play, somebody acts about so often."""
MAX_BUSY = 0.7
"""A machine that has to answer soon is not used more than this."""


@dataclass(frozen=True, slots=True)
class Load:
    """Seconds of CPU for an action by who spends them, with two workers."""

    worker: float
    beside: Mapping[str, float]
    """The database and the broker: one process or machine of each serves all."""
    bytes_sent: float = 0.0


def tell_estimate(load: Load, cpus: int) -> str:
    """Tells how much so many machines with these CPUs carry, and the bound of it."""
    rates = {f"{MACHINES} machines with {cpus} CPUs": MACHINES * cpus * MAX_BUSY / load.worker}
    for name, seconds in load.beside.items():
        # Redis works in one thread; PostgreSQL has a machine of its own.
        usable = 1 if name == "Redis" else cpus
        if seconds > 0:
            rates[f"one {name} with {usable} CPU{'s' * (usable > 1)}"] = usable * MAX_BUSY / seconds
    bound = min(rates, key=lambda name: rates[name])
    carried = rates[bound]
    told = [f"  {name:<46}{rate:>12,.0f} actions/s" for name, rate in rates.items()]
    told.append(
        f"  so {carried:,.0f} actions/s, or {carried * SECONDS_PER_ACTION:,.0f} tables with an "
        f"action every {SECONDS_PER_ACTION:.0f} s; {bound} would be the limit"
    )
    if load.bytes_sent:
        told.append(f"  and {carried * load.bytes_sent * 8 / 1e6:,.0f} Mbit/s to the pages")
    return "\n".join(told)
