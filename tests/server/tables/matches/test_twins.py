"""Twins that differ in one hidden choice look alike to everybody else, starts included."""

from __future__ import annotations

from collections import Counter

import pytest

from kibitz.core.record import START
from kibitz.games import GAMES
from kibitz.table.table import hides_something, open_table
from support.server_process import Guest
from support.twins import GAME, twins

TRIALS = 10
HALF_PLACED = "2O10/2S10/1F11/2C10/1O11/13/2T10/13 R place:B - - 123456/123456 0-0 0 -"
HALF_DUELLED = "13/13/13/13/13/5OFs5/13/13 R duel:F:g6>h6:1:4 g6:4 g6 123456/123456 0-0 8 -"


def test_nobody_else_can_tell_twins_apart_over_any_channel() -> None:
    kinds = Counter[str]()
    for pair in twins(TRIALS):
        kinds[pair.kind] += 1
        for member in pair.others:
            assert pair.difference_for(member) == ""
        assert pair.difference_for(pair.secretive), "else this compares nothing"
    assert kinds.keys() == {"start", "action"}


@pytest.mark.parametrize("start", [HALF_PLACED, HALF_DUELLED])
def test_a_start_that_hides_something_is_nobodys_start(guest: Guest, start: str) -> None:
    for seats in ({"R": "me", "B": "free"}, {"R": "free", "B": "me"}):
        asked = {"game": GAME, "seats": seats, "start": start}
        answer = guest.client.post("/api/v1/tables", json=asked)
        assert (answer.status_code, answer.json()["code"]) == (400, "start-hides"), answer.text
    alone = {"game": GAME, "seats": {"R": "me", "B": "greedy"}, "start": start}
    assert guest.client.post("/api/v1/tables", json=alone).status_code == 201


def test_a_rematch_of_a_start_that_hides_something_starts_anew(guest: Guest) -> None:
    """Others may play it than played the first match."""
    page = guest.sits_at(guest.begins(GAME, {"R": "me", "B": "me"}, start=HALF_PLACED))
    assert page.acts("resign R", seat="R")["type"] == "done"
    page.does("ask rematch")
    page.waits_until(lambda page: bool(page.table["next"]))
    assert guest.reads(page.table["next"], "record")["start"] == START


def test_a_position_in_which_all_is_open_hides_nothing() -> None:
    for rulebook in GAMES.values():
        game = rulebook.game(rulebook.preset)
        assert not hides_something(game, open_table(game).state)
    game = GAMES[GAME].game({})
    assert hides_something(game, game.notation.read_state(HALF_PLACED))
