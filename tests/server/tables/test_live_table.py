"""Tables between people, with secrets and a die: what a later game will ask of the server."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from duel import DUEL
from kibitz.core.game import CHANCE
from kibitz.core.message import Refused
from kibitz.games import GAMES
from kibitz.server.db.store import StoredTable, TableLease, open_store
from kibitz.server.settings import DATABASE_FILE
from kibitz.server.tables.actions import ActRequest
from kibitz.server.tables.bot_pool import BotPool
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.registry import LiveTables
from kibitz.server.tables.view import refusal, render_view
from kibitz.server.tables.viewers import ViewerSettings

ANN, BOB, CLEO = (ViewerSettings(held, "en") for held in (("A",), ("B",), ()))


@pytest.fixture(autouse=True)
def _with_duel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "duel", DUEL)


@asynccontextmanager
async def evening(
    data: Path, game: str = "duel", other: str = "bob"
) -> AsyncIterator[tuple[LiveTables, LiveTable]]:
    """A duel, or another game, between Ann, who sits at the first seat, and Bob."""
    store = open_store(data)
    tables = LiveTables(store, BotPool())
    options = {"goal": 4} if game == "duel" else {}
    first, second = GAMES[game].game(options).seats
    seats = {first: {"members": ["ann"]}, second: {"members": [other]}}
    fixed: dict[str, Any] = {
        "game": game,
        "rules_version": "1",
        "start": "start",
        "options": options,
    }
    if not await store.table("t"):
        table = StoredTable(id="t", seats=seats, created_at=1.0, owner="ann", **fixed)
        await store.open_table(table, TableLease())
    live = await tables.find_table("t")
    assert live
    yield tables, live
    await tables.close()
    store.close()


async def send(tables: LiveTables, live: LiveTable, *lines: str) -> None:
    for line in lines:
        seat, text = line.split(": ")
        member = live.people.members[seat][0]
        await tables.actions.submit(
            live, ActRequest(member, seat, [text], live.seq, f"{live.seq} {line}")
        )
        if live.autoplay_task:
            await live.autoplay_task


def view_of(live: LiveTable, settings: ViewerSettings, since: int | None = None) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(render_view(live, settings, since))
    return made


@pytest.mark.parametrize("lines", ["A: c{card}", "B: c{card}", "B: wind/A: c{card}"])
def test_nobody_else_is_sent_anything_that_depends_on_a_hidden_card(
    tmp_path: Path, lines: str
) -> None:
    async def frames_of(card: int) -> list[str]:
        async with evening(tmp_path / str(card)) as (tables, live):
            await send(tables, live, *lines.format(card=card).split("/"))
            others = [BOB, CLEO] if lines.split("/")[-1].startswith("A") else [ANN, CLEO]
            return [render_view(live, each, since) for each in others for since in (None, 0)]

    first, second, third = (asyncio.run(frames_of(card)) for card in (1, 2, 3))
    assert first == second == third


def test_a_reveal_fills_in_the_log(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as (tables, live):
            await send(tables, live, "B: wind", "A: c3")
            assert [line["code"] for line in view_of(live, BOB)["log"]] == ["B wind", ""]
            assert [line["code"] for line in view_of(live, ANN)["log"]] == ["B wind", "c3"]
            before = live.seq
            await send(tables, live, "B: c3")
            after = view_of(live, BOB, before)
            assert after["log_from"] <= 1
            assert [line["code"] for line in after["log"]][-2:] == ["c3", "c3"]

    asyncio.run(play())


def test_the_die_falls_by_itself_and_stays(tmp_path: Path) -> None:
    async def play() -> list[str]:
        async with evening(tmp_path) as (tables, live):
            await send(tables, live, "A: c3", "B: c1")
            assert [row.actor for row in live.table.rows] == ["A", "B", CHANCE]
            assert live.table.rows[-1].text in ("r1", "r2", "r3")
            with pytest.raises(Refused, match=r"table\.binding"):
                await send(tables, live, "A: back 0")
            return [row.text for row in live.table.rows]

    async def texts_after_restart() -> list[str]:
        async with evening(tmp_path) as (_, live):
            return [row.text for row in live.table.rows]

    assert asyncio.run(play()) == asyncio.run(texts_after_restart())


def test_a_restart_forgets_nothing_of_what_others_did_meanwhile(tmp_path: Path) -> None:
    """A touch that waited for the server counts if what came between took nothing from it."""

    async def play() -> None:
        async with evening(tmp_path) as (tables, live):
            await send(tables, live, "B: wind")
            assert live.is_still_valid(0, "A")

    async def come_back() -> None:
        async with evening(tmp_path) as (tables, live):
            assert view_of(live, ANN, 0)["events"]
            assert not live.is_still_valid(0, "B")
            await tables.actions.submit(live, ActRequest("ann", "A", ["c1"], 0, "waited"))
            assert [row.text for row in live.table.rows] == ["wind", "c1"]

    asyncio.run(play())
    asyncio.run(come_back())


def test_a_person_is_asked_where_a_bot_just_agrees(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as (tables, live):
            await send(tables, live, "B: wind")
            assert view_of(live, BOB)["undo"] == {
                "text": "ask back 0",
                "label": "Ask for a takeback",
            }
            with pytest.raises(Refused, match=r"table\.others-must-agree"):
                await send(tables, live, "B: back 0")
            await send(tables, live, "B: ask back 0", "A: agree")
            assert live.table.record.actions == ()

    asyncio.run(play())


def test_out_of_turn_one_may_still_do_what_is_allowed_at_any_time(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as (tables, live):
            await send(tables, live, "A: c1")
            waiting = view_of(live, ANN)
            assert waiting["acting"] == "A"
            assert {*map(tuple, (o["actions"] for o in waiting["offers"]))} == {("A wind",)}
            assert waiting["title"] == "Basalt's turn"
            assert view_of(live, BOB)["title"] == "Your turn"

    asyncio.run(play())


def test_an_agreed_draw_has_no_winners(tmp_path: Path) -> None:
    async def over() -> dict[str, Any]:
        async with evening(tmp_path) as (tables, live):
            await send(tables, live, "A: ask draw", "B: agree")
            return view_of(live, CLEO)

    found = asyncio.run(over())
    assert (found["outcome"]["winners"], found["outcome"]["title"]) == ([], "Nobody won")
    assert found["status"] == ["0 to 0", "2 winds left"]


def test_second_thoughts_while_there_is_more_to_commit(tmp_path: Path) -> None:
    """Kahmaté is set up in secret, man by man: in turn by Red, and by Blue whenever Blue likes."""

    async def play() -> None:
        async with evening(tmp_path, "kahmate") as (tables, live):
            red, blue = ViewerSettings(("R",), "en"), ViewerSettings(("B",), "en")
            await send(tables, live, "R: S@b2", "B: S@l2", "B: T@l3")
            assert view_of(live, blue)["title"] == "Your turn"
            assert view_of(live, blue)["undo"] == {"text": "back 1", "label": "Take back"}
            assert view_of(live, red)["undo"] == {"text": "back 0", "label": "Take back"}
            before = render_view(live, red, None)
            await send(tables, live, "B: back 1")
            assert [action.kind for action in live.table.commitments_of("B")] == ["S"]
            after = view_of(live, red)
            assert after.pop("seq") == json.loads(before)["seq"] + 1
            assert after == {k: v for k, v in json.loads(before).items() if k != "seq"}
            await send(tables, live, "R: back 0", "R: S@b3")
            assert live.table.record.actions == ("S@b3",)
            assert [action.kind for action in live.table.commitments_of("B")] == ["S"]

    asyncio.run(play())


def test_on_one_device_second_thoughts_are_those_of_the_one_who_acts(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path, "kahmate", "ann") as (tables, live):
            shared = ViewerSettings(("R", "B"), "en", unveiled_seat="R")
            await send(tables, live, "R: S@b2", "R: T@b3")
            assert view_of(live, shared)["undo"]["text"] == "back 1"
            await send(tables, live, "R: back 1")
            rest = ("T@b3", "F@b4", "C@b5", "O@b6", "O@b7")
            await send(tables, live, *(f"R: {text}" for text in rest))
            veiled = view_of(live, shared)
            assert (veiled["curtain"]["seat"], veiled["undo"]) == ("B", None)
            assert [line["text"] for line in veiled["log"] if line["text"]] == [
                "Red's line-up is complete"
            ]
            lifted = view_of(live, ViewerSettings(("R", "B"), "en", unveiled_seat="B"))
            assert (lifted["acting"], lifted["undo"]) == ("B", None)
            await send(tables, live, "B: S@l2")
            lifted = view_of(live, ViewerSettings(("R", "B"), "en", unveiled_seat="B"))
            assert lifted["undo"]["text"] == "back 6"

    asyncio.run(play())


def test_what_the_disk_does_not_take_is_not_shown(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as (tables, live):
            before = render_view(live, CLEO, None)
            disk = sqlite3.connect(tmp_path / DATABASE_FILE)
            disk.execute("ALTER TABLE log_row RENAME TO away")
            disk.commit()
            with pytest.raises(Refused, match=r"server\.not-stored"):
                await send(tables, live, "B: wind")
            assert live.seq == 0
            assert render_view(live, CLEO, None) == before
            disk.execute("ALTER TABLE away RENAME TO log_row")
            disk.commit()
            disk.close()
            await send(tables, live, "B: wind")
            assert live.seq == 1

    asyncio.run(play())


def test_all_who_see_the_same_get_the_same_encoding(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as (tables, live):
            await send(tables, live, "B: wind")
            assert render_view(live, CLEO, 0) is render_view(live, ViewerSettings((), "en"), 0)
            assert render_view(live, CLEO, 0) != render_view(live, BOB, 0)

    asyncio.run(play())


def test_who_was_away_too_long_gets_the_whole_log(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as (tables, live):
            await send(tables, live, "B: wind", "A: wind")
            live.recent_effects.clear()
            late = view_of(live, CLEO, 0)
            assert (late["log_from"], len(late["log"]), late["events"]) == (0, 2, [])

    asyncio.run(play())


def test_a_refusal_without_a_paragraph_links_nowhere(tmp_path: Path) -> None:
    async def play() -> None:
        async with evening(tmp_path) as (tables, live):
            with pytest.raises(Refused) as refused:
                await send(tables, live, "A: agree")
            shown = refusal(live, ANN, "k", refused.value.refusal)
            assert (shown.rule, shown.rule_url, shown.picture) == (None, "", None)

    asyncio.run(play())
