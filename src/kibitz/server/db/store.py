"""The log on disk: tables and their rows, in a file or in PostgreSQL.

One thread writes. Everything that waits for it shares one transaction, and so one wait for
the disk; a write is over only when that transaction is. The key (table, seq) decides races.

A database on another machine may go away for a while: whoever asks it waits for it.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, TypeAlias, TypeVar

import sqlalchemy as sql
from anyio import to_thread
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    OperationalError,
    SQLAlchemyError,
)

from kibitz.core.values import FrozenValue
from kibitz.server import metrics, wall_clock
from kibitz.server.db.engine import dialect_insert, engine_for, error_text
from kibitz.server.db.schema import (
    GAME_TABLE,
    LOG_ROW,
    MEMBERSHIP,
    SERVER_SETTING,
    UPTIME,
    DatabaseTooNew,
    migrate,
)
from kibitz.server.settings import DATABASE_FILE
from kibitz.table.seating import people_at_opening

T = TypeVar("T")
Writer: TypeAlias = Callable[[sql.Connection], None]
"""Something to be written in a transaction of the store."""
RowValues: TypeAlias = tuple[Any, ...]
"""A row of a table by ROW_COLUMNS."""
log = logging.getLogger(__name__)

MAX_WRITES_PER_TRANSACTION = 256
"""At most so many writes share a transaction."""
MAX_QUEUED_WRITES = 10_000
"""More are refused at once."""
DB_TIMEOUT_S = 30.0
"""For so many seconds a database that went away is waited for."""
MAX_ROWS_PER_STATEMENT = 500
"""Of more rows than that SQLite would not take one statement."""
RETRY_DELAYS_S = 0.1, 1.0
"""The waits before it is asked again, at first and at most, in seconds."""
BANNED_ROLE = "banned"
"""The role of somebody who was sent away since."""


class WriteConflict(Exception):
    """Somebody else wrote that row first."""


class StoreError(Exception):
    """The database could not take it; nothing was written."""


class StoreUnreachable(StoreError):
    """The database could not even be asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTable:
    """The part of a table that is fixed when it opens."""

    id: str
    game: str
    rules_version: str
    options: Mapping[str, Any]
    start: str
    seats: Mapping[str, Mapping[str, Any]]
    """Those taken at once, by seat: `{"members": ["<guest>"]}` or `{"bot": "<name>"}`."""

    @property
    def members(self) -> frozenset[str]:
        return people_at_opening(self.owner, self.seats, self.seats).all_members

    created_at: float
    owner: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: str | None = None
    later_seeds: Sequence[str] = ()
    """Of envelopes that were closed since; the rows say which, and from when on."""
    is_open: bool = False
    """True if anybody may find it and sit down."""
    seek_key: str | None = None
    """The wish of somebody who looks for an opponent; whoever has the same is one."""


def stored_table(entry: sql.Row[Any]) -> StoredTable:
    """A table from its columns."""
    values = dict(entry._mapping)
    return StoredTable(**{**values, "later_seeds": tuple(values["later_seeds"])})


class StoredRow(FrozenValue, frozen=True, kw_only=True):
    actor: str
    member: str
    text: str
    key: str | None = None
    """The sender's key for it; of rows sent together the first has it."""
    at: float = 0.0
    """Wall time."""
    think_seconds: float = 0.0


class TableLease(FrozenValue, frozen=True):
    """The state of a table that is known without its rows."""

    is_over: bool = False
    due_at: float | None = None
    """When the server has to look at it again; wall time."""
    claimed_by: str | None = None
    claimed_until: float | None = None
    """Which worker does so, and until when it is left to it alone; wall time."""


class DisplayName(NamedTuple):
    name: str
    has_account: bool


class _Write(NamedTuple):
    work: Callable[[sql.Connection], Any] | None
    rows: Sequence[RowValues]
    """Of tables, beside that work."""
    loop: asyncio.AbstractEventLoop
    finish: Callable[[Any], None]
    """Called in that loop with the result, or with the exception that it ended in."""
    is_cancelled: Callable[[], bool]
    """True if nobody wants it any more."""


