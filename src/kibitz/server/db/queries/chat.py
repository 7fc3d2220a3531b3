"""The chat of tables: a log of its own for each, in order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sql

from kibitz.server import wall_clock
from kibitz.server.db.engine import dialect_insert
from kibitz.server.db.schema import CHAT, MEMBERSHIP
from kibitz.server.db.store import BANNED_ROLE, Store, StoreError, WriteConflict, Writer
from kibitz.table.seating import Member

MAX_TRIES = 8
"""The number of retries where others wrote beside it."""


class ChatEntry(NamedTuple):
    n: int
    kind: str
    """`say`, or what was done about it (`protocol.Tending`)."""
    room: str
    member: Member
    text: str
    """The text, nothing where it was removed; else the line or the person it is about."""
    at: float


async def latest_entries(
    store: Store, table_id: str, rooms: Sequence[str], most: int
) -> tuple[list[ChatEntry], int]:
    """All that was done, and the latest lines of each room; the number up to which they go."""
    latest = sql.select(sql.func.max(CHAT.c.n)).where(CHAT.c.table_id == table_id)
    n = (await store.read(latest))[0][0] or 0
    if not n:
        return [], 0
    wanted = (CHAT.c.table_id == table_id) & (CHAT.c.n <= n)
    entries = await _read_entries(store, wanted & CHAT.c.kind.not_in(("say", "remove-line")))
    for room in rooms:
        said = wanted & (CHAT.c.kind == "say") & (CHAT.c.room == room)
        entries += await _read_entries(store, said, most)
    return sorted(entries), n


async def entries_after(store: Store, table_id: str, n: int) -> list[ChatEntry]:
    return await _read_entries(store, (CHAT.c.table_id == table_id) & (CHAT.c.n > n))


async def latest_numbers(store: Store, table_ids: Collection[str]) -> Sequence[Any]:
    """Each of these tables with the number of its latest entry."""
    if not table_ids:
        return ()
    query = sql.select(CHAT.c.table_id, sql.func.max(CHAT.c.n))
    return await store.read(query.where(CHAT.c.table_id.in_(table_ids)).group_by(CHAT.c.table_id))


async def messages_by(store: Store, member: Member) -> list[dict[str, Any]]:
    """All that somebody said, at whatever table."""
    query = (
        sql.select(CHAT.c.table_id, CHAT.c.room, CHAT.c.text, CHAT.c.at)
        .where((CHAT.c.member == member) & (CHAT.c.kind == "say"))
        .order_by(CHAT.c.at)
    )
    return [dict(entry._mapping) for entry in await store.read(query)]


async def ban_count(store: Store, table_id: str) -> int:
    """The number of bans at a table: after each the link to watch is another one."""
    query = sql.select(sql.func.count()).where(
        (CHAT.c.table_id == table_id) & (CHAT.c.kind == "remove-person")
    )
    return int((await store.read(query))[0][0])


async def append_entry(
    store: Store,
    table_id: str,
    entry: ChatEntry,
    also: Writer | None = None,
) -> int:
    """Write an entry under the next number, which is returned; `also` is written with it."""
    latest = sql.select(sql.func.max(CHAT.c.n)).where(CHAT.c.table_id == table_id)

    def write(connection: sql.Connection) -> int:
        n = int(connection.execute(latest).scalar() or 0) + 1
        values = {"table_id": table_id, **entry._replace(n=n)._asdict()}
        connection.execute(CHAT.insert(), values)
        if also:
            also(connection)
        return n

    for _ in range(MAX_TRIES):
        try:
            return await store.write(write)
        except WriteConflict:
            continue
    raise StoreError("too many write at once")


def line_blanker(table_id: str, n: int) -> Writer:
    """A writer that empties a line."""
    this = (CHAT.c.table_id == table_id) & (CHAT.c.n == n)
    return _statement_runner(CHAT.update().where(this).values(text=""))


def ban_writer(table_id: str, member: Member, kind: str) -> Writer | None:
    """A writer of what keeps somebody out of a table, or lets them in again; else None."""
    if kind == "readmit":
        theirs = (MEMBERSHIP.c.table_id == table_id) & (MEMBERSHIP.c.member == member)
        return _statement_runner(
            MEMBERSHIP.delete().where(theirs & (MEMBERSHIP.c.role == BANNED_ROLE))
        )
    if kind != "remove-person":
        return None
    visit = {"table_id": table_id, "member": member, "role": BANNED_ROLE, "at": wall_clock.now()}

    def write(connection: sql.Connection) -> None:
        adding = dialect_insert(connection, MEMBERSHIP).values(visit)
        keys = ["table_id", "member"]
        connection.execute(
            adding.on_conflict_do_update(index_elements=keys, set_={"role": BANNED_ROLE})
        )

    return write


def _statement_runner(change: sql.Update | sql.Delete) -> Writer:
    def write(connection: sql.Connection) -> None:
        connection.execute(change)

    return write


async def _read_entries(
    store: Store, wanted: sql.ColumnElement[bool], most: int | None = None
) -> list[ChatEntry]:
    columns = [CHAT.c[name] for name in ChatEntry._fields]
    query = sql.select(*columns).where(wanted).order_by(CHAT.c.n.desc()).limit(most)
    return [ChatEntry(*each) for each in reversed(await store.read(query))]
