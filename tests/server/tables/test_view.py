"""What is sent after a first sight: no more than changed, and no less."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from kibitz.core.drawing import Look
from kibitz.core.game import CHANCE, SPECTATOR, Viewer
from kibitz.core.message import message
from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.server.db.store import StoredTable
from kibitz.server.phrases import speech
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.view import sight
from kibitz.server.tables.viewers import Watcher, acting_seat, curtained, speech_at, viewer_of

ACTIONS = 60


def opened(game: str) -> LiveTable:
    rulebook = GAMES[game]
    rules = rulebook.game(rulebook.preset)
    return LiveTable(
        StoredTable(
            id="t",
            game=game,
            rules=rulebook.rules,
            options=dict(rules.options),
            start=START,
            seats={seat: {"members": [seat]} for seat in rules.seats},
            created=1.0,
            owner=rules.seats[0],
        ),
        (),
    )


def played(live: LiveTable, actions: int = ACTIONS) -> Iterator[None]:
    """Somebody plays at random; a stop after each action."""
    rng = Random(1)
    for _ in range(actions):
        table = live.table
        to_act = sorted(table.game.to_act(table.state))
        if not to_act:
            return
        actor = CHANCE if CHANCE in to_act else to_act[0]
        action = rng.choice(table.game.turn_actions(table.state, actor))
        after, changes, _ = live.after(actor, [table.game.write_action(action)], "")
        live.move_on(after, changes, None)
        yield


class Screen:
    """What a page has put together of the sights it was sent."""

    def __init__(self, live: LiveTable, watcher: Watcher) -> None:
        self.live, self.watcher = live, watcher
        self.seen: int | None = None
        self.through: Viewer | None = None
        self.layers: dict[str, str] = {}
        self.log: list[Any] = []
        self.latest: dict[str, Any] = {}
        self.look()

    def look(self) -> None:
        live, watcher = self.live, self.watcher
        self.latest = json.loads(sight(live, watcher, self.seen, self.through))
        self.seen = live.seq
        self.through = viewer_of(live.table, watcher.held, watcher.unveiled)
        self.layers.update(self.moving() if self.latest["svg"] else self.latest["layers"])
        self.log[self.latest["log_from"] :] = self.latest["log"]

    def moving(self) -> dict[str, str]:
        """The layers as they should be, but for those that never change."""
        table, held = self.live.table, self.watcher.held
        viewer = viewer_of(table, held, self.watcher.unveiled)
        near = held[0] if len(held) == 1 else ""
        look = Look(say=speech_at(self.live, self.watcher.language), near=near)
        drawing = table.game.draw(table.view(viewer), look)
        return {n: made for n, made in drawing.layers.items() if n not in drawing.still}


@pytest.mark.parametrize("game", GAMES)
def test_layers_that_are_left_out_are_those_that_a_page_has(game: str) -> None:
    live = opened(game)
    seats = live.game.seats
    screens = [Screen(live, Watcher(held, "en")) for held in ((seats[0],), (seats[1],), ())]
    left_out = 0
    for number, _ in enumerate(played(live)):
        for screen in screens[number % 3 :]:  # Some are slow, and miss some.
            screen.look()
            assert screen.layers == screen.moving()
            left_out += len(screen.moving()) - len(screen.latest["layers"])
    assert left_out


@pytest.mark.parametrize("game", GAMES)
def test_layers_with_pieces_are_always_sent_as_pages_move_them(game: str) -> None:
    live = opened(game)
    screen = Screen(live, Watcher((), "en"))
    for _ in played(live):
        screen.look()
        with_pieces = {name for name, made in screen.moving().items() if 'id="pc-' in made}
        assert with_pieces <= screen.latest["layers"].keys()


@pytest.mark.parametrize("game", GAMES)
def test_a_shared_page_has_the_log_and_the_drawing_that_whoever_looks_may_see(game: str) -> None:
    live = opened(game)
    seats = live.game.seats
    screen, spectator = Screen(live, Watcher(seats, "en")), Screen(live, Watcher((), "en"))
    for _ in played(live, 120):
        spectator.look()
        unveiled = acting_seat(live.table, seats) if live.seq % 2 else None
        screen.watcher = Watcher(seats, "en", unveiled=unveiled)
        screen.look()
        assert screen.log == json.loads(sight(live, screen.watcher, None))["log"]
        assert screen.layers == screen.moving()


@pytest.mark.parametrize("game", ["kalamala", "as-kimble"])
def test_a_shared_page_is_not_sent_the_whole_log_again(game: str) -> None:
    live = opened(game)
    screen = Screen(live, Watcher(live.game.seats, "en"))
    for _ in played(live):
        screen.look()
        assert len(screen.latest["log"]) == 1


def test_lines_that_were_taken_back_are_compared_anew() -> None:
    """The first line that two do not share comes after some that they did, and took back."""
    live = opened("kahmate")
    screen = Screen(live, Watcher(live.game.seats, "en"))
    steps = played(live, 40)
    for _ in steps:
        screen.look()
    for text in ("back 30", "back 2"):
        after, changes, _ = live.after("referee", [text], "")
        live.move_on(after, changes, None)
        screen.look()
    for _ in played(live, 60):
        seat = curtained(live.table, screen.watcher.held, None)
        screen.watcher = Watcher(live.game.seats, "en", unveiled=seat)
        screen.look()
        assert screen.log == json.loads(sight(live, screen.watcher, None))["log"]


def test_a_spectator_has_no_offers_whoever_else_does() -> None:
    live = opened("kalamala")
    first, nobody = Screen(live, Watcher(("A",), "en")), Screen(live, Watcher((), "en"))
    assert first.latest["offers"]
    assert nobody.latest["offers"] == []
    assert nobody.through == SPECTATOR


def test_what_was_said_of_one_table_is_not_said_of_another() -> None:
    said = message("page.turn-of", seat="R")
    seats = GAMES["as-kimble"].game({}).seats
    plain, moved = (
        speech("en", "as-kimble", seats, letters) for letters in (seats, (*seats[1:], seats[0]))
    )
    assert plain(said) == plain(said) != moved(said)
