"""What is sent after a first view: no more than changed, and no less."""

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
from kibitz.server.phrases import phrases_for
from kibitz.server.tables.live_table import LiveTable
from kibitz.server.tables.view import render_view
from kibitz.server.tables.viewers import ViewerSettings, phrases_at, plate_names, telling_phrases_at
from kibitz.table.handover import acting_seat, curtain_seat, viewer_of

ACTIONS = 60


def open_live_table(game: str) -> LiveTable:
    rulebook = GAMES[game]
    rules = rulebook.game(rulebook.preset)
    return LiveTable(
        StoredTable(
            id="t",
            game=game,
            rules_version=rulebook.version,
            options=dict(rules.options),
            start=START,
            seats={seat: {"members": [seat]} for seat in rules.seats},
            created_at=1.0,
            owner=rules.seats[0],
        ),
        (),
    )


def play_randomly(live: LiveTable, actions: int = ACTIONS) -> Iterator[None]:
    "Someone is already playing at random; a stop after each action."
    rng = Random(1)
    for _ in range(actions):
        table = live.table
        to_act = sorted(table.game.rules.to_act(table.state))
        if not to_act:
            return
        actor = CHANCE if CHANCE in to_act else to_act[0]
        action = rng.choice(table.game.rules.turn_actions(table.state, actor))
        after, changes, _ = live.dry_run(actor, [table.game.notation.write_action(action)], "")
        live.advance_to(after, changes)
        yield


class Screen:
    """What a page has put together of the views it was sent."""

    def __init__(self, live: LiveTable, settings: ViewerSettings) -> None:
        self.live, self.settings = live, settings
        self.seen: int | None = None
        self.through: Viewer | None = None
        self.layers: dict[str, str] = {}
        self.log: list[Any] = []
        self.latest: dict[str, Any] = {}
        self.look()

    def look(self) -> None:
        live, settings = self.live, self.settings
        self.latest = json.loads(render_view(live, settings, self.seen, self.through))
        self.seen = live.seq
        self.through = viewer_of(live.table, settings.seats, settings.unveiled_seat)
        self.layers.update(self.moving() if self.latest["svg"] else self.latest["layers"])
        self.log[self.latest["log_from"] :] = self.latest["log"]

    def moving(self) -> dict[str, str]:
        """The layers as they should be, but for those that never change."""
        table, held = self.live.table, self.settings.seats
        viewer = viewer_of(table, held, self.settings.unveiled_seat)
        near = held[0] if len(held) == 1 else ""
        say = phrases_at(self.live, self.settings.language)
        tell = telling_phrases_at(self.live, self.settings)
        names = plate_names(self.live, self.settings, say)
        look = Look(say=say, near=near, names=names, tell=tell)
        drawing = table.game.ui.draw(table.view(viewer), look)
        return {n: made for n, made in drawing.layers.items() if n not in drawing.static_layers}


@pytest.mark.parametrize("game", GAMES)
def test_layers_that_are_left_out_are_those_that_a_page_has(game: str) -> None:
    live = open_live_table(game)
    seats = live.game.seats
    screens = [Screen(live, ViewerSettings(held, "en")) for held in ((seats[0],), (seats[1],), ())]
    left_out = 0
    for number, _ in enumerate(play_randomly(live)):
        for screen in screens[number % 3 :]:  # Some are slow, and miss some.
            screen.look()
            assert screen.layers == screen.moving()
            left_out += len(screen.moving()) - len(screen.latest["layers"])
    assert left_out


@pytest.mark.parametrize("game", GAMES)
def test_layers_with_pieces_are_always_sent_as_pages_move_them(game: str) -> None:
    live = open_live_table(game)
    screen = Screen(live, ViewerSettings((), "en"))
    for _ in play_randomly(live):
        screen.look()
        with_pieces = {name for name, made in screen.moving().items() if 'id="pc-' in made}
        assert with_pieces <= screen.latest["layers"].keys()


@pytest.mark.parametrize("game", GAMES)
def test_a_shared_page_has_the_log_and_the_drawing_that_whoever_looks_may_see(game: str) -> None:
    live = open_live_table(game)
    seats = live.game.seats
    screen, spectator = (
        Screen(live, ViewerSettings(seats, "en")),
        Screen(live, ViewerSettings((), "en")),
    )
    for _ in play_randomly(live, 120):
        spectator.look()
        unveiled = acting_seat(live.table, seats) if live.seq % 2 else None
        screen.settings = ViewerSettings(seats, "en", unveiled_seat=unveiled)
        screen.look()
        assert screen.log == json.loads(render_view(live, screen.settings, None))["log"]
        assert screen.layers == screen.moving()


@pytest.mark.parametrize("game", ["kalamala", "as-kimble"])
def test_a_shared_page_is_not_sent_the_whole_log_again(game: str) -> None:
    live = open_live_table(game)
    screen = Screen(live, ViewerSettings(live.game.seats, "en"))
    for _ in play_randomly(live):
        screen.look()
        assert len(screen.latest["log"]) == 1


def test_lines_that_were_taken_back_are_compared_anew() -> None:
    """The first line that two do not share comes after some that they did, and took back."""
    live = open_live_table("kahmate")
    screen = Screen(live, ViewerSettings(live.game.seats, "en"))
    steps = play_randomly(live, 40)
    for _ in steps:
        screen.look()
    for text in ("back 30", "back 2"):
        after, changes, _ = live.dry_run("referee", [text], "")
        live.advance_to(after, changes)
        screen.look()
    for _ in play_randomly(live, 60):
        seat = curtain_seat(live.table, screen.settings.seats, None)
        screen.settings = ViewerSettings(live.game.seats, "en", unveiled_seat=seat)
        screen.look()
        assert screen.log == json.loads(render_view(live, screen.settings, None))["log"]


def test_a_spectator_has_no_offers_whoever_else_does() -> None:
    live = open_live_table("kalamala")
    first, nobody = (
        Screen(live, ViewerSettings(("A",), "en")),
        Screen(live, ViewerSettings((), "en")),
    )
    assert first.latest["offers"]
    assert nobody.latest["offers"] == []
    assert nobody.through == SPECTATOR


def test_what_was_said_of_one_table_is_not_said_of_another() -> None:
    said = message("page.turn-of", seat="R")
    seats = GAMES["as-kimble"].game({}).seats
    plain, moved = (
        phrases_for("en", "as-kimble", seats, letters)
        for letters in (seats, (*seats[1:], seats[0]))
    )
    assert plain(said) == plain(said) != moved(said)
