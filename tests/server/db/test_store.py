"""The log on disk: group commit, races, and errors that stay with whom they concern."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from msgspec.structs import replace

from kibitz.server.db.queries.memberships import tables_of
from kibitz.server.db.store import (
    MAX_ROWS_PER_STATEMENT,
    Store,
    StoredRow,
    StoredTable,
    StoreError,
    TableLease,
    WriteConflict,
    open_store,
)
from kibitz.server.settings import DATABASE_FILE
from support.cluster.needed import NEEDED
from support.cluster.servers import database_for


@pytest.fixture(params=["file", pytest.param("postgresql", marks=NEEDED)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    store = open_store(tmp_path, "" if request.param == "file" else database_for(tmp_path))
    asyncio.run(store.open_table(table("t", "ann"), TableLease()))
    yield store
    store.close()


def table(id: str, owner: str, created: float = 1.0) -> StoredTable:
    seats: dict[str, dict[str, Any]] = {"A": {"members": [owner]}, "B": {"bot": "greedy"}}
    options = {"turn_limit": 0}
    return StoredTable(
        id=id,
        game="kalamala",
        rules_version="1",
        start="start",
        owner=owner,
        created_at=created,
        seats=seats,
        options=options,
    )


def row(text: str, key: str | None = None) -> StoredRow:
    return StoredRow(actor="A", member="ann", text=text, key=key)


def texts(store: Store) -> list[str]:
    return [found.text for found in asyncio.run(store.rows("t"))]


def together(*writes: Coroutine[Any, Any, None]) -> list[BaseException | None]:
    async def gather_writes() -> list[BaseException | None]:
        return await asyncio.gather(*writes, return_exceptions=True)

    return asyncio.run(gather_writes())


def commits(store: Store, work: Callable[[], object]) -> int:
    count = 0

    def count_commit(connection: sql.Connection) -> None:
        nonlocal count
        count += 1

    sql.event.listen(store.engine, "commit", count_commit)
    work()
    sql.event.remove(store.engine, "commit", count_commit)
    return count


def test_what_is_written_is_read_back(store: Store, tmp_path: Path) -> None:
    rows = (row("@a1", "k1"), row("@b1"))
    asyncio.run(store.append_rows("t", 0, rows))
    asyncio.run(store.append_rows("t", 2, [row("@c1")]))
    assert asyncio.run(store.table("t")) == table("t", "ann")
    assert asyncio.run(store.rows("t")) == (*rows, row("@c1"))
    assert asyncio.run(store.row_count("t")) == 3
    assert asyncio.run(store.table("u")) is None


def test_many_appends_share_few_transactions(store: Store) -> None:
    writes = [store.append_rows("t", seq, [row(f"{seq}")]) for seq in range(500)]
    results: list[BaseException | None] = []
    made = commits(store, lambda: results.extend(together(*writes)))
    assert results == [None] * 500
    assert texts(store) == [str(seq) for seq in range(500)]
    assert made < 50


@pytest.mark.parametrize(
    ("count", "lease"), [(1, None), (500, None), (501, None), (1, TableLease())]
)
def test_rows_alone_are_one_statement_to_a_file_and_others_a_transaction(
    store: Store, count: int, lease: TableLease | None
) -> None:
    rows = [row(f"{number}", f"k{number}") for number in range(count)]
    is_one_statement = not store.is_shared and count <= MAX_ROWS_PER_STATEMENT and not lease
    made = commits(store, lambda: asyncio.run(store.append_rows("t", 0, rows, lease)))
    assert made == (0 if is_one_statement else 1)
    assert asyncio.run(store.rows("t")) == tuple(rows)


def test_a_lost_race_does_not_fail_its_neighbours(store: Store) -> None:
    results = together(
        store.append_rows("t", 0, [row("first")]),
        store.append_rows("t", 0, [row("late")]),
        store.append_rows("t", 1, [row("second")]),
    )
    assert [type(result) for result in results] == [type(None), WriteConflict, type(None)]
    assert texts(store) == ["first", "second"]


def test_rows_sent_together_are_written_together_or_not_at_all(store: Store) -> None:
    asyncio.run(store.append_rows("t", 0, [row("here first")]))
    results = together(
        store.append_rows("t", 0, [row("no"), row("nor this")]),
        store.append_rows("t", 1, [row("yes")]),
    )
    assert [type(result) for result in results] == [WriteConflict, type(None)]
    assert texts(store) == ["here first", "yes"]


def test_a_database_that_refuses_says_so_and_the_writer_goes_on(store: Store) -> None:
    does(store, "ALTER TABLE log_row ADD CONSTRAINT full_ CHECK (false)", REFUSING)
    with pytest.raises((StoreError, WriteConflict)):
        asyncio.run(store.append_rows("t", 0, [row("@a1")]))
    does(store, "ALTER TABLE log_row DROP CONSTRAINT full_", "DROP TRIGGER full_")
    does(store, "ALTER TABLE log_row RENAME TO away")
    with pytest.raises(StoreError, match=r"no such table|does not exist"):
        asyncio.run(store.append_rows("t", 0, [row("@a1")]))
    does(store, "ALTER TABLE away RENAME TO log_row")
    asyncio.run(store.append_rows("t", 0, [row("@a1")]))
    assert texts(store) == ["@a1"]


REFUSING = "CREATE TRIGGER full_ BEFORE INSERT ON log_row BEGIN SELECT RAISE(FAIL, 'full'); END"


def does(store: Store, statement: str, in_a_file: str = "") -> None:
    """Whatever another program might do to the database."""
    with store.engine.begin() as connection:
        connection.exec_driver_sql((not store.is_shared and in_a_file) or statement)


async def _append_at_last(store: Store) -> None:
    """What was given up may yet be written in between."""
    for _ in range(9):
        with suppress(WriteConflict):
            await store.append_rows("t", await store.row_count("t"), [row("@b1")])
            return
    raise AssertionError("always raced")


def test_a_write_nobody_waits_for_any_more_does_not_stop_the_writer(store: Store) -> None:
    async def impatient() -> None:
        waiting = asyncio.create_task(store.append_rows("t", 0, [row("@a1")]))
        await asyncio.sleep(0)
        waiting.cancel()

    asyncio.run(impatient())
    asyncio.run(_append_at_last(store))
    assert texts(store)[-1] == "@b1"


def test_somebodys_tables_come_latest_used_first(store: Store) -> None:
    for id, owner, created in (("old", "ann", 2.0), ("new", "ann", 3.0), ("bob's", "bob", 4.0)):
        asyncio.run(store.open_table(table(id, owner, created), TableLease()))
    asyncio.run(store.append_rows("old", 0, [replace(row("@a1"), at=9.0)]))
    found = asyncio.run(tables_of(store, "ann", 2))
    assert [each.id for each in found] == ["old", "new"]


def test_a_commit_waits_for_the_disk(store: Store) -> None:
    asked = ["PRAGMA journal_mode", "PRAGMA synchronous"]
    if store.is_shared:
        asked = ["SHOW fsync", "SHOW synchronous_commit"]
    with store.engine.connect() as connection:
        answers = [connection.exec_driver_sql(each).scalar() for each in asked]
    assert answers == (["on", "on"] if store.is_shared else ["wal", 2])


def test_a_folder_that_cannot_be_used_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / DATABASE_FILE).mkdir()
    with pytest.raises(StoreError, match="unable to open"):
        open_store(tmp_path)