class Store:
    def __init__(self, url: str) -> None:
        self.engine = engine_for(url)
        self.is_shared = self.engine.dialect.name != "sqlite"
        """True if other workers may write to it, too."""
        try:
            _retry_until(lambda: migrate(self.engine), time.monotonic() + DB_TIMEOUT_S)
        except (SQLAlchemyError, DatabaseTooNew) as error:
            raise _store_error(error) from error
        self._writing_engine = self.engine.execution_options(kibitz_writes=True)
        self._write_queue: SimpleQueue[_Write | None] = SimpleQueue()
        self._uptime_id: int | None = None
        self._row_connection: sql.PoolProxiedConnection | None = None
        """The writing thread's own to a file, for rows alone."""
        self._writer = Thread(target=self._write_loop, name="kibitz-writer", daemon=True)
        self._writer.start()

    def close(self) -> None:
        """Write what is waiting, then stop."""
        self._write_queue.put(None)
        self._writer.join()
        if self._row_connection:
            self._row_connection.close()
        self.engine.dispose()

    async def open_table(self, table: StoredTable, lease: TableLease) -> None:
        """Write down a new table; who is at it finds it among theirs. A second time is harmless."""
        values = {name: getattr(table, name) for name in StoredTable.__dataclass_fields__}
        values |= _lease_values(lease)
        everybody = table.members | {table.owner}
        visits = [membership_values(table.id, each, "seat", table.created_at) for each in everybody]

        def write(connection: sql.Connection) -> None:
            for kind, entries in ((GAME_TABLE, [values]), (MEMBERSHIP, visits)):
                connection.execute(
                    dialect_insert(connection, kind).on_conflict_do_nothing(), entries
                )

        await self.write(write)

    async def append_rows(
        self,
        table_id: str,
        seq: int,
        rows: Sequence[StoredRow],
        lease: TableLease | None = None,
        came: str = "",
        also: Sequence[Writer] = (),
    ) -> None:
        """Write rows number `seq` and following, all or none; back when they are on disk.

        `lease` where it has changed; `came` is who has a place at the table from now on;
        `also` write something with them.
        Raises WriteConflict or StoreError.
        """
        done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        finish = partial(_resolve_future, done)
        self.put_rows(table_id, seq, rows, finish, lease, came, also, done.cancelled)
        await done

    def put_rows(
        self,
        table_id: str,
        seq: int,
        rows: Sequence[StoredRow],
        finish: Callable[[Any], None],
        lease: TableLease | None = None,
        came: str = "",
        also: Sequence[Writer] = (),
        is_cancelled: Callable[[], bool] = bool,
    ) -> None:
        """Begin what `append_rows` does. `finish` is called in this loop when they are on disk, or
        with WriteConflict or StoreError. Raises StoreError where too much waits to be written."""
        values = [
            (
                *(table_id, number, row.actor, row.member, row.text),
                *(row.key, row.at, row.think_seconds),
            )
            for number, row in enumerate(rows, seq)
        ]
        began_at = time.perf_counter()

        def write(connection: sql.Connection) -> None:
            if lease:
                changed = GAME_TABLE.update().where(GAME_TABLE.c.id == table_id)
                connection.execute(changed.values(_lease_values(lease)))
            if came:
                upsert_membership(connection, membership_values(table_id, came, "seat", rows[0].at))
            for each in also:
                each(connection)

        def finish_measured(result: Any) -> None:
            metrics.APPEND_SECONDS.observe(time.perf_counter() - began_at)
            finish(result)

        work = write if lease or came or also else None
        self._put(work, values, finish_measured, is_cancelled)

    async def table(self, table_id: str) -> StoredTable | None:
        found = await self.read(sql.select(*TABLE_COLUMNS).where(GAME_TABLE.c.id == table_id))
        return next((stored_table(entry) for entry in found), None)

    async def rows(self, table_id: str, since: int = 0) -> tuple[StoredRow, ...]:
        """Of a table, from number `since` on."""
        columns = (
            LOG_ROW.c.actor,
            LOG_ROW.c.member,
            LOG_ROW.c.text,
            LOG_ROW.c.key,
            LOG_ROW.c.at,
            LOG_ROW.c.think_seconds,
        )
        wanted = (LOG_ROW.c.table_id == table_id) & (LOG_ROW.c.seq >= since)
        query = sql.select(*columns).where(wanted).order_by(LOG_ROW.c.seq)
        return tuple(StoredRow(**entry._mapping) for entry in await self.read(query))

    async def row_count(self, table_id: str) -> int:
        """The number of rows of a table."""
        query = sql.select(sql.func.max(LOG_ROW.c.seq)).where(LOG_ROW.c.table_id == table_id)
        latest: int | None = (await self.read(query))[0][0]
        return 0 if latest is None else latest + 1

    async def row_counts(self, table_ids: Collection[str]) -> dict[str, int]:
        """The number of rows of each of these tables."""
        query = (
            sql.select(LOG_ROW.c.table_id, sql.func.max(LOG_ROW.c.seq))
            .where(LOG_ROW.c.table_id.in_(table_ids))
            .group_by(LOG_ROW.c.table_id)
        )
        latest = {entry[0]: entry[1] for entry in await self.read(query)} if table_ids else {}
        return {id: latest.get(id, -1) + 1 for id in table_ids}

    async def open_table_ids(self, most: int) -> tuple[str, ...]:
        """The ids of tables that anybody may find, the latest first."""
        query = (
            sql.select(GAME_TABLE.c.id)
            .where(GAME_TABLE.c.is_open & ~GAME_TABLE.c.is_over)
            .order_by(GAME_TABLE.c.created_at.desc())
            .limit(most)
        )
        return tuple(entry[0] for entry in await self.read(query))

    async def seek_table_ids(self, wish: str, since: float) -> tuple[str, ...]:
        """The ids of tables where somebody looks for an opponent, the longest wait first."""
        wanted = (
            (GAME_TABLE.c.seek_key == wish)
            & ~GAME_TABLE.c.is_over
            & (GAME_TABLE.c.created_at > since)
        )
        query = (
            sql.select(GAME_TABLE.c.id).where(wanted).order_by(GAME_TABLE.c.created_at).limit(50)
        )
        return tuple(entry[0] for entry in await self.read(query))

    # The server

    def get_or_create_setting(self, name: str, value: str) -> str:
        """The value that all workers share under a name: the first one's."""

        def read_or_insert() -> str:
            with self._writing_engine.begin() as connection:
                adding = dialect_insert(connection, SERVER_SETTING).values(name=name, value=value)
                connection.execute(adding.on_conflict_do_nothing())
                found = sql.select(SERVER_SETTING.c.value).where(SERVER_SETTING.c.name == name)
                return str(connection.execute(found).scalar_one())

        try:
            return _retry_until(read_or_insert, time.monotonic() + DB_TIMEOUT_S)
        except SQLAlchemyError as error:
            raise _store_error(error) from error

    async def empty_write_ahead_log(self) -> None:
        """Leave nothing of what was deleted in the log beside a file."""
        if self.is_shared:
            return

        def checkpoint() -> None:
            with self.engine.connect() as connection:
                # Not by SQLAlchemy, which would begin a transaction first.
                connection.connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

        with suppress(OperationalError, sqlite3.Error):
            await to_thread.run_sync(checkpoint)

    async def write_heartbeat(self, anew: bool = False) -> None:
        """Write down that the server is up; `anew` where it has not been all the time."""
        self._uptime_id = None if anew else self._uptime_id
        now = wall_clock.now()

        def write(connection: sql.Connection) -> int:
            seen = UPTIME.update().where(UPTIME.c.id == self._uptime_id).values(seen_at=now)
            if self._uptime_id is not None and connection.execute(seen).rowcount:
                return self._uptime_id
            values = {"started_at": now, "seen_at": now}
            made = connection.execute(UPTIME.insert(), values).inserted_primary_key
            assert made
            return int(made[0])

        self._uptime_id = await self.write(write)

    async def uptimes(self) -> tuple[tuple[float, float], ...]:
        """From when to when a server was up, by what it could still write down."""
        query = sql.select(UPTIME.c.started_at, UPTIME.c.seen_at).order_by(UPTIME.c.started_at)
        return tuple((entry[0], entry[1]) for entry in await self.read(query))

    async def read(self, query: sql.Select[Any] | sql.CompoundSelect[Any]) -> Sequence[Any]:
        def read() -> Sequence[Any]:
            with self.engine.connect() as connection:
                return connection.execute(query).all()

        try:
            return await to_thread.run_sync(_retry_until, read, time.monotonic() + DB_TIMEOUT_S)
        except OperationalError as error:
            raise StoreUnreachable(error_text(error)) from error

    async def execute(self, change: sql.Update | sql.Insert | sql.Delete) -> int:
        """Run a change; the number of entries it was about."""
        return await self.write(lambda connection: connection.execute(change).rowcount)

    async def write(self, work: Callable[[sql.Connection], T]) -> T:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._put(work, (), partial(_resolve_future, done), done.cancelled)
        return await done

    def _put(
        self,
        work: Callable[[sql.Connection], Any] | None,
        rows: Sequence[RowValues],
        finish: Callable[[Any], None],
        is_cancelled: Callable[[], bool],
    ) -> None:
        if self._write_queue.qsize() > MAX_QUEUED_WRITES:
            raise StoreError("too much is waiting to be written")
        loop = asyncio.get_running_loop()
        self._write_queue.put(_Write(work, rows, loop, finish, is_cancelled))

    def _write_loop(self) -> None:
        while (first := self._write_queue.get()) is not None:
            group, closing = [first], False
            with suppress(Empty):
                while len(group) < MAX_WRITES_PER_TRANSACTION and not closing:
                    following = self._write_queue.get_nowait()
                    if following is None:
                        closing = True
                    else:
                        group.append(following)
            self._write_group([each for each in group if not each.is_cancelled()])
            if closing:
                return

    def _write_group(self, group: Sequence[_Write]) -> None:
        """Write a group in one transaction. Should one lose a race, or be what the
        database cannot keep, each has its own.

        In a fixed order: two workers that write to the same tables never wait for each other.
        """
        group, deadline = sorted(group, key=_write_order), time.monotonic() + DB_TIMEOUT_S
        metrics.WRITE_GROUP_SIZES.observe(len(group))
        results: list[Any] = [None] * len(group)
        try:
            if self._insert_rows(group):
                return
            with self._writing_engine.begin() as connection:
                results = _run_writes(connection, group)
        except (IntegrityError, OperationalError, DataError) as error:
            if self.is_shared or isinstance(error, IntegrityError | DataError):
                results = [self._write_alone(each, deadline) for each in group]
            else:
                results = _failure_results(error, group)
        except Exception as error:
            results = _failure_results(error, group)
        finally:
            _finish_writes(group, results)

    def _insert_rows(self, group: Sequence[_Write]) -> bool:
        """Write a group of nothing but rows to a file, by one statement that is a transaction by
        itself; True if they are on disk. Else nothing is written, whatever the reason: then it is
        done as everything else is.

        SQLAlchemy costs several times what SQLite does, and each of the many calls of a transaction
        waits for its turn among the threads.
        """
        rows = [row for each in group for row in each.rows]
        is_plain = not any(each.work for each in group)
        if self.is_shared or not is_plain or not 0 < len(rows) <= MAX_ROWS_PER_STATEMENT:
            return False
        if self._row_connection is None:
            self._row_connection = self.engine.raw_connection()
        values = [value for row in rows for value in row]
        driver = self._row_connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        with suppress(sqlite3.Error):
            driver.execute(_INSERT_ROWS + ",".join([_ROW_PLACEHOLDERS] * len(rows)), values)
            return True
        return False

    def _write_alone(self, each: _Write, deadline: float) -> Any:
        """The result of a write, or the exception that it ends in."""

        def write() -> Any:
            with self._writing_engine.begin() as connection:
                if each.rows and _is_already_written(connection, each.rows):
                    return None
                return _run_writes(connection, [each])[0]

        try:
            return _retry_until(write, deadline)
        except IntegrityError:
            return WriteConflict()
        except Exception as error:
            return _failure_results(error, [each])[0]


