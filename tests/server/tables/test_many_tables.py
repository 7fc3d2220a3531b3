"""Many tables, many pages at one of them, many rows at once."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sql

from kibitz.bots.question import Question
from kibitz.core.message import Refused
from kibitz.server.db.store import StoredRow, open_store
from kibitz.server.phrases import Phrases
from kibitz.server.tables import actions, autoplay, protocol, table_cache
from kibitz.server.tables.actions import ActRequest
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.people_view import seat_views
from kibitz.server.tables.registry import LiveTables, NewTable
from kibitz.server.tables.viewers import ViewerSettings, phrases_at
from kibitz.table.autoplay import AutoplayStep, BotStatement, next_steps
from kibitz.table.table import AnyTable


@dataclass(eq=False)
class Page:
    """Somebody's page that remembers nothing."""

    member: str
    address: str = ""

    def notify_change(self) -> None:
        pass

    def notify_people(self) -> None:
        pass

    def notify_chat(self) -> None:
        pass


async def open_live_table(tables: LiveTables) -> LiveTable:
    opening = NewTable(game="kalamala", host="ann", members={"A": ["ann"], "B": ["bob"]})
    live = await tables.find_table(await tables.open_table(opening))
    assert live
    return live


def faces(live: LiveTable, settings: ViewerSettings, say: Phrases) -> list[protocol.SeatView]:
    """The seats as they are sent."""
    sent: list[Any] = [*seat_views(live, settings, say)]
    return [msgspec.json.decode(each, type=protocol.SeatView) for each in sent]


def here(live: LiveTable) -> list[bool]:
    """Who of both seats is there, as a spectator is told."""
    settings = ViewerSettings((), "en")
    return [seat.is_here for seat in faces(live, settings, phrases_at(live, "en"))]


def test_idle_tables_leave_memory_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two who come to a table at once must not sit at two tables of the same name."""
    monkeypatch.setattr(table_cache, "MAX_IDLE_TABLES", 2)

    async def come() -> None:
        store = open_store(tmp_path)
        tables = LiveTables(store, BotPool())
        watched = [await open_live_table(tables) for _ in range(5)]
        for live in watched:
            live.add_subscriber(Page("ann"))
        coming = [await open_live_table(tables) for _ in range(2)]
        idle = [weakref.ref(await open_live_table(tables)) for _ in range(12)]
        gc.collect()
        assert 0 < sum(each() is not None for each in idle) <= 4
        for live in (*watched, *coming):
            assert await tables.find_table(live.id) is live
        await tables.close()
        store.close()

    asyncio.run(come())


def test_who_has_two_pages_is_there_until_both_are_closed(tmp_path: Path) -> None:
    async def come_and_go() -> None:
        store = open_store(tmp_path)
        tables = LiveTables(store, BotPool())
        live = await open_live_table(tables)
        first, second = Page("bob"), Page("bob")
        seen = [here(live)]
        for happens, page in (
            (live.add_subscriber, first),
            (live.add_subscriber, second),
            (live.remove_subscriber, first),
            (live.remove_subscriber, second),
        ):
            happens(page)
            seen.append(here(live))
        assert [bob for _, bob in seen] == [False, True, True, True, False]
        await tables.close()
        store.close()

    asyncio.run(come_and_go())


def test_somebody_acts_while_a_bot_considers_what_to_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What it does then follows from the position that there is, not from the one before."""

    async def play() -> None:
        store = open_store(tmp_path)
        tables = LiveTables(store, BotPool())
        opening = NewTable(
            game="kalamala", host="ann", members={"A": ["ann"]}, bots={"B": "random"}
        )

        def steps(table: AnyTable, *asked: Any) -> Iterator[AutoplayStep]:
            yield BotStatement("B", ())
            yield from next_steps(table, *asked)

        async def muse(question: Question) -> None:
            live = await tables.find_table(question.match)
            if live and not live.table.rows:
                await tables.actions.submit(live, ActRequest("ann", "A", ["@a1"]))

        monkeypatch.setattr(autoplay, "next_steps", steps)
        monkeypatch.setattr(tables.bot_pool, "choose_statement", muse)
        live = await tables.find_table(await tables.open_table(opening))
        assert live
        tables.subscribe(live, Page("ann"))
        assert live.autoplay_task
        await live.autoplay_task
        assert [row.actor for row in live.table.rows] == ["A", "B"]
        await tables.close()
        store.close()

    asyncio.run(play())
    assert not caplog.records


