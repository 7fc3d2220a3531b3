"""Leases of tables: the worker that looks at a table, and when it has to."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sqlalchemy as sql

from kibitz.server import wall_clock
from kibitz.server.db.schema import GAME_TABLE
from kibitz.server.db.store import Store

LEASE_S = 6.0
"""For so many seconds a worker has a table to itself unless it says so again."""


async def due_times(store: Store) -> dict[str, float]:
    """The time at which the server has to look at a table, by table."""
    query = sql.select(GAME_TABLE.c.id, GAME_TABLE.c.due_at).where(GAME_TABLE.c.due_at.is_not(None))
    return {entry[0]: entry[1] for entry in await store.read(query)}


async def claim_table(store: Store, table_id: str, worker: str) -> bool:
    """Claim a table for this worker, for a while; False if another one has it."""
    now = wall_clock.now()
    wanted = (GAME_TABLE.c.id == table_id) & (
        (GAME_TABLE.c.claimed_by == worker) | _is_unclaimed(now)
    )
    claimed = GAME_TABLE.update().where(wanted).values(_claim_values(worker, now))
    return bool(await store.execute(claimed))


async def claim_due_tables(store: Store, worker: str, late: float, most: int) -> tuple[str, ...]:
    """Tables that somebody should have looked at by now, `late` seconds ago: now it is we.

    What another worker is just taking is passed over.
    """
    now = wall_clock.now()
    overdue = (
        sql.select(GAME_TABLE.c.id)
        .where((GAME_TABLE.c.due_at <= now - late) & _is_unclaimed(now))
        .order_by(GAME_TABLE.c.due_at)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    claimed = (
        GAME_TABLE.update()
        .where(GAME_TABLE.c.id.in_(overdue.scalar_subquery()))
        .values(_claim_values(worker, now))
        .returning(GAME_TABLE.c.id)
    )

    def write(connection: sql.Connection) -> tuple[str, ...]:
        return tuple(connection.execute(claimed).scalars())

    return await store.write(write)


async def renew_leases(store: Store, worker: str, table_ids: Collection[str]) -> None:
    """These tables stay with this worker."""
    if not table_ids:
        return
    wanted = GAME_TABLE.c.id.in_(table_ids) & (GAME_TABLE.c.claimed_by == worker)
    await store.execute(
        GAME_TABLE.update().where(wanted).values(_claim_values(worker, wall_clock.now()))
    )


async def release_leases(store: Store, worker: str) -> None:
    """Give up all claims of this worker."""
    free = {"claimed_by": None, "claimed_until": None}
    await store.execute(GAME_TABLE.update().where(GAME_TABLE.c.claimed_by == worker).values(free))


async def clear_due_time(store: Store, table_id: str) -> None:
    """Let no worker look at a table until someone acts there."""
    free = {"due_at": None, "claimed_by": None, "claimed_until": None}
    await store.execute(GAME_TABLE.update().where(GAME_TABLE.c.id == table_id).values(free))


def _claim_values(worker: str, now: float) -> dict[str, Any]:
    return {"claimed_by": worker, "claimed_until": now + LEASE_S}


def _is_unclaimed(now: float) -> sql.ColumnElement[bool]:
    return GAME_TABLE.c.claimed_until.is_(None) | (GAME_TABLE.c.claimed_until < now)
