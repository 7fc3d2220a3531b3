"""Parts of a view are made once for many views: whatever is kept is what would be made anew."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from kibitz.core.game import CHANCE, Actor
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.db.store import StoredRow, StoredTable, TableLease, open_store
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.view import render_view
from kibitz.server.tables.viewers import ViewerSettings

ACTIONS = 40
WRITES = 200


class Looking:
    """Somebody's page, as far as a table has to know of it."""

    def __init__(self, member: str) -> None:
        self.member, self.address = member, ""

    def notify_change(self) -> None: ...
    def notify_people(self) -> None: ...

    def notify_chat(self) -> None: ...


def open_live_table(game: str, seats: dict[str, Any] | None = None) -> LiveTable:
    rulebook = GAMES[game]
    rules = rulebook.game(rulebook.preset)
    return LiveTable(
        StoredTable(
            id="t",
            game=game,
            rules_version=rulebook.version,
            options=dict(rules.options),
            start=START,
            seats={seat: {"members": [seat]} for seat in rules.seats} if seats is None else seats,
            created_at=1.0,
            owner=rules.seats[0],
        ),
        (),
    )


def do(live: LiveTable, actor: Actor, text: str) -> None:
    table, changes, _ = live.dry_run(actor, [text], actor)
    live.advance_to(table, changes)


def do_something(live: LiveTable, rng: Random) -> None:
    game, state = live.game, live.table.state
    to_act = sorted(game.rules.to_act(state))
    actor = CHANCE if CHANCE in to_act else to_act[0]
    do(live, actor, game.notation.write_action(rng.choice(game.rules.turn_actions(state, actor))))


def viewers(live: LiveTable) -> list[ViewerSettings]:
    seats = live.game.seats
    return [
        *(ViewerSettings((seat,), "en", is_host=seat == live.owner) for seat in seats),
        ViewerSettings(seats, "fr"),
        ViewerSettings((), "fi"),
        ViewerSettings((), "en", is_referee=True),
    ]


def views_of(live: LiveTable) -> list[Any]:
    return [json.loads(render_view(live, each, None)) for each in viewers(live)]


def assert_as_if_new(live: LiveTable) -> None:
    kept, to_act = views_of(live), live.game.rules.to_act(live.table.state)
    for each in kept:
        assert {seat["seat"] for seat in each["seats"] if seat["is_to_act"]} == to_act - {CHANCE}
    caches = live.caches
    for memory in (caches.views, caches.built_views, caches.seats, caches.viewpoints, caches.turns):
        memory.clear()
    assert views_of(live) == kept


@pytest.mark.parametrize("game", GAMES)
def test_what_is_kept_of_a_match_is_what_would_be_made(game: str) -> None:
    live, rng = open_live_table(game), Random(2)
    for _ in range(ACTIONS):
        views_of(live)
        do_something(live, rng)
        assert_as_if_new(live)


AROUND: list[Callable[[LiveTable], None]] = [
    lambda live: do(live, "A", "ask adjourn"),
    lambda live: do(live, "B", "agree"),
    lambda live: do(live, "A", "ask continue"),
    lambda live: do(live, "B", "decline"),
    lambda live: do(live, "A", "ask continue"),
    lambda live: do(live, "B", "agree"),
    lambda live: do(live, "A", "@a1"),
    lambda live: do(live, "A", "ask back 0"),
    lambda live: do(live, "B", "agree"),
    lambda live: live.add_subscriber(Looking("A")),
    lambda live: live.add_subscriber(Looking("a stranger")),
    lambda live: setattr(
        live.presence, "left_at", {"B": live.presence.opened_at - 2 * live.absence_limit_s}
    ),
    lambda live: setattr(live.presence, "left_at", {}),
    lambda live: do(live, "A", "@b1"),
    lambda live: do(live, "A", "resign A"),
    lambda live: do(live, "A", "ask rematch"),
]
"""Whatever happens around a match, so that nothing of it can be left out of what decides."""


@pytest.mark.parametrize("count", range(1, len(AROUND) + 1))
def test_what_is_kept_of_the_table_follows_all_that_happens_around_it(count: int) -> None:
    """Views are made anew each time: who watches or is away is told only with the next one."""
    live = open_live_table("kalamala")
    for happens in AROUND[:count]:
        views_of(live)
        happens(live)
        live.caches.clear_messages()
    assert_as_if_new(live)


def test_what_all_may_do_together_follows_the_match() -> None:
    live = open_live_table("as-kimble")
    do_something(live, Random(3))
    views_of(live)
    do(live, live.game.seats[0], "ask break")  # Nobody else is there, so all agree.
    assert "ask resume" in {item["text"] for item in views_of(live)[0]["table"]["menu"]}
    assert_as_if_new(live)


def test_a_referee_who_is_called_otherwise_is_so_called() -> None:
    live = open_live_table("kalamala")
    live.table = replace(live.table, people=live.people.appoint("referee", "R"))
    for name in ("Ann", "Bob"):
        live.names = {"R": name}
        live.broadcast_people()
        assert views_of(live)[0]["table"]["referee"] == name


def test_two_who_share_a_seat_are_told_who_of_them_is_the_host() -> None:
    live = open_live_table("kalamala", {"A": {"members": ["A", "C"]}})
    host, other = (
        json.loads(render_view(live, ViewerSettings(("A",), "en", is_host=hosts), None))
        for hosts in (True, False)
    )
    assert (host["table"]["is_host"], other["table"]["is_host"]) == (True, False)
    assert host["table"]["menu"] != other["table"]["menu"]


def test_those_whose_writes_shared_a_transaction_are_woken_together(tmp_path: Path) -> None:
    store, wakes = open_store(tmp_path), 0

    async def write_all() -> None:
        nonlocal wakes
        loop = asyncio.get_running_loop()
        wake = loop.call_soon_threadsafe

        def count_wake(*work: Any, **more: Any) -> Any:
            nonlocal wakes
            wakes += 1
            return wake(*work, **more)

        await store.open_table(open_live_table("kalamala").stored, TableLease())
        setattr(loop, "call_soon_threadsafe", count_wake)  # noqa: B010 (a method, to mypy)
        row = StoredRow(actor="A", member="A", text="@a1")
        await asyncio.gather(*(store.append_rows("t", seq, [row]) for seq in range(WRITES)))

    asyncio.run(write_all())
    store.close()
    assert 0 < wakes < WRITES / 10