def _retry_until(work: Callable[[], T], deadline: float) -> T:
    """Do it again where the database is not there, or wants it done again."""
    wait = RETRY_DELAYS_S[0]
    while True:
        try:
            done = work()
        except DBAPIError as error:
            if not _is_transient(error):
                raise
            _OUTAGE.log_start(error_text(error))
            if time.monotonic() + wait > deadline:
                raise
        else:
            _OUTAGE.log_end()
            return done
        metrics.DATABASE_RETRIES.count()
        time.sleep(wait)
        wait = min(2 * wait, RETRY_DELAYS_S[1])


class _Outage:
    """That the database does not answer is said once, and that it does again, however many ask."""

    def __init__(self) -> None:
        self._since: float | None = None

    def log_start(self, why: str) -> None:
        if self._since is None:
            self._since = time.monotonic()
            log.warning("the database is waited for: %s", why)

    def log_end(self) -> None:
        since, self._since = self._since, None
        if since is not None:
            log.warning("the database answers again after %.1f s", time.monotonic() - since)


_OUTAGE = _Outage()


def _is_transient(error: DBAPIError) -> bool:
    """True for a lost connection or a deadlock: another try may work."""
    if isinstance(error.orig, sqlite3.Error) or not isinstance(error, OperationalError):
        return False
    code = getattr(error.orig, "sqlstate", None)
    return error.connection_invalidated or code is None or code.startswith(TRANSIENT_SQLSTATES)


