"""What somebody might try at a table that is not theirs to do; over a real server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from kibitz.server.db.store import open_store
from kibitz.server.tables.actions import ActRequest, StaleRequest
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.registry import LiveTables, NewTable
from kibitz.server.tables.settings import Fischer, TableSettings
from kibitz.server.tables.table_cache import MAX_IDLE_TABLES
from support.server_process import Guest, Server, api

BLUE = ["S@l1", "T@l2", "F@l3", "C@l4", "O@l5", "O@l6"]


def sends(guest: Guest, table: str, *texts: str, **more: Any) -> tuple[int, dict[str, Any]]:
    sent = {"key": uuid4().hex, "actions": texts, **more}
    answer = guest.client.post(api(table, "actions"), json=sent)
    return answer.status_code, answer.json()


@pytest.fixture
def match(server: Server) -> tuple[Guest, Guest, str, dict[str, str]]:
    """Kahmaté between Ann, who opened it, and Bob, whose line-up is committed."""
    ann, bob = Guest(server), Guest(server)
    table = ann.begins("kahmate", {"R": "me", "B": "free"})
    links = ann.links(table)
    bob.joins(links["B"])
    status, told = sends(bob, table, *BLUE, seat="B")
    assert status == 200, told
    return ann, bob, table, links


def test_a_run_is_made_of_actions(match: tuple[Guest, Guest, str, dict[str, str]]) -> None:
    ann, bob, table, links = match
    eve = Guest(ann.server)
    eve.joins(links["referee"])
    for guest, texts in (
        (ann, ("stand R", "sit B")),
        (eve, ("ask referee", "forfeit R because x")),
        (eve, ("ask referee", "sit B")),
        (bob, ("ask adjourn", "resign R")),
        (ann, ("agree", "forfeit B because x")),
    ):
        status, told = sends(guest, table, *texts)
        assert (status, told["type"]) == (422, "refused"), texts
    assert eve.reads(table)["is_over"] is False
    assert "sq-l1" not in ann.client.get(api(table, "view")).text.split("pc-")[-1]


def test_the_link_of_a_seat_is_spent_when_somebody_sits_there(
    match: tuple[Guest, Guest, str, dict[str, str]],
) -> None:
    ann, bob, table, links = match
    eve = Guest(ann.server)
    assert eve.follows(links["B"]).status_code == 409
    assert "B" not in ann.links(table)
    assert bob.joins(links["B"]) == "B"  # Whoever took the seat by it finds it again.
    assert eve.joins(bob.links(table)["B"]) == "B"  # They share it if they want to.


def test_a_referee_needs_the_word_of_both_sides(server: Server) -> None:
    ann, bob, eve = Guest(server), Guest(server), Guest(server)
    table = ann.begins("kahmate", {"R": "me", "B": "free"})
    links = ann.links(table)
    eve.joins(links["referee"])
    assert eve.reads(table)["table"]["request"] is None  # Not before all can be asked.
    bob.joins(links["B"])
    assert sends(eve, table, "ask referee")[0] == 200
    sends(ann, table, "agree")
    status, _ = sends(eve, table, "forfeit B because I say so")
    assert status == 422
    sends(bob, table, "agree")
    assert sends(eve, table, "forfeit B because he left")[0] == 200


def test_a_referee_adjourns_and_goes_on_from_the_menu(
    match: tuple[Guest, Guest, str, dict[str, str]],
) -> None:
    ann, bob, table, links = match
    eve = Guest(ann.server)
    eve.joins(links["referee"])
    for guest in (ann, bob):
        sends(guest, table, "agree")
    for word in ("adjourn", "continue"):
        menu = {item["text"]: item for item in eve.reads(table)["table"]["menu"]}
        assert menu[word]["needs_reason"]
        assert sends(eve, table, f"{word} because it is late")[0] == 200
        assert ann.reads(table)["table"]["is_adjourned"] == (word == "adjourn")
    assert "it is late" in ann.reads(table)["table"]["notes"][-1]["text"]


def test_a_bookkeeper_rules_only_where_the_game_says_so(
    match: tuple[Guest, Guest, str, dict[str, str]],
) -> None:
    ann, bob, table, links = match
    eve = Guest(ann.server)
    eve.joins(links["bookkeeper"])
    for guest in (ann, bob):
        assert sends(guest, table, "agree")[0] == 200
    assert sends(eve, table, "forfeit B because x")[0] == 422


def test_only_one_kind_of_bot_keeps_a_seat(
    match: tuple[Guest, Guest, str, dict[str, str]],
) -> None:
    ann, _, table, _ = match
    status, told = sends(ann, table, "ask fill-in B random")
    assert status == 422, told


async def open_live_table(tables: LiveTables, **more: Any) -> LiveTable:
    seats = {"A": ["ann"], "B": ["bob"]}
    table_id = await tables.open_table(NewTable(game="kalamala", host="ann", members=seats, **more))
    live = await tables.find_table(table_id)
    assert live
    return live


def test_no_table_is_in_memory_twice_however_many_there_are(tmp_path: Path) -> None:
    async def crowd() -> None:
        store = open_store(tmp_path)
        tables = LiveTables(store, BotPool())
        held = [await open_live_table(tables) for _ in range(MAX_IDLE_TABLES + 60)]
        for live in held:
            assert await tables.find_table(live.id) is live
        await tables.close()
        store.close()

    asyncio.run(crowd())


def test_who_acts_after_their_time_is_up_is_too_late(tmp_path: Path) -> None:
    async def late() -> None:
        store = open_store(tmp_path)
        tables = LiveTables(store, BotPool())
        settings = TableSettings(clock=Fischer(minutes=0.001, seconds=5))
        live = await open_live_table(tables, settings=settings)
        await tables.actions.submit(live, ActRequest("ann", "A", ["@a1"], 0))
        await asyncio.sleep(0.2)  # Nobody watches: the server has not begun.
        with pytest.raises(StaleRequest):
            await tables.actions.submit(live, ActRequest("bob", "B", ["@h8"], live.seq))
        assert live.table.record.result == "A"
        await tables.close()
        store.close()

    asyncio.run(late())
