"""Requests without a task: in their order, each once, and nothing shown that is not on disk."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias, cast

import pytest

from kibitz.core.message import Refused
from kibitz.server.db.store import Store, StoredRow, StoreError, TableLease, open_store
from kibitz.server.tables.actions import ActRequest, NeedsTask, StaleRequest
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.registry import LiveTables
from server.tables.test_view_caching import open_live_table
from support.server_process import TIMEOUT_S

Result: TypeAlias = int | Exception


class Bench:
    """One table of Kalamala, and the answers to what is asked of it, as they come."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.tables = LiveTables(store, cast(BotPool, None))
        self.live: LiveTable = open_live_table("kalamala")
        self.answers: list[tuple[str, Result]] = []

    def asks(self, seat: str, text: str, key: str = "", seq: int | None = None) -> None:
        request = ActRequest(seat, seat, [text], seq, key or text)
        name = f"{seat} {text}"
        self.tables.actions.submit_soon(
            self.live, request, lambda result: self.answers.append((name, result))
        )

    async def settles(self) -> list[tuple[str, Result]]:
        async with asyncio.timeout(TIMEOUT_S):
            while self.live.changes.is_busy():
                await asyncio.sleep(0.01)
        return self.answers

    async def texts_on_disk(self) -> list[str]:
        return [row.text for row in await self.store.rows(self.live.id)]


def at_bench(folder: Path, play: Callable[[Bench], Awaitable[None]]) -> None:
    store = open_store(folder)

    async def run() -> None:
        bench = Bench(store)
        await store.open_table(bench.live.stored, TableLease())
        await play(bench)

    try:
        asyncio.run(run())
    finally:
        store.close()


def test_what_comes_meanwhile_waits_for_the_row_before_it(tmp_path: Path) -> None:
    async def play(bench: Bench) -> None:
        bench.asks("A", "@a1")
        bench.asks("B", "@h8")
        bench.asks("A", "@a1", key="again, elsewhere")
        assert bench.live.seq == 0, "nothing is shown that is not on disk"
        assert not bench.answers
        *done, (_, refused) = await bench.settles()
        assert done == [("A @a1", 1), ("B @h8", 2)]
        assert isinstance(refused, Refused)
        assert await bench.texts_on_disk() == ["@a1", "@h8"]

    at_bench(tmp_path, play)


def test_one_key_is_done_once_though_the_first_is_still_on_its_way(tmp_path: Path) -> None:
    async def play(bench: Bench) -> None:
        for _ in range(3):
            bench.asks("A", "@a1", key="once")
        bench.asks("B", "@h8", key="once")
        expected = [*[("A @a1", 1)] * 3, ("B @h8", 2)]
        assert await bench.settles() == expected, "keys are their sender's"
        assert await bench.texts_on_disk() == ["@a1", "@h8"]

    at_bench(tmp_path, play)


def test_a_request_that_was_meant_elsewhere_is_stale(tmp_path: Path) -> None:
    async def play(bench: Bench) -> None:
        bench.asks("A", "@a1", seq=0)
        bench.asks("A", "@h8", seq=0)
        (_, first), (_, second) = await bench.settles()
        assert first == 1
        assert isinstance(second, StaleRequest)

    at_bench(tmp_path, play)


def test_what_the_disk_does_not_take_has_not_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_rows, is_full = Store.put_rows, [True, False, False]

    def put_or_fail(
        self: Store, table_id: str, seq: int, rows: Any, finish: Any, *given: Any, **named: Any
    ) -> None:
        if is_full.pop(0):
            asyncio.get_running_loop().call_later(0.02, finish, StoreError("the disk is full"))
        else:
            put_rows(self, table_id, seq, rows, finish, *given, **named)

    monkeypatch.setattr(Store, "put_rows", put_or_fail)

    async def play(bench: Bench) -> None:
        bench.asks("A", "@a1")
        bench.asks("A", "@b1")
        bench.asks("B", "@h8")
        (_, failed), *others = await bench.settles()
        assert isinstance(failed, Refused)
        assert failed.refusal.id == "server.not-stored"
        assert others == [("A @b1", 1), ("B @h8", 2)]
        assert await bench.texts_on_disk() == ["@b1", "@h8"]

    at_bench(tmp_path, play)


def test_whoever_was_slower_than_another_writer_tries_again_in_a_task(tmp_path: Path) -> None:
    async def play(bench: Bench) -> None:
        row = StoredRow(actor="A", member="A", text="@c1", at=2.0)
        await bench.store.append_rows(bench.live.id, 0, [row])
        bench.asks("A", "@a1")
        ((_, result),) = await bench.settles()
        assert isinstance(result, NeedsTask)
        assert bench.live.seq == 0
        with pytest.raises(Refused):
            await bench.tables.actions.submit(bench.live, ActRequest("A", "A", ["@a1"], None, "k"))
        assert bench.live.seq == 1, "it has read what the other one wrote"

    at_bench(tmp_path, play)


@pytest.mark.parametrize("text", ["sit A", "stand B", "abort", "bot B greedy", "entropy A #00"])
def test_people_who_come_and_go_need_a_task(tmp_path: Path, text: str) -> None:
    async def play(bench: Bench) -> None:
        bench.asks("A", text)
        ((_, result),) = await bench.settles()
        assert isinstance(result, NeedsTask)
        assert not bench.live.changes.is_busy()

    at_bench(tmp_path, play)


def test_an_error_of_ours_leaves_the_table_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: Any) -> None:
        raise ZeroDivisionError

    async def play(bench: Bench) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(LiveTable, "dry_run", fail)
            bench.asks("A", "@a1")
        with monkeypatch.context() as patched:
            patched.setattr(LiveTable, "advance_to", fail)
            bench.asks("A", "@a1")
            await bench.settles()
        assert [type(result) for _, result in bench.answers] == [ZeroDivisionError] * 2
        assert not bench.live.changes.is_busy()

    at_bench(tmp_path, play)