TRANSIENT_SQLSTATES = "08", "40", "53", "57"
"""PostgreSQL's codes for: no connection; a deadlock; too many connections; not up."""


def _is_already_written(connection: sql.Connection, rows: Sequence[RowValues]) -> bool:
    """True if these very rows have been written: a commit whose answer was lost may have been."""
    first = _row_mapping(rows[0])
    same = (LOG_ROW.c.table_id == first["table_id"]) & (LOG_ROW.c.seq == first["seq"])
    found = connection.execute(sql.select(LOG_ROW).where(same)).mappings().first()
    return found is not None and dict(found) == first


def _failure_results(error: Exception, group: Sequence[_Write]) -> list[Any]:
    log.error("could not write: %s", error_text(error))
    return [_store_error(error) for _ in group]


def _write_order(each: _Write) -> str:
    return str(each.rows[0][0]) if each.rows else ""


def _finish_writes(group: Sequence[_Write], results: Sequence[Any]) -> None:
    """Wake those who wait, all of a loop at once: that costs as much as it would for one."""
    finished = [*zip(group, results, strict=True)]
    for loop in {each.loop for each in group}:
        ours = [(each.finish, result) for each, result in finished if each.loop is loop]
        with suppress(RuntimeError):  # The loop is closed, and nobody waits any more.
            loop.call_soon_threadsafe(_call_each, ours)