def test_chance_does_nothing_where_somebody_gave_up_while_a_bot_thought(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        store = open_store(tmp_path)
        tables = LiveTables(store, BotPool())
        opening = NewTable(
            game="kalamala", host="ann", members={"A": ["ann"]}, bots={"B": "random"}
        )
        live = await tables.find_table(await tables.open_table(opening))
        assert live

        async def leave_it_to_chance(*asked: Any) -> str:
            await tables.actions.submit(live, ActRequest("ann", "A", ["resign A"]))
            return ""

        monkeypatch.setattr(tables.bot_pool, "choose_action", leave_it_to_chance)
        await tables.actions.submit(live, ActRequest("ann", "A", ["@a1"]))
        assert live.autoplay_task
        await live.autoplay_task
        assert [row.text for row in live.table.rows] == ["@a1", "resign A"]
        await tables.close()
        store.close()

    asyncio.run(play())
    assert not caplog.records


def test_a_new_face_is_seen_at_once(tmp_path: Path) -> None:
    async def sit_down() -> None:
        store = open_store(tmp_path)
        tables = LiveTables(store, BotPool())
        live = await tables.find_table(
            await tables.open_table(NewTable(game="kalamala", host="ann", members={"A": ["ann"]}))
        )
        assert live
        settings, say = ViewerSettings(("A",), "en"), phrases_at(live, "en")
        assert [seat.is_free for seat in faces(live, settings, say)] == [False, True]
        await tables.actions.submit(live, ActRequest("bob", "B", ["sit B 0"]))
        assert [seat.is_free for seat in faces(live, settings, say)] == [False, False]
        await tables.rename_member("bob", "Bob")
        assert faces(live, settings, say)[1].members == ["Bob"]
        assert [seat.is_to_act for seat in faces(live, settings, say)] == [True, False]
        await tables.actions.submit(live, ActRequest("ann", "A", ["@a1"]))
        assert [seat.is_to_act for seat in faces(live, settings, say)] == [False, True]
        await tables.close()
        store.close()

    asyncio.run(sit_down())


def test_rows_that_wait_together_are_written_by_few_statements(tmp_path: Path) -> None:
    async def write() -> int:
        store = open_store(tmp_path)
        tables = LiveTables(store, BotPool())
        lives = [await open_live_table(tables) for _ in range(20)]
        row = StoredRow(actor="A", member="ann", text="@a1")
        statements = 0

        def count_statement(_: Any, __: Any, statement: str, *more: Any) -> None:
            nonlocal statements
            statements += statement.startswith("INSERT")

        sql.event.listen(store.engine, "before_cursor_execute", count_statement)
        await asyncio.gather(*(store.append_rows(live.id, 0, [row]) for live in lives))
        assert [len(await store.rows(live.id)) for live in lives] == [1] * 20
        await tables.close()
        store.close()
        return statements

    assert asyncio.run(write()) < 10


@pytest.mark.parametrize(("limit", "most"), [("MAX_ROWS", 3), ("MAX_TABLE_LETTERS", 9)])
def test_a_table_has_room_for_so_much_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    """Three placements have nine letters; rows that were read again count as those that came."""
    monkeypatch.setattr(actions, limit, most)

    async def play() -> None:
        store = open_store(tmp_path)
        tables = LiveTables(store, BotPool())
        live = await open_live_table(tables)
        for seat, text in zip("ABA", ("@a1", "@b1", "@c1"), strict=True):
            await tables.actions.submit(
                live, ActRequest({"A": "ann", "B": "bob"}[seat], seat, [text])
            )
        again = LiveTables(store, BotPool())
        for others in (tables, again):
            found = await others.find_table(live.id)
            assert found
            with pytest.raises(Refused) as refused:
                await others.actions.submit(found, ActRequest("bob", "B", ["@d1"]))
            assert refused.value.refusal.id == "server.table-full"
            await others.close()
        store.close()

    asyncio.run(play())
