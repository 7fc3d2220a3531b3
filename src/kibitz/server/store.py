"""The log on disk: tables and their rows.

One thread writes. Everything that waits for it shares one transaction, and so one wait for
the disk; a write is over only when that transaction is. The key (table, seq) decides races.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sql
from anyio import to_thread
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from kibitz.server.schema import GUEST, ROW, TABLE, UPTIME, VISIT, TooNew, migrate
from kibitz.table.people import seated

T = TypeVar("T")
log = logging.getLogger(__name__)

FILE = "kibitz.db"
GROUP = 256
"""At most so many writes share a transaction."""
MOST_WAITING = 10_000
"""More are refused at once."""


class Raced(Exception):
    """Somebody else wrote that row, or under that key, first."""


class NotStored(Exception):
    """The database could not take it; nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTable:
    """What is fixed when a table opens."""

    id: str
    game: str
    rules: str
    options: Mapping[str, Any]
    start: str
    seats: Mapping[str, Mapping[str, Any]]
    """Those taken at once, by seat: `{"members": ["<guest>"]}` or `{"bot": "<name>"}`."""

    @property
    def members(self) -> frozenset[str]:
        return seated(self.owner, self.seats, self.seats).everybody

    created: float
    owner: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: str | None = None
    open: bool = False
    """Whether anybody may find it and sit down."""
    seeking: str | None = None
    """What somebody who looks for an opponent wants to play; whoever wants the same is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRow:
    actor: str
    member: str
    text: str
    key: str | None = None
    """What its sender called it; of rows sent together the first has it."""
    at: float = 0.0
    """Wall time."""
    spent: float = 0.0


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a table without reading its rows."""

    over: bool = False
    due: float | None = None
    """When the server has to look at it again; wall time."""


class _Write(NamedTuple):
    work: Callable[[sql.Connection], Any] | None
    rows: Sequence[Mapping[str, Any]]
    """Of tables, beside that work."""
    done: asyncio.Future[Any]