def _call_each(results: Sequence[tuple[Callable[[Any], None], Any]]) -> None:
    for finish, result in results:
        try:
            finish(result)
        except Exception:  # The others are not to wait for ever because of one.
            log.exception("what was written could not be told")


def _resolve_future(done: asyncio.Future[Any], result: Any) -> None:
    if done.done():
        return
    if isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(result)


def _row_mapping(row: RowValues) -> dict[str, Any]:
    return dict(zip(ROW_COLUMNS, row, strict=True))


def _run_writes(connection: sql.Connection, group: Sequence[_Write]) -> list[Any]:
    """All rows go in one statement: most of what one costs is paid once."""
    results = [each.work(connection) if each.work else None for each in group]
    if rows := [row for each in group for row in each.rows]:
        connection.execute(_ADD_ROWS, [*map(_row_mapping, rows)])
    return results


def table_writer(table_id: str, **values: Any) -> Writer:
    """Writes down what has changed of a table beside its rows."""
    change = GAME_TABLE.update().where(GAME_TABLE.c.id == table_id).values(**values)

    def write(connection: sql.Connection) -> None:
        connection.execute(change)

    return write


def membership_values(table_id: str, member: str, role: str, at: float) -> dict[str, Any]:
    return {"table_id": table_id, "member": member, "role": role, "at": at}


def upsert_membership(connection: sql.Connection, visit: Mapping[str, Any]) -> None:
    """Write a membership. A seat once held stays known, and a removal stays."""
    adding = dialect_insert(connection, MEMBERSHIP).values(visit)
    connection.execute(
        adding.on_conflict_do_update(
            index_elements=["table_id", "member"],
            set_={"role": visit["role"]},
            where=MEMBERSHIP.c.role.not_in(("seat", BANNED_ROLE, visit["role"])),
        )
    )


def _quote_name(name: str) -> str:
    return f'"{name}"'


def _lease_values(lease: TableLease) -> dict[str, Any]:
    return {name: getattr(lease, name) for name in TableLease.__struct_fields__}


_ADD_ROWS = LOG_ROW.insert()
ROW_COLUMNS = "table_id", "seq", "actor", "member", "text", "key", "at", "think_seconds"
_INSERT_ROWS = f"INSERT INTO {LOG_ROW.name} ({','.join(map(_quote_name, ROW_COLUMNS))}) VALUES "
_ROW_PLACEHOLDERS = f"({','.join('?' * len(ROW_COLUMNS))})"
TABLE_COLUMNS = tuple(GAME_TABLE.c[name] for name in StoredTable.__dataclass_fields__)


def open_store(data: Path, database: str = "") -> Store:
    """The store in a folder, made where it is missing, or in a database of its own."""
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    if database:
        return Store(database)
    file = data / DATABASE_FILE
    with suppress(OSError):
        # It has passwords' hashes, seeds and hidden moves; what is beside it gets the same mode.
        file.touch(0o600)
        file.chmod(0o600)
    return Store(f"sqlite:///{file}")


def _store_error(error: Exception) -> StoreError:
    return StoreError(error_text(error))
