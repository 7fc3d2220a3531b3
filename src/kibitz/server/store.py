"""The log on disk: tables and their rows.

One thread writes. Everything that waits for it shares one transaction, and so one wait for
the disk; a write is over only when that transaction is. The key (table, seq) decides races.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sql
from anyio import to_thread
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

T = TypeVar("T")
log = logging.getLogger(__name__)

FILE = "kibitz.db"
GROUP = 256
"""At most so many writes share a transaction."""

METADATA = sql.MetaData()
TABLE = sql.Table(
    "table",
    METADATA,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("game", sql.String, nullable=False),
    sql.Column("rules", sql.String, nullable=False),
    sql.Column("options", sql.JSON, nullable=False),
    sql.Column("start", sql.Text, nullable=False),
    sql.Column("seats", sql.JSON, nullable=False),
    sql.Column("created", sql.Double, nullable=False),
    sql.Column("owner", sql.String, nullable=False, index=True),
)
ROW = sql.Table(
    "row",
    METADATA,
    sql.Column("table_id", sql.ForeignKey(TABLE.c.id), primary_key=True),
    sql.Column("seq", sql.Integer, primary_key=True),
    sql.Column("actor", sql.String, nullable=False),
    sql.Column("member", sql.String, nullable=False),
    sql.Column("text", sql.Text, nullable=False),
    sql.Column("key", sql.String),
    sql.Column("at", sql.Double, nullable=False),
    sql.Index("row_key", "table_id", "key", unique=True),
)


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
    seats: Mapping[str, Mapping[str, str]]
    """By seat: `{"member": "<guest>"}` or `{"bot": "<name>"}`."""
    created: float
    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRow:
    actor: str
    member: str
    text: str
    key: str | None = None
    """What its sender called it; of rows sent together the first has it."""


class _Write(NamedTuple):
    work: Callable[[sql.Connection], Any]
    done: Future[Any]


class Store:
    def __init__(self, url: str) -> None:
        self.engine = sql.create_engine(url)
        if self.engine.dialect.name == "sqlite":
            _prepare_sqlite(self.engine)
        try:
            METADATA.create_all(self.engine)
        except SQLAlchemyError as error:
            raise _not_stored(error) from error
        self._for_writing = self.engine.execution_options(kibitz_writes=True)
        self._waiting: SimpleQueue[_Write | None] = SimpleQueue()
        self._writer = Thread(target=self._write_all, name="kibitz-writer", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Write what is waiting, then stop."""
        self._waiting.put(None)
        self._writer.join()
        self.engine.dispose()

    async def open_table(self, table: StoredTable) -> None:
        values = {column.name: getattr(table, column.name) for column in TABLE.columns}
        await self._write(lambda connection: connection.execute(TABLE.insert(), values))

    async def append(self, table_id: str, seq: int, rows: Sequence[StoredRow]) -> None:
        """Write rows number `seq` and following, all or none; back when they are on disk.

        Raises Raced or NotStored.
        """
        now = time.time()
        values = [
            {
                "table_id": table_id,
                "seq": number,
                "actor": row.actor,
                "member": row.member,
                "text": row.text,
                "key": row.key,
                "at": now,
            }
            for number, row in enumerate(rows, seq)
        ]
        await self._write(lambda connection: connection.execute(ROW.insert(), values))

    async def table(self, table_id: str) -> StoredTable | None:
        found = await self._read(TABLE.select().where(TABLE.c.id == table_id))
        return next((StoredTable(**entry._mapping) for entry in found), None)

    async def rows(self, table_id: str) -> tuple[StoredRow, ...]:
        columns = ROW.c.actor, ROW.c.member, ROW.c.text, ROW.c.key
        query = sql.select(*columns).where(ROW.c.table_id == table_id).order_by(ROW.c.seq)
        return tuple(StoredRow(**entry._mapping) for entry in await self._read(query))

    async def seq(self, table_id: str) -> int:
        """How many rows a table has."""
        query = sql.select(sql.func.max(ROW.c.seq)).where(ROW.c.table_id == table_id)
        latest: int | None = (await self._read(query))[0][0]
        return 0 if latest is None else latest + 1

    async def tables_of(self, owner: str, most: int) -> tuple[StoredTable, ...]:
        """Somebody's tables, the latest used first."""
        used = sql.func.coalesce(sql.func.max(ROW.c.at), TABLE.c.created)
        query = (
            sql.select(TABLE)
            .outerjoin(ROW)
            .where(TABLE.c.owner == owner)
            .group_by(TABLE.c.id)
            .order_by(used.desc())
            .limit(most)
        )
        return tuple(StoredTable(**entry._mapping) for entry in await self._read(query))

    async def _read(self, query: sql.Select[Any]) -> Sequence[sql.Row[Any]]:
        def read() -> Sequence[sql.Row[Any]]:
            with self.engine.connect() as connection:
                return connection.execute(query).all()

        return await to_thread.run_sync(read)

    async def _write(self, work: Callable[[sql.Connection], T]) -> T:
        done: Future[T] = Future()
        self._waiting.put(_Write(work, done))
        return await asyncio.wrap_future(done)

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
            self._write_group([each for each in group if each.done.set_running_or_notify_cancel()])
            if closing:
                return

    def _write_group(self, group: Sequence[_Write]) -> None:
        """Write a group in one transaction. Should one lose a race, write it again with care."""
        try:
            try:
                with self._for_writing.begin() as connection:
                    results = [each.work(connection) for each in group]
            except IntegrityError:
                with self._for_writing.begin() as connection:
                    results = [_on_its_own(connection, each) for each in group]
        except Exception as error:
            log.error("could not write: %s", error)
            results = [_not_stored(error) for _ in group]
        for each, result in zip(group, results, strict=True):
            if isinstance(result, Exception):
                each.done.set_exception(result)
            else:
                each.done.set_result(result)


def _on_its_own(connection: sql.Connection, each: _Write) -> Any:
    """Savepoints cost more than the rows between them, so they wait until they are needed."""
    try:
        with connection.begin_nested():
            return each.work(connection)
    except IntegrityError:
        return Raced()
    except SQLAlchemyError as error:
        return _not_stored(error)


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