class Store:
    def __init__(self, url: str) -> None:
        self.engine = sql.create_engine(url, hide_parameters=True)
        if self.engine.dialect.name == "sqlite":
            _prepare_sqlite(self.engine)
        try:
            migrate(self.engine)
        except (SQLAlchemyError, TooNew) as error:
            raise _not_stored(error) from error
        self._for_writing = self.engine.execution_options(kibitz_writes=True)
        self._waiting: SimpleQueue[_Write | None] = SimpleQueue()
        self._run: int | None = None
        self._writer = Thread(target=self._write_all, name="kibitz-writer", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Write what is waiting, then stop."""
        self._waiting.put(None)
        self._writer.join()
        self.engine.dispose()

    async def open_table(self, table: StoredTable, standing: Standing) -> None:
        """Write down a new table; who is at it finds it among theirs."""
        values = {name: getattr(table, name) for name in StoredTable.__dataclass_fields__}
        values |= {"over": standing.over, "due": standing.due}
        everybody = table.members | {table.owner}
        visits = [_visit(table.id, each, "seat", table.created) for each in everybody]

        def write(connection: sql.Connection) -> None:
            connection.execute(TABLE.insert(), values)
            connection.execute(VISIT.insert(), visits)

        await self._write(write)

    async def append(
        self,
        table_id: str,
        seq: int,
        rows: Sequence[StoredRow],
        standing: Standing | None = None,
        came: str = "",
    ) -> None:
        """Write rows number `seq` and following, all or none; back when they are on disk.

        `standing` where it has changed; `came` is who has a place at the table from now on.
        Raises Raced or NotStored.
        """
        values = [
            {
                "table_id": table_id,
                "seq": number,
                "actor": row.actor,
                "member": row.member,
                "text": row.text,
                "key": row.key,
                "at": row.at,
                "spent": row.spent,
            }
            for number, row in enumerate(rows, seq)
        ]

        def write(connection: sql.Connection) -> None:
            if standing:
                changed = {"over": standing.over, "due": standing.due}
                connection.execute(TABLE.update().where(TABLE.c.id == table_id).values(changed))
            if came:
                _set_visit(connection, _visit(table_id, came, "seat", rows[0].at))

        await self._write(write if standing or came else None, values)

    async def visit(self, table_id: str, member: str, role: str) -> None:
        """Somebody may look at a table from now on, though they have no seat."""
        visit = _visit(table_id, member, role, time.time())
        await self._write(lambda connection: _set_visit(connection, visit))

    async def role_of(self, table_id: str, member: str) -> str | None:
        """What somebody came to a table as; None where they have never been."""
        wanted = (VISIT.c.table_id == table_id) & (VISIT.c.member == member)
        found = await self._read(sql.select(VISIT.c.role).where(wanted))
        return found[0][0] if found else None

    async def table(self, table_id: str) -> StoredTable | None:
        found = await self._read(sql.select(*_FIXED).where(TABLE.c.id == table_id))
        return next((StoredTable(**entry._mapping) for entry in found), None)

    async def rows(self, table_id: str) -> tuple[StoredRow, ...]:
        columns = ROW.c.actor, ROW.c.member, ROW.c.text, ROW.c.key, ROW.c.at, ROW.c.spent
        query = sql.select(*columns).where(ROW.c.table_id == table_id).order_by(ROW.c.seq)
        return tuple(StoredRow(**entry._mapping) for entry in await self._read(query))

    async def seq(self, table_id: str) -> int:
        """How many rows a table has."""
        query = sql.select(sql.func.max(ROW.c.seq)).where(ROW.c.table_id == table_id)
        latest: int | None = (await self._read(query))[0][0]
        return 0 if latest is None else latest + 1

    async def tables_of(self, member: str, most: int) -> tuple[StoredTable, ...]:
        """Where somebody has a seat, or opened the table, the latest used first."""
        used = sql.func.coalesce(sql.func.max(ROW.c.at), TABLE.c.created)
        query = (
            sql.select(*_FIXED)
            .select_from(TABLE.join(VISIT).outerjoin(ROW, ROW.c.table_id == TABLE.c.id))
            .where((VISIT.c.member == member) & (VISIT.c.role == "seat"))
            .group_by(TABLE.c.id)
            .order_by(used.desc())
            .limit(most)
        )
        return tuple(StoredTable(**entry._mapping) for entry in await self._read(query))

    async def open_tables(self, most: int) -> tuple[str, ...]:
        """The ids of tables that anybody may find, the latest first."""
        query = (
            sql.select(TABLE.c.id)
            .where(TABLE.c.open & ~TABLE.c.over)
            .order_by(TABLE.c.created.desc())
            .limit(most)
        )
        return tuple(entry[0] for entry in await self._read(query))

    async def sought(self, wish: str, since: float) -> tuple[str, ...]:
        """The ids of tables where somebody looks for an opponent, the longest wait first."""
        wanted = (TABLE.c.seeking == wish) & ~TABLE.c.over & (TABLE.c.created > since)
        query = sql.select(TABLE.c.id).where(wanted).order_by(TABLE.c.created).limit(50)
        return tuple(entry[0] for entry in await self._read(query))

    async def due(self) -> dict[str, float]:
        """When the server has to look at which table."""
        query = sql.select(TABLE.c.id, TABLE.c.due).where(TABLE.c.due.is_not(None))
        return {entry[0]: entry[1] for entry in await self._read(query)}

    async def name(self, member: str) -> str:
        """What somebody wants to be called; empty where they never said."""
        found = await self._read(sql.select(GUEST.c.name).where(GUEST.c.id == member))
        return found[0][0] if found else ""

    async def call(self, member: str, name: str) -> None:
        def write(connection: sql.Connection) -> None:
            renamed = GUEST.update().where(GUEST.c.id == member).values(name=name)
            if not connection.execute(renamed).rowcount:
                values = {"id": member, "name": name, "created": time.time()}
                connection.execute(GUEST.insert(), values)

        await self._write(write)

    async def beat(self) -> None:
        """Write down that the server is up."""
        now = time.time()

        def write(connection: sql.Connection) -> int:
            seen = UPTIME.update().where(UPTIME.c.id == self._run).values(seen=now)
            if self._run is not None and connection.execute(seen).rowcount:
                return self._run
            values = {"started": now, "seen": now}
            made = connection.execute(UPTIME.insert(), values).inserted_primary_key
            assert made
            return int(made[0])

        self._run = await self._write(write)

    async def uptimes(self) -> tuple[tuple[float, float], ...]:
        """From when to when a server was up, by what it could still write down."""
        query = sql.select(UPTIME.c.started, UPTIME.c.seen).order_by(UPTIME.c.started)
        return tuple((entry[0], entry[1]) for entry in await self._read(query))

    async def _read(self, query: sql.Select[Any]) -> Sequence[Any]:
        def read() -> Sequence[Any]:
            with self.engine.connect() as connection:
                return connection.execute(query).all()

        return await to_thread.run_sync(read)

    async def _write(
        self,
        work: Callable[[sql.Connection], T] | None,
        rows: Sequence[Mapping[str, Any]] = (),
    ) -> T:
        if self._waiting.qsize() > MOST_WAITING:
            raise NotStored("too much is waiting to be written")
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.put(_Write(work, rows, done))
        return await done

    def _write_all(self) -> None:
        while (first := self._waiting.get()) is not None:
            group, closing = [first], False
            with suppress(Empty):
                while len(group) < GROUP and not closing:
                    following = self._waiting.get_nowait()
                    if following is None:
                        closing = True
                    else:
                        group.append(following)
            self._write_group([each for each in group if not each.done.cancelled()])
            if closing:
                return

    def _write_group(self, group: Sequence[_Write]) -> None:
        """Write a group in one transaction. Should one lose a race, write it again with care."""
        try:
            try:
                with self._for_writing.begin() as connection:
                    results = _together(connection, group)
            except IntegrityError:
                with self._for_writing.begin() as connection:
                    results = [_on_its_own(connection, each) for each in group]
        except Exception as error:
            log.error("could not write: %s", error)
            results = [_not_stored(error) for _ in group]
        _tell(list(zip((each.done for each in group), results, strict=True)))


def _tell(results: Sequence[tuple[asyncio.Future[Any], Any]]) -> None:
    """Wake those who wait, all of a loop at once: that costs as much as it would for one."""
    for loop in {done.get_loop() for done, _ in results}:
        ours = [(done, result) for done, result in results if done.get_loop() is loop]
        with suppress(RuntimeError):  # The loop is closed, and nobody waits any more.
            loop.call_soon_threadsafe(_settle, ours)


def _settle(results: Sequence[tuple[asyncio.Future[Any], Any]]) -> None:
    for done, result in results:
        if done.done():
            continue
        if isinstance(result, Exception):
            done.set_exception(result)
        else:
            done.set_result(result)


def _together(connection: sql.Connection, group: Sequence[_Write]) -> list[Any]:
    """All rows go in one statement: most of what one costs is paid once."""
    results = [each.work(connection) if each.work else None for each in group]
    if rows := [row for each in group for row in each.rows]:
        connection.execute(_ADD_ROWS, rows)
    return results


def _on_its_own(connection: sql.Connection, each: _Write) -> Any:
    """Savepoints cost more than the rows between them, so they wait until they are needed."""
    try:
        with connection.begin_nested():
            return _together(connection, [each])[0]
    except IntegrityError:
        return Raced()
    except SQLAlchemyError as error:
        return _not_stored(error)


def _visit(table_id: str, member: str, role: str, at: float) -> dict[str, Any]:
    return {"table_id": table_id, "member": member, "role": role, "at": at}


def _set_visit(connection: sql.Connection, visit: Mapping[str, Any]) -> None:
    """Who has had a seat keeps what that opens."""
    same = (VISIT.c.table_id == visit["table_id"]) & (VISIT.c.member == visit["member"])
    role = connection.execute(sql.select(VISIT.c.role).where(same)).scalar()
    if role is None:
        connection.execute(VISIT.insert(), [visit])
    elif role != "seat":
        connection.execute(VISIT.update().where(same).values(role=visit["role"]))


_ADD_ROWS = ROW.insert()
_FIXED = tuple(TABLE.c[name] for name in StoredTable.__dataclass_fields__)


def open_store(data: Path) -> Store:
    """The store in a folder, made where it is missing."""
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    return Store(f"sqlite:///{data / FILE}")


def _not_stored(error: Exception) -> NotStored:
    return NotStored(str(getattr(error, "orig", None) or error))


def _prepare_sqlite(engine: sql.Engine) -> None:
    """Write-ahead log, a commit waits for the disk, and transactions as SQLAlchemy means them.

    Python's driver opens transactions by guessing; without that, savepoints work.
    """

    @sql.event.listens_for(engine, "connect")
    def connect(connection: Any, record: Any) -> None:
        connection.isolation_level = None
        for pragma in (
            "busy_timeout=5000",
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    @sql.event.listens_for(engine, "begin")
    def begin(connection: sql.Connection) -> None:
        writes = connection.get_execution_options().get("kibitz_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
